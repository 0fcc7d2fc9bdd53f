// RUN: xla-opt %s -p 'math-expand-elementary{fma=true}' --split-input-file | filecheck %s

// The whole of exp: clamp, multiple of 2 ln 2 by the magic number, polynomial, the power of two twice, 0 in its place where the result vanishes.

// CHECK-LABEL: @exp
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: f32)
// CHECK-DAG: [[MAGIC:%[a-z0-9_]+]] = arith.constant 0x4B400000 : f32
// CHECK-DAG: [[LOW:%[a-z0-9_]+]] = arith.constant -1.040000e+02 : f32
// CHECK-DAG: [[HIGH:%[a-z0-9_]+]] = arith.constant 8.900000e+01 : f32
// CHECK: [[VANISHES:%[a-z0-9_]+]] = arith.cmpf ole, [[X]], [[LOW]] : f32
// CHECK-NEXT: [[BELOW:%[a-z0-9_]+]] = arith.cmpf olt, [[X]], [[LOW]] : f32
// CHECK-NEXT: [[A:%[a-z0-9_]+]] = arith.select [[BELOW]], [[LOW]], [[X]] : f32
// CHECK-NEXT: [[ABOVE:%[a-z0-9_]+]] = arith.cmpf ogt, [[A]], [[HIGH]] : f32
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.select [[ABOVE]], [[HIGH]], [[A]] : f32
// CHECK-NEXT: [[SHIFTED:%[a-z0-9_]+]] = math.fma [[B]], {{%[a-z0-9_]+}}, [[MAGIC]] : f32
// CHECK-NEXT: [[N:%[a-z0-9_]+]] = arith.subf [[SHIFTED]], [[MAGIC]] : f32
// CHECK-NEXT: [[BITS:%[a-z0-9_]+]] = arith.bitcast [[SHIFTED]] : f32 to i32
// CHECK-NEXT: [[R1:%[a-z0-9_]+]] = math.fma [[N]], {{%[a-z0-9_]+}}, [[B]] : f32
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = math.fma [[N]], {{%[a-z0-9_]+}}, [[R1]] : f32
// CHECK-COUNT-7: math.fma [[R]]
// CHECK-NEXT: [[P:%[a-z0-9_]+]] = arith.shli [[BITS]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[Q:%[a-z0-9_]+]] = arith.addi [[P]], {{%[a-z0-9_]+}} : i32
// CHECK-NEXT: [[SCALE:%[a-z0-9_]+]] = arith.bitcast [[Q]] : i32 to f32
// CHECK-NEXT: [[Y:%[a-z0-9_]+]] = arith.mulf {{%[a-z0-9_]+}}, [[SCALE]] : f32
// CHECK-NEXT: [[LAST:%[a-z0-9_]+]] = arith.select [[VANISHES]], {{%[a-z0-9_]+}}, [[SCALE]] : f32
// CHECK-NEXT: [[Z:%[a-z0-9_]+]] = arith.mulf [[Y]], [[LAST]] : f32
// CHECK-NEXT: func.return [[Z]] : f32
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}

// -----

// Ops inside of loops are expanded there; constants stand once at the top of the function.

// CHECK-LABEL: @shared_constants
// CHECK: [[ONE:%[a-z0-9_]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NOT: arith.constant 1.000000e+00
// CHECK: scf.for
// CHECK-NEXT: [[X:%[a-z0-9_]+]] = memref.load
// CHECK-NEXT: [[ROOT:%[a-z0-9_]+]] = math.sqrt [[X]] : f32
// CHECK-NEXT: [[Y:%[a-z0-9_]+]] = arith.divf [[ONE]], [[ROOT]] : f32
// CHECK-NEXT: [[ROOT:%[a-z0-9_]+]] = math.sqrt [[Y]] : f32
// CHECK-NEXT: [[Z:%[a-z0-9_]+]] = arith.divf [[ONE]], [[ROOT]] : f32
// CHECK-NEXT: memref.store [[Z]]
func.func @shared_constants(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    %y = math.rsqrt %x : f32
    %z = math.rsqrt %y : f32
    memref.store %z, %m[%i] : memref<8xf32>
  }
  func.return
}

// -----

// Narrow floats go through f32; double precision has its own constants.

// CHECK-LABEL: @types
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: bf16, [[Y:%[a-z0-9_]+]]: f64)
// CHECK-DAG: arith.constant 1.000000e+00 : f64
// CHECK-DAG: arith.constant 1.000000e+00 : f32
// CHECK: [[WIDE:%[a-z0-9_]+]] = arith.extf [[X]] : bf16 to f32
// CHECK-NEXT: [[ROOT:%[a-z0-9_]+]] = math.sqrt [[WIDE]] : f32
// CHECK-NEXT: [[INVERSE:%[a-z0-9_]+]] = arith.divf {{%[a-z0-9_]+}}, [[ROOT]] : f32
// CHECK-NEXT: [[R:%[a-z0-9_]+]] = arith.truncf [[INVERSE]] : f32 to bf16
// CHECK-NEXT: [[ROOT:%[a-z0-9_]+]] = math.sqrt [[Y]] : f64
// CHECK-NEXT: [[S:%[a-z0-9_]+]] = arith.divf {{%[a-z0-9_]+}}, [[ROOT]] : f64
// CHECK-NEXT: func.return [[R]], [[S]] : bf16, f64
func.func @types(%x: bf16, %y: f64) -> (bf16, f64) {
  %r = math.rsqrt %x : bf16
  %s = math.rsqrt %y : f64
  func.return %r, %s : bf16, f64
}

