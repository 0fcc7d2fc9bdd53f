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
  // The smallest first, equal ones in order; NaN is the greatest, -0 less than 0.
  %y = stablehlo.constant dense<[[3.0, 0xFFC00000, 0.0, -0.0, 0x7FC00000, -1.0]]> : tensor<1x6xf32>
  %3:2 = stablehlo.custom_call @mhlo.topk(%y) {mhlo.attributes = {k = 6 : i64, largest = false}, mhlo.version = 1 : i64}
    : (tensor<1x6xf32>) -> (tensor<1x6xf32>, tensor<1x6xi32>)
  check.expect_eq_const %3#1, dense<[[1, 5, 3, 2, 0, 4]]> : tensor<1x6xi32>
  %z = stablehlo.constant dense<[5, -128, 5, 127]> : tensor<4xi8>
  %4:2 = stablehlo.custom_call @mhlo.topk(%z) {mhlo.attributes = {k = 3 : i64, largest = false}, mhlo.version = 1 : i64}
    : (tensor<4xi8>) -> (tensor<3xi8>, tensor<3xi32>)
  check.expect_eq_const %4#0, dense<[-128, 5, 5]> : tensor<3xi8>
  check.expect_eq_const %4#1, dense<[1, 0, 2]> : tensor<3xi32>
  return
}
