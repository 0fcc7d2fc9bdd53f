// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: @vectors
// CHECK-SAME: [[X:%[^:]+]]: vector<4xf32>, [[I:%[^:]+]]: vector<4xi32>
func.func @vectors(%x: vector<4xf32>, %i: vector<4xi32>) -> vector<4xf32> {
  // CHECK: [[A:%.+]] = arith.cmpf ult, [[X]], [[X]] fastmath<fast> : vector<4xf32>
  %a = arith.cmpf ult, %x, %x fastmath<fast> : vector<4xf32>
  // CHECK-NEXT: [[B:%.+]] = arith.cmpi sge, [[I]], [[I]] {note} : vector<4xi32>
  %b = arith.cmpi sge, %i, %i {note} : vector<4xi32>
  // CHECK-NEXT: [[E:%.+]] = arith.extui [[A]] : vector<4xi1> to vector<4xi8>
  %e = arith.extui %a : vector<4xi1> to vector<4xi8>
  // CHECK-NEXT: [[S:%.+]] = arith.extsi [[B]] : vector<4xi1> to vector<4xi8>
  %s = arith.extsi %b : vector<4xi1> to vector<4xi8>
  // CHECK-NEXT: {{%.+}} = arith.trunci [[E]] : vector<4xi8> to vector<4xi4>
  %t = arith.trunci %e : vector<4xi8> to vector<4xi4>
  // CHECK-NEXT: {{%.+}} = arith.uitofp [[S]] : vector<4xi8> to vector<4xf64>
  %u = arith.uitofp %s : vector<4xi8> to vector<4xf64>
  // CHECK-NEXT: [[F:%.+]] = arith.sitofp [[I]] : vector<4xi32> to vector<4xf32>
  %f = arith.sitofp %i : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: {{%.+}} = arith.fptosi [[X]] : vector<4xf32> to vector<4xi16>
  %v = arith.fptosi %x : vector<4xf32> to vector<4xi16>
  // CHECK-NEXT: {{%.+}} = arith.fptoui [[X]] : vector<4xf32> to vector<4xi16>
  %w = arith.fptoui %x : vector<4xf32> to vector<4xi16>
  // CHECK-NEXT: {{%.+}} = arith.select [[A]], [[X]], [[F]] : vector<4xi1>, vector<4xf32>
  %y = arith.select %a, %x, %f : vector<4xi1>, vector<4xf32>
  func.return %y : vector<4xf32>
}

// CHECK-LABEL: @scalars
// CHECK-SAME: [[C:%[^:]+]]: i1, [[X:%[^:]+]]: f32, [[V:%[^:]+]]: vector<4xf32>
func.func @scalars(%c: i1, %x: f32, %v: vector<4xf32>) -> vector<4xf32> {
  // CHECK: {{%.+}} = arith.cmpf oeq, [[X]], [[X]] : f32
  %0 = arith.cmpf oeq, %x, %x : f32
  // CHECK-NEXT: {{%.+}} = arith.fptosi [[X]] : f32 to i32
  %1 = arith.fptosi %x : f32 to i32
  // CHECK-NEXT: {{%.+}} = arith.select [[C]], [[V]], [[V]] : vector<4xf32>
  %2 = arith.select %c, %v, %v : vector<4xf32>
  func.return %2 : vector<4xf32>
}
