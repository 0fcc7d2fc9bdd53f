// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @compare
// CHECK-NEXT: %EQ = stablehlo.compare EQ, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %NE = stablehlo.compare NE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %GE = stablehlo.compare GE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %GT = stablehlo.compare GT, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %LE = stablehlo.compare LE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %LT = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %total = stablehlo.compare LT, %x, %x, TOTALORDER {note} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %default = stablehlo.compare LT, %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %signed = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
// CHECK-NEXT: %unsigned = stablehlo.compare LT, %u, %u, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
// CHECK-NEXT: %complex = stablehlo.compare EQ, %z, %z, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
// CHECK-NEXT: %boolean = stablehlo.compare NE, %p, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
func.func @compare(%x: tensor<4x6xf32>, %i: tensor<4x6xi32>, %u: tensor<ui8>, %z: tensor<2xcomplex<f32>>, %p: tensor<i1>) {
  %EQ = stablehlo.compare EQ, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %NE = stablehlo.compare NE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %GE = stablehlo.compare GE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %GT = stablehlo.compare GT, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %LE = stablehlo.compare LE, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %LT = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %total = stablehlo.compare LT, %x, %x, TOTALORDER {note} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %default = stablehlo.compare LT, %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %signed = stablehlo.compare LT, %i, %i, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
  %unsigned = stablehlo.compare LT, %u, %u, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %complex = stablehlo.compare EQ, %z, %z, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  %boolean = stablehlo.compare NE, %p, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @choose
// CHECK-NEXT: %clamp = stablehlo.clamp %x, %x, %x : tensor<4x6xf32>
// CHECK-NEXT: %bounds = stablehlo.clamp %f, %x, %f : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT: %scalar = stablehlo.select %p, %x, %x : tensor<i1>, tensor<4x6xf32>
// CHECK-NEXT: %each = stablehlo.select %q, %x, %x {note} : tensor<4x6xi1>, tensor<4x6xf32>
// CHECK-NEXT: %dynamic = stablehlo.select %q, %x, %x : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
func.func @choose(%x: tensor<4x6xf32>, %f: tensor<f32>, %p: tensor<i1>, %q: tensor<4x6xi1>) {
  %clamp = stablehlo.clamp %x, %x, %x : tensor<4x6xf32>
  %bounds = stablehlo.clamp %f, %x, %f : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %scalar = stablehlo.select %p, %x, %x : tensor<i1>, tensor<4x6xf32>
  %each = stablehlo.select %q, %x, %x {note} : tensor<4x6xi1>, tensor<4x6xf32>
  %dynamic = stablehlo.select %q, %x, %x : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
  return
}
