// RUN: xla-opt %s -p llvm-choose-tiers | filecheck %s
// RUN: xla-opt %s -p "llvm-hide-counters{vector_bits=512},llvm-choose-tiers" | filecheck %s --check-prefix HIDDEN

// Calls, once.
// CHECK-LABEL: llvm.func @main
// CHECK-SAME: xrt.tier = "program"
llvm.func @main(%p: !llvm.ptr) {
  llvm.call @elements(%p) : (!llvm.ptr) -> ()
  llvm.call @vectors(%p) : (!llvm.ptr) -> ()
  llvm.call @calls(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// A long loop over elements.
// CHECK-LABEL: llvm.func internal @elements
// CHECK-SAME: xrt.tier = "loops"
// HIDDEN-LABEL: llvm.func internal @elements
// HIDDEN-SAME: xrt.tier = "loops"
llvm.func internal @elements(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
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

// Beside vector code, long loops that no vectoriser takes: each element needs the sum so far, or changes a place that is
// found. One that sets elements is left to it.
// CHECK-LABEL: llvm.func internal @running_sum
// CHECK-SAME: xrt.tier = "vectors"
// CHECK-LABEL: llvm.func internal @histogram
// CHECK-SAME: xrt.tier = "vectors"
// CHECK-LABEL: llvm.func internal @numbers
// CHECK-SAME: xrt.tier = "loops"
llvm.func internal @running_sum(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
  %none = llvm.mlir.constant(0.0 : f32) : f32
  %nothing = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^vectors(%zero : i64)
^vectors(%v: i64):
  %w = llvm.getelementptr %p[%v] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %nothing, %w : vector<8xf32>, !llvm.ptr
  %after = llvm.add %v, %one : i64
  %still = llvm.icmp "slt" %after, %many : i64
  llvm.cond_br %still, ^vectors(%after : i64), ^begin
^begin:
  llvm.br ^loop(%zero, %none : i64, f32)
^loop(%i: i64, %s: f32):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %q : !llvm.ptr -> f32
  %t = llvm.fadd %s, %x : f32
  llvm.store %t, %q : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next, %t : i64, f32), ^done
^done:
  llvm.return
}
llvm.func internal @histogram(%p: !llvm.ptr, %counts: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
  %none = llvm.mlir.constant(0.0 : f32) : f32
  %nothing = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^vectors(%zero : i64)
^vectors(%v: i64):
  %w = llvm.getelementptr %p[%v] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %nothing, %w : vector<8xf32>, !llvm.ptr
  %after = llvm.add %v, %one : i64
  %still = llvm.icmp "slt" %after, %many : i64
  llvm.cond_br %still, ^vectors(%after : i64), ^begin
^begin:
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %place = llvm.load %q : !llvm.ptr -> i64
  %r = llvm.getelementptr %counts[%place] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %count = llvm.load %r : !llvm.ptr -> i64
  %sum = llvm.add %count, %one : i64
  llvm.store %sum, %r : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}
llvm.func internal @numbers(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
  %none = llvm.mlir.constant(0.0 : f32) : f32
  %nothing = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^vectors(%zero : i64)
^vectors(%v: i64):
  %w = llvm.getelementptr %p[%v] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %nothing, %w : vector<8xf32>, !llvm.ptr
  %after = llvm.add %v, %one : i64
  %still = llvm.icmp "slt" %after, %many : i64
  llvm.cond_br %still, ^vectors(%after : i64), ^begin
^begin:
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

// Vector code, with its counter in sight or hidden.
// CHECK-LABEL: llvm.func internal @vectors
// CHECK-SAME: xrt.tier = "vectors"
// HIDDEN-LABEL: llvm.func internal @vectors
// HIDDEN-SAME: xrt.tier = "tiles"
llvm.func internal @vectors(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
  %none = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %none, %q : vector<8xf32>, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}

// It is over soon, but a loop calls it.
// CHECK-LABEL: llvm.func internal @called
// CHECK-SAME: xrt.tier = "vectors"
llvm.func internal @called(%p: !llvm.ptr) attributes {xrt.repeated} {
  %one = llvm.mlir.constant(1) : i64
  llvm.store %one, %p : i64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func internal @calls
// CHECK-SAME: xrt.tier = "loops"
llvm.func internal @calls(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %many = llvm.mlir.constant(10000) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.call @called(%p) : (!llvm.ptr) -> ()
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %many : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}

// A short one is the program's, its attributes in an order that parsing does not change.
// CHECK-LABEL: llvm.func internal @brief
// CHECK-SAME: attributes {xrt.tier = "program", xrt.kernel}
llvm.func internal @brief(%p: !llvm.ptr) attributes {xrt.kernel} {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %some = llvm.mlir.constant(20) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %i, %q : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %some : i64
  llvm.cond_br %more, ^loop(%next : i64), ^done
^done:
  llvm.return
}
