// RUN: xla-opt %s -p func-inline-scalar-kernels --split-input-file | filecheck %s

// A kernel without loops stands where it was called, in a loop of the program too, and is gone.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %x: memref<i32>, %n: memref<i32>)
// CHECK: scf.while
// CHECK: [[A:%.+]] = affine.load %x[] : memref<i32>
// CHECK: [[B:%.+]] = affine.load %n[] : memref<i32>
// CHECK: [[C:%.+]] = arith.cmpi slt, [[A]], [[B]] : i32
// CHECK: affine.store [[C]], [[P:%.+]][] : memref<i1>
// CHECK: [[Q:%.+]] = memref.load [[P]][] : memref<i1>
// CHECK: scf.condition([[Q]])
// CHECK: arith.addi
// CHECK: arith.addi
// CHECK-NOT: @scalar
func.func public @main(%x: memref<i32>, %n: memref<i32>) attributes {xrt.entry} {
  scf.while () : () -> () {
    %p = memref.alloc() : memref<i1>
    func.call @scalar_0(%x, %n, %p) : (memref<i32>, memref<i32>, memref<i1>) -> ()
    %c = memref.load %p[] : memref<i1>
    scf.condition(%c)
  } do {
    %y = memref.alloc() : memref<i32>
    func.call @scalar_1(%x, %y) : (memref<i32>, memref<i32>) -> ()
    func.call @scalar_1(%y, %x) : (memref<i32>, memref<i32>) -> ()
    scf.yield
  }
  return
}
func.func private @scalar_0(%0: memref<i32>, %1: memref<i32>, %2: memref<i1>) attributes {xrt.kernel} {
  %3 = affine.load %0[] : memref<i32>
  %4 = affine.load %1[] : memref<i32>
  %5 = arith.cmpi slt, %3, %4 : i32
  affine.store %5, %2[] : memref<i1>
  return
}
func.func private @scalar_1(%0: memref<i32>, %1: memref<i32>) attributes {xrt.kernel} {
  %2 = arith.constant 1 : i32
  %3 = affine.load %0[] : memref<i32>
  %4 = arith.addi %3, %2 : i32
  affine.store %4, %1[] : memref<i32>
  return
}

// -----

// A kernel with a loop stays, and so does one with a buffer of its own.
// CHECK-LABEL: func.func public @main(
// CHECK: func.call @loop(
// CHECK: func.call @buffer(
// CHECK: func.func private @loop(
// CHECK: func.func private @buffer(
func.func public @main(%x: memref<8xf32>) attributes {xrt.entry} {
  func.call @loop(%x) : (memref<8xf32>) -> ()
  func.call @buffer(%x) : (memref<8xf32>) -> ()
  return
}
func.func private @loop(%x: memref<8xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i] : memref<8xf32>
  }
  return
}
func.func private @buffer(%x: memref<8xf32>) attributes {xrt.kernel} {
  %t = memref.alloc() : memref<f32>
  %v = affine.load %x[0] : memref<8xf32>
  affine.store %v, %t[] : memref<f32>
  return
}
