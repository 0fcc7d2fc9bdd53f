// RUN: xla-opt %s -p llvm-mark-short-loops | filecheck %s
// RUN: xla-opt %s -p llvm-mark-short-loops -t llvm | filecheck %s --check-prefix TEXT

// Rows of three colours: both loops.
// CHECK-LABEL: llvm.func @colours
// CHECK: llvm.cond_br %{{.+}}, ^[[INNER:.+]](%{{.+}} : i64), ^{{.+}} {xrt.unroll}
// CHECK: llvm.cond_br %{{.+}}, ^[[OUTER:.+]](%{{.+}} : i64), ^{{.+}} {xrt.unroll}
// TEXT-LABEL: define void @colours
// TEXT: br i1 %{{.+}}, label %b2, label %b3, !llvm.loop [[INNER:!.+]]
// TEXT: br i1 %{{.+}}, label %b1, label %b4, !llvm.loop [[OUTER:!.+]]
llvm.func @colours(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  llvm.br ^row(%zero : i64)
^row(%i: i64):
  llvm.br ^colour(%zero : i64)
^colour(%j: i64):
  %at = llvm.add %i, %j : i64
  %q = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %j, %q : i64, !llvm.ptr
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %three : i64
  llvm.cond_br %more_j, ^colour(%next_j : i64), ^end
^end:
  %next_i = llvm.add %i, %one : i64
  %more_i = llvm.icmp "slt" %next_i, %three : i64
  llvm.cond_br %more_i, ^row(%next_i : i64), ^done
^done:
  llvm.return
}

// A long loop stays, and what is around it.
// CHECK-LABEL: llvm.func @long
// CHECK-NOT: xrt.unroll
// TEXT-LABEL: define void @long
// TEXT-NOT: label %b{{.+}}!llvm.loop
llvm.func @long(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %many = llvm.mlir.constant(1000) : i64
  llvm.br ^row(%zero : i64)
^row(%i: i64):
  llvm.br ^column(%zero : i64)
^column(%j: i64):
  %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %j, %q : i64, !llvm.ptr
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %many : i64
  llvm.cond_br %more_j, ^column(%next_j : i64), ^end
^end:
  %next_i = llvm.add %i, %one : i64
  %more_i = llvm.icmp "slt" %next_i, %three : i64
  llvm.cond_br %more_i, ^row(%next_i : i64), ^done
^done:
  llvm.return
}

// So does one of vector code,
// CHECK-LABEL: llvm.func @vectors
// CHECK-NOT: xrt.unroll
llvm.func @vectors(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %none = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %none, %q : vector<8xf32>, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %three : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}

// and a gather.
// CHECK-LABEL: llvm.func @gather
// CHECK-NOT: xrt.unroll
llvm.func @gather(%p: !llvm.ptr, %x: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %place = llvm.load %q : !llvm.ptr -> i64
  %r = llvm.getelementptr %x[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %i, %r : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %three : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}

// and one in which each element needs those before.
// CHECK-LABEL: llvm.func @running_sum
// CHECK-NOT: xrt.unroll
llvm.func @running_sum(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %none = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^loop(%zero, %none : i64, f32)
^loop(%i: i64, %s: f32):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q : !llvm.ptr -> f32
  %t = llvm.fadd %s, %x : f32
  llvm.store %t, %q : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %three : i64
  llvm.cond_br %more, ^loop(%next, %t : i64, f32), ^done
^done:
  llvm.return
}

// and one whose counter is hidden.
// CHECK-LABEL: llvm.func @hidden
// CHECK-NOT: xrt.unroll
llvm.func @hidden(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %zeros = llvm.mlir.constant(dense<0> : vector<1xi64>) : vector<1xi64>
  %poison = llvm.mlir.poison : vector<1xi64>
  llvm.br ^loop(%zeros : vector<1xi64>)
^loop(%v: vector<1xi64>):
  %i = llvm.extractelement %v[%zero : i64] : vector<1xi64>
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %i, %q : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %three : i64
  %w = llvm.insertelement %next, %poison[%zero : i64] : vector<1xi64>
  llvm.cond_br %more, ^loop(%w : vector<1xi64>), ^done
^done:
  llvm.return
}

// TEXT: !"llvm.loop.unroll.full"
