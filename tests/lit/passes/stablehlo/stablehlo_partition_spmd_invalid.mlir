// RUN: xla-opt %s -p 'stablehlo-partition-spmd' --split-input-file --verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @+1 {{a value of tuple<tensor<8xf32>> has no parts; `stablehlo-flatten-tuples` makes values of its elements}}
  %0 = stablehlo.tuple %x : tuple<tensor<8xf32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<8xf32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<2x4xf32> {
  // expected-error @+1 {{quantised along a dimension, has no parts}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
