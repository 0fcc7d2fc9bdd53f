// RUN: xla-opt %s -p 'kernels-draw-schedules{seed=1 changes=1},kernels-schedule' | filecheck %s
// RUN: xla-opt %s -p 'kernels-draw-schedules{seed=1},kernels-schedule,convert-linalg-to-affine' | filecheck %s --check-prefix=LOOPS

#id = affine_map<(i, j) -> (i, j)>

// Another schedule, which is legal and obeyed; the same for the same seed.
// CHECK-LABEL: @exp
// CHECK:         xrt.schedule = #schedule.kernel<{
// CHECK-NEXT:      for i = 0 to 8 by 2 {
// CHECK-NEXT:        for j = 0 to 16 {
// CHECK-NEXT:          unroll t0 = 0 to 2 {
// CHECK-NEXT:            compute exp at (i + t0, j)
// LOOPS-LABEL: @exp
// LOOPS:         math.exp
func.func private @exp(%x: memref<8x16xf32>, %y: memref<8x16xf32>) attributes {xrt.kernel, xrt.schedule = #schedule.kernel<{
    for i = 0 to 8 {
      for j = 0 to 16 {
        compute exp at (i, j)
      }
    }
  }>} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  func.return
}
