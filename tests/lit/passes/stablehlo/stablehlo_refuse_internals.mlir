// RUN: xla-opt %s -p stablehlo-refuse-internals --split-input-file --verify-diagnostics | filecheck %s
// RUN: not xla-opt %s -p xla-cpu --split-input-file 2>&1 | filecheck %s --check-prefix PIPELINE
// RUN: not xla-opt %s -p xla-cpu-O0 --split-input-file 2>&1 | filecheck %s --check-prefix PIPELINE

// What other tools note is nothing to refuse.
// CHECK-LABEL: func.func @others
// CHECK-SAME: tf.aliasing_output
// CHECK: frontend_attributes
// PIPELINE: stablehlo_refuse_internals.mlir:{{[0-9]+}}:1: error: 'func.func' op: programs from outside have no attribute 'xrt.kernel'
func.func @others(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = stablehlo.negate %x {mhlo.frontend_attributes = {xrt.kernel = ""}} : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op: programs from outside have no attribute 'xrt.kernel'; a program that passes have lowered is continued by those that are left: xla-run --pipeline, xla-opt -p, compile(pipeline=...)}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {xrt.kernel} {
  func.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op: programs from outside have no attribute 'xrt.mine'}}
func.func @main(%x: tensor<4xf32> {xrt.mine = 1 : i64}) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op: programs from outside have no symbol 'xrt.fork'}}
func.func @xrt.fork(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    // expected-error @+1 {{'stablehlo.custom_call' op: programs from outside have no target of a custom call 'xrt.members'}}
    %1 = stablehlo.custom_call @xrt.members(%a) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'xrt.has_failed' op: programs from outside have no such op}}
  %0 = xrt.has_failed : i1
  func.return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'builtin.module' op: programs from outside have no attribute 'xrt.call_targets'}}
module attributes {xrt.call_targets = []} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    func.return %x : tensor<4xf32>
  }
}
