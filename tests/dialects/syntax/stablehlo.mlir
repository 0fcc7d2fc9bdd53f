func.func @attributes(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %p: tensor<i1>) {
  %c = stablehlo.constant {foo = 1 : i32} dense<2> : tensor<3xi4>
  %0 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-3, rtol = 0.0, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x6xf32>
  %1 = stablehlo.tanh %a {foo = "x", aaa} : tensor<4x6xf32>
  %2 = stablehlo.log %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4x6xf32>
  %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %5 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
  %6 = stablehlo.dot_general %b, %b, contracting_dims = [] x [], precision = [HIGH, HIGHEST] {foo} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6x6xf32>
  %7 = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %8 = stablehlo.dot %a, %b, precision = [HIGH, DEFAULT] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %9 = stablehlo.compare EQ, %a, %a : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %10 = stablehlo.compare NE, %a, %a, TOTALORDER {foo} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %11 = stablehlo.reduce_precision %a, format = e5m10 {foo} : tensor<4x6xf32>
  %12 = stablehlo.einsum %a, %b, config = "ab,b->a" : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %13 = stablehlo.slice %a [0:4:2, 1:3] {foo} : (tensor<4x6xf32>) -> tensor<2x2xf32>
  %14 = stablehlo.slice %a [4:4, 1:3:5] : (tensor<4x6xf32>) -> tensor<0x1xf32>
  %15 = stablehlo.iota dim = 1 {foo} : tensor<4x6xui8>
  %16 = stablehlo.reverse %a, dims = [] : tensor<4x6xf32>
  %17 = stablehlo.transpose %a, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @types(%f: tensor<f32>, %a: tensor<4x6xf32>, %p: tensor<i1>, %q: tensor<4x6xi1>, %z: tensor<2xcomplex<f64>>, %h: tensor<2xbf16>, %e: tensor<2xf8E4M3FN>, %i: tensor<2xi2>, %u: tensor<2xui4>, %d: tensor<?x6xf32>) {
  %0 = stablehlo.clamp %f, %a, %f : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.clamp %a, %a, %a : tensor<4x6xf32>
  %2 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<4x6xf32>
  %3 = stablehlo.select %q, %a, %a : tensor<4x6xi1>, tensor<4x6xf32>
  %4 = stablehlo.select %q, %a, %a : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
  %5 = stablehlo.complex %f, %f : tensor<complex<f32>>
  %6 = stablehlo.complex %d, %d : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<4x6xcomplex<f32>>
  %7 = stablehlo.abs %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %8 = stablehlo.real %z : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %9 = stablehlo.imag %f : tensor<f32>
  %10 = stablehlo.convert %h : (tensor<2xbf16>) -> tensor<2xf8E5M2>
  %11 = stablehlo.convert %e : tensor<2xf8E4M3FN>
  %12 = stablehlo.add %i, %i : tensor<2xi2>
  %13 = stablehlo.multiply %u, %u : tensor<2xui4>
  %14 = stablehlo.add %a, %d : (tensor<4x6xf32>, tensor<?x6xf32>) -> tensor<4x6xf32>
  %15 = stablehlo.exponential %d : (tensor<?x6xf32>) -> tensor<4x6xf32>
  %16 = stablehlo.is_finite %a {foo} : (tensor<4x6xf32>) -> tensor<4x6xi1>
  return
}
func.func @control_flow(%a: tensor<4x6xf32>, %p: tensor<i1>, %i: tensor<i32>, %tok: !stablehlo.token, %tup: tuple<tensor<f32>, tuple<tensor<i32>>>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<4x6xf32>
  }, {
    stablehlo.return %a : tensor<4x6xf32>
  }) {foo} : (tensor<i1>) -> tensor<4x6xf32>
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  %1:2 = "stablehlo.case"(%i) ({
    stablehlo.return %a, %i : tensor<4x6xf32>, tensor<i32>
  }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<i32>)
  %2 = stablehlo.while(%x = %a) : tensor<4x6xf32> attributes {foo} cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : tensor<4x6xf32>
  }
  stablehlo.while() cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  %3:3 = stablehlo.while(%x = %a, %y = %i, %t = %tok) : tensor<4x6xf32>, tensor<i32>, !stablehlo.token cond {
    %z = stablehlo.compare LT, %y, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  } do {
    %w = stablehlo.while(%v = %x) : tensor<4x6xf32> cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %u = stablehlo.add %v, %x : tensor<4x6xf32>
      stablehlo.return %u : tensor<4x6xf32>
    }
    stablehlo.return %w, %y, %t : tensor<4x6xf32>, tensor<i32>, !stablehlo.token
  }
  %4 = stablehlo.get_tuple_element %tup[1] {foo} : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %5 = stablehlo.tuple %a, %tup {foo} : tuple<tensor<4x6xf32>, tuple<tensor<f32>, tuple<tensor<i32>>>>
  %6 = stablehlo.tuple  : tuple<>
  %7:2 = stablehlo.optimization_barrier {foo} %a, %tok : tensor<4x6xf32>, !stablehlo.token
  stablehlo.optimization_barrier()
  %8 = stablehlo.composite "foo.bar" %a {composite_attributes = {x = 1 : i32}, decomposition = @decomposition, version = 3 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %9 = stablehlo.composite "foo.bar" %a {decomposition = @decomposition} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
func.func @reductions(%a: tensor<4x6xf32>, %f: tensor<f32>, %h: tensor<4x6xi32>, %i: tensor<i32>, %j: tensor<5x1xi32>, %r: tensor<5x6xf32>) {
  %0 = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%h init: %i) applies stablehlo.xor across dimensions = [] {foo} : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
  %2:2 = stablehlo.reduce(%a init: %f), (%h init: %i) across dimensions = [1] {foo} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%s: tensor<f32>, %x: tensor<f32>) (%t: tensor<i32>, %y: tensor<i32>) {
    stablehlo.return %x, %t : tensor<f32>, tensor<i32>
  }
  %3 = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%s: tensor<f32>, %x: tensor<f32>) {
    %y = stablehlo.add %x, %s : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }
  %4 = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%s: tensor<f32>, %x: tensor<f32>) {
    %y = stablehlo.subtract %s, %x : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }
  %5 = "stablehlo.reduce_window"(%a, %f) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  %6 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %7:2 = "stablehlo.scatter"(%a, %a, %j, %r, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %z, %w : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  return
}
func.func private @decomposition(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %a : tensor<4x6xf32>
}
