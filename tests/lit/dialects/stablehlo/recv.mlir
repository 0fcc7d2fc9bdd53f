// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `recv`: a value that another process sends.

// The receiver stands first and waits; what it gets is used.
func.func @from_the_second() {
  %x = stablehlo.constant dense<[0.5, -0.0]> : tensor<2xf32>
  %received = "interpreter.run_parallel"(%x) <{programs = [[@receiver, @sender]]}> : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %received, dense<[1.0, -0.0]> : tensor<2xf32>
  return
}

func.func private @receiver() -> tensor<2xf32> {
  %token = stablehlo.create_token : !stablehlo.token
  %value, %received = "stablehlo.recv"(%token) <{
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %twice = stablehlo.add %value, %value : tensor<2xf32>
  return %twice : tensor<2xf32>
}

func.func private @sender(%x: tensor<2xf32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %sent = "stablehlo.send"(%x, %token) <{
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>
  }> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
