// RUN: xla-opt %s --split-input-file --parsing-diagnostics | filecheck %s

func.func @lanes(%x: vector<4xf32>) {
  // CHECK: 'arith.fptosi' op: operands and result have as many lanes as each other
  %0 = arith.fptosi %x : vector<4xf32> to vector<8xi32>
  func.return
}

// -----

func.func @predicate(%x: vector<4xf32>) {
  // CHECK: expected one of false, oeq,
  %0 = arith.cmpf less, %x, %x : vector<4xf32>
  func.return
}

// -----

func.func @types(%c: vector<4xi1>, %x: vector<4xf32>, %y: vector<4xf64>) {
  // CHECK: the values to choose from and the result have one type
  %0 = "arith.select"(%c, %x, %y) : (vector<4xi1>, vector<4xf32>, vector<4xf64>) -> vector<4xf32>
  func.return
}
