// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// A loop looks whether a call in it has failed, also where the only call is an identity, so that nothing is called.
func.func @loop() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %same = stablehlo.custom_call @Sharding(%i) : (tensor<i32>) -> tensor<i32>
    %next = stablehlo.add %same, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_eq_const %end, dense<3> : tensor<i32>
  return
}
