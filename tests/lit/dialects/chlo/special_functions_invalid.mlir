// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.erf' op: chlo.erf (type): expected result type tensor<4x6xf32>, got tensor<4x5xf32>}}
  %0 = chlo.erf %x : tensor<4x6xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%i: tensor<4xi32>) {
  // expected-error @below {{chlo.erf' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point type, got tensor<4xi32>}}
  %0 = chlo.erf %i : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.is_inf' op: chlo.is_inf (type): expected result type tensor<4x6xi1>, got tensor<4xi1>}}
  %0 = chlo.is_inf %x : tensor<4x6xf32> -> tensor<4xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{chlo.zeta' op: chlo.zeta (type): expected one type, got (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>}}
  %0 = chlo.zeta %x, %y : tensor<4x6xf32>, tensor<4xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{chlo.erf' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point type, got tensor<4xi32>}}
  %0 = chlo.erf %x : tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.mulhi' op: operand 'lhs' at position 0 does not verify: expected a tensor of integer type, got tensor<4xf32>}}
  %0 = chlo.mulhi %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.acos' op: chlo.acos (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.acos %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.acosh' op: chlo.acosh (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.acosh %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.asin' op: chlo.asin (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.asin %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.asinh' op: chlo.asinh (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.asinh %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.atan' op: chlo.atan (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.atan %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.atanh' op: chlo.atanh (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.atanh %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.bessel_i1e' op: chlo.bessel_i1e (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.conj' op: chlo.conj (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.conj %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.cosh' op: chlo.cosh (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.cosh %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.digamma' op: chlo.digamma (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.digamma %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.erf_inv' op: chlo.erf_inv (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.erf_inv %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.erfc' op: chlo.erfc (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.lgamma' op: chlo.lgamma (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.lgamma %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.sinh' op: chlo.sinh (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.sinh %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.square' op: chlo.square (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.square %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.tan' op: chlo.tan (type): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = chlo.tan %x : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.is_neg_inf' op: chlo.is_neg_inf (type): expected result type tensor<4xi1>, got tensor<5xi1>}}
  %0 = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<5xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.is_pos_inf' op: chlo.is_pos_inf (type): expected result type tensor<4xi1>, got tensor<5xi1>}}
  %0 = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<5xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{chlo._asin_acos_kernel' op: chlo._asin_acos_kernel (type): expected result type tensor<4xcomplex<f32>>, got tensor<5xcomplex<f32>>}}
  %0 = chlo._asin_acos_kernel %x : tensor<4xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{chlo.mulhi' op: chlo.mulhi (type): expected one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi8>}}
  %0 = chlo.mulhi %x, %x : tensor<4xi32>, tensor<4xi32> -> tensor<4xi8>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.next_after' op: chlo.next_after (type): expected one type, got (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>}}
  %0 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.polygamma' op: chlo.polygamma (type): expected one type, got (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>}}
  %0 = chlo.polygamma %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf64>
  return
}
