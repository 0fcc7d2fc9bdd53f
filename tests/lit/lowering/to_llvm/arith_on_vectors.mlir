// RUN: xla-opt %s -p convert-to-llvm | filecheck %s
// RUN: xla-opt %s -p convert-to-llvm | xla-opt | filecheck %s

// CHECK-LABEL: @lanes
// CHECK-SAME: [[X:%[^:]+]]: vector<4xf32>, [[I:%[^:]+]]: vector<4xi32>
func.func private @lanes(%x: vector<4xf32>, %i: vector<4xi32>) -> vector<4xf32> {
  // CHECK: [[Y:%.+]] = llvm.sitofp [[I]] : vector<4xi32> to vector<4xf32>
  %y = arith.sitofp %i : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: [[C:%.+]] = llvm.fcmp "olt" [[X]], [[Y]] : vector<4xf32>
  %c = arith.cmpf olt, %x, %y : vector<4xf32>
  // CHECK-NEXT: [[Z:%.+]] = llvm.select [[C]], [[X]], [[Y]] : vector<4xi1>, vector<4xf32>
  %z = arith.select %c, %x, %y : vector<4xi1>, vector<4xf32>
  func.return %z : vector<4xf32>
}
