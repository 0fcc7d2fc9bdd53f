// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' | filecheck %s

// What differs between iterations becomes vectors that fill four registers; what does not is computed and spread over the
// lanes in front of the loop.

// CHECK-LABEL: func.func private @elementwise
// CHECK-DAG:     [[LIMIT:%.+]] = arith.constant dense<3.000000e+00> : vector<64xf32>
// CHECK-DAG:     [[LANES:%.+]] = arith.constant dense<[0, 1, 2, {{.*}}, 62, 63]> : vector<64xi32>
// CHECK:         [[FACTOR:%.+]] = arith.mulf %s, %s : f32
// CHECK-NEXT:    [[SCALE:%.+]] = vector.broadcast [[FACTOR]] : f32 to vector<64xf32>
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 128 step 64 {
// CHECK-NEXT:      [[X:%.+]] = affine.vector_load %a[[[I]]] : memref<128xf32>, vector<64xf32>
// CHECK-NEXT:      [[Y:%.+]] = arith.mulf [[X]], [[SCALE]] : vector<64xf32>
// CHECK:           [[FIRST:%.+]] = arith.index_cast {{%.+}} : index to i32
// CHECK-NEXT:      [[START:%.+]] = vector.broadcast [[FIRST]] : i32 to vector<64xi32>
// CHECK-NEXT:      [[PLACE:%.+]] = arith.addi [[START]], [[LANES]] : vector<64xi32>
// CHECK-NEXT:      [[FLOAT:%.+]] = arith.sitofp [[PLACE]] : vector<64xi32> to vector<64xf32>
// CHECK-NEXT:      [[SUM:%.+]] = arith.addf [[FLOAT]], [[Y]] : vector<64xf32>
// CHECK-NEXT:      [[LESS:%.+]] = arith.cmpf {{.+}}, [[SUM]], [[LIMIT]] : vector<64xf32>
// CHECK-NEXT:      [[Z:%.+]] = arith.select [[LESS]], [[SUM]], [[LIMIT]] : vector<64xi1>, vector<64xf32>
// CHECK-NEXT:      affine.vector_store [[Z]], %b[[[I]]] : memref<128xf32>, vector<64xf32>
// CHECK-NEXT:      affine.vector_store [[LESS]], %c[[[I]]] : memref<128xi1>, vector<64xi1>
func.func private @elementwise(%a: memref<128xf32>, %b: memref<128xf32>, %c: memref<128xi1>, %s: f32) {
  %z = arith.constant 3.0 : f32
  affine.for %i = 0 to 128 {
    %x = affine.load %a[%i] : memref<128xf32>
    %t = arith.mulf %s, %s : f32
    %y = arith.mulf %x, %t : f32
    %p = affine.apply affine_map<(d0) -> (d0 + 5)>(%i)
    %q = arith.index_cast %p : index to i32
    %r = arith.sitofp %q : i32 to f32
    %w = arith.addf %r, %y : f32
    %m = arith.cmpf olt, %w, %z : f32
    %k = arith.select %m, %w, %z : f32
    affine.store %k, %b[%i] : memref<128xf32>
    affine.store %m, %c[%i] : memref<128xi1>
  }
  func.return
}

// Equal ops are one, unless a store is in between.

// CHECK-LABEL: func.func private @equal
// CHECK:         [[X:%.+]] = affine.vector_load %a
// CHECK-NEXT:    [[Y:%.+]] = arith.addf [[X]], [[X]] : vector<16xf32>
// CHECK-NEXT:    affine.vector_store [[Y]], %a
// CHECK-NEXT:    [[Z:%.+]] = affine.vector_load %a
// CHECK-NEXT:    [[W:%.+]] = arith.addf [[Z]], [[Y]] : vector<16xf32>
// CHECK-NEXT:    affine.vector_store [[W]], %b
func.func private @equal(%a: memref<16xf32>, %b: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xf32>
    %x2 = affine.load %a[%i] : memref<16xf32>
    %y = arith.addf %x, %x2 : f32
    affine.store %y, %a[%i] : memref<16xf32>
    %z = affine.load %a[%i] : memref<16xf32>
    %y2 = arith.addf %x2, %x : f32
    %w = arith.addf %z, %y2 : f32
    affine.store %w, %b[%i] : memref<16xf32>
  }
  func.return
}

