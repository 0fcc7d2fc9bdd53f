// RUN: xla-opt %s --print-op-generic | filecheck %s

// What stands in brackets are dimensions; symbols say so.
func.func @indices(%x: memref<64x8xf32>, %n: index) -> f32 {
  affine.for %i = 0 to 8 {
    // CHECK: "affine.load"({{%.+}}, {{%.+}}) <{map = affine_map<(d0) -> ((d0 + 4), (d0 mod 8))>}>
    %0 = affine.load %x[%i + 4, %i mod 8] : memref<64x8xf32>
    // CHECK: "affine.store"({{%.+}}, {{%.+}}, [[I:%.+]], [[N:%.+]]) <{map = affine_map<(d0)[s0] -> ((d0 + s0), 0)>}>
    affine.store %0, %x[%i + symbol(%n), 0] : memref<64x8xf32>
  }
  %1 = affine.load %x[0, 0] : memref<64x8xf32>
  func.return %1 : f32
}
