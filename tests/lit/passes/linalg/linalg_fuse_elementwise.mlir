// RUN: xla-opt %s -p linalg-fuse-elementwise --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>

// A broadcast moves into its reader as an indexing map.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: [[E:%.+]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: [[Y:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>)
// CHECK-NEXT: ^bb0([[A:%.+]]: f32, [[B:%.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: [[S:%.+]] = arith.addf [[A]], [[B]] : f32
// CHECK-NEXT: linalg.yield [[S]] : f32
// CHECK: func.return [[Y]]
func.func @broadcast(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// A reshape that adds a dimension of size 1 is an indexing map as well; a slice becomes an offset, read by a reduction.
// CHECK-LABEL: func.func @reshape_of_one_and_slice
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ((d1 + 2))>
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
func.func @reshape_of_one_and_slice(%x: tensor<8xf32>, %init: tensor<1xf32>) -> tensor<1xf32> {
  %x1 = tensor.expand_shape %x [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j + 2)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x1 : tensor<1x8xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<1x4xf32>) outs(%init : tensor<1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Two readers: cheap arithmetic is computed in both, an exponential is computed once.
// CHECK-LABEL: func.func @two_readers
// CHECK: arith.negf
// CHECK: math.exp
// CHECK: arith.negf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: math.exp
func.func @two_readers(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%n : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %n : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %q, %r : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Loop numbers of a producer are rewritten for the reader: a transposed iota counts the other dimension.
// CHECK-LABEL: func.func @index
// CHECK: linalg.generic
// CHECK: [[I:%.+]] = linalg.index 1 : index
// CHECK-NEXT: arith.index_cast [[I]] : index to i32
// CHECK-NOT: linalg.generic
func.func @index(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %e0 = tensor.empty() : tensor<8x4xi32>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e0 : tensor<8x4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    linalg.yield %c : i32
  } -> tensor<8x4xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%iota, %x : tensor<8x4xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %t = arith.addi %a, %b : i32
    linalg.yield %t : i32
  } -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// -----

#id = affine_map<(i) -> (i)>

// A value that something other than a generic reads stays.
// CHECK-LABEL: func.func @returned
// CHECK: arith.negf
// CHECK: linalg.yield
// CHECK: arith.addf
// CHECK: linalg.yield
func.func @returned(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%n, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %n, %p : tensor<8xf32>, tensor<8xf32>
}

// -----

// A scaled row that a broadcast reads is no traffic: the difference is computed in both of its readers.

// CHECK-LABEL: func.func @centred
// CHECK-SAME:    ([[X:%.+]]: tensor<64x8xf32>, [[S:%.+]]: tensor<8xf32>)
// CHECK:         linalg.generic {{.*}} ins([[X]], [[S]] :
// CHECK:         linalg.generic {{.*}} ins([[X]], [[S]] :
// CHECK-NOT:     linalg.generic
func.func @centred(%x: tensor<64x8xf32>, %s: tensor<8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %row = tensor.empty() : tensor<8xf32>
  %full = tensor.empty() : tensor<64x8xf32>
  %half = arith.constant 0.5 : f32
  %mean = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
    ins(%s : tensor<8xf32>) outs(%row : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %half : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %difference = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                                iterator_types = ["parallel", "parallel"]}
    ins(%x, %mean : tensor<64x8xf32>, tensor<8xf32>) outs(%full : tensor<64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<64x8xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                            iterator_types = ["parallel", "parallel"]}
    ins(%difference : tensor<64x8xf32>) outs(%full : tensor<64x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.mulf %a, %a : f32
    linalg.yield %c : f32
  } -> tensor<64x8xf32>
  %sine = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                          iterator_types = ["parallel", "parallel"]}
    ins(%difference : tensor<64x8xf32>) outs(%full : tensor<64x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = math.sin %a : f32
    linalg.yield %c : f32
  } -> tensor<64x8xf32>
  return %square, %sine : tensor<64x8xf32>, tensor<64x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Every row twice: the tensor that repeats them is not stored, nor where its dimensions are joined.
// CHECK-LABEL: func.func @repeat
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ((d0 floordiv 2), d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME: ins(%x, %y : tensor<4x8xf32>, tensor<8x8xf32>)
func.func @repeat(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e3 = tensor.empty() : tensor<4x2x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, k, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e3 : tensor<4x2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A loop that reads what is repeated and joined keeps it stored.
// CHECK-LABEL: func.func @repeat_for_a_loop
// CHECK:         tensor.collapse_shape
// CHECK:         scf.for
func.func @repeat_for_a_loop(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>, %from: index, %to: index, %step: index) -> tensor<8x8xf32> {
  %e3 = tensor.empty() : tensor<4x2x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (i, k, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e3 : tensor<4x2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %2 = scf.for %i = %from to %to step %step iter_args(%z = %y) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    scf.yield %3 : tensor<8x8xf32>
  }
  return %2 : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Joined dimensions of a transposed tensor stay a view.
// CHECK-LABEL: func.func @transposed
// CHECK: tensor.collapse_shape
func.func @transposed(%x: tensor<8x4x2xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e3 = tensor.empty() : tensor<4x2x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k, j) -> (j, i, k)>, affine_map<(i, k, j) -> (i, k, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x4x2xf32>) outs(%e3 : tensor<4x2x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x2x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// Two readers of different parts compute no element twice, whatever it costs.

#id = affine_map<(d0) -> (d0)>

func.func @halves(%x: tensor<64xf32>) -> tensor<32xf32> {
  %empty = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %s = math.sin %e : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %half = tensor.empty() : tensor<32xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 mod 32)>, affine_map<(d0) -> (d0 + 32)>, #id], iterator_types = ["parallel"]} ins(%y, %y : tensor<64xf32>, tensor<64xf32>) outs(%half : tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %z : tensor<32xf32>
}

// CHECK-LABEL: func.func @halves
// CHECK-COUNT-1: linalg.generic
// CHECK:         math.exp
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK-NOT:     linalg.generic
