// RUN: xla-opt %s -t hlo | filecheck %s

// CHECK-LABEL: HloModule communication
// CHECK-SAME: replica_count=2, num_partitions=4
// CHECK: ENTRY
module @communication attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<4x6xf32>, %t: !stablehlo.token) -> tensor<4x6xf32> {
    // CHECK: = f32[4,6] all-reduce(%x), channel_id=1, replica_groups={{[{][{]}}0,1},{2,3{{[}][}]}}, use_global_device_ids=true, to_apply=%{{.+}}
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: = f32[8,6] all-gather(%x), replica_groups={{[{][{]}}0,1{{[}][}]}}, dimensions={0}
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
    // HLO splits and joins along one dimension.
    // CHECK: %[[A:.+]] = f32[4,6] all-to-all(%x), replica_groups={{[{][{]}}0,1{{[}][}]}}, dimensions={1}
    // CHECK-NEXT: %[[B:.+]] = f32[4,2,3] reshape(%[[A]])
    // CHECK-NEXT: %[[C:.+]] = f32[2,4,3] transpose(%[[B]]), dimensions={1,0,2}
    // CHECK-NEXT: = f32[8,3] reshape(%[[C]])
    %2 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
    // CHECK: = f32[4,6] collective-permute(%x), source_target_pairs={{[{][{]}}0,1},{1,0{{[}][}]}}
    %3 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // CHECK: = u32[] replica-id()
    %4 = stablehlo.replica_id : tensor<ui32>
    // CHECK: %[[S:.+]] = (f32[4,6], u32[], token[]) send(%x, %t), channel_id=3, is_host_transfer=true
    // CHECK-NEXT: %[[D:.+]] = token[] send-done(%[[S]]), channel_id=3, is_host_transfer=true
    %5 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
    // CHECK-NEXT: %[[R:.+]] = (f32[4,6], u32[], token[]) recv(%[[D]]), channel_id=4, is_host_transfer=true
    // CHECK-NEXT: %[[E:.+]] = (f32[4,6], token[]) recv-done(%[[R]]), channel_id=4, is_host_transfer=true
    // CHECK-NEXT: ROOT %{{.+}} = f32[4,6] get-tuple-element(%[[E]]), index=0
    %6:2 = "stablehlo.recv"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
    // CHECK: %[[I:.+]] = ((f32[4]), token[]) infeed(%t), infeed_config="c"
    %7:2 = "stablehlo.infeed"(%t) <{infeed_config = "c"}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    // CHECK: = token[] outfeed(%{{.+}}, %{{.+}}), outfeed_shape=(f32[4])
    %8 = "stablehlo.outfeed"(%7#0, %7#1) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return %6#0 : tensor<4x6xf32>
  }
}
