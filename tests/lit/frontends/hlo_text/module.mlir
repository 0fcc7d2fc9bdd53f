// RUN: xla-opt %s -t hlo --split-input-file | filecheck %s

// CHECK: HloModule jit_f, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={(f32[2,3]{0,1}, f32[4]{0}, f32[])->(f32[], f32[2,3]{0,1})}
// CHECK: ENTRY %main (x: f32[2,3]{0,1}, y: f32[4], z: f32[]) -> (f32[], f32[2,3]) {
// CHECK: %z = f32[] parameter(2), sharding={replicated}
// CHECK-NEXT: %s = f32[2,3] sine(%x), metadata={op_name="jit(f)/sin"}
module @jit_f {
  func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}", tf.aliasing_output = 1 : i32}, %y: tensor<4xf32> {jax.buffer_donor = true}, %z: tensor<f32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32>, tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) {
    %s = stablehlo.sine %x : tensor<2x3xf32> loc("jit(f)/sin"("f.py":3:4))
    return %z, %s : tensor<f32>, tensor<2x3xf32>
  }
}

// -----

// Words that mean something in HLO are no names; what is no letter becomes one.
// CHECK: HloModule f32.1
// CHECK: ENTRY %f32.1 (arg: f32[2]) -> f32[2] {
// CHECK: %token.1 = f32[2] sine(%arg)
// CHECK: ROOT %x_y = f32[2] sine(%token.1)
module @f32 {
  func.func @f32(%0: tensor<2xf32>) -> tensor<2xf32> {
    %token = stablehlo.sine %0 : tensor<2xf32>
    %x$y = stablehlo.sine %token : tensor<2xf32>
    return %x$y : tensor<2xf32>
  }
}

// -----

// Sizes that are constants are sizes; quantised elements are integers.
// CHECK: HloModule main, entry_computation_layout={(f32[4,6]{1,0}, f32[4]{0})->(f32[24]{0}, f32[4]{0})}
// CHECK: = f32[24] reshape(%x)
// CHECK: %{{.+}} = s8[4] convert(%{{.+}})
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4xf32>) -> (tensor<24xf32>, tensor<4xf32>) {
  %sizes = stablehlo.constant dense<24> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %sizes : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<24xf32>
  %1 = stablehlo.uniform_quantize %y : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  return %0, %2 : tensor<24xf32>, tensor<4xf32>
}
