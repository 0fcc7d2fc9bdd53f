// RUN: xla-opt %s -p 'apply-patterns{file="%S/../tools/Inputs/double_sums.py"}' | filecheck %s
// RUN: not xla-opt %s -p apply-patterns 2>&1 | filecheck %s --check-prefix NONE

// NONE: error: apply-patterns needs a file of patterns

// CHECK-LABEL: func.func @main
// CHECK-NEXT: [[SUM:%.+]] = stablehlo.add %x, %y
// CHECK-NEXT: [[PRODUCT:%.+]] = stablehlo.multiply [[SUM]], [[SUM]]
// CHECK-NEXT: func.return [[PRODUCT]]
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %y : tensor<8xf32>
  %1 = stablehlo.add %0, %0 : tensor<8xf32>
  func.return %1 : tensor<8xf32>
}
