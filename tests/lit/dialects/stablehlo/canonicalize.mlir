// RUN: xla-opt %s -p canonicalize | filecheck %s

// xDSL's generic pass, through the folders of the dialect.

// CHECK-LABEL: func.func @neutral_operands
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>, [[N:%.+]]: tensor<4xui8>, [[B:%.+]]: tensor<4xi1>)
// CHECK-NEXT:  [[PLUS_ZERO:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:  [[SUM:%.+]] = stablehlo.add [[X]], [[PLUS_ZERO]]
// CHECK-NEXT:  func.return [[X]], [[SUM]], [[X]], [[N]], [[N]], [[B]]
func.func @neutral_operands(%x: tensor<4xf32>, %n: tensor<4xui8>, %b: tensor<4xi1>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>) {
  %minus_zero = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %plus_zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %most = stablehlo.constant dense<255> : tensor<4xui8>
  %least = stablehlo.constant dense<0> : tensor<4xui8>
  %true = stablehlo.constant dense<true> : tensor<4xi1>
  %0 = stablehlo.add %minus_zero, %x : tensor<4xf32>
  %1 = stablehlo.add %x, %plus_zero : tensor<4xf32>
  %2 = stablehlo.divide %x, %one : tensor<4xf32>
  %3 = stablehlo.and %n, %most : tensor<4xui8>
  %4 = stablehlo.maximum %n, %least : tensor<4xui8>
  %5 = stablehlo.and %b, %true : tensor<4xi1>
  return %0, %1, %2, %3, %4, %5
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xui8>, tensor<4xui8>, tensor<4xi1>
}

// CHECK-LABEL: func.func @absorbing_operands
// CHECK-NEXT:  [[ZERO:%.+]] = stablehlo.constant dense<0> : tensor<4xi32>
// CHECK-NEXT:  [[MOST:%.+]] = stablehlo.constant dense<2147483647> : tensor<4xi32>
// CHECK-NEXT:  [[TRUE:%.+]] = stablehlo.constant dense<true> : tensor<4xi1>
// CHECK-NEXT:  func.return [[ZERO]], [[MOST]], [[ZERO]], [[TRUE]]
func.func @absorbing_operands(%n: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %most = stablehlo.constant dense<2147483647> : tensor<4xi32>
  %0 = stablehlo.multiply %zero, %n : tensor<4xi32>
  %1 = stablehlo.maximum %n, %most : tensor<4xi32>
  %2 = stablehlo.and %n, %zero : tensor<4xi32>
  %true = stablehlo.constant dense<true> : tensor<4xi1>
  return %0, %1, %2, %true : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>
}

// A float times 0 may be NaN or -0, a float minus itself NaN.
// CHECK-LABEL: func.func @floats_are_not_integers
// CHECK:       stablehlo.multiply
// CHECK:       stablehlo.subtract
// CHECK:       stablehlo.compare
func.func @floats_are_not_integers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.multiply %zero, %x : tensor<4xf32>
  %1 = stablehlo.subtract %x, %x : tensor<4xf32>
  %2 = stablehlo.compare EQ, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME:  ([[X:%.+]]: tensor<2x3xf32>, [[N:%.+]]: tensor<3xi8>, [[Z:%.+]]: tensor<complex<f32>>)
