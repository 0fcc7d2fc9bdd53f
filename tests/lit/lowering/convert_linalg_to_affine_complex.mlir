// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' | filecheck %s

// Sums of complex numbers in any order are vectors too: the innermost loop goes along the rows of a matrix.

// CHECK-LABEL: func.func private @product
// CHECK:         affine.for [[I:%.+]] = 0 to 300
// CHECK:           affine.for [[K:%.+]] = 0 to 300
// CHECK:             affine.load {{%.+}}{{\[}}[[I]], [[K]]]
// CHECK:             complex.mul
// CHECK:             complex.add
// CHECK-NEXT:        affine.yield
func.func private @product(%x: memref<300x300xcomplex<f32>>, %y: memref<300xcomplex<f32>>, %out: memref<300xcomplex<f32>>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : memref<300x300xcomplex<f32>>, memref<300xcomplex<f32>>) outs(%out : memref<300xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %old: complex<f32>):
    %0 = complex.mul %a, %b fastmath<reassoc> : complex<f32>
    %1 = complex.add %old, %0 fastmath<reassoc> : complex<f32>
    linalg.yield %1 : complex<f32>
  }
  func.return
}
