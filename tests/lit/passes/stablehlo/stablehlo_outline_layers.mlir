// RUN: xla-opt %s -p 'stablehlo-outline-layers{least-ops=16}' --split-input-file | filecheck %s
// RUN: xla-opt %s -p 'stablehlo-outline-layers' --split-input-file | filecheck %s --check-prefix=SHORT

// Three layers: the constant and the mask are copied into the function, weights are its arguments.

// SHORT-NOT:     xrt.layer

// CHECK-LABEL: func.func public @stack
// CHECK-SAME:    ([[X:%.+]]: tensor<8x8xf32>, [[A:%.+]]: tensor<8x8xf32>, [[B:%.+]]: tensor<8x8xf32>, [[C:%.+]]: tensor<8x8xf32>)
// CHECK:         [[Y:%.+]] = func.call @layer_0([[X]], [[A]])
// CHECK-NEXT:    [[Z:%.+]] = func.call @layer_0([[Y]], [[B]])
// CHECK-NEXT:    [[R:%.+]] = func.call @layer_0([[Z]], [[C]])
// CHECK-NEXT:    stablehlo.dot_general [[R]], [[C]]

// CHECK:       func.func private @layer_0
// CHECK-SAME:    ([[X:%.+]]: tensor<8x8xf32>, [[W:%.+]]: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {xrt.layer} {
// CHECK-NEXT:    [[ROW:%.+]] = stablehlo.iota dim = 0
// CHECK-NEXT:    [[COLUMN:%.+]] = stablehlo.iota dim = 1
// CHECK-NEXT:    [[MASK:%.+]] = stablehlo.compare GE, [[ROW]], [[COLUMN]]
// CHECK-NEXT:    [[ZERO:%.+]] = stablehlo.constant
// CHECK-NEXT:    [[P:%.+]] = stablehlo.dot_general [[X]], [[W]]
// CHECK:         stablehlo.select [[MASK]]
// CHECK:         stablehlo.reduce({{%.+}} init: [[ZERO]])
// CHECK:         func.return
func.func public @stack(%x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %row = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %column = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %mask = stablehlo.compare GE, %row, %column : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.select %mask, %1, %0 : tensor<8x8xi1>, tensor<8x8xf32>
  %3 = stablehlo.exponential %2 : tensor<8x8xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %6 = stablehlo.divide %3, %5 : tensor<8x8xf32>
  %7 = stablehlo.sine %6 : tensor<8x8xf32>
  %10 = stablehlo.dot_general %7, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %11 = stablehlo.tanh %10 : tensor<8x8xf32>
  %12 = stablehlo.select %mask, %11, %10 : tensor<8x8xi1>, tensor<8x8xf32>
  %13 = stablehlo.exponential %12 : tensor<8x8xf32>
  %14 = stablehlo.reduce(%13 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %16 = stablehlo.divide %13, %15 : tensor<8x8xf32>
  %17 = stablehlo.sine %16 : tensor<8x8xf32>
  %20 = stablehlo.dot_general %17, %c, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %21 = stablehlo.tanh %20 : tensor<8x8xf32>
  %22 = stablehlo.select %mask, %21, %20 : tensor<8x8xi1>, tensor<8x8xf32>
  %23 = stablehlo.exponential %22 : tensor<8x8xf32>
  %24 = stablehlo.reduce(%23 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %26 = stablehlo.divide %23, %25 : tensor<8x8xf32>
  %27 = stablehlo.sine %26 : tensor<8x8xf32>
  %28 = stablehlo.dot_general %27, %c, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %28 : tensor<8x8xf32>
}

// -----

// What is repeated has no contraction: a border would cut the loop of all these ops.

// CHECK-LABEL: func.func public @chain
// CHECK-NOT:     call
func.func public @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = stablehlo.exponential %1 : tensor<8xf32>
  %3 = stablehlo.cosine %2 : tensor<8xf32>
  %4 = stablehlo.abs %3 : tensor<8xf32>
  %5 = stablehlo.negate %4 : tensor<8xf32>
  %6 = stablehlo.sqrt %5 : tensor<8xf32>
  %7 = stablehlo.log %6 : tensor<8xf32>
  %8 = stablehlo.tanh %7 : tensor<8xf32>
  %9 = stablehlo.sine %8 : tensor<8xf32>
  %10 = stablehlo.exponential %9 : tensor<8xf32>
  %11 = stablehlo.cosine %10 : tensor<8xf32>
  %12 = stablehlo.abs %11 : tensor<8xf32>
  %13 = stablehlo.negate %12 : tensor<8xf32>
  %14 = stablehlo.sqrt %13 : tensor<8xf32>
  %15 = stablehlo.log %14 : tensor<8xf32>
  %16 = stablehlo.tanh %15 : tensor<8xf32>
  %17 = stablehlo.sine %16 : tensor<8xf32>
  %18 = stablehlo.exponential %17 : tensor<8xf32>
  %19 = stablehlo.cosine %18 : tensor<8xf32>
  %20 = stablehlo.abs %19 : tensor<8xf32>
  %21 = stablehlo.negate %20 : tensor<8xf32>
  %22 = stablehlo.sqrt %21 : tensor<8xf32>
  %23 = stablehlo.log %22 : tensor<8xf32>
  %24 = stablehlo.tanh %23 : tensor<8xf32>
  %25 = stablehlo.sine %24 : tensor<8xf32>
  %26 = stablehlo.exponential %25 : tensor<8xf32>
  %27 = stablehlo.cosine %26 : tensor<8xf32>
  %28 = stablehlo.abs %27 : tensor<8xf32>
  %29 = stablehlo.negate %28 : tensor<8xf32>
  %30 = stablehlo.sqrt %29 : tensor<8xf32>
  %31 = stablehlo.log %30 : tensor<8xf32>
  %32 = stablehlo.tanh %31 : tensor<8xf32>
  %33 = stablehlo.sine %32 : tensor<8xf32>
  %34 = stablehlo.exponential %33 : tensor<8xf32>
  %35 = stablehlo.cosine %34 : tensor<8xf32>
  %36 = stablehlo.abs %35 : tensor<8xf32>
  %37 = stablehlo.negate %36 : tensor<8xf32>
  %38 = stablehlo.sqrt %37 : tensor<8xf32>
  %39 = stablehlo.log %38 : tensor<8xf32>
  return %39 : tensor<8xf32>
}

// -----

// The layers leave a value that loops behind them compute where they read it, as a gradient does: each is as it was.

// CHECK-LABEL: func.func public @saved
// CHECK-NOT:     call
func.func public @saved(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.sine %1 : tensor<8x8xf32>
  %3 = stablehlo.exponential %2 : tensor<8x8xf32>
  %4 = stablehlo.cosine %3 : tensor<8x8xf32>
  %5 = stablehlo.abs %4 : tensor<8x8xf32>
  %6 = stablehlo.negate %5 : tensor<8x8xf32>
  %7 = stablehlo.sqrt %6 : tensor<8x8xf32>
  %8 = stablehlo.dot_general %7, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %9 = stablehlo.tanh %8 : tensor<8x8xf32>
  %10 = stablehlo.sine %9 : tensor<8x8xf32>
  %11 = stablehlo.exponential %10 : tensor<8x8xf32>
  %12 = stablehlo.cosine %11 : tensor<8x8xf32>
  %13 = stablehlo.abs %12 : tensor<8x8xf32>
  %14 = stablehlo.negate %13 : tensor<8x8xf32>
  %15 = stablehlo.sqrt %14 : tensor<8x8xf32>
  %16 = stablehlo.dot_general %15, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %17 = stablehlo.tanh %16 : tensor<8x8xf32>
  %18 = stablehlo.sine %17 : tensor<8x8xf32>
  %19 = stablehlo.exponential %18 : tensor<8x8xf32>
  %20 = stablehlo.cosine %19 : tensor<8x8xf32>
  %21 = stablehlo.abs %20 : tensor<8x8xf32>
  %22 = stablehlo.negate %21 : tensor<8x8xf32>
  %23 = stablehlo.sqrt %22 : tensor<8x8xf32>
  %24 = stablehlo.dot_general %23, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %25 = stablehlo.tanh %24 : tensor<8x8xf32>
  %26 = stablehlo.sine %25 : tensor<8x8xf32>
  %27 = stablehlo.exponential %26 : tensor<8x8xf32>
  %28 = stablehlo.cosine %27 : tensor<8x8xf32>
  %29 = stablehlo.abs %28 : tensor<8x8xf32>
  %30 = stablehlo.negate %29 : tensor<8x8xf32>
  %31 = stablehlo.sqrt %30 : tensor<8x8xf32>
  %32 = stablehlo.multiply %3, %11 : tensor<8x8xf32>
  %33 = stablehlo.multiply %32, %19 : tensor<8x8xf32>
  %34 = stablehlo.multiply %33, %27 : tensor<8x8xf32>
  return %31, %34 : tensor<8x8xf32>, tensor<8x8xf32>
}
