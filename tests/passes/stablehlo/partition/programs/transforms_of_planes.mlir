func.func @main(%x: tensor<4x6x8xf32>, %y: tensor<8x10xf32>)
    -> (tensor<4x6x5xcomplex<f32>>, tensor<4x6x8xf32>, tensor<8x10xcomplex<f32>>, tensor<4x6x8xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [6, 8] : (tensor<4x6x8xf32>) -> tensor<4x6x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [6, 8] : (tensor<4x6x5xcomplex<f32>>) -> tensor<4x6x8xf32>
  %2 = stablehlo.convert %y : (tensor<8x10xf32>) -> tensor<8x10xcomplex<f32>>
  %3 = stablehlo.fft %2, type = FFT, length = [8, 10] : (tensor<8x10xcomplex<f32>>) -> tensor<8x10xcomplex<f32>>
  %4 = stablehlo.convert %x : (tensor<4x6x8xf32>) -> tensor<4x6x8xcomplex<f32>>
  %5 = stablehlo.fft %4, type = IFFT, length = [4, 6, 8] : (tensor<4x6x8xcomplex<f32>>) -> tensor<4x6x8xcomplex<f32>>
  return %0, %1, %3, %5 : tensor<4x6x5xcomplex<f32>>, tensor<4x6x8xf32>, tensor<8x10xcomplex<f32>>, tensor<4x6x8xcomplex<f32>>
}
