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

// A gather with much arithmetic behind it: LLVM makes vectors of that.
// CHECK-LABEL: llvm.func @gather_and_divide
// CHECK-NOT: vector<1xi64>
llvm.func @gather_and_divide(%p: !llvm.ptr, %x: !llvm.ptr, %divisor: f64) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(1000) : i64
  %v = llvm.load %p : !llvm.ptr -> vector<8xf32>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %place = llvm.load %q : !llvm.ptr -> i64
  %r = llvm.getelementptr %x[%place] : (!llvm.ptr, i64) -> !llvm.ptr, f64
  %found = llvm.load %r : !llvm.ptr -> f64
  %f0 = llvm.fdiv %found, %divisor : f64
  %f1 = llvm.fdiv %f0, %divisor : f64
  %f2 = llvm.fdiv %f1, %divisor : f64
  %f3 = llvm.fdiv %f2, %divisor : f64
  %f4 = llvm.fdiv %f3, %divisor : f64
  %f5 = llvm.fdiv %f4, %divisor : f64
  %f6 = llvm.fdiv %f5, %divisor : f64
  %f7 = llvm.fdiv %f6, %divisor : f64
  %f8 = llvm.fdiv %f7, %divisor : f64
  %f9 = llvm.fdiv %f8, %divisor : f64
  %f10 = llvm.fdiv %f9, %divisor : f64
  %f11 = llvm.fdiv %f10, %divisor : f64
  %f12 = llvm.fdiv %f11, %divisor : f64
  %f13 = llvm.fdiv %f12, %divisor : f64
  %f14 = llvm.fdiv %f13, %divisor : f64
  %f15 = llvm.fdiv %f14, %divisor : f64
  %f16 = llvm.fdiv %f15, %divisor : f64
  %f17 = llvm.fdiv %f16, %divisor : f64
  %f18 = llvm.fdiv %f17, %divisor : f64
  %f19 = llvm.fdiv %f18, %divisor : f64
  %f20 = llvm.fdiv %f19, %divisor : f64
  %f21 = llvm.fdiv %f20, %divisor : f64
  %f22 = llvm.fdiv %f21, %divisor : f64
  %f23 = llvm.fdiv %f22, %divisor : f64
  %f24 = llvm.fdiv %f23, %divisor : f64
  %f25 = llvm.fdiv %f24, %divisor : f64
  %f26 = llvm.fdiv %f25, %divisor : f64
  %f27 = llvm.fdiv %f26, %divisor : f64
  %f28 = llvm.fdiv %f27, %divisor : f64
  %f29 = llvm.fdiv %f28, %divisor : f64
  %f30 = llvm.fdiv %f29, %divisor : f64
  %f31 = llvm.fdiv %f30, %divisor : f64
  %f32 = llvm.fdiv %f31, %divisor : f64
  %f33 = llvm.fdiv %f32, %divisor : f64
  %f34 = llvm.fdiv %f33, %divisor : f64
  %f35 = llvm.fdiv %f34, %divisor : f64
  %f36 = llvm.fdiv %f35, %divisor : f64
  %f37 = llvm.fdiv %f36, %divisor : f64
  %f38 = llvm.fdiv %f37, %divisor : f64
  %f39 = llvm.fdiv %f38, %divisor : f64
  %f40 = llvm.fdiv %f39, %divisor : f64
  %f41 = llvm.fdiv %f40, %divisor : f64
  %f42 = llvm.fdiv %f41, %divisor : f64
  %f43 = llvm.fdiv %f42, %divisor : f64
  %f44 = llvm.fdiv %f43, %divisor : f64
  %f45 = llvm.fdiv %f44, %divisor : f64
  %f46 = llvm.fdiv %f45, %divisor : f64
  %f47 = llvm.fdiv %f46, %divisor : f64
  %f48 = llvm.fdiv %f47, %divisor : f64
  %f49 = llvm.fdiv %f48, %divisor : f64
  %f50 = llvm.fdiv %f49, %divisor : f64
  %f51 = llvm.fdiv %f50, %divisor : f64
  %f52 = llvm.fdiv %f51, %divisor : f64
  %f53 = llvm.fdiv %f52, %divisor : f64
  %f54 = llvm.fdiv %f53, %divisor : f64
  %f55 = llvm.fdiv %f54, %divisor : f64
  %f56 = llvm.fdiv %f55, %divisor : f64
  llvm.store %f56, %q : f64, !llvm.ptr
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
