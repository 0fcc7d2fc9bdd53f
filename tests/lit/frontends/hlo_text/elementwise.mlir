// RUN: xla-opt %s -t hlo --split-input-file | filecheck %s

// CHECK-LABEL: HloModule unary, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
// CHECK: ENTRY %main (x: f32[4]) -> f32[4] {
// CHECK-NEXT: %x = f32[4] parameter(0)
module @unary {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // CHECK-NEXT: %a = f32[4] abs(%x)
    %a = stablehlo.abs %x : tensor<4xf32>
    // CHECK-NEXT: %b = f32[4] cbrt(%a)
    %b = stablehlo.cbrt %a : tensor<4xf32>
    // CHECK-NEXT: %c = f32[4] exponential-minus-one(%b)
    %c = stablehlo.exponential_minus_one %b : tensor<4xf32>
    // CHECK-NEXT: %d = f32[4] round-nearest-even(%c)
    %d = stablehlo.round_nearest_even %c : tensor<4xf32>
    // CHECK-NEXT: %e = f32[4] erf(%d)
    %e = chlo.erf %d : tensor<4xf32> -> tensor<4xf32>
    // CHECK-NEXT: %f = f32[4] logistic(%e)
    %f = stablehlo.logistic %e : tensor<4xf32>
    // CHECK-NEXT: %g = f32[4] tan(%f)
    %g = chlo.tan %f : tensor<4xf32> -> tensor<4xf32>
    // CHECK-NEXT: %h = f32[4] reduce-precision(%g), exponent_bits=5, mantissa_bits=10
    %h = stablehlo.reduce_precision %g, format = e5m10 : tensor<4xf32>
    // A function that XLA has no instruction for, on the CPU at least, is decomposed.
    // CHECK-NEXT: %[[S:.+]] = f32[4] multiply(%h, %h)
    // CHECK-NEXT: ROOT %{{.+}} = f32[4] negate(%[[S]])
    %i = chlo.square %h : tensor<4xf32> -> tensor<4xf32>
    %j = stablehlo.negate %i : tensor<4xf32>
    return %j : tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: HloModule mixed
// CHECK: ENTRY
module @mixed {
  func.func @main(%x: tensor<4xi32>, %p: tensor<i1>, %f: tensor<4xf32>, %low: tensor<i32>) -> tensor<4xi32> {
    // CHECK: %a = s32[4] shift-right-logical(%x, %x)
    %a = stablehlo.shift_right_logical %x, %x : tensor<4xi32>
    // The order is that of the type, or the total one.
    // CHECK-NEXT: %b = pred[4] compare(%x, %a), direction=GT{{$}}
    %b = stablehlo.compare GT, %x, %a, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    // CHECK-NEXT: %c = pred[4] compare(%f, %f), direction=LE, type=TOTALORDER
    %c = stablehlo.compare LE, %f, %f, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    // Scalars are repeated: operands have one shape.
    // CHECK-NEXT: %[[P:.+]] = pred[4] broadcast(%p), dimensions={}
    // CHECK-NEXT: %d = s32[4] select(%[[P]], %x, %a)
    %d = stablehlo.select %p, %x, %a : tensor<i1>, tensor<4xi32>
    // CHECK-NEXT: %[[LOW:.+]] = s32[4] broadcast(%low), dimensions={}
    // CHECK-NEXT: %[[HIGH:.+]] = s32[4] broadcast(%low), dimensions={}
    // CHECK-NEXT: %e = s32[4] clamp(%[[LOW]], %d, %[[HIGH]])
    %e = stablehlo.clamp %low, %d, %low : (tensor<i32>, tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    // CHECK-NEXT: %g = u8[4] convert(%e)
    %g = stablehlo.convert %e : (tensor<4xi32>) -> tensor<4xui8>
    // CHECK-NEXT: %h = c64[4] complex(%f, %f)
    %h = stablehlo.complex %f, %f : tensor<4xcomplex<f32>>
    // CHECK-NEXT: %[[Z:.+]] = c64[] constant((0, 0))
    // CHECK-NEXT: %[[ZEROS:.+]] = c64[4] broadcast(%[[Z]]), dimensions={}
    // CHECK-NEXT: = pred[4] compare(%h, %[[ZEROS]]), direction=NE
    %nonzero = stablehlo.convert %h : (tensor<4xcomplex<f32>>) -> tensor<4xi1>
    // Converting a complex number to a real one takes its real part.
    // CHECK-NEXT: %[[R:.+]] = f32[4] real(%h)
    // CHECK-NEXT: ROOT %i = s32[4] convert(%[[R]])
    %i = stablehlo.convert %h : (tensor<4xcomplex<f32>>) -> tensor<4xi32>
    return %i : tensor<4xi32>
  }
}
