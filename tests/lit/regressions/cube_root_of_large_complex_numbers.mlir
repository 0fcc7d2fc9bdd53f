// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// The cube root is finite where the modulus of its operand overflows.
func.func @modulus_overflows() {
  %x = stablehlo.constant dense<[(1.7014118346046923e38, 1.7014118346046923e38), (3.0e38, 3.0e38), (8.0, 0.0)]> : tensor<3xcomplex<f32>>
  %scale = stablehlo.constant dense<(1.0e-13, 0.0)> : tensor<3xcomplex<f32>>
  %root = stablehlo.cbrt %x : tensor<3xcomplex<f32>>
  %scaled = stablehlo.multiply %root, %scale : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %scaled, dense<[(0.60078433, 0.16097968), (0.7258093, 0.19448002), (2.0e-13, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
