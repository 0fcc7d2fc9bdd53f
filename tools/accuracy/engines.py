"""Functions of arrays on an engine: natively compiled, with subnormal numbers preserved or flushed, or the reference.

The reference preserves them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...decisions.denormals import FLUSH, PRESERVE
from ...reference import interpreter
from ...reference.environment import Environment
from ...runtime.compiler import compile
from ...runtime.mlir_text import parse_module
from ...runtime.program_context import new_context
from .formats import Array

NATIVE, FLUSHING, REFERENCE = "native", "flushing", "reference"
ENGINES = (NATIVE, FLUSHING, REFERENCE)


def program(op: str, element: str, result: str, arity: int, count: int) -> str:
    """A module whose `@main` applies `op` to vectors of `count` elements."""
    operand, names = f"tensor<{count}x{element}>", [f"%{i}" for i in range(arity)]
    arguments = ", ".join(f"{name}: {operand}" for name in names)
    types = f"({', '.join([operand] * arity)}) -> tensor<{count}x{result}>"
    return f"""
    func.func @main({arguments}) -> tensor<{count}x{result}> {{
      %r = "{op}"({", ".join(names)}) : {types}
      return %r : tensor<{count}x{result}>
    }}"""


def run(engine: str, op: str, element: str, operands: Sequence[Array], result: str | None = None) -> Array:
    """`op` on `operands`, vectors of one size of the element type `element`, with results of the type `result`.

    Raises `UnsupportedError` if the engine does not have the op for this type.
    """
    text = program(op, element, result or element, len(operands), len(operands[0]))
    module = parse_module(text, op, new_context())
    with np.errstate(all="ignore"):
        if engine == REFERENCE:
            (values,) = interpreter.run(module, "main", list(operands), Environment(denormals=PRESERVE))
        else:
            mode = FLUSH if engine == FLUSHING else PRESERVE
            (values,) = compile(module, cache=False, denormals=mode)(*operands)
    return np.asarray(values)
