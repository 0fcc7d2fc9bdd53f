// RUN: xla-opt %s -p stablehlo-expand-fft | filecheck %s

// 100 = 10 * 10: a product for each factor, between them a multiplication by roots of unity. Real and imaginary part
// have a matrix of their own as long as they are apart; both parts of the result are columns.

// CHECK-LABEL: func.func @two_factors
// CHECK-SAME:    ([[X:%.+]]: tensor<100xcomplex<f32>>)
// CHECK-DAG:     [[RE:%.+]] = stablehlo.real [[X]]
// CHECK-DAG:     [[IM:%.+]] = stablehlo.imag [[X]]
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<10x10xf32>, tensor<10x20xf32>) -> tensor<10x20xf32>
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<10x10xf32>, tensor<10x20xf32>) -> tensor<10x20xf32>
// CHECK:         [[Y:%.+]] = stablehlo.add {{.*}} : tensor<10x1x2x10xf32>
// CHECK:         [[COS:%.+]] = stablehlo.broadcast_in_dim {{.*}} dims = [0, 3] : (tensor<10x10xf32>)
// CHECK:         [[SIN:%.+]] = stablehlo.broadcast_in_dim {{.*}} dims = [2, 0, 3] : (tensor<2x10x10xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[Y]], [[COS]]
// CHECK-NEXT:    [[SWAPPED:%.+]] = stablehlo.reverse [[Y]], dims = [2]
// CHECK-NEXT:    [[B:%.+]] = stablehlo.multiply [[SWAPPED]], [[SIN]]
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.add [[A]], [[B]]
// CHECK-NEXT:    stablehlo.transpose [[Z]], dims = [2, 0, 1, 3]
// CHECK:         stablehlo.dot_general {{.*}} contracting_dims = [0] x [0] : (tensor<20x10xf32>, tensor<20x20xf32>) -> tensor<10x20xf32>
// CHECK-NOT:     dot_general
// CHECK:         stablehlo.complex {{.*}} : tensor<1x10x10xcomplex<f32>>
// CHECK-NOT:     stablehlo.fft
// CHECK:         func.return {{.*}} : tensor<100xcomplex<f32>>
func.func @two_factors(%x: tensor<100xcomplex<f32>>) -> tensor<100xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [100] : (tensor<100xcomplex<f32>>) -> tensor<100xcomplex<f32>>
  return %0 : tensor<100xcomplex<f32>>
}

// A real signal has no imaginary part, and half of its spectrum is wanted: 4 rows, 2 * 3 columns.

// CHECK-LABEL: func.func @real
// CHECK:         [[F:%.+]] = stablehlo.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00, {{.*}}> : tensor<4x6xf32>
// CHECK:         stablehlo.dot_general {{%.+}}, [[F]], contracting_dims = [0] x [0] : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
// CHECK-NOT:     dot_general
// CHECK:         func.return
func.func @real(%x: tensor<5x4xf32>) -> tensor<5x3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<5x4xf32>) -> tensor<5x3xcomplex<f32>>
  return %0 : tensor<5x3xcomplex<f32>>
}

// The mirrored half of the spectrum, and real results only: 4 columns, divided by 4.

// CHECK-LABEL: func.func @inverse_of_real
// CHECK:         [[HALF:%.+]] = stablehlo.slice {{%.+}} [0:1, 1:2, 0:1]
// CHECK-NEXT:    [[MIRRORED:%.+]] = stablehlo.reverse [[HALF]], dims = [1]
// CHECK-NEXT:    stablehlo.concatenate {{%.+}}, [[MIRRORED]], dim = 1 : (tensor<1x3x1xf64>, tensor<1x1x1xf64>) -> tensor<1x4x1xf64>
// CHECK:         stablehlo.negate
// CHECK:         stablehlo.constant dense<{{\[\[}}2.500000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01], {{.*}}> : tensor<4x4xf64>
// CHECK-NOT:     stablehlo.complex
// CHECK:         func.return {{.*}} : tensor<4xf64>
func.func @inverse_of_real(%x: tensor<3xcomplex<f64>>) -> tensor<4xf64> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [4] : (tensor<3xcomplex<f64>>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// 521 is prime: a convolution with a chirp, as transforms of length 1080.

// CHECK-LABEL: func.func @prime
// CHECK:         stablehlo.pad {{.*}} -> tensor<2x1080x1xf32>
// CHECK:         func.return
func.func @prime(%x: tensor<521xf32>) -> tensor<261xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [521] : (tensor<521xf32>) -> tensor<261xcomplex<f32>>
  return %0 : tensor<261xcomplex<f32>>
}
