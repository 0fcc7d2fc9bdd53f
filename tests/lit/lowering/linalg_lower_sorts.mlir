// RUN: xla-opt %s -p linalg-lower-sorts | filecheck %s

// Lines into scratch, passes over two runs of 4, a last merge of the runs. The comparator ignores the second operand:
// it is read once, where the merge takes it from.

// CHECK-LABEL: func.func private @argsort
// CHECK:         [[S:%.+]] = memref.alloc() : memref<2x9xf32>
// CHECK-NEXT:    [[T:%.+]] = memref.alloc() : memref<2x9xi32>
// CHECK-NEXT:    scf.for [[ROW:%.+]] = [[C0:%.+]] to {{%.+}} step [[C1:%.+]] {
// CHECK-NEXT:      scf.for [[K:%.+]] = [[C0]] to [[C8:%.+]] step [[C1]]
// CHECK-NEXT:        [[X:%.+]] = memref.load %x[[[ROW]], [[K]]] : memref<3x8xf32>
// CHECK-NEXT:        [[I:%.+]] = memref.load %i[[[ROW]], [[K]]] : memref<3x8xi32>
// CHECK-NEXT:        memref.store [[X]], [[S]][[[C0]], [[K]]] : memref<2x9xf32>
// CHECK-NEXT:        memref.store [[I]], [[T]][[[C0]], [[K]]] : memref<2x9xi32>
// CHECK:           scf.for [[PASS:%.+]] = [[C0]] to {{%.+}} step [[C1]]
// CHECK-NEXT:        [[WIDTH:%.+]] = arith.shli [[C1]], [[PASS]] : index
// CHECK:             [[SOURCE:%.+]] = arith.andi [[PASS]], [[C1]] : index
// CHECK-NEXT:        [[TARGET:%.+]] = arith.xori [[SOURCE]], [[C1]] : index
// CHECK:             scf.for [[K:%.+]] = [[C0]] to {{%.+}} step [[C1]] iter_args([[ONE:%.+]] = [[C0]], [[TWO:%.+]] = [[C0]])
// CHECK:               [[L:%.+]] = memref.load [[S]][[[SOURCE]], [[LEFT:%.+]]] : memref<2x9xf32>
// CHECK-NEXT:          [[R:%.+]] = memref.load [[S]][[[SOURCE]], [[RIGHT:%.+]]] : memref<2x9xf32>
// CHECK-NEXT:          [[LESS:%.+]] = arith.cmpf olt, [[R]], [[L]] : f32
// CHECK:               [[TAKE:%.+]] = arith.andi {{%.+}}, {{%.+}} : i1
// CHECK:               [[FROM:%.+]] = arith.select [[TAKE]], [[RIGHT]], [[LEFT]] : index
// CHECK-NEXT:          [[MIN:%.+]] = arith.select [[TAKE]], [[R]], [[L]] : f32
// CHECK-NEXT:          memref.load [[T]][[[SOURCE]], [[FROM]]] : memref<2x9xi32>
// CHECK:               arith.cmpf olt
// CHECK:               memref.store [[MIN]], [[S]][[[TARGET]], [[K]]] : memref<2x9xf32>
// CHECK:               scf.yield
// CHECK:           scf.for [[K:%.+]] = [[C0]] to [[C8]] step [[C1]]
// CHECK:             arith.cmpf olt
// CHECK:             memref.store {{%.+}}, %j[[[ROW]], [[K]]] : memref<3x8xi32>
func.func private @argsort(%x: memref<3x8xf32>, %i: memref<3x8xi32>, %y: memref<3x8xf32>, %j: memref<3x8xi32>) attributes {xrt.kernel} {
  linalg_ext.sort %x, %i outs(%y, %j) dimension 1 {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %0 = arith.cmpf olt, %a, %b : f32
    linalg_ext.yield %0 : i1
  } : (memref<3x8xf32>, memref<3x8xi32>) (memref<3x8xf32>, memref<3x8xi32>)
  return
}

// By a key, which is read for the counts and in each of the two passes. Descending: all bits are complemented but that
// of the sign.

