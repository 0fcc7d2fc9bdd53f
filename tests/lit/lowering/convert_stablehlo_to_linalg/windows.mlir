// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// The operand is padded with the init value; window dimensions longer than 1 are reduction loops, whose bounds come
// from an operand that is not read.
// CHECK-LABEL: func.func @max_pool
// CHECK: [[LOW:%.+]] = arith.constant 0xff800000 : f32
// CHECK: [[P:%.+]] = linalg.fill ins([[LOW]] : f32) outs({{%.+}} : tensor<2x9x8x3xf32>)
// CHECK: [[X:%.+]] = tensor.insert_slice %x into [[P]][0, 0, 0, 0] [2, 8, 8, 3] [1, 1, 1, 1]
// CHECK: [[W:%.+]] = tensor.empty() : tensor<3x2xf32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, ((d1 * 2) + d4), ((d2 * 2) + d5), d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins([[X]], [[W]] :
// CHECK-NEXT: ^bb{{.*}}([[E:%.+]]: f32, {{%.+}}: f32, [[ACC:%.+]]: f32):
// CHECK-NEXT: arith.maximumf [[ACC]], [[E]] : f32
func.func @max_pool(%x: tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) <{padding = dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
  return %0 : tensor<2x4x4x3xf32>
}

// Base dilation is interior padding, window dilation a factor of the window index.
// CHECK-LABEL: func.func @dilations
// CHECK: tensor.insert_slice %x into {{%.+}}[0] [5] [2] : tensor<5xf32> into tensor<9xf32>
// CHECK: affine_map<(d0, d1) -> ((d0 + (d1 * 3)))>
// CHECK: arith.addf {{.*}} fastmath<reassoc>
func.func @dilations(%x: tensor<5xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{base_dilations = array<i64: 2>, window_dilations = array<i64: 3>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A search over the window, clipped to the operand where it can reach outside, then an update of the result. Windows of size 1 are no loop.
// CHECK-LABEL: func.func @select_and_scatter
// CHECK: [[INIT:%.+]] = linalg.fill {{.*}} -> tensor<8x2xf32>
// CHECK: scf.for [[I:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args({{%.+}} = [[INIT]]) -> (tensor<8x2xf32>)
// CHECK: scf.for [[J:%.+]] = {{.*}} iter_args([[R:%.+]] = {{%.+}}) -> (tensor<8x2xf32>)
// CHECK: [[SCALED:%.+]] = arith.muli [[I]], {{%.+}} : index
// CHECK: [[START:%.+]] = arith.subi [[SCALED]], {{%.+}} : index
// CHECK: [[STOP:%.+]] = arith.addi [[START]], {{%.+}} : index
// CHECK: [[LOWER:%.+]] = arith.maxsi [[START]], {{%.+}} : index
// CHECK-NOT: arith.minsi
// CHECK: [[FIRST:%.+]] = tensor.extract %x{{\[}}[[LOWER]], [[J]]] : tensor<8x2xf32>
// CHECK: [[BEST:%.+]], [[AT:%.+]] = scf.for [[W:%.+]] = [[LOWER]] to [[STOP]] {{.*}} iter_args([[B:%.+]] = [[FIRST]], [[P:%.+]] = [[LOWER]]) -> (f32, index)
// CHECK: [[V:%.+]] = tensor.extract %x{{\[}}[[W]], [[J]]] : tensor<8x2xf32>
// CHECK: [[KEEPS:%.+]] = arith.cmpf oge, [[B]], [[V]] : f32
// CHECK: arith.select [[KEEPS]], [[B]], [[V]] : f32
// CHECK: arith.select [[KEEPS]], [[P]], [[W]] : index
// CHECK: [[S:%.+]] = tensor.extract %y{{\[}}[[I]], [[J]]] : tensor<4x2xf32>
// CHECK: [[OLD:%.+]] = tensor.extract [[R]]{{\[}}[[AT]], [[J]]] : tensor<8x2xf32>
// CHECK: [[NEW:%.+]] = arith.addf [[OLD]], [[S]] : f32
// CHECK: tensor.insert [[NEW]] into [[R]]{{\[}}[[AT]], [[J]]] : tensor<8x2xf32>
func.func @select_and_scatter(%x: tensor<8x2xf32>, %y: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %z) <{padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x2xf32>, tensor<4x2xf32>, tensor<f32>) -> tensor<8x2xf32>
  return %0 : tensor<8x2xf32>
}

// A window that may lie in the padding altogether is searched only where it has elements.
// CHECK-LABEL: func.func @empty_windows
// CHECK: [[LOWER:%.+]] = arith.maxsi
// CHECK: [[UPPER:%.+]] = arith.minsi
// CHECK: arith.cmpi slt, [[LOWER]], [[UPPER]] : index
// CHECK: scf.if
func.func @empty_windows(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %z) <{padding = dense<[[2, 2]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Windows that are all prefixes: each result is the one before it combined with one more element.
// CHECK-LABEL: func.func @cumulative
// CHECK: [[OUT:%.+]] = tensor.empty() : tensor<9xf32>
// CHECK-NEXT: {{%.+}} = "linalg_ext.scan"(%x, [[OUT]]) <{dimension = 0 : i64, init = 0.000000e+00 : f32}> ({
// CHECK-NEXT: ^{{.+}}([[TOTAL:%.+]]: f32, [[E:%.+]]: f32):
// CHECK-NEXT: [[SUM:%.+]] = arith.addf [[TOTAL]], [[E]] : f32
// CHECK-NEXT: "linalg_ext.yield"([[SUM]]) : (f32) -> ()
// CHECK-NEXT: }) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
func.func @cumulative(%x: tensor<9xf32>) -> tensor<9xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[8, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 9>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// From the end on, with totals of a bf16 as f32.
// CHECK-LABEL: func.func @from_the_end
// CHECK: "linalg_ext.scan"(%x, {{%.+}}) <{dimension = 1 : i64, init = 0.000000e+00 : f32, reverse}> ({
// CHECK: [[E:%.+]] = arith.extf {{%.+}} : bf16 to f32
// CHECK-NEXT: arith.addf {{%.+}}, [[E]] : f32
// CHECK: }) : (tensor<2x9xbf16>, tensor<2x9xbf16>) -> tensor<2x9xbf16>
func.func @from_the_end(%x: tensor<2x9xbf16>) -> tensor<2x9xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [0, 8]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 9>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %1 = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %1 : tensor<bf16>
  }) : (tensor<2x9xbf16>, tensor<bf16>) -> tensor<2x9xbf16>
  return %0 : tensor<2x9xbf16>
}
