// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512 dot_products=vdpbf16ps.vpdpbusd}' | filecheck %s

#mk = affine_map<(i, j, k) -> (i, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#nk = affine_map<(i, j, k) -> (j, k)>
#mn = affine_map<(i, j, k) -> (i, j)>

// Rows of the right operand are interleaved, a word of the left one is read where it is.
// CHECK-LABEL: func.func private @halves
// CHECK:       [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<16384xbf16>
// CHECK:       [[EVEN:%.+]] = affine.vector_load {{.*}} : memref<16384xbf16>, vector<8xbf16>
// CHECK:       [[ODD:%.+]] = affine.vector_load {{.*}} : memref<16384xbf16>, vector<8xbf16>
// CHECK:       [[LOW:%.+]] = vector.shuffle [[EVEN]], [[ODD]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK:       [[HIGH:%.+]] = vector.shuffle [[EVEN]], [[ODD]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK:       affine.vector_store [[LOW]], [[PANELS]]
// CHECK:       affine.vector_store [[HIGH]], [[PANELS]]
// CHECK:       affine.for {{%.+}} = 0 to 128 iter_args
// CHECK:         [[COLUMNS:%.+]] = affine.vector_load [[PANELS]]{{.*}} : memref<16384xbf16>, vector<32xbf16>
// CHECK:         [[WORD:%.+]] = affine.vector_load {{.*}} : memref<12288xbf16>, vector<2xbf16>
// CHECK:         [[BITS:%.+]] = vector.bitcast [[WORD]] : vector<2xbf16> to vector<1xi32>
// CHECK:         [[EQUAL:%.+]] = vector.broadcast [[BITS]] : vector<1xi32> to vector<16xi32>
// CHECK:         [[FACTORS:%.+]] = vector.bitcast [[EQUAL]] : vector<16xi32> to vector<32xbf16>
// CHECK:         "xrt.dot"([[FACTORS]], [[COLUMNS]], {{%.+}}) <{instruction = "vdpbf16ps"}> : (vector<32xbf16>, vector<32xbf16>, vector<16xf32>) -> vector<16xf32>
func.func private @halves(%x: memref<48x256xbf16>, %y: memref<256x64xbf16>, %z: memref<48x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<48x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<48x256xbf16>, memref<256x64xbf16>) outs(%z : memref<48x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %e = arith.extf %a : bf16 to f32
    %f = arith.extf %b : bf16 to f32
    %m = arith.mulf %e, %f fastmath<reassoc> : f32
    %s = arith.addf %c, %m fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// Words of the right operand are transposed in squares; the last one has two bytes and zeros. A panel ends with what
// the sums of a column are off by. The left operand changes its signs in a copy.
// CHECK-LABEL: func.func private @bytes
// CHECK:       [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<33024xi8>
// CHECK:       affine.vector_load {{.*}} : memref<32640xi8>, vector<16xi8>
// CHECK:       vector.bitcast {{%.+}} : vector<16xi8> to vector<4xi32>
// CHECK:       [[ZERO:%.+]] = arith.constant dense<0> : vector<1xi8>
// CHECK:       affine.vector_store {{%.+}}, [[PANELS]]{{.*}} : memref<33024xi8>, vector<1xi8>
// CHECK:       affine.vector_store [[ZERO]], [[PANELS]]
// CHECK:       affine.vector_store [[ZERO]], [[PANELS]]
// CHECK:       [[SIGNS:%.+]] = arith.constant dense<-128> : vector<64xi8>
// CHECK:       affine.for {{%.+}} = 0 to 128 iter_args
// CHECK:         "xrt.dot"([[SIGNS]], {{%.+}}, {{%.+}}) <{instruction = "vpdpbusd"}>
// CHECK:       [[OFF:%.+]] = arith.subi {{%.+}}, {{%.+}} : vector<16xi32>
// CHECK:       [[STORED:%.+]] = vector.bitcast [[OFF]] : vector<16xi32> to vector<64xi8>
// CHECK:       affine.vector_store [[STORED]], [[PANELS]][{{.*}}32768]
// CHECK:       arith.xori
// CHECK:       affine.vector_load [[PANELS]][{{.*}}32768]
// CHECK:       "xrt.dot"({{.*}}) <{instruction = "vpdpbusd"}> : (vector<64xi8>, vector<64xi8>, vector<16xi32>) -> vector<16xi32>
func.func private @bytes(%x: memref<48x510xi8>, %y: memref<64x510xi8>, %z: memref<48x64xi32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%z : memref<48x64xi32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<48x510xi8>, memref<64x510xi8>) outs(%z : memref<48x64xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %e = arith.extsi %a : i8 to i32
    %f = arith.extsi %b : i8 to i32
    %m = arith.muli %e, %f : i32
    %s = arith.addi %c, %m : i32
    linalg.yield %s : i32
  }
  return
}
