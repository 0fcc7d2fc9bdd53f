// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// One generic of identity maps; an operand read twice comes in once.
// CHECK-LABEL: func.func @binary
// CHECK-SAME: (%x: tensor<4x3xf32>, %y: tensor<4x3xf32>)
// CHECK-NEXT: [[E:%.+]] = tensor.empty() : tensor<4x3xf32>
// CHECK-NEXT: [[S:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x3xf32>, tensor<4x3xf32>) outs([[E]] : tensor<4x3xf32>) {
// CHECK-NEXT: ^bb{{.*}}([[A:%.+]]: f32, [[B:%.+]]: f32, {{%.+}}: f32):
// CHECK-NEXT: [[R:%.+]] = arith.subf [[A]], [[B]] : f32
// CHECK-NEXT: linalg.yield [[R]] : f32
// CHECK: linalg.generic {{.*}} ins([[S]] : tensor<4x3xf32>)
// CHECK-NEXT: ^bb{{.*}}([[C:%.+]]: f32, {{%.+}}: f32):
// CHECK-NEXT: arith.mulf [[C]], [[C]] : f32
func.func @binary(%x: tensor<4x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<4x3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// Splat constants, broadcast or not, are scalars captured by the body; one op a value.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: [[TWO:%.+]] = arith.constant 2.000000e+00 : f32
// CHECK-NOT: arith.constant
// CHECK: linalg.generic {{.*}} ins(%x : tensor<5xf32>)
// CHECK: arith.divf {{%.+}}, [[TWO]] : f32
// CHECK: arith.addf {{%.+}}, [[TWO]] : f32
func.func @constants(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %s = stablehlo.constant dense<2.0> : tensor<5xf32>
  %0 = stablehlo.divide %x, %b : tensor<5xf32>
  %1 = stablehlo.add %0, %s : tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -0.0 and 0.0 are different constants.
// CHECK-LABEL: func.func @zeros
// CHECK-DAG: [[POSITIVE:%.+]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: [[NEGATIVE:%.+]] = arith.constant -0.000000e+00 : f32
// CHECK: arith.addf {{%.+}}, [[NEGATIVE]] : f32
// CHECK: arith.addf {{%.+}}, [[POSITIVE]] : f32
func.func @zeros(%x: tensor<5xf32>) -> tensor<5xf32> {
  %n = stablehlo.constant dense<-0.0> : tensor<5xf32>
  %p = stablehlo.constant dense<0.0> : tensor<5xf32>
  %0 = stablehlo.add %x, %n : tensor<5xf32>
  %1 = stablehlo.add %0, %p : tensor<5xf32>
  return %1 : tensor<5xf32>
}

// Types lose their sign, the operation carries it.
// CHECK-LABEL: func.func @signs
// CHECK-SAME: (%s: tensor<7xi32>, %u: tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
// CHECK: arith.maxsi
// CHECK: arith.maxui
func.func @signs(%s: tensor<7xi32>, %u: tensor<7xui32>) -> (tensor<7xi32>, tensor<7xui32>) {
  %0 = stablehlo.maximum %s, %s : tensor<7xi32>
  %1 = stablehlo.maximum %u, %u : tensor<7xui32>
  return %0, %1 : tensor<7xi32>, tensor<7xui32>
}

// On booleans addition is or, multiplication and.
// CHECK-LABEL: func.func @booleans
// CHECK: arith.ori {{.*}} : i1
// CHECK: arith.andi {{.*}} : i1
// CHECK: arith.xori {{.*}} : i1
func.func @booleans(%x: tensor<7xi1>, %y: tensor<7xi1>) -> tensor<7xi1> {
  %0 = stablehlo.add %x, %y : tensor<7xi1>
  %1 = stablehlo.multiply %0, %y : tensor<7xi1>
  %2 = stablehlo.not %1 : tensor<7xi1>
  return %2 : tensor<7xi1>
}

// Division by zero gives -1, the overflowing division its dividend. Floats divide, since they do so in vectors.
// CHECK-LABEL: func.func @signed_division
// CHECK: ^bb{{.*}}([[X:%.+]]: i32, [[Y:%.+]]: i32, {{%.+}}: i32):
// CHECK-NEXT: [[ZERO:%.+]] = arith.cmpi eq, [[Y]], {{%.+}} : i32
// CHECK-NEXT: [[LOW:%.+]] = arith.cmpi eq, [[X]], {{%.+}} : i32
// CHECK-NEXT: [[ONE:%.+]] = arith.cmpi eq, [[Y]], {{%.+}} : i32
// CHECK-NEXT: [[OVERFLOW:%.+]] = arith.andi [[LOW]], [[ONE]] : i1
// CHECK-NEXT: [[BAD:%.+]] = arith.ori [[ZERO]], [[OVERFLOW]] : i1
// CHECK-NEXT: [[SAFE:%.+]] = arith.select [[BAD]], {{%.+}}, [[Y]] : i32
// CHECK-NEXT: [[DIVIDEND:%.+]] = arith.sitofp [[X]] : i32 to f64
// CHECK-NEXT: [[DIVISOR:%.+]] = arith.sitofp [[SAFE]] : i32 to f64
// CHECK-NEXT: [[RATIO:%.+]] = arith.divf [[DIVIDEND]], [[DIVISOR]] : f64
// CHECK-NEXT: [[Q:%.+]] = arith.fptosi [[RATIO]] : f64 to i32
// CHECK-NEXT: arith.select [[ZERO]], {{%.+}}, [[Q]] : i32
func.func @signed_division(%x: tensor<7xi32>, %y: tensor<7xi32>) -> tensor<7xi32> {
  %0 = stablehlo.divide %x, %y : tensor<7xi32>
  return %0 : tensor<7xi32>
}

// The digits of the quotient but the last are under a condition, in a loop.
// CHECK-LABEL: func.func @remainder
// CHECK: [[MORE:%.+]] = arith.cmpf oge
// CHECK: [[REST:%.+]] = scf.if [[MORE]] -> (f64) {
// CHECK: scf.for
// CHECK: arith.divf
// CHECK: [[SCALED:%.+]] = arith.mulf [[REST]],
// CHECK: arith.divf [[SCALED]],
// CHECK: math.copysign
func.func @remainder(%x: tensor<7xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
  %0 = stablehlo.remainder %x, %y : tensor<7xf64>
  return %0 : tensor<7xf64>
}

// Constant divisors and shift amounts need no guard.
// CHECK-LABEL: func.func @constant_operands
// CHECK-NOT: arith.select
// CHECK: arith.divsi
// CHECK: arith.remui
// CHECK: arith.shli
// CHECK: arith.subi
// CHECK-NOT: arith.select
func.func @constant_operands(%x: tensor<7xi32>, %u: tensor<7xui32>) -> (tensor<7xi32>, tensor<7xui32>) {
  %c = stablehlo.constant dense<3> : tensor<7xi32>
  %d = stablehlo.constant dense<3> : tensor<7xui32>
  %m = stablehlo.constant dense<-1> : tensor<7xi32>
  %0 = stablehlo.divide %x, %c : tensor<7xi32>
  %1 = stablehlo.remainder %u, %d : tensor<7xui32>
  %2 = stablehlo.shift_left %0, %c : tensor<7xi32>
  %3 = stablehlo.divide %2, %m : tensor<7xi32>
  return %3, %1 : tensor<7xi32>, tensor<7xui32>
}

// A shift by the width or more gives 0, or the sign.
// CHECK-LABEL: func.func @shifts
// CHECK: [[SHIFTED:%.+]] = arith.shrui [[X:%.+]], [[N:%.+]] : i8
// CHECK-NEXT: [[IN:%.+]] = arith.cmpi ult, [[N]], {{%.+}} : i8
// CHECK-NEXT: arith.select [[IN]], [[SHIFTED]], {{%.+}} : i8
// CHECK: [[AMOUNT:%.+]] = arith.minui {{%.+}}, {{%.+}} : i8
// CHECK-NEXT: arith.shrsi {{%.+}}, [[AMOUNT]] : i8
func.func @shifts(%x: tensor<7xi8>, %n: tensor<7xi8>) -> tensor<7xi8> {
  %0 = stablehlo.shift_right_logical %x, %n : tensor<7xi8>
  %1 = stablehlo.shift_right_arithmetic %0, %n : tensor<7xi8>
  return %1 : tensor<7xi8>
}

// 16-bit floats compute elementary functions in f32, arithmetic as they are.
// CHECK-LABEL: func.func @half
// CHECK: arith.addf {{.*}} : bf16
// CHECK: [[WIDE:%.+]] = arith.extf {{%.+}} : bf16 to f32
// CHECK-NEXT: [[R:%.+]] = math.exp [[WIDE]] : f32
// CHECK-NEXT: arith.truncf [[R]] : f32 to bf16
func.func @half(%x: tensor<7xbf16>) -> tensor<7xbf16> {
  %0 = stablehlo.add %x, %x : tensor<7xbf16>
  %1 = stablehlo.exponential %0 : tensor<7xbf16>
  return %1 : tensor<7xbf16>
}

// NE is true for NaN; without a comparison type the element type decides.
// CHECK-LABEL: func.func @comparisons
// CHECK: arith.cmpf une,
// CHECK: arith.cmpf olt,
// CHECK: arith.cmpi slt,
// CHECK: arith.cmpi ult,
func.func @comparisons(%x: tensor<7xf32>, %s: tensor<7xi32>, %u: tensor<7xui32>)
    -> (tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>) {
  %0 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %1 = stablehlo.compare LT, %x, %x : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  %2 = stablehlo.compare LT, %s, %s, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  %3 = stablehlo.compare LT, %u, %u, UNSIGNED : (tensor<7xui32>, tensor<7xui32>) -> tensor<7xi1>
  return %0, %1, %2, %3 : tensor<7xi1>, tensor<7xi1>, tensor<7xi1>, tensor<7xi1>
}

// The total order compares the bits, those of negative numbers flipped.
// CHECK-LABEL: func.func @total_order
// CHECK: [[BITS:%.+]] = arith.bitcast {{%.+}} : f32 to i32
// CHECK-NEXT: [[SIGN:%.+]] = arith.shrsi [[BITS]], {{%.+}} : i32
// CHECK-NEXT: [[FLIP:%.+]] = arith.shrui [[SIGN]], {{%.+}} : i32
// CHECK-NEXT: arith.xori [[BITS]], [[FLIP]] : i32
// CHECK: arith.cmpi slt, {{.*}} : i32
func.func @total_order(%x: tensor<7xf32>, %y: tensor<7xf32>) -> tensor<7xi1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  return %0 : tensor<7xi1>
}

// A predicate or bounds of rank 0 are read at every point.
// CHECK-LABEL: func.func @scalar_operands
// CHECK: indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME: ins(%p, %x, %y : tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>)
// CHECK: arith.select
// CHECK: indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK: [[RAISED:%.+]] = arith.maximumf
// CHECK-NEXT: arith.minimumf [[RAISED]],
func.func @scalar_operands(%p: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %low: tensor<f32>) -> tensor<2x3xf32> {
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2x3xf32>
  %1 = stablehlo.clamp %low, %0, %high : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// Rank 0 is no exception; nothing is computed for a tensor without elements.
// CHECK-LABEL: func.func @rank_0
// CHECK: linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x : tensor<f32>)
// CHECK: [[NOTHING:%.+]] = tensor.empty() : tensor<0x3xf32>
// CHECK-NEXT: return %{{.*}}, [[NOTHING]]
func.func @rank_0(%x: tensor<f32>, %e: tensor<0x3xf32>) -> (tensor<f32>, tensor<0x3xf32>) {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.sqrt %e : tensor<0x3xf32>
  return %0, %1 : tensor<f32>, tensor<0x3xf32>
}

// CHECK-LABEL: func.func @special
// CHECK: [[UNIT:%.+]] = math.copysign
// CHECK-NEXT: [[KEEPS:%.+]] = arith.cmpf ueq,
// CHECK-NEXT: [[ZERO:%.+]] = arith.addf [[X:%.+]], [[X]] : f32
// CHECK-NEXT: arith.select [[KEEPS]], [[ZERO]], [[UNIT]] : f32
// CHECK: math.absf
// CHECK-NEXT: arith.cmpf olt,
func.func @special(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xi1>) {
  %0 = stablehlo.sign %x : tensor<7xf32>
  %1 = stablehlo.is_finite %x : (tensor<7xf32>) -> tensor<7xi1>
  return %0, %1 : tensor<7xf32>, tensor<7xi1>
}

// Most digits of the quotient of single numbers are under a condition; those of elements would be in the way of vectors.
// CHECK-LABEL: @remainder_of_numbers
// CHECK:         scf.if
// CHECK-LABEL: @remainder_of_elements
// CHECK-NOT:     scf.if
// CHECK:         linalg.yield
func.func public @remainder_of_numbers(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.remainder %x, %y : tensor<f32>
  func.return %0 : tensor<f32>
}
func.func public @remainder_of_elements(%x: tensor<7xf32>, %y: tensor<7xf32>) -> tensor<7xf32> {
  %0 = stablehlo.remainder %x, %y : tensor<7xf32>
  func.return %0 : tensor<7xf32>
}
