// RUN: xla-opt %s -p 'sdy-propagate{strategy=basic}' | filecheck %s --check-prefix BASIC
// RUN: xla-opt %s -p 'sdy-propagate{strategy=aggressive}' | filecheck %s --check-prefix AGGRESSIVE
// RUN: xla-opt %s -p 'sdy-propagate{op_priority=false}' | filecheck %s --check-prefix UNORDERED
// RUN: not xla-opt %s -p 'sdy-propagate{strategy=bold}' 2>&1 | filecheck %s --check-prefix BOLD

// BOLD: strategy is one of aggressive, basic, basic-then-aggressive, not 'bold'

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Both operands want `x`, for different dimensions of the result: the larger one gets it, or nobody.
// BASIC-LABEL: func.func @conflict
// BASIC: stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [1] x [0] :
// AGGRESSIVE-LABEL: func.func @conflict
// AGGRESSIVE: stablehlo.dot_general
// AGGRESSIVE-SAME: #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>
func.func @conflict(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
  %b: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The elementwise op behind the product comes first, and the product follows; as equals, the product does.
// AGGRESSIVE-LABEL: func.func @elementwise_first
// AGGRESSIVE: stablehlo.dot_general
// AGGRESSIVE-SAME: #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>
// UNORDERED-LABEL: func.func @elementwise_first
// UNORDERED: stablehlo.dot_general
// UNORDERED-SAME: #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>
func.func @elementwise_first(
  %a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
  %b: tensor<4x8xf32>,
  %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}
) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