// -----

// Vectors compare and choose lane by lane.

// CHECK-LABEL: @vectors
// CHECK: [[SMALL:%[a-z0-9_]+]] = arith.cmpf {{.+}} : vector<8xf32>
// CHECK: arith.select {{.+}} : vector<8xi1>, vector<8xf32>
// CHECK-COUNT-10: math.fma {{.+}} : vector<8xf32>
// CHECK: arith.shli {{.+}} : vector<8xi32>
// CHECK: arith.select [[SMALL]], {{.+}} : vector<8xi1>, vector<8xf32>
// CHECK: func.return
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  func.return %y : vector<8xf32>
}

// -----

// Ops with an instruction of their own stay.

// CHECK-LABEL: @kept
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: f32)
// CHECK-NEXT: [[A:%[a-z0-9_]+]] = math.absf [[X]] : f32
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = math.sqrt [[A]] : f32
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = math.floor [[B]] : f32
// CHECK-NEXT: func.return [[C]] : f32
func.func @kept(%x: f32) -> f32 {
  %a = math.absf %x : f32
  %b = math.sqrt %a : f32
  %c = math.floor %b : f32
  func.return %c : f32
}

// -----

// What may be rounded once is; a product that something else reads is not, and flags go.

// CHECK-LABEL: @contract
// CHECK-SAME: ([[X:%[a-z0-9_]+]]: f32, [[Y:%[a-z0-9_]+]]: f32)
// CHECK-NEXT: [[A:%[a-z0-9_]+]] = math.fma [[X]], [[Y]], [[X]] : f32
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.mulf [[A]], [[Y]] : f32
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.addf [[B]], [[X]] : f32
// CHECK-NEXT: [[D:%[a-z0-9_]+]] = arith.mulf [[C]], [[B]] : f32
// CHECK-NEXT: [[E:%[a-z0-9_]+]] = arith.addf [[D]], [[X]] : f32
// CHECK-NEXT: func.return [[E]]
func.func @contract(%x: f32, %y: f32) -> f32 {
  %0 = arith.mulf %x, %y fastmath<contract> : f32
  %1 = arith.addf %x, %0 fastmath<contract> : f32
  %2 = arith.mulf %1, %y fastmath<contract> : f32
  %3 = arith.addf %2, %x fastmath<contract> : f32
  %4 = arith.mulf %3, %2 : f32
  %5 = arith.addf %4, %x : f32
  func.return %5 : f32
}

// -----

// A product that may be reordered is one with a sum that stands where it is; sums that may be are left to LLVM.

// CHECK-LABEL: @products
// CHECK-NEXT: [[A:%[a-z0-9_]+]] = math.fma %x, %y, %x : f32
// CHECK-NEXT: [[B:%[a-z0-9_]+]] = arith.mulf %y, %y fastmath<reassoc,contract> : f32
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.addf [[A]], [[B]] fastmath<reassoc,contract> : f32
func.func @products(%x: f32, %y: f32) -> f32 {
  %0 = arith.mulf %x, %y fastmath<reassoc,contract> : f32
  %1 = arith.addf %x, %0 fastmath<contract> : f32
  %2 = arith.mulf %y, %y fastmath<reassoc,contract> : f32
  %3 = arith.addf %1, %2 fastmath<reassoc,contract> : f32
  func.return %3 : f32
}

// A number on its own takes the shorter way where it can; in a loop, which becomes one over vectors, there is no branch.

// CHECK-LABEL: @alone
// CHECK:         [[SMALL:%.+]] = arith.cmpf olt, {{%.+}}, {{%.+}} : f32
// CHECK:         scf.if [[SMALL]] -> (f32, i32) {
// CHECK:           scf.yield
// CHECK:         } else {
// CHECK:           scf.yield
func.func @alone(%x: f32) -> f32 {
  %y = math.cos %x : f32
  return %y : f32
}

// CHECK-LABEL: @in_a_loop
// CHECK-NOT:     scf.if
// CHECK-LABEL: @of_the_program
// CHECK:         scf.if
func.func @in_a_loop(%x: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf64>
    %b = math.sin %a : f64
    affine.store %b, %x[%i] : memref<8xf64>
  }
  return
}
func.func @of_the_program(%x: memref<f64>) attributes {xrt.entry} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %9 = arith.constant 9 : index
  scf.for %i = %0 to %9 step %1 {
    %a = memref.load %x[] : memref<f64>
    %b = math.sin %a : f64
    memref.store %b, %x[] : memref<f64>
  }
  return
}
