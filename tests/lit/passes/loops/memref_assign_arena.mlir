// RUN: xla-opt %s -p "memref-assign-arena{threads=2}" --split-input-file | filecheck %s

// Two buffers that are never alive together share their place.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %x: memref<32xf32>, %y: memref<32xf32>, %arena: memref<256xi8>)
// CHECK-NEXT: [[Z2:%.+]] = arith.constant 0 : index
// CHECK-NEXT: [[Z1:%.+]] = arith.constant 128 : index
// CHECK-NEXT: [[Z0:%.+]] = arith.constant 0 : index
// CHECK: [[A:%.+]] = memref.view %arena[[[Z0]]][] : memref<256xi8> to memref<32xf32>
// CHECK: func.call @k(%x, [[A]])
// CHECK: [[B:%.+]] = memref.view %arena[[[Z1]]][] : memref<256xi8> to memref<32xf32>
// CHECK: func.call @k([[A]], [[B]])
// CHECK: [[C:%.+]] = memref.view %arena[[[Z2]]][] : memref<256xi8> to memref<32xf32>
// CHECK: func.call @k([[B]], [[C]])
// CHECK: func.call @k([[C]], %y)
// CHECK-NOT: memref.alloc
func.func public @main(%x: memref<32xf32>, %y: memref<32xf32>) attributes {xrt.entry} {
  %a = memref.alloc() : memref<32xf32>
  func.call @k(%x, %a) : (memref<32xf32>, memref<32xf32>) -> ()
  %b = memref.alloc() : memref<32xf32>
  func.call @k(%a, %b) : (memref<32xf32>, memref<32xf32>) -> ()
  %c = memref.alloc() : memref<32xf32>
  func.call @k(%b, %c) : (memref<32xf32>, memref<32xf32>) -> ()
  func.call @k(%c, %y) : (memref<32xf32>, memref<32xf32>) -> ()
  return
}
func.func private @k(%x: memref<32xf32>, %y: memref<32xf32>) attributes {xrt.kernel} {
  return
}

// -----

// A kernel's scratch: the shared buffer first, then one slice per thread. The program hands it in.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %x: memref<8xf32>, %arena: memref<384xi8>)
// CHECK: [[S:%.+]] = memref.view %arena[%{{.+}}][] : memref<384xi8> to memref<384xi8>
// CHECK: func.call @k(%x, [[S]]) : (memref<8xf32>, memref<384xi8>) -> ()
// CHECK: func.func private @k(%x: memref<8xf32>, %scratch: memref<384xi8>)
// CHECK: [[SHARED:%.+]] = memref.view %scratch[%{{.+}}][] : memref<384xi8> to memref<8xf32>
// CHECK: affine.parallel
// CHECK: [[T:%.+]] = "xrt.thread_id"()
// CHECK: [[SIZE:%.+]] = arith.constant 128 : index
// CHECK: [[START:%.+]] = arith.muli [[T]], [[SIZE]] : index
// CHECK: [[BASE:%.+]] = arith.constant 128 : index
// CHECK: [[AT:%.+]] = arith.addi [[START]], [[BASE]] : index
// CHECK: memref.view %scratch[[[AT]]][] : memref<384xi8> to memref<4xf32>
func.func public @main(%x: memref<8xf32>) attributes {xrt.entry} {
  func.call @k(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @k(%x: memref<8xf32>) attributes {xrt.kernel} {
  %shared = memref.alloc() : memref<8xf32>
  "memref.copy"(%x, %shared) : (memref<8xf32>, memref<8xf32>) -> ()
  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : vector<1xi32>, upperBoundsMap = affine_map<() -> (8)>, upperBoundsGroups = dense<1> : vector<1xi32>, steps = [1 : i64], reductions = []}> ({
  ^bb0(%i: index):
    %private = memref.alloc() : memref<4xf32>
    %v = affine.load %shared[%i] : memref<8xf32>
    affine.store %v, %private[0] : memref<4xf32>
    affine.yield
  }) : () -> ()
  return
}

// -----

// A single element of the program stands on the stack, for LLVM to find a register.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %x: memref<f32>, %y: memref<f32>)
// CHECK: [[T:%.+]] = memref.alloca() : memref<f32>
// CHECK: "memref.copy"(%x, [[T]])
func.func public @main(%x: memref<f32>, %y: memref<f32>) attributes {xrt.entry} {
  %t = memref.alloc() : memref<f32>
  "memref.copy"(%x, %t) : (memref<f32>, memref<f32>) -> ()
  "memref.copy"(%t, %y) : (memref<f32>, memref<f32>) -> ()
  return
}

// -----

// A kernel that calls another one has its scratch, in a parallel loop for each thread.
// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: %scratch: memref<128xi8>)
func.func private @inner(%x: memref<32xf32>) attributes {xrt.kernel} {
  %t = memref.alloc() : memref<32xf32>
  %0 = affine.load %x[0] : memref<32xf32>
  affine.store %0, %t[0] : memref<32xf32>
  return
}
// CHECK-LABEL: func.func private @outer(
// CHECK-SAME: %scratch: memref<256xi8>)
// CHECK: "xrt.thread_id"()
// CHECK: [[INNER:%.+]] = memref.view %scratch
// CHECK: func.call @inner(%x, [[INNER]])
func.func private @outer(%x: memref<32xf32>) attributes {xrt.kernel} {
  "affine.parallel"() <{reductions = [], lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (8)>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1 : i64]}> ({
  ^bb0(%i: index):
    func.call @inner(%x) : (memref<32xf32>) -> ()
    affine.yield
  }) : () -> ()
  return
}
