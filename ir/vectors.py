"""Vector code: ops on vectors of several lanes, which are for no vectoriser to look at."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue


def is_vector_code(ops: Iterable[Operation]) -> bool:
    """Whether one of `ops` takes or gives a vector of several lanes. What is in their regions does not count."""
    return any(lanes(value) > 1 for op in ops for value in (*op.results, *op._operands))


def lanes(value: SSAValue) -> int:
    """How many elements `value` has as a vector; 0 if it is none."""
    type = value._type
    return cast("VectorType[Attribute]", type).element_count() if type.__class__ is VectorType else 0
