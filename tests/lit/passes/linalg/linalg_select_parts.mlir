// RUN: xla-opt %s -p linalg-select-parts --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>

// The sum reads the part that its second index is in; each is read within its bounds at every index.
// CHECK-LABEL: func.func @concatenate
// CHECK-NOT: tensor.insert_slice
// CHECK: [[J:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, ((d1 + 4) mod 7))>, affine_map<(d0, d1) -> (d0, (d1 mod 3))>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y, %x : tensor<8x7xf32>, tensor<8x3xf32>)
// CHECK-NEXT: ^bb0([[Y:%.+]]: f32, [[X:%.+]]: f32, %{{.+}}: f32):
// CHECK-NEXT: [[LIMIT:%.+]] = arith.constant 3 : index
// CHECK-NEXT: [[INDEX:%.+]] = linalg.index 1 : index
// CHECK-NEXT: [[SECOND:%.+]] = arith.cmpi sge, [[INDEX]], [[LIMIT]] : index
// CHECK-NEXT: [[S:%.+]] = arith.select [[SECOND]], [[Y]], [[X]] : f32
// CHECK-NEXT: linalg.yield [[S]] : f32
// CHECK: linalg.generic {{.*}} ins([[J]], %z :
func.func @concatenate(%x: tensor<8x3xf32>, %y: tensor<8x7xf32>, %z: tensor<8x10xf32>) -> tensor<8x10xf32> {
  %e = tensor.empty() : tensor<8x10xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [8, 3] [1, 1] : tensor<8x3xf32> into tensor<8x10xf32>
  %1 = tensor.insert_slice %y into %0[0, 3] [8, 7] [1, 1] : tensor<8x7xf32> into tensor<8x10xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %z : tensor<8x10xf32>, tensor<8x10xf32>) outs(%e : tensor<8x10xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A padded tensor is the number around it where an index is outside.
// CHECK-LABEL: func.func @pad
// CHECK-NOT: tensor.insert_slice
// CHECK: [[P:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, ((d1 + 7) mod 8))>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK: [[LOW:%.+]] = arith.cmpi sge
// CHECK: [[HIGH:%.+]] = arith.cmpi slt
// CHECK: [[INSIDE:%.+]] = arith.andi [[LOW]], [[HIGH]] : i1
// CHECK: arith.select [[INSIDE]], %{{.+}}, %zero : f32
// CHECK: iterator_types = ["parallel", "reduction"]} ins([[P]] :
func.func @pad(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x10xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  %1 = tensor.insert_slice %x into %0[0, 1] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x10xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x10xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>

// The two parts of a roll are one access.
// CHECK-LABEL: func.func @roll
// CHECK-NOT: tensor.insert_slice
// CHECK: [[R:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0) -> (((d0 + 5) mod 8))>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>)
// CHECK-NOT: arith.select
// CHECK: linalg.generic {{.*}} ins([[R]] :
func.func @roll(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e3 = tensor.empty() : tensor<3xf32>
  %last = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 5)>, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e3 : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  %e5 = tensor.empty() : tensor<5xf32>
  %first = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 8)>, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e5 : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %last into %e[0] [3] [1] : tensor<3xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %first into %0[3] [5] [1] : tensor<5xf32> into tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Rows of different tensors are put together in memory where several ops read them.
// CHECK-LABEL: func.func @read_twice
// CHECK: tensor.insert_slice
func.func @read_twice(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>, %sum: tensor<10xf32>) -> (tensor<10xf32>, tensor<10x4xf32>) {
  %e = tensor.empty() : tensor<10x4xf32>
  %0 = tensor.insert_slice %x into %e[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<10x4xf32>
  %1 = tensor.insert_slice %y into %0[8, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<10x4xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<10x4xf32>) outs(%sum : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maximumf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %3 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<10x4xf32>) outs(%e : tensor<10x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<10x4xf32>
  return %2, %3 : tensor<10xf32>, tensor<10x4xf32>
}

// What is a result, what a window reads and what is inserted with a stride stay.
// CHECK-LABEL: func.func @result
// CHECK: tensor.insert_slice
func.func @result(%x: tensor<8xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %1 = tensor.insert_slice %x into %0[1] [8] [1] : tensor<8xf32> into tensor<10xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %1, %2 : tensor<10xf32>, tensor<10xf32>
}

// CHECK-LABEL: func.func @window
// CHECK: tensor.insert_slice
func.func @window(%x: tensor<8xf32>, %w: tensor<3xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %1 = tensor.insert_slice %x into %0[1] [8] [1] : tensor<8xf32> into tensor<10xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1, %w : tensor<10xf32>, tensor<3xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func.func @strided
// CHECK: tensor.insert_slice
func.func @strided(%x: tensor<5xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %1 = tensor.insert_slice %x into %0[0] [5] [2] : tensor<5xf32> into tensor<10xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %2 : tensor<10xf32>
}
