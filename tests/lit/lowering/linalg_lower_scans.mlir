// RUN: xla-opt %s -p linalg-lower-scans | filecheck %s

// Without a schedule the loops are those that are chosen: here, each element behind the one before it.

// CHECK-LABEL: func.func private @greatest
// CHECK-DAG:     [[LOW:%.+]] = arith.constant -2147483648 : i32
// CHECK-DAG:     [[LAST:%.+]] = arith.constant 8 : index
// CHECK:         scf.for [[I:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} {
// CHECK-NEXT:      scf.for [[K:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[TOTAL:%.+]] = [[LOW]]) -> (i32) {
// CHECK-NEXT:        [[AT:%.+]] = arith.subi [[LAST]], [[K]] : index
// CHECK-NEXT:        [[E:%.+]] = memref.load %x[[[I]], [[AT]]] : memref<4x9xi32>
// CHECK-NEXT:        [[NEW:%.+]] = arith.maxsi [[TOTAL]], [[E]] : i32
// CHECK-NEXT:        memref.store [[NEW]], %y[[[I]], [[AT]]] : memref<4x9xi32>
// CHECK-NEXT:        scf.yield [[NEW]] : i32
func.func private @greatest(%x: memref<4x9xi32>, %y: memref<4x9xi32>) attributes {xrt.kernel} {
  linalg_ext.scan %x outs(%y) dimension 1 reverse init -2147483648 : i32 {
  ^bb0(%total: i32, %element: i32):
    %0 = arith.maxsi %total, %element : i32
    linalg_ext.yield %0 : i32
  } : memref<4x9xi32>, memref<4x9xi32>
  return
}

// Behind a chain its sum is added to those of all chains before, with the error of the addition unless that is infinite;
// what results are added to has the errors of all of them. What is left of 100 needs no end. A trip of a loop makes four
// of the additions of a chain.

// CHECK-LABEL: func.func private @chains
// CHECK:         [[PARTS:%.+]], [[BEFORE:%.+]], {{%.+}}, {{%.+}} = scf.for [[NUMBER:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[FIRST:%.+]] = {{%.+}}, [[SUMS:%.+]] = {{%.+}}, [[TOTAL:%.+]] = {{%.+}}, [[ERROR:%.+]] = {{%.+}})
// CHECK-NEXT:      [[START:%.+]] = arith.muli [[NUMBER]], {{%.+}} : index
// CHECK:           [[CHAIN:%.+]] = scf.for [[K:%.+]] = {{%.+}} to {{%.+}} step {{%.+}} iter_args([[PART:%.+]] = [[FIRST]])
// CHECK-NEXT:        [[FOUR:%.+]] = arith.muli [[K]], {{%.+}} : index
// CHECK-NEXT:        [[AT:%.+]] = arith.addi [[START]], [[FOUR]] : index
// CHECK-NEXT:        [[E:%.+]] = memref.load %x[[[AT]]] : memref<100xf32>
// CHECK-NEXT:        [[NEW:%.+]] = arith.addf [[PART]], [[E]] : f32
// CHECK-NEXT:        [[RESULT:%.+]] = arith.addf [[SUMS]], [[NEW]] : f32
// CHECK-NEXT:        memref.store [[RESULT]], %y[[[AT]]] : memref<100xf32>
// CHECK-COUNT-3:     arith.addf [[SUMS]], {{%.+}} : f32
// CHECK:             scf.yield [[NEW:%.+]] : f32
// CHECK:           [[SUM:%.+]] = arith.addf [[TOTAL]], [[CHAIN]] : f32
// CHECK-NEXT:      [[ADDED:%.+]] = arith.subf [[SUM]], [[TOTAL]] : f32
// CHECK-NEXT:      [[KEPT:%.+]] = arith.subf [[SUM]], [[ADDED]] : f32
// CHECK-NEXT:      [[OF_TOTAL:%.+]] = arith.subf [[TOTAL]], [[KEPT]] : f32
// CHECK-NEXT:      [[OF_CHAIN:%.+]] = arith.subf [[CHAIN]], [[ADDED]] : f32
// CHECK-NEXT:      [[LOST:%.+]] = arith.addf [[OF_TOTAL]], [[OF_CHAIN]] : f32
// CHECK-NEXT:      [[IS_LOST:%.+]] = arith.cmpf one, [[LOST]]
// CHECK-NEXT:      [[MORE:%.+]] = arith.addf [[ERROR]], [[LOST]] : f32
// CHECK-NEXT:      [[ERRORS:%.+]] = arith.select [[IS_LOST]], [[MORE]], [[ERROR]] : f32
// CHECK-NEXT:      [[IS_ERROR:%.+]] = arith.cmpf one, [[ERRORS]]
// CHECK-NEXT:      [[CORRECTED:%.+]] = arith.addf [[SUM]], [[ERRORS]] : f32
// CHECK-NEXT:      [[NEXT:%.+]] = arith.select [[IS_ERROR]], [[CORRECTED]], [[SUM]] : f32
// CHECK-NEXT:      scf.yield {{%.+}}, [[NEXT]], [[SUM]], [[ERRORS]]
// CHECK:         {{%.+}} = {{.+}}[[PARTS]]
// CHECK:           arith.addf [[BEFORE]]
// CHECK-NOT:     arith.subf
func.func private @chains(%x: memref<100xf32>, %y: memref<100xf32>) attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
  for k = 0 to 100 by 16 {
    chain l = k to min(k + 16, 100) {
      compute scan at (l)
    }
  }
}>} {
  linalg_ext.scan %x outs(%y) dimension 0 init 0.0 : f32 {
  ^bb0(%total: f32, %element: f32):
    %0 = arith.addf %total, %element : f32
    linalg_ext.yield %0 : f32
  } : memref<100xf32>, memref<100xf32>
  return
}

// Lines side by side in memory: a vector of totals, in a buffer of each thread; the first elements are totals.

// CHECK-LABEL: func.func private @columns
// CHECK-NOT:     xrt.schedule
// CHECK:         "affine.parallel"() <{{.*}} upperBoundsMap = affine_map<() -> (4)>
// CHECK:           [[TOTALS:%.+]] = memref.alloc() : memref<8xf32>
// CHECK:           scf.for
// CHECK-NOT:         memref.load [[TOTALS]]
// CHECK:             memref.store {{%.+}}, [[TOTALS]][
// CHECK-NEXT:      } {xrt.lanes = 8 : i64}
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               memref.load [[TOTALS]][
// CHECK:             } {xrt.lanes = 8 : i64}
func.func private @columns(%x: memref<20x32xf32>, %y: memref<20x32xf32>) attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
  parallel j = 0 to 32 by 8 {
    for k = 0 to 20 {
      vector 8 l = 0 to 8 {
        compute scan at (k, j + l)
      }
    }
  }
}>} {
  linalg_ext.scan %x outs(%y) dimension 0 init 0.0 : f32 {
  ^bb0(%total: f32, %element: f32):
    %0 = arith.addf %total, %element : f32
    linalg_ext.yield %0 : f32
  } : memref<20x32xf32>, memref<20x32xf32>
  return
}
