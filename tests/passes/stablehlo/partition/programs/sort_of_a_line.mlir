func.func @main(%a: tensor<23xf32>, %k: tensor<24xi32>, %n: tensor<24xi16>, %b: tensor<9x2xf16>)
    -> (tensor<23xf32>, tensor<23xi32>, tensor<24xi32>, tensor<24xi16>, tensor<24xi32>, tensor<9x2xf16>) {
  %i = stablehlo.iota dim = 0 : tensor<23xi32>
  %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %u = stablehlo.maximum %x, %zero : tensor<f32>
    %v = stablehlo.maximum %y, %zero : tensor<f32>
    %c = stablehlo.compare GT, %u, %v, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<23xf32>, tensor<23xi32>) -> (tensor<23xf32>, tensor<23xi32>)
  %1:2 = "stablehlo.sort"(%k, %n) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<i16>, %q: tensor<i16>):
    %c = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<24xi32>, tensor<24xi16>) -> (tensor<24xi32>, tensor<24xi16>)
  %2 = "stablehlo.sort"(%k) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.compare GT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<24xi32>) -> tensor<24xi32>
  %3 = "stablehlo.sort"(%b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    %c = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<9x2xf16>) -> tensor<9x2xf16>
  return %0#0, %0#1, %1#0, %1#1, %2, %3 : tensor<23xf32>, tensor<23xi32>, tensor<24xi32>, tensor<24xi16>, tensor<24xi32>, tensor<9x2xf16>
}
