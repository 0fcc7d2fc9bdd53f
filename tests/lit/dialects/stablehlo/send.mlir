// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `send` and `recv`: from one process to another.

// Partition 0 sends to partition 1.
func.func @pair() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %received = "interpreter.run_parallel"(%x) <{programs = [[@sender, @receiver]]}> : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %received, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func private @sender(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%x, %token) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func private @receiver() -> tensor<2xi32> {
  %token = stablehlo.create_token : !stablehlo.token
  %value, %received = "stablehlo.recv"(%token) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %value : tensor<2xi32>
}

// -----

// Two values on two channels, received in the other order.
func.func @two_channels() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2.5> : tensor<f32>
  %received:2 = "interpreter.run_parallel"(%x, %y) <{programs = [[@sender, @receiver]]}> : (tensor<i32>, tensor<f32>) -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const %received#0, dense<2.5> : tensor<f32>
  check.expect_eq_const %received#1, dense<1> : tensor<i32>
  return
}

func.func private @sender(%x: tensor<i32>, %y: tensor<f32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%x, %token) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %then = "stablehlo.send"(%y, %sent) <{
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func private @receiver() -> (tensor<f32>, tensor<i32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %second, %received = "stablehlo.recv"(%token) <{
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %first, %then = "stablehlo.recv"(%received) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %second, %first : tensor<f32>, tensor<i32>
}

// -----

// One program for both: each sends to the other.
func.func @exchange() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2> : tensor<i32>
  %results:2 = "interpreter.run_parallel"(%x, %y) <{programs = [[@process, @process]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<2> : tensor<i32>
  check.expect_eq_const %results#1, dense<1> : tensor<i32>
  return
}

func.func private @process(%x: tensor<i32>) -> tensor<i32> {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%x, %token) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  }> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %value, %received = "stablehlo.recv"(%sent) <{
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
  }> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %value : tensor<i32>
}
