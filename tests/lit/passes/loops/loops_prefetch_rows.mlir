// RUN: xla-opt %s -p "loops-prefetch-rows" | filecheck %s

// The row that is read four iterations later, and the one that is written.
// CHECK-LABEL: func.func private @gather
// CHECK: affine.for %i
// CHECK-NEXT: [[LATER:%.+]] = affine.min affine_map<(d0) -> ((d0 + 4), 16383)> (%i)
// CHECK: [[ROW:%.+]] = affine.load %rows{{\[}}[[LATER]]{{\]}}
// CHECK-NEXT: [[INDEX:%.+]] = arith.index_cast [[ROW]]
// CHECK-NEXT: "xrt.prefetch"(%out, [[LATER]], [[ZERO:%.+]]) <{lines = 8 : i64, write
// CHECK-NEXT: "xrt.prefetch"(%table, [[INDEX]], [[ZERO]]) <{lines = 8 : i64
// CHECK-NEXT: affine.load %rows[%i]
func.func private @gather(%table: memref<50000x128xf32>, %rows: memref<16384xi32>, %out: memref<16384x128xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 16384 {
    %row = affine.load %rows[%i] : memref<16384xi32>
    %index = arith.index_cast %row : i32 to index
    affine.for %j = 0 to 128 {
      %0 = memref.load %table[%index, %j] : memref<50000x128xf32>
      affine.store %0, %out[%i, %j] : memref<16384x128xf32>
    }
  }
  func.return
}

// A row over two loops, of odd size: it lies across one more line. A short loop looks into the next run of itself.
// CHECK-LABEL: func.func private @short_loop
// CHECK: affine.for %k
// CHECK-NEXT: [[NUMBER:%.+]] = affine.min affine_map<(d0, d1) -> ((((d0 * 4) + d1) + 5), 4095)> (%i, %k)
// CHECK-NEXT: [[I:%.+]] = affine.apply affine_map<(d0) -> ((d0 floordiv 4))> ([[NUMBER]])
// CHECK-NEXT: [[K:%.+]] = affine.apply affine_map<(d0) -> ((d0 mod 4))> ([[NUMBER]])
// CHECK: [[INDEX:%.+]] = affine.load %rows{{\[}}[[I]], [[K]]{{\]}}
// CHECK: "xrt.prefetch"(%table, [[INDEX]], [[ZERO:%.+]], [[ZERO]]) <{lines = 8 : i64
func.func private @short_loop(%table: memref<50000x4x25xf32>, %rows: memref<1024x4xindex>, %out: memref<1024x4xf32>)
    attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 1024 {
    affine.for %k = 0 to 4 {
      %index = affine.load %rows[%i, %k] : memref<1024x4xindex>
      %sum = affine.for %j = 0 to 4 iter_args(%partial = %zero) -> (f32) {
        %inner = affine.for %l = 0 to 25 iter_args(%a = %partial) -> (f32) {
          %0 = memref.load %table[%index, %j, %l] : memref<50000x4x25xf32>
          %1 = arith.addf %a, %0 : f32
          affine.yield %1 : f32
        }
        affine.yield %inner : f32
      }
      affine.store %sum, %out[%i, %k] : memref<1024x4xf32>
    }
  }
  func.return
}

// Rows that are read and written are asked for once, also where not all of them are in the table.
// CHECK-LABEL: func.func private @scatter
// CHECK: scf.for %i
// CHECK: [[LATER:%.+]] = arith.minsi
// CHECK: [[INDEX:%.+]] = memref.load %rows{{\[}}[[LATER]]{{\]}}
// CHECK: "xrt.prefetch"(%table, [[INDEX]], {{%.+}}) <{lines = 16 : i64, write
// CHECK-NOT: xrt.prefetch
func.func private @scatter(%table: memref<50000x256xf32>, %rows: memref<1000xindex>, %updates: memref<1000x256xf32>)
    attributes {xrt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1000 = arith.constant 1000 : index
  %c50000 = arith.constant 50000 : index
  scf.for %i = %c0 to %c1000 step %c1 {
    %row = memref.load %rows[%i] : memref<1000xindex>
    %is_inside = arith.cmpi ult, %row, %c50000 : index
    scf.if %is_inside {
      scf.for %j = %c0 to %c256 step %c1 {
        %0 = memref.load %table[%row, %j] : memref<50000x256xf32>
        %1 = memref.load %updates[%i, %j] : memref<1000x256xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %table[%row, %j] : memref<50000x256xf32>
      }
    }
  }
  func.return
}

// Not worth it: what is in the cache, single elements, rows one after the other. Not possible: a place that is known
// only where a condition holds, or is divided for there, and one that comes from what the loop itself writes.
// CHECK-LABEL: func.func private @in_cache
// CHECK-NOT: xrt.prefetch
func.func private @in_cache(%table: memref<500x128xf32>, %rows: memref<100xindex>, %out: memref<100x128xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 100 {
    %row = affine.load %rows[%i] : memref<100xindex>
    affine.for %j = 0 to 128 {
      %0 = memref.load %table[%row, %j] : memref<500x128xf32>
      affine.store %0, %out[%i, %j] : memref<100x128xf32>
    }
  }
  func.return
}
func.func private @elements(%table: memref<5000000xf32>, %rows: memref<1000xindex>, %out: memref<1000xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 1000 {
    %row = affine.load %rows[%i] : memref<1000xindex>
    %0 = memref.load %table[%row] : memref<5000000xf32>
    affine.store %0, %out[%i] : memref<1000xf32>
  }
  func.return
}
func.func private @slice(%table: memref<50000x128xf32>, %start: index, %out: memref<1000x128xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 1000 {
    %row = arith.addi %i, %start : index
    affine.for %j = 0 to 128 {
      %0 = memref.load %table[%row, %j] : memref<50000x128xf32>
      affine.store %0, %out[%i, %j] : memref<1000x128xf32>
    }
  }
  func.return
}
func.func private @conditional(%table: memref<50000x128xf32>, %rows: memref<1000xindex>, %c: i1,
                               %out: memref<1000x128xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 1000 {
    scf.if %c {
      %row = affine.load %rows[%i] : memref<1000xindex>
      affine.for %j = 0 to 128 {
        %0 = memref.load %table[%row, %j] : memref<50000x128xf32>
        affine.store %0, %out[%i, %j] : memref<1000x128xf32>
      }
    }
  }
  func.return
}
func.func private @divided(%table: memref<50000x128xf32>, %rows: memref<1000xindex>, %c: i1, %n: index,
                           %out: memref<1000x128xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 1000 {
    %number = affine.load %rows[%i] : memref<1000xindex>
    scf.if %c {
      %row = arith.divui %number, %n : index
      affine.for %j = 0 to 128 {
        %0 = memref.load %table[%row, %j] : memref<50000x128xf32>
        affine.store %0, %out[%i, %j] : memref<1000x128xf32>
      }
    }
  }
  func.return
}
func.func private @written(%table: memref<50000x128xf32>, %rows: memref<1000xindex>, %out: memref<1000x128xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 1000 {
    affine.store %i, %rows[%i] : memref<1000xindex>
    %row = affine.load %rows[%i] : memref<1000xindex>
    affine.for %j = 0 to 128 {
      %0 = memref.load %table[%row, %j] : memref<50000x128xf32>
      affine.store %0, %out[%i, %j] : memref<1000x128xf32>
    }
  }
  func.return
}
