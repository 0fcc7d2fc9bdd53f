// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @extensibility
// CHECK-NEXT: %full = stablehlo.custom_call @foo(%a) {api_version = 4 : i32, backend_config = {x = 1 : i32}, called_computations = [@decomposition], has_side_effect = true, mhlo.sharding = "{replicated}", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: stablehlo.custom_call @"odd name"() : () -> ()
// CHECK-NEXT: %two, %two_1 = stablehlo.custom_call @two(%a, %b) {backend_config = ""} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<f32>, tuple<tensor<f32>, tensor<2xi1>>)
// CHECK-NEXT: %composite = stablehlo.composite "name.space" %a {composite_attributes = {x = 1 : i32}, decomposition = @decomposition, version = 3 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %plain = stablehlo.composite "name.space" %a {decomposition = @decomposition} : (tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @extensibility(%a: tensor<4x6xf32>, %b: tensor<6xf32>) {
  %full = stablehlo.custom_call @foo(%a) {api_version = 4 : i32, backend_config = {x = 1 : i32}, called_computations = [@decomposition], has_side_effect = true, mhlo.sharding = "{replicated}", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  stablehlo.custom_call @"odd name"() : () -> ()
  %two:2 = stablehlo.custom_call @two(%a, %b) {backend_config = ""} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<f32>, tuple<tensor<f32>, tensor<2xi1>>)
  %composite = stablehlo.composite "name.space" %a {composite_attributes = {x = 1 : i32}, decomposition = @decomposition, version = 3 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %plain = stablehlo.composite "name.space" %a {decomposition = @decomposition} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func private @decomposition
// CHECK-NEXT: func.return %a : tensor<4x6xf32>
func.func private @decomposition(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %a : tensor<4x6xf32>
}
