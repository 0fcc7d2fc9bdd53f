// RUN: xla-opt %s -p stablehlo-flatten-tuples --split-input-file | filecheck %s

// Arguments, results, loops: elements in the place of tuples, nothing in that of tokens.

// CHECK-LABEL: func.func @everywhere
// CHECK-SAME: ([[A:%.+]]: tensor<f32>, [[B:%.+]]: tensor<i32>, [[N:%.+]]: tensor<i32>) -> (tensor<f32>, tensor<i32>)
// CHECK-NEXT: [[TOKEN:%.+]] = stablehlo.create_token : !stablehlo.token
// CHECK-NEXT: {{%.+}} = "stablehlo.outfeed"([[A]], [[TOKEN]])
// CHECK-NEXT: [[R0:%.+]], [[R1:%.+]] = stablehlo.while([[S0:%.+]] = [[A]], [[S1:%.+]] = [[B]]) : tensor<f32>, tensor<i32>
// CHECK-NEXT: cond {
// CHECK-NEXT: [[GO:%.+]], {{%.+}} = "stablehlo.infeed"([[TOKEN]])
// CHECK-NEXT: stablehlo.return [[GO]] : tensor<i1>
// CHECK-NEXT: } do {
// CHECK-NEXT: stablehlo.return [[S0]], [[S1]] : tensor<f32>, tensor<i32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return [[A]], [[R1]] : tensor<f32>, tensor<i32>
func.func @everywhere(%t: !stablehlo.token, %p: tuple<tensor<f32>, tuple<tensor<i32>>>, %n: tensor<i32>) -> (tuple<tensor<f32>, !stablehlo.token>, tensor<i32>) {
  %0 = stablehlo.get_tuple_element %p[0] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<f32>
  %1 = "stablehlo.outfeed"(%0, %t) <{outfeed_config = ""}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %2:2 = stablehlo.while(%a = %1, %b = %p) : !stablehlo.token, tuple<tensor<f32>, tuple<tensor<i32>>>
  cond {
    %go, %read = "stablehlo.infeed"(%a) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    stablehlo.return %go : tensor<i1>
  } do {
    %3 = stablehlo.after_all %a, %a : !stablehlo.token
    stablehlo.return %3, %b : !stablehlo.token, tuple<tensor<f32>, tuple<tensor<i32>>>
  }
  %4 = stablehlo.get_tuple_element %2#1[1] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<i32>>) -> tensor<i32>
  %6 = stablehlo.tuple %0, %2#0 : tuple<tensor<f32>, !stablehlo.token>
  return %6, %5 : tuple<tensor<f32>, !stablehlo.token>, tensor<i32>
}

// -----

// Branches, barriers and calls.

