// RUN: xla-opt %s -t hlo --split-input-file | filecheck %s

// CHECK: ENTRY
module @constants {
  func.func @main() -> tensor<f32> {
    // CHECK: %a = s32[2,3] constant({{[{][{]}}1, -2, 3}, {4, 5, 6{{[}][}]}})
    %a = stablehlo.constant dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi32>
    // Equal elements are the broadcast of a scalar; so are none.
    // CHECK-NEXT: %[[B:.+]] = u8[] constant(7)
    // CHECK-NEXT: %{{.+}} = u8[2,2] broadcast(%[[B]]), dimensions={}
    %b = stablehlo.constant dense<7> : tensor<2x2xui8>
    // CHECK-NEXT: %[[C:.+]] = f32[] constant(0.0)
    // CHECK-NEXT: %{{.+}} = f32[0,2] broadcast(%[[C]]), dimensions={}
    %c = stablehlo.constant dense<> : tensor<0x2xf32>
    // CHECK-NEXT: %d = pred[3] constant({true, false, true})
    %d = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    // CHECK-NEXT: %e = f32[6] constant({0.1, inf, -inf, nan, -nan(0x1), -0.0})
    %e = stablehlo.constant dense<[0.1, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001, -0.0]> : tensor<6xf32>
    // CHECK-NEXT: %f = c64[2] constant({(1.0, -inf), (-2.5, 0.0)})
    %f = stablehlo.constant dense<[(1.0, 0xFF800000), (-2.5, 0.0)]> : tensor<2xcomplex<f32>>
    // CHECK-NEXT: %g = s4[2] constant({-8, 7})
    %g = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
    // CHECK-NEXT: %h = f8e5m2[3] constant({1.0, inf, nan})
    %h = stablehlo.constant dense<[1.0, 0x7C, 0x7E]> : tensor<3xf8E5M2>
    // CHECK-NEXT: %i = bf16[2] constant({3.140625, nan(0x1)})
    %i = stablehlo.constant dense<[3.14, 0x7F81]> : tensor<2xbf16>
    // CHECK-NEXT: ROOT %j = f32[] constant(1e-45)
    %j = stablehlo.constant dense<1.0e-45> : tensor<f32>
    return %j : tensor<f32>
  }
}
