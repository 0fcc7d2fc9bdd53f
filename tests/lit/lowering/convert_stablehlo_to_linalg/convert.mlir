// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Floats saturate, NaN becomes 0.
// CHECK-LABEL: func.func @to_signed
// CHECK: ^bb{{.*}}([[X:%.+]]: f32, {{%.+}}: i8):
// CHECK-NEXT: [[R0:%.+]] = arith.fptosi [[X]] : f32 to i8
// CHECK-NEXT: [[ABOVE:%.+]] = arith.cmpf oge, [[X]], {{%.+}} : f32
// CHECK-NEXT: [[R1:%.+]] = arith.select [[ABOVE]], {{%.+}}, [[R0]] : i8
// CHECK-NEXT: [[BELOW:%.+]] = arith.cmpf ole, [[X]], {{%.+}} : f32
// CHECK-NEXT: [[R2:%.+]] = arith.select [[BELOW]], {{%.+}}, [[R1]] : i8
// CHECK-NEXT: [[NUMBER:%.+]] = arith.cmpf ord, [[X]], [[X]] : f32
// CHECK-NEXT: arith.select [[NUMBER]], [[R2]], {{%.+}} : i8
func.func @to_signed(%x: tensor<7xf32>) -> tensor<7xi8> {
  %0 = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}

// CHECK-LABEL: func.func @to_unsigned
// CHECK: arith.extf {{%.+}} : f16 to f32
// CHECK-NEXT: [[R0:%.+]] = arith.fptoui {{%.+}} : f32 to i16
// CHECK-NEXT: arith.cmpf oge,
// CHECK-NEXT: [[R1:%.+]] = arith.select
// CHECK-NEXT: [[INSIDE:%.+]] = arith.cmpf ogt,
// CHECK-NEXT: arith.select [[INSIDE]], [[R1]], {{%.+}} : i16
func.func @to_unsigned(%x: tensor<7xf16>) -> tensor<7xui16> {
  %0 = stablehlo.convert %x : (tensor<7xf16>) -> tensor<7xui16>
  return %0 : tensor<7xui16>
}

// To a boolean is `!= 0`, from a boolean is 0 or 1.
// CHECK-LABEL: func.func @booleans
// CHECK: arith.cmpf une,
// CHECK: arith.cmpi ne,
// CHECK: arith.uitofp {{%.+}} : i1 to f32
// CHECK: arith.extui {{%.+}} : i1 to i32
func.func @booleans(%f: tensor<7xf32>, %i: tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>) {
  %0 = stablehlo.convert %f : (tensor<7xf32>) -> tensor<7xi1>
  %1 = stablehlo.convert %i : (tensor<7xi32>) -> tensor<7xi1>
  %2 = stablehlo.convert %1 : (tensor<7xi1>) -> tensor<7xf32>
  %3 = stablehlo.convert %0 : (tensor<7xi1>) -> tensor<7xi32>
  return %2, %3 : tensor<7xf32>, tensor<7xi32>
}

// The sign of the source decides how an integer is extended; a change of sign alone is nothing.
// CHECK-LABEL: func.func @integers
// CHECK: arith.extsi {{%.+}} : i8 to i32
// CHECK: arith.extui {{%.+}} : i8 to i32
// CHECK: arith.trunci {{%.+}} : i32 to i16
// CHECK: arith.uitofp {{%.+}} : i32 to f64
func.func @integers(%s: tensor<7xi8>, %u: tensor<7xui8>) -> (tensor<7xi16>, tensor<7xf64>) {
  %0 = stablehlo.convert %s : (tensor<7xi8>) -> tensor<7xi32>
  %1 = stablehlo.convert %u : (tensor<7xui8>) -> tensor<7xi32>
  %2 = stablehlo.convert %0 : (tensor<7xi32>) -> tensor<7xi16>
  %3 = stablehlo.convert %1 : (tensor<7xi32>) -> tensor<7xui32>
  %4 = stablehlo.convert %3 : (tensor<7xui32>) -> tensor<7xf64>
  return %2, %4 : tensor<7xi16>, tensor<7xf64>
}

// CHECK-LABEL: func.func @floats
// CHECK: arith.truncf {{%.+}} : f64 to bf16
// CHECK: [[WIDE:%.+]] = arith.extf {{%.+}} : bf16 to f32
// CHECK-NEXT: arith.truncf [[WIDE]] : f32 to f16
func.func @floats(%x: tensor<7xf64>) -> tensor<7xf16> {
  %0 = stablehlo.convert %x : (tensor<7xf64>) -> tensor<7xbf16>
  %1 = stablehlo.convert %0 : (tensor<7xbf16>) -> tensor<7xf16>
  return %1 : tensor<7xf16>
}

// Of one width a bitcast, otherwise the last dimension holds the parts, least significant first.
// CHECK-LABEL: func.func @bitcasts
// CHECK: arith.bitcast {{%.+}} : f32 to i32
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK: linalg.index 1
// CHECK: arith.shrui
// CHECK: arith.trunci {{%.+}} : i32 to i8
// CHECK: linalg.fill
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]
// CHECK: arith.shli
// CHECK: arith.ori
// CHECK: arith.bitcast {{%.+}} : i32 to f32
func.func @bitcasts(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<7xf32>) -> tensor<7xui32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<7xui32>) -> tensor<7x4xui8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<7x4xui8>) -> tensor<7xf32>
  return %2 : tensor<7xf32>
}

// Rounding on the bits of the magnitude: a carry from the dropped ones, then the range of the exponent; NaN stays.
// CHECK-LABEL: func.func @fewer_digits
// CHECK: ^bb{{.*}}([[X:%.+]]: f32, {{%.+}}: f32):
// CHECK-NEXT: [[BITS:%.+]] = arith.bitcast [[X]] : f32 to i32
// CHECK-NEXT: [[CODE:%.+]] = arith.andi [[BITS]], {{%.+}} : i32
// CHECK-NEXT: arith.shrui [[CODE]], {{%.+}} : i32
// CHECK: [[ROUNDED:%.+]] = arith.addi [[CODE]], {{%.+}} : i32
// CHECK: [[ABOVE:%.+]] = arith.cmpi ugt,
// CHECK-NEXT: arith.select [[ABOVE]], {{%.+}} : i32
// CHECK-NEXT: [[BELOW:%.+]] = arith.cmpi ule,
// CHECK-NEXT: arith.select [[BELOW]], {{%.+}} : i32
// CHECK: [[RESULT:%.+]] = arith.bitcast {{%.+}} : i32 to f32
// CHECK-NEXT: [[NAN:%.+]] = arith.cmpf uno, [[X]], [[X]] : f32
// CHECK-NEXT: arith.select [[NAN]], [[X]], [[RESULT]] : f32
func.func @fewer_digits(%x: tensor<7xf32>) -> tensor<7xf32> {
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<7xf32>
  return %0 : tensor<7xf32>
}
