"""Writes affine loop nests: a cursor, loops that move it inwards, linear index expressions over loop variables."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    MemRefType,
    TensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineExpr, AffineMap, AffineSet

from ..decisions.target import CACHE_LINE_BYTES
from ..dialects import locating
from ..dialects.editing import append, insert_before, new_op
from ..dialects.shared_attributes import INDEX, i32_array, i64_attribute, index_attribute, memref_type
from ..dialects.xrt import PrefetchOp

SYMBOL = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),)))
STEP = index_attribute(1)
NO_OPERANDS = ArrayAttr[Any](())

Terms = Mapping[SSAValue, int]
"""A linear form: a factor for each index value."""


Step = Callable[[Sequence[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]]
"""What an iteration makes of the values that loops carry, given their variables."""


class Base(NamedTuple):
    """Where accesses start: a value (`None`: 0) plus a constant."""

    value: SSAValue | None
    offset: int


def plus(*forms: Terms) -> dict[SSAValue, int]:
    """The sum of linear forms."""
    total: dict[SSAValue, int] = {}
    for form in forms:
        for value, factor in form.items():
            total[value] = total.get(value, 0) + factor
    return total


def scaled(form: Terms, factor: int) -> dict[SSAValue, int]:
    """`form * factor`."""
    return {value: own * factor for value, own in form.items()}


def index_of(variable: SSAValue | None) -> dict[SSAValue, int]:
    """The counter of a loop as a linear form: nothing for a loop without a variable."""
    return {} if variable is None else {variable: 1}


def linear_expr(factors: Sequence[int]) -> AffineExpr:
    """`d0 * factors[0] + d1 * factors[1] + ...`"""
    expr = AffineExpr.dimension(0) * factors[0]
    for position, factor in enumerate(factors[1:], 1):
        expr = expr + AffineExpr.dimension(position) * factor
    return expr


@lru_cache(1 << 12)
def _constant_map(*results: int) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(0, 0, tuple(map(AffineExpr.constant, results))))


@lru_cache(1 << 12)
def _moved(offset: int) -> AffineMapAttr:
    """`d0 + offset`"""
    return AffineMapAttr(AffineMap(1, 0, (AffineExpr.dimension(0) + offset,)))


@lru_cache(1 << 12)
def _linear_map(factors: tuple[int, ...]) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(len(factors), 0, (linear_expr(factors),)))


@cache
def _one_group(rank: int) -> Attribute:
    """The reassociation of `rank` dimensions into one."""
    return ArrayAttr([ArrayAttr([i64_attribute(dim) for dim in range(rank)])] if rank else [])


@cache
def _ones(count: int) -> Attribute:
    return DenseIntElementsAttr.from_list(TensorType(i32, [count]), [1] * count)


def for_loop(
    size: int | SSAValue | AffineMap, body: Block, inits: Sequence[SSAValue] = (), operands: Sequence[SSAValue] = ()
) -> affine.ForOp:
    """`affine.for` from 0 to `size` around `body`: a number, a symbol, or the least value of a map of `operands`."""
    if isinstance(size, int):
        upper = _constant_map(size)
    else:
        upper, operands = (AffineMapAttr(size), operands) if isinstance(size, AffineMap) else (SYMBOL, (size,))
    properties = {
        "lowerBoundMap": _constant_map(0),
        "upperBoundMap": upper,
        "step": STEP,
        "operandSegmentSizes": i32_array(0, len(operands), len(inits)),
    }
    types = [value.type for value in inits]
    return new_op(affine.ForOp, [*operands, *inits], types, properties, regions=[Region(body)])


def parallel_loop(sizes: Sequence[int], body: Block) -> affine.ParallelOp:
    """`affine.parallel` over the box of `sizes` around `body`."""
    count = len(sizes)
    properties = {
        "reductions": NO_OPERANDS,
        "lowerBoundsMap": _constant_map(*[0] * count),
        "lowerBoundsGroups": _ones(count),
        "upperBoundsMap": _constant_map(*sizes),
        "upperBoundsGroups": _ones(count),
        "steps": ArrayAttr([i64_attribute(1)] * count),
    }
    return new_op(affine.ParallelOp, (), (), properties, regions=[Region(body)])


def flat_view(value: SSAValue) -> Operation | None:
    """The dense memref `value` in one dimension; None if it has one."""
    source = cast(MemRefType[Attribute], value.type)
    rank = source.get_num_dims()
    if rank == 1:
        return None
    type = memref_type(source.element_type, source.element_count())
    return new_op(memref.CollapseShapeOp, [value], [type], {"reassociation": _one_group(rank)})


def scratch_buffer(type: MemRefType, kind: type[memref.AllocOp | memref.AllocaOp] = memref.AllocOp) -> Operation:
    """Memory that begins at a cache line, not inserted anywhere yet."""
    properties = {"alignment": i64_attribute(CACHE_LINE_BYTES), "operandSegmentSizes": i32_array(0, 0)}
    return new_op(kind, result_types=[type], properties=properties)


class AffineBuilder:
    """Puts ops at a cursor, in front of `anchor` or else at the end of `block`, which loops move inwards for the time
    of a `with`.
    """

    loads: tuple[type[Operation], type[Operation]] = affine.LoadOp, affine.VectorLoadOp
    stores: tuple[type[Operation], type[Operation]] = affine.StoreOp, affine.VectorStoreOp
    """Accesses to an element and to a vector."""

    def __init__(self, block: Block, anchor: Operation | None = None) -> None:
        self.block, self.anchor = block, anchor

    def insert(self, op: Operation) -> None:
        """Puts `op` at the cursor."""
        if locating.is_on:
            locating.mark(op)
        if self.anchor is None:
            append(self.block, op)
        else:
            insert_before(op, self.anchor)

    def add(self, op: Operation) -> SSAValue:
        """Puts `op` at the cursor and returns its first result."""
        self.insert(op)
        return op.results[0]

    @contextmanager
    def into(self, block: Block) -> Generator[None, None, None]:
        """Appends to `block` for a while."""
        outer = self.block, self.anchor
        self.block, self.anchor = block, None
        yield
        self.block, self.anchor = outer

    def constant(self, value: Attribute, result_type: Attribute) -> SSAValue:
        """An `arith.constant`."""
        return self.add(new_op(arith.ConstantOp, result_types=[result_type], properties={"value": value}))

    # Loops

    @contextmanager
    def _inside(self, body: Block) -> Generator[None, None, None]:
        """Appends to `body`, the body of an op, and ends it."""
        with self.into(body):
            yield
            append(body, new_op(affine.YieldOp))

    @contextmanager
    def loop(self, size: int | SSAValue) -> Generator[SSAValue | None, None, None]:
        """`affine.for` from 0 to `size`, a number or a symbol; nothing (and no variable) if that is one step."""
        if size == 1:
            yield None
            return
        body = Block(arg_types=[INDEX])
        self.insert(for_loop(size, body))
        with self._inside(body):
            yield body.args[0]

    def carrying_loops(
        self,
        sizes: Sequence[int],
        inits: Sequence[SSAValue],
        step: Step,
    ) -> Sequence[SSAValue]:
        """A nest of `affine.for` that carries values; `step(variables, values)` returns their successors."""
        types = [value.type for value in inits]
        variables: list[SSAValue] = []
        nest: list[affine.ForOp] = []
        carried: Sequence[SSAValue] = inits
        with ExitStack() as stack:
            for size in sizes:
                body = Block(arg_types=[INDEX, *types])
                nest.append(for_loop(size, body, carried))
                self.insert(nest[-1])
                variables.append(body.args[0])
                carried = body.args[1:]
                stack.enter_context(self.into(body))
            results: Sequence[SSAValue] = step(variables, carried)
        for op in reversed(nest):
            append(op.body.block, new_op(affine.YieldOp, operands=results))
            results = op.results
        return results

    @contextmanager
    def parallel(self, sizes: Sequence[int]) -> Generator[list[SSAValue | None], None, None]:
        """`affine.parallel` over the box of `sizes`; dimensions of one step get no variable."""
        kept = [size for size in sizes if size > 1]
        if not kept:
            yield [None for _ in sizes]
            return
        body = Block(arg_types=[INDEX] * len(kept))
        self.insert(parallel_loop(kept, body))
        variables = iter(body.args)
        with self._inside(body):
            yield [next(variables) if size > 1 else None for size in sizes]

    @contextmanager
    def loops(self, sizes: Sequence[int], parallel: bool) -> Generator[list[SSAValue | None], None, None]:
        """Loops of `sizes` in each other, or one parallel loop; those of one step have no variable."""
        with ExitStack() as stack:
            if parallel:
                yield stack.enter_context(self.parallel(sizes))
            else:
                yield [stack.enter_context(self.loop(size)) for size in sizes]

    @contextmanager
    def where(self, value: SSAValue, least: int | None = None, most: int | None = None) -> Generator[None, None, None]:
        """`affine.if` around what is done where `value` is at least `least` and at most `most`."""
        constraints = tuple(
            AffineConstraintExpr(kind, AffineExpr.dimension(0), AffineExpr.constant(bound))
            for kind, bound in ((AffineConstraintKind.ge, least), (AffineConstraintKind.le, most))
            if bound is not None
        )
        body, condition = Block(), AffineSetAttr(AffineSet(1, 0, constraints))
        regions = [Region(body), Region()]
        self.insert(new_op(affine.IfOp, [value], (), {"condition": condition}, regions=regions))
        with self._inside(body):
            yield

    # Index arithmetic and accesses

    def base(self, terms: Terms, offset: int = 0) -> Base:
        """The value of a linear form, as one index to access from."""
        items = [(value, factor) for value, factor in terms.items() if factor]
        if not items:
            return Base(None, offset)
        if len(items) == 1 and items[0][1] == 1:
            return Base(items[0][0], offset)
        map = _linear_map(tuple(factor for _, factor in items))
        return Base(self.add(new_op(affine.ApplyOp, [value for value, _ in items], [INDEX], {"map": map})), offset)

    def move(self, base: Base, terms: Terms) -> Base:
        """`base` plus a linear form."""
        start = {} if base.value is None else {base.value: 1}
        return self.base(plus(start, terms), base.offset)

    def part_start(self, index: Terms, count: int, span: int, size: int) -> Terms:
        """Where the part number `index` of `count` parts of `span` steps starts, the last one ending at `size`."""
        overlap = count * span - size
        if not index or overlap == 0:
            return scaled(index, span)
        position = linear_expr(list(index.values()))
        expr = position * span - position // (count - 1) * overlap
        return {self.evaluate(expr, list(index)): 1}

    def evaluate(self, expr: AffineExpr, values: Sequence[SSAValue]) -> SSAValue:
        """`affine.apply` of `expr` over `values`."""
        properties = {"map": AffineMapAttr(AffineMap(len(values), 0, (expr,)))}
        return self.add(new_op(affine.ApplyOp, values, [INDEX], properties))

    def product(self, value: SSAValue | None, factor: int | SSAValue) -> Terms:
        """A value (`None`: 0) times a number."""
        assert isinstance(factor, int)
        return {} if value is None else {value: factor}

    def _access(self, base: Base, offset: int) -> tuple[list[SSAValue], dict[str, Attribute]]:
        """The indices and properties of an access to `base + offset`."""
        offset += base.offset
        if base.value is None:
            return [], {"map": _constant_map(offset)}
        return [base.value], {"map": _moved(offset)}

    def load(self, flat: SSAValue, base: Base, offset: int, vector: VectorType | None = None) -> SSAValue:
        """An element, or with `vector` a vector, of the rank-1 memref `flat` at `base + offset`."""
        values, properties = self._access(base, offset)
        type = vector or cast(MemRefType[Attribute], flat.type).element_type
        return self.add(new_op(self.loads[vector is not None], [flat, *values], [type], properties))

    def store(self, value: SSAValue, flat: SSAValue, base: Base, offset: int) -> None:
        """Stores an element or a vector at `base + offset` of the rank-1 memref `flat`."""
        values, properties = self._access(base, offset)
        op_type = self.stores[isinstance(value.type, VectorType)]
        self.insert(new_op(op_type, [value, flat, *values], (), properties))

    def prefetch(self, flat: SSAValue, base: Base, offset: int, lines: int = 1, rows: int = 1, apart: int = 0) -> None:
        """Says that the element of the rank-1 memref `flat` at `base + offset`, which need not exist, will be read, and
        so many cache lines from there on, and the same of rows that are `apart`.
        """
        index = self.index(base, offset)
        properties = {"lines": i64_attribute(lines)} if lines > 1 else {}
        if rows > 1:
            properties |= {"rows": i64_attribute(rows), "apart": i64_attribute(apart)}
        self.insert(new_op(PrefetchOp, operands=[flat, index], properties=properties))

    def index(self, base: Base, offset: int = 0) -> SSAValue:
        """The value of `base + offset`, for ops that take indices."""
        offset += base.offset
        if base.value is not None and not offset:
            return base.value
        values = [] if base.value is None else [base.value]
        map = _moved(offset) if values else _constant_map(offset)
        return self.add(new_op(affine.ApplyOp, values, [INDEX], {"map": map}))

    def allocate(self, element_type: Attribute, size: int) -> SSAValue:
        """Scratch memory of `size` elements."""
        return self.add(scratch_buffer(memref_type(element_type, size)))

    def flatten(self, value: SSAValue) -> SSAValue:
        """A rank-1 view of a dense memref."""
        view = flat_view(value)
        return value if view is None else self.add(view)
