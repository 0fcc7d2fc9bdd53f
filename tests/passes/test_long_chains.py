"""Programs whose chains of ops are longer than Python's stack is deep."""

from __future__ import annotations

import numpy as np
import xdsl_xla
from xdsl.dialects.func import CallOp, FuncOp
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context


def test_chain_of_elementwise_ops() -> None:
    count = 600
    steps = "\n".join(f"%{i + 1} = stablehlo.add %{i}, %x : tensor<4xf32>" for i in range(count))
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.negate %x : tensor<4xf32>
      {steps}
      return %{count} : tensor<4xf32>
    }}"""
    x = np.array([0, 1, -2, 3], np.float32)
    (result,) = xdsl_xla.compile(text, threads=1)(x)
    np.testing.assert_array_equal(result, (count - 1) * x)


def test_a_kernel_does_not_grow_without_end() -> None:
    count = 300
    steps = "\n".join(f"%{i + 1} = stablehlo.sine %{i} : tensor<4x4xf32>" for i in range(count))
    text = f"func.func @main(%0: tensor<4x4xf32>) -> tensor<4x4xf32> {{ {steps} return %{count} : tensor<4x4xf32> }}"
    context = new_context()
    module = parse_module(text, "<text>", context)
    passes = parse_passes("convert-stablehlo-to-linalg,linalg-fuse-elementwise,linalg-outline-kernels")
    for module_pass in passes:
        module_pass.apply(context, module)
    kernels = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp) and "xrt.kernel" in op.attributes}
    calls = [kernels[op.callee.string_value()] for op in module.walk() if isinstance(op, CallOp)]
    sines = [sum(op.name == "math.sin" for op in kernel.walk()) for kernel in calls]
    assert sines == [65, 65, 65, 65, 40] and sum(sines) == count
    assert len(kernels) == 2  # those that are equal share one function
