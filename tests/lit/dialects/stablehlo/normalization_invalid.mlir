// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C1): feature_index 3 exceeds the rank 3}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C2): expected one element type, got (tensor<2x3x4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>)}}
  %0 = "stablehlo.batch_norm_inference"(%x, %h, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C3): scale of type tensor<3xf32> for 4 features}}
  %0 = "stablehlo.batch_norm_inference"(%x, %t, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C4): offset of type tensor<3xf32> for 4 features}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %t, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C5): mean of type tensor<3xf32> for 4 features}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %t, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C6): variance of type tensor<3xf32> for 4 features}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %t) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_inference' op: stablehlo.batch_norm_inference (C7): result of type tensor<4x3x2xf32> for an operand of type tensor<2x3x4xf32>}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C5): batch_mean of type tensor<3xf32> for 4 features}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %t: tensor<3xf32>, %h: tensor<4xf64>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C3): grad_operand of type tensor<4x3x2xf32> for an operand of type tensor<2x3x4xf32>}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C1): feature_index 2 exceeds the rank 2}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 2 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf64>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C2): expected one element type, got (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C3): grad_operand of type tensor<3x2xf32> for an operand of type tensor<2x3xf32>}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C4): mean of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C4): variance of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C4): grad_scale of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C4): grad_offset of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>, %e: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_grad' op: stablehlo.batch_norm_grad (C5): scale of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C1): feature_index -1 exceeds the rank 2}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = -1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xbf16>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C2): expected one element type, got (tensor<2x3xf32>, tensor<3xf32>, tensor<3xbf16>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xbf16>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C3): scale of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C4): offset of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C6): batch_var of type tensor<4xf32> for 3 features}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @below {{stablehlo.batch_norm_training' op: stablehlo.batch_norm_training (C7): output of type tensor<2x4xf32> for an operand of type tensor<2x3xf32>}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
