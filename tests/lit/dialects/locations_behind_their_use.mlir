// RUN: xla-opt %s --print-debuginfo | filecheck %s

// As JAX prints them: aliases stand behind the module and refer to each other.
// CHECK: stablehlo.tanh %x : tensor<5xf32> loc({{.*}}"jit(f)/tanh"(callsite("f"("a.py":2:17) at "main"("b.py":3:2)))
module {
  func.func public @main(%x: tensor<5xf32>) -> tensor<5xf32> {
    %0 = stablehlo.tanh %x : tensor<5xf32> loc(#loc6)
    return %0 : tensor<5xf32> loc(#loc4)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc6 = loc("jit(f)/tanh"(#loc5))
#loc1 = loc("a.py":2:17 to :28)
#loc2 = loc("b.py":3:2 to :42)
#loc3 = loc("f"(#loc1))
#loc4 = loc("main"(#loc2))
#loc5 = loc(callsite(#loc3 at #loc4))
