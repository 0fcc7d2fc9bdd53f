"""Random StableHLO programs whose results do not depend on how floats are rounded.

`generate(seed)` is a module with one public function, the inputs to call it with and, for each op of the entry, how far
its results may be off. Floats start on a grid of eighths in [-4, 4]. What is known about a value (its grid, if all
elements still are on one and no rounding has happened, its magnitude, the error it may carry) follows it through the
ops. Ops that are not continuous (comparisons, rounding to integers, sorting) and those whose derivative is
unbounded get values that are exact; sums and products take any finite ones and pass the error on. So a difference
outside the tolerance is a bug.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..dialects import stablehlo as hlo
from ..dialects.printing import ExactPrinter
from ..dialects.stablehlo.attributes import (
    ComparisonDirection,
    ConvDimensionNumbersAttr,
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)
from ..dialects.stablehlo.conv_dimensions import ConvDimensions
from ..dialects.stablehlo.windows import Window

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


def generate(seed: int) -> Program:
    """The program number `seed`."""
    return _Generator(seed).program()


def _tensor(element: Element, shape: Sequence[int]) -> TensorType[Attribute]:
    return TensorType(element.attribute, shape)


def region(types: Sequence[Attribute], body: Callable[[Block], Sequence[SSAValue]]) -> Region:
    """A region of one block that returns what `body` gives."""
    block = Block(arg_types=types)
    block.add_op(hlo.ReturnOp(*body(block)))
    return Region(block)


def _append(block: Block, op: Operation) -> SSAValue:
    block.add_op(op)
    return op.results[0]


@dataclass
class _Generator:
    seed: int
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
        wanted = self.random.randint(3, 15)
        made = 0
        while made < wanted:
            ops, kept = len(self.entry.ops), len(self.values)
            try:
                self.random.choices(EMITTERS, WEIGHTS)[0](self)
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
        ssa = self.entry.insert_arg(_tensor(element, shape), len(self.entry.args))
        value = Value(ssa, element, shape, known)
        self.values.append(value)
        return value

    def constant(self, element: Element, array: np.ndarray) -> Operation:
        flat = [float(x) if element.is_float else int(x) for x in np.asarray(array).reshape(-1)]
        type = _tensor(element, np.shape(array))
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


# -- elementwise -------------------------------------------------------------------------------------------------

INTEGER_UNARY = [hlo.NegOp, hlo.NotOp, hlo.PopulationCountOp, hlo.ClzOp]
LIPSCHITZ = [hlo.TanhOp, hlo.SineOp, hlo.CosineOp, hlo.LogisticOp]
EXACT_ONLY = [hlo.CbrtOp, hlo.SqrtOp, hlo.LogOp, hlo.Log1pOp, hlo.TanOp]
ROUNDING = [hlo.FloorOp, hlo.CeilOp, hlo.RoundOp, hlo.RoundNearestEvenOp, hlo.SignOp]
OTHER = [hlo.NegOp, hlo.AbsOp, hlo.ExpOp, hlo.Expm1Op]


def _unary(g: _Generator) -> None:
    group = g.random.choice(
        [INTEGER_UNARY, LIPSCHITZ, EXACT_ONLY, ROUNDING, [hlo.NegOp, hlo.AbsOp, hlo.ExpOp, hlo.Expm1Op]]
    )
    make = g.random.choice(group)
    if group is INTEGER_UNARY:
        x = g.pick([*INTEGERS, BOOL] if make is hlo.NotOp else INTEGERS)
        known = INTEGER
    elif group is LIPSCHITZ:
        x = g.pick(FLOATS)
        known = rounded(x.element, 0, 1.0, x.known.error)
    elif group is EXACT_ONLY:
        x, known = g.exact(FLOATS), WILD
    elif group is ROUNDING:
        x = g.exact(FLOATS if make is not hlo.SignOp else FLOATS + SIGNED)
        known = rounded(x.element, 1.0, x.known.bound + 1, 0)
    else:
        x = g.pick(FLOATS)
        known = x.known
        if make in (hlo.ExpOp, hlo.Expm1Op):
            if x.known.bound > 4:
                raise Unfit
            known = rounded(x.element, 0, math.exp(x.known.bound), 2 * x.known.error * math.exp(x.known.bound), 2)
    g.keep(make(x.ssa), x.element, x.shape, known)


INTEGER_BINARY = [
    hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.DivOp, hlo.RemOp, hlo.MaxOp, hlo.MinOp, hlo.AndOp, hlo.OrOp, hlo.XorOp,
    hlo.ShiftLeftOp, hlo.ShiftRightArithmeticOp, hlo.ShiftRightLogicalOp,
]  # fmt: skip
BOOLEAN_BINARY = [hlo.AndOp, hlo.OrOp, hlo.XorOp, hlo.AddOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp]


def _integer_binary(g: _Generator) -> None:
    x = g.pick([*INTEGERS, BOOL])
    make = g.random.choice(BOOLEAN_BINARY if x.element is BOOL else INTEGER_BINARY)
    g.keep(make(x.ssa, g.like(x).ssa), x.element, x.shape, INTEGER)


def _float_binary(g: _Generator) -> None:
    x = g.pick(FLOATS)
    y, a = g.like(x), x.known
    b = y.known
    make = g.random.choice([hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp])
    if make in (hlo.MaxOp, hlo.MinOp):
        known = joined(a, b)
    elif make is hlo.MulOp:
        known = product(x.element, a, b)
    else:
        known = rounded(x.element, min(a.step, b.step), a.bound + b.bound, a.error + b.error)
    g.keep(make(x.ssa, y.ssa), x.element, x.shape, known)


def _guarded(g: _Generator) -> None:
    """Division and the like by `|y| + 1/2`."""
    x = g.exact(FLOATS)
    y = g.like(x, exact=True)
    half = g.scalar(x.element, 0.5)
    spread = g.add(hlo.BroadcastInDimOp(half, [], x.ssa.type))
    positive = hlo.AbsOp(y.ssa)
    divisor_known = rounded(x.element, min(y.known.step, 0.5), y.known.bound + 0.5, 0)
    sum_op = hlo.AddOp(g.add(positive), spread)
    divisor = g.add(sum_op, divisor_known.error)
    if divisor_known.step == 0:
        raise Unfit
    kind = g.random.choice(["divide", "rsqrt", "atan2", "power"])
    if kind == "divide":
        op, bound = hlo.DivOp(x.ssa, divisor), 2 * x.known.bound
    elif kind == "rsqrt":
        op, bound = hlo.RsqrtOp(divisor), 2.0
    elif kind == "atan2":
        op, bound = hlo.Atan2Op(x.ssa, divisor), 4.0
    else:
        if x.known.bound > 4 or y.known.bound > 4:
            raise Unfit
        op, bound = hlo.PowOp(divisor, x.ssa), 4.5**4
    g.keep(op, x.element, x.shape, rounded(x.element, 0, bound, 0, 2))


DIRECTIONS = list(ComparisonDirection)


def _compare(g: _Generator) -> None:
    x = g.exact()
    y = g.like(x, exact=True)
    g.keep(hlo.CompareOp(x.ssa, y.ssa, g.random.choice(DIRECTIONS)), BOOL, x.shape, INTEGER)


def _is_finite(g: _Generator) -> None:
    x = g.pick(FLOATS, lambda value: True)
    g.keep(hlo.IsFiniteOp(x.ssa), BOOL, x.shape, INTEGER)


def _select(g: _Generator) -> None:
    x = g.any()
    y = g.like(x)
    pred = g.pick([BOOL], shape=() if g.random.random() < 0.2 else x.shape)
    g.keep(hlo.SelectOp(pred.ssa, x.ssa, y.ssa), x.element, x.shape, joined(x.known, y.known))


def _clamp(g: _Generator) -> None:
    x = g.pick([*INTEGERS, *FLOATS])
    scalar = g.random.random() < 0.5
    low, high = (g.pick([x.element], shape=() if scalar else x.shape) for _ in range(2))
    g.keep(hlo.ClampOp(low.ssa, x.ssa, high.ssa), x.element, x.shape, joined(joined(low.known, x.known), high.known))


def _convert(g: _Generator) -> None:
    target = g.random.choice(ELEMENTS)
    x = g.exact() if not target.is_float else g.pick()
    known = INTEGER
    if target.is_float and x.element.is_float:
        known = rounded(target, x.known.step, x.known.bound, x.known.error)
    elif target.is_float:
        known = Known(1.0, 256.0) if x.element.dtype.itemsize == 1 else WILD
    elif x.element.is_float and target is not BOOL:
        if target.dtype.kind == "u" or x.known.bound > np.iinfo(target.dtype).max:
            raise Unfit
    if x.element.is_float or target.dtype != np.bool_ or x.element in INTEGERS:
        g.keep(hlo.ConvertOp(x.ssa, target.attribute), target, x.shape, known)


def _bitcast(g: _Generator) -> None:
    x = g.pick(INTEGERS)
    target = g.random.choice([*INTEGERS, *FLOATS])
    old, new = x.element.dtype.itemsize, target.dtype.itemsize
    shape = x.shape
    if new < old:
        shape = (*x.shape, old // new)
    elif new > old:
        if not shape or shape[-1] != new // old:
            raise Unfit
        shape = shape[:-1]
    known = WILD if target.is_float else INTEGER
    g.keep(hlo.BitcastConvertOp(x.ssa, _tensor(target, shape)), target, shape, known)


def _reduce_precision(g: _Generator) -> None:
    x = g.exact(FLOATS)
    if x.known.bound > 1000 or x.known.step < 2**-10:
        raise Unfit
    bits = g.random.randint(1, 10)
    op = hlo.ReducePrecisionOp(x.ssa, g.random.choice([5, 8]), bits)
    g.keep(op, x.element, x.shape, replace(x.known, bound=2 * x.known.bound))


# -- data movement -----------------------------------------------------------------------------------------------


def _iota(g: _Generator) -> None:
    shape = g.shape(g.random.randint(1, 4))
    dim = g.random.randrange(len(shape))
    element = g.random.choice([*INTEGERS, *FLOATS])
    g.keep(hlo.IotaOp(dim, _tensor(element, shape)), element, shape, rounded(element, 1.0, float(shape[dim]), 0))


def _broadcast(g: _Generator) -> None:
    x = g.any()
    rank = g.random.randint(len(x.shape), max(5, len(x.shape)))
    dims = g.random.sample(range(rank), len(x.shape))
    shape = list(g.shape(rank, 64))
    for size, dim in zip(x.shape, dims, strict=True):
        if size != 1:
            shape[dim] = size
    if math.prod(shape) > MAX_ELEMENTS:
        raise Unfit
    g.keep(hlo.BroadcastInDimOp(x.ssa, dims, _tensor(x.element, shape)), x.element, tuple(shape), x.known)


def _reshape(g: _Generator) -> None:
    x = g.any()
    if x.size == 0:
        shape = (*g.shape(g.random.randint(0, 2), 16), 0)
    else:
        factors: list[int] = []
        rest = x.size
        for prime in (2, 3, 5, 7, 11, 13, 17):
            while rest % prime == 0:
                factors.append(prime)
                rest //= prime
        rank = g.random.randint(1 if x.size > 1 else 0, 5)
        sizes = [1] * rank
        for factor in [*factors, rest] if rank else []:
            sizes[g.random.randrange(rank)] *= factor
        shape = tuple(sizes)
    g.keep(hlo.ReshapeOp(x.ssa, shape), x.element, shape, x.known)


def _transpose(g: _Generator) -> None:
    x = g.any(1)
    permutation = g.random.sample(range(len(x.shape)), len(x.shape))
    g.keep(hlo.TransposeOp(x.ssa, permutation), x.element, tuple(x.shape[d] for d in permutation), x.known)


def _reverse(g: _Generator) -> None:
    x = g.any(1)
    dims = g.random.sample(range(len(x.shape)), g.random.randint(0, len(x.shape)))
    g.keep(hlo.ReverseOp(x.ssa, dims), x.element, x.shape, x.known)


def _slice(g: _Generator) -> None:
    x = g.any(1)
    starts = [g.random.randint(0, n) if g.random.random() < 0.1 else g.random.randint(0, n // 2) for n in x.shape]
    limits = [g.random.randint(s, n) if g.random.random() < 0.5 else n for s, n in zip(starts, x.shape, strict=True)]
    strides = [g.random.choice([1, 1, 2, 3]) for _ in x.shape]
    shape = tuple(-((s - e) // k) for s, e, k in zip(starts, limits, strides, strict=True))
    g.keep(hlo.SliceOp(x.ssa, starts, limits, strides), x.element, shape, x.known)


def _pad(g: _Generator) -> None:
    x = g.any()
    padding = g.pick([x.element], shape=())
    rank = len(x.shape)
    low, high, interior = g.sizes(-2, 3, rank), g.sizes(-2, 3, rank), [g.random.choice([0, 0, 1, 2]) for _ in x.shape]
    zipped = zip(x.shape, low, high, interior, strict=True)
    shape = tuple(a + b + n + max(n - 1, 0) * i for n, a, b, i in zipped)
    if any(n < 0 for n in shape):
        raise Unfit
    known = joined(x.known, padding.known)
    g.keep(hlo.PadOp(x.ssa, padding.ssa, low, high, interior), x.element, shape, known)


def _concatenate(g: _Generator) -> None:
    x = g.any(1)
    dim = g.random.randrange(len(x.shape))
    parts = [x]
    for _ in range(g.random.randint(0, 3)):
        shape = list(x.shape)
        if g.random.random() < 0.5:
            shape[dim] = g.random.randint(0, 5)
        parts.append(g.pick([x.element], lambda value: True, tuple(shape)))
    g.random.shuffle(parts)
    known = parts[0].known
    for part in parts[1:]:
        known = joined(known, part.known)
    shape = (*x.shape[:dim], sum(p.shape[dim] for p in parts), *x.shape[dim + 1 :])
    g.keep(hlo.ConcatenateOp([p.ssa for p in parts], dim), x.element, shape, known)


# -- indexing ----------------------------------------------------------------------------------------------------


def _starts(g: _Generator, count: int) -> list[SSAValue]:
    element = g.random.choice(INTEGERS)
    return [g.argument(element, (), -2).ssa for _ in range(count)]


def _dynamic_slice(g: _Generator) -> None:
    x = g.any(1)
    sizes = tuple(g.random.randint(min(1, n), n) for n in x.shape)
    g.keep(hlo.DynamicSliceOp(x.ssa, _starts(g, len(sizes)), sizes), x.element, sizes, x.known)


def _dynamic_update_slice(g: _Generator) -> None:
    x = g.any(1)
    update = g.pick([x.element], lambda value: True, tuple(g.random.randint(min(1, n), n) for n in x.shape))
    op = hlo.DynamicUpdateSliceOp(x.ssa, update.ssa, _starts(g, len(x.shape)))
    g.keep(op, x.element, x.shape, joined(x.known, update.known))


class _Indexing(NamedTuple):
    """Dimension numbers of a gather, and of a scatter into the same shape."""

    indices: Value
    window_dims: Shape
    dropped: Shape
    batching: Shape
    indices_batching: Shape
    index_map: Shape
    vector_dim: int
    slice_sizes: Shape
    result: Shape


def _indexing(g: _Generator, shape: Shape) -> _Indexing:
    dims = g.random.sample(range(len(shape)), len(shape))
    if 0 in shape:
        raise Unfit
    batch_count = g.random.choice([0, 0, 0, 1]) if len(dims) > 1 else 0
    batching, dims = sorted(dims[:batch_count]), dims[batch_count:]
    dropped = sorted(g.random.sample(dims, g.random.randint(0, len(dims))))
    index_map = g.random.sample(dims, g.random.randint(1, len(dims)))
    slice_sizes = [1 if d in dropped or d in batching else g.random.randint(1, n) for d, n in enumerate(shape)]
    batch = g.sizes(1, 4, g.random.randint(0, 2))
    indices_batching: list[int] = []
    for d in batching:
        place = g.random.randint(0, len(batch))
        batch.insert(place, shape[d])
        indices_batching = [p + (p >= place) for p in indices_batching] + [place]
    vector_dim = g.random.randint(0, len(batch))
    indices_shape = list(batch)
    if len(index_map) == 1 and g.random.random() < 0.3:
        vector_dim = len(batch)
    else:
        indices_shape.insert(vector_dim, len(index_map))
        indices_batching = [p + (p >= vector_dim) for p in indices_batching]
    indices = g.argument(g.random.choice(INTEGERS), tuple(indices_shape), -2, 9)
    window = [n for d, n in enumerate(slice_sizes) if d not in dropped and d not in batching]
    rank = len(window) + len(batch)
    window_dims = sorted(g.random.sample(range(rank), len(window)))
    sizes, places = iter(window), iter(batch)
    result = tuple(next(sizes) if d in window_dims else next(places) for d in range(rank))
    return _Indexing(
        indices, tuple(window_dims), tuple(dropped), tuple(batching), tuple(indices_batching), tuple(index_map),
        vector_dim, tuple(slice_sizes), result,
    )  # fmt: skip


def _gather(g: _Generator) -> None:
    x = g.any(1)
    at = _indexing(g, x.shape)
    numbers = GatherDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    g.keep(hlo.GatherOp(x.ssa, at.indices.ssa, numbers, at.slice_sizes), x.element, at.result, x.known)


def _scatter(g: _Generator) -> None:
    x = g.exact([*INTEGERS, *FLOATS], 1)
    at = _indexing(g, x.shape)
    update = g.exact([x.element], shape=at.result)
    make = g.random.choice([hlo.AddOp, hlo.MaxOp, hlo.MinOp])
    known = joined(x.known, update.known)
    if make is hlo.AddOp:
        bound = x.known.bound + update.size * update.known.bound
        known = rounded(x.element, known.step, bound, 0, math.sqrt(update.size + 1))
    numbers = ScatterDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    op = hlo.ScatterOp([x.ssa], at.indices.ssa, [update.ssa], numbers, _reducer(x.element, make))
    g.keep(op, x.element, x.shape, known)


# -- reductions --------------------------------------------------------------------------------------------------

Binary = Callable[[SSAValue, SSAValue], Operation]


def _reducer(element: Element, make: Binary) -> Region:
    scalar = _tensor(element, ())
    return region([scalar, scalar], lambda block: [_append(block, make(block.args[0], block.args[1]))])


def _combiner(g: _Generator, element: Element) -> tuple[Binary, float]:
    """An associative op and a value it may start from."""
    if element.is_float:
        return g.random.choice([(hlo.AddOp, 0.0), (hlo.MaxOp, -8.0), (hlo.MinOp, 8.0)])
    choices: list[tuple[Binary, float]] = [(hlo.AndOp, 1), (hlo.OrOp, 0), (hlo.MaxOp, 0), (hlo.MinOp, 1)]
    if element is not BOOL:
        choices += [(hlo.AddOp, 0), (hlo.MulOp, 1), (hlo.XorOp, 3)]
    return g.random.choice(choices)


def _reduced(x: Value, make: Binary, terms: int) -> Known:
    start = Known(1.0, 8.0)
    if make is not hlo.AddOp:
        return joined(x.known, start) if x.element.is_float else INTEGER
    terms = max(1, terms)
    return rounded(x.element, x.known.step, terms * x.known.bound, terms * x.known.error, math.sqrt(terms))


def _reduce(g: _Generator) -> None:
    x = g.pick(least_rank=1)
    dims = sorted(g.random.sample(range(len(x.shape)), g.random.randint(1, len(x.shape))))
    make, start = _combiner(g, x.element)
    known = _reduced(x, make, math.prod(x.shape[d] for d in dims))
    op = hlo.ReduceOp([x.ssa], [g.scalar(x.element, start)], dims, _reducer(x.element, make))
    g.keep(op, x.element, tuple(n for d, n in enumerate(x.shape) if d not in dims), known)


def _argmax(g: _Generator) -> None:
    """A reduction of values with their indices; the first of equal ones wins."""
    x = g.exact([*INTEGERS, *FLOATS], 1)
    dim = g.random.randrange(len(x.shape))
    index = g.add(hlo.IotaOp(dim, _tensor(I32, x.shape)))
    a, i = _tensor(x.element, ()), _tensor(I32, ())

    def body(block: Block) -> list[SSAValue]:
        value, place, other, other_place = block.args
        greater = _append(block, hlo.CompareOp(value, other, ComparisonDirection.GT))
        equal = _append(block, hlo.CompareOp(value, other, ComparisonDirection.EQ))
        before = _append(block, hlo.CompareOp(place, other_place, ComparisonDirection.LT))
        first = _append(block, hlo.AndOp(equal, before))
        mine = _append(block, hlo.OrOp(greater, first))
        return [
            _append(block, hlo.SelectOp(mine, value, other)),
            _append(block, hlo.SelectOp(mine, place, other_place)),
        ]

    starts = [g.scalar(x.element, 0), g.scalar(I32, 0)]
    op = hlo.ReduceOp([x.ssa, index], starts, [dim], region([a, i, a, i], body))
    shape = tuple(n for d, n in enumerate(x.shape) if d != dim)
    g.keep(op, x.element, shape, joined(x.known, Known(1.0, 0.0)))
    g.errors[op] = [0.0, 0.0]
    g.values.append(Value(op.results[1], I32, shape, INTEGER))


def _window(g: _Generator, shape: Shape, dilated: bool = True) -> Window:
    rank = len(shape)
    ones = (1,) * rank
    return Window(
        tuple(g.random.randint(1, 3) for _ in shape),
        tuple(g.sizes(1, 3, rank)),
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple((g.random.randint(-1, 2), g.random.randint(-1, 2)) for _ in shape),
    )


def _reduce_window(g: _Generator) -> None:
    x = g.pick(least_rank=1)
    window = _window(g, x.shape)
    if any(sum(pad) + n < 1 for pad, n in zip(window.padding, x.shape, strict=True)):
        raise Unfit
    make, start = _combiner(g, x.element)
    known = _reduced(x, make, math.prod(window.sizes))
    op = hlo.ReduceWindowOp([x.ssa], [g.scalar(x.element, start)], window, _reducer(x.element, make))
    g.keep(op, x.element, window.counts(x.shape), known)


def _sort(g: _Generator) -> None:
    x = g.exact(least_rank=1)
    others = [g.pick(fits=lambda value: True, shape=x.shape)] if g.random.random() < 0.5 else []
    direction = g.random.choice([ComparisonDirection.LT, ComparisonDirection.GT])
    types = [_tensor(v.element, ()) for v in (x, *others) for _ in range(2)]
    comparator = region(types, lambda b: [_append(b, hlo.CompareOp(b.args[0], b.args[1], direction))])
    op = hlo.SortOp([v.ssa for v in (x, *others)], comparator, g.random.randrange(len(x.shape)), True)
    g.keep(op, x.element, x.shape, x.known)
    g.errors[op] = [v.known.error for v in (x, *others)]
    for value, result in zip(others, op.results[1:], strict=True):
        g.values.append(replace(value, ssa=result))


# -- contractions ------------------------------------------------------------------------------------------------


def _dot_general(g: _Generator) -> None:
    x = g.pick([*INTEGERS, *FLOATS], least_rank=1)
    dims = g.random.sample(range(len(x.shape)), len(x.shape))
    contracted = dims[: g.random.randint(0, min(2, len(dims)))]
    batch = dims[len(contracted) :][: g.random.choice([0, 0, 1])]
    roles: list[int | None] = [*batch, *contracted, *[None] * g.random.randint(0, 2)]
    g.random.shuffle(roles)
    shape = tuple(g.random.randint(1, 9) if d is None else x.shape[d] for d in roles)
    y = g.pick([x.element], shape=shape)
    numbers = DotDimensionNumbersAttr.of(
        lhs_batching_dimensions=batch,
        rhs_batching_dimensions=[roles.index(d) for d in batch],
        lhs_contracting_dimensions=contracted,
        rhs_contracting_dimensions=[roles.index(d) for d in contracted],
    )
    result = hlo.DotGeneralOp.infer_shape(x.shape, shape, numbers)
    known = product(x.element, x.known, y.known, math.prod(x.shape[d] for d in contracted))
    if math.prod(result) > MAX_ELEMENTS:
        raise Unfit
    g.keep(hlo.DotGeneralOp(x.ssa, y.ssa, numbers), x.element, result, known)


def _convolution(g: _Generator) -> None:
    element = g.random.choice([*FLOATS, *FLOATS, *INTEGERS])
    rank = g.random.randint(1, 3)
    features, batches = g.random.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
    spatial = tuple(g.random.randint(3, (24, 9, 5)[rank - 1]) for _ in range(rank))
    inner, outer = g.random.randint(1, 3), g.random.randint(1, 3) * features * batches
    window = _window(g, spatial)
    sizes = (
        {"b": g.random.randint(1, 2) * batches, "f": inner * features, **dict(zip("012", spatial, strict=False))},
        {"i": inner, "o": outer, **dict(zip("012", window.sizes, strict=False))},
    )
    input_order, kernel_order = (g.random.sample(list(s), len(s)) for s in sizes)
    output_order = g.random.sample(input_order, len(input_order))
    axes = "012"[:rank]

    def places(order: list[str], first: str, second: str) -> tuple[int, int, Shape]:
        return order.index(first), order.index(second), tuple(order.index(a) for a in axes)

    dims = ConvDimensions(
        *places(input_order, "b", "f"), *places(kernel_order, "i", "o"), *places(output_order, "b", "f")
    )
    x = g.argument(element, tuple(sizes[0][a] for a in input_order))
    y = g.argument(element, tuple(sizes[1][a] for a in kernel_order))
    known = product(element, x.known, y.known, inner * math.prod(window.sizes))
    op = hlo.ConvolutionOp(
        x.ssa,
        y.ssa,
        ConvDimensionNumbersAttr(dims),
        window_strides=window.strides,
        padding=window.padding,
        lhs_dilation=window.base_dilations,
        rhs_dilation=window.window_dilations,
        window_reversal=[g.random.random() < 0.2 for _ in axes],
        feature_group_count=features,
        batch_group_count=batches,
    )
    result = op.results[0].type
    assert isinstance(result, TensorType)
    g.keep(op, element, result.get_shape(), known)


# -- control flow ------------------------------------------------------------------------------------------------


def _while(g: _Generator) -> None:
    """A loop that writes slices one after the other, or mixes its value with another one."""
    x = g.exact([*INTEGERS, *FLOATS], 1)
    if x.shape[0] == 0 or x.known.step * 2**-4 < 2**-14:
        raise Unfit
    y = g.like(x, exact=True)
    counter = g.scalar(I32, 0)
    limit = g.scalar(I32, g.random.randint(0, 4))
    half = g.scalar(x.element, 0.5 if x.element.is_float else 3)
    writes = g.random.random() < 0.5

    def body(block: Block) -> list[SSAValue]:
        one = _append(block, g.constant(I32, np.asarray(1)))
        if writes:
            zero = _append(block, g.constant(I32, np.asarray(0)))
            starts = [block.args[0], *[zero] * (len(x.shape) - 1)]
            row = _append(block, hlo.DynamicSliceOp(y.ssa, starts, (1, *x.shape[1:])))
            row = _append(block, hlo.ReverseOp(row, [len(x.shape) - 1]))
            new = _append(block, hlo.DynamicUpdateSliceOp(block.args[1], row, starts))
        else:
            factor = _append(block, hlo.BroadcastInDimOp(half, [], x.ssa.type))
            new = _append(block, hlo.AddOp(_append(block, hlo.MulOp(block.args[1], factor)), y.ssa))
        return [_append(block, hlo.AddOp(block.args[0], one)), new]

    types = [counter.type, x.ssa.type]
    cond = region(types, lambda b: [_append(b, hlo.CompareOp(b.args[0], limit, ComparisonDirection.LT))])
    known = joined(x.known, y.known)
    if not writes and x.element.is_float:
        known = rounded(x.element, known.step / 16, x.known.bound + 2 * y.known.bound, 0, 4)
    op = hlo.WhileOp([counter, x.ssa], cond, region(types, body))
    g.add(op, 0.0, known.error)
    g.values.append(Value(op.results[1], x.element, x.shape, known))


def _branch(g: _Generator, x: Value, y: Value) -> Region:
    choices: list[Callable[[Block], SSAValue]] = [lambda b: x.ssa, lambda b: y.ssa]
    if x.shape:
        choices.append(lambda b: _append(b, hlo.ReverseOp(x.ssa, [0])))
    if x.element is not BOOL:
        choices.append(lambda b: _append(b, hlo.MaxOp(x.ssa, y.ssa)))
    choice = g.random.choice(choices)
    return region([], lambda block: [choice(block)])


def _if(g: _Generator) -> None:
    x = g.pick()
    y, pred = g.like(x), g.pick([BOOL], shape=())
    op = hlo.IfOp(pred.ssa, _branch(g, x, y), _branch(g, x, y))
    g.keep(op, x.element, x.shape, joined(x.known, y.known))


def _case(g: _Generator) -> None:
    x = g.pick()
    y, index = g.like(x), g.argument(I32, (), -1)
    op = hlo.CaseOp(index.ssa, [_branch(g, x, y) for _ in range(g.random.randint(1, 4))])
    g.keep(op, x.element, x.shape, joined(x.known, y.known))


def _call(g: _Generator) -> None:
    x = g.pick()
    y = g.like(x)
    type = x.ssa.type
    block = Block(arg_types=[type, type])
    lhs, rhs = block.args
    result = _append(block, hlo.OrOp(lhs, rhs) if x.element is BOOL else hlo.MinOp(lhs, rhs))
    block.add_op(FuncReturnOp(result))
    function = FuncOp(f"helper{len(g.helpers)}", ([type, type], [type]), Region(block), visibility="private")
    g.helpers.append(function)
    g.keep(CallOp(function.sym_name.data, [x.ssa, y.ssa], [type]), x.element, x.shape, joined(x.known, y.known))


TABLE: list[tuple[Callable[[_Generator], None], int]] = [
    (_unary, 8), (_integer_binary, 6), (_float_binary, 7), (_guarded, 3), (_compare, 3), (_is_finite, 1), (_select, 3),
    (_clamp, 2), (_convert, 4), (_bitcast, 2), (_reduce_precision, 1), (_iota, 2), (_broadcast, 4), (_reshape, 4),
    (_transpose, 4), (_reverse, 2), (_slice, 4), (_pad, 3), (_concatenate, 3), (_dynamic_slice, 2),
    (_dynamic_update_slice, 2), (_gather, 3), (_scatter, 3), (_reduce, 5), (_argmax, 2), (_reduce_window, 3),
    (_sort, 2), (_dot_general, 4), (_convolution, 2), (_while, 2), (_if, 1), (_case, 1), (_call, 1),
]  # fmt: skip
EMITTERS = [emit for emit, _ in TABLE]
WEIGHTS = [weight for _, weight in TABLE]
