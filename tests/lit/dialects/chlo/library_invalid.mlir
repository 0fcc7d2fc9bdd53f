// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.top_k' op: chlo.top_k (k): k = 7 of a last dimension of size 6}}
  %0:2 = chlo.top_k(%x, k = 7) : tensor<4x6xf32> -> (tensor<4x7xf32>, tensor<4x7xi32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.top_k' op: chlo.top_k (type): expected result type tensor<4x2xf32>, got tensor<4x3xf32>}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x6xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

func.func @invalid(%f: tensor<f32>) {
  // expected-error @below {{chlo.top_k' op: chlo.top_k (rank): expected at least one dimension, got tensor<f32>}}
  %0:2 = chlo.top_k(%f, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{chlo.constant_like' op: chlo.constant_like (type): expected result type tensor<4x6xf32>, got tensor<4x5xf32>}}
  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @below {{chlo.scan' op: chlo.scan (dimension): dimension 1 of tensor<4xf32>}}
  %0:2 = chlo.scan(%x) inits (%i) dimension=1 {
  ^bb0(%e: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %e, %c : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @below {{chlo.scan' op: chlo.scan (body): expected body to take (tensor<f32>, tensor<f32>), got (tensor<f32>, tensor<i32>)}}
  %0:2 = chlo.scan(%x) inits (%i) dimension=0 {
  ^bb0(%e: tensor<f32>, %c: tensor<i32>):
    stablehlo.return %e, %e : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{chlo.scan' op: chlo.scan (inputs): expected at least one input or output}}
  chlo.scan() inits (%x) dimension=0 {
  ^bb0(%c: tensor<4xf32>):
    stablehlo.return %c : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error @below {{chlo.scan' op: chlo.scan (dimension): sizes [3, 4, 4] of dimension 0 differ}}
  %0:2 = chlo.scan(%x) inits (%i) dimension=0 attributes {scan_dim_size = 3 : i64} {
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %a, %c : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
