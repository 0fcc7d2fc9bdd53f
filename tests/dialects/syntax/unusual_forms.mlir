module {
  func.func @f(%arg0: tensor<4xf32>, %arg1: tuple<>) {
    stablehlo.optimization_barrier()
    stablehlo.optimization_barrier {foo}()
    %0 = stablehlo.optimization_barrier {foo} %arg0 : tensor<4xf32>
    %1 = stablehlo.after_all  {foo} : !stablehlo.token
    %2 = stablehlo.tuple  {foo} : tuple<>
    %3 = stablehlo.create_token {foo} : !stablehlo.token
    %4 = stablehlo.iota dim = 0 {foo} : tensor<3x3xf32>
    %5 = stablehlo.cholesky %4 {foo} : tensor<3x3xf32>
    %6 = stablehlo.while(%iterArg = %arg0) : tensor<4xf32>
    cond {
      %c_0 = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c_0 {foo} : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<4xf32>
    }
    %7 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0], precision = [] {foo} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    stablehlo.custom_call @x() {backend_config = ""} : () -> ()
    stablehlo.custom_call @x() {api_version = 2 : i32, backend_config = ""} : () -> ()
    %8 = "stablehlo.infeed"(%1) <{infeed_config = "", layout = []}> : (!stablehlo.token) -> !stablehlo.token
    %c = stablehlo.constant dense<true> : tensor<i1>
    "stablehlo.if"(%c) ({
      stablehlo.return 
    }, {
      stablehlo.return 
    }) {foo} : (tensor<i1>) -> ()
    return
  }
}

