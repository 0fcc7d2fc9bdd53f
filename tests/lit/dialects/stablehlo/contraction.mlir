// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @contraction
// CHECK-NEXT: %vector = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %batch = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGH, HIGHEST] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
// CHECK-NEXT: %outer = stablehlo.dot_general %b, %b, contracting_dims = [] x [] {note} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6x6xf32>
// CHECK-NEXT: %algorithm = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %both = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %none = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %dot = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %dot_high = stablehlo.dot %a, %b, precision = [HIGH, DEFAULT] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %einsum = stablehlo.einsum %a, %b, config = "ab,b->a" : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %unary = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<4x6xf32>) -> tensor<4xf32>
func.func @contraction(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %c: tensor<4x6x5xf32>) {
  %vector = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %batch = stablehlo.dot_general %a, %c, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGH, HIGHEST] : (tensor<4x6xf32>, tensor<4x6x5xf32>) -> tensor<4x5xf32>
  %outer = stablehlo.dot_general %b, %b, contracting_dims = [] x [] {note} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6x6xf32>
  %algorithm = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %both = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %none = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %dot = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %dot_high = stablehlo.dot %a, %b, precision = [HIGH, DEFAULT] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %einsum = stablehlo.einsum %a, %b, config = "ab,b->a" : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
  %unary = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}
