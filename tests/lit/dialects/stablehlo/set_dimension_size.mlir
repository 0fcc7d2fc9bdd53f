// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// `set_dimension_size`: the first elements of a dimension.

// Fewer rows.
func.func @fewer_rows() {
  %operand = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %size = stablehlo.constant dense<2> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<3x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<3, ?>>
  %new_size = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %new_size, dense<2> : tensor<i32>
  check.expect_eq_const %static, dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
  return
}

// Fewer columns.
func.func @fewer_columns() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %size = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %new_size = stablehlo.get_dimension_size %result, dim = 1 : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  %shape = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2xi64>) -> tensor<2x1xf32>
  check.expect_eq_const %new_size, dense<1> : tensor<i32>
  check.expect_eq_const %static, dense<[[0.0], [3.0]]> : tensor<2x1xf32>
  return
}

// No element is left.
func.func @none() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %size = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %new_size = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<i32>
  %shape = stablehlo.constant dense<[0]> : tensor<1xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<1xi64>) -> tensor<0xi32>
  check.expect_eq_const %new_size, dense<0> : tensor<i32>
  check.expect_eq_const %static, dense<> : tensor<0xi32>
  return
}

// All of them stay.
func.func @all() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %result = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %new_size = stablehlo.get_dimension_size %result, dim = 0 : (tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<i32>
  %shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %new_size, dense<3> : tensor<i32>
  check.expect_eq_const %static, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// Later ops see the elements that are left.
func.func @sum_of_the_rest() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %size = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %fewer = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  %sum = stablehlo.reduce(%fewer init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %sum, dense<7.0> : tensor<f32>
  return
}

// Example of XLA's operation semantics: of ten elements five are left, and padding is not summed.
func.func @five_of_ten() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<10xi32>
  %size = stablehlo.constant dense<5> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %fewer = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<10xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<10>>
  %sum = stablehlo.reduce(%fewer init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<10>>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %sum, dense<15> : tensor<i32>
  return
}

// A value that is checked, or returned, has the size that is left.
func.func @result() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %size = stablehlo.constant dense<2> : tensor<i32>
  %fewer = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %doubled = stablehlo.add %fewer, %fewer : tensor<?xi32, #stablehlo.bounds<4>>
  %values = stablehlo.constant dense<[2, 4, 0, 0]> : tensor<4xi32>
  %expected = stablehlo.set_dimension_size %values, %size, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  "check.expect_eq"(%doubled, %expected) : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<?xi32, #stablehlo.bounds<4>>) -> ()
  return
}

// Rows that are left, behind one another.
func.func @concatenated() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.set_dimension_size %operand, %one, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %b = stablehlo.set_dimension_size %operand, %two, dim = 0 : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<3>>
  %both = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xi32, #stablehlo.bounds<3>>, tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<?xi32, #stablehlo.bounds<6>>
  %shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %static = stablehlo.dynamic_reshape %both, %shape : (tensor<?xi32, #stablehlo.bounds<6>>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %static, dense<[1, 1, 2]> : tensor<3xi32>
  return
}

// The size is a value, which a loop changes: 4 + 3 + 2 + 1 elements.
func.func @loop() {
  %operand = stablehlo.constant dense<[1, 10, 100, 1000]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %all = stablehlo.set_dimension_size %operand, %four, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %results:2 = stablehlo.while(%rest = %all, %total = %zero) : tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>
  cond {
    %size = stablehlo.get_dimension_size %rest, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>
    %more = stablehlo.compare GT, %size, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %sum = stablehlo.reduce(%rest init: %total) applies stablehlo.add across dimensions = [0] : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<i32>
    %size = stablehlo.get_dimension_size %rest, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<i32>
    %less = stablehlo.subtract %size, %one : tensor<i32>
    %fewer = stablehlo.set_dimension_size %rest, %less, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
    stablehlo.return %fewer, %sum : tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>
  }
  check.expect_eq_const %results#1, dense<1234> : tensor<i32>
  return
}
