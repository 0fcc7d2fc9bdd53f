// RUN: xla-opt %s -p chlo-legalize-to-stablehlo --split-input-file --verify-diagnostics

func.func @quantised(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{expected a tensor of floating-point type, got tensor<4x!quant.uniform<i8:f32, 0.5>>}}
  %0 = chlo.erf %x : tensor<4x!quant.uniform<i8:f32, 0.5>> -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
