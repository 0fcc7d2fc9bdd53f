// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `while`: loops over any number of values of any type.

// Example of the specification: the sum of ten ones.
func.func @specification() {
  %init_i = stablehlo.constant dense<0> : tensor<i64>
  %init_sum = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %ten = stablehlo.constant dense<10> : tensor<i64>
  %results:2 = stablehlo.while(%i = %init_i, %sum = %init_sum) : tensor<i64>, tensor<i64>
    cond {
      %more = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %new_sum = stablehlo.add %sum, %one : tensor<i64>
      %new_i = stablehlo.add %i, %one : tensor<i64>
      stablehlo.return %new_i, %new_sum : tensor<i64>, tensor<i64>
    }
  check.expect_eq_const %results#0, dense<10> : tensor<i64>
  check.expect_eq_const %results#1, dense<10> : tensor<i64>
  return
}

// The condition is false at once: the values are the operands.
func.func @no_iteration() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %stop = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.while(%v = %x) : tensor<2xf32>
    cond {
      stablehlo.return %stop : tensor<i1>
    } do {
      %next = stablehlo.add %v, %v : tensor<2xf32>
      stablehlo.return %next : tensor<2xf32>
    }
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// The body exchanges values: all are replaced at the same time.
func.func @swap() {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %results:3 = stablehlo.while(%i = %n, %x = %a, %y = %b) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
    cond {
      %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.subtract %i, %one : tensor<i32>
      stablehlo.return %next, %y, %x : tensor<i32>, tensor<2xf32>, tensor<2xf32>
    }
  check.expect_eq_const %results#1, dense<[3.0, 4.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// Four values of three shapes: Fibonacci numbers are written into a vector.
func.func @fibonacci() {
  %init = stablehlo.constant dense<0> : tensor<6xi64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %f0 = stablehlo.constant dense<[0]> : tensor<1xi64>
  %f1 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %results:4 = stablehlo.while(%i = %zero, %a = %f0, %b = %f1, %v = %init) : tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<6xi64>
    cond {
      %more = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %written = stablehlo.dynamic_update_slice %v, %a, %i : (tensor<6xi64>, tensor<1xi64>, tensor<i32>) -> tensor<6xi64>
      %sum = stablehlo.add %a, %b : tensor<1xi64>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %b, %sum, %written : tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<6xi64>
    }
  check.expect_eq_const %results#3, dense<[0, 1, 1, 2, 3, 5]> : tensor<6xi64>
  return
}

// A loop in a loop: 3 * 4 steps.
func.func @nested() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %results:2 = stablehlo.while(%i = %zero, %count = %zero) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %inner:2 = stablehlo.while(%j = %zero, %c = %count) : tensor<i32>, tensor<i32>
        cond {
          %again = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %again : tensor<i1>
        } do {
          %next_j = stablehlo.add %j, %one : tensor<i32>
          %next_c = stablehlo.add %c, %one : tensor<i32>
          stablehlo.return %next_j, %next_c : tensor<i32>, tensor<i32>
        }
      %next_i = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next_i, %inner#1 : tensor<i32>, tensor<i32>
    }
  check.expect_eq_const %results#1, dense<12> : tensor<i32>
  return
}

// A condition on floats: halved until at most 1.
func.func @data_dependent() {
  %x = stablehlo.constant dense<100.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %result = stablehlo.while(%v = %x) : tensor<f32>
    cond {
      %more = stablehlo.compare GT, %v, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.multiply %v, %half : tensor<f32>
      stablehlo.return %next : tensor<f32>
    }
  check.expect_eq_const %result, dense<0.78125> : tensor<f32>
  return
}

// A vector from around the loop, and a boolean state.
func.func @captured() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %step = stablehlo.constant dense<[1, 0, -1]> : tensor<3xi32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %results:2 = stablehlo.while(%go = %yes, %v = %x) : tensor<i1>, tensor<3xi32>
    cond {
      stablehlo.return %go : tensor<i1>
    } do {
      %moved = stablehlo.add %v, %step : tensor<3xi32>
      %stop = stablehlo.not %go : tensor<i1>
      stablehlo.return %stop, %moved : tensor<i1>, tensor<3xi32>
    }
  check.expect_eq_const %results#0, dense<false> : tensor<i1>
  check.expect_eq_const %results#1, dense<2> : tensor<3xi32>
  return
}

// A value without elements.
func.func @empty_tensor() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %results:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<0xf32>
    cond {
      %more = stablehlo.compare NE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.subtract %i, %one : tensor<i32>
      %sum = stablehlo.add %v, %v : tensor<0xf32>
      stablehlo.return %next, %sum : tensor<i32>, tensor<0xf32>
    }
  check.expect_eq_const %results#0, dense<0> : tensor<i32>
  check.expect_eq_const %results#1, dense<> : tensor<0xf32>
  return
}
