// RUN: xla-run %s --engine reference --entry holds | filecheck %s
// RUN: xla-run %s --engine native --entry holds | filecheck %s
// RUN: not xla-run %s --engine reference --entry wrong 2>&1 | filecheck %s --check-prefix WRONG
// RUN: not xla-run %s --engine native --entry wrong 2>&1 | filecheck %s --check-prefix WRONG

// A check by a custom call may have a result, which is true.

module @jit_testcase {
  // CHECK: tensor<i1> {true}
  func.func public @holds() -> tensor<i1> {
    %0 = call @inputs() : () -> tensor<1x2xui8>
    %1 = call @expected() : () -> tensor<2xui8>
    %2 = stablehlo.reshape %0 : (tensor<1x2xui8>) -> tensor<2xui8>
    %3 = stablehlo.custom_call @check.eq(%2, %1) : (tensor<2xui8>, tensor<2xui8>) -> tensor<i1>
    return %3 : tensor<i1>
  }
  // WRONG: 'check.expect_eq': 1 of 2 elements differ
  // WRONG: [1]: got 7, expected 14
  func.func public @wrong() -> tensor<i1> {
    %0 = call @inputs() : () -> tensor<1x2xui8>
    %2 = stablehlo.reshape %0 : (tensor<1x2xui8>) -> tensor<2xui8>
    %3 = stablehlo.add %2, %2 : tensor<2xui8>
    %4 = stablehlo.custom_call @check.eq(%2, %3) : (tensor<2xui8>, tensor<2xui8>) -> tensor<i1>
    %5 = stablehlo.not %4 : tensor<i1>
    return %5 : tensor<i1>
  }
  func.func private @inputs() -> tensor<1x2xui8> {
    %0 = stablehlo.constant dense<[[0, 7]]> : tensor<1x2xui8>
    return %0 : tensor<1x2xui8>
  }
  func.func private @expected() -> tensor<2xui8> {
    %0 = stablehlo.constant dense<[0, 7]> : tensor<2xui8>
    return %0 : tensor<2xui8>
  }
}
