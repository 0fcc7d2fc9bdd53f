// RUN: xla-opt %s -p "convert-tensor-to-memref{donate=true}" --split-input-file | filecheck %s

// The result takes the memory of the argument, and the kernel has one parameter for both.
// CHECK-LABEL: func.func public @step(
// CHECK-SAME: %x: memref<8xf32>, %y: memref<8xf32>, {{%.+}}: memref<8xf32>)
// CHECK-SAME: xrt.donated = array<i64: 0, 0>
// CHECK-NEXT: func.call @k(%x, %y, %x)
// CHECK-NEXT: func.return
// CHECK: func.func private @k([[A:%.+]]: memref<8xf32>, [[B:%.+]]: memref<8xf32>, {{%.+}}: memref<8xf32>)
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins([[A]], [[B]] : memref<8xf32>, memref<8xf32>) outs([[A]] : memref<8xf32>)
func.func public @step(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = func.call @k(%x, %y, %e) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @k(%x: tensor<8xf32>, %y: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// So it is where the argument and the result are two reshapings of one buffer.
// CHECK-LABEL: func.func public @reshaped(
// CHECK-SAME: xrt.donated = array<i64: 0, 0>
// CHECK: func.func private @k([[A:%.+]]: memref<8xf32>, {{%.+}}: memref<8xf32>)
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins([[A]] : memref<8xf32>) outs([[A]] : memref<8xf32>)
func.func public @reshaped(%x: tensor<2x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2x4xf32> attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.collapse_shape %x [[0 : i64, 1 : i64]] : tensor<2x4xf32> into tensor<8xf32>
  %1 = func.call @k(%0, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.expand_shape %1 [[0 : i64, 1 : i64]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
func.func private @k(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A kernel that reads elsewhere than it writes cannot work in place: the result has a buffer of its own.
// CHECK-LABEL: func.func public @reversed(
// CHECK-SAME: %x: memref<8xf32>, [[OUT:%.+]]: memref<8xf32>)
// CHECK-NOT: xrt.donated
// CHECK: func.call @k(%x, [[OUT]])
func.func public @reversed(%x: tensor<8xf32> {jax.buffer_donor = true}) -> tensor<8xf32> attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = func.call @k(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @k(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A kernel that is called both ways is there twice.
// CHECK-LABEL: func.func public @both(
// CHECK: func.call @k(%y, {{%.+}})
// CHECK-NEXT: func.call @k_in_place_{{[0-9]}}(%x, %x)
// CHECK: func.func private @k(
// CHECK: func.func private @k_in_place_{{[0-9]}}([[A:%.+]]: memref<8xf32>, {{%.+}}: memref<8xf32>)
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins([[A]] : memref<8xf32>) outs([[A]] : memref<8xf32>)
func.func public @both(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %1 = func.call @k(%y, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = func.call @k(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @k(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A kernel with several results: each is where the one op that reads the argument writes it. What two ops read stays.
// CHECK-LABEL: func.func public @momentum(
// CHECK-SAME: xrt.donated = array<i64: 1, 0, 0, 1>
// CHECK: func.call @step(%p, %m, %g, %m, %p)
// CHECK: func.func private @step(
// CHECK: linalg.generic {{.*}} ins(%m, %g : memref<8xf32>, memref<8xf32>) outs(%m : memref<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%p, %m, %g : memref<8xf32>, memref<8xf32>, memref<8xf32>) outs(%p : memref<8xf32>)
func.func public @momentum(%p: tensor<8xf32> {jax.buffer_donor = true}, %m: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<8xf32> {jax.buffer_donor = true}) -> (tensor<8xf32>, tensor<8xf32>) attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %0, %1 = func.call @step(%p, %m, %g, %e, %f) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @step(%p: tensor<8xf32>, %m: tensor<8xf32>, %g: tensor<8xf32>, %out0: tensor<8xf32>, %out1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%m, %g : tensor<8xf32>, tensor<8xf32>) outs(%out0 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%p, %0, %g : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%out1 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.subf %a, %b : f32
    %t = arith.mulf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
