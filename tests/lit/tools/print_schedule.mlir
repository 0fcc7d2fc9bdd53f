// RUN: xla-opt %s --split-input-file --print-schedule | filecheck %s
// RUN: xla-opt %s --split-input-file --print-schedule -o %t
// RUN: filecheck %s --input-file %t
// RUN: not xla-opt %s --split-input-file --print-schedule -t llvm 2>&1 | filecheck %s --check-prefix TARGET

// TARGET: error: --print-schedule prints text of its own: without -t

// An elementwise kernel: of each buffer 1000 floats, two operations for each.

// CHECK:      trips reads writes scratch operations
// CHECK-NEXT: kernel elementwise(x, y, out0) 7.8 KiB 3.9 KiB - 2.0 k
// CHECK-NEXT: for i = 0 to 1000 1000 7.8 KiB 3.9 KiB - 2.0 k
// CHECK-NEXT: load x[i], y[i]; addf, tanh; store out0[i]
func.func private @elementwise(%x: memref<1000xf32>, %y: memref<1000xf32>, %0: memref<1000xf32>)
    attributes {xrt.kernel} {
  affine.for %1 = 0 to 1000 {
    %2 = affine.load %x[%1] : memref<1000xf32>
    %3 = affine.load %y[%1] : memref<1000xf32>
    %4 = arith.addf %2, %3 : f32
    %5 = math.tanh %4 : f32
    affine.store %5, %0[%1] : memref<1000xf32>
  }
  func.return
}

// -----

// A reduction over rows by several threads, each with memory of its own: one trip of the outer loop reads a row.

// CHECK:      kernel rows(x, out0) 1.0 MiB 1.0 MiB 1.0 KiB 786.4 k
// CHECK-NEXT: parallel i = 0 to 1024 1024 1.0 MiB 1.0 MiB 1.0 KiB 786.4 k
// CHECK-NEXT: scratch scratch0 : memref<256xf32>
// CHECK-NEXT: for j = 0 to 256 carries addf 256 1.0 KiB - 1.0 KiB 512
// CHECK-NEXT: load x[i, j]; exp, addf; store scratch0[j]
// CHECK-NEXT: for j = 0 to 256 step 16 16 - 1.0 KiB 1.0 KiB 256
// CHECK-NEXT: load scratch0[j] vector<16xf32>
// CHECK-NEXT: divf vector<16xf32>
// CHECK-NEXT: store out0[i, j] vector<16xf32>
func.func private @rows(%x: memref<1024x256xf32>, %0: memref<1024x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  "affine.parallel"() <{
      lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : vector<1xi32>,
      upperBoundsMap = affine_map<() -> (1024)>, upperBoundsGroups = dense<1> : vector<1xi32>,
      reductions = [], steps = [1 : i64]}> ({
  ^bb0(%1: index):
    %2 = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
    %3 = affine.for %4 = 0 to 256 iter_args(%5 = %zero) -> (f32) {
      %6 = affine.load %x[%1, %4] : memref<1024x256xf32>
      %7 = math.exp %6 : f32
      %8 = arith.addf %5, %7 : f32
      affine.store %7, %2[%4] : memref<256xf32>
      affine.yield %8 : f32
    }
    %9 = vector.broadcast %3 : f32 to vector<16xf32>
    affine.for %10 = 0 to 256 step 16 {
      %11 = affine.vector_load %2[%10] : memref<256xf32>, vector<16xf32>
      %12 = arith.divf %11, %9 : vector<16xf32>
      affine.vector_store %12, %0[%1, %10] : memref<1024x256xf32>, vector<16xf32>
    }
    affine.yield
  }) : () -> ()
  func.return
}

// -----

// A while loop, in a program that calls a kernel: nobody knows how often it runs, so one trip counts.

// CHECK:      function main(x) 400 B 400 B 4 B 201+
// CHECK-NEXT: scratch scratch0 : memref<i32>
// CHECK-NEXT: while ? 400 B 400 B 4 B 201+
// CHECK-NEXT: load scratch0[]; cmpi
// CHECK-NEXT: do
// CHECK-NEXT: call twice(x, x) 400 B 400 B - 200
// CHECK:      kernel twice(in0, out0) 400 B 400 B - 200
func.func @main(%x: memref<100xf32>) {
  %0 = memref.alloc() : memref<i32>
  %last = arith.constant 10 : i32
  scf.while () : () -> () {
    %1 = memref.load %0[] : memref<i32>
    %2 = arith.cmpi slt, %1, %last : i32
    scf.condition(%2)
  } do {
    func.call @twice(%x, %x) : (memref<100xf32>, memref<100xf32>) -> ()
    scf.yield
  }
  func.return
}
func.func private @twice(%0: memref<100xf32>, %1: memref<100xf32>) attributes {xrt.kernel} {
  affine.for %2 = 0 to 50 {
    affine.for %3 = 0 to 2 {
      %4 = affine.load %0[%2 * 2 + %3] : memref<100xf32>
      %5 = arith.addf %4, %4 : f32
      %6 = arith.mulf %5, %5 : f32
      affine.store %6, %1[%2 * 2 + %3] : memref<100xf32>
    }
  }
  func.return
}

// -----

// Ops of other levels are named and counted.

// CHECK:      function high(x) - - - -
// CHECK-NEXT: stablehlo.add x 2
// CHECK:      llvm.func low
// CHECK-NEXT: 2 llvm ops
func.func @high(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
llvm.func @low(%x: i32) -> i32 {
  %0 = llvm.add %x, %x : i32
  llvm.return %0 : i32
}
