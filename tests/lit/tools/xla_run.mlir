// RUN: xla-run %s --input '2x3xf32=1 2 3 4 5 6' --input f32=10 | filecheck %s
// RUN: xla-run %s --input 2x3xf32=1 --input f32=0.5 --engine reference | filecheck %s --check-prefix SPLAT
// RUN: xla-run %s --input 2x3xf32=1 --input f32=0.5 --threads 1 --stats | filecheck %s --check-prefix STATS
// RUN: xla-run %s --entry negate --input 4xi32=3 | filecheck %s --check-prefix ENTRY
// RUN: xla-run %s --time-passes --verify 2>&1 | filecheck %s --check-prefix TIME
// RUN: xla-run %s --benchmark 3 | filecheck %s --check-prefix BENCHMARK
// RUN: not xla-run %s --entry nothing 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not xla-run %s --input 2x3xf64=1 --input f32=1 2>&1 | filecheck %s --check-prefix TYPE
// RUN: not xla-run %s --input 2x3xf32=1 2>&1 | filecheck %s --check-prefix COUNT
// RUN: not xla-run %s --input 2x3xf32=1,2 --input f32=1 2>&1 | filecheck %s --check-prefix LITERAL
// RUN: not xla-run %s --seed -1 2>&1 | filecheck %s --check-prefix SEED
// RUN: not xla-run %s --skip '(' --split-input-file 2>&1 | filecheck %s --check-prefix SKIP
// RUN: not xla-run %s --rtol nan 2>&1 | filecheck %s --check-prefix TOLERANCE
// RUN: not xla-run %s --threads 5000 2>&1 | filecheck %s --check-prefix THREADS
// RUN: not xla-run %s --pipeline cse 2>&1 | filecheck %s --check-prefix PIPELINE

func.func @main(%x: tensor<2x3xf32>, %s: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xi1>) {
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %0 = stablehlo.multiply %x, %b : tensor<2x3xf32>
  %1 = stablehlo.compare GT, %0, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi1>
}

func.func @negate(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.negate %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK: out0: tensor<2x3xf32> =
// CHECK-NEXT: {{\[\[}}10. 20. 30.]
// CHECK-NEXT: [40. 50. 60.]]
// CHECK-NEXT: out1: tensor<2x3xi1> =
// CHECK-NEXT: {{\[\[}}False  True  True]

// SPLAT: out0: tensor<2x3xf32> =
// SPLAT-NEXT: {{\[\[}}0.5 0.5 0.5]

// STATS: threads: 1
// STATS-NEXT: input bytes: 28
// STATS-NEXT: output bytes: 30
// STATS-NEXT: arena bytes: 0
// STATS-NEXT: thread scratch bytes: 0
// STATS-NEXT: constant bytes: 0
// STATS-NEXT: peak bytes: 58
// STATS-NEXT: kernels: 1

// ENTRY: out0: tensor<4xi32> = [-3 -3 -3 -3]

// TIME: ms  parse
// TIME: ms  convert-stablehlo-to-linalg
// TIME: ms  llvm
// TIME: ms  total

// BENCHMARK: compile {{[0-9.]+}} s; median {{[-0-9.e]+}} ms, min {{[-0-9.e]+}} ms (3 runs

// UNKNOWN: error: no function '@nothing' to execute; public functions: @main, @negate
// TYPE: error: argument 0 ('x'): expected tensor<2x3xf32>, got tensor<2x3xf64>
// COUNT: error: 1 times --input for 2 arguments of the program (tensor<2x3xf32>, tensor<f32>)
// LITERAL: error: --input '2x3xf32=1,2': 2 values for 6 elements
// PIPELINE: error: the pipeline does not lower '@main' to the llvm dialect

// SEED: error: --seed -1: at least 0
// SKIP: error: --skip '(': not a regular expression (missing ), unterminated subpattern at position 0)
// TOLERANCE: error: --rtol nan: at least 0
// THREADS: error: --threads 5000: at least 1, at most 4096
