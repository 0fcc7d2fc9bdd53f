"""What the tests of `XlaBuilder` share: programs run on both engines, and computations of scalars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.grid import run_grid


def run(build: Callable[..., xla.XlaOp], *arguments: Any, shapes: Sequence[xla.Shape] | None = None) -> Any:
    """The result of the program that `build` makes of a builder and parameters; both engines agree on it."""
    builder = xla.XlaBuilder("test")
    shapes = [xla.Shape.of(argument) for argument in arguments] if shapes is None else shapes
    parameters = [builder.parameter(number, shape) for number, shape in enumerate(shapes)]
    computation = builder.build(build(builder, *parameters))
    native, reference = computation(*arguments), computation.interpret(*arguments)
    compare(native, reference)
    return native


def compare(native: Any, reference: Any) -> None:
    if isinstance(native, tuple):
        assert len(native) == len(reference)
        for mine, theirs in zip(native, reference, strict=True):
            compare(mine, theirs)
        return
    assert native.shape == np.shape(reference)
    if native.dtype.kind in "fcV":
        np.testing.assert_allclose(native.astype(complex), np.asarray(reference).astype(complex), rtol=2e-6, atol=1e-6)
    else:
        np.testing.assert_array_equal(native, reference)


def run_on_replicas(build: Callable[..., xla.XlaOp], *operands: Any) -> list[Any]:
    """The result in each replica, of which the operands are the argument of one each; both engines agree."""
    builder = xla.XlaBuilder("replica")
    shape = xla.Shape.of(operands[0])
    computation = builder.build(build(builder, builder.parameter(0, shape)))
    executable = computation.compile(replicas=len(operands), partitions=1)
    native = [row[0] for row in run_grid(executable, [[[operand]] for operand in operands])]
    results = interpreter.run_grid(
        computation.module, [["main"]] * len(operands), [[[operand]] for operand in operands]
    )
    for number, outputs in enumerate(native):
        compare(tuple(outputs), tuple(results[number][0]))
    return [outputs[0] if len(outputs) == 1 else outputs for outputs in native]


def scalars(
    function: Callable[..., xla.XlaOp], *element_types: xla.PrimitiveType, name: str = "scalars"
) -> xla.XlaComputation:
    """The computation of scalars of these types that `function` builds."""
    builder = xla.XlaBuilder(name)
    parameters = [builder.parameter(n, xla.Shape(element_type)) for n, element_type in enumerate(element_types)]
    return builder.build(function(*parameters))


def add_of(element_type: xla.PrimitiveType = xla.F32) -> xla.XlaComputation:
    return scalars(xla.add, element_type, element_type, name="add")


def max_of(element_type: xla.PrimitiveType = xla.F32) -> xla.XlaComputation:
    return scalars(xla.max, element_type, element_type, name="max")
