// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// Nothing is infinite in a format without infinities, whose greatest numbers infinities would become.
func.func @f4E2M1FN() {
  %x = stablehlo.constant dense<[-6.0, 6.0, 0.0]> : tensor<3xf4E2M1FN>
  %any = chlo.is_inf %x : tensor<3xf4E2M1FN> -> tensor<3xi1>
  %positive = chlo.is_pos_inf %x : tensor<3xf4E2M1FN> -> tensor<3xi1>
  %negative = chlo.is_neg_inf %x : tensor<3xf4E2M1FN> -> tensor<3xi1>
  check.expect_eq_const %any, dense<false> : tensor<3xi1>
  check.expect_eq_const %positive, dense<false> : tensor<3xi1>
  check.expect_eq_const %negative, dense<false> : tensor<3xi1>
  return
}
