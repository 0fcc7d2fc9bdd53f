func.func @main(%x: tensor<8x5xf32>, %y: tensor<16xi32>, %v: tensor<f32>, %e: tensor<4x0xf32>)
    -> (tensor<4x3xf32>, tensor<16x5xf32>, tensor<9x13xf32>, tensor<31xi32>, tensor<19x6xf32>) {
  %zero = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.pad %x, %v, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<16x5xf32>
  %1 = stablehlo.pad %x, %v, low = [0, 2], high = [1, -2], interior = [0, 2] : (tensor<8x5xf32>, tensor<f32>) -> tensor<9x13xf32>
  %2 = stablehlo.pad %y, %zero, low = [0], high = [0], interior = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<31xi32>
  %3 = stablehlo.pad %x, %v, low = [-3, 0], high = [0, 1], interior = [2, 0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<19x6xf32>
  %4 = stablehlo.pad %e, %v, low = [0, 2], high = [0, 1], interior = [0, 1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %4, %0, %1, %2, %3 : tensor<4x3xf32>, tensor<16x5xf32>, tensor<9x13xf32>, tensor<31xi32>, tensor<19x6xf32>
}
