// RUN: xla-opt %s -p stablehlo-expand-bounded-dynamism --split-input-file --verify-diagnostics | filecheck %s

// The size is a value between 0 and the bound; what is behind it is neutral in a sum.

// CHECK-LABEL: func.func @sum_of_what_is_left
// CHECK-SAME:    ([[X:%.+]]: tensor<10xf32>, [[N:%.+]]: tensor<i32>) -> tensor<f32>
// CHECK:         [[WIDE:%.+]] = stablehlo.convert [[N]] : (tensor<i32>) -> tensor<i64>
// CHECK:         [[TEN:%.+]] = stablehlo.constant dense<10> : tensor<i64>
// CHECK:         [[LEAST:%.+]] = stablehlo.minimum [[WIDE]], [[TEN]] : tensor<i64>
// CHECK:         [[MOST:%.+]] = stablehlo.maximum {{%.+}}, [[LEAST]] : tensor<i64>
// CHECK:         [[SIZE:%.+]] = stablehlo.convert [[MOST]] : (tensor<i64>) -> tensor<i32>
// CHECK:         [[I:%.+]] = stablehlo.iota dim = 0 : tensor<10xi32>
// CHECK:         [[END:%.+]] = stablehlo.broadcast_in_dim [[SIZE]], dims = [] : (tensor<i32>) -> tensor<10xi32>
// CHECK:         [[COUNTS:%.+]] = stablehlo.compare LT, [[I]], [[END]], SIGNED
// CHECK:         [[NEUTRAL:%.+]] = stablehlo.constant dense<-0.000000e+00> : tensor<10xf32>
// CHECK:         [[MASKED:%.+]] = stablehlo.select [[COUNTS]], [[X]], [[NEUTRAL]]
// CHECK:         stablehlo.reduce([[MASKED]] init: {{%.+}}) applies stablehlo.add across dimensions = [0]
func.func @sum_of_what_is_left(%x: tensor<10xf32>, %n: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<10>>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<10>>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Arguments and results are padded tensors followed by sizes; elementwise ops compute padding too.

// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    ([[X:%.+]]: tensor<5x4xf32>, [[N:%.+]]: tensor<i32>, [[Y:%.+]]: tensor<5x4xf32>, {{%.+}}: tensor<i32>) -> (tensor<5x4xf32>, tensor<i32>, tensor<i32>)
// CHECK-NEXT:    [[Z:%.+]] = stablehlo.add [[X]], [[Y]] : tensor<5x4xf32>
// CHECK-NEXT:    func.return [[Z]], [[N]], [[N]] : tensor<5x4xf32>, tensor<i32>, tensor<i32>
func.func @elementwise(%x: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %y: tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<i32>) {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32, #stablehlo.bounds<5, ?>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> tensor<i32>
  return %0, %1 : tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<i32>
}

// -----

// A computation without a neutral element is told which elements count.

// CHECK-LABEL: func.func @any_computation
// CHECK-SAME:    ([[X:%.+]]: tensor<5xf32>, [[N:%.+]]: tensor<i32>, [[S:%.+]]: tensor<f32>) -> tensor<f32>
// CHECK:         [[COUNTS:%.+]] = stablehlo.compare LT
// CHECK:         [[TRUE:%.+]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK:         stablehlo.reduce([[X]] init: [[S]]), ([[COUNTS]] init: [[TRUE]])
// CHECK-NEXT:    reducer([[L:%.+]]: tensor<f32>, [[R:%.+]]: tensor<f32>) ([[LC:%.+]]: tensor<i1>, [[RC:%.+]]: tensor<i1>)
// CHECK:         [[V:%.+]] = stablehlo.atan2 [[L]], [[R]] : tensor<f32>
// CHECK:         [[BOTH:%.+]] = stablehlo.and [[LC]], [[RC]] : tensor<i1>
// CHECK:         [[ONE:%.+]] = stablehlo.select [[RC]], [[R]], [[L]]
// CHECK:         [[RESULT:%.+]] = stablehlo.select [[BOTH]], [[V]], [[ONE]]
// CHECK:         [[EITHER:%.+]] = stablehlo.or [[LC]], [[RC]] : tensor<i1>
// CHECK:         stablehlo.return [[RESULT]], [[EITHER]]
func.func @any_computation(%x: tensor<?xf32, #stablehlo.bounds<5>>, %s: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.atan2 %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Operands of `concatenate` are written one behind the other.

// CHECK-LABEL: func.func @concatenate
// CHECK-SAME:    ([[X:%.+]]: tensor<5xf32>, [[N:%.+]]: tensor<i32>, [[Y:%.+]]: tensor<3xf32>) -> (tensor<8xf32>, tensor<i32>)
// CHECK:         [[ROOM:%.+]] = stablehlo.pad [[X]], {{%.+}}, low = [0], high = [3], interior = [0]
// CHECK:         [[R:%.+]] = stablehlo.dynamic_update_slice [[ROOM]], [[Y]], [[N]] : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
// CHECK:         [[SIZE:%.+]] = stablehlo.add [[N]], {{%.+}} : tensor<i32>
// CHECK:         func.return [[R]], [[SIZE]]
func.func @concatenate(%x: tensor<?xf32, #stablehlo.bounds<5>>, %y: tensor<3xf32>) -> tensor<?xf32, #stablehlo.bounds<8>> {
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<3xf32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  return %0 : tensor<?xf32, #stablehlo.bounds<8>>
}

// -----

// Padding that is summed over is zero on both sides.

// CHECK-LABEL: func.func @product
// CHECK:         [[A:%.+]] = stablehlo.select {{%.+}}, %x, {{%.+}} : tensor<2x5xi1>, tensor<2x5xf32>
// CHECK:         [[B:%.+]] = stablehlo.select {{%.+}}, %y, {{%.+}} : tensor<5x3xi1>, tensor<5x3xf32>
// CHECK:         stablehlo.dot_general [[A]], [[B]], contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<5x3xf32>) -> tensor<2x3xf32>
func.func @product(%x: tensor<2x?xf32, #stablehlo.bounds<?, 5>>, %y: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x?xf32, #stablehlo.bounds<?, 5>>, tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// Loops and branches carry the size beside the tensor; where a branch has a static size, it is a constant.

// CHECK-LABEL: func.func @control_flow
// CHECK-SAME:    ([[X:%.+]]: tensor<5xf32>, [[N:%.+]]: tensor<i32>, [[P:%.+]]: tensor<i1>)
// CHECK:         [[I0:%.+]], [[I1:%.+]] = "stablehlo.if"([[P]]) ({
// CHECK:           stablehlo.return [[X]], [[N]] : tensor<5xf32>, tensor<i32>
// CHECK:         }, {
// CHECK:           [[M:%.+]] = stablehlo.negate [[X]] : tensor<5xf32>
// CHECK:           stablehlo.return [[M]], [[N]] : tensor<5xf32>, tensor<i32>
// CHECK:         }) : (tensor<i1>) -> (tensor<5xf32>, tensor<i32>)
// CHECK:         [[W0:%.+]], [[W1:%.+]] = stablehlo.while([[V:%.+]] = [[I0]], [[S:%.+]] = [[I1]]) : tensor<5xf32>, tensor<i32>
// CHECK:           stablehlo.compare GT, [[S]], {{%.+}}
// CHECK:         func.return [[W0]], [[W1]]
func.func @control_flow(%x: tensor<?xf32, #stablehlo.bounds<5>>, %p: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<5>> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<?xf32, #stablehlo.bounds<5>>
  }, {
    %n = stablehlo.negate %x : tensor<?xf32, #stablehlo.bounds<5>>
    stablehlo.return %n : tensor<?xf32, #stablehlo.bounds<5>>
  }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<5>>
  %1 = stablehlo.while(%v = %0) : tensor<?xf32, #stablehlo.bounds<5>>
  cond {
    %size = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
    %c = stablehlo.compare GT, %size, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %size = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
    %less = stablehlo.subtract %size, %one : tensor<i32>
    %s = stablehlo.set_dimension_size %v, %less, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
    stablehlo.return %s : tensor<?xf32, #stablehlo.bounds<5>>
  }
  return %1 : tensor<?xf32, #stablehlo.bounds<5>>
}

// -----

// Nothing is bounded: dynamic dimensions stay as they are.

// CHECK-LABEL: func.func @unbounded
// CHECK-NEXT:    [[R:%.+]] = stablehlo.negate {{%.+}} : tensor<?xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @unbounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// XLA's own calls between padded tensors and those of bounded size.

// CHECK-LABEL: func.func @padded_and_sliced
// CHECK-SAME:    ([[X:%.+]]: tensor<5x4xf32>, [[N:%.+]]: tensor<i32>) -> (tensor<5x4xf32>, tensor<i32>, tensor<5x4xf32>)
// CHECK:         [[WIDE:%.+]] = stablehlo.convert [[N]]
// CHECK:         [[LEAST:%.+]] = stablehlo.minimum [[WIDE]]
// CHECK:         [[MOST:%.+]] = stablehlo.maximum {{%.+}}, [[LEAST]]
// CHECK:         [[SIZE:%.+]] = stablehlo.convert [[MOST]]
// CHECK:         [[PADDED:%.+]] = stablehlo.select {{%.+}}, [[X]], {{%.+}} : tensor<5x4xi1>, tensor<5x4xf32>
// CHECK:         [[R:%.+]] = stablehlo.negate [[PADDED]] : tensor<5x4xf32>
// CHECK:         func.return [[X]], [[SIZE]], [[R]]
func.func @padded_and_sliced(%x: tensor<5x4xf32>, %n: tensor<i32>) -> (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<5x4xf32>) {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.custom_call @SliceToDynamic(%x, %n, %four) : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<5, ?>>
  %1:3 = stablehlo.custom_call @PadToStatic(%0) : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> (tensor<5x4xf32>, tensor<i32>, tensor<i32>)
  %2 = stablehlo.negate %1#0 : tensor<5x4xf32>
  return %0, %2 : tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<5x4xf32>
}

// -----

func.func @no_rule(%x: tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32, #stablehlo.bounds<5>> {
  // expected-error @below {{'stablehlo.custom_call' op: no rule for dimensions of bounded size in calls of @f: (tensor<?xf32, #stablehlo.bounds<5>>) -> (tensor<?xf32, #stablehlo.bounds<5>>)}}
  %0 = stablehlo.custom_call @f(%x) : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32, #stablehlo.bounds<5>>
  return %0 : tensor<?xf32, #stablehlo.bounds<5>>
}
