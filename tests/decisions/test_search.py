"""What is found within the bounds of `decisions/search.py`, and not beyond them."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.ir import Operation
from xdsl_xla.decisions.search import RANGE_DEPTH, SYMMETRY_DEPTH
from xdsl_xla.dialects import stablehlo
from xdsl_xla.passes.stablehlo.integer_ranges import range_of
from xdsl_xla.passes.stablehlo.stablehlo_simplify import StablehloSimplifyPass
from xdsl_xla.runtime.mlir_text import parse_module


def ops_of_type(module: Operation, kind: type[Operation]) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, kind)]


@pytest.mark.parametrize("steps, known", [(RANGE_DEPTH - 1, True), (RANGE_DEPTH + 1, False)])
def test_range_of_a_chain(steps: int, known: bool) -> None:
    minima = "\n".join(f"%v{i + 1} = stablehlo.minimum %v{i}, %i : tensor<4xi32>" for i in range(steps))
    module = parse_module(f"""func.func @f() -> tensor<4xi32> {{
      %i = stablehlo.iota dim = 0 : tensor<4xi32>
      %v0 = stablehlo.iota dim = 0 : tensor<4xi32>
      {minima}
      return %v{steps} : tensor<4xi32>
    }}""")
    last = ops_of_type(module, stablehlo.MinOp)[-1]
    assert (range_of(last.results[0]) == (0, 3)) is known


@pytest.mark.parametrize("steps, found", [(SYMMETRY_DEPTH - 1, True), (SYMMETRY_DEPTH + 1, False)])
def test_transpose_of_a_symmetric_chain(steps: int, found: bool) -> None:
    sines = "\n".join(f"%v{i + 1} = stablehlo.sine %v{i} : tensor<4x4xf32>" for i in range(steps))
    module = parse_module(f"""func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {{
      %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %v0 = stablehlo.add %x, %t : tensor<4x4xf32>
      {sines}
      %r = stablehlo.transpose %v{steps}, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }}""")
    StablehloSimplifyPass().apply(Context(), module)
    assert (len(ops_of_type(module, stablehlo.TransposeOp)) == 1) is found
