"""The elements of tensors that depend on nothing: places that are computed from `iota` and constants.

Constant folding leaves such tensors where they are longer than what they are computed from. Here they are computed for
who wants to know, and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ...decisions.denormals import PRESERVE
from ...decisions.search import KNOWN_OPS, KNOWN_PLACES
from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.traits import AcrossProcesses
from ...dialects.xrt_attributes import denormals_of
from ...errors import UnsupportedError
from ...ir.purity import is_pure


class _Unknown(Exception):
    """A value depends on what is not known, such as the number of a device, or on too much."""


def _visit(value: SSAValue, found: dict[Operation, None], numbers: Mapping[type[Operation], int]) -> None:
    """Adds the ops that `value` is computed by to `found`, each behind those that it reads."""
    op = value.owner
    if op in found:
        return
    if not isinstance(op, Operation) or len(op.results) != 1 or op.regions:
        raise _Unknown
    if not is_pure(op) or (op.has_trait(AcrossProcesses) and type(op) not in numbers):
        raise _Unknown
    if not isinstance(value.type, TensorType) or prod(shape_of(value)) > KNOWN_PLACES or len(found) == KNOWN_OPS:
        raise _Unknown
    for operand in op.operands:
        _visit(operand, found, numbers)
    found[op] = None


def known_elements(value: SSAValue, numbers: Mapping[type[Operation], int] = {}) -> NDArray[Any] | None:
    """The elements of `value`, which may be a constant; None if they are not known before the program runs. `numbers`
    are what the ops of some types give: the place of a process in its grid.
    """
    ops: dict[Operation, None] = {}
    try:
        _visit(value, ops, numbers)
    except (_Unknown, RecursionError):
        return None
    from ...reference.arrays import dense_array
    from ...reference.interpreter import evaluate_op

    mode = denormals_of(value.owner.get_toplevel_object()) or PRESERVE
    arrays: dict[SSAValue, NDArray[Any]] = {}
    for op in ops:
        if isinstance(op, stablehlo.ConstantOp):
            arrays[op.results[0]] = dense_array(op.value)
            continue
        if (number := numbers.get(type(op))) is not None:
            arrays[op.results[0]] = np.array(number, np.uint32)
            continue
        try:
            (arrays[op.results[0]],) = evaluate_op(op, [arrays[operand] for operand in op.operands], mode)
        except UnsupportedError:
            return None
    return arrays[value]
