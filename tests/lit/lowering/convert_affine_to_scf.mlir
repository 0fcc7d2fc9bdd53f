// RUN: xla-opt %s -p convert-affine-to-scf --split-input-file | filecheck %s

// Constants stand at the top; equal terms are computed once for a block and those nested in it.

// CHECK-LABEL: @loads_and_stores
// CHECK-SAME: ([[A:%[a-z0-9_]+]]: memref<32xf32>, [[B:%[a-z0-9_]+]]: memref<8x4xf32>)
// CHECK: [[C4:%[a-z0-9_]+]] = arith.constant 4 : index
// CHECK: [[C1:%[a-z0-9_]+]] = arith.constant 1 : index
// CHECK: [[C8:%[a-z0-9_]+]] = arith.constant 8 : index
// CHECK: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NOT: arith.constant
// CHECK: scf.for [[I:%[a-z0-9_]+]] = [[C0]] to [[C8]] step [[C1]] {
// CHECK-NEXT: [[SCALED:%[a-z0-9_]+]] = arith.muli [[I]], [[C4]] overflow<nsw> : index
// CHECK-NEXT: memref.load [[A]][[[SCALED]]] : memref<32xf32>
// CHECK-NEXT: scf.for [[J:%[a-z0-9_]+]] = [[C0]] to [[C4]] step [[C1]] {
// CHECK-NEXT: [[SUM:%[a-z0-9_]+]] = arith.addi [[SCALED]], [[J]] overflow<nsw> : index
// CHECK-NEXT: [[Y:%[a-z0-9_]+]] = memref.load [[A]][[[SUM]]] : memref<32xf32>
// CHECK-NEXT: memref.store [[Y]], [[B]][[[I]], [[J]]] : memref<8x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @loads_and_stores(%a: memref<32xf32>, %b: memref<8x4xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i * 4] : memref<32xf32>
    affine.for %j = 0 to 4 {
      %y = affine.load %a[%i * 4 + %j] : memref<32xf32>
      affine.store %y, %b[%i, %j] : memref<8x4xf32>
    }
  }
  func.return
}

// -----

// Terms of one nested block are not visible in its sibling.

// CHECK-LABEL: @scopes
// CHECK-COUNT-2: arith.muli
func.func @scopes(%a: memref<32xf32>, %n: index, %p: i1, %x: f32) {
  scf.if %p {
    affine.store %x, %a[%n * 4] : memref<32xf32>
  } else {
    affine.store %x, %a[%n * 4] : memref<32xf32>
  }
  func.return
}

// -----

// What cannot be negative divides unsigned, what lies below the divisor not at all.

// CHECK-LABEL: @known_intervals
// CHECK: [[C3:%[a-z0-9_]+]] = arith.constant 3 : index
// CHECK: [[C7:%[a-z0-9_]+]] = arith.constant 7 : index
// CHECK: [[C2:%[a-z0-9_]+]] = arith.constant 2 : index
// CHECK: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK: scf.for [[I:%[a-z0-9_]+]] =
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[C0]], [[I]]]
// CHECK-NEXT: [[Q:%[a-z0-9_]+]] = arith.divui [[I]], [[C2]] : index
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = arith.remui [[I]], [[C2]] : index
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[Q]], [[R]]]
// CHECK-NEXT: [[REVERSED:%[a-z0-9_]+]] = arith.subi [[C7]], [[I]] overflow<nsw> : index
// CHECK-NEXT: [[Q:%[a-z0-9_]+]] = arith.divui [[REVERSED]], [[C3]] : index
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[Q]], [[I]]]
func.func @known_intervals(%b: memref<4x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %b[%i floordiv 8, %i mod 8] : memref<4x8xf32>
    affine.store %x, %b[%i floordiv 2, %i mod 2] : memref<4x8xf32>
    affine.store %x, %b[(7 - %i) floordiv 3, %i] : memref<4x8xf32>
  }
  func.return
}

// -----

