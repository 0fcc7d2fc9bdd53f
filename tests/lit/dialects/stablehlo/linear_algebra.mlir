// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @linear_algebra
// CHECK-NEXT: %lower = stablehlo.cholesky %a, lower = true : tensor<5x3x3xf64>
// CHECK-NEXT: %upper = stablehlo.cholesky %a {note} : tensor<5x3x3xf64>
// CHECK-NEXT: %solve = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x3x3xf64>, tensor<5x3x2xf64>) -> tensor<5x3x2xf64>
// CHECK-NEXT: %fft = stablehlo.fft %c, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
// CHECK-NEXT: %ifft = stablehlo.fft %c, type = IFFT, length = [2, 8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
// CHECK-NEXT: %rfft = stablehlo.fft %r, type = RFFT, length = [8] {note} : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
// CHECK-NEXT: %irfft = stablehlo.fft %h, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
func.func @linear_algebra(%a: tensor<5x3x3xf64>, %b: tensor<5x3x2xf64>, %c: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>, %h: tensor<2x5xcomplex<f32>>) {
  %lower = stablehlo.cholesky %a, lower = true : tensor<5x3x3xf64>
  %upper = stablehlo.cholesky %a {note} : tensor<5x3x3xf64>
  %solve = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x3x3xf64>, tensor<5x3x2xf64>) -> tensor<5x3x2xf64>
  %fft = stablehlo.fft %c, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %ifft = stablehlo.fft %c, type = IFFT, length = [2, 8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %rfft = stablehlo.fft %r, type = RFFT, length = [8] {note} : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
  %irfft = stablehlo.fft %h, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
  return
}
