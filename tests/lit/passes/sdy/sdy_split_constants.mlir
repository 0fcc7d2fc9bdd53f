// RUN: xla-opt %s -p sdy-split-constants | filecheck %s

// CHECK-LABEL: func.func @two_readers
// CHECK-SAME: ([[X:%.+]]: tensor<8xf32>, [[Y:%.+]]: tensor<8xf32>)
// CHECK-DAG: [[A:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: [[B:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK: stablehlo.add [[X]], [[A]]
// CHECK-NEXT: stablehlo.add [[Y]], [[B]]
func.func @two_readers(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = stablehlo.add %x, %c : tensor<8xf32>
  %1 = stablehlo.add %y, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// What is computed from constants is copied as a whole; a group has both copies.
// CHECK-LABEL: func.func @computed
// CHECK-COUNT-2: sdy.sharding_group {{%.+}} group_id=3
// CHECK-NOT: sdy.sharding_group
// CHECK-LABEL: func.func @computed_counted
// CHECK-COUNT-2: stablehlo.iota
// CHECK-NOT: stablehlo.iota
// CHECK-LABEL: func.func @scalars
func.func @computed(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8xf32>
  %c = stablehlo.negate %i : tensor<8xf32>
  sdy.sharding_group %c group_id=3 : tensor<8xf32>
  %0 = stablehlo.add %x, %c : tensor<8xf32>
  %1 = stablehlo.add %y, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

func.func @computed_counted(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<8xf32>
  %c = stablehlo.negate %i : tensor<8xf32>
  %0 = stablehlo.add %x, %c : tensor<8xf32>
  %1 = stablehlo.add %y, %c : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Scalars are shared, their broadcasts are not.
// CHECK: stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NOT: stablehlo.constant
// CHECK-COUNT-4: stablehlo.broadcast_in_dim
// CHECK-NOT: stablehlo.broadcast_in_dim
// CHECK-LABEL: func.func @alone
func.func @scalars(%x: tensor<8xf32>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  %3 = stablehlo.add %x, %0 : tensor<8xf32>
  %4 = stablehlo.add %x, %1 : tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// One reader: nothing changes.
// CHECK-NEXT: [[C:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NEXT: [[D:%.+]] = stablehlo.exponential [[C]]
// CHECK-NEXT: stablehlo.add {{%.+}}, [[D]]
func.func @alone(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %d = stablehlo.exponential %c : tensor<8xf32>
  %0 = stablehlo.add %x, %d : tensor<8xf32>
  return %0 : tensor<8xf32>
}
