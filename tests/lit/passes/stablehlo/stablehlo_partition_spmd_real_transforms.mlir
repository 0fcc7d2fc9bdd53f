// RUN: xla-opt -p stablehlo-partition-spmd %s 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=8]>

// The complex transform of all elements; the last exchange brings each device its part of the coefficients.
// CHECK-NOT: remark
// CHECK-LABEL: func.func @coefficients
// CHECK-SAME: [[LINE:%\w+]]: tensor<2097152xf32>
// CHECK: [[COMPLEX:%\w+]] = stablehlo.complex [[LINE]], {{.*}} : tensor<2097152xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.all_to_all"
// CHECK: [[ROW:%\w+]] = stablehlo.fft {{.*}} type = FFT, length = [2097152]
// CHECK: "stablehlo.all_to_all"{{.*}} (tensor<8x131073xcomplex<f32>>)
// CHECK: stablehlo.dynamic_slice {{.*}} -> tensor<1048577xcomplex<f32>>
func.func @coefficients(%a: tensor<16777216xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8388609xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.fft %a, type = RFFT, length = [16777216] : (tensor<16777216xf32>) -> tensor<8388609xcomplex<f32>>
  return %0 : tensor<8388609xcomplex<f32>>
}

// Backwards; the other coefficients are conjugates of those of another device.
// CHECK-LABEL: func.func @line
// CHECK-SAME: tensor<1048577xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK: [[OTHERS:%\w+]] = "stablehlo.collective_permute"
// CHECK-SAME{LITERAL}: dense<[[0, 0], [7, 1], [6, 2], [5, 3], [4, 4], [3, 5], [2, 6], [1, 7]]>
// CHECK: stablehlo.reverse
// CHECK: stablehlo.negate
// CHECK: stablehlo.fft {{.*}} type = IFFT, length = [2097152]
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.fft {{.*}} type = IFFT, length = [8]
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.real {{.*}} -> tensor<2097152xf32>
func.func @line(%a: tensor<8388609xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<16777216xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.fft %a, type = IRFFT, length = [16777216] : (tensor<8388609xcomplex<f32>>) -> tensor<16777216xf32>
  return %0 : tensor<16777216xf32>
}
