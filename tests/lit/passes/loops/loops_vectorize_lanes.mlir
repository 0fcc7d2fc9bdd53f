// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' --split-input-file --verify-diagnostics | filecheck %s

// As many elements at a time as the schedule says, and a shorter vector for the rest.

// CHECK-LABEL: func.func private @said
// CHECK:         affine.for [[I:%.+]] = 0 to 96 step 32 {
// CHECK-NOT:     xrt.lanes
// CHECK:         affine.vector_load {{%.+}} : memref<104xf32>, vector<8xf32>
func.func private @said(%a: memref<104xf32>, %b: memref<104xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 104 {
    %x = affine.load %a[%i] : memref<104xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<104xf32>
  } {xrt.lanes = 32 : i64}
  func.return
}

// -----

// expected-error @+2 {{schedule of @apart: a loop cannot be vectors of 16 elements: its elements are no neighbours, or need each other}}
func.func private @apart(%a: memref<64x3xf32>, %b: memref<64xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i, 1] : memref<64x3xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  } {xrt.lanes = 16 : i64}
  func.return
}
