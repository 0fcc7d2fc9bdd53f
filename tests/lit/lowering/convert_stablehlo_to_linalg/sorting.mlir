// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Rows into scratch, passes over two runs of 4, a last merge of the runs. The comparator ignores the second operand:
// it is read once, where the merge takes it from.
// CHECK-LABEL: func.func @argsort
// CHECK-DAG: [[C0:%.+]] = arith.constant 0 : index
// CHECK-DAG: [[C1:%.+]] = arith.constant 1 : index
// CHECK-DAG: [[C2:%.+]] = arith.constant 2 : index
// CHECK-DAG: [[C4:%.+]] = arith.constant 4 : index
// CHECK-DAG: [[C8:%.+]] = arith.constant 8 : index
// CHECK: tensor.empty() : tensor<2x9xf32>
// CHECK: tensor.empty() : tensor<2x9xi32>
// CHECK: scf.for [[ROW:%.+]] = [[C0]] to {{%.+}} step [[C1]] iter_args({{.*}}) -> (tensor<3x8xf32>, tensor<3x8xi32>, tensor<2x9xf32>, tensor<2x9xi32>)
// CHECK-NEXT: scf.for [[K:%.+]] = [[C0]] to [[C8]] step [[C1]]
// CHECK-NEXT: [[X:%.+]] = tensor.extract %x{{\[}}[[ROW]], [[K]]] : tensor<3x8xf32>
// CHECK-NEXT: [[I:%.+]] = tensor.extract %i{{\[}}[[ROW]], [[K]]] : tensor<3x8xi32>
// CHECK-NEXT: tensor.insert [[X]] into {{%.+}}{{\[}}[[C0]], [[K]]] : tensor<2x9xf32>
// CHECK-NEXT: tensor.insert [[I]] into {{%.+}}{{\[}}[[C0]], [[K]]] : tensor<2x9xi32>
// CHECK: scf.for [[PASS:%.+]] = [[C0]] to [[C2]] step [[C1]]
// CHECK-NEXT: [[WIDTH:%.+]] = arith.shli [[C1]], [[PASS]] : index
// CHECK: [[SOURCE:%.+]] = arith.andi [[PASS]], [[C1]] : index
// CHECK-NEXT: [[TARGET:%.+]] = arith.xori [[SOURCE]], [[C1]] : index
// CHECK: scf.for [[K:%.+]] = [[C0]] to [[C4]] step [[C1]] iter_args([[ONE:%.+]] = [[C0]], [[TWO:%.+]] = [[C0]], [[S:%.+]] = {{%.+}}, [[T:%.+]] = {{%.+}})
// CHECK: [[L:%.+]] = tensor.extract [[S]]{{\[}}[[SOURCE]], [[LEFT:%.+]]] : tensor<2x9xf32>
// CHECK-NEXT: [[R:%.+]] = tensor.extract [[S]]{{\[}}[[SOURCE]], [[RIGHT:%.+]]] : tensor<2x9xf32>
// CHECK-NEXT: [[LESS:%.+]] = arith.cmpf olt, [[R]], [[L]] : f32
// CHECK: [[TAKE:%.+]] = arith.andi {{%.+}}, {{%.+}} : i1
// CHECK: [[FROM:%.+]] = arith.select [[TAKE]], [[RIGHT]], [[LEFT]] : index
// CHECK-NEXT: [[MIN:%.+]] = arith.select [[TAKE]], [[R]], [[L]] : f32
// CHECK-NEXT: tensor.extract [[T]]{{\[}}[[SOURCE]], [[FROM]]] : tensor<2x9xi32>
// CHECK: arith.cmpf olt
// CHECK: tensor.insert [[MIN]] into [[S]]{{\[}}[[TARGET]], [[K]]] : tensor<2x9xf32>
// CHECK: scf.yield
// CHECK: scf.for [[K:%.+]] = [[C0]] to [[C8]] step [[C1]]
// CHECK: arith.cmpf olt
// CHECK: tensor.insert {{%.+}} into {{%.+}}{{\[}}[[ROW]], [[K]]] : tensor<3x8xi32>
func.func @argsort(%x: tensor<3x8xf32>, %i: tensor<3x8xi32>) -> tensor<3x8xi32> {
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3x8xf32>, tensor<3x8xi32>) -> (tensor<3x8xf32>, tensor<3x8xi32>)
  return %0#1 : tensor<3x8xi32>
}

