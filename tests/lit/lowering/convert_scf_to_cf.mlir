// RUN: xla-opt %s -p convert-scf-to-cf --split-input-file | filecheck %s

// Constant bounds, at least one iteration: a rotated loop whose results are the yielded values.

// CHECK-LABEL: @counted
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: f32) -> f32
// CHECK: [[C0:%[a-z0-9_]+]] = arith.constant 0 : index
// CHECK: [[C8:%[a-z0-9_]+]] = arith.constant 8 : index
// CHECK: cf.br ^[[BODY:bb[0-9]+]]([[C0]], [[X]] : index, f32)
// CHECK-NEXT: ^[[BODY]]([[I:%[a-z0-9_]+]]: index, [[A:%[a-z0-9_]+]]: f32):
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.addf [[A]], [[X]] : f32
// CHECK-NEXT: [[NEXT:%[a-z0-9_]+]] = arith.addi [[I]], {{%.+}} overflow<nsw> : index
// CHECK-NEXT: [[MORE:%[a-z0-9_]+]] = arith.cmpi slt, [[NEXT]], [[C8]] : index
// CHECK-NEXT: cf.cond_br [[MORE]], ^[[BODY]]([[NEXT]], [[B]] : index, f32), ^[[EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[EXIT]]:
// CHECK-NEXT: func.return [[B]] : f32
func.func @counted(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> (f32) {
    %b = arith.addf %a, %x : f32
    scf.yield %b : f32
  }
  func.return %r : f32
}

// -----

// A constant number of iterations from somewhere on.

// CHECK-LABEL: @block
// CHECK: cf.br ^[[BODY:bb[0-9]+]]({{%.+}} : index)
// CHECK: cf.cond_br {{%.+}}, ^[[BODY]]
func.func @block(%begin: index, %m: memref<?xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %end = arith.addi %begin, %c8 : index
  scf.for %i = %begin to %end step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  func.return
}

// -----

// Bounds that may be empty: the header tests first, and holds the results.

// CHECK-LABEL: @tested
// CHECK-SAME: ([[LB:%[a-z0-9_]+]]: i32, [[UB:%[a-z0-9_]+]]: i32, [[STEP:%[a-z0-9_]+]]: i32, [[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK-NEXT: cf.br ^[[HEADER:bb[0-9]+]]([[LB]], [[X]], [[Y]] : i32, f32, f32)
// CHECK-NEXT: ^[[HEADER]]([[I:%[a-z0-9_]+]]: i32, [[A:%[a-z0-9_]+]]: f32, [[B:%[a-z0-9_]+]]: f32):
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.cmpi slt, [[I]], [[UB]] : i32
// CHECK-NEXT: cf.cond_br [[C]], ^[[BODY:bb[0-9]+]], ^[[EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT: [[NEXT:%[a-z0-9_]+]] = arith.addi [[I]], [[STEP]] overflow<nsw> : i32
// CHECK-NEXT: cf.br ^[[HEADER]]([[NEXT]], [[B]], [[A]] : i32, f32, f32)
// CHECK-NEXT: ^[[EXIT]]:
// CHECK-NEXT: func.return [[A]], [[B]] : f32, f32
func.func @tested(%lb: i32, %ub: i32, %step: i32, %x: f32, %y: f32) -> (f32, f32) {
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%a = %x, %b = %y) -> (f32, f32) : i32 {
    scf.yield %b, %a : f32, f32
  }
  func.return %r#0, %r#1 : f32, f32
}

// -----

// Ops after a structured op move to its continuation, at every depth.

