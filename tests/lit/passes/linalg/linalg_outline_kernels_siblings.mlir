// RUN: xla-opt %s -p linalg-outline-kernels --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Two reductions over the rows of one tensor, neither of which reads the other, are one kernel.
// CHECK-LABEL: func.func @rows
// CHECK: [[S:%.+]], [[M:%.+]] = func.call @rows_0(%x, {{.*}}) : (tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
// CHECK-NEXT: func.return [[S]], [[M]]
// CHECK: func.func private @rows_0({{.*}}) -> (tensor<64xf32>, tensor<64xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64}
// CHECK: arith.addf
// CHECK: arith.maximumf
func.func @rows(%x: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s, %m : tensor<64xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#other = affine_map<(i, j) -> (j, i)>
#column = affine_map<(i, j) -> (j)>
#first = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> ()>

// So are those over columns, though one counts its loops the other way round, and those of all elements. Sums over
// columns and sums over all are two passes.
// CHECK-LABEL: func.func @columns
// CHECK: [[S:%.+]], [[M:%.+]] = func.call @rows_0(%x
// CHECK: [[SUM:%.+]], [[MAX:%.+]] = func.call @rows_1(%x
// CHECK: func.return [[S]], [[SUM]], [[M]], [[MAX]]
// CHECK: func.func private @rows_0({{.*}} attributes {xrt.kernel, xrt.row_dims = 1 : i64}
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: func.func private @rows_1({{.*}} attributes {xrt.kernel, xrt.row_dims = 0 : i64}
// CHECK: arith.addf
// CHECK: arith.maximumf
func.func @columns(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<f32>, tensor<32xf32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %sum = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %m = linalg.generic {indexing_maps = [#other, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %max = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x32xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.maximumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s, %sum, %m, %max : tensor<32xf32>, tensor<f32>, tensor<32xf32>, tensor<f32>
}

// -----

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// What needs the result of the first through something outside the kernel is a pass of its own; so are small tensors.
// CHECK-LABEL: func.func @depends
// CHECK: [[S:%.+]] = func.call @reduction_0(%x
// CHECK: [[C:%.+]] = "xrt.call_target"
// CHECK: func.call @reduction_1(%x, [[C]]
// CHECK: func.call @reduction_2(%y
// CHECK: func.call @reduction_3(%y
// CHECK: func.func private @reduction_0
// CHECK: arith.addf
// CHECK-NOT: arith.maximumf
// CHECK: func.func private @reduction_1
// CHECK: arith.mulf
// CHECK: arith.maximumf
// CHECK: func.func private @reduction_2
// CHECK: arith.addf
// CHECK-NOT: arith.minimumf
// CHECK: func.func private @reduction_3
// CHECK: arith.minimumf
func.func @depends(%x: tensor<512xf32>, %y: tensor<64xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%x : tensor<512xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %e1 = tensor.empty() : tensor<f32>
  %c = xrt.call_target "scale"(%s : tensor<f32>) outs(%e1 : tensor<f32>) {signature = (tensor<f32>) -> tensor<f32>, options = {}} -> tensor<f32>
  %m = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]} ins(%x, %c : tensor<512xf32>, tensor<f32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.mulf %a, %b : f32
    %t = arith.maximumf %d, %o : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %small = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%y : tensor<64xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %smallest = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%y : tensor<64xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.minimumf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s, %m, %small, %smallest : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// An elementwise op and a reduction share a pass over a large tensor only; so do elementwise ops.
// CHECK-LABEL: func.func @elementwise
// CHECK: func.call @rows_0(%x
// CHECK: func.call @elementwise_0(%y
// CHECK: func.call @reduction_0(%y
// CHECK: func.func private @rows_0
// CHECK: arith.negf
// CHECK: arith.addf
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: func.func private @elementwise_0
// CHECK: arith.negf
// CHECK-NOT: arith.addf
// CHECK: func.func private @reduction_0
// CHECK: arith.addf
func.func @elementwise(%x: tensor<512x512xf32>, %y: tensor<32x32xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<32x32xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<512x512xf32>
  %e1 = tensor.empty() : tensor<512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x512xf32>) outs(%f1 : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  %e2 = tensor.empty() : tensor<32x32xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<32x32xf32>) outs(%e2 : tensor<32x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  %e3 = tensor.empty() : tensor<32xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<32x32xf32>) outs(%f3 : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  return %n, %d, %s, %m, %r : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512xf32>, tensor<32x32xf32>, tensor<32xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// What reads the results of two kernels that it could join makes them one: a step of an optimizer.
// CHECK-LABEL: func.func @merged
// CHECK: {{%.+}}, {{%.+}}, {{%.+}} = func.call @elementwise_0(
// CHECK-NEXT: func.return
// CHECK: func.func private @elementwise_0
// CHECK: [[V:%.+]] = linalg.generic
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: [[M:%.+]] = linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins({{%.+}}, [[M]], [[V]] :
// CHECK: arith.divf
// CHECK: arith.subf
func.func @merged(%p: tensor<64xf32>, %m: tensor<64xf32>, %v: tensor<64xf32>, %g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %m1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %g : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %v1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%v, %g : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %b, %b : f32
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %p1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%p, %m1, %v1 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %d = arith.divf %b, %c : f32
    %t = arith.subf %a, %d : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %p1, %m1, %v1 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#reversed = affine_map<(i) -> (63 - i)>

// Not if one needs the other, as another element or through something outside.
// CHECK-LABEL: func.func @not_merged
// CHECK: func.call @elementwise_0(%g
// CHECK: func.call @elementwise_1(
// CHECK: func.return
// CHECK: func.func private @elementwise_0
// CHECK: math.exp
// CHECK-NOT: arith.subf
// CHECK: func.func private @elementwise_1
// CHECK: affine_map<(d0) -> (((d0 * -1) + 63))>
// CHECK: math.exp
// CHECK: arith.subf
func.func @not_merged(%g: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%g : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %v = linalg.generic {indexing_maps = [#reversed, #id], iterator_types = ["parallel"]} ins(%m : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %v : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.subf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %p, %v : tensor<64xf32>, tensor<64xf32>
}
