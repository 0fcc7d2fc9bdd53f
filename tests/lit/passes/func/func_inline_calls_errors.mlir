// RUN: xla-opt %s -p func-inline-calls --split-input-file --verify-diagnostics

// expected-error @+1 {{recursive calls cannot be inlined: @b -> @a -> @b}}
func.func private @b(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @a(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @a(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @b(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @a(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' of @external: the function has no body}}
  %0 = func.call @external(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @external(tensor<f32>) -> tensor<f32>
