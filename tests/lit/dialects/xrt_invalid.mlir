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
