module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Expected value >= 1 for dimension variable 'b'", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_2 = %c_1, %iterArg_3 = %arg0, %iterArg_4 = %0) : tensor<?x4xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>
    cond {
      %2 = stablehlo.compare LT, %iterArg_2, %iterArg_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %iterArg_2, %c_0 : tensor<i32>
      %3 = stablehlo.convert %iterArg_2 : tensor<i32>
      %4 = stablehlo.convert %arg0 : tensor<i32>
      %5 = stablehlo.compare LT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.add %3, %4 : tensor<i32>
      %7 = stablehlo.select %5, %6, %3 : tensor<i1>, tensor<i32>
      %8 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = stablehlo.add %c_1, %c : tensor<i32>
      %10 = stablehlo.select %8, %9, %c_1 : tensor<i1>, tensor<i32>
      %11 = stablehlo.dynamic_slice %iterArg, %7, %10, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %12 = stablehlo.reshape %11 : (tensor<1x4xf32>) -> tensor<4xf32>
      %13 = stablehlo.add %iterArg_4, %12 : tensor<4xf32>
      stablehlo.return %iterArg, %2, %iterArg_3, %13 : tensor<?x4xf32>, tensor<i32>, tensor<i32>, tensor<4xf32>
    }
    return %1#3 : tensor<4xf32>
  }
}
