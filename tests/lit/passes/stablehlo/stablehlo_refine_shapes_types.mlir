// RUN: xla-opt %s -p 'refine-shapes{types="tensor<3x4xf32>,tensor<i32>"}' | filecheck %s
// RUN: not xla-opt %s -p stablehlo-refine-shapes 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not xla-opt %s -p 'refine-shapes{types="tensor<3x4xf32>"}' 2>&1 | filecheck %s --check-prefix=COUNT
// RUN: not xla-opt %s -p 'refine-shapes{types="tensor<3x5xf32>,tensor<i32>"}' 2>&1 | filecheck %s --check-prefix=FIT
// RUN: not xla-opt %s -p 'refine-shapes{types="tensor<3x4xf32>,tensor<"}' 2>&1 | filecheck %s --check-prefix=PARSE
// RUN: not xla-opt %s -p 'refine-shapes{types="tensor<0x4xf32>,tensor<i32>"}' 2>&1 | filecheck %s --check-prefix=ASSERT
// RUN: not xla-opt %s -p 'refine-shapes{types="" entry="f"}' 2>&1 | filecheck %s --check-prefix=ENTRY

// The types of the entry's arguments, as an option, and the ways it can be wrong.

// CHECK-LABEL: func.func public @main
// CHECK-SAME:    ([[X:%.+]]: tensor<3x4xf32>, %{{.+}}: tensor<i32>) -> (tensor<6x4xf32>, tensor<i32>)
// CHECK-NEXT:    [[N:%.+]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.concatenate [[X]], [[X]], dim = 0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:    func.return [[A]], [[N]]

// NONE: dimension 0 of argument 0 of @main, tensor<?x4xf32>, is dynamic: name its type by the option `types`
// COUNT: @main takes 2 arguments, but 1 types are given
// FIT: argument 0 of @main is tensor<?x4xf32>, which tensor<3x5xf32> does not fit
// PARSE: option types='tensor<3x4xf32>,tensor<': Expected shape type
// ASSERT: expected at least one row, got 0 of 0
// ENTRY: no function '@f'; name the entry by the option `entry`
func.func public @main(%x: tensor<?x4xf32>, %y: tensor<i32>) -> (tensor<?x4xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %p = stablehlo.compare GE, %n, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "expected at least one row, got {0} of {0,1}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %n : tensor<?x4xf32>, tensor<i32>
}
func.func public @g(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
