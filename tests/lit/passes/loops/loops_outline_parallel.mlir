// RUN: xla-opt %s -p 'loops-outline-parallel{threads=2}' --split-input-file | filecheck %s

// Captures are arguments, constants are cloned, the body runs over a range of the linear index.

// CHECK-LABEL: func.func private @kernel_parallel(
// CHECK-SAME: [[X:%[a-z0-9_]+]]: f32, [[A:%[a-z0-9_]+]]: memref<8x4xf32>, [[LO:%[a-z0-9_]+]]: index, [[HI:%[a-z0-9_]+]]: index, [[THREAD:%[a-z0-9_]+]]: index) {
// CHECK: [[C1:%[a-z0-9_]+]] = arith.constant 1 : index
// CHECK: [[C4:%[a-z0-9_]+]] = arith.constant 4 : index
// CHECK: [[F:%[a-z0-9_]+]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: scf.for [[N:%[a-z0-9_]+]] = [[LO]] to [[HI]] step [[C1]] {
// CHECK-NEXT: [[J:%[a-z0-9_]+]] = arith.remui [[N]], [[C4]] : index
// CHECK-NEXT: [[I:%[a-z0-9_]+]] = arith.divui [[N]], [[C4]] : index
// CHECK-NEXT: [[Y:%[a-z0-9_]+]] = arith.mulf [[X]], [[F]] : f32
// CHECK-NEXT: memref.store [[Y]], [[A]][[[I]], [[J]]] : memref<8x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return
// CHECK: func.func private @kernel(
// CHECK-SAME: [[A:%[a-z0-9_]+]]: memref<8x4xf32>, [[B:%[a-z0-9_]+]]: memref<8x4xf32>)
// CHECK: [[X:%[a-z0-9_]+]] = memref.load [[B]]
// CHECK-NEXT: "xrt.parallel"([[X]], [[A]]) <{callee = @kernel_parallel, trip_count = 32 : index}> : (f32, memref<8x4xf32>) -> ()
// CHECK-NEXT: func.return
func.func private @kernel(%a: memref<8x4xf32>, %b: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 2.0 : f32
  %x = memref.load %b[%c0, %c0] : memref<8x4xf32>
  "scf.parallel"(%c0, %c0, %c8, %c4, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%i: index, %j: index):
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%i, %j] : memref<8x4xf32>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  func.return
}

// -----

// Lower bounds and steps; the thread number; a loop nested in the parallel one; two loops in one
// function.

// CHECK-LABEL: func.func private @steps_parallel(
// CHECK-SAME: [[THREAD:%[a-z0-9_]+]]: index) {
// CHECK-DAG: [[C2:%[a-z0-9_]+]] = arith.constant 2 : index
// CHECK-DAG: [[C3:%[a-z0-9_]+]] = arith.constant 3 : index
// CHECK: scf.for [[N:%[a-z0-9_]+]] =
// CHECK-NEXT: [[SCALED:%[a-z0-9_]+]] = arith.muli [[N]], [[C2]] overflow<nsw> : index
// CHECK-NEXT: [[I:%[a-z0-9_]+]] = arith.addi [[SCALED]], [[C3]] overflow<nsw> : index
// CHECK-NEXT: memref.alloca
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[THREAD]]]
// CHECK-NEXT: scf.for [[J:%[a-z0-9_]+]] =
// CHECK-NEXT: scf.for [[K:%[a-z0-9_]+]] =
// CHECK-NEXT: [[S:%[a-z0-9_]+]] = arith.addi [[J]], [[K]]
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[S]]]
// CHECK: func.func private @steps_parallel_1(
// CHECK: func.func @steps(
// CHECK: [[ZERO:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[ZERO]]]
// CHECK: "xrt.parallel"({{.*}}) <{callee = @steps_parallel, trip_count = 4 : index}>
// CHECK: "xrt.parallel"({{.*}}) <{callee = @steps_parallel_1, trip_count = 2 : index}>
func.func @steps(%a: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %t0 = xrt.thread_id : index
  memref.store %x, %a[%t0] : memref<16xf32>
  "scf.parallel"(%c3, %c10, %c2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %row = memref.alloca() : memref<4xf32>
    %t = xrt.thread_id : index
    memref.store %x, %row[%t] : memref<4xf32>
    "scf.parallel"(%c0, %c0, %i, %c2, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb1(%j: index, %k: index):
      %s = arith.addi %j, %k : index
      memref.store %x, %a[%s] : memref<16xf32>
      scf.reduce
    }) : (index, index, index, index, index, index) -> ()
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%c0, %c2, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<16xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}

// -----

// A trip count that is not known, or not above 1, stays a loop.

// CHECK-LABEL: @sequential
// CHECK-NOT: xrt.parallel
// CHECK: scf.for [[I:%[a-z0-9_]+]] =
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[I]]]
// CHECK: scf.for [[I:%[a-z0-9_]+]] =
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[I]]]
func.func @sequential(%a: memref<16xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "scf.parallel"(%c0, %n, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<16xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  "scf.parallel"(%c0, %c1, %c1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    memref.store %x, %a[%i] : memref<16xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
