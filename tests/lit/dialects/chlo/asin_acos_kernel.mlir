// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo._asin_acos_kernel`: w such that asin(x + iy) is atan2(x, Re w) + i sign(y) Im w.

func.func @complex128() {
  %z = stablehlo.constant dense<[(0.0, 0.0), (0.5, 0.25), (-1.5, 2.0), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %result = chlo._asin_acos_kernel %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.0, 0.0), (0.9117543273261624, 0.2813960562452928), (2.162196729164814, 1.6224941488715938), (0.0, 1.3169578969248168)]> : tensor<4xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// Both functions from it.
func.func @arcsine_and_arccosine() {
  %z = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, 1.0e-3)]> : tensor<3xcomplex<f32>>
  %w = chlo._asin_acos_kernel %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %x = stablehlo.real %z : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %cosine = stablehlo.real %w : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %height = stablehlo.imag %w : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %angle = stablehlo.atan2 %x, %cosine : tensor<3xf32>
  %asin = stablehlo.complex %angle, %height : tensor<3xcomplex<f32>>
  %expected_asin = chlo.asin %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_almost_eq %asin, %expected_asin : tensor<3xcomplex<f32>>
  %complement = stablehlo.atan2 %cosine, %x : tensor<3xf32>
  %minus = stablehlo.negate %height : tensor<3xf32>
  %acos = stablehlo.complex %complement, %minus : tensor<3xcomplex<f32>>
  %expected_acos = chlo.acos %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_almost_eq %acos, %expected_acos : tensor<3xcomplex<f32>>
  return
}
