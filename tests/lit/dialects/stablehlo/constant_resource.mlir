// RUN: xla-opt %s | filecheck %s
// RUN: xla-run %s --engine reference
// RUN: xla-run %s --engine native

// CHECK-LABEL: func.func @resources
func.func @resources() {
  // CHECK-NEXT: stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
  check.expect_eq_const %0, dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = "stablehlo.constant"() <{value = dense_resource<"the mask"> : tensor<2x2xi1>}> : () -> tensor<2x2xi1>
  check.expect_eq_const %1, dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %2 = "stablehlo.constant"() {value = dense_resource<index.of_row> : tensor<1xi64>} : () -> tensor<1xi64>
  check.expect_eq_const %2, dense<-1> : tensor<1xi64>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040",
      "the mask": "0x0100000001000001",
      index.of_row: "0x08000000FFFFFFFFFFFFFFFF"
    },
    another_dialect: { blob: "0x01" }
  },
  external_resources: { mlir_reproducer: { verify_each: true } }
#-}
