// RUN: xla-opt %s -p chlo-legalize-to-stablehlo | filecheck %s

// CHECK-LABEL: func.func @square
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[X:%.+]], [[X]] : tensor<4xi32>
// CHECK-NEXT:    func.return [[A]]
func.func @square(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = chlo.square %x : tensor<4xi32> -> tensor<4xi32>
  func.return %0 : tensor<4xi32>
}

// One exponential and one division; both halves are computed and one is selected.

// CHECK-LABEL: func.func @erfc
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK:         stablehlo.divide
// CHECK-NOT:     stablehlo.divide
// CHECK:         stablehlo.exponential
// CHECK-NOT:     stablehlo.exponential
// CHECK:         [[N:%.+]] = stablehlo.compare LT, [[X]]
// CHECK:         [[R:%.+]] = stablehlo.select [[N]]
// CHECK-NEXT:    func.return [[R]] : tensor<4xf32>
func.func @erfc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Small floats are computed in f32.

// CHECK-LABEL: func.func @small_floats
// CHECK-NEXT:    stablehlo.convert {{%.+}} : (tensor<bf16>) -> tensor<f32>
// CHECK:         [[R:%.+]] = stablehlo.convert {{%.+}} : (tensor<f32>) -> tensor<bf16>
// CHECK-NEXT:    func.return [[R]]
func.func @small_floats(%x: tensor<bf16>) -> tensor<bf16> {
  %0 = chlo.erf %x : tensor<bf16> -> tensor<bf16>
  func.return %0 : tensor<bf16>
}

