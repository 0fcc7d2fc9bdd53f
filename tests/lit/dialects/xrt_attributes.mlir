// RUN: xla-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'func.func' op: there is no attribute 'xrt.fast'}}
func.func @f() attributes {xrt.fast} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: there is no attribute 'xrt.fast'}}
func.func @f() attributes {xrt.kernel, xrt.fast} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.kernel' is no value, got 1 : i64}}
func.func @f() attributes {xrt.kernel = 1 : i64} {
  func.return
}

// -----

func.func @f() attributes {xrt.kernel} {
  // expected-error @+1 {{'arith.constant' op: attribute 'xrt.kernel' stands on func.func and llvm.func only}}
  %0 = arith.constant {xrt.kernel} 1 : i64
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.row_dims' is an i64 of at least 0, got -1 : i64}}
func.func @f() attributes {xrt.kernel, xrt.row_dims = -1 : i64} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.row_dims' is an i64 of at least 0, got 1 : i32}}
func.func @f() attributes {xrt.kernel, xrt.row_dims = 1 : i32} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: a function with 'xrt.entry' is no kernel: 'xrt.kernel' does not stand beside it}}
func.func @f() attributes {xrt.entry, xrt.kernel} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attributes 'xrt.num_inputs' and 'xrt.num_outputs' stand beside each other and 'xrt.entry'}}
func.func @f(%x: memref<4xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: expected 2 inputs, 1 outputs and perhaps an arena of bytes, got (memref<4xf32>, memref<4xf32>) -> ()}}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) attributes {xrt.entry, xrt.num_inputs = 2 : i64, xrt.num_outputs = 1 : i64} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: expected 1 inputs, 0 outputs and perhaps an arena of bytes, got (memref<4xf32>, memref<4xf32>) -> ()}}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 0 : i64} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.donated' is an array of i64, in pairs of an argument and a result, got array<i64: 0>}}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64, xrt.donated = array<i64: 0>} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.donated': result 0 does not fit into argument 0}}
func.func @f(%x: memref<4xf32>, %y: memref<8xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64, xrt.donated = array<i64: 0, 0>} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.donated' names an argument or result twice}}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 2 : i64, xrt.donated = array<i64: 0, 0, 0, 1>} {
  func.return
}

// -----

// expected-error @+1 {{'func.func' op: attribute 'xrt.interface' is {type = a function type, arguments = their names, results = their names}, got}}
func.func @f(%x: tensor<4xf32>) attributes {xrt.interface = {type = (tensor<4xf32>) -> (), arguments = [], results = []}} {
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op: attribute 'xrt.signature' is a function type, got 1 : i64}}
  %0 = stablehlo.custom_call @f(%x) {xrt.signature = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'builtin.module' op: attribute 'xrt.call_targets' is an array of {target = a name, signature = a function type, options = a dictionary}, got ["f"]}}
module attributes {xrt.call_targets = ["f"]} {
}

// -----

// expected-error @+1 {{'llvm.mlir.global' op: attribute 'xrt.constant_index' is an i64 of at least 0, got unit}}
"llvm.mlir.global"() <{global_type = !llvm.array<4 x i8>, constant, sym_name = "c", linkage = #llvm.linkage<internal>, value = "abcd", addr_space = 0 : i32}> ({
}) {xrt.constant_index} : () -> ()
