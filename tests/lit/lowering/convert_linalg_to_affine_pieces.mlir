// RUN: xla-opt %s -p convert-linalg-to-affine --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>

// A loop is cut where the selection changes, inside of the loop around it.
// CHECK-LABEL: func.func @side_by_side
// CHECK-SAME:    ([[X:%.+]]: memref<8x30xf32>, [[Y:%.+]]: memref<8x70xf32>, [[OUT:%.+]]: memref<8x100xf32>)
// CHECK:         affine.for [[I:%.+]] = 0 to 8 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 30 {
// CHECK-NEXT:        [[A:%.+]] = affine.load [[X]]{{\[}}[[I]], [[J]]]
// CHECK-NEXT:        affine.store [[A]], [[OUT]]{{\[}}[[I]], [[J]]]
// CHECK:           affine.for [[K:%.+]] = 0 to 70 {
// CHECK-NEXT:        [[B:%.+]] = affine.load [[Y]]{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        affine.store [[B]], [[OUT]]{{\[}}[[I]], [[K]] + 30]
func.func @side_by_side(%x: memref<8x30xf32>, %y: memref<8x70xf32>, %out: memref<8x100xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j mod 30)>, affine_map<(i, j) -> (i, (j + 40) mod 70)>, #id],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : memref<8x30xf32>, memref<8x70xf32>) outs(%out : memref<8x100xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c30 = arith.constant 30 : index
    %j = linalg.index 1 : index
    %is_second = arith.cmpi sge, %j, %c30 : index
    %s = arith.select %is_second, %b, %a : f32
    linalg.yield %s : f32
  }
  func.return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Cutting comes first, where a part goes into the whole several times as well.
// CHECK-LABEL: func.func @parts_of_a_period
// CHECK-NOT:     arith.select
// CHECK:         affine.for [[I:%.+]] = 0 to 8 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 25 {
// CHECK:           affine.for [[K:%.+]] = 0 to 75 {
// CHECK-NEXT:        affine.load {{%.+}}{{\[}}[[I]], [[K]]]
func.func @parts_of_a_period(%x: memref<8x25xf32>, %y: memref<8x75xf32>, %out: memref<8x100xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j mod 25)>, affine_map<(i, j) -> (i, (j + 50) mod 75)>, #id],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : memref<8x25xf32>, memref<8x75xf32>) outs(%out : memref<8x100xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c25 = arith.constant 25 : index
    %j = linalg.index 1 : index
    %is_second = arith.cmpi sge, %j, %c25 : index
    %s = arith.select %is_second, %b, %a : f32
    linalg.yield %s : f32
  }
  func.return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A loop around the innermost one is cut where it would read more than one piece does.
// CHECK-LABEL: func.func @one_below_the_other
// CHECK-SAME:    ([[X:%.+]]: memref<30x8xf32>, [[Y:%.+]]: memref<70x8xf32>, [[OUT:%.+]]: memref<100x8xf32>)
// CHECK-NOT:     arith.select
// CHECK:         affine.for {{%.+}} = 0 to 240 {
// CHECK:         affine.for {{%.+}} = 0 to 560 {
func.func @one_below_the_other(%x: memref<30x8xf32>, %y: memref<70x8xf32>, %out: memref<100x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i mod 30, j)>, affine_map<(i, j) -> ((i + 40) mod 70, j)>, #id],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : memref<30x8xf32>, memref<70x8xf32>) outs(%out : memref<100x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c30 = arith.constant 30 : index
    %i = linalg.index 0 : index
    %is_second = arith.cmpi sge, %i, %c30 : index
    %s = arith.select %is_second, %b, %a : f32
    linalg.yield %s : f32
  }
  func.return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Elsewhere the condition is computed there. Single elements at the ends are no loops.
