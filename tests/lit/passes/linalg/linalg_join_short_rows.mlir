// RUN: xla-opt %s -p 'linalg-join-short-rows{vector_bits=512}' --split-input-file | filecheck %s

// Rows of ten with a term for each place: 48 or so of them are one row. The terms are repeated in a small tensor.

// CHECK-LABEL: func.func @scores
// CHECK-SAME:  ([[X:%.+]]: tensor<64x64x10xf32>, [[B:%.+]]: tensor<10xf32>)
// CHECK:         [[F:%.+]] = tensor.collapse_shape [[X]] {{.*}} into tensor<40960xf32>
// CHECK-NEXT:    [[V:%.+]] = tensor.expand_shape [[F]] {{.*}} into tensor<128x320xf32>
// CHECK:         [[R:%.+]] = linalg.generic {{.*}} ins([[B]] : tensor<10xf32>) outs({{.*}} : tensor<32x10xf32>)
// CHECK:         [[S:%.+]] = tensor.collapse_shape [[R]] {{.*}} into tensor<320xf32>
// CHECK:         [[Z:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins([[V]], [[S]] : tensor<128x320xf32>, tensor<320xf32>) outs({{.*}} : tensor<128x320xf32>)
// CHECK-NEXT:    ^bb
// CHECK-NEXT:      arith.addf
// CHECK:         [[C:%.+]] = tensor.collapse_shape [[Z]] {{.*}} into tensor<40960xf32>
// CHECK-NEXT:    [[Y:%.+]] = tensor.expand_shape [[C]] {{.*}} into tensor<64x64x10xf32>
// CHECK-NEXT:    func.return [[Y]]
func.func @scores(%x: tensor<64x64x10xf32>, %b: tensor<10xf32>) -> tensor<64x64x10xf32> {
  %0 = tensor.empty() : tensor<64x64x10xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %b : tensor<64x64x10xf32>, tensor<10xf32>) outs(%0 : tensor<64x64x10xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<64x64x10xf32>
  func.return %1 : tensor<64x64x10xf32>
}

// -----

// Rows that are whole vectors stay, and so do few rows, rows with a factor each, and what reads the result of a product.

// CHECK-LABEL: func.func @whole
// CHECK-NOT:     tensor.collapse_shape
// CHECK-LABEL: func.func @few
// CHECK-NOT:     tensor.collapse_shape
// CHECK-LABEL: func.func @factors
// CHECK-NOT:     tensor.collapse_shape
// CHECK-LABEL: func.func @behind
// CHECK-NOT:     tensor.collapse_shape
func.func @whole(%x: tensor<4096x256xf32>, %b: tensor<256xf32>) -> tensor<4096x256xf32> {
  %0 = tensor.empty() : tensor<4096x256xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4096x256xf32>, tensor<256xf32>) outs(%0 : tensor<4096x256xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4096x256xf32>
  func.return %1 : tensor<4096x256xf32>
}
func.func @few(%x: tensor<40x10xf32>, %b: tensor<10xf32>) -> tensor<40x10xf32> {
  %0 = tensor.empty() : tensor<40x10xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<40x10xf32>, tensor<10xf32>) outs(%0 : tensor<40x10xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<40x10xf32>
  func.return %1 : tensor<40x10xf32>
}
func.func @factors(%x: tensor<4096x10xf32>, %b: tensor<4096xf32>) -> tensor<4096x10xf32> {
  %0 = tensor.empty() : tensor<4096x10xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4096x10xf32>, tensor<4096xf32>) outs(%0 : tensor<4096x10xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.mulf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4096x10xf32>
  func.return %1 : tensor<4096x10xf32>
}
func.func @behind(%x: tensor<4096x8xf32>, %w: tensor<8x10xf32>, %b: tensor<10xf32>) -> tensor<4096x10xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4096x10xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4096x10xf32>) -> tensor<4096x10xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4096x8xf32>, tensor<8x10xf32>) outs(%1 : tensor<4096x10xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4096x10xf32>
  %3 = tensor.empty() : tensor<4096x10xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%2, %b : tensor<4096x10xf32>, tensor<10xf32>) outs(%3 : tensor<4096x10xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4096x10xf32>
  func.return %4 : tensor<4096x10xf32>
}