// CHECK-LABEL: @unknown_sign
// CHECK-SAME: ([[N:%[a-z0-9_]+]]: index)
// CHECK-DAG: [[C3:%[a-z0-9_]+]] = arith.constant 3 : index
// CHECK-DAG: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG: [[M1:%[a-z0-9_]+]] = arith.constant -1 : index
// CHECK: [[NEGATIVE:%[a-z0-9_]+]] = arith.cmpi slt, [[N]], [[C0]] : index
// CHECK-NEXT: [[FLIPPED:%[a-z0-9_]+]] = arith.subi [[M1]], [[N]] overflow<nsw> : index
// CHECK-NEXT: [[D:%[a-z0-9_]+]] = arith.select [[NEGATIVE]], [[FLIPPED]], [[N]] : index
// CHECK-NEXT: [[Q:%[a-z0-9_]+]] = arith.divsi [[D]], [[C3]] : index
// CHECK-NEXT: [[FLIPPED:%[a-z0-9_]+]] = arith.subi [[M1]], [[Q]] overflow<nsw> : index
// CHECK-NEXT: [[FLOOR:%[a-z0-9_]+]] = arith.select [[NEGATIVE]], [[FLIPPED]], [[Q]] : index
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = arith.remsi [[N]], [[C3]] : index
// CHECK-NEXT: [[NEGATIVE:%[a-z0-9_]+]] = arith.cmpi slt, [[R]], [[C0]] : index
// CHECK-NEXT: [[WRAPPED:%[a-z0-9_]+]] = arith.addi [[R]], [[C3]] overflow<nsw> : index
// CHECK-NEXT: [[MOD:%[a-z0-9_]+]] = arith.select [[NEGATIVE]], [[WRAPPED]], [[R]] : index
// CHECK: [[CEIL:%[a-z0-9_]+]] = arith.select
// CHECK-NEXT: [[CEIL:%[a-z0-9_]+]] = arith.divsi
// CHECK-NEXT: arith.subi
// CHECK-NEXT: arith.addi
// CHECK-NEXT: [[CEIL:%[a-z0-9_]+]] = arith.select
// CHECK-NEXT: func.return [[FLOOR]], [[MOD]], [[CEIL]]
func.func @unknown_sign(%n: index) -> (index, index, index) {
  %floor = affine.apply affine_map<(d0) -> (d0 floordiv 3)> (%n)
  %mod = affine.apply affine_map<(d0) -> (d0 mod 3)> (%n)
  %ceil = affine.apply affine_map<()[s0] -> (s0 ceildiv 3)> ()[%n]
  func.return %floor, %mod, %ceil : index, index, index
}

// -----

// CHECK-LABEL: @bounds
// CHECK-SAME: ([[N:%[a-z0-9_]+]]: index, [[M:%[a-z0-9_]+]]: index, [[X:%[a-z0-9_]+]]: f32)
// CHECK-DAG: [[C8:%[a-z0-9_]+]] = arith.constant 8 : index
// CHECK-DAG: [[C2:%[a-z0-9_]+]] = arith.constant 2 : index
// CHECK: [[LB:%[a-z0-9_]+]] = arith.maxsi [[N]], [[M]] : index
// CHECK-NEXT: [[UB:%[a-z0-9_]+]] = arith.minsi [[N]], [[C8]] : index
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = scf.for {{%[a-z0-9_]+}} = [[LB]] to [[UB]] step [[C2]] iter_args([[A:%[a-z0-9_]+]] = [[X]]) -> (f32) {
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.addf [[A]], [[A]] : f32
// CHECK-NEXT: scf.yield [[B]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: [[MIN:%[a-z0-9_]+]] = arith.minsi [[N]], [[M]] : index
// CHECK-NEXT: func.return [[R]], [[MIN]] : f32, index
func.func @bounds(%n: index, %m: index, %x: f32) -> (f32, index) {
  %r = affine.for %i = max affine_map<(d0)[s0] -> (d0, s0)>(%n)[%m] to min affine_map<(d0) -> (d0, 8)>(%n) step 2 iter_args(%a = %x) -> (f32) {
    %b = arith.addf %a, %a : f32
    affine.yield %b : f32
  }
  %min = affine.min affine_map<(d0, d1) -> (d0, d1)> (%n, %m)
  func.return %r, %min : f32, index
}

// -----

// CHECK-LABEL: @vectors
// CHECK: scf.for [[I:%[a-z0-9_]+]] =
// CHECK-NEXT: [[K:%[a-z0-9_]+]] = arith.muli [[I]]
// CHECK-NEXT: [[V:%[a-z0-9_]+]] = vector.load [[A:%[a-z0-9_]+]][[[K]]] : memref<32xf32>, vector<4xf32>
// CHECK-NEXT: vector.store [[V]], [[A]][[[K]]] : memref<32xf32>, vector<4xf32>
func.func @vectors(%a: memref<32xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.vector_load %a[%i * 4] : memref<32xf32>, vector<4xf32>
    affine.vector_store %v, %a[%i * 4] : memref<32xf32>, vector<4xf32>
  }
  func.return
}

