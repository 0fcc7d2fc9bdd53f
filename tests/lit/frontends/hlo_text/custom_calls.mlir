// RUN: xla-opt %s -t hlo | filecheck %s

// CHECK: ENTRY
module @custom_calls {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4xf32> {
    // CHECK: %[[A:.+]] = (f32[4,4]{0,1}, s32[]) custom-call(%x), custom_call_target="lapack_spotrf_ffi", operand_layout_constraints={f32[4,4]{0,1}}, output_to_operand_aliasing={{[{][{]}}0}: (0, {})}, api_version=API_VERSION_TYPED_FFI, frontend_attributes={num_batch_dims="0"}, backend_config={uplo = 76 : ui8}
    %a:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
    // CHECK: ROOT %{{.+}} = f32[4] custom-call(%{{.+}}), custom_call_target="my target", custom_call_has_side_effect=true, called_computations={%called}, api_version=API_VERSION_STATUS_RETURNING, backend_config="a \"text\""
    %b = stablehlo.custom_call @"my target"(%a#0) {api_version = 2 : i32, backend_config = "a \22text\22", called_computations = [@called], has_side_effect = true} : (tensor<4x4xf32>) -> tensor<4xf32>
    return %b : tensor<4xf32>
  }
  func.func private @called(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
