// RUN: xla-opt -p stablehlo-partition-spmd %s 2>&1 | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// A line of which each device has a part: columns of a matrix, rows, and the order of the result.
// CHECK-NOT: remark
// CHECK-LABEL: func.func @main
// CHECK-SAME: [[LINE:%\w+]]: tensor<65536xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<1x65536xcomplex<f32>>) -> tensor<4x16384xcomplex<f32>>
// CHECK: stablehlo.fft
// CHECK-SAME: length = [4]
// CHECK: [[COLUMNS:%\w+]] = stablehlo.multiply {{.*}}xcomplex<f32>>
// CHECK: "stablehlo.all_to_all"([[COLUMNS]])
// CHECK-SAME: (tensor<4x16384xcomplex<f32>>) -> tensor<1x65536xcomplex<f32>>
// CHECK: [[ROW:%\w+]] = stablehlo.fft
// CHECK-SAME: length = [65536]
// CHECK: [[PARTS:%\w+]] = stablehlo.reshape [[ROW]] : (tensor<65536xcomplex<f32>>) -> tensor<4x16384xcomplex<f32>>
// CHECK: [[MIXED:%\w+]] = "stablehlo.all_to_all"([[PARTS]])
// CHECK: [[RESULT:%\w+]] = stablehlo.transpose {{.*}}, dims = [1, 0]
// CHECK: stablehlo.reshape [[RESULT]]
func.func @main(%a: tensor<262144xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<262144xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.fft %a, type = FFT, length = [262144] : (tensor<262144xcomplex<f32>>) -> tensor<262144xcomplex<f32>>
  return %0 : tensor<262144xcomplex<f32>>
}
