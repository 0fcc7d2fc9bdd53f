// RUN: not xla-run %s --engine reference --split-input-file 2>&1 | filecheck %s
// RUN: not xla-run %s --engine native --split-input-file 2>&1 | filecheck %s
// RUN: xla-run %s --engine reference -split-input-file --skip wrong | filecheck %s --check-prefix RESULTS
// RUN: xla-run %s --engine native -split-input-file --skip wrong | filecheck %s --check-prefix RESULTS

// Parts of comments alone are no programs.

// -----

func.func @holds() -> tensor<2xi8> {
  %0 = stablehlo.constant dense<[-1, -2]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
  %2 = stablehlo.multiply %0, %1 : tensor<2xi8>
  check.expect_eq_const %2, dense<[1, -2]> : tensor<2xi8>
  return %2 : tensor<2xi8>
}

// -----

// Checks after one that does not hold are evaluated too.
func.func @wrong() {
  %0 = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %1 = stablehlo.sqrt %0 : tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.5]> : tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[1.0, 2.00001]> : tensor<2xf32>
  check.expect_eq_const %1, dense<[1.0, 2.0000002]> : tensor<2xf32>
  return
}

// -----

// Functions that others call are no tests by themselves; a shape that depends on a constant.
func.func @callee(%operand: tensor<i32>, %shape: tensor<2xi64>) -> tensor<?x?xi32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %shape, dims = [] : (tensor<i32>, tensor<2xi64>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
func.func @wrong_call() {
  %shape = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = func.call @callee(%seven, %shape) : (tensor<i32>, tensor<2xi64>) -> tensor<?x?xi32>
  %1 = stablehlo.dynamic_reshape %0, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<1x2xi32>
  check.expect_eq_const %1, dense<7> : tensor<1x2xi32>
  check.expect_eq_const %1, dense<[[7, 8]]> : tensor<1x2xi32>
  return
}

// CHECK: tensor<2xi8> {
// CHECK: xla_run_tests.mlir:24:3: error: 'check.expect_eq_const': 1 of 2 elements differ
// CHECK-NEXT: [1]: got 2.0, expected 2.5 (difference 0.5, 2097152 ulp)
// CHECK-NEXT: in function @wrong
// CHECK-NEXT: xla_run_tests.mlir:26:3: error: 'check.expect_eq_const': 1 of 2 elements differ
// CHECK-NEXT: [1]: got 2.0, expected 2.0000002{{.*}}, 1 ulp)
// CHECK-NEXT: in function @wrong
// CHECK-NEXT: xla_run_tests.mlir:43:3: error: 'check.expect_eq_const': 1 of 2 elements differ
// CHECK-NEXT: [0, 1]: got 7, expected 8
// CHECK-NEXT: in function @wrong_call
// CHECK-NEXT: 2 of 3 functions failed

// RESULTS: tensor<2xi8> {
// RESULTS-NEXT:   [1, -2]
// RESULTS-NEXT: }
