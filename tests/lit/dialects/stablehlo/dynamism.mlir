// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @dynamism
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.dynamic_conv"(%l, %r, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
// CHECK-NEXT: %sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.dynamic_gather"(%a, %idx, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x6xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.dynamic_pad %a, %f, %d, %d, %d : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.dynamic_reshape %a, %d : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.set_dimension_size %a, %i, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 6>>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.add %{{[0-9]+}}, %{{[0-9]+}} : tensor<?x?xf32>
func.func @dynamism(%a: tensor<4x6xf32>, %d: tensor<2xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>, %pads: tensor<2x2xi64>, %idx: tensor<5x1xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = "stablehlo.dynamic_conv"(%l, %r, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  %sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
  %2 = "stablehlo.dynamic_gather"(%a, %idx, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x6xf32>
  %3 = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %4 = stablehlo.dynamic_pad %a, %f, %d, %d, %d : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.dynamic_reshape %a, %d : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %7 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  %8 = stablehlo.set_dimension_size %a, %i, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 6>>
  %9 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %10 = stablehlo.add %9, %9 : tensor<?x?xf32>
  return
}
