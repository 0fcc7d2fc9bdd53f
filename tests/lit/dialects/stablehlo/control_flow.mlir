// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @branches
// CHECK-NEXT: %if = "stablehlo.if"(%p) ({
// CHECK-NEXT: stablehlo.return %a : tensor<4x6xf32>
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return %a : tensor<4x6xf32>
// CHECK-NEXT: }) {note} : (tensor<i1>) -> tensor<4x6xf32>
// CHECK-NEXT: "stablehlo.if"(%p) ({
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }) : (tensor<i1>) -> ()
// CHECK-NEXT: %case, %case_1 = "stablehlo.case"(%i) ({
// CHECK-NEXT: stablehlo.return %a, %i : tensor<4x6xf32>, tensor<i32>
// CHECK-NEXT: }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<i32>)
func.func @branches(%a: tensor<4x6xf32>, %p: tensor<i1>, %i: tensor<i32>) {
  %if = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<4x6xf32>
  }, {
    stablehlo.return %a : tensor<4x6xf32>
  }) {note} : (tensor<i1>) -> tensor<4x6xf32>
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  %case:2 = "stablehlo.case"(%i) ({
    stablehlo.return %a, %i : tensor<4x6xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @loops
// CHECK-NEXT: %one = stablehlo.while(%x = %a) : tensor<4x6xf32> attributes {note}
// CHECK-NEXT: cond {
// CHECK-NEXT: stablehlo.return %p : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: stablehlo.return %x : tensor<4x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: stablehlo.while()
// CHECK-NEXT: cond {
// CHECK-NEXT: stablehlo.return %p : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }
// CHECK-NEXT: %three, %three_1, %three_2 = stablehlo.while(%y = %a, %n = %i, %t = %tok) : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
// CHECK-NEXT: cond {
// CHECK-NEXT: %more = stablehlo.compare LT, %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %more : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %inner = stablehlo.while(%z = %y) : tensor<4x6xf32>
// CHECK-NEXT: cond {
// CHECK-NEXT: stablehlo.return %p : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: %sum = stablehlo.add %z, %y : tensor<4x6xf32>
// CHECK-NEXT: stablehlo.return %sum : tensor<4x6xf32>
// CHECK-NEXT: }
// CHECK-NEXT: stablehlo.return %inner, %n, %t : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
// CHECK-NEXT: }
func.func @loops(%a: tensor<4x6xf32>, %p: tensor<i1>, %i: tensor<i32>, %tok: !stablehlo.token) {
  %one = stablehlo.while(%x = %a) : tensor<4x6xf32> attributes {note}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : tensor<4x6xf32>
  }
  stablehlo.while()
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  %three:3 = stablehlo.while(%y = %a, %n = %i, %t = %tok) : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
  cond {
    %more = stablehlo.compare LT, %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %inner = stablehlo.while(%z = %y) : tensor<4x6xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %sum = stablehlo.add %z, %y : tensor<4x6xf32>
      stablehlo.return %sum : tensor<4x6xf32>
    }
    stablehlo.return %inner, %n, %t : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
  }
  return
}

// CHECK-LABEL: func.func @tuples
// CHECK-NEXT: %element = stablehlo.get_tuple_element %tup[1] {note} : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
// CHECK-NEXT: %tuple = stablehlo.tuple %a, %tup {note} : tuple<tensor<4x6xf32>, tuple<tensor<f32>, tuple<tensor<i32>>>>
// CHECK-NEXT: %nothing = stablehlo.tuple : tuple<>
// CHECK-NEXT: %barrier, %barrier_1 = stablehlo.optimization_barrier {note} %a, %tok : tensor<4x6xf32>, !stablehlo.token
// CHECK-NEXT: stablehlo.optimization_barrier()
func.func @tuples(%a: tensor<4x6xf32>, %tok: !stablehlo.token, %tup: tuple<tensor<f32>, tuple<tensor<i32>>>) {
  %element = stablehlo.get_tuple_element %tup[1] {note} : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %tuple = stablehlo.tuple %a, %tup {note} : tuple<tensor<4x6xf32>, tuple<tensor<f32>, tuple<tensor<i32>>>>
  %nothing = stablehlo.tuple : tuple<>
  %barrier:2 = stablehlo.optimization_barrier {note} %a, %tok : tensor<4x6xf32>, !stablehlo.token
  stablehlo.optimization_barrier()
  return
}
