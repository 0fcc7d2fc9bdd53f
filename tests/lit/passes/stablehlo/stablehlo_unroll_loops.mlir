// RUN: xla-opt %s -p stablehlo-unroll-loops | filecheck %s

// CHECK-LABEL: func.func @squares
// CHECK-SAME:    ([[X:%.+]]: tensor<65536xf32>)
// CHECK-NOT:     stablehlo.while
// CHECK:         [[A:%.+]] = stablehlo.multiply [[X]], [[X]] : tensor<65536xf32>
// CHECK:         [[B:%.+]] = stablehlo.multiply [[A]], [[A]] : tensor<65536xf32>
// CHECK-NOT:     stablehlo.multiply
// CHECK:         func.return [[B]]
func.func @squares(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<65536xf32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.multiply %a, %a : tensor<65536xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b : tensor<i32>, tensor<65536xf32>
  }
  return %0#1 : tensor<65536xf32>
}

// Too small to pay, a number of trips that depends on data, a body that does not fuse.

// CHECK-LABEL: func.func @small
// CHECK:         stablehlo.while
func.func @small(%x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<16xf32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %b = stablehlo.multiply %a, %a : tensor<16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b : tensor<i32>, tensor<16xf32>
  }
  return %0#1 : tensor<16xf32>
}

// CHECK-LABEL: func.func @unknown
// CHECK:         stablehlo.while
func.func @unknown(%x: tensor<65536xf32>, %n: tensor<i32>) -> tensor<65536xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<65536xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %b = stablehlo.multiply %a, %a : tensor<65536xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b : tensor<i32>, tensor<65536xf32>
  }
  return %0#1 : tensor<65536xf32>
}

// CHECK-LABEL: func.func @products
// CHECK:         stablehlo.while
func.func @products(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<256x256xf32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %b = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b : tensor<i32>, tensor<256x256xf32>
  }
  return %0#1 : tensor<256x256xf32>
}
