// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512 dot_products=vdpbf16ps.vpdpbusd.vpdpwssd}' --split-input-file | filecheck %s
// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512 dot_products=none}' --split-input-file | filecheck %s --check-prefix=WITHOUT
// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=128 dot_products=sdot.bfdot}' --split-input-file | filecheck %s --check-prefix=NEON

#mk = affine_map<(i, j, k) -> (i, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#mn = affine_map<(i, j, k) -> (i, j)>

// Pairs of bf16. The words of the left operand are there.
// CHECK-LABEL: @halves
// CHECK:       pack addf.in1 in panels
// CHECK-NOT:   pack addf.in0
// CHECK:       for k = 0 to 1024 by 512 {
// CHECK-NEXT:    chain k1 = 0 to 512 by 2 {
// CHECK-NEXT:      dot vdpbf16ps k2 = 0 to 2 {
// CHECK-NEXT:        tile i1 = 0 to 6, j1 = 0 to 64 by 16 {
// CHECK-NEXT:          compute addf at (i + i1, j + j1, k + k1 + k2)
// WITHOUT-LABEL: @halves
// WITHOUT-NOT:   dot
// WITHOUT:       pack addf.in0 in rows
// NEON-LABEL: @halves
// NEON:       dot bfdot k{{.}} = 0 to 2 {
// NEON-NEXT:    tile {{.*}} by 4 {
func.func private @halves(%x: memref<96x1024xbf16>, %y: memref<1024x128xbf16>, %z: memref<96x128xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<96x128xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<96x1024xbf16>, memref<1024x128xbf16>) outs(%z : memref<96x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %e = arith.extf %a : bf16 to f32
    %f = arith.extf %b : bf16 to f32
    %m = arith.mulf %e, %f fastmath<reassoc> : f32
    %s = arith.addf %c, %m fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(i, j, k) -> (i, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#mn = affine_map<(i, j, k) -> (i, j)>

// Bytes, four at a time; those of the left operand are copied, as they change their sign. The last word has two.
// CHECK-LABEL: @bytes
// CHECK:       pack addi.in1 in panels
// CHECK:       pack addi.in0 in rows
// CHECK:       for k = 0 to 512 by 4 {
// CHECK-NEXT:    dot vpdpbusd k1 = 0 to 4 {
// WITHOUT-LABEL: @bytes
// WITHOUT:     chain {{.*}} in f32 {
// NEON-LABEL: @bytes
// NEON:       dot sdot k1 = 0 to 4 {
func.func private @bytes(%x: memref<96x510xi8>, %y: memref<510x128xi8>, %z: memref<96x128xi32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%z : memref<96x128xi32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<96x510xi8>, memref<510x128xi8>) outs(%z : memref<96x128xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %e = arith.extsi %a : i8 to i32
    %f = arith.extsi %b : i8 to i32
    %m = arith.muli %e, %f : i32
    %s = arith.addi %c, %m : i32
    linalg.yield %s : i32
  }
  return
}

// -----

#mk = affine_map<(i, j, k) -> (i, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#mn = affine_map<(i, j, k) -> (i, j)>

// No instruction adds products of unsigned halves, or of factors of two types.
// CHECK-LABEL: @unsigned_halves
// CHECK-NOT:   dot
// CHECK-LABEL: @mixed
// CHECK-NOT:   dot
func.func private @unsigned_halves(%x: memref<96x512xi16>, %y: memref<512x128xi16>, %z: memref<96x128xi32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%z : memref<96x128xi32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<96x512xi16>, memref<512x128xi16>) outs(%z : memref<96x128xi32>) {
  ^bb0(%a: i16, %b: i16, %c: i32):
    %e = arith.extui %a : i16 to i32
    %f = arith.extui %b : i16 to i32
    %m = arith.muli %e, %f : i32
    %s = arith.addi %c, %m : i32
    linalg.yield %s : i32
  }
  return
}
func.func private @mixed(%x: memref<96x512xbf16>, %y: memref<512x128xf32>, %z: memref<96x128xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<96x128xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<96x512xbf16>, memref<512x128xf32>) outs(%z : memref<96x128xf32>) {
  ^bb0(%a: bf16, %b: f32, %c: f32):
    %e = arith.extf %a : bf16 to f32
    %m = arith.mulf %e, %b fastmath<reassoc> : f32
    %s = arith.addf %c, %m fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
