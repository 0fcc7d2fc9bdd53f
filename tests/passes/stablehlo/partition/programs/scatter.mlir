func.func @main(%x: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u: tensor<7x4xf32>, %v: tensor<7x3x4xf32>, %j: tensor<7x2xi32>, %w: tensor<7xf32>) -> (tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>) {
 %m = stablehlo.constant dense<4> : tensor<7x1xi32>
 %k0 = stablehlo.multiply %i, %m : tensor<7x1xi32>
 %k = stablehlo.subtract %k0, %m : tensor<7x1xi32>
 %0 = "stablehlo.scatter"(%x, %k, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %1 = stablehlo.add %a, %b : tensor<f32>
   stablehlo.return %1 : tensor<f32> }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
 %2 = "stablehlo.scatter"(%x, %k, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1,2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %1 = stablehlo.maximum %a, %b : tensor<f32>
   stablehlo.return %1 : tensor<f32> }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x3x4xf32>) -> tensor<10x4xf32>
 %3 = "stablehlo.scatter"(%x, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0,1], scatter_dims_to_operand_dims = [1,0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   stablehlo.return %b : tensor<f32> }) : (tensor<10x4xf32>, tensor<7x2xi32>, tensor<7xf32>) -> tensor<10x4xf32>
 return %0, %2, %3 : tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32> }
