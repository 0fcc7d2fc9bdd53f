func.func @main(%x: tensor<576xf32>, %y: tensor<2x156xf64>, %z: tensor<108xf32>)
    -> (tensor<289xf32>, tensor<289xf32>, tensor<576xf32>, tensor<2x156xf64>, tensor<108xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [576] : (tensor<576xf32>) -> tensor<289xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [576] : (tensor<289xcomplex<f32>>) -> tensor<576xf32>
  %2 = stablehlo.real %0 : (tensor<289xcomplex<f32>>) -> tensor<289xf32>
  %3 = stablehlo.imag %0 : (tensor<289xcomplex<f32>>) -> tensor<289xf32>
  %4 = stablehlo.fft %y, type = RFFT, length = [156] : (tensor<2x156xf64>) -> tensor<2x79xcomplex<f64>>
  %5 = stablehlo.multiply %4, %4 : tensor<2x79xcomplex<f64>>
  %6 = stablehlo.fft %5, type = IRFFT, length = [156] : (tensor<2x79xcomplex<f64>>) -> tensor<2x156xf64>
  %7 = stablehlo.complex %z, %z : tensor<108xcomplex<f32>>
  %8 = stablehlo.fft %7, type = IFFT, length = [108] : (tensor<108xcomplex<f32>>) -> tensor<108xcomplex<f32>>
  %9 = stablehlo.imag %8 : (tensor<108xcomplex<f32>>) -> tensor<108xf32>
  return %2, %3, %1, %6, %9 : tensor<289xf32>, tensor<289xf32>, tensor<576xf32>, tensor<2x156xf64>, tensor<108xf32>
}
