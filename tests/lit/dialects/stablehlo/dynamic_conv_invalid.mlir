// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x1x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C1): lhs has rank 3, rhs has rank 4}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x1x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C2): expected 1 window_strides, got 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1, 1>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C3): window_strides must be positive, got [0]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 0>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C5): expected 1 lhs_dilation, got 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C6): lhs_dilation must be positive, got [0]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, lhs_dilation = array<i64: 0>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C7): expected 1 rhs_dilation, got 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: 1, 1>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C8): rhs_dilation must be positive, got [-1]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, rhs_dilation = array<i64: -1>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C9): expected 1 window_reversal, got 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_reversal = array<i1: true, true>
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C10): input batch dimension of size 3 is not a multiple of 2 groups}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 2 : i64
  } : (tensor<3x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x1x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C11): input feature dimension of size 4 is not a multiple of 3 groups}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 3 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x1x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C12): expected 1 input spatial dimensions, got [1, 0]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1, 0], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C13): input dimensions [0, 0, 1] are not those of a tensor of rank 3}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x3x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C14): kernel input feature dimension of size 3 for 4 input features in 1 groups}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x3x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x4xf32>, %w: tensor<2x4x5xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C15): kernel output feature dimension of size 5 is not a multiple of 2 groups}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 2 : i64
  } : (tensor<2x8x4xf32>, tensor<2x4x5xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x2x5xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C16): kernel output feature dimension of size 5 is not a multiple of 2 groups}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 2 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x2x5xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C17): expected 1 kernel spatial dimensions, got [0, 1]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C18): kernel dimensions [1, 3, 0] are not those of a tensor of rank 3}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C19): expected 1 output spatial dimensions, got [1, 0]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1, 0]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C20): output dimensions [0, 1, 1] are not those of a tensor of rank 3}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C21): feature_group_count must be positive, got 0}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 0 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C22): batch_group_count must be positive, got 0}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 0 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x4xf32>, %w: tensor<2x2x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C23): feature_group_count 2 and batch_group_count 2 exclude each other}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 2 : i64, batch_group_count = 2 : i64
  } : (tensor<2x8x4xf32>, tensor<2x2x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C24): expected at most two precisions, got [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C25): expected result shape [1, ?, 6], got [1, ?, 5]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C25): expected result shape [1, ?, 6], got [2, ?, 6]}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<2x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf64>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C27): lhs and rhs differ in element type: (tensor<1x8x4xf32>, tensor<2x4x6xf64>)}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6xf64>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C28): either rhs alone or all of (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6xf32>, tensor<1x?x6xf32>) must be quantised}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6xf32>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C29): rhs is quantised along dimension 1, not the output features 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf32>, tensor<2x4x6x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x6x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C30): result is quantised along dimension 0, not the output features 2}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>, tensor<1x2xi64>) -> tensor<1x?x6x!quant.uniform<i8:f32:0, {0.5}>>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x6x!quant.uniform<i4:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C31): storage types of lhs and rhs differ: (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i4:f32, 0.5>>, tensor<1x?x6x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i4:f32, 0.5>>, tensor<1x2xi64>) -> tensor<1x?x6x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x6x!quant.uniform<i8:f16, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C32): expressed types differ: (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i8:f16, 0.5>>, tensor<1x?x6x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i8:f16, 0.5>>, tensor<1x2xi64>) -> tensor<1x?x6x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %w: tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C33): the result has parameters per axis, but rhs has not: (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x?x6x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>)}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<1x?x6x!quant.uniform<i8:f32:2, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf16>, %w: tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C34): lhs, expressed type of rhs, and result differ: (tensor<1x8x4xf16>, tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x?x6xf32>)}}
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) {
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x8x4xf16>, tensor<2x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<1x?x6xf32>
  return
}
