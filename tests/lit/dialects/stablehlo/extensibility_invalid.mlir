// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call' op: stablehlo.custom_call (operand_layouts): expected 1 layouts, got 0}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", operand_layouts = []}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call' op: stablehlo.custom_call (result_layouts): expected a tensor of index type, got 1 : i64}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [1 : i64]}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.composite' op: stablehlo.composite (C1): expected a name with a namespace, got "name"}}
  %0 = stablehlo.composite "name" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.composite' op: stablehlo.composite (C2): @g is no function}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>

func.func @invalid(%x: tensor<5xf32>) {
  // expected-error @below {{stablehlo.composite' op: stablehlo.composite (C3): @f takes (tensor<4xf32>), got (tensor<5xf32>)}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @f(tensor<4xf32>) -> tensor<4xf32>

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.composite' op: stablehlo.composite (C4): @f gives (tensor<4xf32>), not (tensor<5xf32>)}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.custom_call' op: stablehlo.custom_call (result_tilings): expected 1 tilings, got 2}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", result_tilings = [[], []]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @below {{stablehlo.future: expected ranked tensors, got i32}}
func.func @invalid(%x: !stablehlo.future<i32>) {
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call (result_layouts): expected layouts of operands and results, or none}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call (operand_layouts): dense<[0, 2]> : tensor<2xindex> is no permutation of the dimensions of tensor<4x6xf32>}}
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call (called_computations): expected the name of a function, got 1 : i64}}
  %0 = stablehlo.custom_call @foo(%x) {called_computations = [1]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.custom_call (output_operand_aliases): #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>: there is no such operand}}
  %0 = stablehlo.custom_call @foo(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
