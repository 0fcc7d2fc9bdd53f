// RUN: xla-opt %s -p 'convert-to-llvm{vector-bits=512}' --split-input-file | filecheck %s

// CHECK-LABEL: @load_store
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr {{.*}}, [[I:%[^:]+]]: i64
func.func private @load_store(%x: memref<4x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  // CHECK: [[P:%.+]] = llvm.getelementptr inbounds [[X]]
  // CHECK-NEXT: [[V:%.+]] = llvm.load [[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %v = vector.load %x[%i, %c0] : memref<4x16xf32>, vector<16xf32>
  // CHECK-NEXT: [[W:%.+]] = llvm.intr.fma([[V]], [[V]], [[V]])
  %w = vector.fma %v, %v, %v : vector<16xf32>
  // CHECK-NEXT: llvm.store [[W]], [[P]] {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  vector.store %w, %x[%i, %c0] : memref<4x16xf32>, vector<16xf32>
  func.return
}

// -----

// CHECK-LABEL: @booleans
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr
func.func private @booleans(%x: memref<16xi1>) {
  // CHECK: [[BYTES:%.+]] = llvm.load [[X]] {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
  // CHECK-NEXT: [[V:%.+]] = llvm.trunc [[BYTES]] : vector<16xi8> to vector<16xi1>
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<16xi1>, vector<16xi1>
  // CHECK-NEXT: [[STORED:%.+]] = llvm.zext [[V]] : vector<16xi1> to vector<16xi8>
  // CHECK-NEXT: llvm.store [[STORED]], [[X]]
  vector.store %v, %x[%c0] : memref<16xi1>, vector<16xi1>
  func.return
}

// -----

// CHECK-LABEL: @masks
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr {{.*}}, [[N:%[^:]+]]: i64
func.func private @masks(%x: memref<16xf32>, %n: index) {
  // CHECK: [[STEPS:%.+]] = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi64>)
  // CHECK: [[FIRST:%.+]] = llvm.insertelement [[N]]
  // CHECK-NEXT: [[COUNTS:%.+]] = llvm.shufflevector [[FIRST]], {{%.+}} [0, 0, 0, 0]
  // CHECK-NEXT: [[MASK:%.+]] = llvm.icmp "slt" [[STEPS]], [[COUNTS]] : vector<4xi64>
  %m = vector.create_mask %n : vector<4xi1>
  %c0 = arith.constant 0 : index
  %p = arith.constant dense<0.0> : vector<4xf32>
  // CHECK-NEXT: [[V:%.+]] = llvm.call_intrinsic "llvm.masked.load.v4f32.p0"([[X]], [[MASK]], {{%.+}})
  %v = vector.maskedload %x[%c0], %m, %p
    : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: llvm.call_intrinsic "llvm.masked.store.v4f32.p0"([[V]], [[X]], [[MASK]])
  vector.maskedstore %x[%c0], %m, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  func.return
}

// -----

// One lane is stored as a scalar.

// CHECK-LABEL: @single_lane
// CHECK-SAME: [[X:%[^:]+]]: !llvm.ptr {{.*}}, [[V:%[^:]+]]: vector<4xi16>
func.func private @single_lane(%x: memref<16xi16>, %v: vector<4xi16>) {
  %c0 = arith.constant 0 : index
  // CHECK: [[LANE:%.+]] = llvm.mlir.constant(2) : i64
  // CHECK: [[E:%.+]] = llvm.extractelement [[V]]{{\[}}[[LANE]]
  // CHECK: [[P:%.+]] = llvm.getelementptr inbounds [[X]]{{\[}}[[LANE]]
  // CHECK-NEXT: llvm.store [[E]], [[P]]
  %third = arith.constant dense<[false, false, true, false]> : vector<4xi1>
  vector.maskedstore %x[%c0], %third, %v : memref<16xi16>, vector<4xi1>, vector<4xi16>
  // CHECK: [[F:%.+]] = llvm.extractelement [[V]]
  // CHECK-NOT: masked
  %c1 = arith.constant 1 : index
  %first = vector.create_mask %c1 : vector<4xi1>
  vector.maskedstore %x[%c0], %first, %v : memref<16xi16>, vector<4xi1>, vector<4xi16>
  func.return
}

// -----

// CHECK-LABEL: @reduce
// CHECK-SAME: [[V:%[^:]+]]: vector<8xf32>, [[A:%[^:]+]]: f32
func.func private @reduce(%v: vector<8xf32>, %a: f32) -> f32 {
  // CHECK: [[SUM:%.+]] = llvm.call_intrinsic "llvm.vector.reduce.fadd.v8f32"([[A]], [[V]]){{.*}}reassoc
  %0 = vector.reduction <add>, %v, %a fastmath<reassoc> : vector<8xf32> into f32
  // CHECK-NEXT: [[MAX:%.+]] = llvm.call_intrinsic "llvm.vector.reduce.fmaximum.v8f32"([[V]])
  // CHECK-NEXT: [[R:%.+]] = llvm.call_intrinsic "llvm.maximum.f32"([[SUM]], [[MAX]])
  %1 = vector.reduction <maximumf>, %v, %0 : vector<8xf32> into f32
  // CHECK-NEXT: llvm.return [[R]]
  func.return %1 : f32
}

// -----

// CHECK-LABEL: @elements
// CHECK-SAME: [[V:%[^:]+]]: vector<4xf32>, [[S:%[^:]+]]: f32
func.func private @elements(%v: vector<4xf32>, %s: f32) -> vector<4xf32> {
  // CHECK: [[E:%.+]] = llvm.extractelement [[V]][{{%.+}} : i64] : vector<4xf32>
  %0 = vector.extract %v[2] : f32 from vector<4xf32>
  // CHECK-NEXT: [[ONE:%.+]] = llvm.insertelement [[E]], {{%.+}}
  // CHECK-NEXT: [[ALL:%.+]] = llvm.shufflevector [[ONE]], {{%.+}} [0, 0, 0, 0]
  %1 = vector.broadcast %0 : f32 to vector<4xf32>
  // CHECK-NEXT: llvm.insertelement [[S]], [[ALL]]
  %2 = vector.insert %s, %1[1] : f32 into vector<4xf32>
  func.return %2 : vector<4xf32>
}
