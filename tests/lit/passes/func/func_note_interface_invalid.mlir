// RUN: xla-opt %s -p func-note-interface --split-input-file --verify-diagnostics

// expected-error @below {{argument 0 has tf.aliasing_output = 1, and there are 1 results}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 has tf.aliasing_output = -1, and there are 1 results}}
func.func @main(%x: tensor<4xf32> {tf.aliasing_output = -1 : i32}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
