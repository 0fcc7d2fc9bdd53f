// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s

// A sum of columns is cut into chains of 128 additions, 16 rows at a time. The partial sums are added up with the errors of
// the additions.
// CHECK-LABEL: func.func @column_sums
// CHECK: memref.alloc() {{.*}}: memref<32x640xf32>
// CHECK: affine.for [[PART:%.+]] = 0 to 32 {
// CHECK: affine.for [[TRIP:%.+]] = 0 to 8 {
// CHECK: affine.load %x[[[PART]] * 128 + [[TRIP]] * 16 + 15, {{%.+}}]
// CHECK: arith.subf
// CHECK: arith.cmpf one
func.func @column_sums(%x: memref<4096x640xf32>, %out: memref<640xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<640xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : memref<4096x640xf32>) outs(%out : memref<640xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %sum : f32
  }
  return
}
