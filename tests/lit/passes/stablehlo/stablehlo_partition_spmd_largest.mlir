// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// Each device finds three of its 25,000 elements, and all of them three of those twelve.
// CHECK-LABEL: func.func @main
// CHECK:       [[OWN:%[0-9]+]], {{%[0-9]+}} = chlo.top_k({{.*}}, k = 3) : tensor<25000xf32>
// CHECK:       "stablehlo.all_gather"([[OWN]]) {{.*}} : (tensor<3xf32>) -> tensor<12xf32>
// CHECK:       "stablehlo.all_gather"({{.*}}) {{.*}} : (tensor<3xi32>) -> tensor<12xi32>
// CHECK:       chlo.top_k({{.*}}, k = 3) : tensor<12xf32>
// CHECK:       "stablehlo.gather"
func.func @main(%x: tensor<100000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<100000xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// What is behind the last element is less than all of them.
// CHECK-LABEL: func.func @uneven
// CHECK:       [[LEAST:%.+]] = stablehlo.constant dense<-2147483648> : tensor<25001xi32>
// CHECK:       [[MASKED:%.+]] = stablehlo.select {{.*}}, [[LEAST]]
// CHECK:       chlo.top_k([[MASKED]], k = 3)
func.func @uneven(%x: tensor<100001xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xi32>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<100001xi32> -> (tensor<3xi32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xi32>, tensor<3xi32>
}

// Most of a long line are the first ones of what is sorted in parts, those of a short one are found in all of it.
// CHECK-LABEL: func.func @most_of_a_long_line
// CHECK-NOT:   chlo.top_k
// CHECK:       "stablehlo.sort"({{.*}}) <{dimension = 1 : i64, is_stable = true}>
// CHECK:       compare GT, {{.*}}, TOTALORDER
// CHECK:       (tensor<1x250000xf32>, tensor<1x250000xi32>) -> (tensor<1x250000xf32>, tensor<1x250000xi32>)
// CHECK:       return {{.*}} : tensor<225000xf32>, tensor<225000xi32>
func.func @most_of_a_long_line(%x: tensor<1000000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<900000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<900000xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = chlo.top_k(%x, k = 900000) : tensor<1000000xf32> -> (tensor<900000xf32>, tensor<900000xi32>)
  return %0#0, %0#1 : tensor<900000xf32>, tensor<900000xi32>
}

// CHECK-LABEL: func.func @most
// CHECK:       "stablehlo.all_gather"({{.*}}) {{.*}} : (tensor<25000xf32>) -> tensor<100000xf32>
// CHECK:       chlo.top_k({{.*}}, k = 90000) : tensor<100000xf32>
// CHECK-NOT:   chlo.top_k
func.func @most(%x: tensor<100000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<90000xf32>, tensor<90000xi32>) {
  %0:2 = chlo.top_k(%x, k = 90000) : tensor<100000xf32> -> (tensor<90000xf32>, tensor<90000xi32>)
  return %0#0, %0#1 : tensor<90000xf32>, tensor<90000xi32>
}

// As portable artifacts have it.
// CHECK-LABEL: func.func @call
// CHECK:       [[OWN:%[0-9]+]], {{%[0-9]+}} = chlo.top_k({{.*}}, k = 3) : tensor<25000xf32>
// CHECK:       "stablehlo.all_gather"([[OWN]]) {{.*}} : (tensor<3xf32>) -> tensor<12xf32>
func.func @call(%x: tensor<100000xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64}
    : (tensor<100000xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
