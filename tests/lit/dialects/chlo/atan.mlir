// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.atan`: the arc tangent.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[0xFFF0000000000000, -3.0, -0.5, -0.0, 0.25, 1.0, 100.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.atan %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[-1.5707963267948966, -1.2490457723982544, -0.4636476090008061, -0.0, 0.24497866312686414, 0.7853981633974483, 1.5607966601082315, 1.5707963267948966, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[0xFF800000, -3.0, -0.5, -0.0, 0.25, 1.0, 100.0, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.atan %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[-1.5707964, -1.2490457, -0.4636476, -0.0, 0.24497867, 0.7853982, 1.5607966, 1.5707964, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-3.0, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.atan %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-1.249, -0.4636, 0.245, 0.785]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-3.0, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.atan %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-1.25, -0.463, 0.245, 0.785]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.atan %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.48425448, 0.20058662), (-1.3112233, 0.3104283), (0.9647835, -0.5233087), (-1.5398282, -0.34367222)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.atan %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.4842544903299662, 0.20058661813123432), (-1.311223269671635, 0.3104282830771958)],
      [(0.9647834985327344, -0.523308715953043), (-1.5398282345194945, -0.34367220374989566)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-3.0> : tensor<f32>
  %result = chlo.atan %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-1.2490457> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.atan %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
