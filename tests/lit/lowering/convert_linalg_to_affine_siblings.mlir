// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s

#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// Reductions of all elements of one buffer: one loop, which loads each element once.
// CHECK-LABEL: func.func private @all
// CHECK:         [[R:%[0-9]+]], [[T:%[0-9]+]] = affine.for [[I:%.+]] = 0 to 1024 iter_args([[M:%[0-9]+]] = %least, [[S:%[0-9]+]] = %zero) -> (f32, f32) {
// CHECK-NEXT:      [[A:%.+]] = affine.load {{%.+}}[[[I]]]
// CHECK-NEXT:      [[NM:%.+]] = arith.maximumf [[M]], [[A]]
// CHECK-NEXT:      [[P:%.+]] = arith.mulf [[A]], [[A]]
// CHECK-NEXT:      [[NS:%.+]] = arith.addf [[S]], [[P]]
// CHECK-NEXT:      affine.yield [[NM]], [[NS]]
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.store [[R]], %out[]
// CHECK-NEXT:    affine.store [[T]], %out2[]
// CHECK-NEXT:    func.return
func.func private @all(%x: memref<8x128xf32>, %out: memref<f32>, %out2: memref<f32>) attributes {xrt.kernel, xrt.row_dims = 0 : i64} {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%least : f32) outs(%out : memref<f32>)
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : memref<8x128xf32>) outs(%out : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  }
  linalg.fill ins(%zero : f32) outs(%out2 : memref<f32>)
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%x : memref<8x128xf32>) outs(%out2 : memref<f32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %o, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A reduction joins the first loop over what it reads that it could as well follow, not only the one before it.
// CHECK-LABEL: func.func private @not_adjacent
// CHECK:         affine.for [[I:%.+]] = 0 to 8 {
// CHECK-NEXT:      {{.*}} = affine.for {{.*}} iter_args({{.*}} = %least, {{.*}} = %least)
// CHECK:             arith.maximumf
// CHECK-NEXT:        arith.minimumf
// CHECK:           affine.for {{.*}} iter_args({{.*}} = %zero) -> (f32)
// CHECK-NEXT:        affine.load %x
// CHECK-NEXT:        arith.subf
// CHECK:           affine.store
// CHECK-NOT:       affine.for
// CHECK:         func.return
func.func private @not_adjacent(%x: memref<8x128xf32>, %sum: memref<8xf32>, %min: memref<8xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<8xf32>
  linalg.fill ins(%least : f32) outs(%max : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x128xf32>) outs(%max : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %max : memref<8x128xf32>, memref<8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %s = arith.addf %o, %d fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%least : f32) outs(%min : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x128xf32>) outs(%min : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.minimumf %o, %a : f32
    linalg.yield %m : f32
  }
  return
}
