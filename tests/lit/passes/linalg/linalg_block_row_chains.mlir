// RUN: xla-opt %s -p 'linalg-block-row-chains{threads=2}' --split-input-file | filecheck %s

#qd = affine_map<(b, m, n, d) -> (b, m, d)>
#kd = affine_map<(b, m, n, d) -> (b, n, d)>
#mn = affine_map<(b, m, n, d) -> (b, m, n)>
#p = affine_map<(b, m, d, n) -> (b, m, n)>
#v = affine_map<(b, m, d, n) -> (b, n, d)>
#o = affine_map<(b, m, d, n) -> (b, m, d)>
#id = affine_map<(b, m, n) -> (b, m, n)>

// Scores and weights are buffers of 128 rows; queries and results are read and written where they are.
// CHECK-LABEL: @attention
// CHECK-NOT: memref.alloc
// CHECK: func.call @chain_0(%q, %k, %v, %out)
// CHECK-NEXT: return
func.func @attention(%q: memref<8x512x64xf32>, %k: memref<8x512x64xf32>, %v: memref<8x512x64xf32>, %out: memref<8x512x64xf32>) attributes {xrt.entry} {
  %s = memref.alloc() : memref<8x512x512xf32>
  func.call @scores(%q, %k, %s) : (memref<8x512x64xf32>, memref<8x512x64xf32>, memref<8x512x512xf32>) -> ()
  %w = memref.alloc() : memref<8x512x512xf32>
  func.call @weights(%s, %w) : (memref<8x512x512xf32>, memref<8x512x512xf32>) -> ()
  func.call @values(%w, %v, %out) : (memref<8x512x512xf32>, memref<8x512x64xf32>, memref<8x512x64xf32>) -> ()
  return
}
func.func private @scores(%q: memref<8x512x64xf32>, %k: memref<8x512x64xf32>, %s: memref<8x512x512xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<8x512x512xf32>)
  linalg.generic {indexing_maps = [#qd, #kd, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : memref<8x512x64xf32>, memref<8x512x64xf32>) outs(%s : memref<8x512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y fastmath<reassoc> : f32
    %2 = arith.addf %acc, %1 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}
// The number of a row is that in its block and where the block begins.
func.func private @weights(%s: memref<8x512x512xf32>, %w: memref<8x512x512xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<8x512x512xf32>) outs(%w : memref<8x512x512xf32>) {
  ^bb0(%x: f32, %old: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %seen = arith.cmpi uge, %row, %column : index
    %e = math.exp %x : f32
    %y = arith.select %seen, %e, %x : f32
    linalg.yield %y : f32
  }
  return
}
func.func private @values(%w: memref<8x512x512xf32>, %v: memref<8x512x64xf32>, %out: memref<8x512x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8x512x64xf32>)
  linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%w, %v : memref<8x512x512xf32>, memref<8x512x64xf32>) outs(%out : memref<8x512x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y fastmath<reassoc> : f32
    %2 = arith.addf %acc, %1 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}
// CHECK-NOT: @scores(
// CHECK: @scores_block_0({{.*}}: memref<1x128x64xf32>, {{.*}}: memref<1x512x64xf32>, {{.*}}: memref<1x128x512xf32>) attributes {xrt.kernel, xrt.serial}
// CHECK: @weights_block_0({{.*}}: memref<1x128x512xf32>, {{.*}}: memref<1x128x512xf32>, [[FIRST:%.+]]: index)
// CHECK: [[ROW:%.+]] = linalg.index 1
// CHECK-NEXT: arith.addi [[ROW]], [[FIRST]] : index
// CHECK: @values_block_0
// CHECK: func.func private @chain_0
// CHECK: "affine.parallel"() <{{{.*}}upperBoundsMap = affine_map<() -> (8, 4)>
// CHECK: memref.alloc() : memref<65536xf32>
// CHECK: memref.alloc() : memref<65536xf32>
// CHECK: "xrt.part"(%{{.+}}, %{{.+}}) : (memref<8x512x64xf32>, index) -> memref<1x128x64xf32>
// CHECK: func.call @scores_block_0
// CHECK: func.call @weights_block_0
// CHECK: func.call @values_block_0

// -----

#nm = affine_map<(b, n, d, m) -> (b, m, n)>
#qm = affine_map<(b, n, d, m) -> (b, m, d)>
#od = affine_map<(b, n, d, m) -> (b, n, d)>
#qd = affine_map<(b, m, n, d) -> (b, m, d)>
#kd = affine_map<(b, m, n, d) -> (b, n, d)>
#mn = affine_map<(b, m, n, d) -> (b, m, n)>

// A product that adds up over the rows needs all of them.
// CHECK-LABEL: @transposed
// CHECK: func.call @scores
// CHECK: func.call @sums
func.func @transposed(%q: memref<8x512x64xf32>, %k: memref<8x512x64xf32>, %out: memref<8x512x64xf32>) attributes {xrt.entry} {
  %s = memref.alloc() : memref<8x512x512xf32>
  func.call @scores(%q, %k, %s) : (memref<8x512x64xf32>, memref<8x512x64xf32>, memref<8x512x512xf32>) -> ()
  func.call @sums(%s, %q, %out) : (memref<8x512x512xf32>, memref<8x512x64xf32>, memref<8x512x64xf32>) -> ()
  return
}
func.func private @scores(%q: memref<8x512x64xf32>, %k: memref<8x512x64xf32>, %s: memref<8x512x512xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#qd, #kd, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : memref<8x512x64xf32>, memref<8x512x64xf32>) outs(%s : memref<8x512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y fastmath<reassoc> : f32
    %2 = arith.addf %acc, %1 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}
func.func private @sums(%s: memref<8x512x512xf32>, %q: memref<8x512x64xf32>, %out: memref<8x512x64xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#nm, #qm, #od], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s, %q : memref<8x512x512xf32>, memref<8x512x64xf32>) outs(%out : memref<8x512x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y fastmath<reassoc> : f32
    %2 = arith.addf %acc, %1 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// There are no rows.
// CHECK-LABEL: @empty
// CHECK-COUNT-2: func.call @product
func.func @empty(%x: memref<0x5xf32>, %y: memref<5x5xf32>, %out: memref<0x5xf32>) attributes {xrt.entry} {
  %s = memref.alloc() : memref<0x5xf32>
  func.call @product(%x, %y, %s) : (memref<0x5xf32>, memref<5x5xf32>, memref<0x5xf32>) -> ()
  func.call @product(%s, %y, %out) : (memref<0x5xf32>, memref<5x5xf32>, memref<0x5xf32>) -> ()
  return
}
func.func private @product(%x: memref<0x5xf32>, %y: memref<5x5xf32>, %out: memref<0x5xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<0x5xf32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<0x5xf32>, memref<5x5xf32>) outs(%out : memref<0x5xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %1 = arith.mulf %p, %q fastmath<reassoc> : f32
    %2 = arith.addf %acc, %1 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}
