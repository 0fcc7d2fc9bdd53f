// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' | filecheck %s

// What differs between iterations becomes vectors; what does not is spread over the lanes in front of the loop. There is
// vector code in the function already.

// CHECK-LABEL: func.func private @elementwise
// CHECK-DAG:     [[LIMIT:%.+]] = arith.constant dense<3.000000e+00> : vector<16xf32>
// CHECK-DAG:     [[LANES:%.+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
// CHECK:         [[SCALE:%.+]] = vector.broadcast %s : f32 to vector<16xf32>
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 64 step 16 {
// CHECK-NEXT:      [[X:%.+]] = affine.vector_load %a[[[I]]] : memref<64xf32>, vector<16xf32>
// CHECK-NEXT:      [[Y:%.+]] = arith.mulf [[X]], [[SCALE]] : vector<16xf32>
// CHECK:           [[FIRST:%.+]] = arith.index_cast {{%.+}} : index to i32
// CHECK-NEXT:      [[START:%.+]] = vector.broadcast [[FIRST]] : i32 to vector<16xi32>
// CHECK-NEXT:      [[PLACE:%.+]] = arith.addi [[START]], [[LANES]] : vector<16xi32>
// CHECK-NEXT:      [[FLOAT:%.+]] = xrt.lanewise "arith.sitofp"([[PLACE]]) {{.*}} : (vector<16xi32>) -> vector<16xf32>
// CHECK-NEXT:      [[SUM:%.+]] = arith.addf [[FLOAT]], [[Y]] : vector<16xf32>
// CHECK-NEXT:      [[LESS:%.+]] = xrt.lanewise "arith.cmpf"([[SUM]], [[LIMIT]]) {{.*}} -> vector<16xi1>
// CHECK-NEXT:      [[Z:%.+]] = xrt.lanewise "arith.select"([[LESS]], [[SUM]], [[LIMIT]])
// CHECK-NEXT:      affine.vector_store [[Z]], %b[[[I]]] : memref<64xf32>, vector<16xf32>
// CHECK-NEXT:      affine.vector_store [[LESS]], %c[[[I]]] : memref<64xi1>, vector<16xi1>
func.func private @elementwise(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xi1>, %s: f32) {
  %z = arith.constant 3.0 : f32
  affine.for %i = 0 to 4 {
    %v = affine.vector_load %b[%i * 16] : memref<64xf32>, vector<16xf32>
    affine.vector_store %v, %a[%i * 16] : memref<64xf32>, vector<16xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.mulf %x, %s : f32
    %p = affine.apply affine_map<(d0) -> (d0 + 5)>(%i)
    %q = arith.index_cast %p : index to i32
    %r = arith.sitofp %q : i32 to f32
    %w = arith.addf %r, %y : f32
    %m = arith.cmpf olt, %w, %z : f32
    %k = arith.select %m, %w, %z : f32
    affine.store %k, %b[%i] : memref<64xf32>
    affine.store %m, %c[%i] : memref<64xi1>
  }
  func.return
}

// Bounds that are not known may be known to be multiples; what is left of a row stays as it is.

// CHECK-LABEL: func.func private @rows
// CHECK-DAG:     [[STEP:%.+]] = arith.constant 16 : index
// CHECK:         scf.for [[I:%.+]] = [[ALIGNED:%.+]] to {{%.+}} step [[STEP]] {
// CHECK-NEXT:      [[X:%.+]] = vector.load %a[%k, [[I]]] : memref<64x64xf32>, vector<16xf32>
// CHECK-NEXT:      [[Y:%.+]] = vector.load %row[[[I]]] : memref<64xf32>, vector<16xf32>
// CHECK-NEXT:      [[Z:%.+]] = math.fma {{%.+}}, [[X]], [[Y]] : vector<16xf32>
// CHECK-NEXT:      vector.store [[Z]], %row[[[I]]] : memref<64xf32>, vector<16xf32>
// CHECK:         scf.for {{%.+}} = [[ALIGNED]] to %k step
// CHECK-NEXT:      memref.store
func.func private @rows(%a: memref<64x64xf32>, %row: memref<64xf32>, %k: index, %s: f32) {
  %mask = arith.constant -16 : index
  %one = arith.constant 1 : index
  %size = arith.constant 64 : index
  %start = arith.andi %k, %mask : index
  scf.for %i = %start to %size step %one {
    %x = memref.load %a[%k, %i] : memref<64x64xf32>
    %y = memref.load %row[%i] : memref<64xf32>
    %z = math.fma %s, %x, %y : f32
    memref.store %z, %row[%i] : memref<64xf32>
  }
  scf.for %i = %start to %k step %one {
    memref.store %s, %row[%i] : memref<64xf32>
  }
  func.return
}

// Loops with constant bounds and nothing but such loops stay, and so do elements apart, sums, what was written in another iteration, and rows that are no multiple of a vector stay.

// CHECK-LABEL: func.func private @scalar
// CHECK-NOT:     step
// CHECK-LABEL: func.func private @not_contiguous
// CHECK-NOT:     step
// CHECK-LABEL: func.func private @reduction
// CHECK-NOT:     step
// CHECK-LABEL: func.func private @recurrence
// CHECK-NOT:     step
// CHECK-LABEL: func.func private @length
// CHECK-NOT:     step
// CHECK-LABEL: func.func private @end
func.func private @scalar(%a: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<64xf32>
  }
  func.return
}
func.func private @not_contiguous(%a: memref<64x2xf32>, %b: memref<64xf32>) {
  affine.for %j = 0 to 4 {
    %v = affine.vector_load %a[%j, 0] : memref<64x2xf32>, vector<2xf32>
    affine.vector_store %v, %a[%j, 0] : memref<64x2xf32>, vector<2xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i, 0] : memref<64x2xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  func.return
}
func.func private @reduction(%a: memref<64xf32>, %b: memref<f32>, %zero: f32) {
  affine.for %j = 0 to 4 {
    %v = affine.vector_load %a[%j * 16] : memref<64xf32>, vector<16xf32>
    affine.vector_store %v, %a[%j * 16] : memref<64xf32>, vector<16xf32>
  }
  %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  affine.store %sum, %b[] : memref<f32>
  func.return
}
func.func private @recurrence(%a: memref<65xf32>) {
  affine.for %j = 0 to 4 {
    %v = affine.vector_load %a[%j * 16] : memref<65xf32>, vector<16xf32>
    affine.vector_store %v, %a[%j * 16] : memref<65xf32>, vector<16xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<65xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i + 1] : memref<65xf32>
  }
  func.return
}
func.func private @length(%a: memref<63xf32>) {
  affine.for %j = 0 to 4 {
    %v = affine.vector_load %a[%j * 16] : memref<63xf32>, vector<16xf32>
    affine.vector_store %v, %a[%j * 16] : memref<63xf32>, vector<16xf32>
  }
  affine.for %i = 0 to 63 {
    %x = affine.load %a[%i] : memref<63xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<63xf32>
  }
  func.return
}
func.func private @end() {
  func.return
}
