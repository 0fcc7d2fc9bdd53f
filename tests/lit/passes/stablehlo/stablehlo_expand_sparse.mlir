// RUN: xla-opt %s -p stablehlo-expand-sparse | filecheck %s

// CHECK-LABEL: func.func @matrix
// CHECK-SAME:    ([[E:%.+]]: tensor<5xf32>, [[P:%.+]]: tensor<4xi32>, [[C:%.+]]: tensor<5xi32>, [[D:%.+]]: tensor<6x2xf32>)
// CHECK:         [[G:%.+]] = "stablehlo.gather"([[D]], [[C]]) <{{.*}}slice_sizes = array<i64: 1, 2>
// CHECK:         [[B:%.+]] = stablehlo.broadcast_in_dim [[E]], dims = [0] : (tensor<5xf32>) -> tensor<5x2xf32>
// CHECK-NEXT:    [[M:%.+]] = stablehlo.multiply [[B]], [[G]] : tensor<5x2xf32>
// CHECK:         [[R:%.+]] = stablehlo.slice [[P]] [1:4]
// CHECK:         [[N:%.+]] = "stablehlo.scatter"(%{{.+}}, [[R]], %{{.+}})
// CHECK:         (tensor<5xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<5xi32>
// CHECK:         [[W:%.+]] = "stablehlo.reduce_window"([[N]],
// CHECK:         [[S:%.+]] = "stablehlo.scatter"(%{{.+}}, [[W]], [[M]])
// CHECK:         (tensor<3x2xf32>, tensor<5xi32>, tensor<5x2xf32>) -> tensor<3x2xf32>
// CHECK:         func.return [[S]]
func.func @matrix(%e: tensor<5xf32>, %p: tensor<4xi32>, %c: tensor<5xi32>, %d: tensor<6x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) {api_version = 4 : i32, backend_config = {}} : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<6x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @vector
// CHECK:         [[G:%.+]] = "stablehlo.gather"({{.*}}slice_sizes = array<i64: 1>
// CHECK-NEXT:    stablehlo.multiply %{{.+}}, [[G]] : tensor<5xf64>
func.func @vector(%e: tensor<5xf64>, %p: tensor<4xi64>, %c: tensor<5xi64>, %d: tensor<6xf64>) -> tensor<3xf64> {
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<5xf64>, tensor<4xi64>, tensor<5xi64>, tensor<6xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    func.return [[Z]]
func.func @empty(%e: tensor<0xf32>, %p: tensor<4xi32>, %c: tensor<0xi32>, %d: tensor<6xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<0xf32>, tensor<4xi32>, tensor<0xi32>, tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @other
// CHECK-NEXT:    stablehlo.custom_call @foo
func.func @other(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @foo(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
