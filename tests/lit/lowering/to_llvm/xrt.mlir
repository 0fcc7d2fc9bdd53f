// RUN: xla-opt %s -p convert-to-llvm | filecheck %s

// CHECK-LABEL: llvm.func internal @body
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 256 : i64}, [[S:%[^:]+]]: f32, [[LO:%[^:]+]]: i64, [[HI:%[^:]+]]: i64, [[THREAD:%[^:]+]]: i64)
func.func private @body(%x: memref<64xf32>, %s: f32, %lo: index, %hi: index, %thread: index) {
  // CHECK: llvm.getelementptr inbounds [[X]][[[THREAD]]]
  %t = xrt.thread_id : index
  memref.store %s, %x[%t] : memref<64xf32>
  func.return
}

// CHECK-LABEL: llvm.func internal @kernel
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 256 : i64}, [[S:%[^:]+]]: f32, [[CONTEXT:%[^:]+]]: !llvm.ptr
func.func private @kernel(%x: memref<64xf32>, %s: f32) {
  // CHECK: [[FRAME:%.+]] = llvm.alloca {{%.+}} x !llvm.struct<(!llvm.ptr, !llvm.ptr, f32)> {alignment = 64 : i64}
  // CHECK-NEXT: [[TASK:%.+]] = llvm.mlir.addressof @body.task.64
  // CHECK: [[F0:%.+]] = llvm.getelementptr inbounds [[FRAME]][0, 0]
  // CHECK-NEXT: llvm.store [[CONTEXT]], [[F0]]
  // CHECK-NEXT: [[F1:%.+]] = llvm.getelementptr inbounds [[FRAME]][0, 1]
  // CHECK-NEXT: llvm.store [[X]], [[F1]]
  // CHECK-NEXT: [[F2:%.+]] = llvm.getelementptr inbounds [[FRAME]][0, 2]
  // CHECK-NEXT: llvm.store [[S]], [[F2]]
  // CHECK-NEXT: llvm.call @xrt.fork([[FRAME]], [[TASK]], {{%.+}})
  xrt.parallel @body(%x, %s) range 64 : memref<64xf32>, f32
  func.return
}

// CHECK-LABEL: llvm.func internal @other_kernel
func.func private @other_kernel(%x: memref<64xf32>, %s: f32) {
  // CHECK: llvm.mlir.addressof @body.task.64
  // CHECK: llvm.call @xrt.fork
  xrt.parallel @body(%x, %s) range 64 : memref<64xf32>, f32
  func.return
}

// CHECK-LABEL: llvm.func internal @prefetches
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 256 : i64}, [[I:%[^:]+]]: i64)
func.func private @prefetches(%x: memref<64xf32>, %i: index) {
  // CHECK: [[P:%.+]] = llvm.getelementptr inbounds [[X]][[[I]]]
  // CHECK-NEXT: llvm.call_intrinsic "llvm.prefetch.p0"([[P]], [[WRITE:%.+]], [[ALL:%.+]], [[WRITE]])
  // CHECK-NEXT: [[NEXT:%.+]] = llvm.getelementptr [[P]]
  // CHECK-NEXT: llvm.call_intrinsic "llvm.prefetch.p0"([[NEXT]], [[WRITE]], [[ALL]], [[WRITE]])
  xrt.prefetch %x[%i] lines 2 write : memref<64xf32>
  func.return
}

// A variable counts the work down; where it asks, a block of its own, and one behind all others that returns.
// CHECK-LABEL: llvm.func internal @stoppable
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 256 : i64}, {{%.+}}: f32, {{%.+}}: i64, [[CONTEXT:%[^:]+]]: !llvm.ptr
func.func private @stoppable(%x: memref<64xf32>, %s: f32, %i: index) {
  // CHECK: [[COUNTER:%.+]] = llvm.alloca {{%.+}} x i64
  // CHECK: llvm.store [[FIRST:%.+]], [[COUNTER]]
  // CHECK: [[PROCESS:%.+]] = llvm.load
  // CHECK: [[LEFT:%.+]] = llvm.load [[COUNTER]]
  // CHECK-NEXT: [[NOW:%.+]] = llvm.sub [[LEFT]], [[WORK:%.+]] overflow<nsw> : i64
  // CHECK-NEXT: llvm.store [[NOW]], [[COUNTER]]
  // CHECK-NEXT: [[DUE:%.+]] = llvm.icmp "slt" [[NOW]], {{%.+}} : i64
  // CHECK-NEXT: llvm.cond_br [[DUE]], ^[[ASKS:.+]], ^[[GOES_ON:.+]]
  // CHECK-NEXT: ^[[ASKS]]:
  // CHECK: [[ALLOWED:%.+]] = llvm.call [[FUNCTION:%.+]]([[CONTEXT]]) {xrt.safepoint_call} : !llvm.ptr, (!llvm.ptr) -> i64
  // CHECK-NEXT: llvm.store [[ALLOWED]], [[COUNTER]]
  // CHECK-NEXT: [[OVER:%.+]] = llvm.icmp "slt" [[ALLOWED]], {{%.+}} : i64
  // CHECK-NEXT: llvm.cond_br [[OVER]], ^[[RETURNS:.+]], ^[[GOES_ON]]
  // CHECK-NEXT: ^[[GOES_ON]]:
  // CHECK: llvm.store
  // CHECK-NEXT: llvm.return
  // CHECK-NEXT: ^[[RETURNS]]:
  // CHECK-NEXT: llvm.return
  xrt.safepoint 65535
  memref.store %s, %x[%i] : memref<64xf32>
  func.return
}

