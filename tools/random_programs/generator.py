"""The program being made: its values, and how they are drawn."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Generator as Context
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i32,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.printing import ExactPrinter
from ...dialects.stablehlo.shapes import is_tensor
from ...passes.stablehlo.stablehlo_fold_constants import dense_attribute
from .elements import ELEMENTS, Element
from .known import INTEGER, WILD, Known, Unfit

Shape = tuple[int, ...]
Emit = Callable[["Generator"], None]
Array = np.ndarray[Any, Any]

MAX_ELEMENTS = 4096
LARGE = 1_000_000
"""The number of elements of the largest tensors; those over some hundred thousand are computed on several threads."""

LARGE_PROGRAMS = 0.03
"""The share of programs that may have such tensors."""

LARGE_SIZES = (64, 129, 512, 1000, 4099, 65_536, 1_000_000)
"""Of their dimensions."""

DONATING_PROGRAMS = 0.15
"""The share of programs that are given some of their arguments for good."""

ATTEMPTS = 200
"""How often a draw may not fit until a program is done with the ops it has."""


@dataclass(frozen=True)
class Value:
    """A tensor of the program."""

    ssa: SSAValue
    element: Element
    shape: Shape
    known: Known

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass
class Program:
    """A generated program."""

    seed: int
    text: str
    inputs: list[Array]
    tolerances: list[list[float | None]]
    """For each op of the entry and each of its results, how far the engines may be apart: None for not at all."""
    returned: list[float | None]
    operations: Counter[tuple[str, str]]
    """How often which op stands in it, also in regions, by name and element type."""
    grid: tuple[int, int] = (1, 1)
    """How many replicas and partitions run it side by side."""
    donates: bool = False
    """Whether it is given some of its arguments for good."""

    def arguments(self, process: int) -> list[Array]:
        """The inputs of a process of the grid: the same elements in another order."""
        return [np.roll(array.reshape(-1), process).reshape(array.shape) for array in self.inputs]

    @property
    def rows(self) -> list[list[list[Array]]]:
        """The inputs of each process, by replica and partition."""
        replicas, partitions = self.grid
        return [[self.arguments(i * partitions + j) for j in range(partitions)] for i in range(replicas)]


def tensor_of(element: Element, shape: Sequence[int]) -> TensorType[Attribute]:
    return TensorType(element.attribute, shape)


def append(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


def region(types: Sequence[Attribute], build: Callable[[Block], Sequence[SSAValue]]) -> Region:
    block = Block(arg_types=types)
    block.add_op(hlo.ReturnOp(*build(block)))
    return Region(block)


def element_of(op: Operation) -> str:
    """The element type an op is about: that of its first tensor."""
    for value in (*op.operands, *op.results):
        if is_tensor(value.type):
            return str(value.type.element_type)
    return ""


@dataclass
class Generator:
    """Draws ops from a table of emitters and weights."""

    seed: int
    table: Sequence[tuple[Emit, float]]
    values: list[Value] = field(default_factory=list[Value])
    inputs: list[Array] = field(default_factory=list[Array])
    helpers: list[FuncOp] = field(default_factory=list[FuncOp])
    known: dict[Operation, list[Known]] = field(default_factory=dict[Operation, list[Known]])
    depth: int = 0
    """How many regions are being filled."""
    closed: bool = False
    """Whether what is being filled can't take arguments of the entry."""
    grid: tuple[int, int] = (1, 1)
    together: bool = True
    """Whether all processes of the grid run what is being filled, and equally often."""
    outputs: list[tuple[SSAValue, Known]] = field(default_factory=list[tuple[SSAValue, Known]])
    """What is returned besides values: tensors of bounded sizes."""
    channels: int = 0
    """How many channels the collectives so far use."""

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.numpy = np.random.default_rng(self.seed)
        self.entry = self.block = Block()
        self.most = LARGE if self.random.random() < LARGE_PROGRAMS else MAX_ELEMENTS
        self.emitters = [emit for emit, _ in self.table]
        self.weights = [weight for _, weight in self.table]

    # -- programs -------------------------------------------------------------------------------------------------

    def program(self) -> Program:
        self.emit(self.random.randint(1, 5) if self.random.random() < 0.85 else self.random.randint(6, 12))
        live = [v for v in self.values if isinstance(v.ssa.owner, Operation)]
        unused = [v for v in live if v.ssa.first_use is None]
        others = [v for v in live if v.ssa.first_use is not None]
        returned = unused if self.random.random() < 0.7 else self.random.sample(unused, (len(unused) + 1) // 2)
        returned = returned + self.random.sample(others, self.random.randint(0, len(others)) // 2)
        results = [*((v.ssa, v.known) for v in returned), *self.outputs]
        self.entry.add_op(FuncReturnOp(*(ssa for ssa, _ in results)))
        types = FunctionType.from_lists([a.type for a in self.entry.args], [ssa.type for ssa, _ in results])
        main = FuncOp("main", types, Region(self.entry), arg_attrs=self.donations(types))
        module = ModuleOp([main, *self.helpers])
        text = StringIO()
        ExactPrinter(stream=text).print_op(module)
        tolerances = [[known.tolerance for known in self.known.get(op, ())] for op in self.entry.ops]
        operations = Counter(
            (op.name, element_of(op))
            for op in module.walk()
            if op.name.startswith(("stablehlo.", "chlo.", "func.call"))
        )
        wanted = [known.tolerance for _, known in results]
        donates = main.arg_attrs is not None
        text = text.getvalue() + "\n"
        return Program(self.seed, text, self.inputs, tolerances, wanted, operations, self.grid, donates)

    def donations(self, types: FunctionType) -> ArrayAttr[DictionaryAttr] | None:
        """Attributes of arguments that are given away: to any result, or to a certain one; None for most programs."""
        if self.random.random() >= DONATING_PROGRAMS or not types.inputs.data:
            return None
        results = list(range(len(types.outputs.data)))

        def attributes(type: Attribute) -> DictionaryAttr:
            like = [i for i in results if types.outputs.data[i] == type]
            if self.random.random() < 0.3:
                return DictionaryAttr({})
            if not like or self.random.random() < 0.5:
                return DictionaryAttr({"jax.buffer_donor": BoolAttr.from_bool(True)})
            results.remove(place := self.random.choice(like))
            return DictionaryAttr({"tf.aliasing_output": IntegerAttr(place, i32)})

        return ArrayAttr([attributes(type) for type in types.inputs.data])

    def emit(self, count: int) -> None:
        """Add the ops of `count` draws that fit."""
        made = 0
        for _ in range(ATTEMPTS):
            if made == count:
                return
            ops, kept = len(self.block.ops), len(self.values)
            try:
                self.random.choices(self.emitters, self.weights)[0](self)
            except Unfit:
                continue
            made += len(self.block.ops) > ops and len(self.values) > kept

    @contextmanager
    def inside(
        self, block: Block, arguments: Sequence[Value] = (), closed: bool = False, together: bool = False
    ) -> Context[None]:
        """Add ops to `block`; what is computed there is no value any more afterwards.

        With `closed` only `arguments` and constants are values there. With `together` all processes run it equally
        often, if they run what is around it so.
        """
        if self.depth >= 2:
            raise Unfit
        outer, values, was_closed, was_together = self.block, self.values, self.closed, self.together
        self.together = together and was_together
        self.block, self.closed = block, closed or was_closed
        self.values = [*([] if closed else values), *arguments]
        self.depth += 1
        try:
            yield
        finally:
            fresh = [v for v in self.values if v.ssa.owner is self.entry and v not in values]
            self.block, self.values, self.closed = outer, [*values, *fresh], was_closed
            self.together = was_together
            self.depth -= 1

    # -- values ---------------------------------------------------------------------------------------------------

    def shape(self, rank: int | None = None, limit: int = 512) -> Shape:
        if rank is None:
            rank = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        choices = [1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33]
        if limit > 64 and self.most > MAX_ELEMENTS and self.depth == 0 and self.random.random() < 0.5:
            choices, limit = [*choices, *LARGE_SIZES], self.most
        sizes: list[int] = []
        for _ in range(rank):
            room = limit // max(1, math.prod(sizes))
            size = self.random.choice(choices)
            sizes.append(0 if self.random.random() < 0.02 else max(1, min(size, room)))
        return tuple(self.random.sample(sizes, rank))

    def choice(self, elements: Sequence[Element]) -> Element:
        return self.random.choices(elements, [element.weight for element in elements])[0]

    def numbers(self, element: Element, shape: Shape) -> Array:
        """Ordinary values: floats on their grid, integers small or from the edges of the type."""
        if element.is_complex:
            parts = self.numpy.integers(-element.span, element.span + 1, (2, *shape)) * element.grid
            return np.asarray(parts[0] + 1j * parts[1]).astype(element.dtype)
        if element.significand == 1:
            return np.exp2(self.numpy.integers(-2, 3, shape)).astype(element.dtype)
        if element.rounds:
            return np.asarray(self.numpy.integers(-element.span, element.span + 1, shape) * element.grid).astype(
                element.dtype
            )
        if element.kind == "b":
            return np.asarray(self.numpy.integers(0, 2, shape)).astype(element.dtype)
        unsigned = element.kind == "u"
        low, high = (0, 2**element.bits - 1) if unsigned else (-(2 ** (element.bits - 1)), 2 ** (element.bits - 1) - 1)
        if self.random.random() < 0.3:
            edges = [low, high, 0, 1, high - 1, high // 3]
            wide = np.array(edges, np.uint64 if unsigned else np.int64)
            return np.asarray(self.numpy.choice(wide, shape)).astype(element.dtype)
        return np.asarray(self.numpy.integers(max(low, -8), min(high, 15) + 1, shape)).astype(element.dtype)

    def wild(self, element: Element, shape: Shape) -> Array:
        """Floats of all magnitudes, among them NaN, infinities, signed zeros, the largest and the least ones."""
        least, largest = element.least, element.largest
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, least, -least, largest, -largest, 0.5, -1.5])
        with np.errstate(all="ignore"):
            if element.significand == 1:
                values = np.abs(special[self.numpy.integers(0, len(special), shape)])
                return np.where(values == 0, 1.0, values).astype(element.dtype)
            values = special[self.numpy.integers(0, len(special), shape)].astype(element.dtype)
            ordinary = self.numbers(element, shape)
        return np.where(self.numpy.random(shape) < 0.4, values, ordinary)

    def subnormal(self, element: Element, shape: Shape) -> Array:
        """Floats around the least ones with all their bits."""
        count = 2 ** min(element.significand, 53)
        steps = self.numpy.integers(-count, count + 1, shape)
        steps = np.where(self.numpy.random(shape) < 0.3, np.sign(steps), steps)
        return np.asarray(steps * element.least).astype(element.dtype)

    def argument(self, element: Element, shape: Shape, wild: bool = False) -> Value:
        """A new argument, or a constant, with ordinary or with any values."""
        if wild and element.is_float and self.random.random() < 0.15:
            return self.given(element, self.wild(element, shape), WILD)
        if element.is_float and element.significand > 1 and self.random.random() < 0.04:
            bound = element.least * 2**element.significand
            return self.given(element, self.subnormal(element, shape), Known(0.0, bound))
        known = INTEGER
        if element.significand == 1:
            known = Known(0.25, 4.0)
        elif element.rounds:
            known = Known(element.grid, element.grid * element.span * (math.sqrt(2) if element.is_complex else 1.0))
        return self.given(element, self.numbers(element, shape), known)

    def indices(self, element: Element, shape: Shape, low: int, high: int) -> Value:
        """A new argument with integers from `low` to `high`, as far as the type has them."""
        unsigned = element.kind == "u"
        low = max(low, 0 if unsigned else -(2 ** (element.bits - 1)))
        high = min(high, 2 ** (element.bits - (0 if unsigned else 1)) - 1)
        array = np.asarray(self.numpy.integers(low, high + 1, shape)).astype(element.dtype)
        return self.given(element, array, INTEGER)

    def places(self, element: Element, shape: Shape, size: int) -> Value:
        """A new argument with indices into `size` elements: inside, outside, the extremes of the type."""
        unsigned = element.kind == "u"
        low = 0 if unsigned else -(2 ** (element.bits - 1))
        high = 2 ** (element.bits - (0 if unsigned else 1)) - 1
        inside = self.numpy.integers(max(low, -2), min(high, max(size, 5)) + 1, shape)
        edges = [low, high, high // 2 + 1, -1, 0, size - 1, size, size + 1, 2**31 - 1, -(2**31), 2**31, 2**32, 2**63]
        wide = np.array([n for n in edges if low <= n <= high], np.uint64 if unsigned else np.int64)
        extreme = self.numpy.random(shape) < (0.3 if self.random.random() < 0.5 else 0.0)
        chosen = np.where(extreme, self.numpy.choice(wide, shape), inside.astype(wide.dtype))
        return self.given(element, np.asarray(chosen).astype(element.dtype), INTEGER)

    def given(self, element: Element, array: Array, known: Known) -> Value:
        """A new value that is `array`."""
        if self.closed or (self.random.random() < 0.25 and array.size <= 64):
            if array.size > 512:
                raise Unfit
            return self.keep(self.constant(element, array), element, array.shape, known)
        self.inputs.append(array)
        ssa = self.entry.insert_arg(tensor_of(element, array.shape), len(self.entry.args))
        value = Value(ssa, element, array.shape, known)
        self.values.append(value)
        return value

    def constant(self, element: Element, array: Array) -> Operation:
        return hlo.ConstantOp(dense_attribute(tensor_of(element, array.shape), array))

    def scalar(self, element: Element, value: complex) -> SSAValue:
        return self.add(self.constant(element, np.asarray(value).astype(element.dtype)), known_constant(element, value))

    def add(self, op: Operation, *known: Known) -> SSAValue:
        """Append the op; its first result."""
        self.block.add_op(op)
        self.known[op] = list(known)
        assert len(known) == len(op.results), op.name
        return op.results[0]

    def keep(self, op: Operation, element: Element, shape: Shape, known: Known) -> Value:
        """Append the op; its only result is a value from now on."""
        return self.keep_all(op, [(element, shape, known)])[0]

    def keep_all(self, op: Operation, results: Sequence[tuple[Element, Shape, Known]]) -> list[Value]:
        """Append the op; its results are values from now on."""
        if any(math.prod(shape) > self.most for _, shape, _ in results):
            raise Unfit
        self.add(op, *(known for _, _, known in results))
        values: list[Value] = []
        for result, (element, shape, known) in zip(op.results, results, strict=True):
            assert result.type == tensor_of(element, shape), (op.name, result.type, element.attribute, shape)
            values.append(Value(result, element, shape, known))
        self.values += values
        return values

    def pick(
        self,
        elements: Sequence[Element] = ELEMENTS,
        *,
        shape: Shape | None = None,
        least_rank: int = 0,
        exact: bool = False,
        wild: bool = False,
        bits: bool = False,
    ) -> Value:
        """A value of one of these element types, mostly one that exists.

        `exact` ones only, `wild` ones too if they are exact, `bits` for those that agree bit for bit.
        """

        def fits(value: Value) -> bool:
            known = value.known
            return (
                (known.tame or (wild and known.exact)) and not (exact and not known.exact) and (known.bits or not bits)
            )

        return self._pick(elements, fits, shape, least_rank, wild)

    def any(self, elements: Sequence[Element] = ELEMENTS, *, shape: Shape | None = None, least_rank: int = 0) -> Value:
        """A value to be moved or selected from."""
        return self._pick(elements, lambda value: True, shape, least_rank, True)

    def _pick(
        self,
        elements: Sequence[Element],
        fits: Callable[[Value], bool],
        shape: Shape | None,
        least_rank: int,
        wild: bool,
    ) -> Value:
        found = [
            v
            for v in self.values[-12:]
            if v.element in elements and (shape is None or v.shape == shape) and len(v.shape) >= least_rank and fits(v)
        ]
        if found and self.random.random() < 0.85:
            return self.random.choice(found)
        if shape is None:
            shape = self.shape(self.random.randint(least_rank, max(4, least_rank)) if least_rank else None)
        return self.argument(self.choice(elements), shape, wild)

    def like(self, value: Value, *, exact: bool = False, wild: bool = False, bits: bool = False) -> Value:
        """Another value of the same type."""
        return self.pick([value.element], shape=value.shape, exact=exact, wild=wild, bits=bits)

    def sizes(self, low: int, high: int, count: int) -> list[int]:
        return [self.random.randint(low, high) for _ in range(count)]


def known_constant(element: Element, value: complex) -> Known:
    """What is known about a constant that is a value of the type."""
    if not element.rounds:
        return INTEGER
    return Known(min(element.grid, abs(value)) if value else element.grid, abs(value))