// Each lane forms a sum of its own. The last vector overlaps the others; the lanes that count already are passed over.

// CHECK-LABEL: func.func private @sum
// CHECK-DAG:     [[NEUTRAL:%.+]] = arith.constant dense<-0.000000e+00> : vector<64xf32>
// CHECK-DAG:     [[COUNTED:%.+]] = arith.constant dense<[false, {{.*}}, true]> : vector<8xi1>
// CHECK:         [[LONG:%.+]] = affine.for [[I:%.+]] = 0 to 192 step 64 iter_args([[S:%.+]] = [[NEUTRAL]]) -> (vector<64xf32>) {
// CHECK-NEXT:      [[X:%.+]] = affine.vector_load %a[[[I]]] : memref<199xf32>, vector<64xf32>
// CHECK-NEXT:      [[T:%.+]] = arith.addf [[S]], [[X]] fastmath<reassoc> : vector<64xf32>
// CHECK-NEXT:      affine.yield [[T]] : vector<64xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    [[LOW:%.+]] = vector.shuffle [[LONG]], [[LONG]] [0, {{.*}}, 31]
// CHECK-NEXT:    [[HIGH:%.+]] = vector.shuffle [[LONG]], [[LONG]] [32, {{.*}}, 63]
// CHECK-NEXT:    arith.addf [[LOW]], [[HIGH]] fastmath<reassoc> : vector<32xf32>
// CHECK:         [[SHORT:%.+]] = arith.addf {{.*}} fastmath<reassoc> : vector<8xf32>
// CHECK-NEXT:    [[LAST:%.+]] = affine.vector_load %a[%{{.+}}] : memref<199xf32>, vector<8xf32>
// CHECK-NEXT:    [[NEW:%.+]] = arith.addf [[SHORT]], [[LAST]] fastmath<reassoc> : vector<8xf32>
// CHECK-NEXT:    [[ALL:%.+]] = arith.select [[COUNTED]], [[NEW]], [[SHORT]]
// CHECK-NEXT:    [[REST:%.+]] = vector.reduction <add>, [[ALL]] fastmath<reassoc> : vector<8xf32> into f32
// CHECK-NEXT:    arith.addf %init, [[REST]] fastmath<reassoc> : f32
func.func private @sum(%a: memref<199xf32>, %b: memref<f32>, %init: f32) {
  %sum = affine.for %i = 0 to 199 iter_args(%s = %init) -> (f32) {
    %x = affine.load %a[%i] : memref<199xf32>
    %t = arith.addf %s, %x fastmath<reassoc> : f32
    affine.yield %t : f32
  }
  affine.store %sum, %b[] : memref<f32>
  func.return
}

// A maximum may start from where it starts. What is updated in place must not be computed twice: its rest is masked.

