// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

// One device draws random numbers and tells the others; a callback runs on the device that the program names.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @third = <[], device_ids=[2]>
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %a: tensor<f32>, %b: tensor<f32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK:      [[ID:%.*]] = stablehlo.partition_id
  // CHECK:      [[PLACE:%.*]] = stablehlo.convert [[ID]]
  // CHECK:      [[FIRST:%.*]] = stablehlo.compare EQ, [[PLACE]]
  // CHECK-NEXT: [[DRAWN:%.*]] = "stablehlo.if"([[FIRST]]) ({
  // CHECK:        stablehlo.rng
  // CHECK:      "stablehlo.collective_broadcast"([[DRAWN]]) <{replica_groups = dense<{{.*}}0, 1, 2, 3
  %shape = stablehlo.constant dense<8> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %1 = stablehlo.add %x, %0 : tensor<8xf32>
  // CHECK:      [[WHOLE:%.*]] = "stablehlo.all_gather"
  // CHECK:      "stablehlo.if"
  // CHECK:        stablehlo.custom_call @shown([[WHOLE]]) {has_side_effect = true}
  stablehlo.custom_call @shown(%1) {has_side_effect = true,
      sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : (tensor<8xf32>) -> ()
  return %1 : tensor<8xf32>
}

// In a computation that is local over all axes every device has effects of its own.
// CHECK-LABEL: func.func @parts
// CHECK-NOT:   stablehlo.if
// CHECK:       "stablehlo.outfeed"(%{{.*}}, %{{.*}}) {{.*}} : (tensor<2xf32>, !stablehlo.token)
// CHECK-NOT:   stablehlo.if
func.func @parts(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
      (%y: tensor<2xf32>) {
    %1 = stablehlo.create_token : !stablehlo.token
    %2 = "stablehlo.outfeed"(%y, %1) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
    sdy.return %y : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Tokens do not go through the branches.
// CHECK-LABEL: func.func @feeds
// CHECK:       [[TOKEN:%.*]] = stablehlo.create_token
// CHECK:       "stablehlo.if"
// CHECK:         "stablehlo.infeed"([[TOKEN]])
// CHECK:       "stablehlo.collective_broadcast"
// CHECK:       stablehlo.create_token
func.func @feeds() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.create_token : !stablehlo.token
  %1:2 = "stablehlo.infeed"(%0) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  %2 = stablehlo.after_all %1#1 : !stablehlo.token
  return %1#0 : tensor<8xf32>
}
