// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.acosh`: the inverse hyperbolic cosine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[1.0, 1.0625, 2.0, 100.0, 1.0e+300, 0x7FF0000000000000, 0.5, 0x7FF8000000000000]> : tensor<8xf64>
  %result = chlo.acosh %x : tensor<8xf64> -> tensor<8xf64>
  check.expect_almost_eq_const %result, dense<[0.0, 0.3517373900432606, 1.3169578969248168, 5.298292365610485, 691.4686750787737, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[1.0, 1.0625, 2.0, 100.0, 0x7F800000, 0.5, 0x7FC00000]> : tensor<7xf32>
  %result = chlo.acosh %x : tensor<7xf32> -> tensor<7xf32>
  check.expect_almost_eq_const %result, dense<[0.0, 0.35173738, 1.316958, 5.298292, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<7xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[1.0, 1.0625, 2.0, 0.5]> : tensor<4xf16>
  %result = chlo.acosh %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[0.0, 0.3518, 1.317, 0x7E00]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[1.0, 1.06, 2.0, 0.5]> : tensor<4xbf16>
  %result = chlo.acosh %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[0.0, 0.352, 1.32, 0x7FC0]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.acosh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.28139606, 1.0691875), (1.6224941, 2.1773078), (0.98286617, -1.0559582), (1.8214042, -1.6497136)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.acosh %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.28139605624529274, 1.0691874735193958), (1.6224941488715938, 2.1773078449946515)],
      [(0.9828661390291652, -1.0559581427559381), (1.8214041607957312, -1.6497136069935998)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %result = chlo.acosh %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<0.0> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.acosh %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
