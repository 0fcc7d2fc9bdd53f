// RUN: xla-opt %s -t hlo --split-input-file | filecheck %s

// CHECK-LABEL: HloModule moves
// CHECK: ENTRY
module @moves {
  func.func @main(%x: tensor<4x6xf32>, %i: tensor<i32>, %s: tensor<f32>, %r: tensor<6x1x4xf32>) -> tensor<2xf32> {
    // CHECK: %a = u32[4,6] iota(), iota_dimension=1
    %a = stablehlo.iota dim = 1 : tensor<4x6xui32>
    // CHECK-NEXT: %b = f32[4,3,6] broadcast(%x), dimensions={0,2}
    %b = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x6xf32>) -> tensor<4x3x6xf32>
    // HLO repeats along new dimensions only, and keeps the order of the others.
    // CHECK-NEXT: %[[R:.+]] = f32[6,4] reshape(%r)
    // CHECK-NEXT: %[[T:.+]] = f32[4,6] transpose(%[[R]]), dimensions={1,0}
    // CHECK-NEXT: %c = f32[4,5,6] broadcast(%[[T]]), dimensions={0,2}
    %c = stablehlo.broadcast_in_dim %r, dims = [2, 1, 0] : (tensor<6x1x4xf32>) -> tensor<4x5x6xf32>
    // CHECK-NEXT: %d = f32[24] reshape(%x)
    %d = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    // CHECK-NEXT: %e = f32[6,4] transpose(%x), dimensions={1,0}
    %e = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    // CHECK-NEXT: %f = f32[4,6] reverse(%x), dimensions={0,1}
    %f = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
    // CHECK-NEXT: %g = f32[8,6] concatenate(%x, %f), dimensions={0}
    %g = stablehlo.concatenate %x, %f, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    // CHECK-NEXT: %h = f32[2,3] slice(%x), slice={[1:3], [0:6:2]}
    %h = stablehlo.slice %x [1:3, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
    // CHECK-NEXT: %j = f32[5,12] pad(%x, %s), padding=0_1_0x2_-1_1
    %j = stablehlo.pad %x, %s, low = [0, 2], high = [1, -1], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
    // CHECK-NEXT: %k = f32[1,2] dynamic-slice(%x, %i, %i), dynamic_slice_sizes={1,2}
    %k = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    // CHECK-NEXT: %l = f32[4,6] dynamic-update-slice(%x, %k, %i, %i)
    %l = stablehlo.dynamic_update_slice %x, %k, %i, %i : (tensor<4x6xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    // CHECK-NEXT: %m = u16[4,6,2] bitcast-convert(%x)
    %m = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x2xui16>
    // Padding a scalar does nothing.
    // CHECK-NEXT: ROOT %o = f32[2] broadcast(%s), dimensions={}
    %n = stablehlo.pad %s, %s, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %o = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2xf32>
    return %o : tensor<2xf32>
  }
}
