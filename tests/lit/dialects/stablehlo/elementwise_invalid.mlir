// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C1): expected operands and result of one type, got (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x6xf32>}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.multiply' op: stablehlo.multiply (C1): expected operands and result of one type, got (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf64>}}
  %0 = "stablehlo.multiply"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf64>
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
  // expected-error @below {{expected a tensor of floating-point or complex type, got tensor<4xi32>}}
  %0 = stablehlo.tanh %i : tensor<4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{expected a tensor of integer type, got tensor<4x6xf32>}}
  %0 = stablehlo.shift_left %x, %x : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{expected a tensor of i1 or integer type, got tensor<4x6xf32>}}
  %0 = stablehlo.and %x, %x : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%u: tensor<4xui8>) {
  // expected-error @below {{expected a tensor of signed integer, floating-point or complex type, got tensor<4xui8>}}
  %0 = stablehlo.abs %u : tensor<4xui8>
  return
}

// -----

func.func @invalid(%z: tensor<2xcomplex<f32>>) {
  // expected-error @below {{expected a tensor of floating-point type, got tensor<2xcomplex<f32>>}}
  %0 = stablehlo.floor %z : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @invalid(%z: tensor<2xcomplex<f32>>) {
  // expected-error @below {{stablehlo.real' op: stablehlo.real (C1): expected result type tensor<2xf32>, got tensor<2xf64>}}
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

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.complex' op: stablehlo.complex (C2): operands of type tensor<4x6xf32> for result of type tensor<4x5xcomplex<f32>>}}
  %0 = "stablehlo.complex"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.complex' op: stablehlo.complex (C3): operands of type tensor<4x6xf32> for result of type tensor<4x6xcomplex<f64>>}}
  %0 = "stablehlo.complex"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xcomplex<f64>>
  return
}

// -----

func.func @invalid(%x: tensor<*xf32>) {
  // expected-error @below {{expected a ranked tensor, got tensor<*xf32>}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @below {{stablehlo.complex' op: stablehlo.complex (C1): expected operands of one type, got (tensor<4xf32>, tensor<4xf64>)}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
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

func.func @invalid(%a: tensor<4xi1>) {
  // expected-error @below {{stablehlo.subtract' op: operand 'lhs' at position 0 does not verify: expected a tensor of integer, floating-point or complex type, got tensor<4xi1>}}
  %0 = "stablehlo.subtract"(%a, %a) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.sine' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or complex type, got tensor<4xi32>}}
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

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.shift_left' op: operand 'lhs' at position 0 does not verify: expected a tensor of integer type, got tensor<4xf32>}}
  %0 = "stablehlo.shift_left"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.atan2' op: operand 'lhs' at position 0 does not verify: expected a tensor of floating-point or complex type, got tensor<4xi32>}}
  %0 = "stablehlo.atan2"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.round_nearest_even' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point type, got tensor<4xi32>}}
  %0 = "stablehlo.round_nearest_even"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.is_finite' op: operand 'x' at position 0 does not verify: expected a tensor of floating-point type, got tensor<4xi32>}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.cbrt' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or complex type, got tensor<4xi32>}}
  %0 = "stablehlo.cbrt"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4xi32>) {
  // expected-error @below {{stablehlo.real' op: operand 'operand' at position 0 does not verify: expected a tensor of floating-point or complex type, got tensor<4xi32>}}
  %0 = "stablehlo.real"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
