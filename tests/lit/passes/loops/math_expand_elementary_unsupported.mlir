// RUN: not xla-opt %s -p math-expand-elementary 2>&1 | filecheck %s

// CHECK: math.exp on f128: expanded for scalars and vectors of floats of up to 64 bits only
func.func @wide(%x: f128) -> f128 {
  %y = math.exp %x : f128
  func.return %y : f128
}
