// RUN: xla-opt %s -p llvm-hoist-invariants | filecheck %s

// The row of an address and the broadcast of a factor are computed in front of the loop; what changes is added to a
// pointer. The load stays: the loop stores.
// CHECK-LABEL: llvm.func @scale
// CHECK: ^{{.+}}(%i: i64):
// CHECK-NEXT: [[ROW:%.+]] = llvm.mul %i, %width
// CHECK-NEXT: [[START:%.+]] = llvm.getelementptr %p[[[ROW]]]
// CHECK-NEXT: [[LANE:%.+]] = llvm.insertelement %factor
// CHECK-NEXT: [[ALL:%.+]] = llvm.shufflevector [[LANE]]
// CHECK-NEXT: llvm.br
// CHECK-NEXT: ^{{.+}}(%j: i64):
// CHECK-NEXT: [[P:%.+]] = llvm.getelementptr [[START]][%j]
// CHECK-NEXT: [[V:%.+]] = llvm.load [[P]]
// CHECK-NEXT: [[W:%.+]] = llvm.fmul [[V]], [[ALL]]
// CHECK-NEXT: llvm.store [[W]], [[P]]
llvm.func @scale(%p: !llvm.ptr, %factor: f32) {
  %zero = llvm.mlir.constant(0) : i64
  %step = llvm.mlir.constant(8) : i64
  %one = llvm.mlir.constant(1) : i64
  %width = llvm.mlir.constant(1000) : i64
  %poison = llvm.mlir.poison : vector<8xf32>
  llvm.br ^row(%zero : i64)
^row(%i: i64):
  llvm.br ^column(%zero : i64)
^column(%j: i64):
  %row = llvm.mul %i, %width : i64
  %at = llvm.add %row, %j : i64
  %q = llvm.getelementptr inbounds %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %q : !llvm.ptr -> vector<8xf32>
  %lane = llvm.insertelement %factor, %poison[%zero : i64] : vector<8xf32>
  %all = llvm.shufflevector %lane, %poison [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xf32>
  %w = llvm.fmul %v, %all : vector<8xf32>
  llvm.store %w, %q : vector<8xf32>, !llvm.ptr
  %next_j = llvm.add %j, %step : i64
  %more_j = llvm.icmp "slt" %next_j, %width : i64
  llvm.cond_br %more_j, ^column(%next_j : i64), ^end
^end:
  %next_i = llvm.add %i, %one : i64
  %more_i = llvm.icmp "slt" %next_i, %width : i64
  llvm.cond_br %more_i, ^row(%next_i : i64), ^done
^done:
  llvm.return
}

// Loops over elements go through LLVM's optimiser.
// CHECK-LABEL: llvm.func @elements
// CHECK: ^{{.+}}(%{{.+}}: i64):
// CHECK-NEXT: llvm.mul
llvm.func @elements(%p: !llvm.ptr, %i: i64) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %width = llvm.mlir.constant(1000) : i64
  llvm.br ^column(%zero : i64)
^column(%j: i64):
  %row = llvm.mul %i, %width : i64
  %at = llvm.add %row, %j : i64
  %q = llvm.getelementptr inbounds %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %j, %q : i64, !llvm.ptr
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %width : i64
  llvm.cond_br %more_j, ^column(%next_j : i64), ^end
^end:
  llvm.return
}
