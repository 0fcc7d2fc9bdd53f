func.func @main(%x: memref<4xf32>) {
  %0 = "memref.load"(%x) : (memref<4xf32>) -> f32
  return
}
