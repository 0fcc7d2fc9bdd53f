// RUN: xla-opt %s -p 'sdy-propagate{explain=true}' | filecheck %s
// RUN: xla-opt %s -p 'sdy-propagate{explain=true}' 2>&1 | filecheck %s --check-prefix REMARK

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: %a: tensor<8x4xf32> {{.*}}sdy.sharding_origins = {x = "argument 0 of @main"}
// CHECK-SAME: -> (tensor<16x8xf32>
// CHECK-SAME: y = "sdy.sharding_constraint at {{.*}}.mlir:{{[0-9]+:[0-9]+}} through stablehlo.transpose, func.return"
// CHECK-SAME: x = "argument 0 of @main through stablehlo.dot_general, sdy.sharding_constraint, stablehlo.transpose, func.return"
// CHECK: = stablehlo.dot_general
// CHECK-SAME: x = "argument 0 of @main through stablehlo.dot_general"
// CHECK-SAME: y = "sdy.sharding_constraint at {{.*}} through sdy.sharding_constraint"
func.func @main(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
  %b: tensor<4x16xf32>
) -> tensor<16x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"y", ?}]> : tensor<8x16xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @parts
// CHECK: = stablehlo.reshape
// CHECK-SAME: sdy.sharding_origins = {"x:(1)2" = "argument 0 of @parts through stablehlo.reshape", "x:(2)2" = "argument 0 of @parts through stablehlo.reshape"}
func.func @parts(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @sorted
// CHECK: stablehlo.sort"(
// CHECK: sdy.sharding_origins = [{x = "argument 0 of @sorted through stablehlo.sort"}, {x = "argument 0 of @sorted through stablehlo.sort"}]
func.func @sorted(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xi32>)
    -> (tensor<8x4xf32>, tensor<8x4xi32>) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<i32>):
    %1 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x4xf32>, tensor<8x4xi32>) -> (tensor<8x4xf32>, tensor<8x4xi32>)
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi32>
}

// REMARK: remark: 'stablehlo.custom_call' op: @mine has no sharding rule: nothing is propagated through it
// CHECK-LABEL: func.func @unknown
// CHECK: stablehlo.custom_call @mine({{%.+}}) : (tensor<8xf32>) -> tensor<8xf32>
func.func @unknown(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @mine(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
