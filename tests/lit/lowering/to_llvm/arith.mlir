// RUN: xla-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// CHECK-LABEL: @integers
// CHECK-SAME: [[A:%[^:]+]]: i32, [[B:%[^:]+]]: i32
func.func private @integers(%a: i32, %b: i32) -> i32 {
  // CHECK: [[SUM:%.+]] = llvm.add [[A]], [[B]] : i32
  %0 = arith.addi %a, %b : i32
  // CHECK-NEXT: [[PRODUCT:%.+]] = llvm.mul [[SUM]], [[B]] overflow<nsw> : i32
  %1 = arith.muli %0, %b overflow<nsw> : i32
  // CHECK-NEXT: [[QUOTIENT:%.+]] = llvm.udiv [[PRODUCT]], [[A]] : i32
  %2 = arith.divui %1, %a : i32
  // CHECK-NEXT: [[MAX:%.+]] = llvm.call_intrinsic "llvm.smax.i32"([[QUOTIENT]], [[A]])
  %3 = arith.maxsi %2, %a : i32
  // CHECK-NEXT: [[LESS:%.+]] = llvm.icmp "ult" [[MAX]], [[B]] : i32
  %4 = arith.cmpi ult, %3, %b : i32
  // CHECK-NEXT: [[R:%.+]] = llvm.select [[LESS]], [[MAX]], [[B]] : i1, i32
  %5 = arith.select %4, %3, %b : i32
  // CHECK-NEXT: llvm.return [[R]] : i32
  func.return %5 : i32
}

// -----

// The quotient that LLVM rounds towards zero is corrected where a remainder lies on the other side.
// CHECK-LABEL: @round_down
// CHECK-SAME: [[A:%[^:]+]]: i64, [[B:%[^:]+]]: i64
func.func private @round_down(%a: index, %b: index) -> index {
  // CHECK: [[ZERO:%.+]] = llvm.mlir.constant(0) : i64
  // CHECK-NEXT: [[Q:%.+]] = llvm.sdiv [[A]], [[B]] : i64
  // CHECK-NEXT: [[P:%.+]] = llvm.mul [[Q]], [[B]] : i64
  // CHECK-NEXT: [[REM:%.+]] = llvm.sub [[A]], [[P]] : i64
  // CHECK-NEXT: [[INEXACT:%.+]] = llvm.icmp "ne" [[REM]], [[ZERO]] : i64
  // CHECK-NEXT: [[SIGNS:%.+]] = llvm.xor [[REM]], [[B]] : i64
  // CHECK-NEXT: [[SIDE:%.+]] = llvm.icmp "slt" [[SIGNS]], [[ZERO]] : i64
  // CHECK-NEXT: [[WRONG:%.+]] = llvm.and [[INEXACT]], [[SIDE]] : i1
  // CHECK-NEXT: [[STEP:%.+]] = llvm.zext [[WRONG]] : i1 to i64
  // CHECK-NEXT: [[R:%.+]] = llvm.sub [[Q]], [[STEP]] : i64
  %0 = arith.floordivsi %a, %b : index
  // CHECK-NEXT: llvm.return [[R]] : i64
  func.return %0 : index
}

// -----

// CHECK-LABEL: @floats
// CHECK-SAME: [[A:%[^:]+]]: f32, [[B:%[^:]+]]: f32
func.func private @floats(%a: f32, %b: f32) -> f32 {
  // CHECK: [[SUM:%.+]] = llvm.fadd [[A]], [[B]] {fastmathFlags = #llvm.fastmath<reassoc>} : f32
  %0 = arith.addf %a, %b fastmath<reassoc> : f32
  // CHECK-NEXT: [[MAX:%.+]] = llvm.call_intrinsic "llvm.maximum.f32"([[SUM]], [[B]])
  %1 = arith.maximumf %0, %b : f32
  // CHECK-NEXT: [[MIN:%.+]] = llvm.call_intrinsic "llvm.minnum.f32"([[MAX]], [[B]]){{.*}}nnan
  %2 = arith.minnumf %1, %b fastmath<nnan> : f32
  // CHECK-NEXT: [[GREATER:%.+]] = llvm.fcmp "ogt" [[MIN]], [[A]] : f32
  %3 = arith.cmpf ogt, %2, %a : f32
  // CHECK-NEXT: [[R:%.+]] = llvm.select [[GREATER]], [[MIN]], [[A]] : i1, f32
  %4 = arith.select %3, %2, %a : f32
  func.return %4 : f32
}

