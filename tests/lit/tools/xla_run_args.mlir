// RUN: xla-run %s --engine reference --args='[dense<1> : tensor<2xi32>, dense<[2, -7]> : tensor<2xi32>]' | filecheck %s
// RUN: xla-run %s --engine native --args='[dense<1> : tensor<2xi32>, dense<[2, -7]> : tensor<2xi32>]' | filecheck %s
// RUN: not xla-run %s --args='not_array' 2>&1 | filecheck %s --check-prefix NO-ARRAY
// RUN: not xla-run %s --args='[4.0 : f32]' 2>&1 | filecheck %s --check-prefix NO-DENSE
// RUN: not xla-run %s --args=@does_not_exist 2>&1 | filecheck %s --check-prefix NO-FILE
// RUN: not xla-run %s --args='[dense<1> : tensor<2xi32>]' --engine reference 2>&1 | filecheck %s --check-prefix COUNT

func.func @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2xi32>
  check.expect_eq_const %arg0, dense<1> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// CHECK:      tensor<2xi32> {
// CHECK-NEXT:   [3, -6]
// CHECK-NEXT: }

// NO-ARRAY: error: --args: expected an array, i.e. --args=[dense<1> : tensor<2xi32>, ...]
// NO-DENSE: error: --args: expected dense elements
// NO-FILE: error: --args: failed to read args file
// COUNT: error: @main takes 2 arguments, got 1
