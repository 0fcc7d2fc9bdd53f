// RUN: xla-opt %s -p 'math-expand-elementary{fma=false}' | filecheck %s

// CHECK-LABEL: @exp
// CHECK-NOT: math.fma
// CHECK: func.return
func.func @exp(%x: f32, %y: f64) -> (f32, f64) {
  %a = math.exp %x : f32
  %b = math.powf %y, %y : f64
  func.return %a, %b : f32, f64
}
