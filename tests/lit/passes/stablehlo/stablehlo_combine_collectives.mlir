// RUN: xla-opt %s -p stablehlo-combine-collectives | filecheck %s

// CHECK-LABEL: func.func @gradients
// CHECK: [[Y:%.+]] = stablehlo.negate
// CHECK-NEXT: [[S:%.+]], [[T:%.+]] = "stablehlo.all_reduce"({{%.+}}, [[Y]])
// CHECK-SAME: channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
// CHECK: (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
// CHECK-NEXT: [[A:%.+]] = stablehlo.abs [[S]]
// CHECK-NEXT: func.return [[A]], [[T]]
func.func @gradients(%x: tensor<8xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = stablehlo.abs %0 : tensor<8xf32>
  %1 = stablehlo.negate %y : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %3, %2 : tensor<8xf32>, tensor<4xf32>
}

// One that reads what the other gives comes after it; a maximum is no sum; other groups are others.
// CHECK-LABEL: func.func @different
// CHECK: all_reduce
// CHECK: maximum
// CHECK: (tensor<8xf32>) -> tensor<8xf32>
// CHECK: all_reduce
// CHECK: add
// CHECK: (tensor<8xf32>) -> tensor<8xf32>
// CHECK: all_reduce
// CHECK: add
// CHECK: (tensor<8xf32>) -> tensor<8xf32>
func.func @different(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// What a loop reads is there before it.
// CHECK-LABEL: func.func @before_a_loop
// CHECK: {{%.+}}, {{%.+}} = "stablehlo.all_gather"
// CHECK-NEXT: stablehlo.while
func.func @before_a_loop(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) -> (tensor<4x4xf32>, tensor<6x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_gather"(%y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<3x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.while(%v = %1) : tensor<6x4xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %d = stablehlo.slice %0 [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
      stablehlo.return %v : tensor<6x4xf32>
    }
  return %0, %2 : tensor<4x4xf32>, tensor<6x4xf32>
}
