"""The stages of a Fourier transform: straight-line code for one factor of its length, in two loops.

A stage of the factor `r`, with `m` the product of the factors behind it and `s` of those before it, reads the elements
`q + s (p + m k)`, transforms them, multiplies by roots of unity unless it is the last stage, and writes the results to
`q + s (r p + j)`. What it reads lies at `r` equal distances for every `s`; only what it writes depends on the place of
the stage. So stages of equal factors share a function, also with other transforms of the length. If the last stage is
among them, all say whether they multiply:

    func.call @fourier_radix_8(%a, %b, %roots, %first_root, %m, %s, %multiplies)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, count
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, MemRefType, ModuleOp, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, insert_before, new_op
from ...dialects.shared_attributes import INDEX, index_attribute, memref_type, symbol
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled
from ...ir.functions import private_function
from .butterflies import ComplexArithmetic, Number, transform

TRUE, FALSE = IntegerAttr(1, i1), IntegerAttr(0, i1)


class Form(NamedTuple):
    """What stages have in common that may share a function."""

    length: int
    """Of the whole transform."""
    radix: int
    is_last: bool | None
    """Whether no roots follow. None: a function for both is told."""
    scale: float
    """What results are multiplied by."""
    part: AnyFloat
    lanes: int
    roots: int
    """How many numbers the table of the roots has."""
    fma: bool


class Place(NamedTuple):
    """Where a stage stands in its transform, as numbers or as symbols of a function."""

    first_root: int | SSAValue
    rest: int | SSAValue
    """The product of the factors behind it."""
    stride: int | SSAValue
    """The product of the factors before it."""


def stages_of(
    factors: Sequence[int], scale: float, roots: int, part: AnyFloat, lanes: int, fma: bool
) -> Iterator[tuple[Form, Place]]:
    """The stages of a transform with these `factors` and a table of `roots` numbers, in their order."""
    length, first_root, stride = prod(factors), 0, 1
    for position, radix in enumerate(factors):
        rest = length // (stride * radix)
        is_last = position == len(factors) - 1
        yield (
            Form(length, radix, is_last, scale if is_last else 1.0, part, lanes, roots, fma),
            Place(0 if is_last else first_root, rest, stride),
        )
        first_root += 2 * rest * (radix - 1)
        stride *= radix


class Stages:
    """Writes stages where a builder stands, or calls of the functions that they share with others of their form.

    `forms` are those of all stages. Functions go to the end of `module`.
    """

    def __init__(self, module: ModuleOp, forms: Sequence[Form], model: CostModel) -> None:
        self.module = module
        self.model = model
        self.forms = Counter(forms)
        self.counts = Counter(map(self._shared, forms))
        self.functions: dict[Form, str] = {}

    def _shared(self, form: Form) -> Form:
        """The form of a function for stages of `form`: for the last ones too, where these only leave out the roots.
        One of each is no function: their code in place is as long.
        """
        counts = [self.forms[form._replace(is_last=is_last)] for is_last in (True, False)]
        return form._replace(is_last=None) if all(counts) and sum(counts) > 2 else form

    def emit(
        self, form: Form, place: Place, builder: AffineBuilder, source: SSAValue, target: SSAValue, roots: SSAValue
    ) -> None:
        """One stage, from `source` to `target`."""
        shared = self._shared(form)
        if self.counts[shared] == 1 or form.radix < self.model.fourier.shared_radix:
            _write(form, place, builder, source, target, roots)
            return
        if shared not in self.functions:
            self.functions[shared] = self._function(shared)
        numbers = [builder.constant(index_attribute(cast(int, number)), INDEX) for number in place]
        if shared.is_last is None:
            numbers.append(builder.constant(TRUE if not form.is_last else FALSE, i1))
        callee = {"callee": symbol(self.functions[shared])}
        builder.insert(new_op(func.CallOp, [source, target, roots, *numbers], (), callee))

    def _function(self, form: Form) -> str:
        scratch = scratch_type(form.length, form.lanes, form.part)
        roots_type = memref_type(cast(Attribute, form.part), form.roots)
        told = [i1] if form.is_last is None else []
        block = Block(arg_types=[scratch, scratch, roots_type, *[INDEX] * len(Place._fields), *told])
        source, target, roots, *symbols = block.args
        place, multiplies = Place(*symbols[:3]), symbols[3] if told else None
        _write(form, place, SymbolicBuilder(block), source, target, roots, multiplies)
        names = {op.sym_name.data for op in self.module.ops if isinstance(op, func.FuncOp)}
        base = f"fourier_radix_{form.radix}"
        name = next(name for name in chain([base], (f"{base}_{i}" for i in count(1))) if name not in names)
        append(self.module.body.block, private_function(name, block, {}))
        return name


def scratch_type(length: int, lanes: int, part: AnyFloat) -> MemRefType:
    """A copy of a vector of lines: for each element a vector of real and one of imaginary parts."""
    return memref_type(cast(Attribute, part), 2 * length * lanes)


def _write(
    form: Form,
    place: Place,
    builder: AffineBuilder,
    source: SSAValue,
    target: SSAValue,
    roots: SSAValue,
    multiplies: SSAValue | None = None,
) -> None:
    arithmetic = ComplexArithmetic(builder, form.part, form.lanes, form.fma)
    radix, lanes, element = form.radix, form.lanes, 2 * form.lanes
    distance = form.length // radix * element
    targets = [_times(builder, place.stride, j * element) for j in range(radix)]
    with builder.loop(place.rest) as p:
        factors: list[Number] = []
        if not form.is_last:
            at = builder.move(_times(builder, place.first_root), scaled(index_of(p), 2 * (radix - 1)))
            factors = [
                Number(*(arithmetic.broadcast(builder.load(roots, at, j + part), arithmetic.vector) for part in (0, 1)))
                for j in range(0, 2 * (radix - 1), 2)
            ]
        line = builder.product(p, place.stride)
        with builder.loop(place.stride) as q:
            inside = scaled(index_of(q), element)
            read = builder.base(plus(inside, scaled(line, element)))
            write = builder.base(plus(inside, scaled(line, radix * element)))
            values = [
                Number(*(builder.load(source, read, at + part, arithmetic.vector) for part in (0, lanes)))
                for at in range(0, radix * distance, distance)
            ]
            results = transform(values, -1, arithmetic)
            if multiplies is not None:
                results = [results[0], *_times_where(multiplies, results[1:], factors, arithmetic)]
            elif factors:
                results = [results[0], *map(arithmetic.times, results[1:], factors)]
            if form.scale != 1:
                scale = arithmetic.constant(form.scale)
                results = [arithmetic.scaled(value, scale) for value in results]
            for value, offset in zip(results, targets, strict=True):
                at = builder.move(write, index_of(offset.value))
                for part, number in zip((0, lanes), value, strict=True):
                    builder.store(number, target, at, offset.offset + part)


def _times_where(
    condition: SSAValue, numbers: Sequence[Number], factors: Sequence[Number], arithmetic: ComplexArithmetic
) -> list[Number]:
    """`numbers` times `factors` where `condition` holds, otherwise `numbers`."""
    builder = arithmetic.builder
    with builder.into(Block()):
        products = [part for pair in zip(numbers, factors, strict=True) for part in arithmetic.times(*pair)]
        builder.insert(new_op(scf.YieldOp, operands=products))
        taken = builder.block
    unchanged = [part for number in numbers for part in number]
    branches = [Region(taken), Region(Block([new_op(scf.YieldOp, operands=unchanged)]))]
    op = new_op(scf.IfOp, operands=[condition], result_types=[part.type for part in products], regions=branches)
    builder.insert(op)
    return [Number(*op.results[i : i + 2]) for i in range(0, len(op.results), 2)]


def _times(builder: AffineBuilder, index: int | SSAValue, factor: int = 1) -> Base:
    return Base(None, index * factor) if isinstance(index, int) else builder.base({index: factor})


class SymbolicBuilder(AffineBuilder):
    """An `AffineBuilder` for the body of a function, where loops may have symbols for bounds and distances.

    Affine maps have no products of variables and symbols, so addresses are `arith` ops, and accesses those of `memref`
    and `vector`; constants stand at the top of the function.
    """

    loads, stores = (memref.LoadOp, vector.LoadOp), (memref.StoreOp, vector.StoreOp)

    def __init__(self, entry: Block) -> None:
        super().__init__(entry)
        self.entry = entry
        self.constants: dict[int, SSAValue] = {}

    def number(self, value: int) -> SSAValue:
        """An index constant."""
        found = self.constants.get(value)
        if found is None:
            op = new_op(arith.ConstantOp, result_types=[INDEX], properties={"value": index_attribute(value)})
            first = self.entry.first_op
            if first is None:
                append(self.entry, op)
            else:
                insert_before(op, first)
            found = self.constants[value] = op.result
        return found

    def _index(self, op: type[Operation], left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(new_op(op, operands=[left, right], result_types=[INDEX]))

    def base(self, terms: Terms, offset: int = 0) -> Base:
        total: SSAValue | None = None
        for value, factor in terms.items():
            if factor:
                term = value if factor == 1 else self._index(arith.MuliOp, value, self.number(factor))
                total = term if total is None else self._index(arith.AddiOp, total, term)
        return Base(total, offset)

    def product(self, value: SSAValue | None, factor: int | SSAValue) -> Terms:
        if value is None or isinstance(factor, int):
            return super().product(value, factor)
        return {self._index(arith.MuliOp, value, factor): 1}

    def _access(self, base: Base, offset: int) -> tuple[list[SSAValue], dict[str, Attribute]]:
        offset += base.offset
        if base.value is None:
            return [self.number(offset)], {}
        return [self._index(arith.AddiOp, base.value, self.number(offset)) if offset else base.value], {}
