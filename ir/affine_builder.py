"""Writes affine loop nests: a cursor, loops that move it inwards, linear index expressions over loop variables."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    IntegerAttr,
    MemRefType,
    TensorType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineExpr, AffineMap, AffineSet

from ..dialects.editing import append, new_op
from ..dialects.shared_attributes import INDEX, i32_array, i64_attribute, memref_type
from ..dialects.xrt import PrefetchOp

ZERO = AffineMapAttr(AffineMap.constant_map(0))
SYMBOL = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0),)))
STEP = IntegerAttr.from_index_int_value(1)
NO_OPERANDS = ArrayAttr[Any](())

Terms = Mapping[SSAValue, int]
"""A linear form: a factor for each index value."""


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


class AffineBuilder:
    """Appends ops at a cursor, which loops move inwards for the time of a `with`."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._accesses: dict[int, AffineMapAttr] = {}

    def add(self, op: Operation) -> SSAValue:
        """Appends `op` and returns its first result."""
        append(self.block, op)
        return op.results[0]

    def constant(self, value: Attribute, result_type: Attribute) -> SSAValue:
        """An `arith.constant`."""
        return self.add(new_op(arith.ConstantOp, result_types=[result_type], properties={"value": value}))

    # Loops

    @contextmanager
    def loop(self, size: int | SSAValue) -> Generator[SSAValue | None, None, None]:
        """`affine.for` from 0 to `size`, a number or a symbol; nothing (and no variable) if that is one step."""
        if size == 1:
            yield None
            return
        body = Block(arg_types=[INDEX])
        self._append_for(size, body, ())
        outer, self.block = self.block, body
        yield body.args[0]
        append(self.block, new_op(affine.YieldOp))
        self.block = outer

    def _append_for(self, size: int | SSAValue, body: Block, inits: Sequence[SSAValue]) -> affine.ForOp:
        bounds = [] if isinstance(size, int) else [size]
        segments = i32_array(0, len(bounds), len(inits))
        op = new_op(
            affine.ForOp,
            operands=[*bounds, *inits],
            result_types=[value.type for value in inits],
            properties={
                "lowerBoundMap": ZERO,
                "upperBoundMap": AffineMapAttr(AffineMap.constant_map(size)) if isinstance(size, int) else SYMBOL,
                "step": STEP,
                "operandSegmentSizes": segments,
            },
            regions=[Region(body)],
        )
        append(self.block, op)
        return op

    def carrying_loops(
        self,
        sizes: Sequence[int],
        inits: Sequence[SSAValue],
        step: Any,
    ) -> Sequence[SSAValue]:
        """A nest of `affine.for` that carries values; `step(variables, values)` returns their successors."""
        types = [value.type for value in inits]
        outer = self.block
        variables: list[SSAValue] = []
        nest: list[affine.ForOp] = []
        carried: Sequence[SSAValue] = inits
        for size in sizes:
            body = Block(arg_types=[INDEX, *types])
            nest.append(self._append_for(size, body, carried))
            variables.append(body.args[0])
            carried = body.args[1:]
            self.block = body
        results: Sequence[SSAValue] = step(variables, carried)
        for op in reversed(nest):
            append(op.body.block, new_op(affine.YieldOp, operands=results))
            results = op.results
        self.block = outer
        return results

    @contextmanager
    def parallel(self, sizes: Sequence[int]) -> Generator[list[SSAValue | None], None, None]:
        """`affine.parallel` over the box of `sizes`; dimensions of one step get no variable."""
        kept = [size for size in sizes if size > 1]
        if not kept:
            yield [None for _ in sizes]
            return
        body = Block(arg_types=[INDEX] * len(kept))
        groups = DenseIntElementsAttr.from_list(TensorType(i32, [len(kept)]), [1] * len(kept))
        append(
            self.block,
            new_op(
                affine.ParallelOp,
                properties={
                    "reductions": NO_OPERANDS,
                    "lowerBoundsMap": AffineMapAttr(AffineMap.point_map(*(0 for _ in kept))),
                    "lowerBoundsGroups": groups,
                    "upperBoundsMap": AffineMapAttr(AffineMap.point_map(*kept)),
                    "upperBoundsGroups": groups,
                    "steps": ArrayAttr([i64_attribute(1) for _ in kept]),
                },
                regions=[Region(body)],
            ),
        )
        variables = iter(body.args)
        outer, self.block = self.block, body
        yield [next(variables) if size > 1 else None for size in sizes]
        append(self.block, new_op(affine.YieldOp))
        self.block = outer

    @contextmanager
    def where(self, value: SSAValue, least: int | None = None, most: int | None = None) -> Generator[None, None, None]:
        """`affine.if` around what is done where `value` is at least `least` and at most `most`."""
        bounds = ((AffineConstraintKind.ge, least), (AffineConstraintKind.le, most))
        constraints = tuple(
            AffineConstraintExpr(kind, AffineExpr.dimension(0), AffineExpr.constant(bound))
            for kind, bound in bounds
            if bound is not None
        )
        body = Block()
        append(
            self.block,
            new_op(
                affine.IfOp,
                operands=[value],
                properties={"condition": AffineSetAttr(AffineSet(1, 0, constraints))},
                regions=[Region(body), Region()],
            ),
        )
        outer, self.block = self.block, body
        yield
        append(self.block, new_op(affine.YieldOp))
        self.block = outer

    # Index arithmetic and accesses

    def base(self, terms: Terms, offset: int = 0) -> Base:
        """The value of a linear form, as one index to access from."""
        items = [(value, factor) for value, factor in terms.items() if factor]
        if not items:
            return Base(None, offset)
        if len(items) == 1 and items[0][1] == 1:
            return Base(items[0][0], offset)
        values = [value for value, _ in items]
        return Base(self.evaluate(linear_expr([f for _, f in items]), values), offset)

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
        return self.add(
            new_op(
                affine.ApplyOp,
                operands=values,
                result_types=[INDEX],
                properties={"map": AffineMapAttr(AffineMap(len(values), 0, (expr,)))},
            )
        )

    def product(self, value: SSAValue | None, factor: int | SSAValue) -> Terms:
        """A value (`None`: 0) times a number."""
        assert isinstance(factor, int)
        return {} if value is None else {value: factor}

    def _access(self, base: Base, offset: int) -> tuple[list[SSAValue], AffineMapAttr]:
        offset += base.offset
        if base.value is None:
            return [], AffineMapAttr(AffineMap.constant_map(offset))
        access = self._accesses.get(offset)
        if access is None:
            access = AffineMapAttr(AffineMap(1, 0, (AffineExpr.dimension(0) + offset,)))
            self._accesses[offset] = access
        return [base.value], access

    def load(self, flat: SSAValue, base: Base, offset: int, vector: VectorType | None = None) -> SSAValue:
        """An element, or with `vector` a vector, of the rank-1 memref `flat` at `base + offset`."""
        values, access = self._access(base, offset)
        element_type = cast(MemRefType[Attribute], flat.type).element_type
        op_type = affine.LoadOp if vector is None else affine.VectorLoadOp
        return self.add(
            new_op(
                op_type,
                operands=[flat, *values],
                result_types=[vector or element_type],
                properties={"map": access},
            )
        )

    def store(self, value: SSAValue, flat: SSAValue, base: Base, offset: int) -> None:
        """Stores an element or a vector at `base + offset` of the rank-1 memref `flat`."""
        values, access = self._access(base, offset)
        op_type = affine.VectorStoreOp if isinstance(value.type, VectorType) else affine.StoreOp
        append(self.block, new_op(op_type, operands=[value, flat, *values], properties={"map": access}))

    def prefetch(self, flat: SSAValue, base: Base, offset: int, lines: int = 1) -> None:
        """Says that the element of the rank-1 memref `flat` at `base + offset`, which need not exist, will be read, and
        so many cache lines from there on.
        """
        offset += base.offset
        expr = AffineExpr.constant(offset) if base.value is None else AffineExpr.dimension(0) + offset
        index = self.evaluate(expr, [] if base.value is None else [base.value])
        properties = {"lines": i64_attribute(lines)} if lines > 1 else {}
        append(self.block, new_op(PrefetchOp, operands=[flat, index], properties=properties))

    def flatten(self, value: SSAValue) -> SSAValue:
        """A rank-1 view of a dense memref."""
        source = cast(MemRefType[Attribute], value.type)
        rank = source.get_num_dims()
        if rank == 1:
            return value
        group = ArrayAttr([i64_attribute(dim) for dim in range(rank)])
        return self.add(
            new_op(
                memref.CollapseShapeOp,
                operands=[value],
                result_types=[memref_type(source.element_type, source.element_count())],
                properties={"reassociation": ArrayAttr([group] if rank else [])},
            )
        )
