// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// The last axis first; 26 = 2 * 13.

// CHECK-LABEL: func.func @two_axes
// CHECK-SAME:    (%x: tensor<4x8x26xcomplex<f32>>)
// CHECK:         [[E:%.+]] = tensor.empty() : tensor<4x8x26xcomplex<f32>>
// CHECK-NEXT:    [[Y:%.+]] = "fourier.transform"(%x, {{%.+}}, [[E]]) <{axis = 2 : i64, stages = array<i64: 2, 13>}> : (tensor<4x8x26xcomplex<f32>>, tensor<13x2xf32>, {{.*}}) -> tensor<4x8x26xcomplex<f32>>
// CHECK-NEXT:    [[F:%.+]] = tensor.empty() : tensor<4x8x26xcomplex<f32>>
// CHECK-NEXT:    [[Z:%.+]] = "fourier.transform"([[Y]], {{%.+}}, [[F]]) <{axis = 1 : i64, stages = array<i64: 8>
// CHECK-NEXT:    func.return [[Z]]
func.func @two_axes(%x: tensor<4x8x26xcomplex<f32>>) -> tensor<4x8x26xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [8, 26] : (tensor<4x8x26xcomplex<f32>>) -> tensor<4x8x26xcomplex<f32>>
  return %0 : tensor<4x8x26xcomplex<f32>>
}

// Half of the spectrum of a real signal, and back: the real axis comes last.

// CHECK-LABEL: func.func @real
// CHECK:         "fourier.transform"(%x, {{.*}}) <{axis = 1 : i64, stages = array<i64: 4>}> : (tensor<9x4xf32>, {{.*}}) -> tensor<9x3xcomplex<f32>>
func.func @real(%x: tensor<9x4xf32>) -> tensor<9x3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<9x4xf32>) -> tensor<9x3xcomplex<f32>>
  return %0 : tensor<9x3xcomplex<f32>>
}

// CHECK-LABEL: func.func @inverse_of_real
// CHECK:         [[Y:%.+]] = "fourier.transform"(%x, {{.*}}) <{axis = 0 : i64, stages = array<i64: 3, 3>, inverse
// CHECK:         "fourier.transform"([[Y]], {{.*}}) <{axis = 1 : i64, stages = array<i64: 4>, inverse, hermitian}> : {{.*}} -> tensor<9x4xf32>
func.func @inverse_of_real(%x: tensor<9x3xcomplex<f32>>) -> tensor<9x4xf32> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [9, 4] : (tensor<9x3xcomplex<f32>>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

// One long line: 32 lines of 16, roots of unity, 16 lines of 32, transposed.

// CHECK-LABEL: func.func @long
// CHECK:         [[A:%.+]] = "fourier.transform"({{.*}}) <{axis = 1 : i64, {{.*}}}> : (tensor<1x32x16xcomplex<f64>>
// CHECK:         complex.mul
// CHECK:         "fourier.transform"({{.*}}) <{axis = 1 : i64, {{.*}}}> : (tensor<32x16x1xcomplex<f64>>
// CHECK:         linalg.generic
// CHECK-NOT:     fourier
// CHECK:         func.return
func.func @long(%x: tensor<512xcomplex<f64>>) -> tensor<512xcomplex<f64>> {
  %0 = stablehlo.fft %x, type = FFT, length = [512] : (tensor<512xcomplex<f64>>) -> tensor<512xcomplex<f64>>
  return %0 : tensor<512xcomplex<f64>>
}

// A long real signal: pairs of its elements are complex numbers, whose spectrum is taken apart; the edges are real.

// CHECK-LABEL: func.func @long_real
// CHECK:         [[P:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (d1 * 2))>, affine_map<(d0, d1) -> (d0, ((d1 * 2) + 1))>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK:         [[Z:%.+]] = "fourier.transform"([[P]], {{.*}}) <{axis = 1 : i64, stages = {{.*}}
// CHECK:         [[M:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (d1 + 1))>, affine_map<(d0, d1) -> (d0, ((d1 * -1) + 2047))>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]{{.*}} ins([[Z]], [[Z]],
// CHECK:         [[E:%.+]] = linalg.generic {{.*}} ins([[Z]],
// CHECK:         tensor.insert_slice [[E]] into {{%.+}}[0, 0] [9, 2] [1, 2048]
// CHECK:         tensor.insert_slice [[M]] into {{%.+}}[0, 1] [9, 2047] [1, 1]
func.func @long_real(%x: tensor<9x4096xf32>) -> tensor<9x2049xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4096] : (tensor<9x4096xf32>) -> tensor<9x2049xcomplex<f32>>
  return %0 : tensor<9x2049xcomplex<f32>>
}
