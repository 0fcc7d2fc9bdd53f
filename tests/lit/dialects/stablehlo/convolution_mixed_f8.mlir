// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s
// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// Floats of a byte of two kinds.
// CHECK-LABEL: @mixed_floats_of_a_byte
// CHECK: stablehlo.convolution(%lhs, %rhs)
// CHECK-SAME: (tensor<1x2x1xf8E5M2>, tensor<2x1x1xf8E4M3FN>) -> tensor<1x1x1xf32>
func.func @mixed_floats_of_a_byte() {
  %lhs = stablehlo.constant dense<[[[0.5], [1.25]]]> : tensor<1x2x1xf8E5M2>
  %rhs = stablehlo.constant dense<[[[2.0]], [[1.125]]]> : tensor<2x1x1xf8E4M3FN>
  %product = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1xf8E5M2>, tensor<2x1x1xf8E4M3FN>) -> tensor<1x1x1xf32>
  check.expect_eq_const %product, dense<[[[2.40625]]]> : tensor<1x1x1xf32>
  return
}
