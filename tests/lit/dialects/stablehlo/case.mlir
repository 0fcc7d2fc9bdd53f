// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `case`: one of many regions; an index out of range runs the last.

// The first branch.
func.func @first() {
  %index = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<20> : tensor<i32>
  %c = stablehlo.constant dense<30> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<10> : tensor<i32>
  return
}

// The branch in the middle.
func.func @middle() {
  %index = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<20> : tensor<i32>
  %c = stablehlo.constant dense<30> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<20> : tensor<i32>
  return
}

// The last branch.
func.func @last() {
  %index = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<20> : tensor<i32>
  %c = stablehlo.constant dense<30> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<30> : tensor<i32>
  return
}

// An index that is too large runs the last branch.
func.func @too_large() {
  %index = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<20> : tensor<i32>
  %c = stablehlo.constant dense<30> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<30> : tensor<i32>
  return
}

// A negative index runs the last branch.
func.func @negative() {
  %index = stablehlo.constant dense<-1> : tensor<i32>
  %a = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.constant dense<20> : tensor<i32>
  %c = stablehlo.constant dense<30> : tensor<i32>
  %result = "stablehlo.case"(%index) ({
    stablehlo.return %a : tensor<i32>
  }, {
    stablehlo.return %b : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<30> : tensor<i32>
  return
}

// A single branch runs whatever the index.
func.func @one_branch() {
  %index = stablehlo.constant dense<-5> : tensor<i32>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %result = "stablehlo.case"(%index) ({
    %twice = stablehlo.add %a, %a : tensor<2xf32>
    stablehlo.return %twice : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[2.0, 4.0]> : tensor<2xf32>
  return
}

// Several results.
func.func @several_results() {
  %index = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<3> : tensor<i64>
  %c = stablehlo.constant dense<4> : tensor<i64>
  %results:2 = "stablehlo.case"(%index) ({
    stablehlo.return %a, %b : tensor<2xf32>, tensor<i64>
  }, {
    %negated = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %negated, %c : tensor<2xf32>, tensor<i64>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<i64>)
  check.expect_eq_const %results#0, dense<[-1.0, -2.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<4> : tensor<i64>
  return
}
