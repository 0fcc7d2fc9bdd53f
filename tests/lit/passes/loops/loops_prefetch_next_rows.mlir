// RUN: xla-opt %s -p 'loops-prefetch-next-rows{vector-bits=512}' --split-input-file | filecheck %s

// The second loop asks for the row behind the one that is in the cache.
// CHECK-LABEL: func.func private @variance
// CHECK: affine.for [[I:%.+]] = 0 to 4096
// CHECK: affine.for
// CHECK-NOT: xrt.prefetch
// CHECK: affine.for [[J:%.+]] = 0 to 1024 step 64
// CHECK-DAG: [[ROW:%.+]] = affine.apply affine_map<(d0, d1) -> ((d0 + 1))> ([[I]], [[J]])
// CHECK-DAG: [[PLACE:%.+]] = affine.apply affine_map<(d0, d1) -> (d1)> ([[I]], [[J]])
// CHECK: "xrt.prefetch"({{%.+}}, [[ROW]], [[PLACE]]) <{lines = 4 : i64}>
// CHECK-NOT: xrt.prefetch
func.func private @variance(%x: memref<4096x1024xf32>, %out: memref<4096xf32>) attributes {xrt.kernel} {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  affine.for %i = 0 to 4096 {
    %s = affine.for %j = 0 to 1024 step 64 iter_args(%a = %zero) -> (vector<64xf32>) {
      %v = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      %w = arith.addf %a, %v : vector<64xf32>
      affine.yield %w : vector<64xf32>
    }
    %t = affine.for %k = 0 to 1024 step 64 iter_args(%b = %zero) -> (vector<64xf32>) {
      %v = affine.vector_load %x[%i, %k] : memref<4096x1024xf32>, vector<64xf32>
      %d = arith.subf %v, %s : vector<64xf32>
      %w = arith.addf %b, %d : vector<64xf32>
      affine.yield %w : vector<64xf32>
    }
    %r = vector.reduction <add>, %t : vector<64xf32> into f32
    affine.store %r, %out[%i] : memref<4096xf32>
  }
  func.return
}

// -----

// Nothing in front of the loop that stores, nor of a tensor in the second-level cache.
// CHECK-LABEL: func.func private @stored
// CHECK-NOT: xrt.prefetch
func.func private @stored(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel} {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  affine.for %i = 0 to 4096 {
    %s = affine.for %j = 0 to 1024 step 64 iter_args(%a = %zero) -> (vector<64xf32>) {
      %v = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      %w = arith.addf %a, %v : vector<64xf32>
      affine.yield %w : vector<64xf32>
    }
    affine.for %k = 0 to 1024 step 64 {
      %v = affine.vector_load %x[%i, %k] : memref<4096x1024xf32>, vector<64xf32>
      %d = arith.subf %v, %s : vector<64xf32>
      affine.vector_store %d, %out[%i, %k] : memref<4096x1024xf32>, vector<64xf32>
    }
  }
  func.return
}
func.func private @small(%x: memref<64x1024xf32>, %out: memref<64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  affine.for %i = 0 to 64 {
    %s = affine.for %j = 0 to 1024 step 64 iter_args(%a = %zero) -> (vector<64xf32>) {
      %v = affine.vector_load %x[%i, %j] : memref<64x1024xf32>, vector<64xf32>
      %w = arith.addf %a, %v : vector<64xf32>
      affine.yield %w : vector<64xf32>
    }
    %t = affine.for %k = 0 to 1024 step 64 iter_args(%b = %s) -> (vector<64xf32>) {
      %v = affine.vector_load %x[%i, %k] : memref<64x1024xf32>, vector<64xf32>
      %w = arith.subf %b, %v : vector<64xf32>
      affine.yield %w : vector<64xf32>
    }
    %r = vector.reduction <add>, %t : vector<64xf32> into f32
    affine.store %r, %out[%i] : memref<64xf32>
  }
  func.return
}
