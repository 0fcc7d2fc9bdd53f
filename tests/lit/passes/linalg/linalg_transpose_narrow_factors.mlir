// RUN: xla-opt %s -p 'linalg-transpose-narrow-factors{vector_bits=512}' | filecheck %s

// Ten columns are copied by columns; the product then goes through both factors along the reduction.

// CHECK-LABEL: func.func @scores
// CHECK-SAME:  ([[X:%.+]]: tensor<1024x512xf32>, [[W:%.+]]: tensor<512x10xf32>
// CHECK:         [[T:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}} ins([[W]] : tensor<512x10xf32>) outs({{.*}} : tensor<10x512xf32>)
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], {{.*}} ins([[X]], [[T]] :
func.func @scores(%x: tensor<1024x512xf32>, %w: tensor<512x10xf32>, %out: tensor<1024x10xf32>) -> tensor<1024x10xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1024x512xf32>, tensor<512x10xf32>) outs(%out : tensor<1024x10xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %old, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<1024x10xf32>
  func.return %0 : tensor<1024x10xf32>
}

// So are the three features of a convolution; of the window, the places along a row are neighbours in the image.

// CHECK-LABEL: func.func @features
// CHECK-SAME:  ([[X:%.+]]: tensor<1x18x18x32xf32>, [[W:%.+]]: tensor<3x3x32x3xf32>
// CHECK:         [[T:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], {{.*}} ins([[W]] : tensor<3x3x32x3xf32>) outs({{.*}} : tensor<3x3x3x32xf32>)
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, (d1 + d4), (d2 + d5), d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>, {{.*}} ins([[X]], [[T]] :
func.func @features(%x: tensor<1x18x18x32xf32>, %w: tensor<3x3x32x3xf32>, %out: tensor<1x16x16x3xf32>) -> tensor<1x16x16x3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(n, y, x, o, v, u, i) -> (n, y + v, x + u, i)>, affine_map<(n, y, x, o, v, u, i) -> (v, u, i, o)>, affine_map<(n, y, x, o, v, u, i) -> (n, y, x, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x18x18x32xf32>, tensor<3x3x32x3xf32>) outs(%out : tensor<1x16x16x3xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %old, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<1x16x16x3xf32>
  func.return %0 : tensor<1x16x16x3xf32>
}

// More columns stay, and so do few rows and short sums.

// CHECK-LABEL: func.func @others
// CHECK-NOT:     tensor.empty
func.func @others(%x: tensor<1024x1024xf32>, %w: tensor<1024x32xf32>, %out: tensor<1024x32xf32>,
                  %y: tensor<8x1024xf32>, %v: tensor<1024x10xf32>, %into: tensor<8x10xf32>,
                  %z: tensor<4096x32xf32>, %u: tensor<32x10xf32>, %to: tensor<4096x10xf32>) -> (tensor<1024x32xf32>, tensor<8x10xf32>, tensor<4096x10xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1024x1024xf32>, tensor<1024x32xf32>) outs(%out : tensor<1024x32xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %old, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<1024x32xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %v : tensor<8x1024xf32>, tensor<1024x10xf32>) outs(%into : tensor<8x10xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %old, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<8x10xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%z, %u : tensor<4096x32xf32>, tensor<32x10xf32>) outs(%to : tensor<4096x10xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %old, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<4096x10xf32>
  func.return %0, %1, %2 : tensor<1024x32xf32>, tensor<8x10xf32>, tensor<4096x10xf32>
}
