// RUN: xla-opt %s -p sdy-propagate | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Forward through a product; both operands keep what is stated.
// CHECK-LABEL: func.func @product
// CHECK-SAME: -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
// CHECK: stablehlo.dot_general
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>
func.func @product(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
  %b: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}
) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Backward from a result, to arguments of which nothing is stated.
// CHECK-LABEL: func.func @from_the_result
// CHECK-SAME: %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}
func.func @from_the_result(%a: tensor<8x16xf32>)
    -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// A closed dimension stays, an open one is split further; `replicated` axes are not used.
// CHECK-LABEL: func.func @open_and_closed
// CHECK-SAME: %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}
// CHECK-SAME: %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], replicated={"y"}>}
func.func @open_and_closed(
  %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
  %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>},
  %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>}
) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = stablehlo.add %a, %c : tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A reshape takes an axis apart.
// CHECK-LABEL: func.func @parts_of_axes
// CHECK: stablehlo.reshape
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}, {"x":(2)2}]>]>
// CHECK: stablehlo.negate
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x":(1)2}, {"x":(2)2}]>]>
func.func @parts_of_axes(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.negate %0 : tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Priority 0 is through the program before priority 1 is looked at.
// CHECK-LABEL: func.func @priorities
// CHECK: stablehlo.add
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>
func.func @priorities(
  %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {}]>},
  %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// What a loop carries is split alike everywhere.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>
// CHECK: stablehlo.add
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
func.func @loop(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32>) -> tensor<8xf32> {
  %0:2 = "stablehlo.while"(%a, %n) ({
  ^bb0(%v: tensor<8xf32>, %i: tensor<i32>):
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%v: tensor<8xf32>, %i: tensor<i32>):
    %w = stablehlo.add %v, %v : tensor<8xf32>
    %j = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %w, %j : tensor<8xf32>, tensor<i32>
  }) : (tensor<8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<i32>)
  return %0#0 : tensor<8xf32>
}

// Branches, barriers of both kinds, and groups.
// CHECK-LABEL: func.func @edges
// CHECK: stablehlo.negate
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
// CHECK: stablehlo.optimization_barrier
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
// CHECK: sdy.propagation_barrier
// CHECK-NEXT: {{%.+}} = stablehlo.sine {{%.+}} : tensor<8xf32>
func.func @edges(%p: tensor<i1>, %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %a : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    stablehlo.return %a : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  %2 = stablehlo.optimization_barrier %0 : tensor<8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=BACKWARD : tensor<8xf32>
  %4 = stablehlo.sine %3 : tensor<8xf32>
  return %2, %4 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @group
// CHECK-SAME: %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
func.func @group(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  return
}

// Inside a manual computation only its free axes are seen; outside both.
// CHECK-LABEL: func.func @free_axes
// CHECK: sdy.manual_computation
// CHECK-SAME: in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"}
// CHECK: stablehlo.tanh
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>
// CHECK: stablehlo.negate
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>
func.func @free_axes(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>]
      manual_axes={"x"} (%b: tensor<2x16xf32>) {
    %1 = stablehlo.tanh %b : tensor<2x16xf32>
    sdy.return %1 : tensor<2x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.negate %0 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Through calls.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
// CHECK-NEXT: stablehlo.cosine
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
func.func private @callee(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.cosine %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK: func.call @callee
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
func.func @caller(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = func.call @callee(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Arguments and results are split evenly: 6 elements are not split in 4 parts, the value between may be.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: (%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
// CHECK: sdy.sharding_constraint
// CHECK-SAME: <@mesh, [{"x"}]>
func.func @uneven(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// Out of a tuple comes what was put in.
// CHECK-LABEL: func.func @tuple
// CHECK: stablehlo.get_tuple_element
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
func.func @tuple(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tuple %b, %a : tuple<tensor<8xf32>, tensor<8xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<8xf32>, tensor<8xf32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The program gives the rule of an op that nobody knows.
// CHECK-LABEL: func.func @given_rule
// CHECK: stablehlo.custom_call @mine
// CHECK-SAME: #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>
func.func @given_rule(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @mine(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=4}, custom>}
    : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A result that is whole over a manual axis is not split over it outside; its reader may be.

// CHECK-LABEL: func.func @whole_over_a_manual_axis
// CHECK: sdy.manual_computation
// CHECK-SAME: out_shardings=[<@mesh, [{"y"}], replicated={"x"}>] manual_axes={"x"}
func.func @whole_over_a_manual_axis(%a: tensor<8xf32>)
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{?}]>] out_shardings=[<@mesh, [{?}]>]
      manual_axes={"x"} (%b: tensor<8xf32>) {
    %1 = stablehlo.negate %b : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Nor is it where it is of a group.

// CHECK-LABEL: func.func @group_whole_over_a_manual_axis
// CHECK: sdy.manual_computation
// CHECK-SAME: out_shardings=[<@mesh, [{}, {"y"}], replicated={"x"}>] manual_axes={"x"}
func.func @group_whole_over_a_manual_axis(%a: tensor<4x8xf32>)
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}, tensor<4x8xf32>) {
  %n = stablehlo.negate %a : tensor<4x8xf32>
  sdy.sharding_group %n group_id = 70 : tensor<4x8xf32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {?}]>] out_shardings=[<@mesh, [{}, {?}]>]
      manual_axes={"x"} (%b: tensor<4x8xf32>) {
    %1 = stablehlo.negate %b : tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  sdy.sharding_group %0 group_id = 70 : tensor<4x8xf32>
  return %0, %n : tensor<4x8xf32>, tensor<4x8xf32>
}

// On a mesh of one device nothing is found, and what is stated stays.
// CHECK-LABEL: func.func @one_device
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@device, []>}
// CHECK: stablehlo.add
// CHECK-SAME: [<@device, []>]
sdy.mesh @device = <[], device_ids=[3]>
func.func @one_device(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
  %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>}
) -> tensor<8x4xf32> {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
