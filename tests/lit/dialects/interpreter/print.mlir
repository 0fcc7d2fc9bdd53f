// RUN: xla-run %s --engine reference | filecheck %s
// RUN: xla-run %s --engine native | filecheck %s
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --verify | filecheck %s

// `interpreter.print` prints its operand, as often as it is executed.

// CHECK: %sum = tensor<2xi32> {
// CHECK-NEXT: [4, 6]
// CHECK-NEXT: }
// CHECK: %i = tensor<i32> {0}
// CHECK-NEXT: %i = tensor<i32> {1}
// CHECK-NEXT: %i = tensor<i32> {2}
// CHECK-NOT: %i
func.func @values() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %sum = stablehlo.add %x, %y : tensor<2xi32>
  interpreter.print %sum : tensor<2xi32>
  check.expect_eq_const %sum, dense<[4, 6]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %count = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    interpreter.print %i : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_eq_const %count, dense<3> : tensor<i32>
  return
}
