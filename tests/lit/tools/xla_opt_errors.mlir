// RUN: xla-opt %s --split-input-file --verify-diagnostics
// RUN: not xla-opt %s -split-input-file 2>&1 | filecheck %s

// An error names file, line and column; `expected-error` is checked by the driver.

func.func @verify(%x: i32, %y: f32) {
  // CHECK: xla_opt_errors.mlir:9:3: error: 'arith.addi' op: operand 'rhs'
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
  // CHECK: xla_opt_errors.mlir:33:23: error: value %zz is used but not defined
  // expected-error @below {{value %zz is used but not defined}}
  %0 = arith.addi %x, %zz : i32
  func.return
}

// -----

func.func @early(%x: i32) -> i32 {
  // expected-error @below {{value %y is not defined where it is used}}
  %z = arith.addi %y, %x : i32
  %y = arith.addi %x, %x : i32
  func.return %z : i32
}

// -----

func.func @by_itself(%x: i32) -> i32 {
  // expected-error @below {{value %y is not defined where it is used}}
  %y = arith.addi %y, %x : i32
  func.return %y : i32
}

// -----

func.func @inside(%x: i32, %c: i1) -> i32 {
  scf.if %c {
    // expected-error @below {{value %y is not defined where it is used}}
    %z = arith.addi %y, %x : i32
  } else {
    %y = arith.addi %x, %x : i32
  }
  func.return %x : i32
}

// -----

func.func @property(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{property 'groups' is not defined}}
  %0 = "stablehlo.negate"(%x) <{groups = dense<1> : tensor<2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// -----

// expected-error @below {{integers have at most 16777215 bits}}
func.func @wide(%x: tensor<2xi4294967296>) {
  func.return
}

// -----

func.func @misspelt(%x: tensor<2xf32>) {
  // CHECK: xla_opt_errors.mlir:86:8: error: operation stablehlo.exponentail is not registered; did you mean stablehlo.exponential
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

// Blocks may stand in any order.
func.func @valid(%x: i32) -> i32 {
  cf.br ^first
^second:
  func.return %y : i32
^first:
  %y = arith.addi %x, %x : i32
  cf.br ^second
}
// CHECK: func.func @valid
