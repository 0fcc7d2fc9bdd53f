// RUN: xla-opt %s -p stablehlo-refine-shapes --split-input-file | filecheck %s

// CHECK-LABEL: func.func @shape_arithmetic
// CHECK-SAME:    ([[X:%.+]]: tensor<3x4xf32>) -> tensor<12xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[X]] : (tensor<3x4xf32>) -> tensor<12xf32>
// CHECK-NEXT:    func.return [[A]] : tensor<12xf32>
func.func @shape_arithmetic(%x: tensor<3x4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x4xf32>) -> tensor<i32>
  %2 = stablehlo.multiply %0, %1 : tensor<i32>
  %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.dynamic_reshape %x, %3 : (tensor<3x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// The static form of each op.

// CHECK-LABEL: func.func @broadcast_in_dim
// CHECK-NEXT:    stablehlo.broadcast_in_dim %{{.+}}, dims = [1] : (tensor<2xf32>) -> tensor<5x2xf32>
func.func @broadcast_in_dim(%x: tensor<2xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[5, 2]> : tensor<2xi64>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %0, dims = [1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// A shape that is not known is checked when the program runs.

// CHECK-LABEL: func.func @static_result
// CHECK-SAME:    ([[X:%.+]]: tensor<f32>, [[S:%.+]]: tensor<1xi32>)
// CHECK:         [[N:%.+]] = stablehlo.reshape %{{.+}} : (tensor<1xi64>) -> tensor<i64>
// CHECK:         [[FITS:%.+]] = stablehlo.compare EQ, [[N]], %{{.+}}, SIGNED
// CHECK-NEXT:    "stablehlo.if"([[FITS]]) ({
// CHECK-NEXT:      stablehlo.return
// CHECK-NEXT:    }, {
// CHECK-NEXT:      [[V:%.+]] = stablehlo.reshape [[N]] : (tensor<i64>) -> tensor<1xi64>
// CHECK-NEXT:      stablehlo.custom_call @shape_violation([[V]])
// CHECK-SAME:      rule = "result 0 has shape {0:x}, its type is tensor<5xf32>"
// CHECK:         stablehlo.broadcast_in_dim [[X]], dims = [] : (tensor<f32>) -> tensor<5xf32>
func.func @static_result(%x: tensor<f32>, %s: tensor<1xi32>) -> tensor<5xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @iota
// CHECK-NEXT:    stablehlo.iota dim = 1 : tensor<2x3xf32>
func.func @iota() -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 1 : (tensor<2xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK-NEXT:    stablehlo.pad %{{.+}}, %{{.+}}, low = [-1, 0], high = [2, 3], interior = [0, 1]
// CHECK-SAME:    : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x8xf32>
func.func @pad(%x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<?x?xf32> {
  %0 = stablehlo.constant dense<[-1, 0]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %3 = stablehlo.dynamic_pad %x, %y, %0, %1, %2 : (tensor<2x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK-NEXT:    "stablehlo.gather"(%{{.+}}, %{{.+}}) <{
// CHECK-SAME:    slice_sizes = array<i64: 1, 4>
// CHECK-SAME:    : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
func.func @gather(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>) -> tensor<2x?xf32> {
  %0 = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %1 = "stablehlo.dynamic_gather"(%x, %i, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  return %1 : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @convolution
// CHECK-NEXT:    stablehlo.convolution(%{{.+}}, %{{.+}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK-SAME:    pad = {{\[\[}}1, 2], [0, 0]]
// CHECK-SAME:    -> tensor<1x5x2x3xf32>
func.func @convolution(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<1x?x?x3xf32> {
  %0 = stablehlo.constant dense<[[1, 2], [0, 0]]> : tensor<2x2xi32>
  %1 = "stablehlo.dynamic_conv"(%x, %w, %0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>, tensor<2x2xi32>) -> tensor<1x?x?x3xf32>
  return %1 : tensor<1x?x?x3xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-NEXT:    stablehlo.slice %{{.+}} [1:7:2] : (tensor<8xf32>) -> tensor<3xf32>
func.func @slice(%x: tensor<8xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<1> : tensor<1xi32>
  %1 = stablehlo.constant dense<7> : tensor<1xi32>
  %2 = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = stablehlo.real_dynamic_slice %x, %0, %1, %2 : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// A start that depends on data, a size that does not.

// CHECK-LABEL: func.func @slice_at
// CHECK-SAME:    ([[X:%.+]]: tensor<8xf32>, [[I:%.+]]: tensor<1xi32>)
// CHECK:         [[A:%.+]] = stablehlo.slice [[I]] [0:1] : (tensor<1xi32>) -> tensor<1xi32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reshape [[A]] : (tensor<1xi32>) -> tensor<i32>
// CHECK-NEXT:    stablehlo.dynamic_slice [[X]], [[B]], sizes = [3] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
func.func @slice_at(%x: tensor<8xf32>, %i: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<3> : tensor<1xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = stablehlo.add %i, %0 : tensor<1xi32>
  %3 = stablehlo.real_dynamic_slice %x, %i, %2, %1 : (tensor<8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// CHECK-LABEL: func.func @set_dimension_size
// CHECK-SAME:    -> (tensor<2x4xf32>, tensor<i32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.slice %{{.+}} [0:2, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @set_dimension_size(%x: tensor<3x4xf32>) -> (tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<i32>) {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.set_dimension_size %x, %0, dim = 0 : (tensor<3x4xf32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  return %1, %2 : tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<i32>
}

// CHECK-LABEL: func.func @rng
// CHECK:         stablehlo.rng {{.*}} -> tensor<2x3xf32>
func.func @rng(%a: tensor<f32>) -> tensor<?x3xf32> {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %1 = stablehlo.rng %a, %a, %0, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// -----

// Result types by the inference of the dialect.

// CHECK-LABEL: func.func @inference
// CHECK-SAME:    ([[X:%.+]]: tensor<3x4xf32>, [[Z:%.+]]: tensor<f32>)
// CHECK-SAME:    -> (tensor<3x3xf32>, tensor<3xf32>, tensor<6x4xf32>, tensor<3x4xi1>, tensor<3x3x2xf32>, tensor<2x2xf32>)
// CHECK-NEXT:    stablehlo.reshape {{.*}} -> tensor<3x4xf32>
// CHECK-NEXT:    stablehlo.transpose {{.*}} -> tensor<4x3xf32>
// CHECK-NEXT:    stablehlo.dot_general {{.*}} -> tensor<3x3xf32>
// CHECK-NEXT:    stablehlo.reduce{{.*}} -> tensor<3xf32>
// CHECK-NEXT:    stablehlo.concatenate {{.*}} -> tensor<6x4xf32>
// CHECK-NEXT:    stablehlo.compare {{.*}} -> tensor<3x4xi1>
// CHECK-NEXT:    stablehlo.reshape {{.*}} -> tensor<3x2x2xf32>
// CHECK-NEXT:    stablehlo.pad {{.*}} -> tensor<3x3x2xf32>
// CHECK-NEXT:    "stablehlo.reduce_window"
// CHECK:         -> tensor<2x2xf32>
func.func @inference(%x: tensor<3x4xf32>, %z: tensor<f32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x?xi1>, tensor<?x?x2xf32>, tensor<?x?xf32>) {
  %n = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %4 = stablehlo.concatenate %0, %x, dim = 0 : (tensor<?x?xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
  %5 = stablehlo.compare LT, %0, %0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
  %6 = stablehlo.reshape %0 : (tensor<?x?xf32>) -> tensor<?x2x2xf32>
  %7 = stablehlo.pad %6, %z, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<?x2x2xf32>, tensor<f32>) -> tensor<?x?x2xf32>
  %8 = "stablehlo.reduce_window"(%0, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %2, %3, %4, %5, %7, %8 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x4xf32>, tensor<?x?xi1>, tensor<?x?x2xf32>, tensor<?x?xf32>
}

// -----

// Functions per call: the size is an argument, so both calls need a copy; the third call is like the first.

// CHECK-LABEL: func.func public @main
// CHECK:         func.call @zeros([[N:%.+]]) : (tensor<i32>) -> tensor<3xf32>
// CHECK:         func.call @zeros_1(%{{.+}}) : (tensor<i32>) -> tensor<5xf32>
// CHECK:         func.call @zeros([[N]]) : (tensor<i32>) -> tensor<3xf32>
// CHECK-LABEL: func.func private @zeros(
// CHECK:         -> tensor<3xf32>
// CHECK-LABEL: func.func private @zeros_1(
// CHECK:         -> tensor<5xf32>
func.func public @main() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  %1 = stablehlo.constant dense<5> : tensor<i32>
  %2 = call @zeros(%0) : (tensor<i32>) -> tensor<?xf32>
  %3 = call @zeros(%1) : (tensor<i32>) -> tensor<?xf32>
  %4 = call @zeros(%0) : (tensor<i32>) -> tensor<?xf32>
  return %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func private @zeros(%n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
func.func private @unused(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// A static function that computes a size is evaluated; a composite is a call.

// CHECK-LABEL: func.func public @main
// CHECK-NEXT:    [[A:%.+]] = stablehlo.iota dim = 0 : tensor<4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.composite "test.negate" [[A]] {decomposition = @negate} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return [[B]]
// CHECK:         func.func private @half
// CHECK:         func.func private @negate(%{{.+}}: tensor<4xf32>) -> tensor<4xf32>
func.func public @main(%x: tensor<8xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<8xf32>) -> tensor<i32>
  %1 = call @half(%0) : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %3 = stablehlo.composite "test.negate" %2 {decomposition = @negate} : (tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
func.func private @half(%n: tensor<i32>) -> tensor<1xi32> {
  %0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.divide %n, %0 : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  return %2 : tensor<1xi32>
}
func.func private @negate(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Control flow: a size that the loop hands on is a constant in it.

// CHECK-LABEL: func.func @control_flow
// CHECK:         stablehlo.while{{.*}} : tensor<3xf32>, tensor<1xi32>
// CHECK:         do {
// CHECK-NEXT:      [[I:%.+]] = stablehlo.iota dim = 0 : tensor<3xf32>
// CHECK-NEXT:      stablehlo.add %{{.+}}, [[I]] : tensor<3xf32>
// CHECK:         "stablehlo.if"
// CHECK:         -> tensor<6xf32>
func.func @control_flow(%x: tensor<3xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_reshape %x, %1 : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %3:2 = stablehlo.while(%a = %2, %n = %1) : tensor<?xf32>, tensor<1xi32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %4 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.add %a, %4 : tensor<?xf32>
    stablehlo.return %5, %n : tensor<?xf32>, tensor<1xi32>
  }
  %6 = "stablehlo.if"(%p) ({
    %7 = stablehlo.concatenate %3#0, %3#0, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %7 : tensor<?xf32>
  }, {
    %7 = stablehlo.add %3#1, %3#1 : tensor<1xi32>
    %8 = stablehlo.dynamic_iota %7, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %8 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %6 : tensor<?xf32>
}

// -----

// What JAX writes as custom calls.

// CHECK-LABEL: func.func public @main
// CHECK-NEXT:    chlo.top_k(%{{.+}}, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
// CHECK-NEXT:    "stablehlo.reduce_window"(%{{.+}}, %{{.+}}) <{
// CHECK-SAME:    window_dimensions = array<i64: 2, 1>
// CHECK-SAME:    padding = dense<{{\[\[}}1, 0], [0, 0]]> : tensor<2x2xi64>
// CHECK:           stablehlo.add
// CHECK:         }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT:    stablehlo.custom_call @foo(%{{.+}}) : (tensor<4x6xf32>) -> tensor<6xf32>
// CHECK-NEXT:    stablehlo.rng_bit_generator %{{.+}}, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
// CHECK:         stablehlo.custom_call @ApproxTopK(%{{.+}}, %{{.+}}) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x6xf32>
// CHECK-NOT:     shape_assertion
// CHECK-NOT:     operand_wrapper
func.func public @main(%x: tensor<4x6xf32>, %z: tensor<f32>, %s: tensor<2xui64>) -> (tensor<4x?xf32>, tensor<?x6xf32>, tensor<?xf32>, tensor<?xui32>) {
  %k = stablehlo.constant dense<2> : tensor<i32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %window = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %padding = stablehlo.constant dense<[[1, 0], [0, 0]]> : tensor<2x2xi32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  %is_six = stablehlo.compare EQ, %six, %six : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
  stablehlo.custom_call @shape_assertion(%is_six) {has_side_effect = true} : (tensor<1xi1>) -> ()
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<4x6xf32>, tensor<i32>) -> (tensor<4x?xf32>, tensor<4x?xi32>)
  %1 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %window, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x6xf32>
  %2 = stablehlo.custom_call @foo(%x, %six) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<?xf32>
  %3 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%2, %six) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %4:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %six) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %shape = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %5 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %z, %k, %shape) {called_computations = [@greater], indices_of_shape_operands = dense<3> : tensor<1xi64>, mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<4x6xf32>, tensor<f32>, tensor<i32>, tensor<2xi32>) -> tensor<?x6xf32>
  return %0#0, %1, %3, %4#1 : tensor<4x?xf32>, tensor<?x6xf32>, tensor<?xf32>, tensor<?xui32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A static program stays as it is.

// CHECK-LABEL: func.func @static
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.add [[A]], [[A]] : tensor<i32>
// CHECK-NEXT:    func.return [[B]]
func.func @static() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  %1 = stablehlo.add %0, %0 : tensor<i32>
  return %1 : tensor<i32>
}

// -----

// What callers know of the results becomes as static as they are.
// CHECK-LABEL: func.func @interface
// CHECK-SAME: -> tensor<8xf32> attributes {xrt.interface = {type = (tensor<4xf32>) -> tensor<8xf32>, arguments = ["x"], results = ["y"]}}
func.func @interface(%x: tensor<4xf32>) -> tensor<?xf32> attributes {
    xrt.interface = {type = (tensor<4xf32>) -> tensor<?xf32>, arguments = ["x"], results = ["y"]}} {
  %wide = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %wide, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %flat = stablehlo.constant dense<[8]> : tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %0, %flat : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  func.return %1 : tensor<?xf32>
}