// CHECK-LABEL: func.func @padded
// CHECK-SAME:    ([[X:%.+]]: memref<64x64xf32>, [[OUT:%.+]]: memref<66x66xf32>)
// CHECK:         affine.for [[I:%.+]] = 0 to 66 {
// CHECK-NEXT:      affine.store [[ZERO:%.+]], [[OUT]]{{\[}}[[I]], 0]
// CHECK-NEXT:      affine.store [[ZERO]], [[OUT]]{{\[}}[[I]], 65]
// CHECK:           [[INSIDE:%.+]] = arith.andi
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 64 {
// CHECK-NEXT:        [[A:%.+]] = affine.load [[X]][([[I]] + 63) mod 64, [[J]]]
// CHECK-NEXT:        [[S:%.+]] = arith.select [[INSIDE]], [[A]], [[ZERO]] : f32
// CHECK-NEXT:        affine.store [[S]], [[OUT]]{{\[}}[[I]], [[J]] + 1]
func.func @padded(%x: memref<64x64xf32>, %out: memref<66x66xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> ((i + 63) mod 64, (j + 63) mod 64)>, #id],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<64x64xf32>) outs(%out : memref<66x66xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c1 = arith.constant 1 : index
    %c65 = arith.constant 65 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.cmpi sge, %i, %c1 : index
    %1 = arith.cmpi slt, %i, %c65 : index
    %2 = arith.andi %0, %1 : i1
    %3 = arith.cmpi sge, %j, %c1 : index
    %4 = arith.andi %2, %3 : i1
    %5 = arith.cmpi slt, %j, %c65 : index
    %6 = arith.andi %4, %5 : i1
    %s = arith.select %6, %a, %zero : f32
    linalg.yield %s : f32
  }
  func.return
}

// -----

// A reduction goes on from what the pieces before have left.
// CHECK-LABEL: func.func @sum
// CHECK-SAME:    ([[X:%.+]]: memref<30xf32>, [[Y:%.+]]: memref<70xf32>, [[Z:%.+]]: memref<100xf32>, [[OUT:%.+]]: memref<f32>)
// CHECK:         [[FIRST:%.+]] = affine.for {{%.+}} = 0 to 30 iter_args
// CHECK:         affine.for {{%.+}} = 0 to 70 iter_args({{%.+}} = [[FIRST]])
func.func @sum(%x: memref<30xf32>, %y: memref<70xf32>, %z: memref<100xf32>, %out: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(j) -> (j mod 30)>, affine_map<(j) -> ((j + 40) mod 70)>, affine_map<(j) -> (j)>, affine_map<(j) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x, %y, %z : memref<30xf32>, memref<70xf32>, memref<100xf32>) outs(%out : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %c30 = arith.constant 30 : index
    %j = linalg.index 0 : index
    %is_second = arith.cmpi sge, %j, %c30 : index
    %s = arith.select %is_second, %b, %a : f32
    %t = arith.addf %s, %c : f32
    %u = arith.addf %t, %o fastmath<reassoc> : f32
    linalg.yield %u : f32
  }
  func.return
}

// -----

// As many rows per trip as divide all of them: none remain for a nest of their own.
// CHECK-LABEL: func.func @five_rows
// CHECK:         affine.for {{%.+}} = 0 to 5 {
// CHECK:           affine.load %out
// CHECK:           affine.load {{.*}}, 4, {{.*}}] : memref<50x5x5x64xf32>
// CHECK:           affine.store {{.*}}, %out
// CHECK-NOT:     affine.load %out
func.func @five_rows(%x: memref<50x5x5x64xf32>, %out: memref<50x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<50x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, k, l, j) -> (i, k, l, j)>, affine_map<(i, k, l, j) -> (i, j)>],
                  iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
    ins(%x : memref<50x5x5x64xf32>) outs(%out : memref<50x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.addf %a, %o fastmath<reassoc> : f32
    linalg.yield %u : f32
  }
  func.return
}

// -----

// Windows that overlap, two by two in each direction: `cse` leaves one load of what they share. Their products and what
// adds them up may be fused; the first chain of additions goes on from the sum so far.
// CHECK-LABEL: func.func @overlapping
// CHECK:         affine.for {{%.+}} = 0 to 8 {
// CHECK-NEXT:      affine.for {{%.+}} = 0 to 4 {
// CHECK-NEXT:        affine.for {{%.+}} = 0 to 128 {
// CHECK:               [[A:%.+]] = affine.load %x
// CHECK:               [[P:%.+]] = arith.mulf [[A]], {{%.+}} fastmath<reassoc,contract> : f32
// CHECK-NEXT:          [[S:%.+]] = arith.addf {{%.+}}, [[P]] fastmath<contract> : f32
// CHECK:               arith.addf [[S]], {{%.+}} fastmath<contract> : f32
// CHECK-COUNT-4:       affine.store {{.*}}, %out
// CHECK-NOT:     affine.store {{.*}}, %out
func.func @overlapping(%x: memref<18x10x128xf32>, %w: memref<3x3x128xf32>, %out: memref<16x8x128xf32>) {
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
  func.return
}
