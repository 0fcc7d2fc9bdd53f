// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512}' --split-input-file | filecheck %s
// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512},convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s --check-prefix=LOOPS

#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// One loop where the buffers allow it.
// CHECK-LABEL: @merged
// CHECK-SAME:    xrt.schedule = #schedule.kernel<{
// CHECK-NEXT:      for i = 0 to 128 {
// CHECK-NEXT:        compute exp at (i floordiv 16, i mod 16)
// CHECK-NEXT:      }
// CHECK-NEXT:    }>
// LOOPS-LABEL: @merged
// LOOPS-NOT:     xrt.schedule
// LOOPS:         affine.for {{%.+}} = 0 to 128 {
func.func private @merged(%x: memref<8x16xf32>, %y: memref<8x16xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// A transpose goes in square blocks through registers.
// CHECK-LABEL: @transpose
// CHECK:         transpose 8 i = 0 to 48, j = 0 to 32 {
// CHECK-NEXT:      compute copy at (i, j)
func.func private @transpose(%x: memref<32x48xf32>, %y: memref<48x32xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<32x48xf32>) outs(%y : memref<48x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>

// What is left beside the blocks is copied element by element.
// CHECK-LABEL: @narrow_rest
// CHECK-NOT:     stage
// CHECK:         transpose 8 j = 0 to 48, k = 0 to 64 {
// CHECK-NEXT:      compute copy at (j, i + k)
// CHECK-NOT:     stage
// CHECK:         compute copy at ({{.*}} + 64)
// LOOPS-LABEL: @narrow_rest
// LOOPS:         vector
func.func private @narrow_rest(%x: memref<65x48xf32>, %y: memref<48x65xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<65x48xf32>) outs(%y : memref<48x65xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A row at a time: its sum stays in a register, and starts from the value of the fill.
// CHECK-LABEL: @rows
// CHECK:         start addf from fill
// CHECK-NEXT:    for i = 0 to 8 {
// CHECK-NEXT:      keep addf
// CHECK-NEXT:      for j = 0 to 100 {
// CHECK-NEXT:        compute addf at (i, j)
// CHECK-NEXT:      }
// CHECK-NEXT:      for j = 0 to 100 {
// CHECK-NEXT:        compute divf at (i, j)
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// LOOPS-LABEL: @rows
// LOOPS:         affine.for [[I:%.+]] = 0 to 8 {
// LOOPS-NEXT:      [[S:%.+]] = affine.for {{%.+}} = 0 to 100 iter_args({{%.+}} = %zero) -> (f32) {
// LOOPS:           affine.for [[J:%.+]] = 0 to 100 {
// LOOPS-NEXT:        [[X:%.+]] = affine.load {{%.+}}[[[I]], [[J]]]
// LOOPS-NEXT:        [[Q:%.+]] = arith.divf [[X]], [[S]]
func.func private @rows(%x: memref<8x100xf32>, %y: memref<8x100xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x100xf32>) outs(%s : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : memref<8x100xf32>, memref<8xf32>) outs(%y : memref<8x100xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.divf %a, %b : f32
    linalg.yield %q : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Sums of up to eight neighbours are copies in a loop over rows, where they are loaded together; of more, loops.
// CHECK-LABEL: @five
// CHECK:         for i = 0 to 64 {
// CHECK-NEXT:      unroll j = 0 to 5 {
// CHECK-LABEL: @ten
// CHECK:         for i = 0 to 64 {
// CHECK-NEXT:      for j = 0 to 10 {
func.func private @five(%x: memref<64x5xf32>, %y: memref<64xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x5xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @ten(%x: memref<64x10xf32>, %y: memref<64xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x10xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A schedule that is there stays, and is what happens.
// CHECK-LABEL: @kept
// CHECK:         for j = 0 to 16 by 4 {
// CHECK-NEXT:      for i = 0 to 8 {
// CHECK-NEXT:        unroll k = 0 to 4 {
// CHECK-NEXT:          compute exp at (i, j + k)
// LOOPS-LABEL: @kept
// LOOPS:         affine.for [[J:%.+]] = 0 to 4 {
// LOOPS-NEXT:      affine.for [[I:%.+]] = 0 to 8 {
// LOOPS-NEXT:        affine.load %x[[[I]], [[J]] * 4]
// LOOPS:             affine.store {{%.+}}, %y[[[I]], [[J]] * 4 + 3]
func.func private @kept(%x: memref<8x16xf32>, %y: memref<8x16xf32>) attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
  for j = 0 to 16 by 4 {
    for i = 0 to 8 {
      unroll k = 0 to 4 { compute exp at (i, j + k) }
    }
  }
}>} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}

// -----

// Windows that overlap, two by two: what they share is loaded once.

// CHECK-LABEL: func.func private @windows
// CHECK:         for i = 0 to 16 by 2 {
// CHECK-NEXT:      for j = 0 to 8 by 2 {
// CHECK-NEXT:        for k = 0 to 128 {
// CHECK-NEXT:          unroll l = 0 to 2, m = 0 to 2, n = 0 to 3, p = 0 to 3 {
// CHECK-NEXT:            compute addf at (i + l, j + m, k, n, p)
// LOOPS-LABEL: func.func private @windows
// LOOPS:         affine.for %{{.*}} = 0 to 8 {
func.func private @windows(%x: memref<18x10x128xf32>, %w: memref<3x3x128xf32>, %out: memref<16x8x128xf32>) attributes {xrt.kernel} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<16x8x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, c, a, b) -> (i + a, j + b, c)>, affine_map<(i, j, c, a, b) -> (a, b, c)>,
    affine_map<(i, j, c, a, b) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : memref<18x10x128xf32>, memref<3x3x128xf32>) outs(%out : memref<16x8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %sum, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Where their number has no small divisor, what is left over is a nest of its own. Windows of 25 points are copies too.

// CHECK-LABEL: func.func private @odd_windows
// CHECK:         for i = 0 to 17 {
// CHECK-NEXT:      for j = 0 to 9 by 3 {
// CHECK-NEXT:        for k = 0 to 128 {
// CHECK-NEXT:          unroll l = 0 to 3, m = 0 to 5, n = 0 to 5 {
// CHECK-NEXT:            compute addf at (i, j + l, k, m, n)
// CHECK-LABEL: func.func private @many_windows
// CHECK:         for i = 0 to 22 by 2 {
// CHECK-NEXT:      for j = 0 to 8 by 2 {
// CHECK-NEXT:        for k = 0 to 128 {
// CHECK-NEXT:          unroll l = 0 to 2, m = 0 to 2, n = 0 to 3, p = 0 to 3 {
// CHECK-NEXT:            compute addf at (i + l, j + m, k, n, p)
// CHECK:         for j = 0 to 8 by 2 {
// CHECK-NEXT:      for k = 0 to 128 {
// CHECK-NEXT:        unroll l = 0 to 2, m = 0 to 3, n = 0 to 3 {
// CHECK-NEXT:          compute addf at (i + 22, j + l, k, m, n)
func.func private @odd_windows(%x: memref<21x13x128xf32>, %w: memref<5x5x128xf32>, %out: memref<17x9x128xf32>) attributes {xrt.kernel} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<17x9x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, c, a, b) -> (i + a, j + b, c)>, affine_map<(i, j, c, a, b) -> (a, b, c)>,
    affine_map<(i, j, c, a, b) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : memref<21x13x128xf32>, memref<5x5x128xf32>) outs(%out : memref<17x9x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %sum, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
func.func private @many_windows(%x: memref<25x10x128xf32>, %w: memref<3x3x128xf32>, %out: memref<23x8x128xf32>) attributes {xrt.kernel} {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%out : memref<23x8x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, c, a, b) -> (i + a, j + b, c)>, affine_map<(i, j, c, a, b) -> (a, b, c)>,
    affine_map<(i, j, c, a, b) -> (i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : memref<25x10x128xf32>, memref<3x3x128xf32>) outs(%out : memref<23x8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %sum, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A single sum of a few elements is one of scalars; of more it is one of a vector.

// CHECK-LABEL: @few
// CHECK:         unroll i = 0 to 7 {
// CHECK-LABEL: @more
// CHECK:         for i = 0 to 9 {
// LOOPS-LABEL: @few
// LOOPS-COUNT-7: affine.load
// LOOPS-LABEL: @more
// LOOPS:         affine.for
#i = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
func.func private @few(%x: memref<7xf32>, %y: memref<f32>) attributes {xrt.kernel} {
  %c = arith.constant 0.0 : f32
  linalg.fill ins(%c : f32) outs(%y : memref<f32>)
  linalg.generic {indexing_maps = [#i, #all], iterator_types = ["reduction"]} ins(%x : memref<7xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  func.return
}
func.func private @more(%x: memref<9xf32>, %y: memref<f32>) attributes {xrt.kernel} {
  %c = arith.constant 0.0 : f32
  linalg.fill ins(%c : f32) outs(%y : memref<f32>)
  linalg.generic {indexing_maps = [#i, #all], iterator_types = ["reduction"]} ins(%x : memref<9xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  func.return
}

// -----

// What computes much for each element of short rows goes through several of them as one, ahead of their sums.
// CHECK-LABEL: func.func private @costly_short_rows
// CHECK:         for i = 0 to 1000 by 25 {
// CHECK:           for j = 0 to 300 {
// CHECK-NEXT:        compute tanh at (i + j floordiv 12, j mod 12)
// CHECK-NEXT:      }
// CHECK:           compute addf
// CHECK:           compute divf
func.func private @costly_short_rows(%x: memref<1000x12xf32>, %out: memref<1000x12xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %t = memref.alloc() : memref<1000x12xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<1000x12xf32>) outs(%t : memref<1000x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %h = math.tanh %a : f32
    linalg.yield %h : f32
  }
  %sum = memref.alloc() : memref<1000xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%sum : memref<1000xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%t : memref<1000x12xf32>) outs(%sum : memref<1000xf32>) {
  ^bb0(%a: f32, %s: f32):
    %r = arith.addf %s, %a fastmath<reassoc> : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%t, %sum : memref<1000x12xf32>, memref<1000xf32>) outs(%out : memref<1000x12xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  }
  return
}

// -----

// What selects by the place in a row is cut there, but not what computes much for each element of the row.
// CHECK-LABEL: func.func private @cut_apart
// CHECK:             for k = 0 to 32 {
// CHECK-NEXT:          compute exp at (i + j, k)
// CHECK-NEXT:        }
// CHECK:             compute select at (i + j, 3)
func.func private @cut_apart(%x: memref<1000x32xf32>, %m: memref<1000xf32>, %e: memref<1000x32xf32>, %out: memref<1000x32xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %m : memref<1000x32xf32>, memref<1000xf32>) outs(%e : memref<1000x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %h = math.exp %d : f32
    linalg.yield %h : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m : memref<1000xf32>) outs(%out : memref<1000x32xf32>) {
  ^bb0(%b: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %three = arith.constant 3 : index
    %four = arith.constant 4 : index
    %j = linalg.index 1 : index
    %ge = arith.cmpi sge, %j, %three : index
    %lt = arith.cmpi slt, %j, %four : index
    %is = arith.andi %ge, %lt : i1
    %s = arith.select %is, %b, %z : f32
    linalg.yield %s : f32
  }
  return
}
