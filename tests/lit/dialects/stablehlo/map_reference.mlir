// RUN: xla-run %s --engine reference --split-input-file

// `map`: a body for every element.
// These cases run on the reference interpreter only.

// Control flow in the body: each element halves until it is odd.
func.func @control_flow() {
  %a = stablehlo.constant dense<[12, 7, -6, 1]> : tensor<4xi32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %odd = stablehlo.while(%v = %x) : tensor<i32>
      cond {
        %rest = stablehlo.remainder %v, %two : tensor<i32>
        %even = stablehlo.compare EQ, %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %even : tensor<i1>
      } do {
        %half = stablehlo.divide %v, %two : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }
    stablehlo.return %odd : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[3, 7, -3, 1]> : tensor<4xi32>
  return
}
