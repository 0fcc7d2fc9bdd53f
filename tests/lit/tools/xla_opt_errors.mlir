// RUN: xla-opt %s --split-input-file --verify-diagnostics | filecheck %s

// An error names file, line and column; `expected-error` is checked by the driver.

func.func @verify(%x: i32, %y: f32) {
  // CHECK: xla_opt_errors.mlir:8:3: error: 'arith.addi' op: operand 'rhs'
  // expected-error @below {{'arith.addi' op: operand 'rhs'}}
  %0 = "arith.addi"(%x, %y) : (i32, f32) -> i32
  func.return
}

// -----

func.func @parse(%x: tensor<2x>) {
  // expected-error @-1 {{Expected shape type}}
  func.return
}

// -----

func.func @attribute() {
  // expected-error @+1 {{elements of shape [2] for tensor<3xi32>}}
  %0 = arith.constant dense<[1, 2]> : tensor<3xi32>
  func.return
}

// -----

func.func @undefined(%x: i32) {
  // CHECK: xla_opt_errors.mlir:32:23: error: value %zz is used but not defined
  // expected-error @below {{value %zz is used but not defined}}
  %0 = arith.addi %x, %zz : i32
  func.return
}

// -----

func.func @misspelt(%x: tensor<2xf32>) {
  // CHECK: xla_opt_errors.mlir:41:8: error: operation stablehlo.exponentail is not registered; did you mean stablehlo.exponential
  // expected-error @below {{operation stablehlo.exponentail is not registered}}
  %0 = stablehlo.exponentail %x : tensor<2xf32>
  func.return
}

// -----

// expected-error @+4 {{expected an operation, a block or '}', found the end of the text}}
func.func @cut_off(%x: i32) {
  %0 = arith.addi %x, %x : i32

// -----

// expected-error @+2 {{expected an operation, a block or '}'}}
func.func @no_operation() {
  {}
}

// -----

func.func @valid() {
  func.return
}
// CHECK: func.func @valid
