func.func @main(%x: tensor<10x4xf32>, %i: tensor<6x1xi32>, %j: tensor<5xi32>, %y: tensor<6x9x3xf32>) -> (tensor<6x4xf32>, tensor<5x4xf32>, tensor<6x3xf32>) {
 %b = stablehlo.constant dense<9> : tensor<6x1xi32>
 %m = stablehlo.constant dense<3> : tensor<6x1xi32>
 %k0 = stablehlo.multiply %i, %m : tensor<6x1xi32>
 %k = stablehlo.subtract %k0, %m : tensor<6x1xi32>
 %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<6x1xi32>) -> tensor<6x4xf32>
 %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<5xi32>) -> tensor<5x4xf32>
 %2 = "stablehlo.gather"(%y, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<6x9x3xf32>, tensor<6x1xi32>) -> tensor<6x3xf32>
 return %0, %1, %2 : tensor<6x4xf32>, tensor<5x4xf32>, tensor<6x3xf32> }
