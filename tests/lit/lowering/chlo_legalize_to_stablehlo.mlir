// RUN: xla-opt %s -p chlo-legalize-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @square
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[X:%.+]], [[X]] : tensor<4xi32>
// CHECK-NEXT:    func.return [[A]]
func.func @square(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = chlo.square %x : tensor<4xi32> -> tensor<4xi32>
  func.return %0 : tensor<4xi32>
}

// One exponential and one division; both halves are computed and one is selected.

// CHECK-LABEL: func.func @erfc
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK:         stablehlo.divide
// CHECK-NOT:     stablehlo.divide
// CHECK:         stablehlo.exponential
// CHECK-NOT:     stablehlo.exponential
// CHECK:         [[N:%.+]] = stablehlo.compare LT, [[X]]
// CHECK:         [[R:%.+]] = stablehlo.select [[N]]
// CHECK-NEXT:    func.return [[R]] : tensor<4xf32>
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Small floats are computed in f32.

// CHECK-LABEL: func.func @small_floats
// CHECK-NEXT:    stablehlo.convert {{%.+}} : (tensor<bf16>) -> tensor<f32>
// CHECK:         [[R:%.+]] = stablehlo.convert {{%.+}} : (tensor<f32>) -> tensor<bf16>
// CHECK-NEXT:    func.return [[R]]
func.func @small_floats(%x: tensor<bf16>) -> tensor<bf16> {
  %0 = chlo.erf %x : tensor<bf16> -> tensor<bf16>
  func.return %0 : tensor<bf16>
}

// CHECK-LABEL: func.func @is_inf
// CHECK-SAME:  ([[X:%.+]]: tensor<f16>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.abs [[X]]
// CHECK-NEXT:    [[I:%.+]] = stablehlo.constant dense<0x7{{[cC]}}00> : tensor<f16>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.compare EQ, [[A]], [[I]], FLOAT
// CHECK-NEXT:    func.return [[R]]
func.func @is_inf(%x: tensor<f16>) -> tensor<i1> {
  %0 = chlo.is_inf %x : tensor<f16> -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:  ([[X:%.+]]: tensor<8x4xf32>, [[Y:%.+]]: tensor<4xf32>, [[Z:%.+]]: tensor<8xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.broadcast_in_dim [[Y]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.add [[X]], [[A]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.broadcast_in_dim [[Z]], dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.compare LT, [[B]], [[C]], FLOAT
// CHECK-NEXT:    func.return [[D]]
func.func @broadcast(%x: tensor<8x4xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> tensor<8x4xi1> {
  %0 = chlo.broadcast_add %x, %y : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %1 = "chlo.broadcast_compare"(%0, %z) <{broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type FLOAT>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xi1>
  func.return %1 : tensor<8x4xi1>
}

// CHECK-LABEL: func.func @constant_like
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<2.500000e+00> : tensor<3x4xf32>
// CHECK-NEXT:    func.return [[A]]
func.func @constant_like(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @top_k
// CHECK-SAME:  ([[X:%.+]]: tensor<6x20xf32>)
// CHECK-NEXT:    [[I:%.+]] = stablehlo.iota dim = 1 : tensor<6x20xi32>
// CHECK-NEXT:    {{%.+}} = "stablehlo.sort"([[X]], [[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK:           stablehlo.compare GT, {{%.+}}, {{%.+}}, TOTALORDER
// CHECK:         stablehlo.slice {{%.+}} [0:6, 0:5] : (tensor<6x20xf32>) -> tensor<6x5xf32>
// CHECK-NEXT:    stablehlo.slice {{%.+}} [0:6, 0:5] : (tensor<6x20xi32>) -> tensor<6x5xi32>
func.func @top_k(%x: tensor<6x20xf32>) -> (tensor<6x5xf32>, tensor<6x5xi32>) {
  %0, %1 = chlo.top_k(%x, k = 5) : tensor<6x20xf32> -> (tensor<6x5xf32>, tensor<6x5xi32>)
  func.return %0, %1 : tensor<6x5xf32>, tensor<6x5xi32>
}