// CHECK-NEXT:  func.return [[X]], [[X]], [[X]], [[X]], [[X]], [[N]], [[N]], [[N]], [[Z]]
func.func @there_and_back(%x: tensor<2x3xf32>, %n: tensor<3xi8>, %z: tensor<complex<f32>>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi8>,
        tensor<3xi8>, tensor<3xi8>, tensor<complex<f32>>) {
  %0 = stablehlo.negate %x : tensor<2x3xf32>
  %1 = stablehlo.negate %0 : tensor<2x3xf32>
  %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %6 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  %7 = stablehlo.reverse %6, dims = [1, 0] : tensor<2x3xf32>
  %8 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf64>
  %9 = stablehlo.convert %8 : (tensor<2x3xf64>) -> tensor<2x3xf32>
  %10 = stablehlo.not %n : tensor<3xi8>
  %11 = stablehlo.not %10 : tensor<3xi8>
  %12 = stablehlo.bitcast_convert %n : (tensor<3xi8>) -> tensor<3xui8>
  %13 = stablehlo.bitcast_convert %12 : (tensor<3xui8>) -> tensor<3xi8>
  %14 = stablehlo.convert %n : (tensor<3xi8>) -> tensor<3xf16>
  %15 = stablehlo.convert %14 : (tensor<3xf16>) -> tensor<3xi8>
  %16 = stablehlo.real %z : (tensor<complex<f32>>) -> tensor<f32>
  %17 = stablehlo.imag %z : (tensor<complex<f32>>) -> tensor<f32>
  %18 = stablehlo.complex %16, %17 : tensor<complex<f32>>
  return %1, %3, %5, %7, %9, %11, %13, %15, %18
    : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xi8>, tensor<3xi8>,
      tensor<3xi8>, tensor<complex<f32>>
}

// CHECK-LABEL: func.func @lossy
// CHECK-NEXT:  stablehlo.convert
// CHECK-NEXT:  stablehlo.convert
func.func @lossy(%n: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.convert %n : (tensor<3xi32>) -> tensor<3xf32>
  %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xi32>
  return %1 : tensor<3xi32>
}

// CHECK-LABEL: func.func @nothing_to_do
// CHECK-SAME:  ([[X:%.+]]: tensor<2x1xf32>, [[P:%.+]]: tensor<f32>, [[I:%.+]]: tensor<i32>)
// CHECK-NEXT:  func.return [[X]], [[X]], [[X]], [[X]], [[X]], [[X]], [[X]], [[X]], [[X]]
func.func @nothing_to_do(%x: tensor<2x1xf32>, %p: tensor<f32>, %i: tensor<i32>)
    -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>,
        tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %3 = stablehlo.slice %x [0:2, 0:1:3] : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %4 = stablehlo.pad %x, %p, low = [0, 0], high = [0, 0], interior = [0, 7] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %5 = stablehlo.reverse %x, dims = [1] : tensor<2x1xf32>
  %6 = stablehlo.concatenate %x, dim = 0 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 1] : (tensor<2x1xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
  %8 = stablehlo.convert %x : tensor<2x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8
    : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>,
      tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// The types are the same, the places are not.
// CHECK-LABEL: func.func @elements_move
// CHECK-NEXT:  stablehlo.transpose
// CHECK-NEXT:  stablehlo.pad
func.func @elements_move(%x: tensor<2x2xf32>, %p: tensor<f32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.pad %x, %p, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @select
// CHECK-SAME:  ([[P:%.+]]: tensor<3xi1>, [[X:%.+]]: tensor<3xf32>, [[Y:%.+]]: tensor<3xf32>)
// CHECK-NEXT:  func.return [[X]], [[Y]], [[P]]
func.func @select(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi1>) {
  %true = stablehlo.constant dense<true> : tensor<3xi1>
  %false = stablehlo.constant dense<false> : tensor<3xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<3xf32>
  %1 = stablehlo.select %no, %x, %y : tensor<i1>, tensor<3xf32>
  %2 = stablehlo.select %p, %true, %false : tensor<3xi1>, tensor<3xi1>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xi1>
}

// CHECK-LABEL: func.func @splats
// CHECK-NEXT:  [[A:%.+]] = stablehlo.constant dense<7> : tensor<1000000x3xi64>
// CHECK-NEXT:  [[B:%.+]] = stablehlo.constant dense<7> : tensor<4xi64>
// CHECK-NEXT:  [[C:%.+]] = stablehlo.constant dense<7> : tensor<4xi64>
// CHECK-NEXT:  [[D:%.+]] = stablehlo.constant dense<7> : tensor<5xi64>
// CHECK-NEXT:  func.return [[A]], [[B]], [[C]], [[D]]
func.func @splats(%i: tensor<i32>, %is: tensor<5xi32>)
    -> (tensor<1000000x3xi64>, tensor<4xi64>, tensor<4xi64>, tensor<5xi64>) {
  %0 = stablehlo.constant dense<7> : tensor<3xi64>
  %1 = stablehlo.constant dense<7> : tensor<i64>
  %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xi64>) -> tensor<1000000x3xi64>
  %3 = stablehlo.pad %0, %1, low = [1], high = [0], interior = [0] : (tensor<3xi64>, tensor<i64>) -> tensor<4xi64>
  %4 = stablehlo.reshape %1 : (tensor<i64>) -> tensor<1xi64>
  %5 = stablehlo.concatenate %4, %0, dim = 0 : (tensor<1xi64>, tensor<3xi64>) -> tensor<4xi64>
  %6 = "stablehlo.gather"(%0, %is) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xi64>, tensor<5xi32>) -> tensor<5xi64>
  return %2, %3, %5, %6 : tensor<1000000x3xi64>, tensor<4xi64>, tensor<4xi64>, tensor<5xi64>
}

