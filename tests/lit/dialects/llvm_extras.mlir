// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: @extras
// CHECK-SAME: [[X:%[^:]+]]: f32, [[V:%[^:]+]]: vector<4xf32>, [[I:%[^:]+]]: i64
llvm.func @extras(%x: f32, %v: vector<4xf32>, %i: i64) {
  // CHECK: [[S:%.+]] = llvm.fptosi [[X]] : f32 to i32
  %0 = llvm.fptosi %x : f32 to i32
  // CHECK-NEXT: {{%.+}} = llvm.fptoui [[X]] : f32 to i32
  %1 = llvm.fptoui %x : f32 to i32
  // CHECK-NEXT: {{%.+}} = llvm.uitofp [[S]] : i32 to f64
  %2 = llvm.uitofp %0 : i32 to f64
  // CHECK-NEXT: {{%.+}} = llvm.extractelement [[V]][[[I]] : i64] : vector<4xf32>
  %3 = llvm.extractelement %v[%i : i64] : vector<4xf32>
  // CHECK-NEXT: [[P:%.+]] = llvm.mlir.poison : i32
  %4 = llvm.mlir.poison : i32
  // CHECK-NEXT: "llvm.switch"([[I]], [[P]])
  "llvm.switch"(%i, %4) [^other, ^done] <{case_values = dense<3> : vector<1xi64>,
    case_operand_segments = array<i32: 1>, operandSegmentSizes = array<i32: 1, 0, 1>}>
    : (i64, i32) -> ()
^other:
  llvm.unreachable
^done(%r: i32):
  llvm.return
}
