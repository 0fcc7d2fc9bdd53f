// RUN: xla-opt %s -p chlo-legalize-to-stablehlo | filecheck %s
// RUN: xla-run %s --engine reference
// RUN: xla-run %s --engine native

// CHECK-LABEL: func.func @calls
// CHECK-NOT: @mhlo
func.func @calls() {
  %x = stablehlo.constant dense<[3.0, -1.0, 2.0, 7.0]> : tensor<4xf32>
  %0 = stablehlo.custom_call @mhlo.square(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[9.0, 1.0, 4.0, 49.0]> : tensor<4xf32>
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64}
    : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %1#0, dense<[7.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %1#1, dense<[3, 0]> : tensor<2xi32>
  %2 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_almost_eq_const %2, dense<[0.999977910, -0.842700793, 0.995322265, 1.0]> : tensor<4xf32>
  return
}
