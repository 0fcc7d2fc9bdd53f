// RUN: xla-opt %s -p 'complex-expand-arithmetic{fma=true}' --split-input-file | filecheck %s

// Memory stays as it is: a last dimension of two parts, and two accesses for one.

// CHECK-LABEL: @product
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: memref<8x2xf32>, [[OUT:%[a-z0-9_]+]]: memref<8x2xf32>)
// CHECK: affine.for [[I:%[a-z0-9_]+]]
// CHECK-NEXT: [[RE:%[a-z0-9_]+]] = affine.load [[X]][[[I]], 0] : memref<8x2xf32>
// CHECK-NEXT: [[IM:%[a-z0-9_]+]] = affine.load [[X]][[[I]], 1] : memref<8x2xf32>
// CHECK-NEXT: [[A:%[a-z0-9_]+]] = arith.mulf [[RE]], [[RE]] : f32
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.mulf [[IM]], [[IM]] : f32
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.subf [[A]], [[B]] : f32
// CHECK-NEXT: [[D:%[a-z0-9_]+]] = arith.mulf [[RE]], [[IM]] : f32
// CHECK-NEXT: [[E:%[a-z0-9_]+]] = arith.mulf [[IM]], [[RE]] : f32
// CHECK-NEXT: [[F:%[a-z0-9_]+]] = arith.addf [[D]], [[E]] : f32
// CHECK-NEXT: affine.store [[C]], [[OUT]][[[I]], 0] : memref<8x2xf32>
// CHECK-NEXT: affine.store [[F]], [[OUT]][[[I]], 1] : memref<8x2xf32>
// CHECK-NOT: complex
func.func @product(%x: memref<8xcomplex<f32>>, %out: memref<8xcomplex<f32>>) {
  affine.for %i = 0 to 8 {
    %z = affine.load %x[%i] : memref<8xcomplex<f32>>
    %w = complex.mul %z, %z : complex<f32>
    affine.store %w, %out[%i] : memref<8xcomplex<f32>>
  }
  func.return
}

// -----

// Loops carry both parts; flags of a sum stay on the sums of its parts.

// CHECK-LABEL: @sum
// CHECK-DAG: [[ZERO:%[a-z0-9_]+]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG: [[ONE:%[a-z0-9_]+]] = arith.constant 1.000000e+00 : f64
// CHECK: [[S:%[a-z0-9_]+]], [[T:%[a-z0-9_]+]] = affine.for {{.*}} iter_args([[A:%[a-z0-9_]+]] = [[ONE]], [[B:%[a-z0-9_]+]] = [[ZERO]]) -> (f64, f64)
// CHECK: arith.addf [[A]], {{%[a-z0-9_]+}} fastmath<reassoc> : f64
// CHECK: arith.addf [[B]], {{%[a-z0-9_]+}} fastmath<reassoc> : f64
// CHECK: affine.yield {{%[a-z0-9_]+}}, {{%[a-z0-9_]+}} : f64, f64
// CHECK: affine.store [[S]], {{%[a-z0-9_]+}}[0] : memref<2xf64>
// CHECK: affine.store [[T]], {{%[a-z0-9_]+}}[1] : memref<2xf64>
func.func @sum(%x: memref<8xcomplex<f64>>, %out: memref<complex<f64>>) {
  %start = complex.constant [1.0 : f64, 0.0 : f64] : complex<f64>
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %start) -> (complex<f64>) {
    %z = affine.load %x[%i] : memref<8xcomplex<f64>>
    %next = complex.add %acc, %z fastmath<reassoc> : complex<f64>
    affine.yield %next : complex<f64>
  }
  affine.store %sum, %out[] : memref<complex<f64>>
  func.return
}

// -----

// Views keep the parts apart, also of a single element.

// CHECK-LABEL: @views
// CHECK: memref.collapse_shape {{%[a-z0-9_]+}} {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : memref<4x6x2xf32> into memref<24x2xf32>
// CHECK: memref.expand_shape {{%[a-z0-9_]+}} {{\[\[}}0 : i64, 1 : i64]] output_shape [1, 2] : memref<2xf32> into memref<1x2xf32>
// CHECK: memref.alloc() : memref<24x2xf32>
// CHECK: memref.get_global @c : memref<2x2xf32>
// CHECK: memref.load {{%[a-z0-9_]+}}[[[I:%[a-z0-9_]+]], {{%[a-z0-9_]+}}] : memref<24x2xf32>
// CHECK: memref.load {{%[a-z0-9_]+}}[[[I]], {{%[a-z0-9_]+}}] : memref<24x2xf32>
// CHECK: "memref.global"() <{{{.*}}type = memref<2x2xf32>, initial_value = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
func.func @views(%x: memref<4x6xcomplex<f32>>, %y: memref<complex<f32>>, %i: index, %out: memref<f32>) {
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x6xcomplex<f32>> into memref<24xcomplex<f32>>
  %one = memref.expand_shape %y [] output_shape [1] : memref<complex<f32>> into memref<1xcomplex<f32>>
  %tmp = memref.alloc() : memref<24xcomplex<f32>>
  %c = memref.get_global @c : memref<2xcomplex<f32>>
  %z = memref.load %flat[%i] : memref<24xcomplex<f32>>
  %im = complex.im %z : complex<f32>
  affine.store %im, %out[] : memref<f32>
  func.return
}
"memref.global"() <{sym_name = "c", sym_visibility = "private", constant, type = memref<2xcomplex<f32>>, initial_value = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>}> : () -> ()

// -----

// Functions of single precision are computed in double precision, but for some that need no more than a scale;
// elementary ones are left to a later pass.

// CHECK-LABEL: @absolute
// CHECK-NOT: f64
// CHECK: arith.select
// CHECK: arith.bitcast {{%[a-z0-9_]+}} : i32 to f32
// CHECK: math.fma
// CHECK: [[S:%[a-z0-9_]+]] = math.sqrt {{%[a-z0-9_]+}} : f32
// CHECK: arith.mulf [[S]], 
// CHECK-LABEL: @exponential
// CHECK-DAG: arith.extf {{%[a-z0-9_]+}} : f32 to f64
// CHECK-DAG: math.exp {{%[a-z0-9_]+}} : f64
// CHECK-DAG: math.sin {{%[a-z0-9_]+}} : f64
// CHECK-DAG: math.cos {{%[a-z0-9_]+}} : f64
// CHECK-DAG: arith.truncf {{%[a-z0-9_]+}} : f64 to f32
func.func @absolute(%z: complex<f32>) -> f32 {
  %r = complex.abs %z : complex<f32>
  func.return %r : f32
}
func.func @exponential(%z: complex<f32>) -> complex<f32> {
  %r = complex.exp %z : complex<f32>
  func.return %r : complex<f32>
}
