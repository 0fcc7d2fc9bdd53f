// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512 shared=false}' --split-input-file | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// No iteration changes the right operand: it is packed in front of the loop.
// CHECK-LABEL: @main
// CHECK: [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<65536xf32>
// CHECK-NEXT: func.call @product_panels_0(%weights, [[PANELS]])
// CHECK-NEXT: scf.while
// CHECK: func.call @product(%{{.+}}, [[PANELS]], %{{.+}}) : (memref<64x256xf32>, memref<65536xf32>, memref<64x256xf32>) -> ()
// CHECK: func.func private @product(
// CHECK-NOT: memref.alloc
// CHECK: vector.fma
// CHECK: func.func private @product_panels_0(
// CHECK: vector.shuffle
func.func @main(%weights: memref<256x256xf32>, %x: memref<64x256xf32>, %y: memref<64x256xf32>, %go: memref<i1>) attributes {xrt.entry, xrt.num_inputs = 4 : i64, xrt.num_outputs = 0 : i64} {
  %a, %b = scf.while (%c = %x, %d = %y) : (memref<64x256xf32>, memref<64x256xf32>) -> (memref<64x256xf32>, memref<64x256xf32>) {
    %again = memref.load %go[] : memref<i1>
    scf.condition(%again) %c, %d : memref<64x256xf32>, memref<64x256xf32>
  } do {
  ^bb0(%e: memref<64x256xf32>, %f: memref<64x256xf32>):
    func.call @product(%e, %weights, %f) : (memref<64x256xf32>, memref<256x256xf32>, memref<64x256xf32>) -> ()
    scf.yield %f, %e : memref<64x256xf32>, memref<64x256xf32>
  }
  func.return
}
func.func private @product(%a: memref<64x256xf32>, %b: memref<256x256xf32>, %out: memref<64x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64x256xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x256xf32>, memref<256x256xf32>) outs(%out : memref<64x256xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The loop writes it: packed in every iteration.
// CHECK-LABEL: @main
// CHECK-NOT: @product_panels
// CHECK: func.func private @product(
// CHECK: memref.alloc
func.func @main(%weights: memref<256x256xf32>, %x: memref<64x256xf32>, %y: memref<64x256xf32>, %go: memref<i1>) attributes {xrt.entry, xrt.num_inputs = 4 : i64, xrt.num_outputs = 0 : i64} {
  %a, %b = scf.while (%c = %x, %d = %y) : (memref<64x256xf32>, memref<64x256xf32>) -> (memref<64x256xf32>, memref<64x256xf32>) {
    %again = memref.load %go[] : memref<i1>
    scf.condition(%again) %c, %d : memref<64x256xf32>, memref<64x256xf32>
  } do {
  ^bb0(%e: memref<64x256xf32>, %f: memref<64x256xf32>):
    func.call @product(%e, %weights, %f) : (memref<64x256xf32>, memref<256x256xf32>, memref<64x256xf32>) -> ()
    func.call @clear(%weights) : (memref<256x256xf32>) -> ()
    scf.yield %f, %e : memref<64x256xf32>, memref<64x256xf32>
  }
  func.return
}
func.func private @product(%a: memref<64x256xf32>, %b: memref<256x256xf32>, %out: memref<64x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64x256xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x256xf32>, memref<256x256xf32>) outs(%out : memref<64x256xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @clear(%out: memref<256x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<256x256xf32>)
  return
}
