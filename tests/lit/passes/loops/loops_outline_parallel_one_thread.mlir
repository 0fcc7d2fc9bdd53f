// RUN: xla-opt %s -p loops-outline-parallel | filecheck %s

// CHECK-LABEL: @nest
// CHECK-SAME: ([[A:%[a-z0-9_]+]]: memref<8x4xf32>, [[X:%[a-z0-9_]+]]: f32)
// CHECK-DAG: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG: [[C1:%[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-DAG: [[C4:%[a-z0-9_]+]] = arith.constant 4 : index
// CHECK-DAG: [[C8:%[a-z0-9_]+]] = arith.constant 8 : index
// CHECK: scf.for [[I:%[a-z0-9_]+]] = [[C0]] to [[C8]] step [[C1]] {
// CHECK-NEXT: scf.for [[J:%[a-z0-9_]+]] = [[C0]] to [[C4]] step [[C1]] {
// CHECK-NEXT: memref.store [[X]], [[A]][[[I]], [[J]]] : memref<8x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: func.return
func.func @nest(%a: memref<8x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  "scf.parallel"(%c0, %c0, %c8, %c4, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%i: index, %j: index):
    memref.store %x, %a[%i, %j] : memref<8x4xf32>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  func.return
}
