module @jit_forward attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x12xcomplex<f32>> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x12xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x7xcomplex<f32>> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x12xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = call @fft(%arg0) : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x12xcomplex<f32>>) -> tensor<12x8xcomplex<f32>>
    %2 = call @fft_0(%1) : (tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<12x8xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    %4 = stablehlo.real %3 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    %5 = call @fft_1(%arg0) : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    %6 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x12xf32>) -> tensor<12x8xf32>
    %7 = call @fft_2(%6) : (tensor<12x8xf32>) -> tensor<12x8xcomplex<f32>>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<12x8xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    %9 = stablehlo.abs %8 : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xf32>
    return %0, %4, %5, %9 : tensor<8x12xcomplex<f32>>, tensor<8x12xf32>, tensor<8x7xcomplex<f32>>, tensor<8x12xf32>
  }
  func.func private @fft(%arg0: tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<8x12xf32>) -> tensor<8x12xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [8, 12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    return %1 : tensor<8x12xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [8] : (tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>>
    return %0 : tensor<12x8xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12] : (tensor<8x12xf32>) -> tensor<8x7xcomplex<f32>>
    return %0 : tensor<8x7xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<12x8xf32>) -> tensor<12x8xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<12x8xf32>) -> tensor<12x8xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<12x8xcomplex<f32>>) -> tensor<12x8xcomplex<f32>>
    return %1 : tensor<12x8xcomplex<f32>>
  }
}
