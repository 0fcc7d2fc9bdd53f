// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.atan2' op: stablehlo.atan2 (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.atan2 %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.divide' op: stablehlo.divide (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.divide %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.maximum' op: stablehlo.maximum (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.maximum %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.minimum' op: stablehlo.minimum (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.minimum %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.power' op: stablehlo.power (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.power %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.remainder' op: stablehlo.remainder (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.remainder %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{stablehlo.subtract' op: stablehlo.subtract (C1): expected operands and result of one type, got (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>}}
  %0 = stablehlo.subtract %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.and' op: stablehlo.and (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.and %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.or' op: stablehlo.or (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.or %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.xor' op: stablehlo.xor (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.xor %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.shift_left' op: stablehlo.shift_left (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.shift_left %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.shift_right_arithmetic' op: stablehlo.shift_right_arithmetic (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.shift_right_arithmetic %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<4xi32>) {
  // expected-error @below {{stablehlo.shift_right_logical' op: stablehlo.shift_right_logical (C1): expected operands and result of one type, got (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>}}
  %0 = stablehlo.shift_right_logical %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C2): all of (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3xf32>) must be quantised}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C3): storage types differ: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i16:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C4): expressed types differ: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f16, 0.5>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f16, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C5): parameters per axis of operands or result alone: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, %y: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C6): lhs is quantised along another dimension: (tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C7): rhs is quantised along another dimension: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.add' op: stablehlo.add (C1): shapes differ: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.add %x, %y : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

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

func.func @invalid(%a: tensor<4xi1>) {
  // expected-error @below {{stablehlo.subtract' op: operand 'lhs' at position 0 does not verify: expected a tensor of integer, floating-point, complex or quantised type, got tensor<4xi1>}}
  %0 = "stablehlo.subtract"(%a, %a) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
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
  // expected-error @below {{stablehlo.atan2' op: operand 'lhs' at position 0 does not verify: expected a tensor of floating-point, complex or quantised type, got tensor<4xi32>}}
  %0 = "stablehlo.atan2"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error @below {{stablehlo.subtract (C1): expected operands and result of one type, got (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>}}
  %0 = stablehlo.subtract %x, %x : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}
