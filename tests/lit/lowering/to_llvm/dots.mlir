// RUN: xla-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s
// RUN: xla-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | xla-opt --split-input-file | filecheck %s

// CHECK-LABEL: llvm.func internal @wide
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"({{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx10.vpdpbssd.512"
// CHECK: llvm.call_intrinsic "llvm.x86.avx2.vpdpbssd.256"
func.func private @wide(%a: vector<32xbf16>, %s: vector<16xf32>, %b: vector<32xi8>, %t: vector<8xi32>, %c: vector<64xi8>, %u: vector<16xi32>) {
  %r = xrt.dot "vdpbf16ps" %a, %a, %s : vector<32xbf16>, vector<16xf32>
  %q = xrt.dot "vpdpbusd" %b, %b, %t : vector<32xi8>, vector<8xi32>
  %p = xrt.dot "vpdpbssd" %c, %c, %u : vector<64xi8>, vector<16xi32>
  %o = xrt.dot "vpdpbssd" %b, %b, %t : vector<32xi8>, vector<8xi32>
  return
}

// -----

func.func private @odd(%b: vector<8xi8>, %t: vector<2xi32>) {
  // expected-error @+1 {{no 'sdot' in vectors of 64 bits}}
  %q = xrt.dot "sdot" %b, %b, %t : vector<8xi8>, vector<2xi32>
  return
}
