// RUN: xla-run %s --engine reference --split-input-file

// `rng_bit_generator`: the bits that XLA gives, for states at the edges, every shape and every width.
// These cases run on the reference interpreter only.

// No element.
func.func @three_fry_empty() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xui32>)
  check.expect_eq_const %new_state, dense<[1, 2]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<> : tensor<0xui32>
  return
}