// -----

// CHECK-LABEL: @casts
// CHECK-SAME: [[A:%[^:]+]]: i32, [[X:%[^:]+]]: f32
func.func private @casts(%a: i32, %x: f32) -> f64 {
  // CHECK: [[N:%.+]] = llvm.sext [[A]] : i32 to i64
  %0 = arith.index_cast %a : i32 to index
  // CHECK-NEXT: [[S:%.+]] = llvm.trunc [[N]] : i64 to i16
  %1 = arith.index_cast %0 : index to i16
  // CHECK-NEXT: [[I:%.+]] = llvm.fptosi [[X]] : f32 to i16
  %2 = arith.fptosi %x : f32 to i16
  // CHECK-NEXT: [[T:%.+]] = llvm.add [[S]], [[I]] : i16
  %3 = arith.addi %1, %2 : i16
  // CHECK-NEXT: {{%.+}} = llvm.uitofp [[T]] : i16 to f64
  %4 = arith.uitofp %3 : i16 to f64
  func.return %4 : f64
}

// -----

// No call of compiler-rt: rounding to bf16 is integer arithmetic, bf16 arithmetic is done in f32.
// CHECK-LABEL: @bfloat
// CHECK-SAME: [[A:%[^:]+]]: bf16, [[B:%[^:]+]]: bf16
func.func private @bfloat(%a: bf16, %b: bf16) -> bf16 {
  // CHECK: [[BITS_A:%.+]] = llvm.bitcast [[A]] : bf16 to i16
  // CHECK-NEXT: [[INT_A:%.+]] = llvm.zext [[BITS_A]] : i16 to i32
  // CHECK-NEXT: [[UPPER_A:%.+]] = llvm.shl [[INT_A]], {{%.+}} : i32
  // CHECK-NEXT: [[WIDE_A:%.+]] = llvm.bitcast [[UPPER_A]] : i32 to f32
  // CHECK-NOT: llvm.fpext
  // CHECK: [[WIDE_B:%.+]] = llvm.bitcast {{%.+}} : i32 to f32
  // CHECK-NEXT: [[SUM:%.+]] = llvm.fadd [[WIDE_A]], [[WIDE_B]] : f32
  // CHECK-NEXT: [[BITS:%.+]] = llvm.bitcast [[SUM]] : f32 to i32
  // CHECK-NEXT: llvm.lshr [[BITS]]
  // CHECK-NOT: llvm.fptrunc
  // CHECK: [[R:%.+]] = llvm.bitcast {{%.+}} : i16 to bf16
  %0 = arith.addf %a, %b : bf16
  // CHECK-NEXT: llvm.return [[R]] : bf16
  func.return %0 : bf16
}

// -----

// Constants stand once at the start of the function.
// CHECK-LABEL: @constants
func.func private @constants(%a: i32) -> vector<4xindex> {
  // CHECK-NEXT: [[SEVEN:%.+]] = llvm.mlir.constant(7 : i32) : i32
  // CHECK-NEXT: [[V:%.+]] = llvm.mlir.constant(dense<[1, 2, 3, 4]> : vector<4xi64>) : vector<4xi64>
  // CHECK-NEXT: llvm.mul
  // CHECK-NEXT: llvm.add {{%.+}}, [[SEVEN]] : i32
  // CHECK-NEXT: llvm.return [[V]]
  %0 = arith.constant 7 : i32
  %1 = arith.muli %a, %0 : i32
  %2 = arith.constant 7 : i32
  %3 = arith.addi %1, %2 : i32
  %4 = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  func.return %4 : vector<4xindex>
}
