// RUN: xla-opt %s -t llvm | filecheck %s

// CHECK-LABEL: define i32 @integers(i32 %0, i32 %1) {
llvm.func @integers(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: b0:
  // CHECK-NEXT: %2 = add nsw i32 %0, %1
  %0 = llvm.add %a, %b overflow<nsw> : i32
  // CHECK-NEXT: %3 = mul nuw nsw i32 %2, 7
  %1 = llvm.mlir.constant(7 : i32) : i32
  %2 = llvm.mul %0, %1 overflow<nsw, nuw> : i32
  // CHECK-NEXT: %4 = sdiv exact i32 %3, %1
  %3 = llvm.sdiv exact %2, %b : i32
  // CHECK-NEXT: %5 = or disjoint i32 %4, %1
  %4 = llvm.or disjoint %3, %b : i32
  // CHECK-NEXT: %6 = icmp ult i32 %5, %0
  %5 = llvm.icmp "ult" %4, %a : i32
  // CHECK-NEXT: %7 = zext nneg i1 %6 to i64
  %6 = llvm.zext nneg %5 : i1 to i64
  // CHECK-NEXT: %8 = trunc nsw i64 %7 to i32
  %7 = llvm.trunc %6 overflow<nsw> : i64 to i32
  // CHECK-NEXT: ret i32 %8
  llvm.return %7 : i32
}

// CHECK-LABEL: define float @floats(float %0, <4 x float> %1) {
llvm.func @floats(%a: f32, %v: vector<4xf32>) -> f32 {
  // CHECK: %2 = fadd reassoc nsz float %0, %0
  %0 = llvm.fadd %a, %a {fastmathFlags = #llvm.fastmath<reassoc, nsz>} : f32
  // CHECK-NEXT: %3 = fneg fast float %2
  %1 = llvm.fneg %0 {fastmathFlags = #llvm.fastmath<fast>} : f32
  // CHECK-NEXT: %4 = fcmp oeq float %3, %0
  %2 = llvm.fcmp "oeq" %1, %a : f32
  // CHECK-NEXT: %5 = select i1 %4, float %3, float %0
  %3 = llvm.select %2, %1, %a : i1, f32
  // CHECK-NEXT: %6 = fptosi float %5 to i8
  %4 = llvm.fptosi %3 : f32 to i8
  // CHECK-NEXT: %7 = call <4 x float> @llvm.fma.v4f32(<4 x float> %1, <4 x float> %1, <4 x float> %1)
  %5 = llvm.intr.fma(%v, %v, %v) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK-NEXT: %8 = call contract float @llvm.fma.f32(float %5, float %5, float %5)
  %6 = llvm.call_intrinsic "llvm.fma.f32"(%3, %3, %3) {fastmathFlags = #llvm.fastmath<contract>}
    : (f32, f32, f32) -> f32
  // CHECK-NEXT: %9 = call reassoc float @llvm.vector.reduce.fadd.v4f32(float %8, <4 x float> %7)
  %7 = "llvm.intr.vector.reduce.fadd"(%6, %5) <{fastmathFlags = #llvm.fastmath<reassoc>}>
    : (f32, vector<4xf32>) -> f32
  llvm.return %7 : f32
}

// CHECK-LABEL: define void @memory(ptr %0, i64 %1) {
llvm.func @memory(%p: !llvm.ptr, %i: i64) {
  // CHECK: %2 = getelementptr inbounds float, ptr %0, i64 %1
  %0 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: %3 = load <4 x i8>, ptr %2, align 1
  %1 = llvm.load %0 {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
  // CHECK-NEXT: store <4 x i8> %3, ptr %0, align 4
  llvm.store %1, %p {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr
  // CHECK-NEXT: %4 = alloca { ptr, i64 }, i64 2, align 64
  %2 = llvm.mlir.constant(2) : i64
  %3 = llvm.alloca %2 x !llvm.struct<(!llvm.ptr, i64)> {alignment = 64 : i64} : (i64) -> !llvm.ptr
  // CHECK-NEXT: %5 = getelementptr { ptr, i64 }, ptr %4, i32 0, i32 1
  %4 = llvm.getelementptr %3[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(!llvm.ptr, i64)>
  llvm.return
}

// CHECK-LABEL: define <2 x i32> @vectors(<4 x i32> %0, i32 %1) {
llvm.func @vectors(%v: vector<4xi32>, %x: i32) -> vector<2xi32> {
  // CHECK: %2 = insertelement <4 x i32> %0, i32 %1, i64 3
  %0 = llvm.mlir.constant(3) : i64
  %1 = llvm.insertelement %x, %v[%0 : i64] : vector<4xi32>
  // CHECK-NEXT: %3 = extractelement <4 x i32> %2, i64 3
  %2 = llvm.extractelement %1[%0 : i64] : vector<4xi32>
  // CHECK-NEXT: %4 = shufflevector <4 x i32> %2, <4 x i32> poison, <2 x i32> <i32 3, i32 poison>
  %3 = llvm.mlir.poison : vector<4xi32>
  %4 = llvm.shufflevector %1, %3 [3, -1] : vector<4xi32>
  // CHECK-NEXT: %5 = shufflevector <4 x i32> %0, <4 x i32> %2, <2 x i32> zeroinitializer
  %5 = llvm.shufflevector %v, %1 [0, 0] : vector<4xi32>
  // CHECK-NEXT: %6 = add <2 x i32> %4, %5
  %6 = llvm.add %4, %5 : vector<2xi32>
  llvm.return %6 : vector<2xi32>
}

// CHECK-LABEL: define { i64, float } @calls(ptr %0) {
llvm.func @calls(%f: !llvm.ptr) -> !llvm.struct<(i64, f32)> {
  // CHECK: call void %0(i64 1)
  %0 = llvm.mlir.constant(1) : i64
  llvm.call %f(%0) : !llvm.ptr, (i64) -> ()
  // CHECK-NEXT: %1 = call i32 @integers(i32 5, i32 5)
  %1 = llvm.mlir.constant(5 : i32) : i32
  %2 = llvm.call @integers(%1, %1) : (i32, i32) -> i32
  // CHECK-NEXT: %2 = insertvalue { i64, float } poison, i64 1, 0
  %3 = llvm.mlir.poison : !llvm.struct<(i64, f32)>
  %4 = llvm.insertvalue %0, %3[0] : !llvm.struct<(i64, f32)>
  // CHECK-NEXT: %3 = extractvalue { i64, float } %2, 0
  %5 = llvm.extractvalue %4[0] : !llvm.struct<(i64, f32)>
  llvm.return %4 : !llvm.struct<(i64, f32)>
}

// CHECK-DAG: declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
// CHECK-DAG: declare float @llvm.fma.f32(float, float, float)
// CHECK-DAG: declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
