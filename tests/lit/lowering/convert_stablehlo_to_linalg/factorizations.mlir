// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Row k less the multiples of the rows above, four at a time, divided by the root of its pivot.

// CHECK-LABEL: func.func @cholesky
// CHECK:         scf.for
// CHECK:           scf.for [[K:%[0-9]+]] =
// CHECK:             tensor.extract %a[[[K]], %{{.+}}] : tensor<40x40xf32>
// CHECK:             arith.divui
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK-COUNT-4:         math.fma
// CHECK:             scf.for
// CHECK:               scf.for
// CHECK:                 math.fma
// CHECK:             arith.cmpf ogt
// CHECK:             math.sqrt
// CHECK:             arith.divf
func.func @cholesky(%a: tensor<40x40xf32>) -> tensor<40x40xf32> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<40x40xf32>
  return %0 : tensor<40x40xf32>
}

// From the last row to the first; ones on the diagonal are not divided by.

// CHECK-LABEL: func.func @upper_unit
// CHECK:         [[LAST:%.+]] = arith.constant 7 : index
// CHECK:           scf.for
// CHECK:             arith.subi [[LAST]],
// CHECK:             complex.mul
// CHECK:             complex.sub
// CHECK-NOT:         complex.div
// CHECK:             func.return
func.func @upper_unit(%a: tensor<8x8xcomplex<f32>>, %b: tensor<8x2xcomplex<f32>>) -> tensor<8x2xcomplex<f32>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<8x8xcomplex<f32>>, tensor<8x2xcomplex<f32>>) -> tensor<8x2xcomplex<f32>>
  return %0 : tensor<8x2xcomplex<f32>>
}
