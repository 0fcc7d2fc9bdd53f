// RUN: xla-opt %s -p stablehlo-fold-constants --split-input-file | filecheck %s

// Constants are what the program would compute.

// CHECK-LABEL: @flushed
// CHECK: stablehlo.constant dense<0.000000e+00> : tensor<f32>
builtin.module attributes {xrt.denormals = "flush"} {
  func.func @flushed() -> tensor<f32> {
    %x = stablehlo.constant dense<2.0e-38> : tensor<f32>
    %y = stablehlo.constant dense<0.25> : tensor<f32>
    %0 = stablehlo.multiply %x, %y : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

// CHECK-LABEL: @preserved
// CHECK: stablehlo.constant dense<{{.*}}e-39> : tensor<f32>
builtin.module attributes {xrt.denormals = "preserve"} {
  func.func @preserved() -> tensor<f32> {
    %x = stablehlo.constant dense<2.0e-38> : tensor<f32>
    %y = stablehlo.constant dense<0.25> : tensor<f32>
    %0 = stablehlo.multiply %x, %y : tensor<f32>
    return %0 : tensor<f32>
  }
}
