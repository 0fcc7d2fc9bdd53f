// RUN: xla-opt %s -p 'convert-linalg-to-affine{threads=2 vector_bits=512}' --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Few rows: what is reduced over them is combined in the result, after it is filled.
// CHECK-LABEL: func.func private @serial
// CHECK:         affine.for [[K:%.+]] = 0 to 40 {
// CHECK-NEXT:      affine.store %zero, %columns[[[K]]]
// CHECK:         affine.for [[I:%.+]] = 0 to 60 {
// CHECK-NEXT:      [[SUM:%.+]] = affine.for [[J:%.+]] = 0 to 40 iter_args([[S:%.+]] = %zero) -> (f32) {
// CHECK:             affine.load %x[[[I]], [[J]]]
// CHECK-NOT:         affine.load %x
// CHECK:             affine.store {{%.+}}, %columns[[[J]]]
// CHECK:           affine.store [[SUM]], %rows[[[I]]]
// CHECK:         func.return
func.func private @serial(%x: memref<60x40xf32>, %columns: memref<40xf32>, %rows: memref<60xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%columns : memref<40xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<60x40xf32>) outs(%columns : memref<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%rows : memref<60xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<60x40xf32>) outs(%rows : memref<60xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Many rows: blocks of them, the last of which is smaller, run in parallel, each with a partial result.
// CHECK-LABEL: func.func private @blocks
// CHECK:         [[P:%.+]] = memref.alloca() {{.*}} : memref<8x512xf32>
// CHECK:         "affine.parallel"() {{.*}}upperBoundsMap = affine_map<() -> (8)>
// CHECK-NEXT:    ^bb0([[C:%.+]]: index):
// CHECK-NEXT:      affine.for [[K:%.+]] = 0 to 512 {
// CHECK-NEXT:        affine.store %{{.+}}, [[P]][[[C]], [[K]]]
// CHECK:           affine.for [[I:%.+]] = 0 to min affine_map<(d0) -> (125, ((d0 * -125) + 997))>([[C]]) {
// CHECK:             affine.for [[J:%.+]] = 0 to 512
// CHECK:               affine.store {{%.+}}, [[P]][[[C]], [[J]]]
// CHECK:         affine.for {{%.+}} = 0 to 512
// CHECK:           affine.load [[P]]
// CHECK:           affine.store {{%.+}}, %columns
func.func private @blocks(%x: memref<997x512xf32>, %columns: memref<512xf32>, %rows: memref<997xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%columns : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<997x512xf32>) outs(%columns : memref<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%rows : memref<997xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<997x512xf32>) outs(%rows : memref<997xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// An elementwise op and the sum by columns of its result: the nest of the reduction, which stores the elements too.
// CHECK-LABEL: func.func private @one_nest
// CHECK:         affine.for [[I:%.+]] = 0 to 60 {
// CHECK:           affine.for [[J:%.+]] = 0 to 40 {
// CHECK:             arith.mulf
// CHECK-NOT:       affine.for
// CHECK:         func.return
func.func private @one_nest(%x: memref<60x40xf32>, %y: memref<60x40xf32>, %columns: memref<40xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<60x40xf32>) outs(%y : memref<60x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.mulf %a, %a : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%columns : memref<40xf32>)
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%y : memref<60x40xf32>) outs(%columns : memref<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Sums by columns of two outputs: one loop stores what both start from.
// CHECK-LABEL: @moments
// CHECK:         affine.for [[J:%.+]] = 0 to 64 {
// CHECK-NEXT:      affine.store {{%.+}}, {{%.+}}[[[J]]] : memref<64xf32>
// CHECK-NEXT:      affine.store {{%.+}}, {{%.+}}[[[J]]] : memref<64xf32>
// CHECK-NEXT:    }
func.func private @moments(%x: memref<48x64xf32>, %s: memref<64xf32>, %q: memref<64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%q : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<48x64xf32>) outs(%s, %q : memref<64xf32>, memref<64xf32>) {
  ^bb0(%a: f32, %t: f32, %u: f32):
    %0 = arith.addf %t, %a fastmath<reassoc> : f32
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %u, %1 fastmath<reassoc> : f32
    linalg.yield %0, %2 : f32, f32
  }
  return
}
