"""Loops and branches over tensors and scalars that change, in the notation of a program.

    with loop(0, n, row) as i:
        row[i] = row[i] - factor * x[k, i]

emits an `scf.for` that carries `row`: a tensor is read by `tensor.extract`, and written by a `tensor.insert` whose
result is the tensor from there on. A loop or a branch is told what changes in it; all else is only read there.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod
from typing import TYPE_CHECKING, Self, cast

from xdsl.dialects import memref, scf, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects import xrt
from ...dialects.editing import new_block, new_region
from ...dialects.shared_attributes import INDEX, i32_array, memref_type
from ...dialects.stablehlo.shapes import shape_of
from ...ir.structured import element_type
from .arithmetic import Index, Number, materialized
from .attributes import element_of, signless

if TYPE_CHECKING:
    from .builder import Lowering


class Variable:
    """A scalar that changes."""

    __slots__ = ("ctx", "type", "value")

    def __init__(self, number: Number):
        self.ctx, self.value, self.type = number.ctx, number.value, number.type

    @property
    def now(self) -> Number:
        """What it is."""
        return Number(self.ctx, self.value, self.type)

    @now.setter
    def now(self, number: Number) -> None:
        self.value = number.value


class Array:
    """A tensor whose elements are read and written one by one, of StableHLO type `element`."""

    __slots__ = ("ctx", "element", "value")

    def __init__(self, ctx: Lowering, value: SSAValue, element: Attribute | None = None):
        self.ctx, self.value, self.element = ctx, value, element or element_of(value)

    @classmethod
    def new(cls, ctx: Lowering, element: Attribute, shape: Sequence[int]) -> Self:
        """One of elements that are not yet known."""
        return cls(ctx, ctx.result(tensor.EmptyOp, (), TensorType(signless(element), shape)), element)

    @property
    def shape(self) -> tuple[int, ...]:
        return shape_of(self.value)

    def _indices(self, at: Index | Sequence[Index]) -> list[SSAValue]:
        indices = at if isinstance(at, Sequence) else (at,)
        return [materialized(self.ctx, index).value for index in indices]

    def __getitem__(self, at: Index | Sequence[Index]) -> Number:
        operands = (self.value, *self._indices(at))
        return Number(self.ctx, self.ctx.result(tensor.ExtractOp, operands, signless(self.element)), self.element)

    def __setitem__(self, at: Index | Sequence[Index], element: Number) -> None:
        operands = (element.value, self.value, *self._indices(at))
        self.value = self.ctx.result(tensor.InsertOp, operands, self.value.type)


class Buffer(Array):
    """A memref whose elements are read and written one by one, of signless type `element`. No loop carries it."""

    __slots__ = ()

    def __init__(self, ctx: Lowering, value: SSAValue, element: Attribute | None = None):
        super().__init__(ctx, value, element or element_type(value))

    @classmethod
    def new(cls, ctx: Lowering, element: Attribute, shape: Sequence[int]) -> Self:
        """Memory of the kernel."""
        properties = {"operandSegmentSizes": i32_array(0, 0)}
        return cls(ctx, ctx.result(memref.AllocOp, (), memref_type(element, *shape), properties), element)

    def row(self, number: Number) -> Buffer:
        """What has this number along the first dimension, as a buffer of its own."""
        _, *shape = cast("MemRefType[Attribute]", self.value.type).get_shape()
        offset = (number * prod(shape)).value
        type = memref_type(self.element, *shape)
        return Buffer(self.ctx, self.ctx.result(xrt.PartOp, (self.value, offset), type), self.element)

    def __getitem__(self, at: Index | Sequence[Index]) -> Number:
        operands = (self.value, *self._indices(at))
        return Number(self.ctx, self.ctx.result(memref.LoadOp, operands, self.element), self.element)

    def __setitem__(self, at: Index | Sequence[Index], element: Number) -> None:
        self.ctx.emit(memref.StoreOp, (element.value, self.value, *self._indices(at)))


Carried = Variable | Array


def elements_at(arrays: Sequence[Array], at: Index | Sequence[Index]) -> list[Number]:
    """The element of each of `arrays` at the same place."""
    return [array[at] for array in arrays]


def set_elements(arrays: Sequence[Array], at: Index | Sequence[Index], elements: Sequence[Number]) -> None:
    """Write an element of each of `arrays` at the same place."""
    for array, element in zip(arrays, elements, strict=True):
        array[at] = element


def _carried(changed: Sequence[Carried]) -> list[Carried]:
    """What of `changed` a loop or a branch hands on: memory changes where it is."""
    return [each for each in changed if not isinstance(each, Buffer)]


def _become(carried: Sequence[Carried], values: Sequence[SSAValue]) -> None:
    for each, value in zip(carried, values, strict=True):
        each.value = value


@contextmanager
def loop(
    lower: Index, upper: Index, *changed: Carried, attributes: Mapping[str, Attribute] | None = None
) -> Generator[Number]:
    """`scf.for` of step one that carries what changes in it, but for memory; its counter.
    On memory one trip is no loop.
    """
    ctx = changed[0].ctx
    carried = _carried(changed)
    if lower == 0 and upper == 1 and len(carried) < len(changed):
        yield Number(ctx, ctx.constant(INDEX, 0))
        return
    before = [each.value for each in carried]
    types = [value.type for value in before]
    block = new_block((INDEX, *types))
    with ctx.into(block):
        _become(carried, block.args[1:])
        yield Number(ctx, block.args[0])
        ctx.emit(scf.YieldOp, [each.value for each in carried])
    bounds = [materialized(ctx, index).value for index in (lower, upper, 1)]
    results = ctx.emit(scf.ForOp, (*bounds, *before), types, regions=(new_region(block),))
    if attributes:
        last = ctx.block.last_op
        assert last is not None
        last.attributes.update(attributes)
    _become(carried, results)


@contextmanager
def loops(bounds: Sequence[tuple[Index, Index]], *carried: Carried) -> Generator[Sequence[Index]]:
    """A nest of `loop`s; a loop known to run once is only its body."""
    with ExitStack() as stack:
        counters: list[Index] = []
        for lower, upper in bounds:
            once = isinstance(lower, int) and isinstance(upper, int) and upper - lower == 1
            counters.append(lower if once else stack.enter_context(loop(lower, upper, *carried)))
        yield counters


@contextmanager
def kernel_loops(extents: Sequence[int], *carried: Carried) -> Generator[Sequence[Index]]:
    """`loops` with an `scf.for` around everything, even what runs once: only a loop becomes a kernel."""
    with ExitStack() as stack:
        if all(extent == 1 for extent in extents):
            stack.enter_context(loop(0, 1, *carried))
        yield stack.enter_context(loops([(0, extent) for extent in extents], *carried))


@contextmanager
def when(condition: Number, *changed: Carried) -> Generator[None]:
    """`scf.if`: what changes in it stays what it is where the condition does not hold."""
    ctx = condition.ctx
    carried = _carried(changed)
    before = [each.value for each in carried]
    then, otherwise = new_block(), new_block()
    with ctx.into(then):
        yield
        ctx.emit(scf.YieldOp, [each.value for each in carried])
    with ctx.into(otherwise):
        ctx.emit(scf.YieldOp, before)
    types = [value.type for value in before]
    _become(carried, ctx.emit(scf.IfOp, (condition.value,), types, regions=(new_region(then), new_region(otherwise))))
