// RUN: xla-opt %s -p 'math-expand-elementary{fma=false}' | filecheck %s

// CHECK-LABEL: @exp
// CHECK-NOT: math.fma
// CHECK: func.return
func.func @exp(%x: f32, %y: f64) -> (f32, f64) {
  %a = math.exp %x : f32
  %b = math.powf %y, %y : f64
  func.return %a, %b : f32, f64
}

// CHECK-LABEL: @through_double
// CHECK-NOT: math.fma
// CHECK: arith.extf {{.+}} : f32 to f64
// CHECK-NOT: math.fma
// CHECK: arith.truncf {{.+}} : f64 to f32
// CHECK-NOT: math.fma
// CHECK: func.return
func.func @through_double(%x: f32, %y: f64) -> (f32, f64) {
  %a = math.sin %x : f32
  %b = math.log1p %y : f64
  func.return %a, %b : f32, f64
}
