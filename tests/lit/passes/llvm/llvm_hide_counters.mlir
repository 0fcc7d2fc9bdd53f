// RUN: xla-opt %s -p "llvm-hide-counters{vector_bits=512}" | filecheck %s

// The counters of both loops are vectors of one lane; the accumulator stays what it is.
// CHECK-LABEL: llvm.func @tile
// CHECK-DAG: [[POISON:%.+]] = llvm.mlir.poison : vector<1xi64>
// CHECK-DAG: [[ZERO:%.+]] = llvm.mlir.constant(dense<0> : vector<1xi64>) : vector<1xi64>
// CHECK: llvm.br ^[[OUTER:.+]]([[ZERO]] : vector<1xi64>)
// CHECK: ^[[OUTER]](%{{.+}}: vector<1xi64>):
// CHECK-NEXT: [[I:%.+]] = llvm.extractelement
// CHECK: llvm.br ^[[INNER:.+]]([[ZERO]], %{{.+}} : vector<1xi64>, vector<8xf32>)
// CHECK: ^[[INNER]](%{{.+}}: vector<1xi64>, [[SUM:%.+]]: vector<8xf32>):
// CHECK-NEXT: [[J:%.+]] = llvm.extractelement
// CHECK: [[NEXT_J:%.+]] = llvm.add [[J]]
// CHECK: [[LANE_J:%.+]] = llvm.insertelement [[NEXT_J]], [[POISON]]
// CHECK-NEXT: llvm.cond_br %{{.+}}, ^[[INNER]]([[LANE_J]], %{{.+}} : vector<1xi64>, vector<8xf32>), ^{{.+}}
// CHECK: [[NEXT_I:%.+]] = llvm.add [[I]]
// CHECK: [[LANE_I:%.+]] = llvm.insertelement [[NEXT_I]], [[POISON]]
// CHECK-NEXT: llvm.cond_br %{{.+}}, ^[[OUTER]]([[LANE_I]] : vector<1xi64>), ^{{.+}}
llvm.func @tile(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(1000) : i64
  %none = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^row(%zero : i64)
^row(%i: i64):
  llvm.br ^column(%zero, %none : i64, vector<8xf32>)
^column(%j: i64, %sum: vector<8xf32>):
  %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %q : !llvm.ptr -> vector<8xf32>
  %next = llvm.fadd %sum, %v : vector<8xf32>
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %many : i64
  llvm.cond_br %more_j, ^column(%next_j, %next : i64, vector<8xf32>), ^end
^end:
  llvm.store %next, %p : vector<8xf32>, !llvm.ptr
  %next_i = llvm.add %i, %one : i64
  %more_i = llvm.icmp "slt" %next_i, %many : i64
  llvm.cond_br %more_i, ^row(%next_i : i64), ^done
^done:
  llvm.return
}

// A gather beside vector code stays what it is.
// CHECK-LABEL: llvm.func @gather
// CHECK: ^{{.+}}(%{{.+}}: vector<1xi64>):
// CHECK: llvm.getelementptr %x[%{{.+}}]
llvm.func @gather(%p: !llvm.ptr, %x: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(1000) : i64
  %v = llvm.load %p : !llvm.ptr -> vector<8xf32>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %place = llvm.load %q : !llvm.ptr -> i64
  %r = llvm.getelementptr %x[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %found = llvm.load %r : !llvm.ptr -> i64
  llvm.store %found, %q : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.store %v, %p : vector<8xf32>, !llvm.ptr
  llvm.return
}

// A loop over elements: LLVM's optimiser has to see the counter.
// CHECK-LABEL: llvm.func @elements
// CHECK-NOT: vector<1xi64>
llvm.func @elements(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(1000) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %i, %q : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}

// A short loop of vector code is not unrolled.
// CHECK-LABEL: llvm.func @short
// CHECK: ^{{.*}}(%{{.*}}: vector<1xi64>):
llvm.func @short(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %none = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %sum = llvm.fadd %none, %none : vector<8xf32>
  llvm.store %sum, %q : vector<8xf32>, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %three : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}
