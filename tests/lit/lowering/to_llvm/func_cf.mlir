// RUN: xla-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// CHECK-LABEL: @loop
// CHECK-SAME: [[N:%.+]]: i64
func.func private @loop(%n: index) -> index {
  // CHECK: [[ZERO:%.+]] = llvm.mlir.constant(0) : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: llvm.br ^[[HEAD:.+]]([[ZERO]] : i64)
  cf.br ^head(%c0 : index)
// CHECK-NEXT: ^{{.+}}([[I:%.+]]: i64):
^head(%i: index):
  // CHECK-NEXT: [[MORE:%.+]] = llvm.icmp "slt" [[I]], [[N]] : i64
  // CHECK-NEXT: llvm.cond_br [[MORE]], ^{{.+}}, ^{{.+}}
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  // CHECK: [[NEXT:%.+]] = llvm.add [[I]], {{%.+}} : i64
  // CHECK-NEXT: llvm.br ^{{.+}}([[NEXT]] : i64)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
  // CHECK: llvm.return [[I]] : i64
  func.return %i : index
}

// -----

// CHECK-LABEL: @switch
// CHECK-SAME: [[I:%.+]]: i64
func.func private @switch(%i: index) {
  // CHECK: "llvm.switch"([[I]])
  // CHECK-SAME: case_values = dense<[3, 5]> : vector<2xi64>
  cf.switch %i : index, [
    default: ^end,
    3: ^end,
    5: ^other
  ]
^other:
  cf.br ^end
^end:
  func.return
}

// -----

// CHECK-LABEL: @assert
// CHECK-SAME: [[C:%.+]]: i1
func.func private @assert(%c: i1) {
  // CHECK-NEXT: llvm.cond_br [[C]], ^[[HOLDS:.+]], ^[[FAILED:.+]]
  // CHECK: llvm.return
  // CHECK: llvm.call_intrinsic "llvm.trap"()
  // CHECK-NEXT: llvm.unreachable
  cf.assert %c, "in bounds"
  func.return
}

// -----

// CHECK-LABEL: @poison
func.func private @poison() -> index {
  // CHECK-NEXT: [[P:%.+]] = llvm.mlir.poison : i64
  // CHECK-NEXT: llvm.return [[P]]
  %0 = ub.poison : index
  func.return %0 : index
}
