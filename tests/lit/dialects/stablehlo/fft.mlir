// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `fft`: all four kinds, one to three dimensions, batches, odd lengths.

// Example of the specification: the transform of an impulse.
func.func @specification() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
  return
}

// Forward: (1, i, -1, -i) is one frequency.
func.func @fft() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (-0.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.0, 0.0), (4.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

// Inverse: divided by the length.
func.func @ifft() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (4.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (-0.0, -1.0)]> : tensor<4xcomplex<f32>>
  return
}

// Real operand: the first half of the frequencies and one more.
func.func @rfft() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

// Back to real numbers.
func.func @irfft() {
  %operand = stablehlo.constant dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  check.expect_almost_eq_const %result, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return
}

// An odd length.
func.func @fft_odd() {
  %operand = stablehlo.constant dense<[(0.0, -3.0), (0.0, 3.0), (2.0, 4.0), (4.0, -2.0), (-4.0, -2.0)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.fft %operand, type = FFT, length = [5] : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(2.0, 0.0), (2.191824151481132, -6.937672554970615), (2.3227571074409195, -7.444237047385252), (7.85758278005803, 1.0622710361351473), (-14.372164038980081, -1.6803614337792796)]> : tensor<5xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// An odd length, inverse.
func.func @ifft_odd() {
  %operand = stablehlo.constant dense<[(3.0, 0.0), (-1.0, -4.0), (-2.0, -4.0), (3.0, 3.0), (-2.0, 2.0), (-1.0, 3.0), (1.0, 0.0)]> : tensor<7xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IFFT, length = [7] : (tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.14285714285714285, 0.0), (1.7549330728562644, -1.0207792563601155), (1.138679051848344, -0.07380398350927056), (-0.5436005246457593, 0.950926366444486), (0.8027461419221835, -0.4172746521675229), (0.6688627783133675, 1.476233015801083), (-0.9644776631515433, -0.9153014902086604)]> : tensor<7xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A real operand of odd length.
func.func @rfft_odd() {
  %operand = stablehlo.constant dense<[3.0, -2.0, 0.0, 3.0, -3.0]> : tensor<5xf64>
  %result = stablehlo.fft %operand, type = RFFT, length = [5] : (tensor<5xf64>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(1.0, 0.0), (-0.9721359549995796, 0.8122992405822659), (7.97213595499958, -3.4409548011779334)]> : tensor<3xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// To an odd length.
func.func @irfft_odd() {
  %operand = stablehlo.constant dense<[(1.0, 0.0), (-1.0, 0.75), (8.0, -3.5)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [5] : (tensor<3xcomplex<f64>>) -> tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[3.0, -1.9748787814288946, 0.004646481248853896, 3.020275878250768, -3.0500435780707273]> : tensor<5xf64>, tolerance = 1.0e-10
  return
}

// The first dimension is a batch.
func.func @batch() {
  %operand = stablehlo.constant dense<[[(-2.0, -1.0), (-3.0, 4.0), (0.0, -3.0)], [(4.0, 0.0), (-3.0, -2.0), (-1.0, -4.0)]]> : tensor<2x3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [3] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[
      [(-5.0, 0.0), (5.5621777, 1.0980762), (-6.5621777, -4.0980763)],
      [(0.0, -6.0), (7.732051, 4.732051), (4.267949, 1.2679492)]
    ]> : tensor<2x3xcomplex<f32>>
  return
}

// Two dimensions.
func.func @fft_2d() {
  %operand = stablehlo.constant dense<[[(2.0, 4.0), (-4.0, 2.0), (-2.0, 4.0)], [(0.0, -4.0), (0.0, 2.0), (-3.0, -2.0)]]> : tensor<2x3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [2, 3] : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[
      [(-7.0, 6.0), (8.232051, -3.8660254), (4.767949, -2.1339746)],
      [(-1.0, 14.0), (-1.6961524, 9.330127), (8.696153, 0.669873)]
    ]> : tensor<2x3xcomplex<f32>>
  return
}

// Three dimensions, inverse.
func.func @ifft_3d() {
  %operand = stablehlo.constant dense<[
      [[(0.0, 1.0), (4.0, 0.0), (-2.0, 2.0)], [(2.0, -1.0), (-3.0, 1.0), (-2.0, 2.0)]],
      [[(4.0, 4.0), (-1.0, -1.0), (0.0, -4.0)], [(-2.0, 2.0), (-3.0, 0.0), (-1.0, 3.0)]]
    ]> : tensor<2x2x3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IFFT, length = [2, 2, 3] : (tensor<2x2x3xcomplex<f32>>) -> tensor<2x2x3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[
      [
        [(-0.33333334, 0.75), (0.883173, 0.5193376), (0.45016032, 0.23066244)],
        [(1.1666666, -0.41666666), (-0.44417724, 1.2856836), (0.27751058, 0.13098307)]
      ],
      [
        [(0.16666667, 0.083333336), (0.13317302, -0.2143164), (-0.29983968, -1.3690169)],
        [(-0.33333334, 0.5833333), (-0.32815185, 0.14134604), (-1.3385148, -0.72467935)]
      ]
    ]> : tensor<2x2x3xcomplex<f32>>
  return
}

// Two dimensions of a batch of real matrices.
func.func @rfft_2d() {
  %operand = stablehlo.constant dense<[
      [[0.0, -1.0, -4.0, 0.0], [1.0, 2.0, 3.0, -3.0], [1.0, 3.0, -2.0, -1.0]],
      [[3.0, 1.0, 0.0, 2.0], [0.0, 4.0, 2.0, -4.0], [-3.0, 0.0, 3.0, -4.0]]
    ]> : tensor<2x3x4xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [3, 4] : (tensor<2x3x4xf32>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[
      [
        [(-1.0, 0.0), (5.0, -8.0), (-1.0, 0.0)],
        [(-7.0, -1.7320508), (2.6339746, 9.830127), (-4.0, -6.928203)],
        [(-7.0, 1.7320508), (4.3660254, 1.169873), (-4.0, 6.928203)]
      ],
      [
        [(4.0, 0.0), (-5.0, -11.0), (6.0, 0.0)],
        [(7.0, -5.196152), (3.5358984, 3.5358984), (-3.0, 1.7320508)],
        [(7.0, 5.196152), (10.464102, 10.464102), (-3.0, -1.7320508)]
      ]
    ]> : tensor<2x3x3xcomplex<f32>>
  return
}

// Three dimensions of real numbers.
func.func @rfft_3d() {
  %operand = stablehlo.constant dense<[[[2.0, 2.0], [3.0, 3.0]], [[-3.0, 0.0], [3.0, -1.0]]]> : tensor<2x2x2xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [2, 2, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[
      [[(9.0, 0.0), (1.0, 0.0)], [(-7.0, 0.0), (-7.0, 0.0)]],
      [[(11.0, 0.0), (-1.0, 0.0)], [(3.0, 0.0), (7.0, 0.0)]]
    ]> : tensor<2x2x2xcomplex<f32>>
  return
}

// Two dimensions to real numbers.
func.func @irfft_2d() {
  %operand = stablehlo.constant dense<[[(1.0, 0.0), (1.0, -2.0), (-3.0, 0.0)], [(-21.0, 0.0), (1.0, -4.0), (-5.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %result = stablehlo.fft %operand, type = IRFFT, length = [2, 4] : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  check.expect_almost_eq_const %result, dense<[[-3.0, 0.0, -4.0, -3.0], [3.0, 2.0, 3.0, 3.0]]> : tensor<2x4xf32>
  return
}

// A length of one changes nothing.
func.func @one() {
  %operand = stablehlo.constant dense<[[(0.0, 1.0)], [(2.0, 0.0)], [(-3.0, 0.0)]]> : tensor<3x1xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [1] : (tensor<3x1xcomplex<f32>>) -> tensor<3x1xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(0.0, 1.0)], [(2.0, 0.0)], [(-3.0, 0.0)]]> : tensor<3x1xcomplex<f32>>
  return
}

// One real number.
func.func @rfft_one() {
  %operand = stablehlo.constant dense<[3.0]> : tensor<1xf32>
  %result = stablehlo.fft %operand, type = RFFT, length = [1] : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(3.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// An empty batch.
func.func @empty_batch() {
  %operand = stablehlo.constant dense<> : tensor<0x4xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [4] : (tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<0x4xcomplex<f32>>
  return
}

// A length of 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  %result = stablehlo.fft %operand, type = FFT, length = [0] : (tensor<0xcomplex<f32>>) -> tensor<0xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<0xcomplex<f32>>
  return
}
