// RUN: xla-opt %s -p canonicalize,cse --split-input-file | filecheck %s
// RUN: xla-opt %s -p canonicalize --split-input-file --print-op-generic | filecheck %s --check-prefix GENERIC
// RUN: not xla-opt %s -p canonicalise --split-input-file 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not xla-opt %s --split-input-file -p 'cse{fast=true}' 2>&1 | filecheck %s --check-prefix OPTION
// RUN: xla-opt %s --split-input-file -p cse --print-ir-after-all 2>&1 | filecheck %s --check-prefix AFTER
// RUN: xla-opt --list-pipelines | filecheck %s --check-prefix LIST

// UNKNOWN: error: unknown pass 'canonicalise'; did you mean canonicalize
// OPTION: error: pass 'cse': no option 'fast'; it has none
// LIST: xla-cpu:
// LIST-NEXT: stablehlo-refuse-internals
// LIST-NEXT: func-note-interface
// LIST-NEXT: stablehlo-erase-sharding
// LIST-NEXT: stablehlo-adopt-constants

// CHECK-LABEL: func.func @twice
// CHECK-NEXT: [[SUM:%.+]] = arith.addi
// CHECK-NEXT: func.return [[SUM]], [[SUM]]
// GENERIC: "func.func"() <{
// GENERIC: "arith.addi"
// AFTER: IR after cse
// AFTER: func.func @twice
func.func @twice(%x: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  func.return %0, %1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @dead
// CHECK-NEXT: func.return
func.func @dead(%x: i32) {
  %0 = arith.muli %x, %x : i32
  func.return
}
