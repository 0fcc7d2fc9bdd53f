// RUN: xla-opt %s -p chlo-legalize-to-stablehlo --split-input-file --verify-diagnostics

func.func @complex(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  // expected-error @+1 {{chlo.acosh of complex<f32> has no decomposition}}
  %0 = chlo.acosh %x : tensor<complex<f32>> -> tensor<complex<f32>>
  func.return %0 : tensor<complex<f32>>
}
