// RUN: xla-opt %s -p loops-fuse-kernels | filecheck %s

// Each iteration of the second kernel reads of %t what the same iteration of the first has written: the quotient in the
// place of the last tile keeps it inside.
// CHECK-LABEL: func.func @main
// CHECK:         [[T:%.+]] = memref.alloc
// CHECK-NEXT:    func.call @copy_tiles(%x, [[T]], %y)
// CHECK-NEXT:    func.call @copy_of_halo(%x, [[T]])
// CHECK-NEXT:    func.call @halo([[T]], %y)
// CHECK-NEXT:    func.call @short_copy(%x, [[T]])
// CHECK-NEXT:    func.call @longer([[T]], %y)
// CHECK-NEXT:    func.call @sum(%x, [[T]])
// CHECK-NEXT:    func.call @after_sum([[T]], %y)
// CHECK-NEXT:    func.call @twice(%x, [[T]])
// CHECK-NEXT:    func.call @after_twice([[T]], %y)
// CHECK-NEXT:    func.call @twice(%x, [[T]])
// CHECK-NEXT:    func.return
func.func @main(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.entry} {
  %t = memref.alloc() : memref<512xf32>
  func.call @copy(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @tiles(%t, %y) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @copy_of_halo(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @halo(%t, %y) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @short_copy(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @longer(%t, %y) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @sum(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @after_sum(%t, %y) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @twice(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @after_twice(%t, %y) : (memref<512xf32>, memref<512xf32>) -> ()
  func.call @twice(%x, %t) : (memref<512xf32>, memref<512xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func private @copy_tiles
// CHECK-SAME:    ([[X:%.+]]: memref<512xf32>, [[T:%.+]]: memref<512xf32>, [[Y:%.+]]: memref<512xf32>)
// CHECK-NEXT:    affine.for [[N:%.+]] = 0 to 8 {
// CHECK-NEXT:      [[V:%.+]] = affine.vector_load [[X]][[[N]] * 64]
// CHECK-NEXT:      affine.vector_store [[V]], [[T]][[[N]] * 64]
// CHECK-NEXT:      affine.for [[I:%.+]] = 0 to 3 {
// CHECK-NEXT:        [[AT:%.+]] = affine.apply
// CHECK-NEXT:        [[W:%.+]] = affine.vector_load [[T]][[[AT]]]
// CHECK-NEXT:        [[SUM:%.+]] = arith.addf [[W]], [[W]]
// CHECK-NEXT:        affine.vector_store [[SUM]], [[Y]][[[AT]]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @copy(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    affine.vector_store %0, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
func.func private @tiles(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    affine.for %i = 0 to 3 {
      %at = affine.apply affine_map<(n, i) -> (n * 64 + i * 24 + (i floordiv 2) * -8)>(%n, %i)
      %0 = affine.vector_load %x[%at] : memref<512xf32>, vector<24xf32>
      %1 = arith.addf %0, %0 : vector<24xf32>
      affine.vector_store %1, %y[%at] : memref<512xf32>, vector<24xf32>
    }
  }
  func.return
}

// The second reads what the next iteration of the first writes.
func.func private @copy_of_halo(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    affine.vector_store %0, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
func.func private @halo(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64 + 1] : memref<512xf32>, vector<64xf32>
    %1 = arith.addf %0, %0 : vector<64xf32>
    affine.vector_store %1, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}

// Different loops.
func.func private @short_copy(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 7 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    affine.vector_store %0, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
func.func private @longer(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    %1 = arith.addf %0, %0 : vector<64xf32>
    affine.vector_store %1, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}

// The first computes.
func.func private @sum(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    %1 = arith.addf %0, %0 : vector<64xf32>
    affine.vector_store %1, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
func.func private @after_sum(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    %1 = arith.addf %0, %0 : vector<64xf32>
    affine.vector_store %1, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}

// The first is called elsewhere too.
func.func private @twice(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    affine.vector_store %0, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
func.func private @after_twice(%x: memref<512xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %n = 0 to 8 {
    %0 = affine.vector_load %x[%n * 64] : memref<512xf32>, vector<64xf32>
    %1 = arith.addf %0, %0 : vector<64xf32>
    affine.vector_store %1, %y[%n * 64] : memref<512xf32>, vector<64xf32>
  }
  func.return
}