// CHECK-LABEL: func.func private @in_place
// CHECK-DAG:     [[COUNTED:%.+]] = arith.constant dense<[true, true, true, true, true, false, false, false]> : vector<8xi1>
// CHECK:         affine.vector_load %a[%{{.+}}] : memref<21xf32>, vector<16xf32>
// CHECK:         affine.vector_store {{.*}} : memref<21xf32>, vector<16xf32>
// CHECK:         [[X:%.+]] = vector.maskedload %a[%{{.+}}], [[COUNTED]], {{.*}} into vector<8xf32>
// CHECK-NEXT:    [[Y:%.+]] = arith.mulf [[X]], [[X]] : vector<8xf32>
// CHECK:         [[M:%.+]] = arith.maximumf {{%.+}}, [[Y]] : vector<8xf32>
// CHECK:         vector.maskedstore %a[%{{.+}}], [[COUNTED]], [[Y]]
// CHECK-NEXT:    [[LEFT:%.+]] = arith.select [[COUNTED]], [[M]], {{%.+}} :
// CHECK-NEXT:    [[GREATEST:%.+]] = vector.reduction <maximumf>, [[LEFT]] : vector<8xf32> into f32
// CHECK-NEXT:    affine.store [[GREATEST]], %b
func.func private @in_place(%a: memref<21xf32>, %b: memref<f32>, %init: f32) {
  %max = affine.for %i = 0 to 21 iter_args(%s = %init) -> (f32) {
    %x = affine.load %a[%i] : memref<21xf32>
    %y = arith.mulf %x, %x : f32
    %t = arith.maximumf %s, %y : f32
    affine.store %y, %a[%i] : memref<21xf32>
    affine.yield %t : f32
  }
  affine.store %max, %b[] : memref<f32>
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

// Elements apart, sums in a given order, and what was written in another iteration stay, and with them the other loops of
// the function.

// CHECK-LABEL: func.func private @not_contiguous
// CHECK-NOT:     vector
// CHECK-LABEL: func.func private @strict_sum
// CHECK-NOT:     vector
// CHECK-LABEL: func.func private @recurrence
// CHECK-NOT:     vector
// CHECK-LABEL: func.func private @end
func.func private @not_contiguous(%a: memref<64x3xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %b[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i, 0] : memref<64x3xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  func.return
}
func.func private @strict_sum(%a: memref<64xf32>, %b: memref<f32>, %zero: f32) {
  %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  affine.store %sum, %b[] : memref<f32>
  func.return
}
func.func private @recurrence(%a: memref<65xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<65xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i + 1] : memref<65xf32>
  }
  func.return
}
func.func private @end() {
  func.return
}

// Dimensions of size 1 behind the one that is walked through are no distance.

// CHECK-LABEL: func.func private @behind
// CHECK:         [[X:%.+]] = affine.vector_load %a[0, [[I:%.+]], 0] : memref<3x64x1xf32>, vector<64xf32>
// CHECK-NEXT:    [[Y:%.+]] = arith.addf [[X]], [[X]] : vector<64xf32>
// CHECK-NEXT:    affine.vector_store [[Y]], %b[[[I]]] : memref<64xf32>, vector<64xf32>
func.func private @behind(%a: memref<3x64x1xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[0, %i, 0] : memref<3x64x1xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  func.return
}

// What a loop reads before it is overwritten in a later iteration is in the vectors. A gather of few steps stays beside
// vectors; one of many keeps the function for LLVM.

// CHECK-LABEL: func.func private @shift
// CHECK:         [[J:%.+]] = arith.addi [[I:%.+]], {{%.+}} : index
// CHECK-NEXT:    [[HERE:%.+]] = vector.load %a[[[I]]] : memref<65xi64>, vector<32xi64>
// CHECK-NEXT:    [[NEXT:%.+]] = vector.load %a[[[J]]] : memref<65xi64>, vector<32xi64>
// CHECK-NEXT:    [[SUM:%.+]] = arith.addi [[HERE]], [[NEXT]] : vector<32xi64>
// CHECK-NEXT:    vector.store [[SUM]], %a[[[I]]] : memref<65xi64>, vector<32xi64>
// CHECK:         memref.load %a[%{{.+}}] : memref<65xi64>
func.func private @shift(%a: memref<65xi64>, %b: memref<64xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %few = arith.constant 8 : index
  %many = arith.constant 64 : index
  scf.for %i = %zero to %many step %one {
    %j = arith.addi %i, %one : index
    %x = memref.load %a[%i] : memref<65xi64>
    %y = memref.load %a[%j] : memref<65xi64>
    %t = arith.addi %x, %y : i64
    memref.store %t, %a[%i] : memref<65xi64>
  }
  scf.for %k = %zero to %few step %one {
    %p = memref.load %a[%k] : memref<65xi64>
    %q = arith.index_cast %p : i64 to index
    %z = memref.load %b[%q] : memref<64xi64>
    memref.store %z, %a[%k] : memref<65xi64>
  }
  func.return
}

// CHECK-LABEL: func.func private @many_gathered
// CHECK-NOT:     vector
// CHECK:       func.func private @last
func.func private @many_gathered(%a: memref<65xi64>, %b: memref<64xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 64 : index
  scf.for %i = %zero to %many step %one {
    %x = memref.load %a[%i] : memref<65xi64>
    %t = arith.addi %x, %x : i64
    memref.store %t, %a[%i] : memref<65xi64>
  }
  scf.for %k = %zero to %many step %one {
    %p = memref.load %a[%k] : memref<65xi64>
    %q = arith.index_cast %p : i64 to index
    %z = memref.load %b[%q] : memref<64xi64>
    memref.store %z, %a[%k] : memref<65xi64>
  }
  func.return
}
func.func private @last() {
  func.return
}

