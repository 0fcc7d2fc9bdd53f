module @jit_descend attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<4x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg2: tensor<8x3x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg3: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg4: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<16x8xf32> {jax.result_info = "result[1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, tensor<4x2x8xf32> {jax.result_info = "result[1]['out']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, tensor<8x3x4x2xf32> {jax.result_info = "result[1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, tensor<8x16xf32> {jax.result_info = "result[1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %5 = stablehlo.subtract %arg4, %4 : tensor<4x6x8xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %7 = stablehlo.subtract %arg4, %6 : tensor<4x6x8xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<4x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x6x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<4x6x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<4x6x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %17 = stablehlo.multiply %5, %16 : tensor<4x6x8xf32>
    %18 = sdy.sharding_constraint %17 <@mesh, [{"data"}, {}, {}]> : tensor<4x6x8xf32>
    %19 = stablehlo.dot_general %arg2, %18, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x3x4x2xf32>, tensor<4x6x8xf32>) -> tensor<3x4x2x4x6xf32>
    %20 = stablehlo.transpose %19, dims = [0, 3, 4, 1, 2] : (tensor<3x4x2x4x6xf32>) -> tensor<3x4x6x4x2xf32>
    %21 = stablehlo.slice %20 [0:1, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %23 = stablehlo.slice %20 [1:2, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %25 = stablehlo.slice %20 [2:3, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %27 = sdy.sharding_constraint %22 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %28 = sdy.sharding_constraint %24 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %29 = sdy.sharding_constraint %26 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %30 = stablehlo.dot_general %27, %28, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x6x4x2xf32>) -> tensor<4x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %32 = stablehlo.divide %30, %31 : tensor<4x4x6x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %33 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %34 = call @tril(%33) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %35:2 = call @_where(%34, %32, %cst_5) : (tensor<6x6xi1>, tensor<4x4x6x6xf32>, tensor<f32>) -> (tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>)
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.reduce(%35#0 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %38 = stablehlo.maximum %37, %36 : tensor<4x4x6xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %41 = stablehlo.subtract %35#0, %40 : tensor<4x4x6x6xf32>
    %42 = stablehlo.exponential %41 : tensor<4x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %46 = stablehlo.divide %42, %45 : tensor<4x4x6x6xf32>
    %47 = stablehlo.multiply %44, %44 : tensor<4x4x6x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x4x6x1xf32>
    %49 = stablehlo.divide %48, %47 : tensor<4x4x6x1xf32>
    %50 = stablehlo.dot_general %29, %46, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x2x6xf32>
    %51 = stablehlo.transpose %50, dims = [0, 3, 1, 2] : (tensor<4x4x2x6xf32>) -> tensor<4x6x4x2xf32>
    %52 = stablehlo.dot_general %51, %arg1, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x2x8xf32>) -> tensor<4x6x8xf32>
    %53 = stablehlo.add %arg4, %52 : tensor<4x6x8xf32>
    %54 = sdy.sharding_constraint %53 <@mesh, [{"data"}, {"model"}, {}]> : tensor<4x6x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<4x6x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %60 = stablehlo.subtract %54, %59 : tensor<4x6x8xf32>
    %61 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %62 = stablehlo.subtract %54, %61 : tensor<4x6x8xf32>
    %63 = stablehlo.multiply %62, %62 : tensor<4x6x8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %65 = stablehlo.multiply %64, %62 : tensor<4x6x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%63 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_14 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %69 = stablehlo.divide %67, %68 : tensor<4x6x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %71 = stablehlo.add %69, %70 : tensor<4x6x1xf32>
    %72 = stablehlo.rsqrt %71 : tensor<4x6x1xf32>
    %73 = stablehlo.divide %72, %71 : tensor<4x6x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<4x6x1xf32>
    %76 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %77 = stablehlo.multiply %60, %76 : tensor<4x6x8xf32>
    %78 = stablehlo.dot_general %77, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %79 = stablehlo.multiply %78, %78 : tensor<4x6x16xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<4x6x16xf32>
    %81 = stablehlo.multiply %78, %78 : tensor<4x6x16xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<4x6x16xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %85 = stablehlo.multiply %84, %80 : tensor<4x6x16xf32>
    %86 = stablehlo.add %78, %85 : tensor<4x6x16xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %88 = stablehlo.multiply %87, %86 : tensor<4x6x16xf32>
    %89 = stablehlo.tanh %88 : tensor<4x6x16xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %91 = stablehlo.subtract %90, %89 : tensor<4x6x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %93 = stablehlo.add %92, %89 : tensor<4x6x16xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<4x6x16xf32>
    %96 = stablehlo.multiply %78, %95 : tensor<4x6x16xf32>
    %97 = sdy.sharding_constraint %96 <@mesh, [{"data"}, {}, {"model"}]> : tensor<4x6x16xf32>
    %98 = stablehlo.dot_general %97, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %99 = stablehlo.add %54, %98 : tensor<4x6x8xf32>
    %100 = sdy.sharding_constraint %99 <@mesh, [{"data"}, {"model"}, {}]> : tensor<4x6x8xf32>
    %101 = stablehlo.multiply %100, %100 : tensor<4x6x8xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %103 = stablehlo.multiply %102, %100 : tensor<4x6x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%101 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %105 = stablehlo.divide %104, %cst_25 : tensor<f32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.920000e+02> : tensor<f32>
    %106 = stablehlo.divide %cst_26, %cst_27 : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<4x6x8xf32>
    %108 = stablehlo.multiply %107, %103 : tensor<4x6x8xf32>
    %109 = sdy.sharding_constraint %108 <@mesh, [{"data"}, {"model"}, {}]> : tensor<4x6x8xf32>
    %110 = stablehlo.dot_general %109, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x16xf32>) -> tensor<8x16xf32>
    %111 = stablehlo.transpose %110, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %112 = stablehlo.dot_general %109, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<16x8xf32>) -> tensor<4x6x16xf32>
    %113 = sdy.sharding_constraint %112 <@mesh, [{"data"}, {}, {"model"}]> : tensor<4x6x16xf32>
    %114 = stablehlo.multiply %78, %113 : tensor<4x6x16xf32>
    %115 = stablehlo.multiply %113, %95 : tensor<4x6x16xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %117 = stablehlo.multiply %116, %114 : tensor<4x6x16xf32>
    %118 = stablehlo.multiply %117, %91 : tensor<4x6x16xf32>
    %119 = stablehlo.multiply %118, %89 : tensor<4x6x16xf32>
    %120 = stablehlo.add %118, %119 : tensor<4x6x16xf32>
    %cst_29 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<4x6x16xf32>
    %123 = stablehlo.add %115, %122 : tensor<4x6x16xf32>
    %cst_30 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %125 = stablehlo.multiply %124, %122 : tensor<4x6x16xf32>
    %126 = stablehlo.multiply %125, %83 : tensor<4x6x16xf32>
    %127 = stablehlo.add %123, %126 : tensor<4x6x16xf32>
    %128 = stablehlo.dot_general %127, %77, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x8xf32>) -> tensor<16x8xf32>
    %129 = stablehlo.transpose %128, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %130 = stablehlo.dot_general %127, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<8x16xf32>) -> tensor<4x6x8xf32>
    %131 = stablehlo.multiply %60, %130 : tensor<4x6x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %133 = stablehlo.reshape %132 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %134 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %135 = stablehlo.multiply %130, %134 : tensor<4x6x8xf32>
    %136 = stablehlo.multiply %133, %75 : tensor<4x6x1xf32>
    %cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %138 = stablehlo.divide %136, %137 : tensor<4x6x1xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %141 = stablehlo.multiply %140, %65 : tensor<4x6x8xf32>
    %142 = stablehlo.negate %141 : tensor<4x6x8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %144 = stablehlo.reshape %143 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %145 = stablehlo.add %109, %141 : tensor<4x6x8xf32>
    %146 = stablehlo.negate %135 : tensor<4x6x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %148 = stablehlo.reshape %147 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %149 = stablehlo.add %145, %135 : tensor<4x6x8xf32>
    %150 = stablehlo.add %144, %148 : tensor<4x6x1xf32>
    %cst_36 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %152 = stablehlo.divide %150, %151 : tensor<4x6x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x8xf32>
    %155 = stablehlo.add %149, %154 : tensor<4x6x8xf32>
    %156 = sdy.sharding_constraint %155 <@mesh, [{"data"}, {"model"}, {}]> : tensor<4x6x8xf32>
    %157 = stablehlo.dot_general %156, %51, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x6x4x2xf32>) -> tensor<8x4x2xf32>
    %158 = stablehlo.transpose %157, dims = [1, 2, 0] : (tensor<8x4x2xf32>) -> tensor<4x2x8xf32>
    %159 = stablehlo.dot_general %156, %arg1, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x2x8xf32>) -> tensor<4x6x4x2xf32>
    %160 = stablehlo.transpose %159, dims = [0, 2, 3, 1] : (tensor<4x6x4x2xf32>) -> tensor<4x4x2x6xf32>
    %161 = stablehlo.dot_general %160, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x2x6xf32>, tensor<4x6x4x2xf32>) -> tensor<4x4x6x6xf32>
    %162 = stablehlo.dot_general %160, %46, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x2x6xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x2x6xf32>
    %163 = stablehlo.transpose %162, dims = [0, 3, 1, 2] : (tensor<4x4x2x6xf32>) -> tensor<4x6x4x2xf32>
    %164 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %165 = stablehlo.multiply %161, %164 : tensor<4x4x6x6xf32>
    %166 = stablehlo.multiply %165, %42 : tensor<4x4x6x6xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_38) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %168 = stablehlo.reshape %167 : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %169 = stablehlo.negate %168 : tensor<4x4x6x1xf32>
    %170 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %171 = stablehlo.divide %161, %170 : tensor<4x4x6x6xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%169 init: %cst_39) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x1xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x6xf32>
    %174 = stablehlo.add %171, %173 : tensor<4x4x6x6xf32>
    %175 = stablehlo.multiply %174, %42 : tensor<4x4x6x6xf32>
    %176 = call @_where_0(%35#1, %175) : (tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>) -> tensor<4x4x6x6xf32>
    %cst_40 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %178 = stablehlo.divide %176, %177 : tensor<4x4x6x6xf32>
    %179 = stablehlo.dot_general %178, %27, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6x6xf32>, tensor<4x6x4x2xf32>) -> tensor<4x4x6x2xf32>
    %180 = stablehlo.transpose %179, dims = [0, 2, 1, 3] : (tensor<4x4x6x2xf32>) -> tensor<4x6x4x2xf32>
    %181 = stablehlo.dot_general %178, %28, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6x6xf32>, tensor<4x6x4x2xf32>) -> tensor<4x4x6x2xf32>
    %182 = stablehlo.transpose %181, dims = [0, 2, 1, 3] : (tensor<4x4x6x2xf32>) -> tensor<4x6x4x2xf32>
    %183 = sdy.sharding_constraint %163 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %184 = sdy.sharding_constraint %180 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %185 = sdy.sharding_constraint %182 <@mesh, [{"data"}, {}, {"model"}, {}]> : tensor<4x6x4x2xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [1, 2, 3, 4] : (tensor<4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %187 = stablehlo.broadcast_in_dim %184, dims = [1, 2, 3, 4] : (tensor<4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %188 = stablehlo.broadcast_in_dim %183, dims = [1, 2, 3, 4] : (tensor<4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %189 = stablehlo.concatenate %186, %187, %188, dim = 0 : (tensor<1x4x6x4x2xf32>, tensor<1x4x6x4x2xf32>, tensor<1x4x6x4x2xf32>) -> tensor<3x4x6x4x2xf32>
    %190 = stablehlo.transpose %189, dims = [0, 3, 4, 1, 2] : (tensor<3x4x6x4x2xf32>) -> tensor<3x4x2x4x6xf32>
    %191 = stablehlo.dot_general %190, %18, contracting_dims = [3, 4] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<3x4x2x4x6xf32>, tensor<4x6x8xf32>) -> tensor<3x4x2x8xf32>
    %192 = stablehlo.transpose %191, dims = [3, 0, 1, 2] : (tensor<3x4x2x8xf32>) -> tensor<8x3x4x2xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %194 = stablehlo.multiply %193, %111 : tensor<16x8xf32>
    %195 = stablehlo.subtract %arg0, %194 : tensor<16x8xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
    %197 = stablehlo.multiply %196, %158 : tensor<4x2x8xf32>
    %198 = stablehlo.subtract %arg1, %197 : tensor<4x2x8xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x3x4x2xf32>
    %200 = stablehlo.multiply %199, %192 : tensor<8x3x4x2xf32>
    %201 = stablehlo.subtract %arg2, %200 : tensor<8x3x4x2xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %203 = stablehlo.multiply %202, %129 : tensor<8x16xf32>
    %204 = stablehlo.subtract %arg3, %203 : tensor<8x16xf32>
    return %105, %195, %198, %201, %204 : tensor<f32>, tensor<16x8xf32>, tensor<4x2x8xf32>, tensor<8x3x4x2xf32>, tensor<8x16xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<4x4x6x6xf32>, %arg2: tensor<f32>) -> (tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<4x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %3, %1 : tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>
  }
  func.func private @_where_0(%arg0: tensor<4x4x6x6xi1>, %arg1: tensor<4x4x6x6xf32>) -> tensor<4x4x6x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %1 : tensor<4x4x6x6xf32>
  }
}