// CHECK-LABEL: func.func @passed_on
// CHECK-SAME: ([[P:%.+]]: tensor<i1>, [[A:%.+]]: tensor<f32>, [[B:%.+]]: tensor<i32>) -> tensor<i32>
// CHECK-NEXT: [[I:%.+]] = "stablehlo.if"([[P]])
// CHECK: stablehlo.return [[A]] : tensor<f32>
// CHECK: [[O0:%.+]], [[O1:%.+]] = stablehlo.optimization_barrier [[I]], [[B]] : tensor<f32>, tensor<i32>
// CHECK: [[C:%.+]] = func.call @callee([[O0]], [[O1]]) : (tensor<f32>, tensor<i32>) -> tensor<i32>
// CHECK-NEXT: func.return [[C]]
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: ({{%.+}}: tensor<f32>, [[X:%.+]]: tensor<i32>) -> tensor<i32>
// CHECK-NEXT: func.return [[X]]
func.func @passed_on(%p: tensor<i1>, %t: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  %2 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %0:2 = "stablehlo.if"(%p) ({
    %a = stablehlo.create_token : !stablehlo.token
    stablehlo.return %1, %a : tensor<f32>, !stablehlo.token
  }, {
    %a = stablehlo.after_all : !stablehlo.token
    stablehlo.return %1, %a : tensor<f32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<f32>, !stablehlo.token)
  %3:3 = stablehlo.optimization_barrier %0#0, %0#1, %2 : tensor<f32>, !stablehlo.token, tensor<i32>
  %4 = stablehlo.tuple %3#0, %3#2 : tuple<tensor<f32>, tensor<i32>>
  %5:2 = func.call @callee(%4, %3#1) : (tuple<tensor<f32>, tensor<i32>>, !stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %5#0 : tensor<i32>
}
func.func private @callee(%t: tuple<tensor<f32>, tensor<i32>>, %a: !stablehlo.token) -> (tensor<i32>, !stablehlo.token) {
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %0, %a : tensor<i32>, !stablehlo.token
}

// -----

// A custom call keeps its type as an attribute; tokens stay, results are elements.

// CHECK-LABEL: func.func @custom_call
// CHECK: [[T:%.+]] = stablehlo.create_token
// CHECK: {{%.+}}, [[R:%.+]] = stablehlo.custom_call @f({{%.+}}, {{%.+}}, [[T]])
// CHECK-SAME: xrt.signature = (tuple<tensor<f32>, tensor<i32>>, !stablehlo.token) -> tuple<tensor<f32>, tuple<tensor<i32>>>
// CHECK-SAME: (tensor<f32>, tensor<i32>, !stablehlo.token) -> (tensor<f32>, tensor<i32>)
// CHECK: func.return [[R]]
func.func @custom_call(%t: tuple<tensor<f32>, tensor<i32>>, %a: !stablehlo.token) -> tensor<i32> {
  %0 = stablehlo.custom_call @f(%t, %a) : (tuple<tensor<f32>, tensor<i32>>, !stablehlo.token) -> tuple<tensor<f32>, tuple<tensor<i32>>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>>) -> tensor<i32>
  return %2 : tensor<i32>
}

// -----

// Layouts are those of the elements: of results that of each, of operands in tuples the row-major ones.

// CHECK-LABEL: func.func @layouts
// CHECK: stablehlo.custom_call @f(
// CHECK-SAME: operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>]
// CHECK-SAME: result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]
// CHECK-SAME: xrt.signature = (tuple<tensor<2x3xf32>, tuple<tensor<i32>>>, tensor<2x3xf32>) -> tuple<tensor<3x2xf32>, tuple<tensor<2xf32>>, !stablehlo.token>
func.func @layouts(%t: tuple<tensor<2x3xf32>, tuple<tensor<i32>>>, %a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.custom_call @f(%t, %a) {operand_layouts = [dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tuple<tensor<2x3xf32>, tuple<tensor<i32>>>, tensor<2x3xf32>) -> tuple<tensor<3x2xf32>, tuple<tensor<2xf32>>, !stablehlo.token>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<3x2xf32>, tuple<tensor<2xf32>>, !stablehlo.token>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

// Nothing to do.

// CHECK-LABEL: func.func @tensors
// CHECK-NEXT: [[R:%.+]] = stablehlo.add
// CHECK-NEXT: func.return [[R]]
func.func @tensors(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Infeeds are ordered by data, as the second loop starts with what the first has read; branches exclude each other; one
// without data reads nothing.

// CHECK-LABEL: func.func @ordered
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.if
func.func @ordered(%p: tensor<i1>, %t: !stablehlo.token) -> tensor<i1> {
  %0 = stablehlo.while(%a = %p) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %x, %u = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    stablehlo.return %x : tensor<i1>
  }
  %1 = stablehlo.while(%a = %0) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %x, %u = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    %nothing = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
    stablehlo.return %x : tensor<i1>
  }
  %2 = "stablehlo.if"(%1) ({
    %x, %u = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    stablehlo.return %x : tensor<i1>
  }, {
    %x, %u = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    stablehlo.return %x : tensor<i1>
  }) : (tensor<i1>) -> tensor<i1>
  return %2 : tensor<i1>
}
