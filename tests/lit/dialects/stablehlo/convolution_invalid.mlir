// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C1): lhs has rank 4, rhs has rank 3}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C2): expected 2 window_strides, got 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C3): window_strides must be positive, got [1, 0]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C4): expected padding of shape [2, 2], got [1, 2]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C5): expected 2 lhs_dilation, got 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C6): lhs_dilation must be positive, got [0, 1]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C7): expected 2 rhs_dilation, got 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C8): rhs_dilation must be positive, got [0, 1]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [0, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C9): expected 2 window_reversal, got 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C10): input batch dimension of size 2 is not a multiple of 4 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C11): input feature dimension of size 4 is not a multiple of 3 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C12): expected 2 input spatial dimensions, got [1]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C17): expected 2 kernel spatial dimensions, got [0]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C19): expected 2 output spatial dimensions, got [1]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C14): kernel input feature dimension of size 4 for 4 input features in 2 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<6x8x8x4xf32>, %k: tensor<3x3x4x4xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C15): kernel output feature dimension of size 4 is not a multiple of 3 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<6x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x1x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C16): kernel output feature dimension of size 6 is not a multiple of 4 groups}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x1x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C21): feature_group_count must be positive, got 0}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C22): batch_group_count must be positive, got 0}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C23): feature_group_count 2 and batch_group_count 2 exclude each other}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C24): expected at most two precisions, got [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C25): expected result shape [2, 6, 6, 6], got [2, 6, 6, 4]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C26): expected a result of rank 4, got 3}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x6x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C13): input dimensions [0, 1, 1, 2] are not those of a tensor of rank 4}}
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C18): kernel dimensions [2, 3, 0, 5] are not those of a tensor of rank 4}}
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 5], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C20): output dimensions [3, 3, 1, 2] are not those of a tensor of rank 4}}
  %0 = "stablehlo.convolution"(%x, %k) <{dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 3, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C28): either rhs alone or all of (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2xf32>) must be quantised}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C29): rhs is quantised along dimension 1, not the output features 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C30): result is quantised along dimension 1, not the output features 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i4:f32, 0.5>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C31): storage types of lhs and rhs differ: (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i4:f32, 0.5>>, tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>)}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C32): expressed types differ: (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2x!quant.uniform<i8:bf16, 0.5>>)}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x2x!quant.uniform<i8:bf16, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C33): the result has parameters per axis, but rhs has not: (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>)}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>
  return
}

// -----

func.func @invalid(%x: tensor<1x4x2xf16>, %k: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C34): lhs, expressed type of rhs, and result differ: (tensor<1x4x2xf16>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2xf16>)}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf16>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x2xf16>
  return
}

// -----

func.func @invalid(%x: tensor<1x8x4xf32>, %w: tensor<2x4x6xf64>) {
  // expected-error @below {{stablehlo.convolution' op: stablehlo.convolution (C27): lhs and rhs differ in element type: (tensor<1x8x4xf32>, tensor<2x4x6xf64>)}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xf32>, tensor<2x4x6xf64>) -> tensor<1x7x6xf32>
  return
}
