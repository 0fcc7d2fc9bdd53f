// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.cholesky' op: stablehlo.cholesky (C1): expected result type tensor<3x3xf32>, got tensor<3x2xf32>}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.cholesky' op: stablehlo.cholesky (C2): expected at least two dimensions, got tensor<3xf32>}}
  %0 = stablehlo.cholesky %v : tensor<3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.cholesky' op: stablehlo.cholesky (C3): expected square matrices, got tensor<3x2xf32>}}
  %0 = stablehlo.cholesky %b : tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.triangular_solve' op: stablehlo.triangular_solve (C1): expected one element type, got (tensor<3x3xf32>, tensor<3x2xf64>)}}
  %0 = "stablehlo.triangular_solve"(%a, %h) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.triangular_solve' op: stablehlo.triangular_solve (C2): expected equal ranks of at least two, got (tensor<3x3xf32>, tensor<3xf32>)}}
  %0 = "stablehlo.triangular_solve"(%a, %v) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.triangular_solve' op: stablehlo.triangular_solve (C3): coefficients [3, 3] do not fit [3, 2]}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.triangular_solve' op: stablehlo.triangular_solve (C4): expected result type tensor<3x2xf32>, got tensor<2x3xf32>}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.triangular_solve' op: stablehlo.triangular_solve (I6): transpose_a must not be TRANSPOSE_INVALID}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.fft' op: stablehlo.fft (C1): 3 fft_length for an operand of rank 2}}
  %0 = stablehlo.fft %z, type = FFT, length = [1, 2, 8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.fft' op: stablehlo.fft (C2): FFT of an operand of type tensor<2x8xf32>}}
  %0 = stablehlo.fft %r, type = FFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.fft' op: stablehlo.fft (C3): expected one to three fft_length, got []}}
  %0 = stablehlo.fft %z, type = FFT, length = [] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.fft' op: stablehlo.fft (C4): RFFT of length [7] with a real tensor of shape [2, 8]}}
  %0 = stablehlo.fft %r, type = RFFT, length = [7] : (tensor<2x8xf32>) -> tensor<2x4xcomplex<f32>>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %v: tensor<3xf32>, %h: tensor<3x2xf64>, %z: tensor<2x8xcomplex<f32>>, %r: tensor<2x8xf32>) {
  // expected-error @below {{stablehlo.fft' op: stablehlo.fft (C5): expected result type tensor<2x5xcomplex<f32>>, got tensor<2x8xcomplex<f32>>}}
  %0 = stablehlo.fft %r, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
  return
}

// -----

func.func @invalid(%a: tensor<3x3xi32>) {
  // expected-error @below {{stablehlo.cholesky' op: operand 'a' at position 0 does not verify: expected a tensor of floating-point, complex or quantised type, got tensor<3x3xi32>}}
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}
