// Starts beyond the ends are moved inside; slices lie in several parts, or in one.
func.func @main(%x: tensor<11x6xf32>, %u: tensor<3x6xf32>, %v: tensor<7x2xf32>, %i: tensor<i32>, %b: tensor<11xi1>,
                %s: tensor<i8>)
    -> (tensor<4x6xf32>, tensor<9x2xf32>, tensor<11x6xf32>, tensor<11x6xf32>, tensor<1xi1>, tensor<4x6xf32>,
        tensor<11x6xf32>) {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %many = stablehlo.constant dense<100> : tensor<i32>
  %j = stablehlo.multiply %i, %three : tensor<i32>
  %less = stablehlo.negate %i : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %j, %less, sizes = [4, 6] : (tensor<11x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %many, sizes = [9, 2] : (tensor<11x6xf32>, tensor<i32>, tensor<i32>) -> tensor<9x2xf32>
  %2 = stablehlo.dynamic_update_slice %x, %u, %j, %less : (tensor<11x6xf32>, tensor<3x6xf32>, tensor<i32>, tensor<i32>) -> tensor<11x6xf32>
  %3 = stablehlo.dynamic_update_slice %x, %v, %i, %i : (tensor<11x6xf32>, tensor<7x2xf32>, tensor<i32>, tensor<i32>) -> tensor<11x6xf32>
  %4 = stablehlo.dynamic_slice %b, %j, sizes = [1] : (tensor<11xi1>, tensor<i32>) -> tensor<1xi1>
  %5 = stablehlo.dynamic_slice %x, %s, %s, sizes = [4, 6] : (tensor<11x6xf32>, tensor<i8>, tensor<i8>) -> tensor<4x6xf32>
  %6 = stablehlo.dynamic_update_slice %x, %u, %s, %s : (tensor<11x6xf32>, tensor<3x6xf32>, tensor<i8>, tensor<i8>) -> tensor<11x6xf32>
  return %0, %1, %2, %3, %4, %5, %6
      : tensor<4x6xf32>, tensor<9x2xf32>, tensor<11x6xf32>, tensor<11x6xf32>, tensor<1xi1>, tensor<4x6xf32>, tensor<11x6xf32>
}
