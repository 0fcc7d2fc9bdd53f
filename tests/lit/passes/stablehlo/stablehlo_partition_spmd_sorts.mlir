// RUN: xla-opt -p stablehlo-partition-spmd %s 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// Each device sorts its part, gets those of all, looks how many of each are among the first ones, and sorts its own.
// CHECK-NOT: remark
// CHECK-LABEL: func.func @main
// CHECK-SAME: [[LINE:%\w+]]: tensor<100000xf32>
// CHECK: [[OWN:%\w+]] = "stablehlo.sort"
// CHECK-SAME: is_stable = true
// CHECK: [[ALL:%\w+]] = "stablehlo.all_gather"([[OWN]])
// CHECK-SAME: (tensor<1x100000xf32>) -> tensor<1x400000xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: "stablehlo.gather"([[ALL]]
// CHECK: [[TAKEN:%\w+]] = "stablehlo.gather"([[ALL]]
// CHECK-SAME: -> tensor<1x100000xf32>
// CHECK: [[SORTED:%\w+]] = "stablehlo.sort"([[TAKEN]])
// CHECK: [[RESULT:%\w+]] = stablehlo.reshape [[SORTED]]
// CHECK: return [[RESULT]]
func.func @main(%a: tensor<400000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<400000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<400000xf32>) -> tensor<400000xf32>
  return %0 : tensor<400000xf32>
}