// CHECK-LABEL: func.func private @by_key
// CHECK:         arith.constant 32767 : i16
// CHECK:         memref.alloc() : memref<2x4096xi16>
// CHECK-NEXT:    memref.alloc() : memref<2x4096xf32>
// CHECK-NEXT:    memref.alloc() : memref<2x256xi32>
// CHECK:         [[X:%.+]] = memref.load %x
// CHECK:         [[FLIPPED:%.+]] = arith.xori [[X]], [[MASK:%.+]] : i16
// CHECK-NEXT:    [[KEY:%.+]] = arith.extui [[FLIPPED]] : i16 to i64
// CHECK-NEXT:    arith.shrui [[KEY]], {{%.+}} : i64
// CHECK-COUNT-2: arith.addi {{%.+}}, {{%.+}} : i32
// CHECK:         [[ROW:%.+]] = "xrt.part"({{%.+}}, {{%.+}}) : (memref<2x4096xi16>, index) -> memref<4096xi16>
// CHECK:         [[E:%.+]] = memref.load [[ROW]][{{%.+}}] : memref<4096xi16>
// CHECK:         arith.xori [[E]], [[MASK]] : i16
// CHECK-NOT:     arith.cmpi
// CHECK:         func.return
func.func private @by_key(%x: memref<4096xi16>, %y: memref<4096xf32>, %v: memref<4096xi16>, %w: memref<4096xf32>) attributes {xrt.kernel} {
  linalg_ext.sort %x, %y outs(%v, %w) dimension 0 {
  ^bb0(%a: i16, %b: i16, %c: f32, %d: f32):
    %0 = arith.cmpi sgt, %a, %b : i16
    linalg_ext.yield %0 : i1
  } : (memref<4096xi16>, memref<4096xf32>) (memref<4096xi16>, memref<4096xf32>)
  return
}

// The first 2 of 64 elements are selected: a sorted list of keys and places, with an end. Places are not read.

// CHECK-LABEL: func.func private @first
// CHECK:         memref.alloc() : memref<3xi64>
// CHECK-NOT:     memref.alloc
// CHECK:         [[LATER:%.+]] = arith.maxui {{%.+}}, [[ENTRY:%.+]] : i64
// CHECK-NEXT:    arith.minui {{%.+}}, [[LATER]] : i64
// CHECK:         [[PLACE:%.+]] = arith.index_cast {{%.+}} : index to i32
// CHECK:         memref.store [[PLACE]], %p
func.func private @first(%x: memref<3x64xi32>, %y: memref<3x2xi32>, %p: memref<3x2xi32>) attributes {xrt.kernel} {
  linalg_ext.sort %x outs(%y, %p) dimension 1 counts [1] {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %0 = arith.cmpi sgt, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<3x64xi32>) (memref<3x2xi32>, memref<3x2xi32>)
  return
}

// Many elements are held in a heap.

// CHECK-LABEL: func.func private @many
// CHECK:         memref.alloc() : memref<300xi64>
// CHECK-NOT:     arith.minui
// CHECK:         func.return
func.func private @many(%x: memref<9000xi32>, %y: memref<300xi32>) attributes {xrt.kernel} {
  linalg_ext.sort %x outs(%y) dimension 0 {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi sgt, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<9000xi32>) (memref<300xi32>)
  return
}

// A network of three elements, eight lines at a time: three comparisons of neighbours, nothing in memory.

// CHECK-LABEL: func.func private @network
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK-COUNT-3: arith.cmpi ult
// CHECK-NOT:     arith.cmpi
// CHECK-COUNT-3: memref.store
// CHECK:         xrt.lanes = 8
func.func private @network(%x: memref<3x8xi32>, %y: memref<3x8xi32>) attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
  vector 8 i = 0 to 8 { compute sort at (i) by network }
}>} {
  linalg_ext.sort %x outs(%y) dimension 0 {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi ult, %a, %b : i32
    linalg_ext.yield %0 : i1
  } : (memref<3x8xi32>) (memref<3x8xi32>)
  return
}
