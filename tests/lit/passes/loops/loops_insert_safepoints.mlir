// RUN: xla-opt %s -p loops-insert-safepoints | filecheck %s

// A long loop over a tiny body is cut into strips; the last one may be shorter.
// CHECK-LABEL: func.func private @strips
// CHECK-DAG: [[HIGH:%.+]] = arith.constant 1000000000 : index
// CHECK-DAG: [[LENGTH:%.+]] = arith.constant 131072 : index
// CHECK: scf.for [[START:%.+]] = {{%.+}} to [[HIGH]] step [[STEP:%.+]] {
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NEXT: [[NEXT:%.+]] = arith.addi [[START]], [[STEP]] overflow<nsw> : index
// CHECK-NEXT: [[END:%.+]] = arith.minsi [[NEXT]], [[HIGH]] : index
// CHECK-NEXT: scf.for [[I:%.+]] = [[START]] to [[END]] step
// CHECK-NEXT: memref.store {{%.+}}, {{%.+}}[[[I]]]
// CHECK-NOT: xrt.safepoint
// CHECK: func.return
func.func private @strips(%x: f32, %a: memref<1000000000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = arith.constant 131072 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<1000000000xf32>
  }
  func.return
}

// What the loop carries goes through the strips.
// CHECK-LABEL: func.func private @rest
// CHECK-DAG: [[HIGH:%.+]] = arith.constant 1000000007 : index
// CHECK: [[SUM:%.+]] = scf.for [[START:%.+]] = {{%.+}} to [[HIGH]] step [[STEP:%.+]] iter_args([[OUTER:%.+]] = {{%.+}}) -> (f32) {
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NEXT: [[NEXT:%.+]] = arith.addi [[START]], [[STEP]] overflow<nsw> : index
// CHECK-NEXT: [[END:%.+]] = arith.minsi [[NEXT]], [[HIGH]] : index
// CHECK-NEXT: [[PART:%.+]] = scf.for {{%.+}} = [[START]] to [[END]] step {{%.+}} iter_args({{%.+}} = [[OUTER]]) -> (f32) {
// CHECK: scf.yield [[PART]] : f32
// CHECK: memref.store [[SUM]]
func.func private @rest(%a: memref<1000000007xf32>, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 1000000007 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %a[%i] : memref<1000000007xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  memref.store %sum, %out[] : memref<f32>
  func.return
}

// Of a nest the outermost loop whose body is short.
// CHECK-LABEL: func.func private @nest
// CHECK: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: "xrt.safepoint"() <{work = 200001 : i64}>
// CHECK-NEXT: scf.for
// CHECK: func.return
func.func private @nest(%x: f32, %a: memref<1000x1000x100000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %m = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %m step %c1 {
        memref.store %x, %a[%i, %j, %k] : memref<1000x1000x100000xf32>
      }
    }
  }
  func.return
}

// Short ones stay as they are.
// CHECK-LABEL: func.func private @short
// CHECK-NOT: xrt.safepoint
// CHECK: func.return
func.func private @short(%x: f32, %a: memref<100000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<100000xf32>
  }
  func.return
}

// The body of a parallel loop runs as often as the loop says.
// CHECK-LABEL: func.func private @body
// CHECK: scf.for [[START:%.+]] = %lo to %hi step [[STEP:%.+]] {
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NEXT: [[NEXT:%.+]] = arith.addi [[START]], [[STEP]]
// CHECK-NEXT: [[END:%.+]] = arith.minsi [[NEXT]], %hi : index
// CHECK-NEXT: scf.for {{%.+}} = [[START]] to [[END]]
func.func private @body(%x: f32, %a: memref<10000000000xf32>, %lo: index, %hi: index, %thread: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    memref.store %x, %a[%i] : memref<10000000000xf32>
  }
  func.return
}

// CHECK-LABEL: func.func private @parallel
// CHECK: "xrt.parallel"({{.*}}) <{callee = @body, trip_count = 10000000000 : index, long}> : (f32
func.func private @parallel(%x: f32, %a: memref<10000000000xf32>) {
  xrt.parallel @body(%x, %a) range 10000000000 : f32, memref<10000000000xf32>
  func.return
}

// Loops that may never end, and between calls of the program that take long.
// CHECK-LABEL: func.func @program
// CHECK: func.call @strips
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NEXT: func.call @strips
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NEXT: func.call @short
// CHECK: scf.while
// CHECK: ^{{.+}}({{.+}}: i32):
// CHECK-NEXT: "xrt.safepoint"() <{work = 4 : i64}>
func.func @program(%x: f32, %a: memref<1000000000xf32>, %b: memref<100000xf32>, %n: i32) {
  func.call @strips(%x, %a) : (f32, memref<1000000000xf32>) -> ()
  func.call @strips(%x, %a) : (f32, memref<1000000000xf32>) -> ()
  func.call @short(%x, %b) : (f32, memref<100000xf32>) -> ()
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %zero : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.subi %i, %one : i32
    scf.yield %next : i32
  }
  func.return
}

// An entry function that is over at once keeps Python's lock.
// CHECK-LABEL: func.func public @brief
// CHECK-SAME: xrt.brief
func.func public @brief(%a: memref<64xf32>, %b: memref<64xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %b[%i] : memref<64xf32>
  }
  func.return
}

// Not so where that depends on data, or where much is copied.
// CHECK-LABEL: func.func public @open_end
// CHECK-NOT: xrt.brief
// CHECK: func.return
func.func public @open_end(%a: memref<index>, %b: memref<64xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 0.0 : f32
  %n = memref.load %a[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %b[%c0] : memref<64xf32>
  }
  func.return
}
// CHECK-LABEL: func.func public @large_copy
// CHECK-NOT: xrt.brief
// CHECK: func.return
func.func public @large_copy(%a: memref<1000000xf32>, %b: memref<1000000xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
  "memref.copy"(%a, %b) : (memref<1000000xf32>, memref<1000000xf32>) -> ()
  func.return
}

// A window has as many elements as its end is behind its start, so there is none in the loops over windows.
// CHECK-LABEL: func.func private @windows
// CHECK: scf.for
// CHECK-NEXT: "xrt.safepoint"()
// CHECK-NOT: xrt.safepoint
// CHECK: func.return
func.func private @windows(%a: memref<2000x2000xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 1997 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %row_end = arith.addi %i, %c3 : index
      scf.for %k = %i to %row_end step %c1 {
        %end = arith.addi %j, %c3 : index
        scf.for %l = %j to %end step %c1 {
          memref.store %x, %a[%k, %l] : memref<2000x2000xf32>
        }
      }
    }
  }
  func.return
}