// CHECK-LABEL: @nest
// CHECK-NOT: scf.
// CHECK: cf.br ^[[OUTER:bb[0-9]+]]({{%.+}} : index)
// CHECK-NEXT: ^[[OUTER]]([[I:%[a-z0-9_]+]]: index):
// CHECK-NEXT: memref.store {{.+}}, {{%.+}}[[[I]], [[I]]]
// CHECK-NEXT: cf.br ^[[INNER:bb[0-9]+]]({{%.+}} : index)
// CHECK-NEXT: ^[[INNER]]([[J:%[a-z0-9_]+]]: index):
// CHECK-NEXT: memref.store {{.+}}, {{%.+}}[[[I]], [[J]]]
// CHECK: cf.cond_br {{%.+}}, ^[[INNER]]({{%.+}} : index), ^[[INNER_EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[INNER_EXIT]]:
// CHECK-NEXT: memref.store {{.+}}, {{%.+}}[[[I]], [[I]]]
// CHECK: cf.cond_br {{%.+}}, ^[[OUTER]]({{%.+}} : index), ^[[OUTER_EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[OUTER_EXIT]]:
// CHECK-NEXT: memref.store
// CHECK-NEXT: cf.br
// CHECK: func.return
func.func @nest(%m: memref<4x4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %m[%i, %i] : memref<4x4xf32>
    scf.for %j = %c0 to %c4 step %c1 {
      memref.store %x, %m[%i, %j] : memref<4x4xf32>
    }
    memref.store %x, %m[%i, %i] : memref<4x4xf32>
  }
  memref.store %x, %m[%c0, %c0] : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
  }
  func.return
}

// -----

// CHECK-LABEL: @parallel
// CHECK-NOT: scf.
// CHECK: cf.br ^[[OUTER:bb[0-9]+]]({{%.+}} : index)
// CHECK-NEXT: ^[[OUTER]]([[I:%[a-z0-9_]+]]: index):
// CHECK-NEXT: cf.br ^[[HEADER:bb[0-9]+]]({{%.+}} : index)
// CHECK-NEXT: ^[[HEADER]]([[J:%[a-z0-9_]+]]: index):
// CHECK: cf.cond_br {{%.+}}, ^[[BODY:bb[0-9]+]], ^[[EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT: memref.store {{.+}}, {{%.+}}[[[I]], [[J]]]
// CHECK: cf.br ^[[HEADER]]
// CHECK-NEXT: ^[[EXIT]]:
// CHECK: cf.cond_br {{%.+}}, ^[[OUTER]]
// CHECK: func.return
func.func @parallel(%m: memref<4x4xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  "scf.parallel"(%c0, %c0, %c4, %n, %c1, %c1) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
  ^bb0(%i: index, %j: index):
    memref.store %x, %m[%i, %j] : memref<4x4xf32>
    scf.reduce
  }) : (index, index, index, index, index, index) -> ()
  func.return
}

// -----

// CHECK-LABEL: @while
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: i32, [[N:%[a-z0-9_]+]]: i32)
// CHECK: cf.br ^[[BEFORE:bb[0-9]+]]([[X]] : i32)
// CHECK-NEXT: ^[[BEFORE]]([[A:%[a-z0-9_]+]]: i32):
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.cmpi slt, [[A]], [[N]] : i32
// CHECK-NEXT: [[W:%[a-z0-9_]+]] = arith.extui [[A]] : i32 to i64
// CHECK-NEXT: cf.cond_br [[C]], ^[[AFTER:bb[0-9]+]]([[W]] : i64), ^[[EXIT:bb[0-9]+]]
// CHECK-NEXT: ^[[AFTER]]([[V:%[a-z0-9_]+]]: i64):
// CHECK-NEXT: [[T:%[a-z0-9_]+]] = arith.trunci [[V]] : i64 to i32
// CHECK-NEXT: [[D:%[a-z0-9_]+]] = arith.addi [[T]], [[T]] : i32
// CHECK-NEXT: cf.br ^[[BEFORE]]([[D]] : i32)
// CHECK-NEXT: ^[[EXIT]]:
// CHECK-NEXT: func.return [[W]] : i64
func.func @while(%x: i32, %n: i32) -> i64 {
  %r = scf.while (%a = %x) : (i32) -> i64 {
    %c = arith.cmpi slt, %a, %n : i32
    %w = arith.extui %a : i32 to i64
    scf.condition(%c) %w : i64
  } do {
  ^bb0(%v: i64):
    %t = arith.trunci %v : i64 to i32
    %d = arith.addi %t, %t : i32
    scf.yield %d : i32
  }
  func.return %r : i64
}

// -----

