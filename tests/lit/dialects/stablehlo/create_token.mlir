// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `create_token`: a token that orders nothing before it.

// Two tokens, each the start of an order of its own.
func.func @two_orders() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %one = stablehlo.create_token : !stablehlo.token
  %other = stablehlo.create_token : !stablehlo.token
  %fed = "stablehlo.outfeed"(%x, %one) <{outfeed_config = ""}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %fed_too = "stablehlo.outfeed"(%x, %other) <{outfeed_config = ""}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %both = stablehlo.after_all %fed, %fed_too : !stablehlo.token
  check.expect_eq_const %x, dense<1> : tensor<i32>
  return
}
