func.func @f(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %p: tensor<i1>, %i: tensor<4x6xi32>, %gs: tensor<3xi32>, %r: tensor<3x6x5xf32>) {
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %1 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction EQ>, compare_type = #chlo<comparison_type FLOAT>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
  %2 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %3 = chlo.next_after %a, %a : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
  %4 = chlo.polygamma %a, %a : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
  %5 = chlo.zeta %a, %a : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
  %6 = chlo.is_inf %a : tensor<4x6xf32> -> tensor<4x6xi1>
  %7 = chlo.constant dense<1.0> : tensor<f32>
  %8 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %9 = chlo.conj %a : tensor<4x6xf32> -> tensor<4x6xf32>
  %10:2 = chlo.top_k(%a, k = 3) : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %11 = "chlo.ragged_dot"(%a, %r, %gs) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>]} : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  %12 = chlo.mulhi %i, %i : tensor<4x6xi32>, tensor<4x6xi32> -> tensor<4x6xi32>
  %14 = "chlo.bessel_i1e"(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = stablehlo.constant dense<0.0> : tensor<6xf32>
  %15:2 = "chlo.scan"(%a, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%x: tensor<6xf32>, %y: tensor<6xf32>):
    stablehlo.return %x, %y : tensor<6xf32>, tensor<6xf32>
  }) : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  func.return
}
