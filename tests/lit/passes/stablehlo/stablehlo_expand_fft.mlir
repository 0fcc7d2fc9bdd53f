// RUN: xla-opt %s -p stablehlo-expand-fft | filecheck %s

// 323 = 17 * 19: a product for each factor, between them a multiplication by roots of unity. Real and imaginary part
// have a matrix of their own as long as they are apart; both parts of the result are columns.

// CHECK-LABEL: func.func @two_factors
// CHECK-SAME:    ([[X:%.+]]: tensor<323xcomplex<f32>>)
// CHECK-DAG:     [[RE:%.+]] = stablehlo.real [[X]]
// CHECK-DAG:     [[IM:%.+]] = stablehlo.imag [[X]]
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<19x17xf32>, tensor<19x38xf32>) -> tensor<17x38xf32>
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<19x17xf32>, tensor<19x38xf32>) -> tensor<17x38xf32>
// CHECK:         [[Y:%.+]] = stablehlo.add {{.*}} : tensor<17x1x2x19xf32>
// CHECK:         [[COS:%.+]] = stablehlo.broadcast_in_dim {{.*}} dims = [0, 3] : (tensor<17x19xf32>)
// CHECK:         [[SIN:%.+]] = stablehlo.broadcast_in_dim {{.*}} dims = [2, 0, 3] : (tensor<2x17x19xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[Y]], [[COS]]
// CHECK-NEXT:    [[SWAPPED:%.+]] = stablehlo.reverse [[Y]], dims = [2]
// CHECK-NEXT:    [[B:%.+]] = stablehlo.multiply [[SWAPPED]], [[SIN]]
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.add [[A]], [[B]]
// CHECK-NEXT:    stablehlo.transpose [[Z]], dims = [2, 0, 1, 3]
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<34x19xf32>, tensor<34x34xf32>) -> tensor<19x34xf32>
// CHECK-NOT:     dot_general
// CHECK:         stablehlo.complex {{.*}} : tensor<1x17x19xcomplex<f32>>
// CHECK-NOT:     stablehlo.fft
// CHECK:         func.return {{.*}} : tensor<323xcomplex<f32>>
func.func @two_factors(%x: tensor<323xcomplex<f32>>) -> tensor<323xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [323] : (tensor<323xcomplex<f32>>) -> tensor<323xcomplex<f32>>
  return %0 : tensor<323xcomplex<f32>>
}

// A real signal has no imaginary part, and half of its spectrum is wanted: 17 rows, 2 * 9 columns.

// CHECK-LABEL: func.func @real
// CHECK:         [[F:%.+]] = stablehlo.constant dense<{{.*}}> : tensor<17x18xf32>
// CHECK:         stablehlo.dot_general {{%.+}}, [[F]], contracting_dims = [0] x [0] : (tensor<17x5xf32>, tensor<17x18xf32>) -> tensor<5x18xf32>
// CHECK-NOT:     dot_general
// CHECK:         func.return
func.func @real(%x: tensor<5x17xf32>) -> tensor<5x9xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [17] : (tensor<5x17xf32>) -> tensor<5x9xcomplex<f32>>
  return %0 : tensor<5x9xcomplex<f32>>
}

// The mirrored half of the spectrum, and real results only: 17 columns, divided by 17.

// CHECK-LABEL: func.func @inverse_of_real
// CHECK:         [[HALF:%.+]] = stablehlo.slice {{%.+}} [0:1, 1:9, 0:1]
// CHECK-NEXT:    [[MIRRORED:%.+]] = stablehlo.reverse [[HALF]], dims = [1]
// CHECK-NEXT:    stablehlo.concatenate {{%.+}}, [[MIRRORED]], dim = 1 : (tensor<1x9x1xf64>, tensor<1x8x1xf64>) -> tensor<1x17x1xf64>
// CHECK:         stablehlo.negate
// CHECK:         stablehlo.constant dense<{{.*}}> : tensor<17x17xf64>
// CHECK-NOT:     stablehlo.complex
// CHECK:         func.return {{.*}} : tensor<17xf64>
func.func @inverse_of_real(%x: tensor<9xcomplex<f64>>) -> tensor<17xf64> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [17] : (tensor<9xcomplex<f64>>) -> tensor<17xf64>
  return %0 : tensor<17xf64>
}

// 521 is prime: a convolution with a chirp, as transforms of length 1080.

// CHECK-LABEL: func.func @prime
// CHECK:         stablehlo.pad {{.*}} -> tensor<1x1080xcomplex<f32>>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.fft {{.*}} type = FFT, length = [1080]
// CHECK:         [[P:%.+]] = stablehlo.multiply [[S]],
// CHECK-NEXT:    [[Y:%.+]] = stablehlo.fft [[P]], type = IFFT, length = [1080]
// CHECK-NEXT:    stablehlo.slice [[Y]] [0:1, 0:261]
// CHECK:         func.return
func.func @prime(%x: tensor<521xf32>) -> tensor<261xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [521] : (tensor<521xf32>) -> tensor<261xcomplex<f32>>
  return %0 : tensor<261xcomplex<f32>>
}

// Small factors have a kernel.

// CHECK-LABEL: func.func @smooth
// CHECK-NEXT:    [[Y:%.+]] = stablehlo.fft %x, type = FFT, length = [100, 26]
// CHECK-NEXT:    func.return [[Y]]
func.func @smooth(%x: tensor<100x26xcomplex<f32>>) -> tensor<100x26xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [100, 26] : (tensor<100x26xcomplex<f32>>) -> tensor<100x26xcomplex<f32>>
  return %0 : tensor<100x26xcomplex<f32>>
}
