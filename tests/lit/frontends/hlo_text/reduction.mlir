// RUN: xla-opt %s -t hlo | filecheck %s

// CHECK: %[[SUM:region.*]] ([[A:.+]]: f32[], [[B:.+]]: f32[]) -> f32[] {
// CHECK-NEXT: %[[A]] = f32[] parameter(0)
// CHECK-NEXT: %[[B]] = f32[] parameter(1)
// CHECK-NEXT: ROOT %{{.+}} = f32[] add(%[[A]], %[[B]])
// CHECK-NEXT: }
// A constant from outside is written again inside.
// CHECK: %[[PAIR:region.*]] (a: f32[], b: s32[], c: f32[], d: s32[]) -> (f32[], s32[]) {
// CHECK: %limit = f32[] constant(1.0)
// CHECK: ROOT %{{.+}} = (f32[], s32[]) tuple(
// CHECK: ENTRY
module @reductions {
  func.func @main(%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %n: tensor<3x1xi32>, %k: tensor<2xui64>) -> (tensor<4xf32>, tensor<6xi32>) {
    // CHECK: %z = f32[] constant(0.0)
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.constant dense<-1> : tensor<i32>
    %limit = stablehlo.constant dense<1.0> : tensor<f32>
    // CHECK: %r = f32[4] reduce(%x, %z), dimensions={1}, to_apply=%[[SUM]]
    %r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    // CHECK: %[[T:.+]] = (f32[6], s32[6]) reduce(%x, %i, %z, %m), dimensions={0}, to_apply=%[[PAIR]]
    // CHECK-NEXT: %s = f32[6] get-tuple-element(%[[T]]), index=0
    // CHECK-NEXT: %[[S:.+]] = s32[6] get-tuple-element(%[[T]]), index=1
    %s:2 = "stablehlo.reduce"(%x, %i, %z, %m) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %0 = stablehlo.maximum %a, %limit : tensor<f32>
      stablehlo.return %0, %d : tensor<f32>, tensor<i32>
    }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
    // CHECK: = f32[2,4] reduce-window(%x, %z), window={size=2x3 stride=2x1 rhs_dilate=1x2 pad=0_0x1_1}, to_apply=
    %w = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x4xf32>
    // CHECK: = f32[4,6] sort(%x), dimensions={1}, is_stable=true, to_apply=
    %o = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: %g = f32[3,6] gather(%x, %n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}
    %g = "stablehlo.gather"(%x, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
    // CHECK: = f32[4,6] scatter(%x, %n, %g), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=
    %u = "stablehlo.scatter"(%x, %n, %g) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<4x6xf32>
    // CHECK: = (f32[4,2], s32[4,2]) topk(%x), k=2, largest=true
    %t:2 = chlo.top_k(%x, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    // CHECK: = (u64[2], u32[8]) rng-bit-generator(%k), algorithm=rng_three_fry
    %q:2 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
    // CHECK: ROOT %{{.+}} = (f32[4], s32[6]) tuple(%r, %[[S]])
    return %r, %s#1 : tensor<4xf32>, tensor<6xi32>
  }
}
