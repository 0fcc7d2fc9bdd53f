// RUN: xla-opt %s -t hlo --split-input-file | filecheck %s

// What a loop uses from outside becomes part of the tuple it carries; small constants are written again.
// CHECK-LABEL: HloModule loop
// CHECK: %[[COND:.+]] (carried: (s32[], f32[4], f32[4])) -> pred[] {
// CHECK: %[[N:.+]] = s32[] constant(5)
// CHECK: ROOT %{{.+}} = pred[] compare(%{{.+}}, %[[N]]), direction=LT
// CHECK: %[[BODY:.+]] (carried: (s32[], f32[4], f32[4])) -> (s32[], f32[4], f32[4]) {
// CHECK: %[[Y:.+]] = f32[4] get-tuple-element(%carried), index=2
// CHECK: %[[SUM:.+]] = f32[4] add(%{{.+}}, %[[Y]])
// CHECK: ROOT %{{.+}} = (s32[], f32[4], f32[4]) tuple(%{{.+}}, %[[SUM]], %[[Y]])
// CHECK: ENTRY %main (x: f32[4], y: f32[4]) -> f32[4] {
// CHECK: %[[INIT:.+]] = (s32[], f32[4], f32[4]) tuple(%zero, %x, %y)
// CHECK-NEXT: %[[W:.+]] = (s32[], f32[4], f32[4]) while(%[[INIT]]), condition=%[[COND]], body=%[[BODY]]
// CHECK: ROOT %{{.+}} = f32[4] get-tuple-element(%[[W]]), index=1
module @loop {
  func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<5> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %v, %y : tensor<4xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
    }
    return %0#1 : tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: HloModule branches
// CHECK: %[[TRUE:.+]] (captured: (f32[4])) -> (f32[4]) {
// CHECK: %[[FALSE:.+]] (captured: (f32[4], f32[4])) -> (f32[4]) {
// CHECK: ENTRY
// CHECK: %[[A:.+]] = (f32[4]) tuple(%x)
// CHECK-NEXT: %[[B:.+]] = (f32[4], f32[4]) tuple(%x, %y)
// CHECK-NEXT: %[[C:.+]] = (f32[4]) conditional(%p, %[[A]], %[[B]]), true_computation=%[[TRUE]], false_computation=%[[FALSE]]
// CHECK-NEXT: %{{.+}} = f32[4] get-tuple-element(%[[C]]), index=0
// A branch that uses nothing takes an empty tuple.
// CHECK: %[[D:.+]] = () tuple()
// CHECK: %[[E:.+]] = (s32[]) conditional(%i, {{.*}}, %[[D]]), branch_computations={%{{.+}}, %{{.+}}}
module @branches {
  func.func @main(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
    %0 = "stablehlo.if"(%p) ({
      %2 = stablehlo.negate %x : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }, {
      %2 = stablehlo.add %x, %y : tensor<4xf32>
      stablehlo.return %2 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = "stablehlo.case"(%i) ({
      %2 = stablehlo.negate %i : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }, {
      %2 = stablehlo.constant dense<3> : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<4xf32>, tensor<i32>
  }
}

// -----

// CHECK-LABEL: HloModule calls
// CHECK: %two (a: f32[4]) -> (f32[4], f32[4]) {
// CHECK: ENTRY %main
// CHECK: %[[T:.+]] = (f32[4], f32[4]) call(%x), to_apply=%two
// CHECK-NEXT: %[[A:.+]] = f32[4] get-tuple-element(%[[T]]), index=0
// CHECK-NEXT: %[[B:.+]] = f32[4] get-tuple-element(%[[T]]), index=1
// CHECK-NEXT: %[[P:.+]] = (f32[4], f32[4]) tuple(%[[A]], %[[B]])
// CHECK-NEXT: %[[O:.+]] = (f32[4], f32[4]) opt-barrier(%[[P]])
// CHECK: %{{.+}} = f32[4] call(%{{.+}}), to_apply=%{{.+}}, is_composite=true, frontend_attributes={composite.attributes="{k = 1 : i32}",composite.name="my.sine",composite.version="2"}
module @calls {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0:2 = call @two(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %1:2 = stablehlo.optimization_barrier %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
    %2 = stablehlo.composite "my.sine" %1#0 {composite_attributes = {k = 1 : i32}, decomposition = @sine, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @two(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.cosine %a : tensor<4xf32>
    return %0, %a : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @sine(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.sine %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  // What the entry does not reach is left out.
  // CHECK-NOT: unused
  func.func private @unused(%a: tensor<?xf32>) -> tensor<?xf32> {
    return %a : tensor<?xf32>
  }
}
