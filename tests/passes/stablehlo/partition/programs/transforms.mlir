// Batches are split, transformed and solved dimensions are whole.
func.func @main(%x: tensor<6x4x5xf32>, %b: tensor<6x5x3xf32>) -> (tensor<6x4x5xf32>, tensor<6x5x3xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [5] : (tensor<6x4x5xf32>) -> tensor<6x4x3xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [5] : (tensor<6x4x3xcomplex<f32>>) -> tensor<6x4x5xf32>
  %2 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<6x4x5xf32>, tensor<6x4x5xf32>) -> tensor<6x5x5xf32>
  %i = stablehlo.iota dim = 1 : tensor<6x5x5xi32>
  %j = stablehlo.iota dim = 2 : tensor<6x5x5xi32>
  %same = stablehlo.compare EQ, %i, %j : (tensor<6x5x5xi32>, tensor<6x5x5xi32>) -> tensor<6x5x5xi1>
  %large = stablehlo.constant dense<9.0> : tensor<6x5x5xf32>
  %none = stablehlo.constant dense<0.0> : tensor<6x5x5xf32>
  %diagonal = stablehlo.select %same, %large, %none : tensor<6x5x5xi1>, tensor<6x5x5xf32>
  %3 = stablehlo.add %2, %diagonal : tensor<6x5x5xf32>
  %4 = stablehlo.cholesky %3, lower = true : tensor<6x5x5xf32>
  %5 = "stablehlo.triangular_solve"(%4, %b) <{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<6x5x5xf32>, tensor<6x5x3xf32>) -> tensor<6x5x3xf32>
  return %1, %5 : tensor<6x4x5xf32>, tensor<6x5x3xf32>
}
