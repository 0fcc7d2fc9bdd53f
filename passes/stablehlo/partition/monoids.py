"""Whether the init value of a reduction is neutral, so that each device may begin with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation, Region, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import splat_bytes
from ....dialects.stablehlo.shapes import element_type_of
from ....ir.captures import are_closed
from ....reference.arrays import dtype_of
from ....reference.interpreter import Interpreter, evaluate_op

IDEMPOTENT = (stablehlo.MaxOp, stablehlo.MinOp, stablehlo.AndOp, stablehlo.OrOp)
"""Combining twice with the same element is combining once."""

SAMPLES = (0.0, 1.0, -1.0, 0.5, -3.25, 7.0, 120.0, np.inf, -np.inf, np.nan)
"""Elements that an init value has to leave as they are."""


def may_repeat(init: SSAValue, combiner: type[Operation], neutral: bytes) -> bool:
    """Whether it changes nothing that each part starts from `init`: also for sums from 0, of whatever sign."""
    if combiner in IDEMPOTENT:
        return True
    constant = constant_of(init)
    element = None if constant is None else splat_bytes(constant.properties["value"])
    return element is not None and (element == neutral or (combiner is stablehlo.AddOp and not any(element)))


def has_neutral_init(body: Region, inits: Sequence[SSAValue]) -> bool:
    """Whether `body` gives sampled elements back that it combines with `inits`, from either side.

    True for computations on scalars alone, with constants as init values, that do so.
    """
    constants = [constant_of(init) for init in inits]
    if None in constants or any(op.regions for op in body.block.ops) or not are_closed([body]):
        return False
    values = [evaluate_op(constant, ())[0] for constant in constants if constant is not None]
    samples = [_samples(init, shift) for shift, init in enumerate(inits)]
    neutral = [np.full(x.shape, value) for x, value in zip(samples, values, strict=True)]
    run = Interpreter(None).run_elementwise
    return all(
        np.array_equal(found, x, equal_nan=found.dtype.kind in "fc")
        for arguments in ([*neutral, *samples], [*samples, *neutral])
        for found, x in zip(run(body, arguments), samples, strict=True)
    )


def _samples(value: SSAValue, shift: int) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    """Elements of the type of `value`, in another order for each `shift`."""
    dtype = dtype_of(element_type_of(value))
    numbers = np.roll(np.array(SAMPLES), shift)
    finite = numbers if dtype.kind in "fcV" else np.where(np.isfinite(numbers), np.abs(numbers), 2)
    return finite.astype(dtype)


def constant_of(value: SSAValue) -> Operation | None:
    """The constant that a scalar is."""
    owner = value.owner
    while isinstance(owner, stablehlo.BroadcastInDimOp):
        owner = owner.operand.owner
    return owner if isinstance(owner, Operation) and owner.name in ("stablehlo.constant", "sdy.constant") else None
