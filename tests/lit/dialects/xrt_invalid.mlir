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
  // expected-error @below {{option 'xrt.parameters' names array 3, of 2 outputs and 1 inputs}}
  xrt.call_target "xrt.lapack.spotrf"(%x : memref<4x4xf32>) outs(%y, %i : memref<4x4xf32>, memref<i32>) {signature = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>), options = {xrt.parameters = ["L", 4 : i32, 0 : index, 3 : index], xrt.batch = 1 : i64, xrt.spaces = 0 : i64}}
  return
}

// -----

func.func @routine(%x: memref<4x4xf32>, %y: memref<4x4xf32>, %i: memref<i32>) {
  // expected-error @below {{an array of type memref<i32> does not hold 2 matrices}}
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

// -----

func.func @of_two_dimensions(%a: memref<8x8xf32>, %b: memref<64xf32>, %i: index) {
  // expected-error @+1 {{buffers have one dimension}}
  xrt.tile %a[%i], %b[%i], %b[%i] {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>} : memref<8x8xf32>, memref<64xf32>, memref<64xf32>
  func.return
}

// -----

func.func @of_integers(%a: memref<64xi32>, %i: index) {
  // expected-error @+1 {{buffers are of f32 or of f64, all three}}
  xrt.tile %a[%i], %a[%i], %a[%i] {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>} : memref<64xi32>, memref<64xi32>, memref<64xi32>
  func.return
}

// -----

func.func @without_steps(%a: memref<64xf32>, %i: index) {
  // expected-error @+1 {{what is fetched ahead has a place and steps}}
  xrt.tile %a[%i], %a[%i], %a[%i] ahead %i {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>} : memref<64xf32>, memref<64xf32>, memref<64xf32>
  func.return
}

// -----

func.func @never(%a: memref<64xf32>, %i: index) {
  // expected-error @+1 {{every loop has at least one trip, and a step for each factor}}
  xrt.tile %a[%i], %a[%i], %a[%i] {trips = array<i64: 0>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>} : memref<64xf32>, memref<64xf32>, memref<64xf32>
  func.return
}

// -----

func.func @chain_of_no_loop(%a: memref<64xf32>, %i: index) {
  // expected-error @+1 {{there is no function 'xrt.tile.f32_2x8_0_0_1_2__'}}
  xrt.tile %a[%i], %a[%i], %a[%i] {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64: 2>} : memref<64xf32>, memref<64xf32>, memref<64xf32>
  func.return
}

// -----

func.func @rows_without_distance(%a: memref<64xf32>, %i: index) {
  // expected-error @+1 {{rows are so many, and so far apart}}
  xrt.prefetch %a[%i] lines 8 rows 2 : memref<64xf32>
  func.return
}
