// RUN: xla-opt %s -p 'xla-cpu{threads=1}' --print-debuginfo -t llvm | filecheck %s
// RUN: xla-opt %s -p 'xla-cpu{threads=1}' -t llvm | filecheck %s --check-prefix=PLAIN
// RUN: xla-opt %s -p xla-cpu-to-kernels --print-debuginfo | filecheck %s --check-prefix=KERNELS
// RUN: xla-opt %s -p xla-cpu-to-kernels --print-debuginfo | xla-opt -p xla-cpu-from-kernels --print-debuginfo -t llvm | filecheck %s --check-prefix=AGAIN

// PLAIN-NOT: !dbg

// The line of the text, and the function of the user's program that is inlined there:
// CHECK: define internal void @elementwise_0({{.*}}) nounwind noinline {{.*}}!dbg [[KERNEL:![0-9]+]] {
// CHECK: fdiv {{.*}}, !dbg [[DIVIDE:![0-9]+]]
// CHECK-DAG: [[TEXT:![0-9]+]] = !DIFile(filename: "debug_info.mlir"
// CHECK-DAG: [[KERNEL]] = distinct !DISubprogram(name: "elementwise_0", scope: [[TEXT]]
// CHECK-DAG: [[LINE:![0-9]+]] = !DILocation(line: 28, column: 3, scope: [[KERNEL]])
// CHECK-DAG: [[USER:![0-9]+]] = distinct !DISubprogram(name: "norm"
// CHECK-DAG: [[DIVIDE]] = !DILocation(line: 12, column: 5, scope: [[USER]], inlinedAt: [[LINE]])

// KERNELS: arith.divf {{.*}} loc(fused<"in text">["jit(norm)/div"("norm"("user.py":12:5)), "{{.*}}debug_info.mlir":28:3])

// A level that is read again names the lines it was made of:
// AGAIN: fdiv {{.*}}, !dbg [[DIVIDE:![0-9]+]]
// AGAIN-DAG: [[TEXT:![0-9]+]] = !DIFile(filename: "debug_info.mlir"
// AGAIN-DAG: [[USER:![0-9]+]] = distinct !DISubprogram(name: "norm"
// AGAIN-DAG: [[DIVIDE]] = !DILocation(line: 12, column: 5, scope: [[USER]]


func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.add %x, %y : tensor<64xf32>
  %1 = stablehlo.divide %0, %y : tensor<64xf32> loc("jit(norm)/div"("norm"("user.py":12:5)))
  return %1 : tensor<64xf32>
}
