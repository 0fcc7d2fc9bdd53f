"""Every operation of the builder on arrays of bounded size: what is behind the last element that counts never counts.

What operations give is right natively and by the reference. What cannot be had of bounded size is an error that names
the operation, the operand and the dimension.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bounded_operations import CASES
from bounded_operations.case import S32, Array, Case, X
from bounded_operations.refusals import REFUSED
from xdsl_xla.errors import XlaError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.frontends.xla_builder.operators import OPERATORS

WITHOUT_OPERANDS = {"zero", "one", "zeros", "min_value", "max_value", *(f"constant_r{rank}" for rank in range(5))}
"""Operations that take no arrays, and give some whose sizes are known."""

WITHOUT_ARRAYS = {"create_token", "after_all", "replica_id", "partition_id", "send_done", "recv_done"}
"""Operations that neither take nor give arrays of their own."""


def cut(value: Array, dim: int | None, size: int) -> Array:
    return value if dim is None else value[tuple(slice(size if d == dim else None) for d in range(value.ndim))]


def bounded_program(case: Case) -> tuple[Any, str]:
    """A computation of the arguments and the size, and the shape of its result."""
    builder = xla.XlaBuilder("bounded")
    operands: list[Any] = []
    size = builder.parameter(len(case.arguments), xla.Shape(S32))
    for number, (value, dim) in enumerate(zip(case.arguments, case.cuts, strict=True)):
        operand = builder.parameter(number, xla.Shape.of(value))
        operands.append(operand if dim is None else xla.set_dimension_size(operand, size, dim))
    result = case.build(builder, *operands)
    return builder.build(result), str(result.shape).partition("[")[2].removesuffix("]")


@pytest.mark.sample(30)
@pytest.mark.parametrize("name", CASES)
def test_what_is_behind_the_last_element_never_counts(name: str) -> None:
    for case in CASES[name]:
        program, shape = bounded_program(case)
        assert case.shape is None or shape == case.shape
        for size in case.sizes:
            cuts = [cut(value, dim, size) for value, dim in zip(case.arguments, case.cuts, strict=True)]
            if case.expected is None:
                builder = xla.XlaBuilder("static")
                operands = [builder.parameter(i, xla.Shape.of(value)) for i, value in enumerate(cuts)]
                expected = builder.build(case.build(builder, *operands)).interpret(*cuts)
            else:
                expected = case.expected(*cuts)
            for engine in (program, program.interpret):
                got = engine(*case.arguments, np.int32(size))
                assert np.shape(got) == np.shape(expected), (engine, size)
                close = (2e-5, 1e-5) if np.asarray(got).dtype.kind in "fcV" else (0, 0)
                np.testing.assert_allclose(got, expected, *close, err_msg=f"{engine} {size}")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_of_bounded_size_is_an_error(name: str) -> None:
    for build, message in REFUSED[name]:
        builder = xla.XlaBuilder("refused")
        x = xla.set_dimension_size(builder.parameter(0, xla.Shape.of(X)), builder.parameter(1, xla.Shape(S32)), 0)
        with pytest.raises(XlaError, match=message) as raised:
            build(builder, x)
        assert raised.value.location is not None


def test_every_operation_has_a_case() -> None:
    assert set(OPERATORS) == {*CASES, *REFUSED, *WITHOUT_ARRAYS, *WITHOUT_OPERANDS}
