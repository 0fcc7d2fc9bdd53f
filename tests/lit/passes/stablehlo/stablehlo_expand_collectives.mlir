// RUN: xla-opt %s -p stablehlo-expand-collectives --split-input-file | filecheck %s --check-prefix ALONE
// RUN: xla-opt %s -p "stablehlo-expand-collectives{replicas=3}" --split-input-file | filecheck %s

// Alone, the operand; together, the values of all members, combined in pairs.

// ALONE-LABEL: func.func @all_reduce
// ALONE-SAME: ([[X:%.+]]: tensor<4xf32>)
// ALONE-NEXT: func.return [[X]]

// CHECK-LABEL: func.func @all_reduce
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT: [[V:%.+]], {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.members([[X]])
// CHECK-SAME: op = "stablehlo.all_reduce"
// CHECK-SAME: : (tensor<4xf32>) -> (tensor<3x4xf32>, tensor<i32>, tensor<i32>)
// CHECK: [[A:%.+]] = stablehlo.reshape {{%.+}} : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK: [[B:%.+]] = stablehlo.reshape {{%.+}} : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK: [[C:%.+]] = stablehlo.reshape {{%.+}} : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK: [[AB:%.+]] = "stablehlo.map"([[A]], [[B]])
// CHECK: stablehlo.maximum
// CHECK: [[R:%.+]] = "stablehlo.map"([[AB]], [[C]])
// CHECK: func.return [[R]]
func.func @all_reduce(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Ids are constants alone, what is exchanged without arithmetic stays for the runtime otherwise.

// ALONE-LABEL: func.func @exchange
// ALONE-SAME: ([[X:%.+]]: tensor<2xi32>)
// ALONE: [[ID:%.+]] = stablehlo.constant dense<0> : tensor<ui32>
// ALONE: [[ZERO:%.+]] = stablehlo.constant dense<0> : tensor<2xi32>
// ALONE: func.return [[X]], [[ID]], [[ZERO]]

// CHECK-LABEL: func.func @exchange
// CHECK: "stablehlo.collective_broadcast"
// CHECK: stablehlo.replica_id
// CHECK: "stablehlo.collective_permute"
func.func @exchange(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<ui32>, tensor<2xi32>) {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  %1 = stablehlo.replica_id : tensor<ui32>
  %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<ui32>, tensor<2xi32>
}

// -----

// Alone, an asynchronous op is done when it starts.

// ALONE-LABEL: func.func @asynchronous
// ALONE-SAME: ([[X:%.+]]: tensor<2xi32>)
// ALONE-NEXT: func.return [[X]]

// CHECK-LABEL: func.func @asynchronous
// CHECK: "stablehlo.async_start"
// CHECK: stablehlo.custom_call @xrt.members
// CHECK: stablehlo.add
// CHECK: "stablehlo.async_done"
func.func @asynchronous(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %1 = "stablehlo.cross-replica-sum"(%y) <{replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %1 : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  return %2 : tensor<2xi32>
}