// -----

// CHECK-LABEL: @parallel
// CHECK-DAG: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-DAG: [[C1:%[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-DAG: [[C2:%[a-z0-9_]+]] = arith.constant 2 : index
// CHECK-DAG: [[C4:%[a-z0-9_]+]] = arith.constant 4 : index
// CHECK-DAG: [[C8:%[a-z0-9_]+]] = arith.constant 8 : index
// CHECK: "scf.parallel"([[C0]], [[C2]], [[C4]], [[C8]], [[C1]], [[C2]])
// CHECK-NEXT: ^{{.+}}([[I:%[a-z0-9_]+]]: index, [[J:%[a-z0-9_]+]]: index):
// CHECK-NEXT: memref.store {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}}[[[I]], [[J]]]
// CHECK-NEXT: scf.reduce
func.func @parallel(%b: memref<4x8xf32>, %x: f32) {
  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0, 2)>, upperBoundsMap = affine_map<() -> (4, 8)>, lowerBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsGroups = dense<1> : tensor<2xi32>, steps = [1, 2], reductions = []}> ({
  ^bb0(%i: index, %j: index):
    affine.store %x, %b[%i, %j] : memref<4x8xf32>
    affine.yield
  }) : () -> ()
  func.return
}

// -----

// CHECK-LABEL: @conditional
// CHECK-SAME: ([[I:%[a-z0-9_]+]]: index, [[J:%[a-z0-9_]+]]: index, [[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK: [[D:%[a-z0-9_]+]] = arith.subi [[I]], [[J]] overflow<nsw> : index
// CHECK-NEXT: [[GE:%[a-z0-9_]+]] = arith.cmpi sge, [[D]], {{%[a-z0-9_]+}} : index
// CHECK-NEXT: [[S:%[a-z0-9_]+]] = arith.addi [[I]], {{%[a-z0-9_]+}} overflow<nsw> : index
// CHECK-NEXT: [[EQ:%[a-z0-9_]+]] = arith.cmpi eq, [[S]], {{%[a-z0-9_]+}} : index
// CHECK-NEXT: [[BOTH:%[a-z0-9_]+]] = arith.andi [[GE]], [[EQ]] : i1
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = scf.if [[BOTH]] -> (f32) {
// CHECK-NEXT: scf.yield [[X]] : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield [[Y]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: func.return [[R]] : f32
func.func @conditional(%i: index, %j: index, %x: f32, %y: f32) -> f32 {
  %r = "affine.if"(%i, %j) <{condition = affine_set<(d0, d1) : (-d1 + d0 >= 0, d0 + -2 == 0)>}> ({
    affine.yield %x : f32
  }, {
    affine.yield %y : f32
  }) : (index, index) -> f32
  func.return %r : f32
}
