// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s | xla-opt | filecheck %s

// Spellings and attributes that newer versions of upstream have, read and printed in the ways this package prints.

// CHECK: %a: tensor<?x?xf32, #stablehlo.bounds<3, ?>>, %b: tensor<4x!quant.uniform<u8:f32, 2.0>>, %c: tensor<4x!quant.uniform<i8:f32, 2.0>>
func.func @types(%a: tensor<?x?xf32, #stablehlo.type_extensions<bounds = [3, ?]>>, %b: tensor<4x!quant.uniform<ui8:f32, 2.0>>, %c: tensor<4x!quant.uniform<si8:f32, 2.0>>) {
  return
}

// CHECK: a = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[0, 1]> : tensor<2xi64>>
func.func @mesh() attributes {a = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>], device_ids = dense<[0, 1]> : tensor<2xi64>>} {
  return
}

func.func @dynamic_conv(%lhs: tensor<1x4x4x1xi64>, %rhs: tensor<3x3x1x1xi64>, %padding: tensor<2x2xi32>) -> tensor<1x2x2x1xi64> {
  // CHECK: "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 4, 4>, lhs_dilation = array<i64: 2, 2>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}>
  %0 = stablehlo.dynamic_conv(%lhs, %rhs, %padding) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [4, 4], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>, tensor<2x2xi32>) -> tensor<1x2x2x1xi64>
  return %0 : tensor<1x2x2x1xi64>
}

func.func @custom_call(%x: tensor<2x3xf32>, %buffer: memref<2xf32>) -> !stablehlo.future<tensor<2xf32>> {
  // CHECK: stablehlo.custom_call @foo(%x, %buffer) {result_tilings = {{\[\[}}dense<[2, 128]> : tensor<2xindex>]]} : (tensor<2x3xf32>, memref<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %0 = "stablehlo.custom_call"(%x, %buffer) <{call_target_name = "foo", result_tilings = [[dense<[2, 128]> : tensor<2xindex>]]}> : (tensor<2x3xf32>, memref<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  return %0 : !stablehlo.future<tensor<2xf32>>
}

func.func @three_products(%x: tensor<2x2xf8E4M3FN>) -> tensor<2x2xf32> {
  // CHECK: num_primitive_operations = 3
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x2xf8E4M3FN>, tensor<2x2xf8E4M3FN>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
