// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (dim): dim 2 is outside the 2 dimensions of the operand}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 2 : i64, batch_dims = 0 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (dim): dim -2 is outside the 2 dimensions of the operand}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = -2 : i64, batch_dims = 0 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (batch_dims): 1 batch_dims for dim 0 and an index of rank 1}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 0 : i64, batch_dims = 1 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (batch_dims): -1 batch_dims for dim 0 and an index of rank 1}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 0 : i64, batch_dims = -1 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<4x3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (batch_dims): shapes [5, 2] and [4, 3] differ in the first 1}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<5x2xf32>, tensor<4x3xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (result): operand of type tensor<5x2xf32>, result of type tensor<3x2xf64>}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<3x2xf64>
  return
}

// -----

func.func @invalid(%a: tensor<5x2xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{stablehlo.torch_index_select (result): expected shape [3, 2], got [4, 2]}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<5x2xf32>, tensor<3xi32>) -> tensor<4x2xf32>
  return
}
