// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: @body
// CHECK-SAME:  [[X:%.+]]: memref<64xf32>
func.func private @body(%x: memref<64xf32>, %s: f32, %lo: index, %hi: index, %thread: index) {
  // CHECK: {{%.+}} = "xrt.thread_id"() : () -> index
  %t = xrt.thread_id : index
  func.return
}

func.func private @nullary(%lo: index, %hi: index, %thread: index) {
  func.return
}

// CHECK-LABEL: @main
func.func @main(%x: memref<64xf32>, %s: f32) {
  // CHECK: "xrt.parallel"({{%.+}}, {{%.+}}) <{callee = @body, trip_count = 1024 : index}> : (memref<64xf32>, f32) -> ()
  xrt.parallel @body(%x, %s) range 1024 : memref<64xf32>, f32
  // CHECK-NEXT: "xrt.parallel"() <{callee = @nullary, trip_count = 3 : index}>
  xrt.parallel @nullary() range 3
  // CHECK-NEXT: "xrt.call_target"({{%.+}}, {{%.+}}) <{target = "solve", signature = (tensor<64xf32>) -> tensor<64xf32>, options = {}
  xrt.call_target "solve"(%x : memref<64xf32>) outs(%x : memref<64xf32>) {signature = (tensor<64xf32>) -> tensor<64xf32>, options = {}}
  func.return
}

// CHECK-LABEL: @on_tensors
func.func @on_tensors(%x: tensor<2xi8>, %y: tensor<i32>) -> tensor<i32> {
  // CHECK: [[R:%.+]], {{%.+}} = "xrt.call_target"({{%.+}}, {{%.+}}, {{%.+}}) <{target = "pair", signature = (tensor<2xui8>) -> (tensor<i32>, tensor<2xui8>), options = {count = 2 : i64}
  %0:2 = xrt.call_target "pair"(%x : tensor<2xi8>) outs(%y, %x : tensor<i32>, tensor<2xi8>) {signature = (tensor<2xui8>) -> (tensor<i32>, tensor<2xui8>), options = {count = 2 : i64}} -> tensor<i32>, tensor<2xi8>
  // CHECK-NEXT: "xrt.call_target"() <{target = "nothing", signature = () -> (), options = {}
  xrt.call_target "nothing"() outs() {signature = () -> (), options = {}}
  // CHECK-NEXT: func.return [[R]]
  func.return %0#0 : tensor<i32>
}

// CHECK-LABEL: @failures
func.func @failures(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  // CHECK: "xrt.call_target"({{%.+}}, {{%.+}}, {{%.+}}) <{target = "both"
  %0 = xrt.call_target "both"(%x, %y : tensor<f32>, tensor<f32>) outs(%y : tensor<f32>) {signature = (tuple<tensor<f32>, tensor<f32>>, !stablehlo.token) -> tuple<tensor<f32>, !stablehlo.token>, options = {}} -> tensor<f32>
  // CHECK: "xrt.safepoint"() <{work = 65536 : i64}>
  xrt.safepoint 65536
  // CHECK: {{%.+}} = "xrt.has_failed"() : () -> i1
  %1 = xrt.has_failed : i1
  func.return %0 : tensor<f32>
}

// CHECK-LABEL: @fetched
func.func @fetched(%x: memref<64xf32>, %y: memref<64x8xf32>, %z: memref<f32>, %i: index) {
  // CHECK: "xrt.prefetch"(%{{.+}}, %{{.+}})
  xrt.prefetch %x[%i] : memref<64xf32>
  // CHECK-NEXT: "xrt.prefetch"(%{{.+}}, %{{.+}}, %{{.+}}) <{lines = 8 : i64
  xrt.prefetch %y[%i, %i] lines 8 : memref<64x8xf32>
  // CHECK-NEXT: "xrt.prefetch"(%{{.+}}) <{lines = 1 : i64, write
  xrt.prefetch %z[] lines 1 write : memref<f32>
  // CHECK-NEXT: "xrt.prefetch"(%{{.+}}, %{{.+}}) <{lines = 8 : i64, rows = 3 : i64, apart = 1024 : i64
  xrt.prefetch %x[%i] lines 8 rows 3 apart 1024 : memref<64xf32>
  func.return
}

// CHECK-LABEL: @tiles
func.func @tiles(%a: memref<64xf32>, %b: memref<64xf32>, %out: memref<64xf32>, %i: index) {
  // CHECK: "xrt.tile"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) <{trips = array<i64: 4>
  xrt.tile %a[%i], %b[%i], %out[%i] {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>} : memref<64xf32>, memref<64xf32>, memref<64xf32>
  // CHECK-NEXT: "xrt.tile"(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}) <{trips = array<i64: 4>
  xrt.tile %a[%i], %b[%i], %out[%i] ahead %i {trips = array<i64: 4>, lhs_steps = array<i64: 1>, rhs_steps = array<i64: 8>, ahead_steps = array<i64: 1>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>, at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>, fma} : memref<64xf32>, memref<64xf32>, memref<64xf32>
  func.return
}

// CHECK-LABEL: @rows
func.func @rows(%x: memref<64x16xf32>, %start: index) {
  // CHECK: "xrt.part"(%x, %start) : (memref<64x16xf32>, index) -> memref<8x16xf32>
  %0 = xrt.part %x[%start] : memref<64x16xf32> -> memref<8x16xf32>
  func.return
}

// CHECK-LABEL: @dot
// CHECK: "xrt.dot"({{%.+}}, {{%.+}}, {{%.+}}) <{instruction = "vdpbf16ps"}> : (vector<32xbf16>, vector<32xbf16>, vector<16xf32>) -> vector<16xf32>
func.func @dot(%a: vector<32xbf16>, %s: vector<16xf32>) -> vector<16xf32> {
  %r = xrt.dot "vdpbf16ps" %a, %a, %s : vector<32xbf16>, vector<16xf32>
  func.return %r : vector<16xf32>
}
