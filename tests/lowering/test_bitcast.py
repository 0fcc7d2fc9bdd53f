"""`bitcast_convert` between all pairs of element types, bit for bit as the reference has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl_xla.dialects.element_sizes import element_bits
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.mlir_types import DTYPES

Array = Any

REAL = [name for name in DTYPES if name != "index" and not name.startswith("complex")]
COMPLEX = [name for name in DTYPES if name.startswith("complex")]


def bits_of(name: str) -> int:
    type = next(iter(parse_module(f"func.func private @f() -> tensor<{name}>").ops)).function_type.outputs.data[0]
    return element_bits(type.element_type)


def operand_of(name: str, shape: tuple[int, ...]) -> Array:
    """Random bits, without NaN: of these the payload may change."""
    dtype = np.dtype(DTYPES[name])
    random = np.random.default_rng(len(name) + sum(shape))
    octets = random.integers(0, 256, (*shape, dtype.itemsize), dtype=np.uint8)
    if (bits := bits_of(name)) < 8:
        octets &= (1 << bits) - 1
        if name.startswith("i") and bits > 1:
            # NumPy's small signed integers extend their sign to the byte.
            octets |= np.where(octets >> (bits - 1), (0xFF << bits) & 0xFF, 0).astype(np.uint8)
    values = octets.view(dtype).reshape(shape)
    return values if dtype.kind in "biu" else np.where(values == values, values, np.ones((), dtype))


SETTINGS = [(name, "xla-cpu") for name in (*REAL, *COMPLEX)]
SETTINGS += [(name, "xla-cpu-O0") for name in ("f64", "i4", "i1", *COMPLEX)]


@pytest.mark.sample(9)
@pytest.mark.parametrize(("source", "pipeline"), SETTINGS)
def test_to_every_type(source: str, pipeline: str) -> None:
    """A program with a result for every target; operands that are joined have a dimension for it."""
    width = bits_of(source)
    lines: list[str] = []
    types: list[str] = []
    operands: dict[str, Array] = {}
    for target in REAL if source in REAL else COMPLEX:
        bits = bits_of(target)
        if max(bits, width) % min(bits, width):
            continue
        shape = (3, 2) if bits <= width else (3, 2, bits // width)
        result = (*shape[:2], width // bits) if bits < width else shape[:2]
        name = f"%a{len(shape)}_{shape[-1]}"
        operands.setdefault(name, operand_of(source, shape))
        operand_type, type = (f"tensor<{'x'.join(map(str, s))}x{t}>" for s, t in ((shape, source), (result, target)))
        lines.append(f"%{len(lines)} = stablehlo.bitcast_convert {name} : ({operand_type}) -> {type}")
        types.append(type)
    parameters = ", ".join(
        f"{name}: tensor<{'x'.join(map(str, value.shape))}x{source}>" for name, value in operands.items()
    )
    returned = ", ".join(f"%{i}" for i in range(len(lines)))
    results, body = ", ".join(types), "\n".join(lines)
    text = f"func.func @main({parameters}) -> ({results}) {{\n{body}\nreturn {returned} : {results}\n}}"
    inputs = list(operands.values())
    native = compile(text, threads=1, pipeline=pipeline)(*inputs)
    expected = interpreter.run(parse_module(text, "bitcast"), "main", inputs)
    for line, type, result, wanted in zip(lines, types, native, expected, strict=True):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        width = bits_of(type.rpartition("x")[2].rstrip(">")) if "complex" not in type else 8
        octets = [np.ascontiguousarray(value).view(np.uint8) & ((1 << min(width, 8)) - 1) for value in (result, wanted)]
        np.testing.assert_array_equal(*octets, err_msg=line)