// What is before much work is a call, of a function that all programs share.
// CHECK-LABEL: llvm.func internal @calls
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 256 : i64}, [[I:%[^:]+]]: i64, [[CONTEXT:%[^:]+]]: !llvm.ptr
func.func private @calls(%x: memref<64xf32>, %i: index) {
  // CHECK: [[COUNTER:%.+]] = llvm.alloca {{%.+}} x i64
  // CHECK: [[LEFT:%.+]] = llvm.call @xrt.spend([[COUNTER]], [[WORK:%.+]], [[CONTEXT]])
  // CHECK-NEXT: [[OVER:%.+]] = llvm.icmp "slt" [[LEFT]], {{%.+}} : i64
  // CHECK-NEXT: llvm.cond_br [[OVER]], ^[[RETURNS:.+]], ^[[GOES_ON:.+]]
  // CHECK-NEXT: ^[[GOES_ON]]:
  // CHECK: [[P:%.+]] = llvm.getelementptr inbounds [[X]][[[I]]]
  // CHECK-NEXT: llvm.call @xrt.fetch([[P]], [[LINES:%.+]], [[ROWS:%.+]], [[APART:%.+]])
  // CHECK-NOT: llvm.prefetch
  // CHECK: ^[[RETURNS]]:
  // CHECK-NEXT: llvm.return
  xrt.safepoint 65536
  xrt.prefetch %x[%i] lines 9 : memref<64xf32>
  func.return
}

// A tile is a call of the function for such tiles, which is told how often its loops run and how far they move the factors.
// CHECK-LABEL: llvm.func internal @tile
// CHECK-SAME: ([[A:%[^:]+]]: !llvm.ptr {{{.*}}}, [[B:%[^:]+]]: !llvm.ptr {{{.*}}}, [[OUT:%[^:]+]]: !llvm.ptr {{{.*}}}, [[I:%[^:]+]]: i64)
func.func private @tile(%a: memref<4096xf32>, %b: memref<4096xf32>, %out: memref<4096xf32>, %i: index) {
  // CHECK-DAG: [[ROWS:%.+]] = llvm.mlir.constant(64) : i64
  // CHECK-DAG: [[TRIPS:%.+]] = llvm.mlir.constant(32) : i64
  // CHECK-DAG: [[STEP:%.+]] = llvm.mlir.constant(1) : i64
  // CHECK-DAG: [[X:%.+]] = llvm.getelementptr inbounds [[A]][[[I]]]
  // CHECK-DAG: [[Y:%.+]] = llvm.getelementptr inbounds [[B]][[[I]]]
  // CHECK-DAG: [[Z:%.+]] = llvm.getelementptr inbounds [[OUT]][[[I]]]
  // CHECK: llvm.call @xrt.tile.f32_2x16_0.16_0.16_1__fma_([[X]], [[Y]], [[Z]], [[ROWS]], [[ROWS]], [[TRIPS]], [[STEP]], [[ROWS]])
  xrt.tile %a[%i], %b[%i], %out[%i] {trips = array<i64: 32>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 64>, rows = 2 : i64, lhs_row = 64 : i64, out_row = 64 : i64, columns = array<i64: 0, 16>, at = array<i64: 0, 16>, lanes = 16 : i64, chains = array<i64>, fma} : memref<4096xf32>, memref<4096xf32>, memref<4096xf32>
  func.return
}

// One task for both loops.
// CHECK-LABEL: llvm.func internal @body.task.64
// CHECK-SAME: ([[FRAME:%[^:]+]]: !llvm.ptr, [[PART:%[^:]+]]: i64, [[PARTS:%[^:]+]]: i64, [[THREAD:%[^:]+]]: i64)
// CHECK-DAG: [[NEXT:%.+]] = llvm.add [[PART]], {{%.+}} overflow<nsw> : i64
// CHECK-DAG: [[START:%.+]] = llvm.mul [[PART]], {{%.+}} overflow<nsw> : i64
// CHECK: [[LO:%.+]] = llvm.udiv [[START]], [[PARTS]] : i64
// CHECK: [[END:%.+]] = llvm.mul [[NEXT]], {{%.+}} overflow<nsw> : i64
// CHECK-NEXT: [[HI:%.+]] = llvm.udiv [[END]], [[PARTS]] : i64
// CHECK-NEXT: llvm.call @body({{%.+}}, {{%.+}}, [[LO]], [[HI]], [[THREAD]])
// CHECK-NOT: .task.

// CHECK-DAG: llvm.func @xrt.fetch(!llvm.ptr, i64, i64, i64)
// CHECK-DAG: llvm.func @xrt.fork(!llvm.ptr, !llvm.ptr, i64)
// CHECK-DAG: llvm.func @xrt.spend(!llvm.ptr, i64, !llvm.ptr) -> i64
