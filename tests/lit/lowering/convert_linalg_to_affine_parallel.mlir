// RUN: xla-opt %s -p 'convert-linalg-to-affine{threads=2 vector_bits=512}' --split-input-file | filecheck %s

// One long loop is split into blocks, eight for two threads.

func.func @elementwise(%x: memref<1024x1024xf32>, %out: memref<1024x1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<1024x1024xf32>) outs(%out : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @elementwise
// CHECK:         "affine.parallel"() {{.*}}upperBoundsMap = affine_map<() -> (8)>
// CHECK-NEXT:    ^bb0([[B:%.+]]: index):
// CHECK-NEXT:      affine.for [[I:%.+]] = 0 to 131072 {
// CHECK-NEXT:        affine.load {{%.+}}[[[B]] * 131072 + [[I]]]

// -----

// Too little work for a parallel region.

func.func @small(%x: memref<64x64xf32>, %out: memref<64x64xf32>) {
  linalg.copy ins(%x : memref<64x64xf32>) outs(%out : memref<64x64xf32>)
  return
}

// CHECK-LABEL: func.func @small
// CHECK-NOT:     affine.parallel
// CHECK:         func.return

// -----

// Rows run in parallel, short ones some together; what they keep of these is theirs.

func.func private @rows(%x: memref<512x256xf32>, %out: memref<512x256xf32>)
    attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %square = memref.alloc() : memref<512x256xf32>
  %sum = memref.alloc() : memref<512xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<512xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
                                   affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<512x256xf32>) outs(%square, %sum : memref<512x256xf32>, memref<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %c, %0 fastmath<reassoc> : f32
    linalg.yield %0, %1 : f32, f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%square, %sum : memref<512x256xf32>, memref<512xf32>) outs(%out : memref<512x256xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func private @rows
// CHECK:         "affine.parallel"() {{.*}}upperBoundsMap = affine_map<() -> (128)>
// CHECK-NEXT:    ^bb0([[I:%.+]]: index):
// CHECK-NEXT:      [[SUMS:%.+]] = memref.alloca() {{.*}} : memref<4xf32>
// CHECK-NEXT:      [[SQUARES:%.+]] = memref.alloca() {{.*}} : memref<4x256xf32>
// CHECK-NEXT:      affine.for [[R:%.+]] = 0 to 4 {
// CHECK-NEXT:        [[SUM:%.+]] = affine.for [[J:%.+]] = 0 to 256
// CHECK:               affine.load %x[[[I]] * 4 + [[R]], [[J]]]
// CHECK:             affine.store [[SUM]], [[SUMS]][[[R]]]
// CHECK:           affine.for [[Q:%.+]] = 0 to 4 {
// CHECK-NEXT:        affine.load [[SUMS]][[[Q]]]
// CHECK-NEXT:        affine.for [[K:%.+]] = 0 to 256 {
// CHECK-NEXT:          affine.load [[SQUARES]][[[Q]], [[K]]]

// -----

// A sum over everything: partial sums in parallel, then their sum.

func.func @sum(%x: memref<256x1024xf32>, %out: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<256x1024xf32>) outs(%out : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @sum
// CHECK-DAG:     [[NEUTRAL:%.+]] = arith.constant -0.000000e+00 : f32
// CHECK-DAG:     [[PARTS:%.+]] = memref.alloca() {{.*}} : memref<128xf32>
// CHECK:         "affine.parallel"() {{.*}}upperBoundsMap = affine_map<() -> (128)>
// CHECK-NEXT:    ^bb0([[P:%.+]]: index):
// CHECK-NEXT:      [[PART:%.+]] = affine.for [[I:%.+]] = 0 to 2048 iter_args({{.*}} = [[NEUTRAL]]) -> (f32) {
// CHECK:           affine.store [[PART]], [[PARTS]][[[P]]]
// They are added up with the errors of all additions, which count unless the sum is infinite.
// CHECK:         [[SUM:%.+]], [[ERROR:%.+]] = affine.for {{.*}} = 0 to 128 iter_args([[T:%.+]] = %zero, [[E:%.+]] = {{.*}}) -> (f32, f32) {
// CHECK-NEXT:      [[X:%.+]] = affine.load [[PARTS]]
// CHECK-NEXT:      [[NEW:%.+]] = arith.addf [[T]], [[X]] : f32
// CHECK-NEXT:      [[ADDED:%.+]] = arith.subf [[NEW]], [[T]] : f32
// CHECK-NEXT:      [[KEPT:%.+]] = arith.subf [[NEW]], [[ADDED]] : f32
// CHECK-NEXT:      [[OF_T:%.+]] = arith.subf [[T]], [[KEPT]] : f32
// CHECK-NEXT:      [[OF_X:%.+]] = arith.subf [[X]], [[ADDED]] : f32
// CHECK-NEXT:      [[LOST:%.+]] = arith.addf [[OF_T]], [[OF_X]] : f32
// CHECK-NEXT:      arith.addf [[E]], [[LOST]] : f32
// CHECK:         [[IS_ERROR:%.+]] = arith.cmpf one, [[ERROR]]
// CHECK-NEXT:    [[CORRECTED:%.+]] = arith.addf [[SUM]], [[ERROR]]
// CHECK-NEXT:    [[RESULT:%.+]] = arith.select [[IS_ERROR]], [[CORRECTED]], [[SUM]]
// CHECK-NEXT:    affine.store [[RESULT]], %out[]

// -----

// Sums of columns: each part of the rows has a row of sums, which vectors run along, as they run along the matrix.

func.func @column_sums(%x: memref<25088x32xf32>, %out: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<32xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<25088x32xf32>) outs(%out : memref<32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @column_sums
// CHECK-DAG:     [[PARTS:%.+]] = memref.alloca() {{.*}} : memref<224x32xf32>
// CHECK:         "affine.parallel"
// CHECK-NEXT:    ^bb0([[P:%.+]]: index):
// CHECK:             affine.store %{{.*}}, [[PARTS]]
// CHECK:           affine.for {{.*}} = 0 to 7 {
// CHECK-NEXT:        affine.for [[COLUMN:%.+]] = 0 to 32 {
// CHECK-NEXT:          affine.load [[PARTS]][[[P]], [[COLUMN]]]
// CHECK-NEXT:          affine.load %x[{{.*}}, [[COLUMN]]]
// CHECK:               affine.store {{.*}}, [[PARTS]][[[P]], [[COLUMN]]]

// -----

// A large copy in the program becomes a kernel, which threads share; a small one stays.

func.func @program(%x: memref<1024x1024xf32>, %y: memref<8xf32>, %a: memref<1024x1024xf32>, %b: memref<8xf32>)
    attributes {xrt.entry} {
  "memref.copy"(%x, %a) : (memref<1024x1024xf32>, memref<1024x1024xf32>) -> ()
  "memref.copy"(%y, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @program
// CHECK-NEXT:    func.call @copy_0(%x, %a)
// CHECK-NEXT:    "memref.copy"(%y, %b)
// CHECK:       func.func private @copy_0({{.*}}) attributes {xrt.kernel}
// CHECK:         "affine.parallel"
