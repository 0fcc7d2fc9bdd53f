// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @rank(%x: memref<64x8xf32>, %i: index) {
  // expected-error @below {{expected 2 indices, got 1}}
  xrt.prefetch %x[%i] : memref<64x8xf32>
  return
}

// -----

func.func @lines(%x: memref<64xf32>, %i: index) {
  // expected-error @below {{expected at least one line, got 0}}
  xrt.prefetch %x[%i] lines 0 : memref<64xf32>
  return
}

// -----

func.func @element(%x: memref<64xf32>, %i: index) {
  // expected-error @below {{a part has the element type of the buffer}}
  %0 = xrt.part %x[%i] : memref<64xf32> -> memref<8xf64>
  return
}

// -----

func.func @size(%x: memref<64xf32>, %i: index) {
  // expected-error @below {{a part has at most as many elements as the buffer}}
  %0 = xrt.part %x[%i] : memref<64xf32> -> memref<9x8xf32>
  return
}

// -----

func.func @routine(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %i: memref<i32>) {
  // expected-error @below {{option 'xrt.batch' of a routine is an i64 of at least 1, got None}}
  xrt.call_target "xrt.lapack.spotrf"(%x : memref<4x4xf32>) outs(%y, %i : memref<4x4xf32>, memref<i32>) {signature = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>), options = {xrt.parameters = [0 : index, 1 : index]}}
  return
}

// -----

func.func @routine(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %i: memref<i32>) {
  // expected-error @below {{option 'xrt.parameters' names output 2 of 2}}
  xrt.call_target "xrt.lapack.spotrf"(%x : memref<4x4xf32>) outs(%y, %i : memref<4x4xf32>, memref<i32>) {signature = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>), options = {xrt.parameters = ["L", 4 : i32, 0 : index, 2 : index], xrt.batch = 1 : i64, xrt.spaces = 0 : i64}}
  return
}

// -----

func.func @routine(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %i: memref<i32>) {
  // expected-error @below {{an output of type memref<i32> does not hold 2 matrices}}
  xrt.call_target "xrt.lapack.spotrf"(%x : memref<4x4xf32>) outs(%y, %i : memref<4x4xf32>, memref<i32>) {signature = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>), options = {xrt.parameters = [0 : index], xrt.batch = 2 : i64, xrt.spaces = 0 : i64}}
  return
}

// -----

func.func @routine(%x: memref<4x4xf32>, %y: memref<2x4xf32>, %i: memref<i32>) {
  // expected-error @below {{the first outputs of a routine have the types of the inputs}}
  xrt.call_target "xrt.lapack.spotrf"(%x : memref<4x4xf32>) outs(%y, %i : memref<2x4xf32>, memref<i32>) {signature = (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<i32>), options = {xrt.parameters = [0 : index], xrt.batch = 1 : i64, xrt.spaces = 0 : i64}}
  return
}

// -----

func.func @unknown(%a: vector<32xbf16>, %s: vector<16xf32>) {
  // expected-error @+1 {{no dot product 'fma'}}
  %r = xrt.dot "fma" %a, %a, %s : vector<32xbf16>, vector<16xf32>
  func.return
}

// -----

func.func @of_another_type(%a: vector<32xf16>, %s: vector<16xf32>) {
  // expected-error @+1 {{'vdpbf16ps' takes vectors of bf16}}
  %r = xrt.dot "vdpbf16ps" %a, %a, %s : vector<32xf16>, vector<16xf32>
  func.return
}

// -----

func.func @of_another_length(%a: vector<32xi8>, %s: vector<16xi32>) {
  // expected-error @+1 {{'vpdpbusd' adds 4 products to each of 16 sums}}
  %r = xrt.dot "vpdpbusd" %a, %a, %s : vector<32xi8>, vector<16xi32>
  func.return
}
