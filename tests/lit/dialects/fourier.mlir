// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: @tensors
// CHECK: "fourier.transform"(%x, %roots, %out) <{axis = 1 : i64, stages = array<i64: 4>, inverse, hermitian}> : (tensor<2x3xcomplex<f32>>, tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @tensors(%x: tensor<2x3xcomplex<f32>>, %roots: tensor<1x2xf32>, %out: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = fourier.transform %x, %roots outs(%out) axis 1 stages [4] inverse hermitian : tensor<2x3xcomplex<f32>>, tensor<1x2xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @buffers
// CHECK: "fourier.transform"(%x, %roots, %out) <{axis = 0 : i64, stages = array<i64: 4>}> : (memref<4xf64>, memref<1x2xf64>, memref<3xcomplex<f64>>) -> ()
func.func @buffers(%x: memref<4xf64>, %roots: memref<1x2xf64>, %out: memref<3xcomplex<f64>>) {
  fourier.transform %x, %roots outs(%out) axis 0 stages [4] : memref<4xf64>, memref<1x2xf64>, memref<3xcomplex<f64>>
  return
}
