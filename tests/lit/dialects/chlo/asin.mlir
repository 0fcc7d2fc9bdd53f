// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.asin`: the arc sine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-1.0, -0.5, -0.0, 0.25, 0.875, 1.0, 2.0, 0x7FF8000000000000]> : tensor<8xf64>
  %result = chlo.asin %x : tensor<8xf64> -> tensor<8xf64>
  check.expect_almost_eq_const %result, dense<[-1.5707963267948966, -0.5235987755982989, -0.0, 0.25268025514207865, 1.0654358165107394, 1.5707963267948966, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-1.0, -0.5, -0.0, 0.25, 0.875, 1.0, 2.0, 0x7FC00000]> : tensor<8xf32>
  %result = chlo.asin %x : tensor<8xf32> -> tensor<8xf32>
  check.expect_almost_eq_const %result, dense<[-1.5707964, -0.5235988, -0.0, 0.25268024, 1.0654358, 1.5707964, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xf16>
  %result = chlo.asin %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-1.57, -0.5234, 0.2527, 1.065]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xbf16>
  %result = chlo.asin %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-1.57, -0.523, 0.252, 1.06]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.asin %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.50160885, 0.28139606), (-0.60651153, 1.6224941), (0.51483816, -0.98286617), (-0.07891728, -1.8214042)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.asin %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.5016088532755008, 0.28139605624529274), (-0.6065115181997549, 1.6224941488715938)],
      [(0.5148381840389585, -0.9828661390291652), (-0.07891728019870327, -1.8214041607957312)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.0> : tensor<f32>
  %result = chlo.asin %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-1.5707964> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.asin %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
