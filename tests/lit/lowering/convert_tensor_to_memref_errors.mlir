// RUN: xla-opt %s -p convert-tensor-to-memref --verify-diagnostics

// expected-error@+1 {{'@layer_0' is a layer: 'func-inline-layers' has to run first}}
func.func private @layer_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.layer, xrt.entry} {
  func.return %x : tensor<8xf32>
}
