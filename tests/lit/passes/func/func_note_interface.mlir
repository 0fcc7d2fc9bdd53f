// RUN: xla-opt %s -p func-note-interface | filecheck %s
// RUN: xla-opt %s -p func-note-interface,func-note-interface | filecheck %s
// RUN: xla-opt %s -p 'func-note-interface{denormals=preserve},func-note-interface' | filecheck %s --check-prefix PRESERVE
// RUN: xla-opt %s -p 'xla-cpu{denormals=preserve}' | filecheck %s --check-prefix PRESERVE
// RUN: xla-opt %s -p xla-cpu | filecheck %s --check-prefix LLVM
// RUN: xla-opt %s -p func-note-interface | xla-opt -p func-note-interface --print-op-generic | filecheck %s --check-prefix GENERIC

// CHECK: builtin.module attributes {xrt.denormals = "flush"} {
// PRESERVE: builtin.module attributes {xrt.denormals = "preserve"

// The types of the caller and all names, from the first level to the last.
// CHECK-LABEL: func.func @main
// CHECK-SAME: xrt.interface = {type = (tuple<tensor<2xui8>, tensor<i1>>, tensor<?xf32, #stablehlo.bounds<4>>) -> (tensor<2xui8>, tensor<?xf32, #stablehlo.bounds<4>>), arguments = ["pair", "y"], results = ["first", "result1"]}
// LLVM: llvm.func @main
// LLVM-SAME: xrt.interface = {type = (tuple<tensor<2xui8>, tensor<i1>>, tensor<?xf32, #stablehlo.bounds<4>>) -> (tensor<2xui8>, tensor<?xf32, #stablehlo.bounds<4>>), arguments = ["pair", "y"], results = ["first", "result1"]}
// GENERIC: "func.func"
// GENERIC: xrt.interface = {type = (tuple<tensor<2xui8>, tensor<i1>>, tensor<?xf32, #stablehlo.bounds<4>>) -> (tensor<2xui8>, tensor<?xf32, #stablehlo.bounds<4>>)
func.func @main(%pair: tuple<tensor<2xui8>, tensor<i1>>, %y: tensor<?xf32, #stablehlo.bounds<4>>)
    -> (tensor<2xui8> {jax.result_info = "first"}, tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<2xui8>, tensor<i1>>) -> tensor<2xui8>
  %1 = func.call @helper(%0) : (tensor<2xui8>) -> tensor<2xui8>
  func.return %1, %y : tensor<2xui8>, tensor<?xf32, #stablehlo.bounds<4>>
}

// CHECK-LABEL: func.func private @helper
// CHECK-NOT: xrt.interface
func.func private @helper(%x: tensor<2xui8>) -> tensor<2xui8> {
  func.return %x : tensor<2xui8>
}
