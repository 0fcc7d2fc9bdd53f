// RUN: xla-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: @access
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 96 : i64}, [[I:%[^:]+]]: i64, [[J:%[^:]+]]: i64
func.func private @access(%x: memref<2x3x4xf32>, %i: index, %j: index) {
  // CHECK-DAG: [[C12:%.+]] = llvm.mlir.constant(12) : i64
  // CHECK-DAG: [[C8:%.+]] = llvm.mlir.constant(8) : i64
  %c2 = arith.constant 2 : index
  // CHECK: [[ROW:%.+]] = llvm.mul [[I]], [[C12]] overflow<nsw> : i64
  // CHECK-NEXT: [[LINEAR:%.+]] = llvm.add [[ROW]], [[J]] overflow<nsw> : i64
  // CHECK-NEXT: [[START:%.+]] = llvm.getelementptr [[X]][[[LINEAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: [[P:%.+]] = llvm.getelementptr [[START]][[[C8]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: [[V:%.+]] = llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> f32
  %v = memref.load %x[%i, %c2, %j] : memref<2x3x4xf32>
  // The same address, and one that differs by a constant: what adds it has no other use.
  // CHECK-NEXT: llvm.store [[V]], [[P]] {alignment = 4 : i64} : f32, !llvm.ptr
  memref.store %v, %x[%i, %c2, %j] : memref<2x3x4xf32>
  %k = arith.addi %j, %c2 : index
  // CHECK-NEXT: [[Q:%.+]] = llvm.getelementptr [[START]][{{%.+}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: llvm.store [[V]], [[Q]]
  memref.store %v, %x[%i, %c2, %k] : memref<2x3x4xf32>
  func.return
}

// -----

// An i1 in memory is a byte.
// CHECK-LABEL: @boolean
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 1 : i64}
func.func private @boolean(%x: memref<i1>) {
  // CHECK-NEXT: [[BYTE:%.+]] = llvm.load [[X]] {alignment = 1 : i64} : !llvm.ptr -> i8
  // CHECK-NEXT: [[V:%.+]] = llvm.trunc [[BYTE]] : i8 to i1
  %v = memref.load %x[] : memref<i1>
  // CHECK-NEXT: [[STORED:%.+]] = llvm.zext [[V]] : i1 to i8
  // CHECK-NEXT: llvm.store [[STORED]], [[X]] {alignment = 1 : i64} : i8, !llvm.ptr
  memref.store %v, %x[] : memref<i1>
  func.return
}

// -----

// CHECK-LABEL: @views
// CHECK-SAME: [[ARENA:%[^:]+]]: !llvm.ptr {{.*}}, [[OUT:%[^:]+]]: !llvm.ptr
func.func private @views(%arena: memref<4096xi8>, %out: memref<6x4xf32>) {
  // CHECK-DAG: [[OFFSET:%.+]] = llvm.mlir.constant(128) : i64
  // CHECK-DAG: [[BYTES:%.+]] = llvm.mlir.constant(96) : i64
  // CHECK-DAG: [[FALSE:%.+]] = llvm.mlir.constant(false) : i1
  %offset = arith.constant 128 : index
  // CHECK: [[P:%.+]] = llvm.getelementptr inbounds [[ARENA]][[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %a = memref.view %arena[%offset][] : memref<4096xi8> to memref<2x3x4xf32>
  %b = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  // CHECK-NEXT: llvm.call_intrinsic "llvm.memcpy.p0.p0.i64"([[OUT]], [[P]], [[BYTES]], [[FALSE]])
  "memref.copy"(%b, %out) : (memref<6x4xf32>, memref<6x4xf32>) -> ()
  func.return
}

// -----

// Stack memory is allocated once, at the start of the function.
// CHECK-LABEL: @stack
func.func private @stack(%c: i1) {
  // CHECK-NEXT: [[COUNT:%.+]] = llvm.mlir.constant(16) : i64
  // CHECK-NEXT: llvm.alloca [[COUNT]] x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  // CHECK-NEXT: llvm.br ^[[LOOP:.+]]
  cf.br ^loop
^loop:
  %a = memref.alloca() : memref<4x4xf32>
  cf.cond_br %c, ^loop, ^done
^done:
  func.return
}

// -----

// CHECK: llvm.mlir.global internal constant @small(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>)
// CHECK-SAME: alignment = 64 : i64} : !llvm.array<2 x f32>
// CHECK: llvm.mlir.global internal constant @large
// CHECK-SAME: xrt.constant_index = 0 : i64} : !llvm.array<1000 x f32>
"memref.global"() <{sym_name = "small", sym_visibility = "private", type = memref<2x1xf32>,
  initial_value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>, constant}> : () -> ()
"memref.global"() <{sym_name = "large", sym_visibility = "private", type = memref<10x100xf32>,
  initial_value = dense<1.0> : tensor<10x100xf32>, constant}> : () -> ()

// CHECK-LABEL: @constants
// CHECK-SAME: [[CONTEXT:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 48 : i64})
func.func private @constants() -> f32 {
  // CHECK: [[SMALL:%.+]] = llvm.mlir.addressof @small : !llvm.ptr
  // CHECK: [[SLOT:%.+]] = llvm.getelementptr inbounds [[CONTEXT]]
  // CHECK-NEXT: [[TABLE:%.+]] = llvm.load [[SLOT]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  // CHECK: [[ENTRY:%.+]] = llvm.getelementptr inbounds [[TABLE]]
  // CHECK-NEXT: [[LARGE:%.+]] = llvm.load [[ENTRY]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  // CHECK-DAG: llvm.load [[SMALL]] {alignment = 4 : i64}
  // CHECK-DAG: llvm.load [[LARGE]] {alignment = 4 : i64}
  %c0 = arith.constant 0 : index
  %0 = memref.get_global @small : memref<2x1xf32>
  %1 = memref.get_global @large : memref<10x100xf32>
  %2 = memref.load %0[%c0, %c0] : memref<2x1xf32>
  %3 = memref.load %1[%c0, %c0] : memref<10x100xf32>
  %4 = arith.addf %2, %3 : f32
  func.return %4 : f32
}

// -----

func.func private @allocation() {
  // expected-error @below {{memref-assign-arena}}
  %0 = memref.alloc() : memref<4xf32>
  func.return
}
