// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @communication
// CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}} = "stablehlo.infeed"(%tok) <{infeed_config = "x", layout = {{\[\[}}0 : i64, 1 : i64]]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.outfeed"(%a, %tok) <{outfeed_config = ""}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}} = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.async_start"(%a) ({
// CHECK-NEXT: ^bb0(%arg0: tensor<4x6xf32>):
// CHECK-NEXT: %x = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: stablehlo.return %x : tensor<4x6xf32>
// CHECK-NEXT: }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.async_done"(%{{[0-9]+}}) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.create_token : !stablehlo.token
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.after_all %tok, %{{[0-9]+}} : !stablehlo.token
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK-NEXT: %empty = stablehlo.after_all {note} : !stablehlo.token
func.func @communication(%a: tensor<4x6xf32>, %tok: !stablehlo.token) {
  %9:2 = "stablehlo.infeed"(%tok) <{infeed_config = "x", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %10 = "stablehlo.outfeed"(%a, %tok) <{outfeed_config = ""}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %11 = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %12:2 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %13 = "stablehlo.async_start"(%a) ({
  ^bb0(%arg0: tensor<4x6xf32>):
    %x = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %x : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  %14 = "stablehlo.async_done"(%13) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
  %15 = stablehlo.create_token : !stablehlo.token
  %16 = stablehlo.after_all %tok, %15 : !stablehlo.token
  %17 = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %empty = stablehlo.after_all {note} : !stablehlo.token
  return
}
