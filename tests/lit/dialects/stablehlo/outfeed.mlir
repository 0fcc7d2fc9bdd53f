// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `outfeed`: data to the host.

// What is fed out goes to the host; several values at once, none too.
func.func @outfeed() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<0.5> : tensor<f32>
  %token = stablehlo.create_token : !stablehlo.token
  %fed = "stablehlo.outfeed"(%x, %y, %token) <{outfeed_config = "any"}> : (tensor<2xi32>, tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %then = "stablehlo.outfeed"(%fed) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
  check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi32>
  return
}
