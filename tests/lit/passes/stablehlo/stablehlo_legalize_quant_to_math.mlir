// RUN: xla-opt %s -p stablehlo-legalize-quant-to-math --split-input-file | filecheck %s

// Subtract the zero point, convert, scale; divide, round, clamp, add the zero point.

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME:    ([[X:%.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    [[SCALE:%.+]] = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.divide [[X]], [[SCALE]] : tensor<4xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.round_nearest_even [[D]] : tensor<4xf32>
// CHECK-NEXT:    [[I:%.+]] = stablehlo.convert [[R]] : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT:    [[LOW:%.+]] = stablehlo.constant dense<-131> : tensor<i32>
// CHECK-NEXT:    [[HIGH:%.+]] = stablehlo.constant dense<124> : tensor<i32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.clamp [[LOW]], [[I]], [[HIGH]] : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.constant dense<3> : tensor<4xi32>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.add [[C]], [[Z]] : tensor<4xi32>
// CHECK-NEXT:    [[Q:%.+]] = stablehlo.convert [[S]] : (tensor<4xi32>) -> tensor<4xi8>
// CHECK-NEXT:    [[J:%.+]] = stablehlo.convert [[Q]] : (tensor<4xi8>) -> tensor<4xi32>
// CHECK-NEXT:    [[Z2:%.+]] = stablehlo.constant dense<3> : tensor<4xi32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.subtract [[J]], [[Z2]] : tensor<4xi32>
// CHECK-NEXT:    [[F:%.+]] = stablehlo.convert [[T]] : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT:    [[SCALE2:%.+]] = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT:    [[M:%.+]] = stablehlo.multiply [[F]], [[SCALE2]] : tensor<4xf32>
// CHECK-NEXT:    func.return [[M]] : tensor<4xf32>
func.func @there_and_back(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Parameters of an axis are constants along it; integers of 32 bits are computed with as 64.

// CHECK-LABEL: func.func @axis
// CHECK-SAME:    ([[X:%.+]]: tensor<2x3xi32>) -> tensor<2x3xf64>
// CHECK-NEXT:    [[I:%.+]] = stablehlo.convert [[X]] : (tensor<2x3xi32>) -> tensor<2x3xi64>
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.constant dense<[1, 0, 7]> : tensor<3xi64>
// CHECK-NEXT:    [[ZB:%.+]] = stablehlo.broadcast_in_dim [[Z]], dims = [1] : (tensor<3xi64>) -> tensor<2x3xi64>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.subtract [[I]], [[ZB]] : tensor<2x3xi64>
// CHECK-NEXT:    [[F:%.+]] = stablehlo.convert [[T]] : (tensor<2x3xi64>) -> tensor<2x3xf64>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.constant dense<[5.000000e-01, 2.000000e+00, 1.000000e+00]> : tensor<3xf64>
// CHECK-NEXT:    [[SB:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [1] : (tensor<3xf64>) -> tensor<2x3xf64>
// CHECK-NEXT:    stablehlo.multiply [[F]], [[SB]] : tensor<2x3xf64>
func.func @axis(%x: tensor<2x3x!quant.uniform<i32:f64:1, {0.5:1, 2.0, 1.0:7}>>) -> tensor<2x3xf64> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x3x!quant.uniform<i32:f64:1, {0.5:1, 2.0, 1.0:7}>>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// -----

// Products whose result is quantised add up in f64 and are rounded once; with real activations they stay as they are.

// CHECK-LABEL: func.func @products
// CHECK:         stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [1] x [0] : (tensor<4x8xf64>, tensor<8x2xf64>) -> tensor<4x2xf64>
// CHECK-NEXT:    stablehlo.convert {{%.+}} : (tensor<4x2xf64>) -> tensor<4x2xf32>
// CHECK:         stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    func.return
func.func @products(%x: tensor<4x8xf32>, %q: tensor<4x8x!quant.uniform<i8:f32, 0.5>>, %w: tensor<8x2x!quant.uniform<i8:f32, 0.1>>) -> (tensor<4x2x!quant.uniform<i8:f32, 0.3:1>>, tensor<4x2xf32>) {
  %0 = stablehlo.dot_general %q, %w, contracting_dims = [1] x [0] : (tensor<4x8x!quant.uniform<i8:f32, 0.5>>, tensor<8x2x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.3:1>>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2x!quant.uniform<i8:f32, 0.3:1>>, tensor<4x2xf32>
}

// -----

// Elements that move, constants and casts of what is stored: only types change.

// CHECK-LABEL: func.func @moved
// CHECK-SAME:    ([[X:%.+]]: tensor<2x2xui8>) -> (tensor<2x2xui8>, tensor<2x2xui8>, tensor<2xui8>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[X]], dims = [1, 0] : (tensor<2x2xui8>) -> tensor<2x2xui8>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
// CHECK-NEXT:    func.return [[T]], [[X]], [[C]]
func.func @moved(%x: tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>) -> (tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>, tensor<2x2xui8>, tensor<2x!quant.uniform<u8:f32, 0.5:1>>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>
  %1 = stablehlo.bitcast_convert %x : (tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>) -> tensor<2x2xui8>
  %2 = stablehlo.constant() <{value = dense<[1, -1]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<u8:f32, 0.5:1>>
  return %0, %1, %2 : tensor<2x2x!quant.uniform<u8:f32, 0.5:1>>, tensor<2x2xui8>, tensor<2x!quant.uniform<u8:f32, 0.5:1>>
}

// -----

// A region computes on what is stored; a comparison of real numbers is one of floats.

// CHECK-LABEL: func.func @region
// CHECK:         stablehlo.sort
// CHECK-NEXT:    [[A:%.+]]: tensor<i8>, [[B:%.+]]: tensor<i8>
// CHECK:         stablehlo.compare LT, {{%.+}}, {{%.+}}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK:         : (tensor<4xi8>) -> tensor<4xi8>
func.func @region(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<i8:f32, 0.5>>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// -----

// Nothing to do.

// CHECK-LABEL: func.func @real
// CHECK-NEXT:    [[R:%.+]] = stablehlo.add {{%.+}}, {{%.+}} : tensor<4xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @real(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
