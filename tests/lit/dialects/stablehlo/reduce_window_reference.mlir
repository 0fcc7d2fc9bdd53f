// RUN: xla-run %s --engine reference --split-input-file

// `reduce_window`: windows with strides, dilations and padding of any sign.
// These cases run on the reference interpreter only.

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %combined = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %combined : tensor<complex<f32>>
  }) : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}
