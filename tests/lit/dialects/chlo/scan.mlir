// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.scan`: a body for each index along a dimension, with values carried on.

// Cumulative sums.
func.func @cumulative_sum() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%element: tensor<i32>, %carry: tensor<i32>):
    %sum = stablehlo.add %carry, %element : tensor<i32>
    stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<[1, 3, 6, 10]> : tensor<4xi32>
  check.expect_eq_const %results#1, dense<10> : tensor<i32>
  return
}

// The sum of what came before.
func.func @exclusive() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%element: tensor<i32>, %carry: tensor<i32>):
    %sum = stablehlo.add %carry, %element : tensor<i32>
    stablehlo.return %carry, %sum : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<[100, 101, 103, 106]> : tensor<4xi32>
  check.expect_eq_const %results#1, dense<110> : tensor<i32>
  return
}

// From the end to the beginning.
func.func @reverse() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 attributes {is_reverse = true} {
  ^bb0(%element: tensor<i32>, %carry: tensor<i32>):
    %sum = stablehlo.add %carry, %element : tensor<i32>
    stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<[10, 9, 7, 4]> : tensor<4xi32>
  check.expect_eq_const %results#1, dense<10> : tensor<i32>
  return
}

// Along the last dimension: the body sees columns.
func.func @columns() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %init = stablehlo.constant dense<[0.0, 0.5]> : tensor<2xf32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=1 {
  ^bb0(%element: tensor<2xf32>, %carry: tensor<2xf32>):
    %sum = stablehlo.add %carry, %element : tensor<2xf32>
    stablehlo.return %sum, %sum : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[[1.0, 3.0, 6.0], [4.5, 9.5, 15.5]]> : tensor<2x3xf32>
  check.expect_eq_const %results#1, dense<[6.0, 15.5]> : tensor<2xf32>
  return
}

// No index: the carry stays.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %init = stablehlo.constant dense<7> : tensor<i32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%element: tensor<i32>, %carry: tensor<i32>):
    %sum = stablehlo.add %carry, %element : tensor<i32>
    stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
  } : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<> : tensor<0xi32>
  check.expect_eq_const %results#1, dense<7> : tensor<i32>
  return
}

// Two inputs and no output: the last carry is their product.
func.func @product() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %init = stablehlo.constant dense<0> : tensor<2xi32>
  %result = chlo.scan(%x, %y) inits (%init) dimension=0 {
  ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>, %carry: tensor<2xi32>):
    %product = stablehlo.multiply %a, %b : tensor<2xi32>
    %sum = stablehlo.add %carry, %product : tensor<2xi32>
    stablehlo.return %sum : tensor<2xi32>
  } : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[26, 44]> : tensor<2xi32>
  return
}

// A scan in a scan.
func.func @nested() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%row: tensor<2xi32>, %carry: tensor<i32>):
    %inner:2 = chlo.scan(%row) inits (%carry) dimension=0 {
    ^bb1(%element: tensor<i32>, %total: tensor<i32>):
      %square = chlo.square %element : tensor<i32> -> tensor<i32>
      %sum = stablehlo.add %total, %square : tensor<i32>
      stablehlo.return %sum, %sum : tensor<i32>, tensor<i32>
    } : (tensor<2xi32>, tensor<i32>) -> (tensor<2xi32>, tensor<i32>)
    stablehlo.return %inner#0, %inner#1 : tensor<2xi32>, tensor<i32>
  } : (tensor<2x2xi32>, tensor<i32>) -> (tensor<2x2xi32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<[[1, 5], [14, 30]]> : tensor<2x2xi32>
  check.expect_eq_const %results#1, dense<30> : tensor<i32>
  return
}

// Cumulative: an associative op on element and carry.
func.func @associative() {
  %x = stablehlo.constant dense<[[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]]> : tensor<2x3xf32>
  %init = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=1 attributes {is_associative = true} {
  ^bb0(%element: tensor<2xf32>, %carry: tensor<2xf32>):
    %max = stablehlo.maximum %element, %carry : tensor<2xf32>
    stablehlo.return %max, %max : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[[3.0, 5.0, 5.0], [4.0, 4.0, 6.0]]> : tensor<2x3xf32>
  check.expect_eq_const %results#1, dense<[5.0, 6.0]> : tensor<2xf32>
  return
}

func.func @associative_reverse() {
  %x = stablehlo.constant dense<[-5, 7, -128, 127]> : tensor<4xi8>
  %init = stablehlo.constant dense<100> : tensor<i8>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 attributes {is_associative = true, is_reverse = true} {
  ^bb0(%element: tensor<i8>, %carry: tensor<i8>):
    %min = stablehlo.minimum %carry, %element : tensor<i8>
    stablehlo.return %min, %min : tensor<i8>, tensor<i8>
  } : (tensor<4xi8>, tensor<i8>) -> (tensor<4xi8>, tensor<i8>)
  check.expect_eq_const %results#0, dense<[-128, -128, -128, 100]> : tensor<4xi8>
  check.expect_eq_const %results#1, dense<-128> : tensor<i8>
  return
}

func.func @associative_product_of_one_element() {
  %x = stablehlo.constant dense<3> : tensor<1xui32>
  %init = stablehlo.constant dense<5> : tensor<ui32>
  %results:2 = chlo.scan(%x) inits (%init) dimension=0 attributes {is_associative = true} {
  ^bb0(%element: tensor<ui32>, %carry: tensor<ui32>):
    %product = stablehlo.multiply %carry, %element : tensor<ui32>
    stablehlo.return %product, %product : tensor<ui32>, tensor<ui32>
  } : (tensor<1xui32>, tensor<ui32>) -> (tensor<1xui32>, tensor<ui32>)
  check.expect_eq_const %results#0, dense<15> : tensor<1xui32>
  check.expect_eq_const %results#1, dense<15> : tensor<ui32>
  return
}
