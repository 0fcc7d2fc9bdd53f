// RUN: xla-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: @intrinsics
// CHECK-SAME: [[X:%[^:]+]]: f32, [[Y:%[^:]+]]: f32
func.func private @intrinsics(%x: f32, %y: f32) -> f32 {
  // CHECK: [[ONE:%.+]] = llvm.mlir.constant(1.000000e+00 : f32) : f32
  // CHECK-NEXT: [[A:%.+]] = llvm.call_intrinsic "llvm.sqrt.f32"([[X]])
  %0 = math.sqrt %x : f32
  // CHECK-NEXT: [[B:%.+]] = llvm.call_intrinsic "llvm.copysign.f32"([[A]], [[Y]])
  %1 = math.copysign %0, %y : f32
  // CHECK-NEXT: [[C:%.+]] = llvm.call_intrinsic "llvm.fma.f32"([[B]], [[X]], [[Y]]){{.*}}contract
  %2 = math.fma %1, %x, %y fastmath<contract> : f32
  // CHECK-NEXT: [[ROOT:%.+]] = llvm.call_intrinsic "llvm.sqrt.f32"([[C]])
  // CHECK-NEXT: [[D:%.+]] = llvm.fdiv [[ONE]], [[ROOT]] : f32
  %3 = math.rsqrt %2 : f32
  // CHECK-NEXT: llvm.return [[D]]
  func.return %3 : f32
}

// -----

// CHECK-LABEL: @bits
// CHECK-SAME: [[X:%[^:]+]]: i16
func.func private @bits(%x: i16) -> i16 {
  // CHECK: [[FALSE:%.+]] = llvm.mlir.constant(false) : i1
  // CHECK-NEXT: [[A:%.+]] = llvm.call_intrinsic "llvm.ctlz.i16"([[X]], [[FALSE]])
  %0 = math.ctlz %x : i16
  // CHECK-NEXT: {{%.+}} = llvm.call_intrinsic "llvm.ctpop.i16"([[A]])
  %1 = math.ctpop %0 : i16
  func.return %1 : i16
}

// -----

func.func private @no_intrinsic(%x: f32) -> f32 {
  // expected-error @below {{math.erf (f32) -> (f32) in @no_intrinsic}}
  %0 = math.erf %x : f32
  func.return %0 : f32
}
