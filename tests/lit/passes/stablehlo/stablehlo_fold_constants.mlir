// RUN: xla-opt %s -p stablehlo-fold-constants | filecheck %s

// CHECK-LABEL: func.func @scalars
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<-3.125000e-02> : tensor<f32>
// CHECK-NEXT:    func.return [[A]]
func.func @scalars() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.constant dense<32.0> : tensor<f32>
  %2 = stablehlo.negate %0 : tensor<f32>
  %3 = stablehlo.divide %2, %1 : tensor<f32>
  func.return %3 : tensor<f32>
}

// Splats of any size stay splats.

// CHECK-LABEL: func.func @splats
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<true> : tensor<4000x1000xi1>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.constant dense<3> : tensor<4000x1000xi8>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @splats() -> (tensor<4000x1000xi1>, tensor<4000x1000xi8>) {
  %0 = stablehlo.constant dense<1.5> : tensor<4000x1000xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<4000x1000xf32>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<4000x1000xf32>, tensor<4000x1000xf32>) -> tensor<4000x1000xi1>
  %3 = stablehlo.add %0, %1 : tensor<4000x1000xf32>
  %4 = stablehlo.convert %3 : (tensor<4000x1000xf32>) -> tensor<4000x1000xi8>
  func.return %2, %4 : tensor<4000x1000xi1>, tensor<4000x1000xi8>
}

// CHECK-LABEL: func.func @small_arrays
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<{{\[}}[0, 10], [1, 11]]> : tensor<2x2xi32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.constant dense<{{\[}}1, 21]> : tensor<2xi32>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @small_arrays() -> (tensor<2x2xi32>, tensor<2xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[0, 10]> : tensor<2xi32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
  %3 = stablehlo.add %0, %2 : tensor<2x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  func.return %3, %4 : tensor<2x2xi32>, tensor<2xi32>
}

// A mask is recomputed where it is used; a constant is not repeated in memory.

// CHECK-LABEL: func.func @not_folded
// CHECK:         stablehlo.iota
// CHECK:         stablehlo.compare
// CHECK:         stablehlo.broadcast_in_dim
func.func @not_folded() -> (tensor<16x16xi1>, tensor<100x2xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %1 = stablehlo.constant dense<3> : tensor<16x16xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %3 = stablehlo.constant dense<[0, 10]> : tensor<2xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<2xi32>) -> tensor<100x2xi32>
  func.return %2, %4 : tensor<16x16xi1>, tensor<100x2xi32>
}

// Barriers protect what is behind them; random numbers and loops are not evaluated.

// CHECK-LABEL: func.func @protected
// CHECK:         stablehlo.optimization_barrier
// CHECK:         stablehlo.negate
// CHECK:         stablehlo.rng
func.func @protected() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.optimization_barrier %0 : tensor<f32>
  %2 = stablehlo.negate %1 : tensor<f32>
  %3 = stablehlo.constant dense<> : tensor<0xi64>
  %4 = "stablehlo.rng"(%0, %0, %3) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  func.return %2, %4 : tensor<f32>, tensor<f32>
}
