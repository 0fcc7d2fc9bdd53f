"""Folding means what the reference interpreter says, bit for bit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl_xla.dialects import stablehlo as hlo
from xdsl_xla.dialects.dense import splat_bytes
from xdsl_xla.dialects.stablehlo.fold_constants import BOOLEANS, FLOATS, INTEGERS
from xdsl_xla.reference.arrays import dense_array
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.entry import read_signature
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.tensor_io import random_inputs

Array = NDArray[Any]

LIT = Path(__file__).parents[1] / "lit/dialects/stablehlo/canonicalize.mlir"

EDGES = {
    "f16": [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 65504.0, 6.0e-8, 0.3333],
    "bf16": [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0e38, 1.0e-40, 0.3333],
    "f32": [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.4e38, 1.0e-45, 0.1, 16777217.0, 0.49999997],
    "f64": [0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 1.7e308, 5.0e-324, 0.1, 4503599627370497.5, 0.49999999999999994],
    "i1": [0, 1],
    "i8": [0, 1, -1, 2, 7, 8, 127, -128],
    "ui8": [0, 1, 2, 7, 8, 127, 128, 255],
    "i32": [0, 1, -1, 5, 31, 32, 2**31 - 1, -(2**31)],
    "i64": [0, 1, -1, 63, 64, 2**53 + 1, 2**63 - 1, -(2**63)],
    "ui64": [0, 1, 63, 64, 2**53 + 1, 2**64 - 1],
}
"""Element types, and numbers where arithmetic has corners."""

SHIFTS = [hlo.ShiftLeftOp, hlo.ShiftRightArithmeticOp, hlo.ShiftRightLogicalOp]
BIT_COUNTS = [hlo.ClzOp, hlo.PopulationCountOp]


def constant(name: str, values: Sequence[float]) -> DenseIntOrFPElementsAttr:
    """`dense<values>`, numbers rounded to the element type."""
    shape = str(len(values)) + "x"
    text = ", ".join(f"{value:.20e}" if isinstance(value, float) else str(int(value)) for value in values)
    if name == "i1":
        text = text.replace("1", "true").replace("0", "false")
    module = parse_module(f"%0 = stablehlo.constant dense<[{text}]> : tensor<{shape}{name}>")
    op = module.body.block.first_op
    assert isinstance(op, hlo.ConstantOp)
    return op.value


PRESERVING = Environment(denormals="preserve")
"""What an op by itself does with subnormal numbers."""


def elements(attribute: DenseIntOrFPElementsAttr) -> Iterator[DenseIntOrFPElementsAttr]:
    """Each element as a constant of rank 0."""
    element_type = cast(Any, attribute).type.element_type
    size, data = element_type.compile_time_size, attribute.data.data
    for start in range(0, len(data), size):
        yield DenseIntOrFPElementsAttr(TensorType(element_type, []), BytesAttr(data[start : start + size]))


def check(op_name: str, operands: Sequence[DenseIntOrFPElementsAttr], result: str, properties: str = "") -> int:
    """Fold an op on each element and compare with the reference on all of them; how many folded."""
    count = len(operands[0])
    types = [str(cast(Any, operand).type) for operand in operands]
    arguments = ", ".join(f"%{i}: {type}" for i, type in enumerate(types))
    names = ", ".join(f"%{i}" for i in range(len(types)))
    module = parse_module(f"""
        func.func @main({arguments}) -> tensor<{count}x{result}> {{
          %r = "{op_name}"({names}) {properties} : ({", ".join(types)}) -> tensor<{count}x{result}>
          return %r : tensor<{count}x{result}>
        }}""")
    verify_module(module)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    template = function.body.block.first_op
    assert template is not None
    result_type = TensorType(cast(Any, template.results[0].type).element_type, [])
    with np.errstate(all="ignore"):
        (expected,) = run(module, "main", [dense_array(operand) for operand in operands], PRESERVING)
    folded = 0
    for index, scalars in enumerate(zip(*map(elements, operands), strict=True)):
        constants = [hlo.ConstantOp(scalar) for scalar in scalars]
        op = template.create(
            operands=[operand.output for operand in constants],
            result_types=[result_type],
            properties=template.properties,
        )
        found = op.fold()
        if found is None:
            continue
        folded += 1
        (value,) = found
        got = dense_array(cast(hlo.ConstantOp, value.owner).value if isinstance(value, SSAValue) else value)
        assert got.dtype == expected.dtype
        operands_text = ", ".join(str(scalar) for scalar in scalars)
        assert got.tobytes() == expected[index].tobytes(), f"{op_name} of {operands_text}: {got}, not {expected[index]}"
    return folded


def columns(name: str, arity: int) -> list[DenseIntOrFPElementsAttr]:
    """All combinations of the edges."""
    rows = list(itertools.product(EDGES[name], repeat=arity))
    return [constant(name, [row[i] for row in rows]) for i in range(arity)]


def table_cases() -> Iterator[tuple[type[Operation], str]]:
    for name in EDGES:
        if name == "i1":
            yield from ((op_type, name) for op_type in BOOLEANS)
        elif "f" in name:
            yield from ((op_type, name) for op_type in FLOATS)
        else:
            ops = [op_type for op_type in INTEGERS if not (name.startswith("u") and op_type in (hlo.AbsOp, hlo.SignOp))]
            yield from ((op_type, name) for op_type in (*ops, *SHIFTS, *BIT_COUNTS))


@pytest.mark.sample(60)
@pytest.mark.parametrize("op_type, name", list(table_cases()), ids=lambda value: getattr(value, "name", value))
def test_arithmetic(op_type: type[Operation], name: str) -> None:
    arity = 2 if issubclass(op_type, hlo.BinaryOp) else 1
    result = "i1" if op_type is hlo.IsFiniteOp else name
    assert check(op_type.name, columns(name, arity), result) > len(EDGES[name]) // 3


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("direction", list(hlo.ComparisonDirection), ids=str)
def test_compare(name: str, direction: hlo.ComparisonDirection) -> None:
    properties = f"{{comparison_direction = #stablehlo<comparison_direction {direction}>}}"
    assert check("stablehlo.compare", columns(name, 2), "i1", properties) == len(EDGES[name]) ** 2


@pytest.mark.parametrize("source", EDGES)
@pytest.mark.parametrize("target", EDGES)
def test_convert(source: str, target: str) -> None:
    assert check("stablehlo.convert", columns(source, 1), target) > 0


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", [name for name in EDGES if name != "i1"])
def test_clamp(name: str) -> None:
    assert check("stablehlo.clamp", columns(name, 3), name) == len(EDGES[name]) ** 3


@pytest.mark.parametrize("name", EDGES)
def test_select(name: str) -> None:
    lhs, rhs = columns(name, 2)
    predicate = constant("i1", [index % 3 == 0 for index in range(len(lhs))])
    check("stablehlo.select", [predicate, lhs, rhs], name)


def test_not_a_splat_is_limited() -> None:
    for count in (64, 65):
        op = hlo.NegOp(hlo.ConstantOp(constant("i32", list(range(count)))))
        assert (op.fold() is None) == (count > 64)


def test_splat_stays_one_element() -> None:
    many = parse_module("%0 = stablehlo.constant dense<3> : tensor<7xi32>").body.block.first_op
    assert many is not None
    folded = hlo.NegOp(many.results[0]).fold()
    assert folded is not None and isinstance(folded[0], DenseIntOrFPElementsAttr)
    assert len(folded[0].data.data) == 4 and splat_bytes(folded[0]) == (-3).to_bytes(4, "little", signed=True)


def functions() -> list[str]:
    module = parse_module(LIT.read_text())
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp) and "?" not in str(op.function_type)]


@pytest.mark.parametrize("name", functions())
def test_canonicalize_keeps_the_results(name: str) -> None:
    """The functions of the FileCheck test before and after, on random arguments."""
    module = parse_module(LIT.read_text())
    function = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name)
    inputs = random_inputs(read_signature(function).inputs, seed=1)
    before = run(module, name, inputs)
    CanonicalizePass().apply(new_context(), module)
    verify_module(module)
    after = run(module, name, inputs)
    assert [value.tobytes() for value in before] == [value.tobytes() for value in after]
