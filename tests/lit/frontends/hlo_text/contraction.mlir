// RUN: xla-opt %s -t hlo | filecheck %s

// CHECK: ENTRY
module @contraction {
  func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %e: tensor<1x8x8x4xf32>, %f: tensor<3x3x2x6xf32>, %h: tensor<3x4xf32>, %i: tensor<4x5xf32>, %l: tensor<4x4xf32>) -> tensor<4x5xf32> {
    // CHECK: %c = f32[2,3,5] dot(%a, %b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}, operand_precision={highest,default}
    %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    // CHECK-NEXT: %d = f32[3,5] dot(%h, %i), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_tf32_tf32_f32_x3
    %d = stablehlo.dot_general %h, %i, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    // CHECK-NEXT: %g = f32[1,3,15,6] convolution(%e, %f), window={size=3x3 stride=2x1 lhs_dilate=1x2 rhs_dilate=2x1 pad=1_0x0_2 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2
    %g = stablehlo.convolution(%e, %f) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x3x15x6xf32>
    // CHECK-NEXT: %k = c64[2,3,3] fft(%a), fft_type=RFFT, fft_length={4}
    %k = stablehlo.fft %a, type = RFFT, length = [4] : (tensor<2x3x4xf32>) -> tensor<2x3x3xcomplex<f32>>
    // CHECK-NEXT: %m = f32[4,4] cholesky(%l), lower=true
    %m = stablehlo.cholesky %l, lower = true : tensor<4x4xf32>
    // CHECK-NEXT: ROOT %n = f32[4,5] triangular-solve(%m, %i), left_side=true, lower=true, transpose_a=TRANSPOSE
    %n = "stablehlo.triangular_solve"(%m, %i) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    return %n : tensor<4x5xf32>
  }
}
