// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file | filecheck %s

// CHECK-LABEL: @elementwise
// CHECK: linalg.generic
// CHECK: [[P:%[a-z0-9_]+]] = complex.mul {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} : complex<f32>
// CHECK-NEXT: linalg.yield [[P]] : complex<f32>
// CHECK: complex.exp {{%[a-z0-9_]+}} : complex<f32>
// CHECK: [[A:%[a-z0-9_]+]] = complex.abs {{%[a-z0-9_]+}} : complex<f32>
// CHECK-NEXT: linalg.yield [[A]] : f32
// CHECK: complex.create {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} : complex<f32>
// CHECK: complex.neq {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} : complex<f32>
func.func @elementwise(%x: tensor<8xcomplex<f32>>) -> (tensor<8xcomplex<f32>>, tensor<8xi1>) {
  %0 = stablehlo.multiply %x, %x : tensor<8xcomplex<f32>>
  %1 = stablehlo.exponential %0 : tensor<8xcomplex<f32>>
  %2 = stablehlo.abs %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  %3 = stablehlo.complex %2, %2 : tensor<8xcomplex<f32>>
  %4 = stablehlo.compare NE, %3, %x : (tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) -> tensor<8xi1>
  func.return %3, %4 : tensor<8xcomplex<f32>>, tensor<8xi1>
}

// -----

// Sums may be reassociated; destinations are filled by a generic.

// CHECK-LABEL: @sum
// CHECK: [[START:%[a-z0-9_]+]] = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
// CHECK: linalg.yield [[START]] : complex<f32>
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: complex.add {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} fastmath<reassoc> : complex<f32>
func.func @sum(%x: tensor<4x8xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %init = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  func.return %0 : tensor<4xcomplex<f32>>
}

// -----

// CHECK-LABEL: @product
// CHECK: complex.mul {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} fastmath<reassoc> : complex<f64>
// CHECK: complex.add {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} fastmath<reassoc> : complex<f64>
func.func @product(%x: tensor<4x8xcomplex<f64>>, %y: tensor<8x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xcomplex<f64>>, tensor<8x2xcomplex<f64>>) -> tensor<4x2xcomplex<f64>>
  func.return %0 : tensor<4x2xcomplex<f64>>
}

// -----

// To real numbers by the real part, from them with a zero imaginary part.

// CHECK-LABEL: @convert
// CHECK: [[RE:%[a-z0-9_]+]] = complex.re {{%[a-z0-9_]+}} : complex<f32>
// CHECK: arith.fptosi [[RE]] : f32 to i32
// CHECK: [[F:%[a-z0-9_]+]] = arith.sitofp {{%[a-z0-9_]+}} : i32 to f64
// CHECK: complex.create [[F]], {{%[a-z0-9_]+}} : complex<f64>
func.func @convert(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f64>> {
  %0 = stablehlo.convert %x : (tensor<8xcomplex<f32>>) -> tensor<8xi32>
  %1 = stablehlo.convert %0 : (tensor<8xi32>) -> tensor<8xcomplex<f64>>
  func.return %1 : tensor<8xcomplex<f64>>
}

// -----

// CHECK-LABEL: @data
// CHECK: arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,-0.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK: linalg.index 0
// CHECK: complex.create
func.func @data() -> (tensor<2xcomplex<f32>>, tensor<9xcomplex<f32>>) {
  %0 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -0.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.iota dim = 0 : tensor<9xcomplex<f32>>
  func.return %0, %1 : tensor<2xcomplex<f32>>, tensor<9xcomplex<f32>>
}
