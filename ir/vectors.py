"""Vector code: ops on vectors of several lanes, which are for no vectoriser to look at."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.shared_attributes import cached_by_identity


def is_vector_code(ops: Iterable[Operation]) -> bool:
    """Whether one of `ops` takes or gives a vector of several lanes. What is in their regions does not count."""
    for op in ops:
        for value in op.results:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
        for value in op._operands:
            if value._type.__class__ is VectorType and lanes(value) > 1:
                return True
    return False


def lanes(value: SSAValue) -> int:
    """How many elements `value` has as a vector; 0 if it is none."""
    type = value._type
    return _element_count(type) if type.__class__ is VectorType else 0


@cached_by_identity
def _element_count(type: Attribute) -> int:
    return cast("VectorType[Attribute]", type).element_count()
