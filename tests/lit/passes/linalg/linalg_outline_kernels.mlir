// RUN: xla-opt %s -p linalg-outline-kernels --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A reduction over rows and its reader share the row loop: one kernel, one destination per escaping result.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: attributes {xrt.entry}
// CHECK: [[E:%.+]] = tensor.empty() : tensor<8x16xf32>
// CHECK-NEXT: [[Y:%.+]] = func.call @rows_0(%x, [[E]]) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: func.return [[Y]]
// CHECK: func.func private @rows_0([[X:%.+]]: tensor<8x16xf32>, [[OUT:%.+]]: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {xrt.kernel, xrt.row_dims = 1 : i64}
// CHECK: [[F:%.+]] = linalg.fill
// CHECK: [[SUM:%.+]] = linalg.generic
// CHECK-SAME: ins([[X]] : tensor<8x16xf32>) outs([[F]] : tensor<8xf32>)
// CHECK: [[R:%.+]] = linalg.generic
// CHECK-SAME: ins([[X]], [[SUM]] : tensor<8x16xf32>, tensor<8xf32>) outs([[OUT]] : tensor<8x16xf32>)
// CHECK: func.return [[R]]
func.func @rows(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<8x16xf32>, tensor<8xf32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>

// A reduction over columns does not share rows with its reader: two kernels.
// CHECK-LABEL: func.func @columns
// CHECK: func.call @reduction_0
// CHECK: func.call @elementwise_0
// CHECK: func.func private @reduction_0
// CHECK: arith.addf
// CHECK-NOT: arith.divf
// CHECK: func.func private @elementwise_0
// CHECK: arith.divf
func.func @columns(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%f : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<8x16xf32>, tensor<16xf32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// Equal kernels share one function; the fill goes with its contraction.
// CHECK-LABEL: func.func @twice
// CHECK: [[P:%.+]] = func.call @contraction_0(%x, %w, %{{.+}})
// CHECK: func.call @contraction_0([[P]], %w, %{{.+}})
// CHECK: func.func private @contraction_0
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: func.func
func.func @twice(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r fastmath<reassoc> : f32
    %t = arith.addf %o, %m fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  %q = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r fastmath<reassoc> : f32
    %t = arith.addf %o, %m fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// An insertion updates its destination: the old tensor is the kernel's last argument. The offset is computed inside.
// CHECK-LABEL: func.func @insert
// CHECK-NEXT: [[U:%.+]] = func.call @update_0(%part, %at, %x) : (tensor<2xf32>, tensor<i64>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: func.return [[U]]
// CHECK: func.func private @update_0([[PART:%.+]]: tensor<2xf32>, [[AT:%.+]]: tensor<i64>, [[X:%.+]]: tensor<8xf32>)
// CHECK-NEXT: [[S:%.+]] = tensor.extract [[AT]][] : tensor<i64>
// CHECK-NEXT: [[I:%.+]] = arith.index_cast [[S]] : i64 to index
// CHECK-NEXT: tensor.insert_slice [[PART]] into [[X]][[[I]]] [2] [1]
func.func @insert(%x: tensor<8xf32>, %part: tensor<2xf32>, %at: tensor<i64>) -> tensor<8xf32> {
  %s = tensor.extract %at[] : tensor<i64>
  %i = arith.index_cast %s : i64 to index
  %u = tensor.insert_slice %part into %x[%i][2][1] : tensor<2xf32> into tensor<8xf32>
  return %u : tensor<8xf32>
}

// -----

// What nobody reads is dropped: without a result the insertion would have no destination but `%x` itself.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: func.return %x
// CHECK-NOT: func.func
func.func @unused(%x: tensor<8xf32>, %part: tensor<2xf32>) -> tensor<8xf32> {
  %u = tensor.insert_slice %part into %x[0][2][1] : tensor<2xf32> into tensor<8xf32>
  return %x : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// Calls of the runtime stay in order, even if the kernel that the first one reads could wait for the second.
// CHECK-LABEL: func.func @effects
// CHECK: [[KERNEL:%.+]] = func.call @elementwise_0(%x
// CHECK: "xrt.call_target"([[KERNEL]]
// CHECK: [[READ:%.+]] = "xrt.call_target"({{.*}}) <{target = "stablehlo.infeed"
// CHECK: func.call @elementwise_1([[KERNEL]], [[READ]]
// CHECK: func.func private @elementwise_0
// CHECK: arith.negf
// CHECK: func.func private @elementwise_1
// CHECK: arith.addf
func.func @effects(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e1 = tensor.empty() : tensor<8xf32>
  %k = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e1 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.negf %a : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  xrt.call_target "stablehlo.outfeed"(%k : tensor<8xf32>) outs() {signature = (tensor<8xf32>) -> (), options = {}}
  %e2 = tensor.empty() : tensor<8xf32>
  %r = xrt.call_target "stablehlo.infeed"() outs(%e2 : tensor<8xf32>) {signature = () -> tensor<8xf32>, options = {}} -> tensor<8xf32>
  %e3 = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%k, %r : tensor<8xf32>, tensor<8xf32>) outs(%e3 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A product that is only inserted into a new tensor is computed there, next to the others.
// CHECK-LABEL: func.func @inserted_products
// CHECK: func.call @update_{{[0-9]+}}(%a, %b, {{%.+}}) : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<3x10xf32>)
// CHECK-NEXT: func.return
// CHECK: func.func private @update_0
// CHECK: [[P:%.+]] = linalg.generic
// CHECK: tensor.insert_slice [[P]] into
// CHECK: [[Q:%.+]] = linalg.generic
// CHECK: tensor.insert_slice [[Q]] into
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @inserted_products(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %p = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %e2 = tensor.empty() : tensor<3x5xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %q = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%f2 : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %m = arith.mulf %y, %x : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %new = tensor.empty() : tensor<3x10xf32>
  %0 = tensor.insert_slice %p into %new[0, 0][3, 5][1, 1] : tensor<3x5xf32> into tensor<3x10xf32>
  %1 = tensor.insert_slice %q into %0[0, 5][3, 5][1, 1] : tensor<3x5xf32> into tensor<3x10xf32>
  func.return %1 : tensor<3x10xf32>
}

// -----

// The index 0 of a dimension of one step is that of the row.
// CHECK-LABEL: @single_matrix
// CHECK: func.call @rows_0
// CHECK-NEXT: return
// CHECK: func.func private @rows_0({{.*}} attributes {xrt.kernel, xrt.row_dims = 2 : i64}
// CHECK: arith.addf
// CHECK: arith.divf
func.func @single_matrix(%x: tensor<1x16x32xf32>) -> tensor<1x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16xf32>) -> tensor<1x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x16x32xf32>) outs(%start : tensor<1x16xf32>) {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %acc, %e fastmath<reassoc> : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  %out = tensor.empty() : tensor<1x16x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (0, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sum : tensor<1x16x32xf32>, tensor<1x16xf32>) outs(%out : tensor<1x16x32xf32>) {
  ^bb0(%e: f32, %t: f32, %old: f32):
    %d = arith.divf %e, %t : f32
    linalg.yield %d : f32
  } -> tensor<1x16x32xf32>
  return %y : tensor<1x16x32xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(j) -> (j)>
#column = affine_map<(i, j) -> (j)>

// What is inserted is computed in the place where it is inserted, also from a table that the block computes.
// CHECK-LABEL: func.func @with_table
// CHECK: [[T:%.+]] = func.call @elementwise_0(%t
// CHECK: func.call @update_0(%x, [[T]], {{.*}}) : (tensor<8x4xf32>, tensor<4xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NOT: func.call
// CHECK: func.func private @elementwise_0
// CHECK: math.cos
// CHECK: func.func private @update_0
// CHECK: tensor.insert_slice
// CHECK: [[R:%.+]] = linalg.generic
// CHECK: arith.mulf
// CHECK: tensor.insert_slice [[R]] into
func.func @with_table(%x: tensor<8x4xf32>, %t: tensor<4xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.cos %a : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %c : tensor<8x4xf32>, tensor<4xf32>) outs(%e1 : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %new = tensor.empty() : tensor<8x8xf32>
  %0 = tensor.insert_slice %x into %new[0, 0][8, 4][1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  %1 = tensor.insert_slice %y into %0[0, 4][8, 4][1, 1] : tensor<8x4xf32> into tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
