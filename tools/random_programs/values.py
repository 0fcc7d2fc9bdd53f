"""The program being made, and what is known about its values: grid, magnitude, error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import StringIO
from random import Random
from typing import NamedTuple

import ml_dtypes
import numpy as np
from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerType,
    ModuleOp,
    Signedness,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.printing import ExactPrinter

MAX_ELEMENTS = 4096
Shape = tuple[int, ...]


class Element(NamedTuple):
    """An element type: its attribute, NumPy type, and the bits of significand of a float."""

    attribute: Attribute
    dtype: np.dtype
    significand: int = 0
    limit: float = 0.0
    """Magnitude up to which floats are computed with."""

    @property
    def is_float(self) -> bool:
        return self.significand > 0

    @property
    def eps(self) -> float:
        return 2.0**-self.significand


def _unsigned(bits: int) -> IntegerType:
    return IntegerType(bits, Signedness.UNSIGNED)


FLOATS = [
    Element(builtin.f32, np.dtype(np.float32), 24, 1e6),
    Element(builtin.f64, np.dtype(np.float64), 53, 1e6),
    Element(builtin.f16, np.dtype(np.float16), 11, 1e4),
    Element(builtin.bf16, np.dtype(ml_dtypes.bfloat16), 8, 1e6),
]
SIGNED = [Element(IntegerType(n), np.dtype(f"int{n}")) for n in (8, 16, 32, 64)]
UNSIGNED = [Element(_unsigned(n), np.dtype(f"uint{n}")) for n in (8, 16, 32, 64)]
BOOL = Element(builtin.i1, np.dtype(np.bool_))
I32 = SIGNED[2]
INTEGERS = SIGNED + UNSIGNED
ELEMENTS = [BOOL, *INTEGERS, *FLOATS]


@dataclass(frozen=True)
class Known:
    """What is known about a value: multiples of `step` (0 if rounded) up to `bound`, off by at most `error`."""

    step: float = 0.125
    bound: float = 4.0
    error: float = 0.0


INTEGER = Known(1.0, 0.0)
WILD = Known(0.0, math.inf)
"""NaN or infinite for some elements: may be moved, not computed with."""


@dataclass(frozen=True)
class Value:
    """A tensor of the program."""

    ssa: SSAValue
    element: Element
    shape: Shape
    known: Known

    @property
    def exact(self) -> bool:
        return not self.element.is_float or self.known.step > 0

    @property
    def tame(self) -> bool:
        return not self.element.is_float or self.known.bound < math.inf

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass
class Program:
    """A generated program."""

    seed: int
    text: str
    inputs: list[np.ndarray]
    errors: list[list[float]]
    """For each op of the entry and each of its results, the error it may carry."""
    returned: list[float]
    operations: list[str]
    """The name of every op, also of those in regions."""


class Unfit(Exception):
    """The values there are do not suit the op that was drawn."""


def tensor_of(element: Element, shape: Sequence[int]) -> TensorType[Attribute]:
    return TensorType(element.attribute, shape)


def region(types: Sequence[Attribute], body: Callable[[Block], Sequence[SSAValue]]) -> Region:
    """A region of one block that returns what `body` gives."""
    block = Block(arg_types=types)
    block.add_op(hlo.ReturnOp(*body(block)))
    return Region(block)


def append(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


@dataclass
class Generator:
    seed: int
    table: Sequence[tuple[Callable[[Generator], None], int]]
    """Functions that add an op, each with how often it is drawn."""
    random: Random = field(init=False)
    entry: Block = field(init=False)
    values: list[Value] = field(init=False, default_factory=list[Value])
    inputs: list[np.ndarray] = field(init=False, default_factory=list[np.ndarray])
    helpers: list[FuncOp] = field(init=False, default_factory=list[FuncOp])
    errors: dict[Operation, list[float]] = field(init=False, default_factory=dict[Operation, list[float]])

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.numpy = np.random.default_rng(self.seed)
        self.entry = Block()

    def program(self) -> Program:
        emitters = [emit for emit, _ in self.table]
        weights = [weight for _, weight in self.table]
        wanted = self.random.randint(3, 15)
        made = 0
        while made < wanted:
            ops, kept = len(self.entry.ops), len(self.values)
            try:
                self.random.choices(emitters, weights)[0](self)
            except Unfit:
                continue
            made += len(self.entry.ops) > ops and len(self.values) > kept
        live = [v for v in self.values if isinstance(v.ssa.owner, Operation)]
        unused = [v for v in live if v.ssa.first_use is None]
        others = [v for v in live if v.ssa.first_use is not None]
        returned = unused if self.random.random() < 0.7 else self.random.sample(unused, max(1, len(unused) // 2))
        returned = returned + self.random.sample(others, self.random.randint(0, len(others)) // 2)
        self.entry.add_op(FuncReturnOp(*(v.ssa for v in returned)))
        types = FunctionType.from_lists([a.type for a in self.entry.args], [v.ssa.type for v in returned])
        module = ModuleOp([FuncOp("main", types, Region(self.entry)), *self.helpers])
        text = StringIO()
        ExactPrinter(stream=text).print_op(module)
        errors = [self.errors.get(op, [0.0] * len(op.results)) for op in self.entry.ops]
        names = [op.name for op in module.walk() if op.name.startswith(("stablehlo.", "func.call"))]
        return Program(self.seed, text.getvalue() + "\n", self.inputs, errors, [v.known.error for v in returned], names)

    # -- values ---------------------------------------------------------------------------------------------------

    def shape(self, rank: int | None = None, limit: int = 512) -> Shape:
        if rank is None:
            rank = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        sizes: list[int] = []
        for _ in range(rank):
            room = limit // max(1, math.prod(sizes))
            size = self.random.choice([1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33])
            sizes.append(0 if self.random.random() < 0.02 else max(1, min(size, room)))
        return tuple(self.random.sample(sizes, rank))

    def argument(self, element: Element, shape: Shape, low: int | None = None, high: int = 6) -> Value:
        """A new argument (or constant); `low` to `high` are for indices."""
        dtype = element.dtype
        if element.is_float:
            array = self.numpy.integers(-32, 33, shape) / 8
        elif dtype == np.bool_:
            array = self.numpy.integers(0, 2, shape)
        elif low is not None:
            array = self.numpy.integers(max(low, 0) if dtype.kind == "u" else low, high, shape)
        elif self.random.random() < 0.3:
            info = np.iinfo(dtype)
            array = self.numpy.choice(np.array([info.min, info.max, 0, 1, 2, info.max // 3], dtype), shape)
        else:
            array = self.numpy.integers(0 if dtype.kind == "u" else -8, 16, shape)
        array = np.asarray(array).astype(dtype)
        known = Known() if element.is_float else INTEGER
        if self.random.random() < 0.25 and array.size <= 64:
            return self.keep(self.constant(element, array), element, shape, known)
        self.inputs.append(array)
        ssa = self.entry.insert_arg(tensor_of(element, shape), len(self.entry.args))
        value = Value(ssa, element, shape, known)
        self.values.append(value)
        return value

    def constant(self, element: Element, array: np.ndarray) -> Operation:
        flat = [float(x) if element.is_float else int(x) for x in np.asarray(array).reshape(-1)]
        type = tensor_of(element, np.shape(array))
        return hlo.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, flat))  # pyright: ignore

    def scalar(self, element: Element, value: float) -> SSAValue:
        return self.add(self.constant(element, np.asarray(value)))

    def add(self, op: Operation, *errors: float) -> SSAValue:
        self.entry.add_op(op)
        self.errors[op] = list(errors) or [0.0] * len(op.results)
        return op.results[0]

    def keep(self, op: Operation, element: Element, shape: Shape, known: Known) -> Value:
        """Append the op; its result is a value from now on."""
        if math.prod(shape) > MAX_ELEMENTS:
            raise Unfit
        ssa = self.add(op, known.error)
        type = ssa.type
        assert isinstance(type, TensorType) and type.get_shape() == shape, (op.name, type, shape)
        value = Value(ssa, element, shape, known)
        self.values.append(value)
        return value

    def pick(
        self,
        elements: Sequence[Element] = ELEMENTS,
        fits: Callable[[Value], bool] = lambda value: value.tame,
        shape: Shape | None = None,
        least_rank: int = 0,
    ) -> Value:
        """A value of one of these element types, mostly one that exists."""
        found = [
            v
            for v in self.values[-12:]
            if v.element in elements and (shape is None or v.shape == shape) and len(v.shape) >= least_rank and fits(v)
        ]
        if found and self.random.random() < 0.85:
            return self.random.choice(found)
        if shape is None:
            shape = self.shape(self.random.randint(least_rank, max(4, least_rank)) if least_rank else None)
        return self.argument(self.random.choice(elements), shape)

    def exact(self, elements: Sequence[Element] = ELEMENTS, least_rank: int = 0, shape: Shape | None = None) -> Value:
        return self.pick(elements, lambda value: value.exact and value.tame, shape, least_rank)

    def any(self, least_rank: int = 0) -> Value:
        return self.pick(fits=lambda value: True, least_rank=least_rank)

    def like(self, value: Value, exact: bool = False) -> Value:
        """Another value of the same type."""
        return (
            self.exact([value.element], shape=value.shape) if exact else self.pick([value.element], shape=value.shape)
        )

    def sizes(self, low: int, high: int, count: int) -> list[int]:
        return [self.random.randint(low, high) for _ in range(count)]


def rounded(element: Element, step: float, bound: float, error: float, roundings: float = 1.0) -> Known:
    """What is known after arithmetic that would give multiples of `step` if it were exact."""
    if not element.is_float:
        return INTEGER
    if not bound <= element.limit:
        raise Unfit
    if error == 0 and step >= 2.0**-14 and bound / step <= 2.0**element.significand:
        return Known(step, bound)
    return Known(0.0, bound, error + 4 * roundings * element.eps * bound)


def product(element: Element, a: Known, b: Known, terms: int = 1) -> Known:
    """A sum of `terms` products."""
    error = terms * (a.error * b.bound + b.error * a.bound + a.error * b.error)
    return rounded(element, a.step * b.step, max(1, terms) * a.bound * b.bound, error, math.sqrt(max(1, terms)))


def joined(a: Known, b: Known) -> Known:
    """Some elements of each."""
    return Known(min(a.step, b.step), max(a.bound, b.bound), max(a.error, b.error))