// Pairs are loaded and stored as wholes, their parts taken out and put in by shuffles. In reverse: the vector of the
// last lane, its lanes in reverse.

// CHECK-LABEL: func.func private @conjugated_reverse
// CHECK:         affine.for %i = 0 to 64 step 32 {
// CHECK-NEXT:      [[PAIRS:%.+]] = affine.vector_load %a[%i * -1 + 32, 0] : memref<64x2xf32>, vector<64xf32>
// CHECK-NEXT:      [[REAL:%.+]] = vector.shuffle [[PAIRS]], [[PAIRS]] [62, 60, {{.*}}, 0]
// CHECK-NEXT:      [[IMAGINARY:%.+]] = vector.shuffle [[PAIRS]], [[PAIRS]] [63, 61, {{.*}}, 1]
// CHECK-NEXT:      [[NEGATED:%.+]] = arith.negf [[IMAGINARY]] : vector<32xf32>
// CHECK-NEXT:      [[BOTH:%.+]] = vector.shuffle [[REAL]], [[NEGATED]] [0, 32, 1, 33, {{.*}}, 31, 63]
// CHECK-NEXT:      affine.vector_store [[BOTH]], %b[%i, 0] : memref<64x2xf32>, vector<64xf32>
func.func private @conjugated_reverse(%a: memref<64x2xf32>, %b: memref<64x2xf32>) {
  affine.for %i = 0 to 64 {
    %re = affine.load %a[%i * -1 + 63, 0] : memref<64x2xf32>
    %im = affine.load %a[%i * -1 + 63, 1] : memref<64x2xf32>
    %neg = arith.negf %im : f32
    affine.store %re, %b[%i, 0] : memref<64x2xf32>
    affine.store %neg, %b[%i, 1] : memref<64x2xf32>
  }
  func.return
}

// Every other element of a row of an even size is a pair too.
// CHECK-LABEL: func.func private @every_other
// CHECK:         [[PAIRS:%.+]] = affine.vector_load %a[%i * 2] : memref<128xf32>, vector<64xf32>
// CHECK-NEXT:    vector.shuffle [[PAIRS]], [[PAIRS]] [1, 3, {{.*}}, 63]
func.func private @every_other(%a: memref<128xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i * 2 + 1] : memref<128xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<64xf32>
  }
  func.return
}

// One part alone is not stored by vectors.
// CHECK-LABEL: func.func private @one_part
// CHECK-NOT:     vector
// CHECK:       func.func private @after
func.func private @one_part(%a: memref<64xf32>, %b: memref<64x2xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i, 0] : memref<64x2xf32>
  }
  func.return
}
func.func private @after() {
  func.return
}

// A loop that stays, of few steps, doesn't keep the others from being vector code.
// CHECK-LABEL: func.func @short_chain
// CHECK: affine.for %{{.*}} = 0 to 4096 step 64
// CHECK: affine.vector_store
// CHECK: affine.for %{{.*}} = 0 to 5 iter_args
func.func @short_chain(%a: memref<4096xf32>, %b: memref<4096xf32>, %s: memref<5xf32>, %r: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4096 {
    %0 = affine.load %a[%i] : memref<4096xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[%i] : memref<4096xf32>
  }
  %sum, %error = affine.for %i = 0 to 5 iter_args(%old = %zero, %lost = %zero) -> (f32, f32) {
    %0 = affine.load %s[%i] : memref<5xf32>
    %1 = arith.addf %old, %0 : f32
    %2 = arith.subf %1, %old : f32
    %3 = arith.subf %0, %2 : f32
    %4 = arith.addf %lost, %3 : f32
    affine.yield %1, %4 : f32, f32
  }
  %2 = arith.addf %sum, %error : f32
  affine.store %2, %r[] : memref<f32>
  func.return
}
