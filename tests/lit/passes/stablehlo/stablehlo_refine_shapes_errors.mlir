// RUN: xla-opt %s -p stablehlo-refine-shapes --split-input-file --verify-diagnostics

func.func @main(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{stablehlo.dynamic_reshape: dimension 0 of the result stays dynamic: output_shape is not computed from shapes and constants alone}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  // expected-error @+1 {{stablehlo.set_dimension_size: dimension 0 of the result stays dynamic: size is not computed}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<7> : tensor<1xi32>
  // expected-error @+1 {{stablehlo.reshape (C2): tensor<6xf32> has 6 elements, tensor<7xf32> has 7}}
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<6xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<3> : tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
  // expected-error @+1 {{stablehlo.add (C1): expected operands and result of one type}}
  %2 = stablehlo.add %1, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<1xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<1> : tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  // expected-error @+1 {{stablehlo.while: the body makes value 0 a tensor<2xf32>, it begins as a tensor<1xf32>}}
  %2 = stablehlo.while(%a = %1) : tensor<?xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %3 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %3 : tensor<?xf32>
  }
  return %2 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  // expected-error @+1 {{stablehlo.if: the branches return (tensor<4xf32>) and (tensor<8xf32>): shapes depend on data}}
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.abs %x : (tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %1 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{stablehlo.custom_call: dimension 0 of result 0, tensor<?xf32>, does not follow from its operands}}
  %0 = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  // expected-error @+1 {{the condition depends on more than shapes}}
  stablehlo.custom_call @shape_assertion(%p) {has_side_effect = true} : (tensor<i1>) -> ()
  return %x : tensor<4xf32>
}

// -----

func.func public @main(%x: tensor<i32>) -> tensor<?xf32> {
  %0 = call @f(%x) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// expected-error @+1 {{@f calls itself}}
func.func private @f(%x: tensor<i32>) -> tensor<?xf32> {
  %0 = call @f(%x) : (tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @constant_of_another_shape(%x: tensor<4xf32>) -> tensor<3x4xf32> {
  %sizes = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim: the result has type tensor<1x4xf32>, not tensor<3x4xf32>}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %sizes, dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @computed_sizes_of_another_shape(%x: tensor<4xf32>) -> tensor<1x4xf32> {
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %sizes = stablehlo.add %one, %one : tensor<2xi64>
  // expected-error @below {{stablehlo.dynamic_reshape: the result has type tensor<2x2xf32>, not tensor<1x4xf32>}}
  %0 = stablehlo.dynamic_reshape %x, %sizes : (tensor<4xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @numbers_of_another_count() -> tensor<7xi32> {
  %size = stablehlo.constant dense<[5]> : tensor<1xi64>
  // expected-error @below {{stablehlo.dynamic_iota: the result has type tensor<5xi32>, not tensor<7xi32>}}
  %0 = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi64>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