// CHECK-LABEL: func.func @is_inf
// CHECK-SAME:  ([[X:%.+]]: tensor<f16>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.abs [[X]]
// CHECK-NEXT:    [[I:%.+]] = stablehlo.constant dense<0x7{{[cC]}}00> : tensor<f16>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.compare EQ, [[A]], [[I]], FLOAT
// CHECK-NEXT:    func.return [[R]]
func.func @is_inf(%x: tensor<f16>) -> tensor<i1> {
  %0 = chlo.is_inf %x : tensor<f16> -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:  ([[X:%.+]]: tensor<8x4xf32>, [[Y:%.+]]: tensor<4xf32>, [[Z:%.+]]: tensor<8xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.broadcast_in_dim [[Y]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.add [[X]], [[A]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.broadcast_in_dim [[Z]], dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.compare LT, [[B]], [[C]], FLOAT
// CHECK-NEXT:    func.return [[D]]
func.func @broadcast(%x: tensor<8x4xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>) -> tensor<8x4xi1> {
  %0 = chlo.broadcast_add %x, %y : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  %1 = "chlo.broadcast_compare"(%0, %z) <{broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type FLOAT>}> : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<8x4xi1>
  func.return %1 : tensor<8x4xi1>
}

// CHECK-LABEL: func.func @constant
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    func.return [[A]]
func.func @constant() -> tensor<2xi32> {
  %0 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: func.func @constant_like
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<2.500000e+00> : tensor<3x4xf32>
// CHECK-NEXT:    func.return [[A]]
func.func @constant_like(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @top_k
// CHECK-SAME:  ([[X:%.+]]: tensor<6x20xf32>)
// CHECK-NEXT:    [[I:%.+]] = stablehlo.iota dim = 1 : tensor<6x20xi32>
// CHECK-NEXT:    {{%.+}} = "stablehlo.sort"([[X]], [[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK:           stablehlo.compare GT, {{%.+}}, {{%.+}}, TOTALORDER
// CHECK:         stablehlo.slice {{%.+}} [0:6, 0:5] : (tensor<6x20xf32>) -> tensor<6x5xf32>
// CHECK-NEXT:    stablehlo.slice {{%.+}} [0:6, 0:5] : (tensor<6x20xi32>) -> tensor<6x5xi32>
func.func @top_k(%x: tensor<6x20xf32>) -> (tensor<6x5xf32>, tensor<6x5xi32>) {
  %0, %1 = chlo.top_k(%x, k = 5) : tensor<6x20xf32> -> (tensor<6x5xf32>, tensor<6x5xi32>)
  func.return %0, %1 : tensor<6x5xf32>, tensor<6x5xi32>
}

// Complex functions work on the parts in double precision and round them once.

// CHECK-LABEL: func.func @complex_asin
// CHECK-SAME:  ([[Z:%.+]]: tensor<4xcomplex<f32>>)
// CHECK:         [[X:%.+]] = stablehlo.real [[Z]] : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
// CHECK:         [[WIDE:%.+]] = stablehlo.convert [[X]] : (tensor<4xf32>) -> tensor<4xf64>
// CHECK:         stablehlo.log_plus_one {{%.+}} : tensor<4xf64>
// CHECK-NOT:     stablehlo.log_plus_one
// CHECK:         [[A:%.+]] = stablehlo.atan2 [[WIDE]], {{%.+}} : tensor<4xf64>
// CHECK:         [[RE:%.+]] = stablehlo.convert [[A]] : (tensor<4xf64>) -> tensor<4xf32>
// CHECK:         [[IM:%.+]] = stablehlo.convert {{%.+}} : (tensor<4xf64>) -> tensor<4xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.complex [[RE]], [[IM]] : tensor<4xcomplex<f32>>
// CHECK-NEXT:    func.return [[R]]
func.func @complex_asin(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.asin %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  func.return %0 : tensor<4xcomplex<f32>>
}

// The real part of acosh and the angle of acos are what the other functions are turned from.

// CHECK-LABEL: func.func @complex_acosh
// CHECK:         stablehlo.atan2
// CHECK:         [[IM:%.+]] = stablehlo.bitcast_convert {{%.+}} : (tensor<i64>) -> tensor<f64>
// CHECK-NEXT:    stablehlo.complex {{%.+}}, [[IM]] : tensor<complex<f64>>
func.func @complex_acosh(%z: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = chlo.acosh %z : tensor<complex<f64>> -> tensor<complex<f64>>
  func.return %0 : tensor<complex<f64>>
}

// CHECK-LABEL: func.func @complex_acos
// CHECK:         stablehlo.atan2
// CHECK-LABEL: func.func @complex_asinh
// CHECK:         stablehlo.atan2
// CHECK-LABEL: func.func @kernel
// CHECK-NOT:     stablehlo.atan2
func.func @complex_acos(%z: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = chlo.acos %z : tensor<complex<f64>> -> tensor<complex<f64>>
  func.return %0 : tensor<complex<f64>>
}
func.func @complex_asinh(%z: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = chlo.asinh %z : tensor<complex<f64>> -> tensor<complex<f64>>
  func.return %0 : tensor<complex<f64>>
}
func.func @kernel(%z: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = chlo._asin_acos_kernel %z : tensor<complex<f64>> -> tensor<complex<f64>>
  func.return %0 : tensor<complex<f64>>
}

// One logarithm and one angle.

// CHECK-LABEL: func.func @complex_atanh
// CHECK:         stablehlo.atan2
// CHECK:         stablehlo.log_plus_one
// CHECK-NOT:     stablehlo.log_plus_one
// CHECK-LABEL: func.func @complex_atan
// CHECK:         stablehlo.log_plus_one
func.func @complex_atanh(%z: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  %0 = chlo.atanh %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  func.return %0 : tensor<2xcomplex<f64>>
}
func.func @complex_atan(%z: tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>> {
  %0 = chlo.atan %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  func.return %0 : tensor<2xcomplex<f64>>
}

// Two polynomials, of which one is selected.

// CHECK-LABEL: func.func @bessel_i1e
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK:         stablehlo.exponential
// CHECK:         stablehlo.sqrt
// CHECK:         [[R:%.+]] = stablehlo.select {{%.+}}, {{%.+}}, {{%.+}} : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @bessel_i1e(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Three sums for numbers of either sign, as rows; powers are exponentials but for the one taken out of the sum.

// CHECK-LABEL: func.func @zeta
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>, [[Q:%.+]]: tensor<4xf32>)
// CHECK:         [[M:%.+]] = stablehlo.subtract [[X]], {{%.+}} : tensor<4xf32>
// CHECK:         [[ROWS:%.+]] = stablehlo.broadcast_in_dim [[M]], dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHECK:         [[MINUS:%.+]] = stablehlo.negate [[ROWS]]
// CHECK:         [[LOG:%.+]] = stablehlo.log_plus_one
// CHECK-NEXT:    [[EXPONENT:%.+]] = stablehlo.multiply [[MINUS]], [[LOG]]
// CHECK-NEXT:    stablehlo.exponential [[EXPONENT]]
// CHECK:         stablehlo.power {{%.+}}, [[MINUS]]
func.func @zeta(%x: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.zeta %x, %q : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @polygamma
// CHECK:         stablehlo.broadcast_in_dim {{%.+}}, dims = [] : (tensor<f64>) -> tensor<4xf64>
// CHECK:         stablehlo.power
func.func @polygamma(%n: tensor<f64>, %x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = chlo.broadcast_polygamma %n, %x : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  func.return %0 : tensor<4xf64>
}

// A free ragged dimension: the product with all matrices, of which each row keeps one.

// CHECK-LABEL: func.func @ragged_rows
// CHECK:         [[ALL:%.+]] = stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [1] x [1]{{.*}} -> tensor<4x3x5xf32>
// CHECK:         [[OWN:%.+]] = stablehlo.broadcast_in_dim {{%.+}}, dims = [0, 1] : (tensor<4x3xi1>) -> tensor<4x3x5xi1>
// CHECK:         [[KEPT:%.+]] = stablehlo.select [[OWN]], [[ALL]], {{%.+}}
// CHECK:         stablehlo.reduce([[KEPT]] init: {{%.+}}) applies stablehlo.add across dimensions = [1]
func.func @ragged_rows(%x: tensor<4x6xf32>, %y: tensor<3x6x5xf32>, %sizes: tensor<3xi32>) -> tensor<4x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  func.return %0 : tensor<4x5xf32>
}

// A contracting one: both operands for every group, with zeros outside of it.

// CHECK-LABEL: func.func @ragged_terms
// CHECK:         [[X:%.+]] = stablehlo.select {{%.+}}, {{%.+}}, {{%.+}} : tensor<3x4x6xi1>, tensor<3x4x6xf32>
// CHECK:         [[Y:%.+]] = stablehlo.select {{%.+}}, {{%.+}}, {{%.+}} : tensor<3x6x5xi1>, tensor<3x6x5xf32>
// CHECK-NEXT:    stablehlo.dot_general [[X]], [[Y]], batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @ragged_terms(%x: tensor<4x6xf32>, %y: tensor<6x5xf32>, %sizes: tensor<3xi32>) -> tensor<3x4x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>
  func.return %0 : tensor<3x4x5xf32>
}

// A batch dimension: the groups change nothing.

// CHECK-LABEL: func.func @ragged_batch
// CHECK-SAME:  ([[X:%.+]]: tensor<2x4x6xf32>, [[Y:%.+]]: tensor<2x6x5xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.dot_general [[X]], [[Y]], batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK-NEXT:    func.return [[R]]
func.func @ragged_batch(%x: tensor<2x4x6xf32>, %y: tensor<2x6x5xf32>, %sizes: tensor<3xi32>) -> tensor<2x4x5xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x4x6xf32>, tensor<2x6x5xf32>, tensor<3xi32>) -> tensor<2x4x5xf32>
  func.return %0 : tensor<2x4x5xf32>
}

// A loop over the dimension; backwards, the last index comes first.

// CHECK-LABEL: func.func @scan
// CHECK-SAME:  ([[X:%.+]]: tensor<3x8xf32>, [[INIT:%.+]]: tensor<3xf32>)
// CHECK:         [[OUT:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<3x8xf32>
// CHECK:         stablehlo.while([[I:%.+]] = {{%.+}}, [[O:%.+]] = [[OUT]], [[CARRY:%.+]] = [[INIT]])
// CHECK:           [[SIZE:%.+]] = stablehlo.constant dense<8> : tensor<i64>
// CHECK:           stablehlo.compare LT, [[I]], [[SIZE]], SIGNED
// CHECK:           [[PLACE:%.+]] = stablehlo.subtract {{%.+}}, [[I]] : tensor<i64>
// CHECK:           [[SLICE:%.+]] = stablehlo.dynamic_slice [[X]], {{%.+}}, [[PLACE]], sizes = [3, 1]
// CHECK:           [[ELEMENT:%.+]] = stablehlo.reshape [[SLICE]] : (tensor<3x1xf32>) -> tensor<3xf32>
// CHECK:           [[SQUARE:%.+]] = stablehlo.multiply [[ELEMENT]], [[ELEMENT]]
// CHECK:           [[SUM:%.+]] = stablehlo.add [[CARRY]], [[SQUARE]]
// CHECK:           [[ROW:%.+]] = stablehlo.reshape [[SUM]] : (tensor<3xf32>) -> tensor<3x1xf32>
// CHECK:           stablehlo.dynamic_update_slice [[O]], [[ROW]], {{%.+}}, [[PLACE]]
func.func @scan(%x: tensor<3x8xf32>, %init: tensor<3xf32>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%init) dimension=1 attributes {is_reverse = true} {
  ^bb0(%element: tensor<3xf32>, %carry: tensor<3xf32>):
    %square = chlo.square %element : tensor<3xf32> -> tensor<3xf32>
    %sum = stablehlo.add %carry, %square : tensor<3xf32>
    stablehlo.return %sum, %sum : tensor<3xf32>, tensor<3xf32>
  } : (tensor<3x8xf32>, tensor<3xf32>) -> (tensor<3x8xf32>, tensor<3xf32>)
  func.return %0#0, %0#1 : tensor<3x8xf32>, tensor<3xf32>
}

// A cumulative sum is a reduction of windows, combined with the initial carry.

// CHECK-LABEL: func.func @cumulative
// CHECK-SAME:  ([[X:%.+]]: tensor<3x8xf32>, [[INIT:%.+]]: tensor<3xf32>)
// CHECK-NOT:     stablehlo.while
// CHECK:         [[SUMS:%.+]] = "stablehlo.reduce_window"([[X]], {{%.+}}) <{window_dimensions = array<i64: 1, 8>, padding = dense<{{\[\[}}0, 0], [7, 0{{\]\]}}> : tensor<2x2xi64>}>
// CHECK:         [[FIRST:%.+]] = stablehlo.broadcast_in_dim [[INIT]], dims = [0] : (tensor<3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.add [[FIRST]], [[SUMS]]
// CHECK-NEXT:    stablehlo.slice [[R]] [0:3, 7:8]
func.func @cumulative(%x: tensor<3x8xf32>, %init: tensor<3xf32>) -> (tensor<3x8xf32>, tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%init) dimension=1 attributes {is_associative = true} {
  ^bb0(%element: tensor<3xf32>, %carry: tensor<3xf32>):
    %sum = stablehlo.add %carry, %element : tensor<3xf32>
    stablehlo.return %sum, %sum : tensor<3xf32>, tensor<3xf32>
  } : (tensor<3x8xf32>, tensor<3xf32>) -> (tensor<3x8xf32>, tensor<3xf32>)
  func.return %0#0, %0#1 : tensor<3x8xf32>, tensor<3xf32>
}

// A predicate of rank 0 stays what it is.
// CHECK-LABEL: func.func @broadcast_select
// CHECK-SAME:    ([[P:%.+]]: tensor<i1>, [[X:%.+]]: tensor<4xf32>, [[Y:%.+]]: tensor<8x4xf32>)
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[X]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    stablehlo.select [[P]], [[B]], [[Y]] : tensor<i1>, tensor<8x4xf32>
func.func @broadcast_select(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @conj
// CHECK-NEXT:    [[RE:%.+]] = stablehlo.real
// CHECK-NEXT:    [[IM:%.+]] = stablehlo.imag
// CHECK-NEXT:    [[N:%.+]] = stablehlo.negate [[IM]]
// CHECK-NEXT:    stablehlo.complex [[RE]], [[N]]
func.func @conj(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.conj %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// Of a polynomial in log(1 - x^2), or in its root.
// CHECK-LABEL: func.func @erf_inv
// CHECK: stablehlo.log
// CHECK: stablehlo.sqrt
// CHECK: stablehlo.select
// CHECK-NOT: chlo
func.func @erf_inv(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
