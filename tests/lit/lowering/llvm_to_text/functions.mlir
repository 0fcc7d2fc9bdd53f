// RUN: xla-opt %s -t llvm | filecheck %s

llvm.func @sinf(f32) -> f32

// CHECK: define internal void @"a kernel"(ptr noalias captures(none) readonly align 16 dereferenceable(64) %0, i64 %1) nounwind noinline willreturn "prefer-vector-width"="512" {
"llvm.func"() <{sym_name = "a kernel", function_type = !llvm.func<void (ptr, i64)>,
    CConv = #llvm.cconv<ccc>, linkage = #llvm.linkage<internal>, visibility_ = 0 : i64,
    no_unwind, no_inline, passthrough = ["willreturn", ["prefer-vector-width", "512"]],
    arg_attrs = [{llvm.noalias, llvm.nocapture, llvm.readonly, llvm.align = 16 : i64,
      llvm.dereferenceable = 64 : i64}, {}]}> ({
^bb0(%p: !llvm.ptr, %n: i64):
  "llvm.return"() : () -> ()
}) : () -> ()

// CHECK-LABEL: define i64 @loop(i64 %0) {
llvm.func @loop(%n: i64) -> i64 {
  %0 = llvm.mlir.constant(0) : i64
  %1 = llvm.mlir.constant(1) : i64
  // CHECK-NEXT: b0:
  // CHECK-NEXT: br label %b1
  llvm.br ^head(%0, %1 : i64, i64)
^head(%i: i64, %product: i64):
  // CHECK-NEXT: b1:
  // CHECK-NEXT: %1 = phi i64 [ 0, %b0 ], [ %4, %b2 ]
  // CHECK-NEXT: %2 = phi i64 [ 1, %b0 ], [ %5, %b2 ]
  // CHECK-NEXT: %3 = icmp slt i64 %1, %0
  // CHECK-NEXT: br i1 %3, label %b2, label %b3
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^done(%product : i64)
^body:
  // CHECK-NEXT: b2:
  // CHECK-NEXT: %4 = add i64 %1, 1
  // CHECK-NEXT: %5 = mul i64 %2, %4
  // CHECK-NEXT: br label %b1
  %next = llvm.add %i, %1 : i64
  %scaled = llvm.mul %product, %next : i64
  llvm.br ^head(%next, %scaled : i64, i64)
^done(%r: i64):
  // CHECK-NEXT: b3:
  // CHECK-NEXT: %6 = phi i64 [ %2, %b1 ]
  // CHECK-NEXT: ret i64 %6
  llvm.return %r : i64
}

// Two ways from one block to another with different operands: the second goes by a block of its own.
// CHECK-LABEL: define i64 @two_ways(i1 %0) {
llvm.func @two_ways(%c: i1) -> i64 {
  %0 = llvm.mlir.constant(0) : i64
  %1 = llvm.mlir.constant(1) : i64
  // CHECK-NEXT: b0:
  // CHECK-NEXT: br i1 %0, label %b1, label %b0.1
  // CHECK-NEXT: b0.1:
  // CHECK-NEXT: br label %b1
  // CHECK-NEXT: b1:
  // CHECK-NEXT: %1 = phi i64 [ 0, %b0 ], [ 1, %b0.1 ]
  llvm.cond_br %c, ^done(%0 : i64), ^done(%1 : i64)
^done(%r: i64):
  llvm.return %r : i64
}

// CHECK-LABEL: define i32 @switch(i64 %0) {
llvm.func @switch(%i: i64) -> i32 {
  %0 = llvm.mlir.constant(10 : i32) : i32
  // CHECK: switch i64 %0, label %b1 [ i64 3, label %b2 i64 5, label %b1 ]
  "llvm.switch"(%i, %0) [^other, ^done, ^other] <{case_values = dense<[3, 5]> : vector<2xi64>,
    case_operand_segments = array<i32: 1, 0>, operandSegmentSizes = array<i32: 1, 0, 1>}>
    : (i64, i32) -> ()
^other:
  llvm.unreachable
^done(%r: i32):
  // CHECK: b2:
  // CHECK-NEXT: %1 = phi i32 [ 10, %b0 ]
  llvm.return %r : i32
}

// The custom form says the same.

// CHECK-LABEL: define internal void @custom() nounwind willreturn "prefer-vector-width"="512" {
llvm.func internal @custom() attributes {no_unwind, passthrough = ["willreturn", ["prefer-vector-width", "512"]]} {
  llvm.return
}

// What is declared comes last.

// CHECK: declare float @sinf(float)
