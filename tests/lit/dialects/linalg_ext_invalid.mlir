// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%x: memref<4x8xf32>, %y: memref<4x9xf32>) {
  // expected-error @below {{differ in shape or elements}}
  linalg_ext.scan %x outs(%y) dimension 1 init 0.0 : f32 {
  ^bb0(%total: f32, %element: f32):
    linalg_ext.yield %total : f32
  } : memref<4x8xf32>, memref<4x9xf32>
  return
}

// -----

func.func @dimension(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{dimension 1 is not one of memref<4xf32>}}
  linalg_ext.scan %x outs(%y) dimension 1 init 0.0 : f32 {
  ^bb0(%total: f32, %element: f32):
    linalg_ext.yield %total : f32
  } : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @totals(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{totals of f32 are not carried as bf16}}
  linalg_ext.scan %x outs(%y) dimension 0 init 0.0 : bf16 {
  ^bb0(%total: bf16, %element: f32):
    linalg_ext.yield %total : bf16
  } : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @region(%x: memref<4xi32>, %y: memref<4xi32>) {
  // expected-error @below {{the region takes (i32, i32), not (i32)}}
  linalg_ext.scan %x outs(%y) dimension 0 init 0 : i32 {
  ^bb0(%total: i32):
    linalg_ext.yield %total : i32
  } : memref<4xi32>, memref<4xi32>
  return
}

// -----

func.func @result(%x: tensor<4xi32>, %y: tensor<4xi32>) {
  // expected-error @below {{an output that is a tensor has a result of its type}}
  linalg_ext.scan %x outs(%y) dimension 0 init 0 : i32 {
  ^bb0(%total: i32, %element: i32):
    linalg_ext.yield %total : i32
  } : tensor<4xi32>, tensor<4xi32>
  return
}

// -----

func.func @yields(%x: memref<4xi32>, %y: memref<4xi32>) {
  // expected-error @below {{the region ends with a linalg_ext.yield of one i1}}
  linalg_ext.sort %x outs(%y) dimension 0 {
  ^bb0(%a: i32, %b: i32):
    linalg_ext.yield %a : i32
  } : (memref<4xi32>) (memref<4xi32>)
  return
}

// -----

func.func @longer(%x: memref<4xi32>, %y: memref<5xi32>) {
  // expected-error @below {{memref<5xi32> does not hold first elements of lines of memref<4xi32>}}
  linalg_ext.sort %x outs(%y) dimension 0 {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi slt, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<4xi32>) (memref<5xi32>)
  return
}

// -----

func.func @counts(%x: memref<4xi32>, %y: memref<4xi32>, %z: memref<4xf32>) {
  // expected-error @below {{memref<4xf32> cannot count: it has no integers}}
  linalg_ext.sort %x outs(%y, %z) dimension 0 counts [1] {
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %0 = arith.cmpi slt, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<4xi32>) (memref<4xi32>, memref<4xf32>)
  return
}

// -----

func.func @operands(%x: memref<4xi32>, %y: memref<4xi32>, %z: memref<4xi32>) {
  // expected-error @below {{1 operands, of which 0 count, and 2 outputs}}
  linalg_ext.sort %x outs(%y, %z) dimension 0 {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %0 = arith.cmpi slt, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<4xi32>) (memref<4xi32>, memref<4xi32>)
  return
}
