// RUN: xla-opt %s -p llvm-mark-short-loops -t llvm | filecheck %s

// Rows of three elements are unrolled, the loop around them stays; so does a long loop.

// CHECK-LABEL: define void @rows
// CHECK: br i1 %{{[0-9]+}}, label %b2, label %b3, !llvm.loop ![[INNER:[0-9]+]]
// CHECK: br i1 %{{[0-9]+}}, label %b1, label %b4{{$}}
llvm.func @rows(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  %many = llvm.mlir.constant(1000) : i64
  llvm.br ^row(%zero : i64)
^row(%i: i64):
  llvm.br ^column(%zero : i64)
^column(%j: i64):
  llvm.store %j, %p : i64, !llvm.ptr
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %three : i64
  llvm.cond_br %more_j, ^column(%next_j : i64), ^end
^end:
  %next_i = llvm.add %i, %one : i64
  %more_i = llvm.icmp "slt" %next_i, %many : i64
  llvm.cond_br %more_i, ^row(%next_i : i64), ^done
^done:
  llvm.return
}

// Loops of vector code stay as well.

// CHECK-LABEL: define void @vectors
// CHECK: br i1 %{{[0-9]+}}, label %b1, label %b2{{$}}
llvm.func @vectors(%p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  llvm.br ^vector(%zero : i64)
^vector(%j: i64):
  %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %y = llvm.fadd %x, %x : vector<16xf32>
  llvm.store %y, %q {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %three : i64
  llvm.cond_br %more_j, ^vector(%next_j : i64), ^done
^done:
  llvm.return
}

// A step of a search begins where the last one has ended.

// CHECK-LABEL: define void @search
// CHECK: br i1 %{{[0-9]+}}, label %b1, label %b2{{$}}
llvm.func @search(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %three = llvm.mlir.constant(3) : i64
  llvm.br ^step(%zero, %zero : i64, i64)
^step(%j: i64, %place: i64):
  %at = llvm.getelementptr inbounds %p[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %x = llvm.load %at {alignment = 8 : i64} : !llvm.ptr -> i64
  %next_place = llvm.add %place, %x : i64
  %next_j = llvm.add %j, %one : i64
  %more_j = llvm.icmp "slt" %next_j, %three : i64
  llvm.cond_br %more_j, ^step(%next_j, %next_place : i64, i64), ^done
^done:
  llvm.return
}

// CHECK: ![[FULL:[0-9]+]] = !{!"llvm.loop.unroll.full"}
// CHECK: ![[INNER]] = distinct !{![[INNER]], ![[FULL]]}
