// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file | filecheck %s
// RUN: xla-opt %s -p convert-stablehlo-to-linalg,linalg-outline-kernels,convert-tensor-to-memref --split-input-file | filecheck %s --check-prefix BUFFERS

// CHECK-LABEL: func.func @several_results
// CHECK-DAG: [[A:%.+]] = tensor.empty() : tensor<4x4xf32>
// CHECK-DAG: [[I:%.+]] = tensor.empty() : tensor<i32>
// CHECK: [[R:%.+]], [[INFO:%.+]] = "xrt.call_target"(%x, [[A]], [[I]]) <{target = "lapack_spotrf_ffi"
// CHECK-SAME: signature = (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
// CHECK-SAME: options = {mhlo.backend_config = {uplo = 76 : ui8}, location = "{{.*}}custom_calls.mlir:19:3"}
// CHECK-SAME: -> (tensor<4x4xf32>, tensor<i32>)
// CHECK-NEXT: func.return [[R]], [[INFO]]

// The call writes into the arguments that receive the results.
// BUFFERS-LABEL: func.func @several_results
// BUFFERS-SAME: (%x: memref<4x4xf32>, [[OUT0:%[^:]+]]: memref<4x4xf32>, [[OUT1:%[^:]+]]: memref<i32>)
// BUFFERS-NEXT: "xrt.call_target"(%x, [[OUT0]], [[OUT1]]) <{target = "lapack_spotrf_ffi"
// BUFFERS-NEXT: func.return
func.func @several_results(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<i32>
}

// -----

// Types are signless below, the signature keeps the sign.
// CHECK-LABEL: func.func @unsigned
// CHECK: "xrt.call_target"(%x, %x, {{%.+}}) <{target = "check.eq"
// CHECK-SAME: signature = (tensor<2xui8>, tensor<2xui8>) -> tensor<i1>
func.func @unsigned(%x: tensor<2xui8>) -> tensor<i1> {
  %0 = stablehlo.custom_call @check.eq(%x, %x) : (tensor<2xui8>, tensor<2xui8>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

// A call between a kernel that makes its operand and one that reads its result.
// BUFFERS-LABEL: func.func @in_between
// BUFFERS-SAME: (%x: memref<2x2xf32>, [[OUT:%[^:]+]]: memref<2x2xf32>)
// BUFFERS-NEXT: [[A:%.+]] = memref.alloc() : memref<2x2xf32>
// BUFFERS-NEXT: func.call @elementwise_0(%x, [[A]])
// BUFFERS-NEXT: [[B:%.+]] = memref.alloc() : memref<2x2xf32>
// BUFFERS-NEXT: "xrt.call_target"([[A]], [[A]], [[B]]) <{target = "lapack_strsm_ffi"
// BUFFERS-NEXT: func.call @elementwise_0([[B]], [[OUT]])
func.func @in_between(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.negate %x : tensor<2x2xf32>
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%0, %0) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.negate %1 : tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// -----

// What only marks values is gone.
// CHECK-LABEL: func.func @annotation
// CHECK-NEXT: func.return %x : tensor<2xf32>
func.func @annotation(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
