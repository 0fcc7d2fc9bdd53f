// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `if`: one of two regions, which see the values around them.

// The first region, which only passes a value on.
func.func @true() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %sum = stablehlo.add %a, %a : tensor<2xi32>
    stablehlo.return %sum : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// The second region.
func.func @false() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %sum = stablehlo.add %a, %a : tensor<2xi32>
    stablehlo.return %sum : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[2, 4]> : tensor<2xi32>
  return
}

// Several results of different types.
func.func @several_results() {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %pred = stablehlo.compare GT, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %results:2 = "stablehlo.if"(%pred) ({
    %root = stablehlo.sqrt %a : tensor<f32>
    stablehlo.return %root, %pred : tensor<f32>, tensor<i1>
  }, {
    stablehlo.return %zero, %pred : tensor<f32>, tensor<i1>
  }) : (tensor<i1>) -> (tensor<f32>, tensor<i1>)
  check.expect_almost_eq_const %results#0, dense<1.4142135> : tensor<f32>, tolerance = 1.0e-06
  check.expect_eq_const %results#1, dense<true> : tensor<i1>
  return
}

// An `if` in an `if`.
func.func @nested() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %q = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %result = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<i32>
  }, {
    %inner = "stablehlo.if"(%q) ({
      stablehlo.return %b : tensor<i32>
    }, {
      stablehlo.return %c : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %inner : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<2> : tensor<i32>
  return
}

// The other region does not run: its loop would not end.
func.func @only_the_chosen_one() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %a = stablehlo.constant dense<7> : tensor<i32>
  %result = "stablehlo.if"(%pred) ({
    stablehlo.return %a : tensor<i32>
  }, {
    %never = stablehlo.while(%v = %a) : tensor<i32>
      cond {
        stablehlo.return %yes : tensor<i1>
      } do {
        stablehlo.return %v : tensor<i32>
      }
    stablehlo.return %never : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}
