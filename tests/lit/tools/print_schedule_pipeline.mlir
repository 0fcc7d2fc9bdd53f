// RUN: xla-opt %s -p xla-cpu-to-loops --print-schedule | filecheck %s
// RUN: xla-opt %s -p xla-cpu-to-kernels --print-schedule | filecheck %s --check-prefix KERNELS

// A product of 64x64 matrices: 2 * 64^3 operations, two matrices read, one written; copies of the
// multiply-add are counted. The tensor that a contraction adds to is read, too.

// CHECK: function main(x, y, out0) 32.0 KiB 16.0 KiB {{.*}} {{5[23][0-9][.][0-9]}} k
// CHECK: call contraction_0(x, y, out0)
// CHECK: kernel contraction_0(in0, in1, out0) 32.0 KiB 16.0 KiB
// CHECK: for {{.}} = 0 to 64 carries fma x {{[0-9]+}} 64
// CHECK: fma vector<{{[0-9]+}}xf32> x {{[0-9]+}}
// KERNELS: kernel contraction_0(in0, in1, inout0) 48.0 KiB 16.0 KiB - 524.3 k
// KERNELS-NEXT: linalg.fill inout0
// KERNELS-NEXT: linalg.generic (mulf, addf) ins in0, in1 outs inout0 {{.*}} 524.3 k
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  func.return %0 : tensor<64x64xf32>
}
