// RUN: xla-opt %s -t llvm | filecheck %s

// CHECK: @floats = internal constant [8 x i8] c"\00\00\80?\00\00\00@", align 64
llvm.mlir.global internal constant @floats(dense<[1.0, 2.0]> : tensor<2xf32>)
  {addr_space = 0 : i32, alignment = 64 : i64} : !llvm.array<2 x f32>
// CHECK: @booleans = internal constant [3 x i8] c"\01\00\01"
llvm.mlir.global internal constant @booleans(dense<[true, false, true]> : tensor<3xi1>)
  {addr_space = 0 : i32} : !llvm.array<3 x i8>
// CHECK-NOT: @large
llvm.mlir.global internal constant @large(dense<1.0> : tensor<2xf32>)
  {addr_space = 0 : i32, xrt.constant_index = 0 : i64} : !llvm.array<2 x f32>

// CHECK-LABEL: define void @exact(ptr %0) {
llvm.func @exact(%p: !llvm.ptr) {
  // CHECK: store float 0x3FF19999A0000000, ptr %0
  %0 = llvm.mlir.constant(1.1 : f32) : f32
  llvm.store %0, %p : f32, !llvm.ptr
  // CHECK-NEXT: store float 0x7FF0000000000000, ptr %0
  %1 = llvm.mlir.constant(0x7F800000 : f32) : f32
  llvm.store %1, %p : f32, !llvm.ptr
  // CHECK-NEXT: store double 0x3FF199999999999A, ptr %0
  %2 = llvm.mlir.constant(1.1 : f64) : f64
  llvm.store %2, %p : f64, !llvm.ptr
  // CHECK-NEXT: store half 0xH3C66, ptr %0
  %3 = llvm.mlir.constant(1.1 : f16) : f16
  llvm.store %3, %p : f16, !llvm.ptr
  // CHECK-NEXT: store i16 16269, ptr %0
  %4 = llvm.mlir.constant(1.1 : bf16) : bf16
  llvm.store %4, %p : bf16, !llvm.ptr
  // CHECK-NEXT: store i1 true, ptr %0
  %5 = llvm.mlir.constant(true) : i1
  llvm.store %5, %p : i1, !llvm.ptr
  // CHECK-NEXT: store <2 x i16> <i16 16256, i16 49152>, ptr %0
  %6 = llvm.mlir.constant(dense<[1.0, -2.0]> : vector<2xbf16>) : vector<2xbf16>
  llvm.store %6, %p : vector<2xbf16>, !llvm.ptr
  // CHECK-NEXT: store <4 x i32> splat (i32 -7), ptr %0
  %7 = llvm.mlir.constant(dense<-7> : vector<4xi32>) : vector<4xi32>
  llvm.store %7, %p : vector<4xi32>, !llvm.ptr
  // CHECK-NEXT: store <2 x i1> <i1 true, i1 false>, ptr %0
  %8 = llvm.mlir.constant(dense<[true, false]> : vector<2xi1>) : vector<2xi1>
  llvm.store %8, %p : vector<2xi1>, !llvm.ptr
  // CHECK-NEXT: store ptr @floats, ptr %0
  %9 = llvm.mlir.addressof @floats : !llvm.ptr
  llvm.store %9, %p : !llvm.ptr, !llvm.ptr
  // CHECK-NEXT: store ptr zeroinitializer, ptr %0
  %10 = llvm.mlir.zero : !llvm.ptr
  llvm.store %10, %p : !llvm.ptr, !llvm.ptr
  llvm.return
}
