func.func @f() {
  %0 = stablehlo.constant dense<0xFF800000> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 1.5]> : tensor<3xf32>
  %2 = stablehlo.constant dense<(0x7F800000, 1.0)> : tensor<complex<f32>>
  %3 = stablehlo.constant dense<[(0x7F800000, 1.0), (2.0, 3.0)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %5 = stablehlo.constant dense<0x7E00> : tensor<3xf16>
  %6 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %7 = stablehlo.constant dense<0x7F> : tensor<f8E4M3FN>
  %8 = stablehlo.constant dense<[1.0, 0x7E]> : tensor<2xf8E5M2>
  %9 = stablehlo.constant dense<true> : tensor<2x2xi1>
  %10 = stablehlo.constant dense<"0x0102030405060708"> : tensor<8xi8>
  %11 = stablehlo.constant dense<"0x05"> : tensor<8xi1>
  %12 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
  %13 = stablehlo.constant dense<[1, 2, 15]> : tensor<3xui4>
  %14 = stablehlo.constant dense<255> : tensor<ui8>
  %15 = stablehlo.constant dense<[-1, 1]> : tensor<2xi2>
  %16 = stablehlo.constant dense<> : tensor<0x3xf32>
  %17 = stablehlo.constant dense<[]> : tensor<0xf32>
  %18 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %19 = stablehlo.constant dense<"0x01"> : tensor<300xi8>
  %20 = stablehlo.constant dense<1.0e-40> : tensor<f32>
  %21 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
  %22 = stablehlo.constant dense<1.000000e+00> : tensor<f8E8M0FNU>
  %23 = stablehlo.constant dense<0xFF> : tensor<4xi8>
  %24 = stablehlo.constant dense<0.1> : tensor<f64>
  %25 = stablehlo.constant dense<1.0> : tensor<2xf4E2M1FN>
  %26 = stablehlo.constant dense<-0.0> : tensor<f32>
  %27 = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
  %28 = stablehlo.constant dense<0.333251953> : tensor<f16>
  %29 = stablehlo.constant dense<[1.0e-5, 65504.0]> : tensor<2xf16>
  %30 = stablehlo.constant dense<123456789.0> : tensor<f32>
  return
}