// CHECK-LABEL: @conditional
// CHECK-SAME: ([[P:%[a-z0-9_]+]]: i1, [[M:%[a-z0-9_]+]]: memref<f32>, [[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK: cf.cond_br [[P]], ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK-NEXT: ^[[THEN]]:
// CHECK-NEXT: [[S:%[a-z0-9_]+]] = arith.addf [[X]], [[Y]] : f32
// CHECK-NEXT: cf.br ^[[CONTINUE:bb[0-9]+]]([[S]] : f32)
// CHECK-NEXT: ^[[ELSE]]:
// CHECK-NEXT: cf.br ^[[CONTINUE]]([[Y]] : f32)
// CHECK-NEXT: ^[[CONTINUE]]([[R:%[a-z0-9_]+]]: f32):
// CHECK-NEXT: cf.cond_br [[P]], ^[[STORE:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK-NEXT: ^[[STORE]]:
// CHECK-NEXT: memref.store [[R]], [[M]][]
// CHECK-NEXT: cf.br ^[[END]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: func.return
func.func @conditional(%p: i1, %m: memref<f32>, %x: f32, %y: f32) {
  %r = scf.if %p -> (f32) {
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  } else {
    scf.yield %y : f32
  }
  scf.if %p {
    memref.store %r, %m[] : memref<f32>
  }
  func.return
}

// -----

// CHECK-LABEL: @switch
// CHECK-SAME: ([[K:%[a-z0-9_]+]]: index, [[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK: [[FLAG:%[a-z0-9_]+]] = arith.index_cast [[K]] : index to i64
// CHECK: cf.switch [[FLAG]] : i64
// CHECK-NEXT: default: ^[[DEFAULT:bb[0-9]+]],
// CHECK-NEXT: 2: ^[[TWO:bb[0-9]+]],
// CHECK-NEXT: -5: ^[[FIVE:bb[0-9]+]]
// CHECK: ^[[DEFAULT]]:
// CHECK-NEXT: cf.br ^[[CONTINUE:bb[0-9]+]]([[X]] : f32)
// CHECK-NEXT: ^[[TWO]]:
// CHECK-NEXT: cf.br ^[[CONTINUE]]([[Y]] : f32)
// CHECK-NEXT: ^[[FIVE]]:
// CHECK-NEXT: [[Z:%[a-z0-9_]+]] = arith.mulf [[X]], [[Y]] : f32
// CHECK-NEXT: cf.br ^[[CONTINUE]]([[Z]] : f32)
// CHECK-NEXT: ^[[CONTINUE]]([[R:%[a-z0-9_]+]]: f32):
// CHECK-NEXT: func.return [[R]] : f32
func.func @switch(%k: index, %x: f32, %y: f32) -> f32 {
  %r = scf.index_switch %k -> f32
  case 2 {
    scf.yield %y : f32
  }
  case -5 {
    %z = arith.mulf %x, %y : f32
    scf.yield %z : f32
  }
  default {
    scf.yield %x : f32
  }
  func.return %r : f32
}

// -----

// CHECK-LABEL: @execute_region
// CHECK-SAME: ([[P:%[a-z0-9_]+]]: i1, [[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK: cf.br ^[[ENTRY:bb[0-9]+]]
// CHECK-NEXT: ^[[ENTRY]]:
// CHECK-NEXT: cf.cond_br [[P]], ^[[A:bb[0-9]+]], ^[[B:bb[0-9]+]]
// CHECK-NEXT: ^[[A]]:
// CHECK-NEXT: cf.br ^[[CONTINUE:bb[0-9]+]]([[X]] : f32)
// CHECK-NEXT: ^[[B]]:
// CHECK-NEXT: cf.br ^[[CONTINUE]]([[Y]] : f32)
// CHECK-NEXT: ^[[CONTINUE]]([[R:%[a-z0-9_]+]]: f32):
// CHECK-NEXT: func.return [[R]] : f32
func.func @execute_region(%p: i1, %x: f32, %y: f32) -> f32 {
  %r = scf.execute_region -> (f32) {
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    scf.yield %x : f32
  ^bb2:
    scf.yield %y : f32
  }
  func.return %r : f32
}
