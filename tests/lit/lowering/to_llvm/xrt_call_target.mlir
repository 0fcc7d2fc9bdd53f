// RUN: xla-opt %s -p convert-to-llvm | filecheck %s
// RUN: xla-opt %s -p convert-to-llvm -t llvm | filecheck %s --check-prefix TEXT

// Equal calls share an entry of the table.
// CHECK: builtin.module attributes {xrt.call_targets = [{target = "pair", signature = (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>), options = {}}, {target = "one", signature = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, options = {scale = 2 : i32}}, {target = "tuple", signature = (tensor<2xf32>) -> tuple<tensor<2xf32>>, options = {}}]}
// CHECK-LABEL: llvm.func internal @main.body
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {{[^,]+, [^,]+, [^,]+}}, [[Y:%[^:]+]]: !llvm.ptr {{[^,]+, [^,]+, [^,]+}}, [[Z:%[^:]+]]: !llvm.ptr {{[^,]+, [^,]+, [^,]+}}, [[CONTEXT:%[^:]+]]: !llvm.ptr
// CHECK-DAG: [[SLOT:%.+]] = llvm.mlir.constant(3) : i64
// CHECK-DAG: [[ZERO:%.+]] = llvm.mlir.constant(0) : i64
// CHECK-DAG: [[ONE:%.+]] = llvm.mlir.constant(1) : i64
// CHECK-DAG: [[P:%.+]] = llvm.getelementptr inbounds [[CONTEXT]][[[SLOT]]]
// CHECK-DAG: [[TABLE:%.+]] = llvm.load [[P]]
// Several results: an array of pointers to them.
// CHECK: [[T:%.+]] = llvm.getelementptr inbounds [[TABLE]][[[ZERO]]]
// CHECK-NEXT: [[PAIR:%.+]] = llvm.load [[T]]
// CHECK: llvm.store [[Y]], [[OUT0:%.+]] {
// CHECK: llvm.store [[Z]], [[OUT1:%.+]] {
// CHECK: llvm.store [[X]], [[IN:%.+]] {
// CHECK-NEXT: llvm.call [[PAIR]]({{%.+}}, {{%.+}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> ()
// One result: the pointer to it.
// CHECK: [[T:%.+]] = llvm.getelementptr inbounds [[TABLE]][[[ONE]]]
// CHECK-NEXT: [[F:%.+]] = llvm.load [[T]]
// CHECK: llvm.call [[F]]([[Z]], {{%.+}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> ()
// CHECK: llvm.getelementptr inbounds [[TABLE]][[[ZERO]]]
// One result in a tuple: an array of one pointer.
// CHECK: [[T:%.+]] = llvm.getelementptr inbounds [[TABLE]][{{%.+}}]
// CHECK-NEXT: [[F:%.+]] = llvm.load [[T]]
// CHECK: llvm.store [[Y]], [[SLOT0:%.+]] {
// CHECK: llvm.store [[X]], [[IN:%.+]] {
// CHECK-NEXT: llvm.call [[F]]([[OUT:%.+]], {{%.+}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> ()
// TEXT-LABEL: define internal void @main.body
// TEXT: call void %{{.+}}(ptr %{{.+}}, ptr %{{.+}})
func.func @main(%x: memref<2xf32>, %y: memref<2xf32>, %z: memref<2xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 2 : i64} {
  xrt.call_target "pair"(%x : memref<2xf32>) outs(%y, %z : memref<2xf32>, memref<2xf32>) {signature = (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>), options = {}}
  xrt.call_target "one"(%x, %y : memref<2xf32>, memref<2xf32>) outs(%z : memref<2xf32>) {signature = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, options = {scale = 2 : i32}}
  xrt.call_target "pair"(%x : memref<2xf32>) outs(%y, %z : memref<2xf32>, memref<2xf32>) {signature = (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>), options = {}}
  xrt.call_target "tuple"(%x : memref<2xf32>) outs(%y : memref<2xf32>) {signature = (tensor<2xf32>) -> tuple<tensor<2xf32>>, options = {}}
  func.return
}
