// RUN: xla-opt %s -t hlo --split-input-file --verify-diagnostics

func.func @element_type(%x: tensor<4xf32>) -> tensor<4xf6E2M3FN> {
  // expected-error @+1 {{'stablehlo.convert' op: element type f6E2M3FN has no name in HLO text}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf6E2M3FN>
  return %0 : tensor<4xf6E2M3FN>
}

// -----

// A computation of HLO sees its parameters and nothing else.
func.func @capture(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.reduce' op: a computation of HLO cannot use a value from outside}}
  %0 = "stablehlo.reduce"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @lower_level(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.empty' op: has no form in HLO text}}
  %0 = tensor.empty() : tensor<4xf32>
  return %x : tensor<4xf32>
}
