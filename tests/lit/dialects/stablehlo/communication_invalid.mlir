// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{expected a token, got tensor<4x6xf32>}}
  %0 = stablehlo.after_all %x : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.infeed' op: stablehlo.infeed (C1): expected at least one result}}
  "stablehlo.infeed"(%tok) : (!stablehlo.token) -> ()
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.infeed' op: stablehlo.infeed (C2): expected tensors before the token, got (!stablehlo.token, !stablehlo.token)}}
  %0:2 = "stablehlo.infeed"(%tok) : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.infeed' op: stablehlo.infeed (C3): expected a token as last result, got (tensor<4xf32>)}}
  %0 = "stablehlo.infeed"(%tok) : (!stablehlo.token) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.infeed' op: stablehlo.infeed (layout): expected 1 layouts, got []}}
  %0:2 = "stablehlo.infeed"(%tok) <{layout = []}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.infeed' op: stablehlo.infeed (layout): expected an order of the dimensions of tensor<4x6xf32>, got [1 : i64, 1 : i64]}}
  %0:2 = "stablehlo.infeed"(%tok) <{layout = [[1, 1]]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.send' op: stablehlo.send (C5): expected channel type 2, got 3}}
  %0 = "stablehlo.send"(%x, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (C5): expected channel type 1, got 2}}
  %0:2 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (results): expected at least one result}}
  "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> ()
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (results): expected tensors before the token, got (!stablehlo.token, !stablehlo.token)}}
  %0:2 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (results): expected a token as last result, got (tensor<4xf32>)}}
  %0 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%future: !stablehlo.future<tensor<4xf32>>) {
  // expected-error @below {{stablehlo.async_done' op: stablehlo.async_done (results): expected (tensor<4xf32>), got (tensor<5xf32>)}}
  %0 = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xf32>>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.async_start' op: stablehlo.async_start (body): expected body to return (tensor<5xf32>), got (tensor<4xf32>)}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<5xf32>>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{operand is used with type !stablehlo.token, but has been previously used or defined with type tensor<4xf32>}}
  %0 = stablehlo.after_all %a : !stablehlo.token
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @below {{stablehlo.send' op: stablehlo.send (C2): source_target_pairs [(0, 1), (0, 2)] repeat a source}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @below {{stablehlo.send' op: stablehlo.send (C3): source_target_pairs [(0, 1), (2, 1)] repeat a target}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @below {{stablehlo.send' op: stablehlo.send (C4): source_target_pairs [(-1, 1), (2, 0)] have a negative id}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-1, 1], [2, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @invalid(%t: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (C1): expected pairs, got dense<[[0, 1, 2]]> : tensor<1x3xi64>}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error @below {{stablehlo.send' op: stablehlo.send (C1): expected pairs, got dense<[[0, 1, 2]]> : tensor<1x3xi64>}}
  %0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @invalid(%t: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (C2): source_target_pairs [(0, 1), (0, 2)] repeat a source}}
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%t: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (C3): source_target_pairs [(0, 1), (2, 1)] repeat a target}}
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @invalid(%t: !stablehlo.token) {
  // expected-error @below {{stablehlo.recv' op: stablehlo.recv (C4): source_target_pairs [(-1, 1)] have a negative id}}
  %0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[-1, 1]]> : tensor<1x2xi64>} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}
