// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `rng_bit_generator`: the bits that XLA gives, for states at the edges, every shape and every width.

// Example of the specification.
func.func @specification() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %new_state, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[
      [9236835810183407956, 16087790271692313299],
      [18212823393184779219, 2658481902456610144]
    ]> : tensor<2x2xui64>
  return
}

// Threefry: an even number of words of 32 bits.
func.func @three_fry_even() {
  %state = stablehlo.constant dense<[0, 0]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  check.expect_eq_const %new_state, dense<[0, 2]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[1797259609, 2579123966, 1351547692, 3235790642]> : tensor<4xui32>
  return
}

// An odd number: one word of the last pair is not used.
func.func @three_fry_odd() {
  %state = stablehlo.constant dense<[123, 456]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %new_state, dense<[123, 459]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[2365294944, 4194936891, 105764723, 2050896720, 4007583465]> : tensor<5xui32>
  return
}

// The first even dimension is the one pairs are laid along.
func.func @three_fry_matrix() {
  %state = stablehlo.constant dense<[7, 8]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  check.expect_eq_const %new_state, dense<[7, 14]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[
      [1478943784, 3085711981, 2148922066, 1218255668],
      [17873132, 884161837, 2218545827, 757886286],
      [1460919419, 1895465418, 2293606280, 3915826976]
    ]> : tensor<3x4xui32>
  return
}

// No even dimension.
func.func @three_fry_odd_matrix() {
  %state = stablehlo.constant dense<[7, 8]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %new_state, dense<[7, 17]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[
      [1478943784, 3085711981, 2148922066, 1218255668, 17873132],
      [2218545827, 757886286, 1460919419, 1895465418, 2293606280],
      [239565225, 183408349, 967271928, 3215640161, 2079680788]
    ]> : tensor<3x5xui32>
  return
}

// Three dimensions.
func.func @three_fry_rank_three() {
  %state = stablehlo.constant dense<[7, 8]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2x2xui32>)
  check.expect_eq_const %new_state, dense<[7, 14]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[
      [[1478943784, 2148922066], [3085711981, 1218255668]],
      [[17873132, 2218545827], [884161837, 757886286]],
      [[1460919419, 2293606280], [1895465418, 3915826976]]
    ]> : tensor<3x2x2xui32>
  return
}

// A single element.
func.func @three_fry_one() {
  %state = stablehlo.constant dense<[9, 9]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xui32>)
  check.expect_eq_const %new_state, dense<[9, 10]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[2366540072]> : tensor<1xui32>
  return
}

// A scalar.
func.func @three_fry_scalar() {
  %state = stablehlo.constant dense<[9, 9]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %new_state, dense<[9, 10]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<2366540072> : tensor<ui32>
  return
}

// The counter overflows.
func.func @three_fry_overflow() {
  %state = stablehlo.constant dense<[5, 0]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
  check.expect_eq_const %new_state, dense<[5, 3]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[1396233059, 315918555, 2544891230, 2061267011, 349696651, 457712840]> : tensor<6xui32>
  return
}

// A key of ones.
func.func @three_fry_ones() {
  %state = stablehlo.constant dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  check.expect_eq_const %new_state, dense<[18446744073709551615, 0]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[7225411326129570610, 13474818356711888636]> : tensor<2xui64>
  return
}

// Eight bits.
func.func @three_fry_ui8() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui8>)
  check.expect_eq_const %new_state, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[84, 59, 211, 3, 211, 97]> : tensor<6xui8>
  return
}

// Sixteen bits.
func.func @three_fry_ui16() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui16>)
  check.expect_eq_const %new_state, dense<[1, 8]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[59732, 37587, 3027], [54587, 20483, 62049], [7520, 49325, 23063]]> : tensor<3x3xui16>
  return
}

// Signed integers of 64 bits.
func.func @three_fry_i64() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xi64>)
  check.expect_eq_const %new_state, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[-9209908263526143660, -2358953802017238317, -233920680524772397]> : tensor<3xi64>
  return
}

// No element.
func.func @three_fry_empty() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0xui32>)
  check.expect_eq_const %new_state, dense<[1, 2]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<> : tensor<0xui32>
  return
}

// Philox with a counter of 128 bits.
func.func @philox() {
  %state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  check.expect_eq_const %new_state, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[4031113034, 1366700262, 495645701, 3051723414, 89414891, 1917262711, 278163116, 614958348]> : tensor<8xui32>
  return
}

// Philox with a counter of 64 bits.
func.func @philox_short_state() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[2100602697, 2847456232, 2074354647, 800269529, 1828267006, 3135207875, 3972719319, 2171987788]> : tensor<8xui32>
  return
}

// A number of words that is no multiple of four.
func.func @philox_partial() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[2100602697, 2847456232, 2074354647], [800269529, 1828267006, 3135207875]]> : tensor<2x3xui32>
  return
}

// 64 bits.
func.func @philox_ui64() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[12229731395331991369, 3437131457114678231, 13465615291114923006]> : tensor<3xui64>
  return
}

// The low half of the counter overflows into the high one.
func.func @philox_carry() {
  %state = stablehlo.constant dense<[1, 0, 5]> : tensor<3xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<9xui32>)
  check.expect_eq_const %new_state, dense<[1, 3, 5]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[3885566366, 3825455739, 2142156302, 2057357702, 2774859709, 2630874500, 1585910722, 2219878090, 3252276806]> : tensor<9xui32>
  return
}

// The whole counter overflows.
func.func @philox_overflow() {
  %state = stablehlo.constant dense<18446744073709551615> : tensor<3xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  check.expect_eq_const %new_state, dense<[18446744073709551615, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[1083123565, 1103641358, 2718681030, 1834242557, 1923381001]> : tensor<5xui32>
  return
}

// A scalar.
func.func @philox_scalar() {
  %state = stablehlo.constant dense<[11, 12]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %new_state, dense<[11, 13]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<503137118> : tensor<ui32>
  return
}

// Eight bits.
func.func @philox_ui8() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui8>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[73, 232, 215, 217, 254, 195]> : tensor<6xui8>
  return
}

// Sixteen bits.
func.func @philox_ui16() {
  %state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xui16>)
  check.expect_eq_const %new_state, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %bits, dense<[[59210, 12518, 62469], [39574, 23787, 7031]]> : tensor<2x3xui16>
  return
}

// Signed integers.
func.func @philox_i32() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xi32>)
  check.expect_eq_const %new_state, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[2100602697, -1447511064, 2074354647, 800269529]> : tensor<4xi32>
  return
}

// The default is Philox, as XLA's for CPUs.
func.func @default() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[2100602697, 2847456232, 2074354647, 800269529, 1828267006]> : tensor<5xui32>
  return
}

// The default, 64 bits.
func.func @default_ui64() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %bits = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %new_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[12229731395331991369, 3437131457114678231, 13465615291114923006]> : tensor<3xui64>
  return
}

// Floats have the same bits as unsigned integers.
func.func @floats() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %new_state, %floats = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xf32>)
  %bits = stablehlo.bitcast_convert %floats : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %new_state, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[43444564, 2150618427]> : tensor<2xui32>
  return
}
