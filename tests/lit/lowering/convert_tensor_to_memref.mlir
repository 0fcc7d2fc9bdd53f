// RUN: xla-opt %s -p convert-tensor-to-memref --split-input-file | filecheck %s

// A result is computed in the output argument; a value in between gets a buffer of its own.
// CHECK-LABEL: func.func public @chain(
// CHECK-SAME: %x: memref<8xf32>, [[OUT:%.+]]: memref<8xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64}
// CHECK-NEXT: [[T:%.+]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: func.call @k(%x, [[T]]) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT: func.call @k([[T]], [[OUT]]) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT: func.return
// CHECK: func.func private @k([[A:%.+]]: memref<8xf32>, [[B:%.+]]: memref<8xf32>) attributes {xrt.kernel}
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins([[A]] : memref<8xf32>) outs([[B]] : memref<8xf32>)
func.func public @chain(%x: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.entry} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = func.call @k(%x, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @k(%0, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @k(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// An updated tensor is copied while it is still read, and updated in place when it is not.
// CHECK-LABEL: func.func public @update(
// CHECK-SAME: %x: memref<8xf32>, %p: memref<2xf32>, [[OUT:%.+]]: memref<8xf32>, [[OLD:%.+]]: memref<8xf32>)
// CHECK-NEXT: "memref.copy"(%x, [[OLD]])
// CHECK-NEXT: func.call @u(%p, [[OLD]])
// CHECK-NEXT: "memref.copy"([[OLD]], [[OUT]])
// CHECK-NEXT: func.call @u(%p, [[OUT]])
// CHECK-NEXT: func.return
func.func public @update(%x: tensor<8xf32>, %p: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {xrt.entry} {
  %0 = func.call @u(%p, %x) : (tensor<2xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @u(%p, %0) : (tensor<2xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<8xf32>
}
// CHECK: func.func private @u([[P:%.+]]: memref<2xf32>, [[X:%.+]]: memref<8xf32>)
// CHECK: [[V:%.+]] = memref.subview [[X]][3] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 3>>
// CHECK: linalg.generic
// CHECK-SAME: ins([[P]] : memref<2xf32>) outs([[V]] : memref<2xf32, strided<[1], offset: 3>>)
func.func private @u(%p: tensor<2xf32>, %x: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %0 = tensor.insert_slice %p into %x[3][2][1] : tensor<2xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A product that is inserted right away is computed in its place, from its start on.
// CHECK: func.func private @inserted_product({{.*}}, [[X:%.+]]: memref<3x10xf32>)
// CHECK: [[V:%.+]] = memref.subview [[X]][0, 5] [3, 5] [1, 1]
// CHECK-NEXT: linalg.fill {{.*}} outs([[V]] :
// CHECK-NEXT: linalg.generic {{.*}} outs([[V]] :
// CHECK-NOT: linalg.generic
func.func private @inserted_product(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %x: tensor<3x10xf32>) -> tensor<3x10xf32> attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %0 = tensor.insert_slice %p into %x[0, 5][3, 5][1, 1] : tensor<3x5xf32> into tensor<3x10xf32>
  return %0 : tensor<3x10xf32>
}

// -----

// Scalars that a loop carries live in fixed buffers, here the outputs; swapping them goes through a copy of one.
// CHECK-LABEL: func.func public @swap(
// CHECK-SAME: %a: memref<f32>, %b: memref<f32>, %p: memref<i1>, [[O0:%.+]]: memref<f32>, [[O1:%.+]]: memref<f32>)
// CHECK-NEXT: "memref.copy"(%a, [[O0]])
// CHECK-NEXT: "memref.copy"(%b, [[O1]])
// CHECK-NEXT: scf.while () : () -> () {
// CHECK-NEXT: [[C:%.+]] = memref.load %p[] : memref<i1>
// CHECK-NEXT: scf.condition([[C]])
// CHECK-NEXT: } do {
// CHECK-NEXT: [[S:%.+]] = memref.alloc() : memref<f32>
// CHECK-NEXT: "memref.copy"([[O0]], [[S]])
// CHECK-NEXT: "memref.copy"([[O1]], [[O0]])
// CHECK-NEXT: "memref.copy"([[S]], [[O1]])
// CHECK-NEXT: scf.yield
func.func public @swap(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) attributes {xrt.entry} {
  %r:2 = scf.while (%x = %a, %y = %b) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %c = tensor.extract %p[] : tensor<i1>
    scf.condition(%c) %x, %y : tensor<f32>, tensor<f32>
  } do {
  ^bb1(%x: tensor<f32>, %y: tensor<f32>):
    scf.yield %y, %x : tensor<f32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// -----

// Large values that change places do so by pointers. What the loop gives back may be either buffer.
// CHECK-LABEL: func.func public @swap_large(
// CHECK-SAME: [[O0:%[^ ]+]]: memref<512xf32>, [[O1:%[^ ]+]]: memref<512xf32>) attributes
// CHECK-NEXT: "memref.copy"(%a, [[O0]])
// CHECK-NEXT: "memref.copy"(%b, [[O1]])
// CHECK-NEXT: [[R0:%.+]], [[R1:%.+]] = scf.while ([[B0:%.+]] = [[O0]], [[B1:%.+]] = [[O1]])
// CHECK: scf.condition({{%.+}}) [[B0]], [[B1]]
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb{{.+}}([[A0:%.+]]: memref<512xf32>, [[A1:%.+]]: memref<512xf32>):
// CHECK-NEXT: scf.yield [[A1]], [[A0]]
// CHECK-NEXT: }
// CHECK-NEXT: [[S:%.+]] = memref.alloc() : memref<512xf32>
// CHECK-NEXT: "memref.copy"([[R1]], [[S]])
// CHECK-NEXT: "memref.copy"([[R0]], [[O0]])
// CHECK-NEXT: "memref.copy"([[S]], [[O1]])
func.func public @swap_large(%a: tensor<512xf32>, %b: tensor<512xf32>, %p: tensor<i1>) -> (tensor<512xf32>, tensor<512xf32>) attributes {xrt.entry} {
  %r:2 = scf.while (%x = %a, %y = %b) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
    %c = tensor.extract %p[] : tensor<i1>
    scf.condition(%c) %x, %y : tensor<512xf32>, tensor<512xf32>
  } do {
  ^bb1(%x: tensor<512xf32>, %y: tensor<512xf32>):
    scf.yield %y, %x : tensor<512xf32>, tensor<512xf32>
  }
  return %r#0, %r#1 : tensor<512xf32>, tensor<512xf32>
}

// -----

// A value that is not computed element by element goes back and forth between two buffers; one that is stays in its own.
// CHECK-LABEL: func.func public @two_buffers(
// CHECK-SAME: %a: memref<512xf32>, %b: memref<512xf32>, %p: memref<i1>, [[O0:%[^ ]+]]: memref<512xf32>, [[O1:%[^ ]+]]: memref<512xf32>)
// CHECK: [[SPARE:%.+]] = memref.alloc() : memref<512xf32>
// CHECK-NEXT: [[R0:%.+]], {{%.+}} = scf.while ([[B0:%.+]] = [[O0]], [[B1:%.+]] = [[SPARE]])
// CHECK: ^bb{{.+}}([[A0:%.+]]: memref<512xf32>, [[A1:%.+]]: memref<512xf32>):
// CHECK-NEXT: func.call @reverse([[A0]], [[A1]])
// CHECK-NEXT: func.call @negate([[O1]], [[O1]])
// CHECK-NEXT: scf.yield [[A1]], [[A0]]
// CHECK-NEXT: }
// CHECK-NEXT: "memref.copy"([[R0]], [[O0]])
// CHECK-NEXT: func.return
func.func public @two_buffers(%a: tensor<512xf32>, %b: tensor<512xf32>, %p: tensor<i1>) -> (tensor<512xf32>, tensor<512xf32>) attributes {xrt.entry} {
  %r:2 = scf.while (%x = %a, %y = %b) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
    %c = tensor.extract %p[] : tensor<i1>
    scf.condition(%c) %x, %y : tensor<512xf32>, tensor<512xf32>
  } do {
  ^bb1(%x: tensor<512xf32>, %y: tensor<512xf32>):
    %e = tensor.empty() : tensor<512xf32>
    %0 = func.call @reverse(%x, %e) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %1 = func.call @negate(%y, %e) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    scf.yield %0, %1 : tensor<512xf32>, tensor<512xf32>
  }
  return %r#0, %r#1 : tensor<512xf32>, tensor<512xf32>
}
func.func private @reverse(%x: tensor<512xf32>, %out: tensor<512xf32>) -> tensor<512xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (511 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<512xf32>) outs(%out : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<512xf32>
  return %0 : tensor<512xf32>
}
func.func private @negate(%x: tensor<512xf32>, %out: tensor<512xf32>) -> tensor<512xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<512xf32>) outs(%out : tensor<512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<512xf32>
  return %0 : tensor<512xf32>
}

// -----

// Both branches write where the result is wanted; a constant becomes a global.
// CHECK: "memref.global"() <{sym_name = "constant_0", type = memref<2xf32>, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_visibility = "private", constant
// CHECK-LABEL: func.func public @branch(
// CHECK-SAME: %x: memref<2xf32>, %p: memref<i1>, [[OUT:%.+]]: memref<2xf32>)
// CHECK-NEXT: [[C:%.+]] = memref.load %p[] : memref<i1>
// CHECK-NEXT: scf.if [[C]] {
// CHECK-NEXT: "memref.copy"(%x, [[OUT]])
// CHECK-NEXT: } else {
// CHECK-NEXT: [[G:%.+]] = memref.get_global @constant_0 : memref<2xf32>
// CHECK-NEXT: "memref.copy"([[G]], [[OUT]])
func.func public @branch(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> attributes {xrt.entry} {
  %c = tensor.extract %p[] : tensor<i1>
  %r = scf.if %c -> (tensor<2xf32>) {
    scf.yield %x : tensor<2xf32>
  } else {
    %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    scf.yield %k : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// A loop of one iteration is none: what it updates is updated once.
// CHECK: func.func private @one_update([[P:%.+]]: memref<f32>, [[X:%.+]]: memref<8xf32>)
// CHECK: [[FIRST:%.+]] = arith.constant 3 : index
// CHECK-NOT: scf.for
// CHECK: [[V:%.+]] = memref.load [[P]][]
// CHECK-NEXT: memref.store [[V]], [[X]][[[FIRST]]]
// CHECK-NEXT: func.return
func.func private @one_update(%p: tensor<f32>, %x: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.kernel} {
  %lower = arith.constant 3 : index
  %upper = arith.constant 5 : index
  %step = arith.constant 2 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%t = %x) -> (tensor<8xf32>) {
    %v = tensor.extract %p[] : tensor<f32>
    %n = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// What has no elements is an input of a call too: it gets a buffer, as what a call writes into does.
// CHECK-LABEL: func.func public @nothing(
// CHECK-SAME: [[OUT:%.+]]: memref<0xf32>)
// CHECK-NEXT: [[IN:%.+]] = memref.alloc() : memref<0xf32>
// CHECK-NEXT: "xrt.call_target"([[IN]], [[OUT]]) <{target = "t"
func.func public @nothing() -> tensor<0xf32> attributes {xrt.entry} {
  %in = tensor.empty() : tensor<0xf32>
  %out = tensor.empty() : tensor<0xf32>
  %r = xrt.call_target "t"(%in : tensor<0xf32>) outs(%out : tensor<0xf32>) {signature = (tensor<0xf32>) -> tensor<0xf32>, options = {}} -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// A tensor of no certain elements that a call reads has a buffer; one that it only writes has that of the result.
// CHECK-LABEL: func.func public @read_empty(
// CHECK-SAME: [[OUT:%.+]]: memref<0xf32>)
// CHECK-NEXT: [[E:%.+]] = memref.alloc() : memref<0xf32>
// CHECK-NEXT: func.call @k([[E]], [[OUT]])
// CHECK-NEXT: func.return
func.func public @read_empty() -> tensor<0xf32> attributes {xrt.entry} {
  %e = tensor.empty() : tensor<0xf32>
  %out = tensor.empty() : tensor<0xf32>
  %0 = func.call @k(%e, %out) : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func private @k(%x: tensor<0xf32>, %out: tensor<0xf32>) -> tensor<0xf32> attributes {xrt.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<0xf32>) outs(%out : tensor<0xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
