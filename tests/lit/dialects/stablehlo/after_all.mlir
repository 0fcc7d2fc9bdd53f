// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `after_all` and `create_token`: tokens order ops and carry nothing.

// Of any number of tokens, none too.
func.func @tokens() {
  %a = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.after_all : !stablehlo.token
  %token = stablehlo.create_token : !stablehlo.token
  %both = stablehlo.after_all %none, %token : !stablehlo.token
  %fed = "stablehlo.outfeed"(%a, %both) <{outfeed_config = ""}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  check.expect_eq_const %a, dense<3> : tensor<i32>
  return
}
