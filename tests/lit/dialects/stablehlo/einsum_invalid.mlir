// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.einsum (einsum_config): 'ab->a' is not an equation of 2 operands}}
  %0 = stablehlo.einsum %x, %y, config = "ab->a" : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum (einsum_config): 'a' names 1 of 2 dimensions}}
  %0 = stablehlo.unary_einsum %x, config = "a->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum (einsum_config): 'ab->c' makes up result dimension c}}
  %0 = stablehlo.unary_einsum %x, config = "ab->c" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum (einsum_config): a dimension occurs twice in the result of 'ab->aa'}}
  %0 = stablehlo.unary_einsum %x, config = "ab->aa" : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum (einsum_config): 'a1' is not a term of letters and `...`}}
  %0 = stablehlo.unary_einsum %x, config = "a1->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  // expected-error @+1 {{stablehlo.einsum (einsum_config): sizes 3 and 4 for dimension b}}
  %0 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x5xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{stablehlo.einsum (result): expected shape [2, 5], got [2, 4]}}
  %0 = stablehlo.einsum %x, %y, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{stablehlo.unary_einsum (result): expected shape [3], got [2]}}
  %0 = stablehlo.unary_einsum %x, config = "ab->b" : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
