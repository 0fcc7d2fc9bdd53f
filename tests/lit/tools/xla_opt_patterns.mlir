// RUN: xla-opt %s -p 'stablehlo-simplify{disable=reshape-of-reshape,fold-reshape-back}' | filecheck %s --check-prefix DISABLED
// RUN: xla-opt %s -p 'stablehlo-simplify{enable=fold-reshape-back}' | filecheck %s --check-prefix ENABLED
// RUN: xla-opt %s -p 'stablehlo-simplify{add="%S/Inputs/double_sums.py"}' | filecheck %s --check-prefix ADDED
// RUN: xla-opt %s -p 'apply-patterns{file="%S/Inputs/double_sums.py"}' | filecheck %s --check-prefix APPLIED
// RUN: xla-opt %s -p stablehlo-simplify --count-patterns 2>&1 | filecheck %s --check-prefix COUNTED
// RUN: xla-opt %s -p stablehlo-simplify,convert-stablehlo-to-linalg --trace-patterns | filecheck %s --check-prefix TRACED
// RUN: xla-opt --list-patterns stablehlo-simplify | filecheck %s --check-prefix LISTED
// RUN: xla-opt --list-patterns | filecheck %s --check-prefix ALL
// RUN: not xla-opt %s -p 'stablehlo-simplify{disable=reshape-of-reshap}' 2>&1 | filecheck %s --check-prefix NAME
// RUN: not xla-opt --list-patterns stablehlo-simplif 2>&1 | filecheck %s --check-prefix PASS
// RUN: not xla-opt %s -p 'stablehlo-simplify{add="%S/Inputs/none.py"}' 2>&1 | filecheck %s --check-prefix FILE

// DISABLED-LABEL: func.func @main
// DISABLED-NEXT: [[FLAT:%.+]] = stablehlo.reshape %x
// DISABLED-NEXT: [[BACK:%.+]] = stablehlo.reshape [[FLAT]]
// DISABLED-NEXT: [[SUM:%.+]] = stablehlo.add [[BACK]], [[BACK]]
// DISABLED-NEXT: func.return [[SUM]], [[SUM]]

// ENABLED-LABEL: func.func @main
// ENABLED-NEXT: [[SUM:%.+]] = stablehlo.add %x, %x
// ENABLED-NEXT: [[SIZES:%.+]] = stablehlo.transpose [[SUM]]
// ENABLED-NEXT: stablehlo.transpose [[SIZES]]

// ADDED-LABEL: func.func @main
// ADDED-NEXT: [[PRODUCT:%.+]] = stablehlo.multiply %x, %x
// ADDED-NEXT: func.return [[PRODUCT]], [[PRODUCT]]

// APPLIED-LABEL: func.func @main
// APPLIED: [[PRODUCT:%.+]] = stablehlo.multiply [[BACK:%.+]], [[BACK]]
// APPLIED: stablehlo.transpose [[PRODUCT]]

// COUNTED: 1  stablehlo-simplify  fold-reshape-back

// TRACED-LABEL: func.func @main
// TRACED: tensor.empty() {{.*}}// convert-stablehlo-to-linalg: stablehlo-add
// TRACED: linalg.generic
// TRACED: } -> tensor<8x4xf32>  // convert-stablehlo-to-linalg: stablehlo-add

// LISTED: stablehlo-simplify:
// LISTED: fold-reshape-back {{ *}}stablehlo.reshape  A reshape to the static shape
// LISTED: reshape-of-broadcast {{ *}}stablehlo.reshape
// ALL: stablehlo-simplify:
// ALL: convert-to-llvm:
// ALL-NEXT: arith-constant {{ *}}arith.constant
// NAME: error: pass 'stablehlo-simplify' has no pattern 'reshape-of-reshap'; did you mean reshape-of-reshape
// PASS: error: unknown pass 'stablehlo-simplif'; did you mean stablehlo-simplify
// FILE: none.py: no such file of Python

func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.reshape %x : (tensor<8x4xf32>) -> tensor<32xf32>
  %1 = stablehlo.reshape %0 : (tensor<32xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %1, %1 : tensor<8x4xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  func.return %2, %4 : tensor<8x4xf32>, tensor<8x4xf32>
}
