// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.erf' op: chlo.erf (type): expected result type tensor<4x6xf32>, got tensor<4x5xf32>}}
  %0 = chlo.erf %x : tensor<4x6xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%i: tensor<4xi32>) {
  // expected-error @below {{expected a tensor of floating-point type, got tensor<4xi32>}}
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
