// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4x6xf64>) {
  // expected-error @below {{stablehlo.compare' op: stablehlo.compare (C1): operands differ in element type: (tensor<4x6xf32>, tensor<4x6xf64>)}}
  %0 = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x6xf32>, tensor<4x6xf64>) -> tensor<4x6xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.compare' op: stablehlo.compare (C2): expected one shape, got (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x4xi1>}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x4xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{stablehlo.clamp' op: stablehlo.clamp (C1): bound of shape (4,) for operand of shape (4, 6)}}
  %0 = stablehlo.clamp %b, %x, %x : (tensor<4xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{stablehlo.clamp' op: stablehlo.clamp (C2): bound of shape (4,) for operand of shape (4, 6)}}
  %0 = stablehlo.clamp %x, %x, %b : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %b: tensor<f64>) {
  // expected-error @below {{stablehlo.clamp' op: stablehlo.clamp (C3): bound of type tensor<f64> for operand of type tensor<4x6xf32>}}
  %0 = stablehlo.clamp %b, %x, %x : (tensor<f64>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.clamp' op: stablehlo.clamp (C4): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = stablehlo.clamp %x, %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %p: tensor<4xi1>) {
  // expected-error @below {{stablehlo.select' op: stablehlo.select (C1): predicate of type tensor<4xi1> for operands of type tensor<4x6xf32>}}
  %0 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %p: tensor<i1>, %y: tensor<4x6xf64>) {
  // expected-error @below {{stablehlo.select' op: stablehlo.select (C2): expected operands and result of one type, got (tensor<4x6xf32>, tensor<4x6xf64>) -> tensor<4x6xf32>}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf64>) -> tensor<4x6xf32>
  return
}
