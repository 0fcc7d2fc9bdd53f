func.func @f() attributes {xrt.kernel = 1 : f80} {
  return
}
