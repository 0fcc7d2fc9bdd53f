// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `partition_id`: which partition of its replica a process is.

// One replica of three partitions.
func.func @three() {
  %results:3 = "interpreter.run_parallel"() <{programs = [[@process, @process, @process]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %results#0, dense<0> : tensor<ui32>
  check.expect_eq_const %results#1, dense<1> : tensor<ui32>
  check.expect_eq_const %results#2, dense<2> : tensor<ui32>
  return
}

func.func private @process() -> tensor<ui32> {
  %id = stablehlo.partition_id : tensor<ui32>
  return %id : tensor<ui32>
}
