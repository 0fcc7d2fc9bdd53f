// RUN: xla-opt %s -p 'linalg-tile-fourier{vector_bits=128}' | filecheck %s

// Four contiguous lines at once: squares of two complex numbers, transposed, then butterflies on whole vectors.

// CHECK-LABEL: func.func private @lines
// CHECK-NOT:     fourier
// CHECK:         builtin.unrealized_conversion_cast {{.*}} : memref<32xcomplex<f32>> to memref<32x2xf32>
// CHECK:         affine.for {{%.+}} = 0 to 4 {
// CHECK:           [[A:%.+]] = memref.alloc() : memref<16xf32>
// CHECK-NEXT:      [[B:%.+]] = memref.alloc() : memref<16xf32>
// CHECK-COUNT-8:   vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK:           affine.vector_store {{%.+}}, [[A]]
// CHECK:           [[RE0:%.+]] = affine.vector_load [[A]][0] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:      [[IM0:%.+]] = affine.vector_load [[A]][4] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:      [[RE1:%.+]] = affine.vector_load [[A]][8] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:      [[IM1:%.+]] = affine.vector_load [[A]][12] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:      [[SUM:%.+]] = arith.addf [[RE0]], [[RE1]] : vector<4xf32>
// CHECK:           arith.subf [[RE0]], [[RE1]] : vector<4xf32>
// CHECK:           affine.vector_store [[SUM]], [[B]][0] : memref<16xf32>, vector<4xf32>
// CHECK-COUNT-8:   vector.shuffle
func.func private @lines(%x: memref<16x2xcomplex<f32>>, %roots: memref<1x2xf32>, %out: memref<16x2xcomplex<f32>>) attributes {xrt.kernel} {
  fourier.transform %x, %roots outs(%out) axis 1 stages [2] : memref<16x2xcomplex<f32>>, memref<1x2xf32>, memref<16x2xcomplex<f32>>
  return
}

// Lines side by side: no transposition. The last of two vectors begins at line 2, so that it ends with line 5.

// CHECK-LABEL: func.func private @columns
// CHECK:         affine.for [[V:%.+]] = 0 to 2 {
// CHECK:           affine.apply affine_map<(d0) -> (((d0 * 4) + ((d0 floordiv 1) * -2)))> ([[V]])
// CHECK:           affine.for {{%.+}} = 0 to 3 {
// CHECK:             arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NOT:       vector.shuffle
// CHECK:           vector.fma
// CHECK:           return
func.func private @columns(%x: memref<3x6xf32>, %roots: memref<1x2xf32>, %out: memref<3x6xf32>) attributes {xrt.kernel} {
  fourier.transform %x, %roots outs(%out) axis 0 stages [3] inverse : memref<3x6xf32>, memref<1x2xf32>, memref<3x6xf32>
  return
}

// Two stages of radix 4 with roots behind them share a function; the last stage, which has none, is written in place.

// CHECK-LABEL: func.func private @shared
// CHECK:         [[FIRST:%.+]] = arith.constant 0 : index
// CHECK-NEXT:    [[REST:%.+]] = arith.constant 8 : index
// CHECK-NEXT:    [[STRIDE:%.+]] = arith.constant 1 : index
// CHECK-NEXT:    func.call @fourier_radix_4([[A:%.+]], [[B:%.+]], [[ROOTS:%.+]], [[FIRST]], [[REST]], [[STRIDE]]) : (memref<256xf32>, memref<256xf32>, memref<60xf32>, index, index, index) -> ()
// CHECK-NEXT:    arith.constant 48 : index
// CHECK-NEXT:    arith.constant 2 : index
// CHECK-NEXT:    arith.constant 4 : index
// CHECK-NEXT:    func.call @fourier_radix_4([[B]], [[A]], [[ROOTS]],
// CHECK-NOT:     func.call
// CHECK:         return
func.func private @shared(%x: memref<32x4xcomplex<f32>>, %roots: memref<30x2xf32>, %out: memref<32x4xcomplex<f32>>) attributes {xrt.kernel} {
  fourier.transform %x, %roots outs(%out) axis 0 stages [4, 4, 2] : memref<32x4xcomplex<f32>>, memref<30x2xf32>, memref<32x4xcomplex<f32>>
  return
}

// The last stage shares the function of the others and tells it not to multiply.

// CHECK-LABEL: func.func private @last_too
// CHECK-COUNT-2: arith.constant true
// CHECK:         [[NO:%.+]] = arith.constant false
// CHECK-NEXT:    func.call @fourier_radix_4_1({{.+}}, [[NO]]) : (memref<512xf32>, memref<512xf32>, memref<120xf32>, index, index, index, i1) -> ()
// CHECK:         return
func.func private @last_too(%x: memref<64x4xcomplex<f32>>, %roots: memref<60x2xf32>, %out: memref<64x4xcomplex<f32>>) attributes {xrt.kernel} {
  fourier.transform %x, %roots outs(%out) axis 0 stages [4, 4, 4] : memref<64x4xcomplex<f32>>, memref<60x2xf32>, memref<64x4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func private @fourier_radix_4
// CHECK-SAME:    memref<60xf32>, %{{[0-9]+}}: index, [[M:%[0-9]+]]: index, [[S:%[0-9]+]]: index) {
// CHECK:         affine.for [[P:%.+]] = 0 to [[M]] {
// CHECK:           [[LINE:%.+]] = arith.muli [[P]], [[S]] : index
// CHECK-NEXT:      affine.for {{%.+}} = 0 to [[S]] {
// CHECK:             vector.load
// CHECK:             vector.store

// CHECK-LABEL: func.func private @fourier_radix_4_1
// CHECK-SAME:    [[MULTIPLIES:%[0-9]+]]: i1) {
// CHECK:         scf.if [[MULTIPLIES]] -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-COUNT-6:   vector.fma
// CHECK:         } else {
// CHECK-NEXT:      scf.yield
