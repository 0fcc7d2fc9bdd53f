// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.atanh`: the inverse hyperbolic tangent.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-1.0, -0.5, -0.0, 1.0e-10, 0.25, 0.875, 1.0, 1.5, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.atanh %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, -0.5493061443340549, -0.0, 1.0e-10, 0.25541281188299536, 1.354025100551105, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-1.0, -0.5, -0.0, 1.0e-10, 0.25, 0.875, 1.0, 1.5, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.atanh %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[0xFF800000, -0.54930615, -0.0, 1.0e-10, 0.25541282, 1.3540251, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xf16>
  %result = chlo.atanh %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[0xFC00, -0.5493, 0.2554, 1.3545]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.0, -0.5, 0.25, 0.875]> : tensor<4xbf16>
  %result = chlo.atanh %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[0xFF80, -0.55, 0.256, 1.35]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.atanh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.50037, 0.31439814), (-0.22008967, 1.245258), (0.33529347, -0.9224819), (-0.024865199, -1.2509115)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.atanh %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.5003700000525311, 0.3143981432077165), (-0.22008968066202295, 1.2452579660726568)],
      [(0.33529348145985527, -0.9224818889572777), (-0.024865198382659503, -1.2509114353815838)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.0> : tensor<f32>
  %result = chlo.atanh %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<0xFF800000> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.atanh %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
