// RUN: xla-opt %s -p arith-expand-narrow-floats --split-input-file | filecheck %s

// The exponent by an addition; subnormal numbers lose the implicit one; NaN by its bits.

// CHECK-LABEL: @decode
// CHECK-SAME: ([[M:%[a-z0-9_]+]]: memref<8xi8>, [[OUT:%[a-z0-9_]+]]: memref<8xf32>)
// CHECK: [[BITS:%[a-z0-9_]+]] = affine.load [[M]][{{%[a-z0-9_]+}}] : memref<8xi8>
// CHECK-NEXT: [[WIDE:%[a-z0-9_]+]] = arith.extui [[BITS]] : i8 to i32
// CHECK-NEXT: [[MAGNITUDE:%[a-z0-9_]+]] = arith.andi [[WIDE]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[SHIFTED:%[a-z0-9_]+]] = arith.shli [[MAGNITUDE]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[NORMAL:%[a-z0-9_]+]] = arith.addi [[SHIFTED]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[RAISED:%[a-z0-9_]+]] = arith.addi [[SHIFTED]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[ABOVE:%[a-z0-9_]+]] = arith.bitcast [[RAISED]] : i32 to f32
// CHECK-NEXT: [[DIFFERENCE:%[a-z0-9_]+]] = arith.subf [[ABOVE]], {{%[a-z0-9_]+}} : f32
// CHECK-NEXT: [[SMALL:%[a-z0-9_]+]] = arith.bitcast [[DIFFERENCE]] : f32 to i32
// CHECK: arith.select {{%[a-z0-9_]+}}, [[SMALL]], [[NORMAL]] : i32
// CHECK: affine.store {{%[a-z0-9_]+}}, [[OUT]][{{%[a-z0-9_]+}}] : memref<8xf32>
func.func @decode(%m: memref<8xf8E4M3FN>, %out: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xf8E4M3FN>
    %y = arith.extf %x : f8E4M3FN to f32
    affine.store %y, %out[%i] : memref<8xf32>
  }
  func.return
}

// -----

// CHECK-LABEL: @encode
// CHECK-SAME: ({{%[a-z0-9_]+}}: f64) -> i8
// CHECK: [[B:%[a-z0-9_]+]] = arith.bitcast {{%[a-z0-9_]+}} : f64 to i64
// CHECK: [[R:%[a-z0-9_]+]] = arith.trunci {{%[a-z0-9_]+}} : i64 to i8
// CHECK-NEXT: func.return [[R]] : i8
func.func @encode(%x: f64) -> f8E5M2 {
  %y = arith.truncf %x : f64 to f8E5M2
  func.return %y : f8E5M2
}

// -----

// What only moves numbers moves bytes.

// CHECK-LABEL: @move
// CHECK: [[C:%[a-z0-9_]+]] = arith.constant 60 : i8
// CHECK: [[S:%[a-z0-9_]+]] = arith.select {{%[a-z0-9_]+}}, [[C]], {{%[a-z0-9_]+}} : i8
// CHECK-NEXT: func.return [[S]], [[S]] : i8, i8
func.func @move(%p: i1, %x: f8E5M2) -> (f8E5M2, i8) {
  %c = arith.constant 1.0 : f8E5M2
  %s = arith.select %p, %c, %x : f8E5M2
  %b = arith.bitcast %s : f8E5M2 to i8
  func.return %s, %b : f8E5M2, i8
}

// -----

// The least power of two is subnormal in f32, not in f64.

// CHECK-LABEL: @power
// CHECK: [[WIDE:%[a-z0-9_]+]] = arith.extui {{%[a-z0-9_]+}} : i8 to i64
// CHECK: [[OCTET:%[a-z0-9_]+]] = arith.andi [[WIDE]], {{%[a-z0-9_]+}} : i64
// CHECK: [[BIASED:%[a-z0-9_]+]] = arith.addi [[OCTET]], {{%[a-z0-9_]+}} : i64
// CHECK: arith.shli [[BIASED]], {{%[a-z0-9_]+}} : i64
// CHECK: arith.bitcast {{%[a-z0-9_]+}} : i64 to f64
func.func @power(%x: f8E8M0FNU) -> f64 {
  %y = arith.extf %x : f8E8M0FNU to f64
  func.return %y : f64
}
