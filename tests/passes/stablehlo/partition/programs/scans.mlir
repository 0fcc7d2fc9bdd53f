func.func @main(%x: tensor<4x23xf32>, %y: tensor<16xf32>, %i: tensor<3x16xi32>)
    -> (tensor<4x23xf32>, tensor<4x23xf32>, tensor<16xf32>, tensor<3x16xi32>, tensor<4x23xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %start = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %start) <{window_dimensions = array<i64: 1, 23>, padding = dense<[[0, 0], [22, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x23xf32>, tensor<f32>) -> tensor<4x23xf32>
  %1 = "stablehlo.reduce_window"(%x, %least) <{window_dimensions = array<i64: 1, 23>, padding = dense<[[0, 0], [0, 22]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x23xf32>, tensor<f32>) -> tensor<4x23xf32>
  %2 = "stablehlo.reduce_window"(%y, %least) <{window_dimensions = array<i64: 16>, padding = dense<[[15, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %n = stablehlo.compare NE, %d, %d, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %t = stablehlo.add %a, %b : tensor<f32>
    %e = stablehlo.abs %d : tensor<f32>
    %f = stablehlo.negate %e : tensor<f32>
    %g = stablehlo.exponential %f : tensor<f32>
    %h = stablehlo.log_plus_one %g : tensor<f32>
    %k = stablehlo.add %m, %h : tensor<f32>
    %s = stablehlo.select %n, %t, %k : tensor<i1>, tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = "stablehlo.reduce_window"(%i, %one) <{window_dimensions = array<i64: 1, 16>, padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x16xi32>, tensor<i32>) -> tensor<3x16xi32>
  %4:2 = "stablehlo.reduce_window"(%x, %x, %least, %zero) <{window_dimensions = array<i64: 4, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.maximum %a, %c : tensor<f32>
    %q = stablehlo.add %b, %d : tensor<f32>
    stablehlo.return %p, %q : tensor<f32>, tensor<f32>
  }) : (tensor<4x23xf32>, tensor<4x23xf32>, tensor<f32>, tensor<f32>) -> (tensor<4x23xf32>, tensor<4x23xf32>)
  %5 = stablehlo.add %4#0, %4#1 : tensor<4x23xf32>
  return %0, %1, %2, %3, %5 : tensor<4x23xf32>, tensor<4x23xf32>, tensor<16xf32>, tensor<3x16xi32>, tensor<4x23xf32>
}
