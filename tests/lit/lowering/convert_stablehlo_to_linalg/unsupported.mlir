// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xi1> {
  // expected-error @+1 {{complex numbers are compared by EQ and NE only, not LT}}
  %0 = stablehlo.compare LT, %x, %x : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @-1 {{func.func: tensor<?xf32> has a dynamic dimension; run refine-shapes first}}
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @no_lowering(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{stablehlo.einsum (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>): no lowering to linalg}}
  %0 = stablehlo.einsum %x, %y, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @unknown_target(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{stablehlo.custom_call (tensor<4xf32>) -> (tensor<4xf32>): unknown target @nobody; xdsl_xla.custom_call registers}}
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
