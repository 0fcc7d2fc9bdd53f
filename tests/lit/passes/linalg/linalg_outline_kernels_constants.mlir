// RUN: xla-opt %s -p linalg-outline-kernels --split-input-file | filecheck %s

#id = affine_map<(i) -> (i)>

// Two kernels that differ in one constant: it is passed to one kernel, by value as a tensor of rank 0.
// CHECK-LABEL: func.func @scales
// CHECK: [[A:%.+]] = arith.constant dense<2.500000e+00> : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = arith.constant dense<3.500000e+00> : tensor<f32>
// CHECK: [[Y:%.+]] = func.call @elementwise_0(%x, [[A]], %{{.+}}) : (tensor<8xf32>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: [[Z:%.+]] = tensor.collapse_shape [[Y]]
// CHECK: func.call @elementwise_0([[Z]], [[B]], %{{.+}}) : (tensor<8xf32>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: func.func private @elementwise_0([[X:%.+]]: tensor<8xf32>, [[C:%.+]]: tensor<f32>, [[OUT:%.+]]: tensor<8xf32>)
// CHECK: indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]
// CHECK-SAME: ins([[X]], [[C]] : tensor<8xf32>, tensor<f32>) outs([[OUT]] : tensor<8xf32>)
// CHECK-NEXT: ([[E:%.+]]: f32, [[F:%.+]]: f32, %{{.+}}: f32)
// CHECK-NEXT: arith.mulf [[E]], [[F]] : f32
// CHECK-NOT: elementwise_1
func.func @scales(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = arith.constant 2.5 : f32
  %b = arith.constant 3.5 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.mulf %v, %a : f32
    %u = math.powf %t, %t : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  %barrier = tensor.collapse_shape %y [[0]] : tensor<8xf32> into tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%barrier : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.mulf %v, %b : f32
    %u = math.powf %t, %t : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  func.return %z : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// A kernel without its like keeps its constant, and so do kernels that a constant makes simpler.
// CHECK-LABEL: func.func @others
// CHECK: func.call @elementwise_0(%x, %{{.+}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: func.call @elementwise_1(%{{.+}}, %{{.+}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: func.call @elementwise_2(%{{.+}}, %{{.+}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: func.func private @elementwise_0
// CHECK: [[THREE:%.+]] = arith.constant 3.000000e+00
// CHECK: arith.divf {{%.+}}, [[THREE]]
// CHECK: func.func private @elementwise_1
// CHECK: [[FOUR:%.+]] = arith.constant 4.000000e+00
// CHECK: arith.divf {{%.+}}, [[FOUR]]
// CHECK: func.func private @elementwise_2
// CHECK: math.powf
func.func @others(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = arith.constant 3.0 : f32
  %b = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.divf %v, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %first = tensor.collapse_shape %y [[0]] : tensor<8xf32> into tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%first : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.divf %v, %b : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %second = tensor.collapse_shape %z [[0]] : tensor<8xf32> into tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%second : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = math.powf %v, %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  func.return %w : tensor<8xf32>
}
