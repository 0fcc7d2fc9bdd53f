// RUN: xla-opt %s -p stablehlo-expand-deprecated --split-input-file --verify-diagnostics

func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.einsum: 2 operands for the equation 'ab->a'}}
  %0 = stablehlo.einsum %x, %y, config = "ab->a" : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum: 'a' names 1 of 2 dimensions}}
  %0 = stablehlo.unary_einsum %x, config = "a->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum: 'ab->c' makes up result dimension c}}
  %0 = stablehlo.unary_einsum %x, config = "ab->c" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum: a dimension occurs twice in the result of 'ab->aa'}}
  %0 = stablehlo.unary_einsum %x, config = "ab->aa" : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum: 'a1' is not a term of letters and `...`}}
  %0 = stablehlo.unary_einsum %x, config = "a1->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
