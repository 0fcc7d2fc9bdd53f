// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `infeed`: data from the host.

// Two batches, in order; the second has other types.
func.func @two_batches() {
  %results:3 = "interpreter.run_parallel"() <{infeed = [@first, @second], programs = [[@reader]]}> : () -> (tensor<2xi32>, tensor<f32>, tensor<i1>)
  check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<0.5> : tensor<f32>
  check.expect_eq_const %results#2, dense<true> : tensor<i1>
  return
}

func.func private @first() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  return %x : tensor<2xi32>
}

func.func private @second() -> (tensor<f32>, tensor<i1>) {
  %x = stablehlo.constant dense<0.5> : tensor<f32>
  %y = stablehlo.constant dense<true> : tensor<i1>
  return %x, %y : tensor<f32>, tensor<i1>
}

func.func private @reader() -> (tensor<2xi32>, tensor<f32>, tensor<i1>) {
  %token = stablehlo.create_token : !stablehlo.token
  %x, %read = "stablehlo.infeed"(%token) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %y, %z, %then = "stablehlo.infeed"(%read) <{infeed_config = "any", layout = [[], []]}> : (!stablehlo.token) -> (tensor<f32>, tensor<i1>, !stablehlo.token)
  return %x, %y, %z : tensor<2xi32>, tensor<f32>, tensor<i1>
}
