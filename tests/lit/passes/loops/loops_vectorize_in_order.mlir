// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' | filecheck %s

// No vectoriser takes a histogram or a cumulative sum: they stay, and what is around them becomes vectors, also what is
// longer than the second-level cache.

// CHECK-LABEL: func.func private @histogram
// CHECK:         affine.vector_store {{.+}}, %counts[{{.+}}] : memref<256xi32>, vector<16xi32>
// CHECK:         affine.for {{%.+}} = 0 to 1000000 {
// CHECK:           [[COUNT:%.+]] = memref.load %counts
// CHECK:           memref.store {{%.+}}, %counts
// CHECK:         affine.vector_store {{.+}}, %filled[{{.+}}] : memref<1000000xi32>, vector<64xi32>
func.func private @histogram(%x: memref<1000000xi32>, %filled: memref<1000000xi32>, %counts: memref<256xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 256 {
    affine.store %zero, %counts[%i] : memref<256xi32>
  }
  affine.for %i = 0 to 1000000 {
    %value = affine.load %x[%i] : memref<1000000xi32>
    %place = arith.index_cast %value : i32 to index
    %count = memref.load %counts[%place] : memref<256xi32>
    %more = arith.addi %count, %one : i32
    memref.store %more, %counts[%place] : memref<256xi32>
  }
  affine.for %i = 0 to 1000000 {
    affine.store %one, %filled[%i] : memref<1000000xi32>
  }
  func.return
}

// CHECK-LABEL: func.func private @cumulative
// CHECK:         affine.vector_store
// CHECK:         {{%.+}} = affine.for {{%.+}} = 0 to 1000 iter_args({{%.+}} = {{%.+}}) -> (f32) {
// CHECK:           affine.store {{%.+}}, %sums[{{%.+}}] : memref<1000xf32>
func.func private @cumulative(%x: memref<1000xf32>, %scaled: memref<1000xf32>, %sums: memref<1000xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 1000 {
    %value = affine.load %x[%i] : memref<1000xf32>
    %double = arith.addf %value, %value : f32
    affine.store %double, %scaled[%i] : memref<1000xf32>
  }
  %sum = affine.for %i = 0 to 1000 iter_args(%before = %zero) -> (f32) {
    %value = affine.load %x[%i] : memref<1000xf32>
    %after = arith.addf %before, %value fastmath<reassoc> : f32
    affine.store %after, %sums[%i] : memref<1000xf32>
    affine.yield %after : f32
  }
  func.return
}
