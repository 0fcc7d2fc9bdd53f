// RUN: xla-opt %s -p linalg-outline-kernels --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// The sum by columns of what an elementwise op computes row by row is one kernel with it. What reads that sum and the
// rows too is not: the sum is complete behind all rows.
// CHECK-LABEL: func.func @bias_gradient
// CHECK: [[Y:%.+]], [[S:%.+]] = func.call @rows_0(%x, {{.*}}) : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>) -> (tensor<64x32xf32>, tensor<32xf32>)
// CHECK: [[Z:%.+]] = func.call @elementwise_0([[Y]], [[S]]
// CHECK: func.return [[S]], [[Z]]
// CHECK: func.func private @rows_0({{.*}} attributes {xrt.kernel, xrt.row_dims = 1 : i64}
// CHECK: [[SQUARE:%.+]] = linalg.generic
// CHECK: arith.mulf
// CHECK: iterator_types = ["reduction", "parallel"]} ins([[SQUARE]] :
// CHECK: arith.addf
// CHECK: func.func private @elementwise_0
// CHECK: arith.subf
func.func @bias_gradient(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  %e1 = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %z = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %s : tensor<64x32xf32>, tensor<32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  return %s, %z : tensor<32xf32>, tensor<64x32xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#by_columns = affine_map<(i, j) -> (j, i)>
#first = affine_map<(i, j) -> (i)>

// A sum by columns and one by rows are one pass; the loops over the rows come first in both.
// CHECK-LABEL: func.func @both
// CHECK: func.call @rows_0(%x, {{.*}}) : (tensor<64x32xf32>, tensor<32xf32>, tensor<64xf32>) -> (tensor<32xf32>, tensor<64xf32>)
// CHECK-NOT: func.call
// CHECK: func.func private @rows_0
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.addf
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
func.func @both(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#by_columns, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f1 : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %u : f32
  } -> tensor<64xf32>
  return %s, %t : tensor<32xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A sum by columns of an argument that a group of rows reads as well joins it, though nothing links them; a difference,
// which has an order, does not.
// CHECK-LABEL: func.func @absorbed
// CHECK: func.call @rows_0(%x, {{.*}}) : (tensor<64x32xf32>, tensor<32xf32>, tensor<64x32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>)
// CHECK: func.call @reduction_0(%x
// CHECK-NOT: func.call
// CHECK: func.func private @rows_0
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK: arith.addf
// CHECK: [[T:%.+]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins({{%.+}}, [[T]] :
// CHECK: arith.subf
// CHECK: func.func private @reduction_0
// CHECK: arith.subf
func.func @absorbed(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<64x32xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f1 : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %r : tensor<64x32xf32>, tensor<64xf32>) outs(%e2 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  %d = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.subf %o, %a : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  return %s, %y, %d : tensor<32xf32>, tensor<64x32xf32>, tensor<32xf32>
}
