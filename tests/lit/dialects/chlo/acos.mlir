// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.acos`: the arc cosine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.0, 0.25, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<8xf64>
  %result = chlo.acos %x : tensor<8xf64> -> tensor<8xf64>
  check.expect_almost_eq_const %result, dense<[3.141592653589793, 2.0943951023931957, 1.5707963267948966, 1.318116071652818, 0.5053605102841573, 0.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.0, 0.25, 0.875, 1.0, 1.5, 0x7FC00000]> : tensor<8xf32>
  %result = chlo.acos %x : tensor<8xf32> -> tensor<8xf32>
  check.expect_almost_eq_const %result, dense<[3.1415927, 2.0943952, 1.5707964, 1.3181161, 0.5053605, 0.0, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xf16>
  %result = chlo.acos %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[3.14, 2.094, 1.318, 0.5054]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xbf16>
  %result = chlo.acos %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[3.14, 2.1, 1.32, 0.504]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.acos %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(1.0691875, -0.28139606), (2.1773078, -1.6224941), (1.0559582, 0.98286617), (1.6497136, 1.8214042)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.acos %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(1.0691874735193958, -0.28139605624529274), (2.1773078449946515, -1.6224941488715938)],
      [(1.0559581427559381, 0.9828661390291652), (1.6497136069935998, 1.8214041607957312)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.0> : tensor<f32>
  %result = chlo.acos %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<3.1415927> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.acos %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
