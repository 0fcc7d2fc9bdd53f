// RUN: xla-opt %s -p 'stablehlo-partition-spmd{strict=true}' --verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op is not divided: every device runs it on whole operands}}
  %0 = stablehlo.custom_call @unknown(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
