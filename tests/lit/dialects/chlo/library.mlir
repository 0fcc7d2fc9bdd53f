// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @library
// CHECK-NEXT: %constant = chlo.constant dense<[1.000000e+00, 0xFF800000]> : tensor<2xf32>
// CHECK-NEXT: %like = "chlo.constant_like"(%a) <{value = 1.000000e+00 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %top, %top_1 = chlo.top_k(%a, k = 3) {note} : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
// CHECK-NEXT: %ragged = "chlo.ragged_dot"(%a, %r, %gs) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
// CHECK-NEXT: %scan, %scan_1 = chlo.scan(%a) inits (%b) dimension=0 attributes {is_reverse = true, note} {
// CHECK-NEXT: ^bb0(%input: tensor<6xf32>, %carry: tensor<6xf32>):
// CHECK-NEXT: %sum = stablehlo.add %input, %carry : tensor<6xf32>
// CHECK-NEXT: stablehlo.return %sum, %sum : tensor<6xf32>, tensor<6xf32>
// CHECK-NEXT: } : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
func.func @library(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %gs: tensor<3xi32>, %r: tensor<3x6x5xf32>) {
  %constant = chlo.constant dense<[1.000000e+00, 0xFF800000]> : tensor<2xf32>
  %like = "chlo.constant_like"(%a) <{value = 1.000000e+00 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %top:2 = chlo.top_k(%a, k = 3) {note} : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %ragged = "chlo.ragged_dot"(%a, %r, %gs) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  %scan:2 = chlo.scan(%a) inits (%b) dimension=0 attributes {is_reverse = true, note} {
  ^bb0(%input: tensor<6xf32>, %carry: tensor<6xf32>):
    %sum = stablehlo.add %input, %carry : tensor<6xf32>
    stablehlo.return %sum, %sum : tensor<6xf32>, tensor<6xf32>
  } : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  return
}
