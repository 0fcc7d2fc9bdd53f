// RUN: xla-opt %s -t llvm | filecheck %s

// A `bf16` is its bits, but to instructions that take pairs of them.
// CHECK-LABEL: define <16 x float> @dot(<16 x float> %0, <32 x i16> %1)
// CHECK:      %bfloats.0 = bitcast <32 x i16> %1 to <32 x bfloat>
// CHECK-NEXT: %bfloats.1 = bitcast <32 x i16> %1 to <32 x bfloat>
// CHECK-NEXT: %2 = call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %0, <32 x bfloat> %bfloats.0, <32 x bfloat> %bfloats.1)
// CHECK:      declare <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float>, <32 x bfloat>, <32 x bfloat>)
llvm.func @dot(%s: vector<16xf32>, %a: vector<32xbf16>) -> vector<16xf32> {
  %r = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%s, %a, %a) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  llvm.return %r : vector<16xf32>
}
