// RUN: xla-opt %s -p "stablehlo-expand-collectives{replicas=3}" --split-input-file | filecheck %s
// RUN: not xla-opt %s -p stablehlo-expand-collectives --split-input-file 2>&1 | filecheck %s --check-prefix OUTSIDE

// Groups of two and one: the number of members says which reduction it is.

// OUTSIDE: error: 'stablehlo.all_reduce' op: the groups {{.*}} name replica 2, of 1

// CHECK-LABEL: func.func @unequal_groups
// CHECK: [[V:%.+]], [[COUNT:%.+]], [[PLACE:%.+]] = stablehlo.custom_call @xrt.members
// CHECK: [[INDEX:%.+]] = stablehlo.subtract [[COUNT]], {{%.+}} : tensor<i32>
// CHECK: [[R:%.+]] = "stablehlo.case"([[INDEX]])
// CHECK-NOT: stablehlo.add
// CHECK: stablehlo.return
// CHECK: stablehlo.map
// CHECK: stablehlo.add
func.func @unequal_groups(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// The sum of the own part.

// CHECK-LABEL: func.func @reduce_scatter
// CHECK: [[PARTS:%.+]] = stablehlo.reshape {{%.+}} : (tensor<6xi32>) -> tensor<3x2xi32>
// CHECK: [[V:%.+]], {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.members([[PARTS]])
// CHECK-SAME: op = "stablehlo.reduce_scatter", parts
// CHECK-SAME: : (tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<i32>, tensor<i32>)
// CHECK: stablehlo.map
// CHECK: stablehlo.map
// CHECK: func.return {{%.+}} : tensor<2xi32>
func.func @reduce_scatter(%x: tensor<6xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[2, 1, 0]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// What is gathered comes stacked, and is laid along the dimension of the op.

// CHECK-LABEL: func.func @all_gather
// CHECK-SAME: ([[X:%.+]]: tensor<2x4xi32>)
// CHECK: [[V:%.+]], {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.members([[X]])
// CHECK-SAME: (tensor<2x4xi32>) -> (tensor<3x2x4xi32>, tensor<i32>, tensor<i32>)
// CHECK: [[T:%.+]] = stablehlo.transpose [[V]], dims = [1, 0, 2]
// CHECK: [[R:%.+]] = stablehlo.reshape [[T]] : (tensor<2x3x4xi32>) -> tensor<2x12xi32>
// CHECK: func.return [[R]]
func.func @all_gather(%x: tensor<2x4xi32>) -> tensor<2x12xi32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x4xi32>) -> tensor<2x12xi32>
  return %0 : tensor<2x12xi32>
}

// -----

// Parts lie in front when they are exchanged.

// CHECK-LABEL: func.func @all_to_all
// CHECK: [[P:%.+]] = stablehlo.transpose {{%.+}}, dims = [1, 0, 2] : (tensor<2x3x4xi32>) -> tensor<3x2x4xi32>
// CHECK: [[V:%.+]], {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.members([[P]])
// CHECK: [[R:%.+]] = stablehlo.reshape [[V]] : (tensor<3x2x4xi32>) -> tensor<6x4xi32>
// CHECK: func.return [[R]]
func.func @all_to_all(%x: tensor<2x12xi32>) -> tensor<6x4xi32> {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2x12xi32>) -> tensor<6x4xi32>
  return %0 : tensor<6x4xi32>
}

// -----

// A large value is reduced in pieces by a function of the program, which the runtime calls.

// CHECK-LABEL: func.func @large(
// CHECK-SAME: [[X:%.+]]: tensor
// CHECK: [[R:%.+]] = stablehlo.custom_call @xrt.reduced([[X]]) {called_computations = [@reduced_pieces_0], {{.*}} piece = 133376 : i64, {{.*}} : (tensor<100000xi32>) -> tensor<100000xi32>
// CHECK: func.return [[R]]
// CHECK: func.func private @reduced_pieces_0([[A:%.+]]: tensor<33344xi32>, [[B:%.+]]: tensor<33344xi32>, [[C:%.+]]: tensor<33344xi32>)
// CHECK: [[R:%.+]] = "stablehlo.map"([[A]], [[B]], [[C]])
// CHECK: [[AB:%.+]] = stablehlo.minimum
// CHECK: [[ABC:%.+]] = stablehlo.minimum [[AB]],
// CHECK: stablehlo.return [[ABC]]
// CHECK: func.return [[R]]
func.func @large(%x: tensor<100000xi32>) -> tensor<100000xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.minimum %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<100000xi32>) -> tensor<100000xi32>
  return %0 : tensor<100000xi32>
}

// -----

// So is what `reduce_scatter` leaves to each member; parts lie in front. Equal pieces share a function.

// CHECK-LABEL: func.func @large_parts(
// CHECK: [[P:%.+]] = stablehlo.transpose {{.*}} -> tensor<3x2x30000xi32>
// CHECK: [[R:%.+]] = stablehlo.custom_call @xrt.reduced([[P]]) {called_computations = [@reduced_pieces_0], {{.*}} parts, piece = 240000 : i64, {{.*}} -> tensor<2x30000xi32>
// CHECK: stablehlo.custom_call @xrt.reduced([[P2:%.+]]) {called_computations = [@reduced_pieces_0]
// CHECK: func.func private @reduced_pieces_0
// CHECK-NOT: func.func
func.func @large_parts(%x: tensor<2x90000xi32>) -> (tensor<2x30000xi32>, tensor<2x30000xi32>) {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x90000xi32>) -> tensor<2x30000xi32>
  %2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[2, 1, 0]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x90000xi32>) -> tensor<2x30000xi32>
  return %0, %2 : tensor<2x30000xi32>, tensor<2x30000xi32>
}

// -----

// Where the computation is more than a loop, values are exchanged in parts, reduced, and gathered.

// CHECK-LABEL: func.func @large_branches
// CHECK: stablehlo.pad {{.*}} -> tensor<100002xi32>
// CHECK: {{.*}} = stablehlo.custom_call @xrt.members({{.*}} parts, {{.*}}-> (tensor<3x33334xi32>, tensor<i32>, tensor<i32>)
// CHECK: "stablehlo.map"
// CHECK: [[S:%.+]] = "stablehlo.map"
// CHECK: {{.*}} = stablehlo.custom_call @xrt.members([[S]]) {{.*}} : (tensor<33334xi32>) -> (tensor<3x33334xi32>
// CHECK: stablehlo.slice {{.*}} -> tensor<100000xi32>
func.func @large_branches(%x: tensor<100000xi32>) -> tensor<100000xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = "stablehlo.if"(%c) ({
      stablehlo.return %a : tensor<i32>
    }, {
      stablehlo.return %b : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<100000xi32>) -> tensor<100000xi32>
  return %0 : tensor<100000xi32>
}
