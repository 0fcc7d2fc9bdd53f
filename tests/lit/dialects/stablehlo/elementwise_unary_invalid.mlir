// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.cbrt' op: stablehlo.cbrt (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.cbrt %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.ceil' op: stablehlo.ceil (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.ceil %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.cosine' op: stablehlo.cosine (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.cosine %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.exponential' op: stablehlo.exponential (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.exponential %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.exponential_minus_one' op: stablehlo.exponential_minus_one (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.exponential_minus_one %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.floor' op: stablehlo.floor (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.floor %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.log' op: stablehlo.log (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.log %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.log_plus_one' op: stablehlo.log_plus_one (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.log_plus_one %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.logistic' op: stablehlo.logistic (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.logistic %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.negate' op: stablehlo.negate (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.negate %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.round_nearest_afz' op: stablehlo.round_nearest_afz (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.round_nearest_afz %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.round_nearest_even' op: stablehlo.round_nearest_even (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.round_nearest_even %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.rsqrt' op: stablehlo.rsqrt (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.rsqrt %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.sign' op: stablehlo.sign (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.sign %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.sine' op: stablehlo.sine (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.sine %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.sqrt' op: stablehlo.sqrt (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.sqrt %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.tan' op: stablehlo.tan (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = stablehlo.tan %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.count_leading_zeros' op: stablehlo.count_leading_zeros (C1): expected result type tensor<4xi32>, got tensor<4xi8>}}
  %0 = stablehlo.count_leading_zeros %x : (tensor<4xi32>) -> tensor<4xi8>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.not' op: stablehlo.not (C1): expected result type tensor<4xi32>, got tensor<4xi8>}}
  %0 = stablehlo.not %x : (tensor<4xi32>) -> tensor<4xi8>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.popcnt' op: stablehlo.popcnt (C1): expected result type tensor<4xi32>, got tensor<4xi8>}}
  %0 = stablehlo.popcnt %x : (tensor<4xi32>) -> tensor<4xi8>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{stablehlo.abs' op: stablehlo.abs (C1): operand and result differ in shape: tensor<4xcomplex<f32>> and tensor<5xf32>}}
  %0 = stablehlo.abs %x : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{stablehlo.abs' op: stablehlo.abs (C2): expected result elements f32, got tensor<4xcomplex<f32>>}}
  %0 = stablehlo.abs %x : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{stablehlo.imag' op: stablehlo.imag (C1): operand and result differ in shape: tensor<4xcomplex<f32>> and tensor<5xf32>}}
  %0 = stablehlo.imag %x : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{stablehlo.imag' op: stablehlo.imag (C2): expected result elements f32, got tensor<4xf64>}}
  %0 = stablehlo.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4xcomplex<f32>>) {
  // expected-error @below {{stablehlo.real' op: stablehlo.real (C1): operand and result differ in shape: tensor<4xcomplex<f32>> and tensor<5xf32>}}
  %0 = stablehlo.real %x : (tensor<4xcomplex<f32>>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.tanh' op: stablehlo.tanh (C1): expected result type tensor<4x6xf32>, got tensor<4x6xf16>}}
  %0 = "stablehlo.tanh"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf16>
  return
}

// -----

func.func @invalid(%i: tensor<4xi32>) {
  // expected-error @below {{stablehlo.tanh' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point, complex or quantised type, got tensor<4xi32>}}
  %0 = stablehlo.tanh %i : tensor<4xi32>
  return
}

// -----

func.func @invalid(%u: tensor<4xui8>) {
  // expected-error @below {{stablehlo.abs' op: operand 'operand' at position 0 does not verify: expected a tensor of signed integer, floating-point, complex or quantised type, got tensor<4xui8>}}
  %0 = stablehlo.abs %u : tensor<4xui8>
  return
}

// -----

func.func @invalid(%z: tensor<2xcomplex<f32>>) {
  // expected-error @below {{stablehlo.floor' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or quantised type, got tensor<2xcomplex<f32>>}}
  %0 = stablehlo.floor %z : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @invalid(%z: tensor<2xcomplex<f32>>) {
  // expected-error @below {{stablehlo.real' op: stablehlo.real (C2): expected result elements f32, got tensor<2xf64>}}
  %0 = "stablehlo.real"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.convert' op: stablehlo.convert (C1): operand and result differ in shape: (4, 6) and (6, 4)}}
  %0 = "stablehlo.convert"(%x) : (tensor<4x6xf32>) -> tensor<6x4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.is_finite' op: stablehlo.is_finite (C1): operand and result differ in shape: (4, 6) and (4,)}}
  %0 = "stablehlo.is_finite"(%x) : (tensor<4x6xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{expected a tensor of i1, got tensor<4x6xi8>}}
  %0 = "stablehlo.is_finite"(%x) : (tensor<4x6xf32>) -> tensor<4x6xi8>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reduce_precision' op: stablehlo.reduce_precision (C2): exponent_bits must be at least 1, got 0}}
  %0 = stablehlo.reduce_precision %x, format = e0m5 : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{identifier expected}}
  %0 = stablehlo.reduce_precision %x, format = 8m5 : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.reduce_precision' op: stablehlo.reduce_precision (C1): expected result type tensor<4xf32>, got tensor<5xf32>}}
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.reduce_precision' op: stablehlo.reduce_precision (C3): mantissa_bits must not be negative, got -1}}
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.sine' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point, complex or quantised type, got tensor<4xi32>}}
  %0 = "stablehlo.sine"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.not' op: operand 'operand' at position 0 does not verify: expected a tensor of i1 or integer type, got tensor<4xf32>}}
  %0 = "stablehlo.not"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.count_leading_zeros' op: operand 'operand' at position 0 does not verify: expected a tensor of integer type, got tensor<4xf32>}}
  %0 = "stablehlo.count_leading_zeros"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.popcnt' op: operand 'operand' at position 0 does not verify: expected a tensor of integer type, got tensor<4xf32>}}
  %0 = "stablehlo.popcnt"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.round_nearest_even' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or quantised type, got tensor<4xi32>}}
  %0 = "stablehlo.round_nearest_even"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.is_finite' op: operand 'x' at position 0 does not verify: expected a tensor of floating-point or quantised type, got tensor<4xi32>}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.cbrt' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point, complex or quantised type, got tensor<4xi32>}}
  %0 = "stablehlo.cbrt"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.real' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or complex type, got tensor<4xi32>}}
  %0 = "stablehlo.real"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
