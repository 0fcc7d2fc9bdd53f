// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.while' op: stablehlo.while (C1): expected cond to return (tensor<i1>), got (tensor<4xf32>)}}
  %0 = stablehlo.while(%a = %x) : tensor<4xf32>
  cond {
    stablehlo.return %a : tensor<4xf32>
  } do {
    stablehlo.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.while' op: stablehlo.while (C2): expected body to return (tensor<4xf32>), got (tensor<i32>)}}
  %0 = stablehlo.while(%a = %x) : tensor<4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.while' op: stablehlo.while (C3): expected results (tensor<4xf32>), got (tensor<5xf32>)}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.if' op: stablehlo.if (C1): expected no arguments of true_branch, got (tensor<4xf32>)}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %a : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.if' op: stablehlo.if (C2): true_branch returns (tensor<4xf32>), false_branch returns (tensor<i32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.if' op: stablehlo.if (C3): expected results (tensor<4xf32>), got (tensor<i32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.case' op: stablehlo.case (C1): expected at least one branch}}
  %0 = "stablehlo.case"(%i) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.case' op: stablehlo.case (C2): expected no arguments of branch 0, got (tensor<4xf32>)}}
  %0 = "stablehlo.case"(%i) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.case' op: stablehlo.case (C3): branch 0 returns (tensor<4xf32>), branch 1 returns (tensor<i32>)}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.case' op: stablehlo.case (C4): expected results (tensor<4xf32>), got (tensor<i32>)}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.optimization_barrier' op: stablehlo.optimization_barrier (C1): expected results (tensor<4xf32>), got (tensor<i32>)}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.tuple' op: stablehlo.tuple (C1): expected result type tuple<tensor<4xf32>>, got tuple<tensor<i32>>}}
  %0 = "stablehlo.tuple"(%x) : (tensor<4xf32>) -> tuple<tensor<i32>>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.get_tuple_element' op: stablehlo.get_tuple_element (C1): index 1 is outside a tuple of 1 elements}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<i1>, %i: tensor<i32>, %t: tuple<tensor<f32>>) {
  // expected-error @below {{stablehlo.get_tuple_element' op: stablehlo.get_tuple_element (C2): expected result type tensor<f32>, got tensor<i32>}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @invalid(%p: tensor<2xi1>) {
  // expected-error @below {{stablehlo.if' op: operand 'pred' at position 0 does not verify: expected a tensor of rank 0 of i1, got tensor<2xi1>}}
  %0 = "stablehlo.if"(%p) ({
    %c = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }, {
    %d = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) : (tensor<2xi1>) -> tensor<i32>
  return
}

// -----

func.func @results_of_the_function(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{stablehlo.return (results): expected (tensor<5xf32>), the results of the function, got (tensor<4xf32>)}}
  stablehlo.return %x : tensor<4xf32>
}
