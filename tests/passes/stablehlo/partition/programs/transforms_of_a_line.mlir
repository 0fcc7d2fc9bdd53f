func.func @main(%r: tensor<576xf32>, %i: tensor<576xf32>, %a: tensor<2x576xf64>, %b: tensor<2x576xf64>)
    -> (tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<2x576xf64>) {
  %x = stablehlo.complex %r, %i : tensor<576xcomplex<f32>>
  %0 = stablehlo.fft %x, type = FFT, length = [576] : (tensor<576xcomplex<f32>>) -> tensor<576xcomplex<f32>>
  %1 = stablehlo.multiply %0, %x : tensor<576xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [576] : (tensor<576xcomplex<f32>>) -> tensor<576xcomplex<f32>>
  %y = stablehlo.complex %a, %b : tensor<2x576xcomplex<f64>>
  %3 = stablehlo.fft %y, type = IFFT, length = [576] : (tensor<2x576xcomplex<f64>>) -> tensor<2x576xcomplex<f64>>
  %4 = stablehlo.real %0 : (tensor<576xcomplex<f32>>) -> tensor<576xf32>
  %5 = stablehlo.imag %0 : (tensor<576xcomplex<f32>>) -> tensor<576xf32>
  %6 = stablehlo.imag %2 : (tensor<576xcomplex<f32>>) -> tensor<576xf32>
  %7 = stablehlo.imag %3 : (tensor<2x576xcomplex<f64>>) -> tensor<2x576xf64>
  return %4, %5, %6, %7 : tensor<576xf32>, tensor<576xf32>, tensor<576xf32>, tensor<2x576xf64>
}
