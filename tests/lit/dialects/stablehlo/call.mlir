// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `func.call`: functions that call functions.

// Two results, given in another order.
func.func @two_results() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %results:2 = func.call @swapped(%a, %b) : (tensor<2xi32>, tensor<f32>) -> (tensor<f32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<3.0> : tensor<f32>
  check.expect_eq_const %results#1, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func private @swapped(%a: tensor<2xi32>, %b: tensor<f32>) -> (tensor<f32>, tensor<2xi32>) {
  return %b, %a : tensor<f32>, tensor<2xi32>
}

// -----

// A function that calls another one twice.
func.func @nested() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = func.call @four_times(%a) : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[4, 8]> : tensor<2xi32>
  return
}

func.func private @four_times(%a: tensor<2xi32>) -> tensor<2xi32> {
  %twice = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
  %again = func.call @twice(%twice) : (tensor<2xi32>) -> tensor<2xi32>
  return %again : tensor<2xi32>
}

func.func private @twice(%a: tensor<2xi32>) -> tensor<2xi32> {
  %sum = stablehlo.add %a, %a : tensor<2xi32>
  return %sum : tensor<2xi32>
}

// -----

// A call in the body of a loop, and a function without parameters.
func.func @in_a_loop() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %limit = func.call @limit() : () -> tensor<i32>
  %result = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = func.call @successor(%i) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  check.expect_eq_const %result, dense<5> : tensor<i32>
  return
}

func.func private @limit() -> tensor<i32> {
  %five = stablehlo.constant dense<5> : tensor<i32>
  return %five : tensor<i32>
}

func.func private @successor(%i: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.add %i, %one : tensor<i32>
  return %next : tensor<i32>
}