// CHECK-LABEL: func.func @tuples
// CHECK-SAME:  ([[X:%.+]]: tensor<2xf32>, [[Y:%.+]]: tensor<3xf32>)
// CHECK-NEXT:  func.return [[Y]]
func.func @tuples(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<2xf32>, tensor<3xf32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @static_size
// CHECK-SAME:  ([[X:%.+]]: tensor<?x5xf32>)
// CHECK-NEXT:  [[D:%.+]] = stablehlo.get_dimension_size [[X]], dim = 0
// CHECK-NEXT:  [[S:%.+]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK-NEXT:  func.return [[D]], [[S]]
func.func @static_size(%x: tensor<?x5xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x5xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @arithmetic
// CHECK-DAG:   [[A:%.+]] = stablehlo.constant dense<[2.500000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-DAG:   [[B:%.+]] = stablehlo.constant dense<-2147483648> : tensor<1000000xi32>
// CHECK-DAG:   [[C:%.+]] = stablehlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK:       func.return [[A]], [[B]], [[C]]
func.func @arithmetic() -> (tensor<2xf32>, tensor<1000000xi32>, tensor<2xi1>) {
  %0 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
  %1 = stablehlo.divide %0, %0 : tensor<2xf32>
  %2 = stablehlo.add %0, %1 : tensor<2xf32>
  %3 = stablehlo.constant dense<2147483647> : tensor<1000000xi32>
  %4 = stablehlo.constant dense<1> : tensor<1000000xi32>
  %5 = stablehlo.add %3, %4 : tensor<1000000xi32>
  %6 = stablehlo.constant dense<1.75> : tensor<2xf32>
  %7 = stablehlo.compare LT, %0, %6 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %2, %5, %7 : tensor<2xf32>, tensor<1000000xi32>, tensor<2xi1>
}

// CHECK-LABEL: func.func @left_to_the_implementation
// CHECK:       stablehlo.divide
// CHECK:       stablehlo.convert
// CHECK:       stablehlo.exponential
// CHECK:       stablehlo.multiply
func.func @left_to_the_implementation() -> (tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %big = stablehlo.constant dense<1.0e20> : tensor<f32>
  %0 = stablehlo.divide %zero, %zero : tensor<i32>
  %1 = stablehlo.convert %big : (tensor<f32>) -> tensor<i32>
  %2 = stablehlo.exponential %big : tensor<f32>
  %3 = stablehlo.multiply %big, %big : tensor<f32>
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @dead_control_flow
// CHECK-SAME:  ([[X:%.+]]: tensor<f32>)
// CHECK-NEXT:  func.return [[X]]
func.func @dead_control_flow(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%i = %x) : tensor<f32> cond {
    %stop = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %stop : tensor<i1>
  } do {
    stablehlo.return %i : tensor<f32>
  }
  return %x : tensor<f32>
}
