// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file | filecheck %s
// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file | xla-opt --split-input-file | filecheck %s

// Tokens are gone; the attributes of the op are options of the call.

// CHECK-LABEL: func.func @feeds
// CHECK-DAG: [[A:%.+]] = tensor.empty() : tensor<2xi32>
// CHECK-DAG: [[B:%.+]] = tensor.empty() : tensor<i1>
// CHECK: [[X:%.+]], [[Y:%.+]] = "xrt.call_target"([[A]], [[B]]) <{target = "stablehlo.infeed"
// CHECK-SAME: signature = () -> (tensor<2xui32>, tensor<i1>), options = {infeed_config = "c", layout = {{.+}}}
// CHECK-SAME: -> (tensor<2xi32>, tensor<i1>)
// CHECK-NEXT: "xrt.call_target"([[X]], [[Y]]) <{target = "stablehlo.outfeed"
// CHECK-NEXT: func.return [[X]]
func.func @feeds() -> tensor<2xui32> {
  %token = stablehlo.create_token : !stablehlo.token
  %x, %y, %read = "stablehlo.infeed"(%token) <{infeed_config = "c", layout = [[0], []]}> : (!stablehlo.token) -> (tensor<2xui32>, tensor<i1>, !stablehlo.token)
  %fed = "stablehlo.outfeed"(%x, %y, %token) <{outfeed_config = ""}> : (tensor<2xui32>, tensor<i1>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<2xui32>
}

// -----

// A loop with calls of the runtime ends when one has failed.

// CHECK-LABEL: func.func @loop
// CHECK: scf.while
// CHECK: [[X:%.+]] = "xrt.call_target"({{%.+}}) <{target = "stablehlo.infeed"
// CHECK: [[GO:%.+]] = tensor.extract [[X]][] : tensor<i1>
// CHECK: [[FAILED:%.+]] = "xrt.has_failed"() : () -> i1
// CHECK: [[NOT:%.+]] = arith.xori [[FAILED]], {{%.+}} : i1
// CHECK: [[AND:%.+]] = arith.andi [[GO]], [[NOT]] : i1
// CHECK: scf.condition([[AND]])
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %token = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %go, %read = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i1>, !stablehlo.token)
    stablehlo.return %go : tensor<i1>
  } do {
    %1 = stablehlo.negate %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A loop without calls does not ask.

// CHECK-LABEL: func.func @quiet_loop
// CHECK-NOT: xrt.has_failed
func.func @quiet_loop(%x: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.while(%a = %x) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %1 = stablehlo.not %a : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }
  return %0 : tensor<i1>
}

// -----

// The body of an asynchronous op is a program, which gets what it captures; a future is a number.

// CHECK-LABEL: func.func @asynchronous
// CHECK-SAME: ([[X:%.+]]: tensor<2xf32>, [[Y:%.+]]: tensor<2xf32>)
// CHECK: [[F:%.+]] = "xrt.call_target"([[X]], [[Y]], {{%.+}}) <{target = "stablehlo.async_start"
// CHECK-SAME: signature = (tensor<2xf32>, tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
// CHECK-SAME: body = "builtin.module {{.*}}func.func @main
// CHECK: "xrt.call_target"([[F]], {{%.+}}) <{target = "stablehlo.async_done"
func.func @asynchronous(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<2xf32>):
    %1 = stablehlo.add %a, %y : tensor<2xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<4xf32>>
  %3 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// The functions that a custom call names leave the module as text.

// CHECK-LABEL: func.func @computations
// CHECK: "xrt.call_target"({{.*}}) <{target = "ApproxTopK"
// CHECK-SAME: called_computations = [@less], computations = "builtin.module
// CHECK-NEXT: func.return
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @computations(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @ApproxTopK(%x, %i) {called_computations = [@less], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
