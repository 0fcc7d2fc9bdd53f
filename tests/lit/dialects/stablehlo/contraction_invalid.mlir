// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C1): batching dimensions [0] x []}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [], contracting_dims = [1] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C2): contracting dimensions [] x [1]}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C3): lhs dimensions [0, 0] are not unique}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C4): rhs dimensions [0, 0] are not unique}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C5): lhs dimensions [2] exceed the rank 2}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [2] x [0], contracting_dims = [1] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C6): lhs dimensions [2] exceed the rank 2}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C7): rhs dimensions [3] exceed the rank 3}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [3], contracting_dims = [1] x [1] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C8): rhs dimensions [3] exceed the rank 3}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [3] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C9): lhs dimension 0 of size 4 does not fit rhs dimension 1 of size 6}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C10): lhs dimension 1 of size 6 does not fit rhs dimension 2 of size 5}}
  %0 = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [2] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C11): expected at most two precisions, got [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGH, HIGH] : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C12): expected result shape [4, 5], got [5, 4]}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot' op: stablehlo.dot (operands): shapes [4, 6] and [4, 6] do not fit}}
  %0 = stablehlo.dot %a, %a : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %c: tensor<4x6x5xf32>) {
  // expected-error @below {{stablehlo.dot' op: stablehlo.dot (result): expected shape [4, 5], got [4, 6]}}
  %0 = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2xf32>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C14): either rhs alone or all of (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) must be quantised}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C14): either rhs alone or all of (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2xf32>) must be quantised}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C15): the zero points of rhs must be 0: tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C16): rhs is quantised along the contracting dimension 0}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i4:f32, 0.5>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C17): storage types of lhs and rhs differ: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i4:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C18): expressed types differ: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f16, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f16, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C19): the result has parameters per axis, but rhs has not: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>)}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf16>, %b: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.dot_general' op: stablehlo.dot_general (C20): lhs, expressed type of rhs, and result differ: (tensor<2x3xf16>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2xf16>)}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf16>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xf16>
  return
}
