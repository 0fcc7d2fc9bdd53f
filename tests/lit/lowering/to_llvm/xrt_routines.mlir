// RUN: xla-opt %s -p convert-to-llvm -t llvm | filecheck %s

// Each of the three matrices in turn; the last output is space to work in.
// CHECK-LABEL: define internal void @main.body
// CHECK-SAME:    (ptr {{[^%]*}}[[X:%[^,]+]], ptr {{[^%]*}}[[Y:%[^,]+]], ptr {{[^%]*}}[[Z:%[^,]+]], ptr
// CHECK:       call void @llvm.memcpy.p0.p0.i64(ptr [[Y]], ptr [[X]], i64 48, i1 false)
// CHECK:       store i8 78, ptr [[LETTER:%.+]], align 1
// CHECK:       store i32 2, ptr [[NUMBER:%.+]], align 4
// CHECK:       [[I:%.+]] = phi i64 [ 0, %{{.+}} ], [ {{%.+}}, %{{.+}} ]
// CHECK-NEXT:  [[OFFSET:%.+]] = mul nsw i64 [[I]], 16
// CHECK-NEXT:  [[MATRIX:%.+]] = getelementptr {{.*}}i8, ptr [[Y]], i64 [[OFFSET]]
// CHECK-NEXT:  call void %{{[0-9]+}}(ptr [[LETTER]], ptr [[NUMBER]], ptr [[MATRIX]], ptr [[Z]])
// CHECK-NEXT:  [[NEXT:%.+]] = add nsw i64 [[I]], 1
// CHECK-NEXT:  [[MORE:%.+]] = icmp slt i64 [[NEXT]], 3
// CHECK-NEXT:  br i1 [[MORE]]
func.func @main(%x: memref<3x2x2xf32>, %y: memref<3x2x2xf32>, %z: memref<8xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 2 : i64} {
  xrt.call_target "xrt.lapack.sgeev"(%x : memref<3x2x2xf32>) outs(%y, %z : memref<3x2x2xf32>, memref<8xf32>) {signature = (tensor<3x2x2xf32>) -> (tensor<3x2x2xf32>, tensor<8xf32>), options = {xrt.batch = 3 : i64, xrt.spaces = 1 : i64, xrt.parameters = ["N", 2 : i32, 0 : index, 1 : index]}}
  func.return
}

// An input behind those that are copied is read where it is, a matrix for each call.
// CHECK-LABEL: define internal void @solve.body
// CHECK-SAME:    (ptr {{[^%]*}}[[B:%[^,]+]], ptr {{[^%]*}}[[A:%[^,]+]], ptr {{[^%]*}}[[X:%[^,]+]], ptr
// CHECK:       call void @llvm.memcpy.p0.p0.i64(ptr [[X]], ptr [[B]], i64 24, i1 false)
// CHECK-NOT:   llvm.memcpy
// CHECK:       [[OFFSET:%.+]] = mul nsw i64 [[I:%.+]], 16
// CHECK-NEXT:  [[MATRIX:%.+]] = getelementptr {{.*}}i8, ptr [[A]], i64 [[OFFSET]]
// CHECK:       [[SOLUTION:%.+]] = getelementptr {{.*}}i8, ptr [[X]]
// CHECK-NEXT:  call void %{{[0-9]+}}(ptr %{{.+}}, ptr [[MATRIX]], ptr [[SOLUTION]])
func.func @solve(%b: memref<3x2xf32>, %a: memref<3x2x2xf32>, %x: memref<3x2xf32>) attributes {xrt.entry, xrt.num_inputs = 2 : i64, xrt.num_outputs = 1 : i64} {
  xrt.call_target "xrt.lapack.strsm"(%b, %a : memref<3x2xf32>, memref<3x2x2xf32>) outs(%x : memref<3x2xf32>) {signature = (tensor<3x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2xf32>, options = {xrt.batch = 3 : i64, xrt.spaces = 0 : i64, xrt.parameters = ["N", 1 : index, 0 : index]}}
  func.return
}