// Nothing to sort along a dimension of one element.
// CHECK-LABEL: func.func @one
// CHECK-NEXT: func.return %x : tensor<5x1xf32>
func.func @one(%x: tensor<5x1xf32>) -> tensor<5x1xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x1xf32>) -> tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}

// Without rows, a loop that runs once keeps all of the sort in one kernel.
// CHECK-LABEL: func.func @vector
// CHECK: scf.for {{%.+}} = {{%.+}} to [[C1:%.+]] step [[C1]] iter_args({{.*}}) -> (tensor<3xi8>, tensor<2x5xi8>)
func.func @vector(%x: tensor<3xi8>) -> tensor<3xi8> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// A long row by a key, which is read for the counts and in each of the two passes. Descending: all bits are complemented but
// that of the sign.
// CHECK-LABEL: func.func @by_key
// CHECK-DAG: [[MASK:%.+]] = arith.constant 32767 : i16
// CHECK: scf.for {{.*}} -> (tensor<4096xi16>, tensor<4096xf32>, tensor<2x4096xi16>, tensor<2x4096xf32>, tensor<2x256xi32>)
// CHECK: [[X:%.+]] = tensor.extract %x
// CHECK: [[FLIPPED:%.+]] = arith.xori [[X]], [[MASK]] : i16
// CHECK-NEXT: [[KEY:%.+]] = arith.extui [[FLIPPED]] : i16 to i64
// CHECK-NEXT: arith.shrui [[KEY]], {{%.+}} : i64
// CHECK-COUNT-2: arith.addi {{%.+}}, {{%.+}} : i32
// CHECK: [[E:%.+]] = tensor.extract {{%.+}} : tensor<2x4096xi16>
// CHECK: arith.xori [[E]], [[MASK]] : i16
// CHECK-NOT: arith.cmpi
// CHECK: func.return
func.func @by_key(%x: tensor<4096xi16>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4096xi16>, tensor<4096xf32>) -> (tensor<4096xi16>, tensor<4096xf32>)
  return %0#1 : tensor<4096xf32>
}

// The first 2 of 64 elements are selected: a sorted list of keys and places, with an end, and nothing as long as a row.
// CHECK-LABEL: func.func @first
// CHECK-DAG: tensor.empty() : tensor<3x2xi32>
// CHECK-DAG: tensor.empty() : tensor<3xi64>
// CHECK-NOT: tensor.empty() : tensor<3x64
// CHECK: [[LATER:%.+]] = arith.maxui {{%.+}}, [[ENTRY:%.+]] : i64
// CHECK-NEXT: arith.minui {{%.+}}, [[LATER]] : i64
// CHECK: func.return {{%.+}} : tensor<3x2xi32>
func.func @first(%x: tensor<3x64xi32>) -> tensor<3x2xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<3x64xi32>) -> tensor<3x64xi32>
  %1 = stablehlo.slice %0 [0:3, 0:2] : (tensor<3x64xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// Many elements are held in a heap.
// CHECK-LABEL: func.func @many
// CHECK-DAG: tensor.empty() : tensor<300xi64>
// CHECK-NOT: arith.minui
// CHECK: func.return {{%.+}} : tensor<300xi32>
func.func @many(%x: tensor<9000xi32>) -> tensor<300xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<9000xi32>) -> tensor<9000xi32>
  %1 = stablehlo.slice %0 [0:300] : (tensor<9000xi32>) -> tensor<300xi32>
  return %1 : tensor<300xi32>
}
