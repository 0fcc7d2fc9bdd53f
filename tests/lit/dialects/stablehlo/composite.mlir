// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `composite`: what its decomposition computes.

// Attributes and version do not matter.
func.func @decomposition() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 5.0]> : tensor<2xf32>
  %result = stablehlo.composite "my.subtract" %a, %b {
    composite_attributes = {order = "reverse", axis = 1 : i64}, decomposition = @reverse_subtract, version = 3 : i32
  } : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[2.0, 3.0]> : tensor<2xf32>
  return
}

func.func private @reverse_subtract(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %difference = stablehlo.subtract %b, %a : tensor<2xf32>
  return %difference : tensor<2xf32>
}

// -----

// Several results; a decomposition that contains a composite.
func.func @several_results() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %results:2 = stablehlo.composite "my.both" %a {decomposition = @both} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[-1, -2]> : tensor<2xi32>
  return
}

func.func private @both(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %twice = stablehlo.composite "my.twice" %a {decomposition = @twice} : (tensor<2xi32>) -> tensor<2xi32>
  %negated = stablehlo.negate %a : tensor<2xi32>
  return %twice, %negated : tensor<2xi32>, tensor<2xi32>
}

func.func private @twice(%a: tensor<2xi32>) -> tensor<2xi32> {
  %sum = stablehlo.add %a, %a : tensor<2xi32>
  return %sum : tensor<2xi32>
}
