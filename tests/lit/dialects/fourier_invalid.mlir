// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @length(%x: tensor<2x5xf32>, %roots: tensor<1x2xf32>, %out: tensor<2x4xcomplex<f32>>) {
  // expected-error @below {{the input has 5 elements along axis 1, expected 4}}
  %0 = fourier.transform %x, %roots outs(%out) axis 1 stages [4] : tensor<2x5xf32>, tensor<1x2xf32>, tensor<2x4xcomplex<f32>> -> tensor<2x4xcomplex<f32>>
  return
}

// -----

func.func @wanted(%x: tensor<2x3xcomplex<f32>>, %roots: tensor<1x2xf32>, %out: tensor<2x5xf32>) {
  // expected-error @below {{the output has 5 elements along axis 1, a transform 4}}
  %0 = fourier.transform %x, %roots outs(%out) axis 1 stages [4] hermitian : tensor<2x3xcomplex<f32>>, tensor<1x2xf32>, tensor<2x5xf32> -> tensor<2x5xf32>
  return
}

// -----

func.func @axis(%x: tensor<4xf32>, %roots: tensor<1x2xf32>, %out: tensor<4xf32>) {
  // expected-error @below {{axis 1 is not one of tensor<4xf32> and tensor<4xf32>}}
  %0 = fourier.transform %x, %roots outs(%out) axis 1 stages [4] : tensor<4xf32>, tensor<1x2xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @shapes(%x: tensor<2x4xf32>, %roots: tensor<1x2xf32>, %out: tensor<3x4xf32>) {
  // expected-error @below {{differ beyond axis 1}}
  %0 = fourier.transform %x, %roots outs(%out) axis 1 stages [4] : tensor<2x4xf32>, tensor<1x2xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  return
}

// -----

func.func @types(%x: tensor<4xf32>, %roots: tensor<1x2xf64>, %out: tensor<4xf32>) {
  // expected-error @below {{input, roots and output have parts of one type, f32 or f64}}
  %0 = fourier.transform %x, %roots outs(%out) axis 0 stages [4] : tensor<4xf32>, tensor<1x2xf64>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @result(%x: tensor<4xf32>, %roots: tensor<1x2xf32>, %out: tensor<4xf32>) {
  // expected-error @below {{an output that is a tensor has a result of its type}}
  fourier.transform %x, %roots outs(%out) axis 0 stages [4] : tensor<4xf32>, tensor<1x2xf32>, tensor<4xf32>
  return
}
