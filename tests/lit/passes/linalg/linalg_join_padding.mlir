// RUN: xla-opt %s -p linalg-join-padding | filecheck %s

#id = affine_map<(n, i, j, c) -> (n, i, j, c)>
#window = affine_map<(n, i, j, c, a, b) -> (n, i + a, j + b, c)>
#weights = affine_map<(n, i, j, c, a, b) -> (a, b, c)>
#result = affine_map<(n, i, j, c, a, b) -> (n, i, j, c)>

// Both calls are one, and equal ones share a kernel. Where the padded tensor has another reader, or what was padded is
// overwritten by the results, they stay.

// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%x: memref<8x96x96x32xf32>, %y: memref<8x96x96x32xf32>, %w: memref<3x3x32xf32>, %out: memref<8x96x96x32xf32>, %other: memref<8x96x96x32xf32>)
// CHECK-NEXT:    func.call @images_0(%x, %w, %out)
// CHECK-NEXT:    func.call @images_0(%y, %w, %other)
// CHECK-NEXT:    [[READ:%.+]] = memref.alloc()
// CHECK-NEXT:    func.call @pad(%x, [[READ]])
// CHECK-NEXT:    func.call @windows([[READ]], %w, %out)
// CHECK-NEXT:    func.call @windows([[READ]], %w, %other)
// CHECK-NEXT:    [[BESIDE:%.+]] = memref.alloc()
// CHECK-NEXT:    func.call @pad(%x, [[BESIDE]])
// CHECK-NEXT:    func.call @windows([[BESIDE]], %w, %x)
// CHECK-NEXT:    return
func.func @main(%x: memref<8x96x96x32xf32>, %y: memref<8x96x96x32xf32>, %w: memref<3x3x32xf32>, %out: memref<8x96x96x32xf32>, %other: memref<8x96x96x32xf32>) attributes {xrt.entry} {
  %p = memref.alloc() : memref<8x98x98x32xf32>
  func.call @pad(%x, %p) : (memref<8x96x96x32xf32>, memref<8x98x98x32xf32>) -> ()
  func.call @windows(%p, %w, %out) : (memref<8x98x98x32xf32>, memref<3x3x32xf32>, memref<8x96x96x32xf32>) -> ()
  %q = memref.alloc() : memref<8x98x98x32xf32>
  func.call @pad(%y, %q) : (memref<8x96x96x32xf32>, memref<8x98x98x32xf32>) -> ()
  func.call @windows(%q, %w, %other) : (memref<8x98x98x32xf32>, memref<3x3x32xf32>, memref<8x96x96x32xf32>) -> ()
  %r = memref.alloc() : memref<8x98x98x32xf32>
  func.call @pad(%x, %r) : (memref<8x96x96x32xf32>, memref<8x98x98x32xf32>) -> ()
  func.call @windows(%r, %w, %out) : (memref<8x98x98x32xf32>, memref<3x3x32xf32>, memref<8x96x96x32xf32>) -> ()
  func.call @windows(%r, %w, %other) : (memref<8x98x98x32xf32>, memref<3x3x32xf32>, memref<8x96x96x32xf32>) -> ()
  %s = memref.alloc() : memref<8x98x98x32xf32>
  func.call @pad(%x, %s) : (memref<8x96x96x32xf32>, memref<8x98x98x32xf32>) -> ()
  func.call @windows(%s, %w, %x) : (memref<8x98x98x32xf32>, memref<3x3x32xf32>, memref<8x96x96x32xf32>) -> ()
  return
}

func.func private @pad(%x: memref<8x96x96x32xf32>, %p: memref<8x98x98x32xf32>) attributes {xrt.kernel} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%p : memref<8x98x98x32xf32>)
  %inside = memref.subview %p[0, 1, 1, 0] [8, 96, 96, 32] [1, 1, 1, 1] : memref<8x98x98x32xf32> to memref<8x96x96x32xf32, strided<[307328, 3136, 32, 1], offset: 3168>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : memref<8x96x96x32xf32>) outs(%inside : memref<8x96x96x32xf32, strided<[307328, 3136, 32, 1], offset: 3168>>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

func.func private @windows(%p: memref<8x98x98x32xf32>, %w: memref<3x3x32xf32>, %out: memref<8x96x96x32xf32>) attributes {xrt.kernel} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<8x96x96x32xf32>)
  linalg.generic {indexing_maps = [#window, #weights, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%p, %w : memref<8x98x98x32xf32>, memref<3x3x32xf32>) outs(%out : memref<8x96x96x32xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %product = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %sum, %product fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func private @images_0
// CHECK-SAME:    ([[X:%.+]]: memref<8x96x96x32xf32>, [[W:%.+]]: memref<3x3x32xf32>, [[OUT:%.+]]: memref<8x96x96x32xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
// CHECK-NEXT:    [[P:%.+]] = memref.alloc() : memref<8x98x98x32xf32>
// CHECK:         linalg.fill {{.*}} outs([[P]] :
// CHECK:         linalg.generic {{.*}} ins([[X]] :
// CHECK:         linalg.fill {{.*}} outs([[OUT]] :
// CHECK:         linalg.generic {{.*}} ins([[P]], [[W]] :
