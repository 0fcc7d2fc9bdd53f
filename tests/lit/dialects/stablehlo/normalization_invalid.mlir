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
