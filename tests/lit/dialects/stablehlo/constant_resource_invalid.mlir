// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @elided() {
  // expected-error @below {{the file does not hold the resource '__elided__'; was it printed without its data?}}
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<3xi32>
  return
}

// -----

func.func @short() {
  // expected-error @below {{the resource 'w' has 3 bytes, tensor<3xi32> takes 12}}
  %0 = stablehlo.constant dense_resource<w> : tensor<3xi32>
  return
}

{-# dialect_resources: { builtin: { w: "0x01000000010203" } } #-}

// -----

func.func @endless() {
  return
}

// expected-error @below {{file metadata without its end, '#-}'}}
{-# dialect_resources: { }
