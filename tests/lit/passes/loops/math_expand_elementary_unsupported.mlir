// RUN: xla-opt %s -p math-expand-elementary --verify-diagnostics

func.func @wide(%x: f128) -> f128 {
  // expected-error @below {{math.exp on f128: expanded for scalars and vectors of floats of up to 64 bits only}}
  %y = math.exp %x : f128
  func.return %y : f128
}
