builtin.module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @maximal = <[], device_ids=[3]>
  sdy.mesh @empty = <[]>
  sdy.mesh @perm = <["x"=2, "y"=4], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]>
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(1)2, ?}p1, {?}], replicated={"y":(2)2}>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2, "y"=4]>, [{}, {}], unreduced={"x"}>}) {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> {foo = 1 : i32} : tensor<8x8xf32>
    %1 = sdy.reshard %0 <@maximal, []> : tensor<8x8xf32>
    %2 = sdy.propagation_barrier %1 allowed_direction=FORWARD : tensor<8x8xf32>
    sdy.sharding_group %2 group_id=21 : tensor<8x8xf32>
    %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
      %4 = stablehlo.add %arg1, %arg1 : tensor<4x8xf32>
      sdy.return %4 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()
    %4 = sdy.named_computation<"foo">(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] (%arg1: tensor<8x8xf32>) {
      sdy.return %arg1 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = sdy.data_flow_edge %4 sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    %d = stablehlo.add %5, %5 : tensor<8x8xf32>
    %6 = sdy.data_flow_edge %d : tensor<8x8xf32>
    %c = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
    %7 = stablehlo.add %c, %c {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}, custom>} : tensor<8x8xf32>
    %8 = sdy.all_gather [{"y"}, {}] %7 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    %9 = sdy.all_slice [{}, {"y":(1)2}] %8 out_sharding=<@mesh, [{"x"}, {"y":(1)2}]> : tensor<8x8xf32>
    %10 = sdy.all_to_all [{"x"}: 0->1] %8 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %11 = sdy.collective_permute %10 out_sharding=<@mesh, [{}, {"y":(1)2}]> : tensor<8x8xf32>
    %12 = sdy.all_reduce {"x"} %11 out_sharding=<@mesh, [{}, {"y":(1)2}]> : tensor<8x8xf32>
    %13 = sdy.reduce_scatter [{"x"}, {}] %12 out_sharding=<@mesh, [{"x"}, {"y":(1)2}]> : tensor<8x8xf32>
    %14 = sdy.replicated_to_unreduced {"y":(2)2} %13 out_sharding=<@mesh, [{"x"}, {"y":(1)2}], unreduced={"y":(2)2}> : tensor<8x8xf32>
    %15 = sdy.sharded_to_unreduced [{"x"}, {}] %13 out_sharding=<@mesh, [{}, {"y":(1)2}], unreduced={"x"}> : tensor<8x8xf32>
    func.return %15 : tensor<8x8xf32>
  }
}
