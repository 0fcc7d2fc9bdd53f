// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' | filecheck %s

// Overlapping windows have few partial sums each: together these take no more memory than some times the terms.
// CHECK-LABEL: func.func @windows
// CHECK: memref.alloc() {{.*}}: memref<10x500x500xf32>
func.func @windows(%x: memref<600x600xf32>, %window: memref<101x101xf32>, %out: memref<500x500xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<500x500xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>,
                                   affine_map<(d0, d1, d2, d3) -> (d2, d3)>,
                                   affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : memref<600x600xf32>, memref<101x101xf32>) outs(%out : memref<500x500xf32>) {
  ^bb0(%a: f32, %w: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}
