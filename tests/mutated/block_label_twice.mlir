func.func @main(%x: i32) -> i32 {
  cf.br ^first
^first:
  cf.br ^first
^first:
  func.return %x : i32
}
