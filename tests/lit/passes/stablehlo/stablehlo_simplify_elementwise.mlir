// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// CHECK-LABEL: func.func @neutral_floats
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    func.return [[X]], [[X]], [[X]], [[X]], [[X]], [[X]]
func.func @neutral_floats(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %minus_zero = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %minus_infinity = stablehlo.constant dense<0xFF800000> : tensor<4xf32>
  %0 = stablehlo.add %x, %minus_zero : tensor<4xf32>
  %1 = stablehlo.subtract %x, %zero : tensor<4xf32>
  %2 = stablehlo.multiply %one, %x : tensor<4xf32>
  %3 = stablehlo.divide %x, %one : tensor<4xf32>
  %4 = stablehlo.maximum %minus_infinity, %x : tensor<4xf32>
  %5 = stablehlo.power %x, %one : tensor<4xf32>
  func.return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Not neutral: x + 0.0 for x = -0.0, x - -0.0, 0.0 - x, x * 0.0, x - x for infinities.

// CHECK-LABEL: func.func @not_neutral
// CHECK:         stablehlo.add
// CHECK-NEXT:    stablehlo.subtract
// CHECK-NEXT:    stablehlo.subtract
// CHECK-NEXT:    stablehlo.multiply
// CHECK-NEXT:    stablehlo.subtract
// CHECK-NEXT:    func.return
func.func @not_neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %minus_zero = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  %1 = stablehlo.subtract %x, %minus_zero : tensor<4xf32>
  %2 = stablehlo.subtract %zero, %x : tensor<4xf32>
  %3 = stablehlo.multiply %x, %zero : tensor<4xf32>
  %4 = stablehlo.subtract %x, %x : tensor<4xf32>
  func.return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK-SAME:  ([[X:%.+]]: tensor<i32>, [[U:%.+]]: tensor<ui8>, [[B:%.+]]: tensor<i1>)
// CHECK-DAG:     [[ZERO:%.+]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-DAG:     [[FALSE:%.+]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK-NEXT:    func.return [[X]], [[ZERO]], [[ZERO]], [[U]], [[B]], [[FALSE]]
func.func @integers(%x: tensor<i32>, %u: tensor<ui8>, %b: tensor<i1>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui8>, tensor<i1>, tensor<i1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.add %zero, %x : tensor<i32>
  %1 = stablehlo.multiply %x, %zero : tensor<i32>
  %2 = stablehlo.subtract %x, %x : tensor<i32>
  %largest = stablehlo.constant dense<255> : tensor<ui8>
  %3 = stablehlo.minimum %u, %largest : tensor<ui8>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %4 = stablehlo.and %b, %true : tensor<i1>
  %5 = stablehlo.compare LT, %x, %x, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  func.return %0, %1, %2, %3, %4, %5 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui8>, tensor<i1>, tensor<i1>
}

// NaN differs from itself.

// CHECK-LABEL: func.func @compare_float
// CHECK-NEXT:    stablehlo.compare EQ
func.func @compare_float(%x: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare EQ, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  func.return %0 : tensor<i1>
}

// CHECK-LABEL: func.func @divide
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.constant dense<-1.250000e-01> : tensor<4xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[X]], [[R]]
// CHECK-NEXT:    [[THREE:%.+]] = stablehlo.constant dense<3.000000e+00>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.divide [[X]], [[THREE]]
// CHECK-NEXT:    [[HUGE:%.+]] = stablehlo.constant dense<1.701
// CHECK-NEXT:    [[C:%.+]] = stablehlo.divide [[X]], [[HUGE]]
// CHECK-NEXT:    func.return [[A]], [[B]], [[C]]
func.func @divide(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %minus_eight = stablehlo.constant dense<-8.0> : tensor<4xf32>
  %0 = stablehlo.divide %x, %minus_eight : tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %1 = stablehlo.divide %x, %three : tensor<4xf32>
  %huge = stablehlo.constant dense<0x7F000000> : tensor<4xf32>
  %2 = stablehlo.divide %x, %huge : tensor<4xf32>
  func.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @powers
// CHECK-SAME:  ([[X:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[X]], [[X]]
// CHECK-NEXT:    [[HALF:%.+]] = stablehlo.constant dense<5.000000e-01>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.power [[X]], [[HALF]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.negate [[X]]
// CHECK-NEXT:    func.return [[A]], [[B]], [[C]]
func.func @powers(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.power %x, %two : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = stablehlo.power %x, %half : tensor<f32>
  %minus_one = stablehlo.constant dense<-1.0> : tensor<f32>
  %2 = stablehlo.multiply %x, %minus_one : tensor<f32>
  func.return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Conversions combine if the first one loses nothing: not f32 to bf16, not i32 to f32.

// CHECK-LABEL: func.func @conversions
// CHECK-SAME:  ([[X:%.+]]: tensor<bf16>, [[Y:%.+]]: tensor<f32>, [[I:%.+]]: tensor<i32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.convert [[X]] : (tensor<bf16>) -> tensor<f64>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.convert [[Y]] : (tensor<f32>) -> tensor<bf16>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.convert [[B]] : (tensor<bf16>) -> tensor<f32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.convert [[I]] : (tensor<i32>) -> tensor<f32>
// CHECK-NEXT:    [[E:%.+]] = stablehlo.convert [[D]] : (tensor<f32>) -> tensor<i32>
// CHECK-NEXT:    func.return [[A]], [[X]], [[C]], [[E]]
func.func @conversions(%x: tensor<bf16>, %y: tensor<f32>, %i: tensor<i32>) -> (tensor<f64>, tensor<bf16>, tensor<f32>, tensor<i32>) {
  %0 = stablehlo.convert %x : (tensor<bf16>) -> tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<f64>
  %2 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  %3 = stablehlo.convert %y : (tensor<f32>) -> tensor<bf16>
  %4 = stablehlo.convert %3 : (tensor<bf16>) -> tensor<f32>
  %5 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %6 = stablehlo.convert %5 : (tensor<f32>) -> tensor<i32>
  func.return %1, %2, %4, %6 : tensor<f64>, tensor<bf16>, tensor<f32>, tensor<i32>
}

// CHECK-LABEL: func.func @selects
// CHECK-SAME:  ([[P:%.+]]: tensor<4xi1>, [[X:%.+]]: tensor<4xf32>, [[Y:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.select [[P]], [[Y]], [[X]]
// CHECK-NEXT:    func.return [[Y]], [[X]], [[A]], [[P]]
func.func @selects(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %false, %x, %y : tensor<i1>, tensor<4xf32>
  %1 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  %2 = stablehlo.not %p : tensor<4xi1>
  %3 = stablehlo.select %2, %x, %y : tensor<4xi1>, tensor<4xf32>
  %all = stablehlo.constant dense<true> : tensor<4xi1>
  %none = stablehlo.constant dense<false> : tensor<4xi1>
  %4 = stablehlo.select %p, %all, %none : tensor<4xi1>, tensor<4xi1>
  func.return %0, %1, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @involutions
// CHECK-SAME:  ([[X:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.abs [[X]]
// CHECK-NEXT:    func.return [[X]], [[A]]
func.func @involutions(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<f32>
  %1 = stablehlo.negate %0 : tensor<f32>
  %2 = stablehlo.abs %0 : tensor<f32>
  func.return %1, %2 : tensor<f32>, tensor<f32>
}

// Complex products are left alone.

// CHECK-LABEL: func.func @complex_numbers
// CHECK:         stablehlo.multiply
// CHECK-NEXT:    func.return
func.func @complex_numbers(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.multiply %x, %one : tensor<complex<f32>>
  func.return %0 : tensor<complex<f32>>
}
