// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @floats
// CHECK-NEXT: %cst = stablehlo.constant dense<0xFF800000> : tensor<2x3xf32>
// CHECK-NEXT: %cst_1 = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 1.500000e+00]> : tensor<3xf32>
// CHECK-NEXT: %cst_2 = stablehlo.constant dense<(0x7F800000,1.000000e+00)> : tensor<complex<f32>>
// CHECK-NEXT: %cst_3 = stablehlo.constant dense<[(0x7F800000,1.000000e+00), (2.000000e+00,3.000000e+00)]> : tensor<2xcomplex<f32>>
// CHECK-NEXT: %cst_4 = stablehlo.constant dense<0x7F80> : tensor<bf16>
// CHECK-NEXT: %cst_5 = stablehlo.constant dense<0x7E00> : tensor<3xf16>
// CHECK-NEXT: %cst_6 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
// CHECK-NEXT: %cst_7 = stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
// CHECK-NEXT: %cst_8 = stablehlo.constant dense<[1.000000e+00, 0x7E]> : tensor<2xf8E5M2>
// CHECK-NEXT: %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<2xf4E2M1FN>
// CHECK-NEXT: %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f8E8M0FNU>
// CHECK-NEXT: %cst_11 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
// CHECK-NEXT: %cst_13 = stablehlo.constant dense<3.332520e-01> : tensor<f16>
// CHECK-NEXT: %cst_14 = stablehlo.constant dense<0x4CEB79A3> : tensor<f32>
// CHECK-NEXT: %cst_15 = stablehlo.constant dense<> : tensor<0x3xf32>
func.func @floats() {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<2x3xf32>
  %cst_0 = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 1.500000e+00]> : tensor<3xf32>
  %cst_1 = stablehlo.constant dense<(0x7F800000,1.000000e+00)> : tensor<complex<f32>>
  %cst_2 = stablehlo.constant dense<[(0x7F800000,1.000000e+00), (2.000000e+00,3.000000e+00)]> : tensor<2xcomplex<f32>>
  %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %cst_4 = stablehlo.constant dense<0x7E00> : tensor<3xf16>
  %cst_5 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %cst_6 = stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
  %cst_7 = stablehlo.constant dense<[1.000000e+00, 0x7E]> : tensor<2xf8E5M2>
  %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<2xf4E2M1FN>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f8E8M0FNU>
  %cst_10 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
  %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
  %cst_12 = stablehlo.constant dense<3.332520e-01> : tensor<f16>
  %cst_13 = stablehlo.constant dense<0x4CEB79A3> : tensor<f32>
  %cst_14 = stablehlo.constant dense<> : tensor<0x3xf32>
  return
}

// CHECK-LABEL: func.func @integers
// CHECK-NEXT: %c = stablehlo.constant dense<true> : tensor<2x2xi1>
// CHECK-NEXT: %c_1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: %c_2 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
// CHECK-NEXT: %c_3 = stablehlo.constant dense<[1, 2, 15]> : tensor<3xui4>
// CHECK-NEXT: %c_4 = stablehlo.constant dense<[-1, 1]> : tensor<2xi2>
// CHECK-NEXT: %c_5 = stablehlo.constant dense<255> : tensor<ui8>
// CHECK-NEXT: %c_6 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
// CHECK-NEXT: %c_7 = stablehlo.constant dense<1> : tensor<300xi8>
// CHECK-NEXT: %c_8 = stablehlo.constant {note = 1 : i32} dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>
// CHECK-NEXT: %c_9 = stablehlo.constant dense<> : tensor<2x0xi32>
func.func @integers() {
  %c = stablehlo.constant dense<true> : tensor<2x2xi1>
  %c_0 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %c_1 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
  %c_2 = stablehlo.constant dense<[1, 2, 15]> : tensor<3xui4>
  %c_3 = stablehlo.constant dense<[-1, 1]> : tensor<2xi2>
  %c_4 = stablehlo.constant dense<255> : tensor<ui8>
  %c_5 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %c_6 = stablehlo.constant dense<1> : tensor<300xi8>
  %c_7 = stablehlo.constant {note = 1 : i32} dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %c_8 = stablehlo.constant dense<> : tensor<2x0xi32>
  return
}

// Constants of more than 100 elements are the bytes of their elements.
// CHECK-LABEL: func.func @bytes
// CHECK-NEXT: %c = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F6061626364"> : tensor<101xi8>
// CHECK-NEXT: %c_1 = stablehlo.constant dense<"0x0001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100"> : tensor<101xi1>
func.func @bytes() {
  %c = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F6061626364"> : tensor<101xi8>
  %c_0 = stablehlo.constant dense<"0x0001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000100"> : tensor<101xi1>
  return
}
