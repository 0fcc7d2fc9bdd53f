"""Recognises contractions: products of two operands summed over a reduction, in any layout.

Every operand is dense, or a part of a dense memref at a known place, so that an access is one linear form of the loop
indices: an offset and a stride per loop. All that tells a matrix product from a transposed one or a convolution are
these strides. Loops are classified by which operands they move:

| class | lhs | rhs | out | matrix product | convolution NHWC x HWIO |
| --- | --- | --- | --- | --- | --- |
| batch | x | x | x | | feature groups |
| row | x | | x | m | n, oh, ow |
| column | | x | x | n | co |
| reduction | x | x | | k | kh, kw, ci |

Loops of one class that step through all operands as one loop would are merged (`n, oh, ow` of a 1x1
convolution; `kw, ci` above).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerType, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr

from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bits
from ...ir.affine import AffineSum, dimension, from_expr
from ...ir.affine_builder import AffineBuilder, Terms
from ...ir.vectors import vector_element_bits

EXTENSIONS: tuple[type[Operation], ...] = (arith.ExtFOp, arith.ExtSIOp, arith.ExtUIOp)
"""Conversions of an input element to the accumulator's type."""


@dataclass(frozen=True)
class LoopDim:
    """A loop of `size` steps and how far one step moves each operand, in elements (0: not at all).

    `others` are the further operands of an epilogue.
    """

    size: int
    lhs: int
    rhs: int
    out: int
    others: tuple[int, ...] = ()

    def follows(self, inner: LoopDim) -> bool:
        """Whether this loop around `inner` walks every operand as one loop would."""
        return (
            self.lhs == inner.lhs * inner.size
            and self.rhs == inner.rhs * inner.size
            and self.out == inner.out * inner.size
            and all(own == other * inner.size for own, other in zip(self.others, inner.others, strict=True))
        )

    def cut(self, span: int) -> Cut:
        """This loop in pieces of `span` steps (at most its size)."""
        return Cut(self, span, 1, -(-self.size // span))

    def split(self, chunk: int) -> tuple[LoopDim, LoopDim]:
        """A loop over chunks of `chunk` steps, which divides the size, and one over the steps of a chunk.

        The loop is one of a reduction, which moves operands only.
        """
        return LoopDim(self.size // chunk, self.lhs * chunk, self.rhs * chunk, 0), replace(self, size=chunk)


@dataclass(frozen=True)
class Cut:
    """A dimension of `dim.size` steps as `blocks` x `per_block` pieces of `span` steps.

    Where the blocks do not fit, the last one starts earlier and overlaps its neighbour; so does the last piece of a
    block.
    """

    dim: LoopDim
    span: int
    blocks: int
    per_block: int

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return self.blocks * self.per_block

    @property
    def block_size(self) -> int:
        """The steps of a block."""
        return min(self.per_block * self.span, self.dim.size)

    def block_start(self, builder: AffineBuilder, block: Terms) -> Terms:
        """Where the block number `block` starts."""
        return builder.part_start(block, self.blocks, self.block_size, self.dim.size)

    def piece_start(self, builder: AffineBuilder, piece: Terms) -> Terms:
        """Where the piece number `piece` of a block starts in its block."""
        return builder.part_start(piece, self.per_block, self.span, self.block_size)


@dataclass(frozen=True)
class Operand:
    """A dense memref, where the accesses start, and the conversion of its elements (or `None`)."""

    memref: SSAValue
    offset: int
    extension: type[Operation] | None = None


@dataclass(frozen=True)
class Epilogue:
    """An elementwise op on the sums of a contraction, whose results are stored instead.

    `operands` are its inputs in their order, `None` for the sums; `LoopDim.others` are the strides of the others.
    """

    op: GenericOp
    operands: tuple[Operand | None, ...]

    def vector_ops(self, model: CostModel) -> int:
        """About how many instructions it takes on one vector."""
        return sum(_instructions(op, model) for op in self.op.body.block.ops)


def _instructions(op: Operation, model: CostModel) -> int:
    if isinstance(op, YieldOp | arith.ConstantOp):
        return 0
    return model.operations.scalar_cost(op.name) if op.name.startswith("math.") else 1


@dataclass(frozen=True)
class Contraction:
    """`out[batch, row, column] += lhs[batch, row, reduction] * rhs[batch, column, reduction]`.

    `columns[-1]` is contiguous in `out`; `reduction` is ordered for the walk, innermost last. Loops of one step are
    left out. `element_type` is the accumulator's; that of `out` may be another one if there is an `epilogue`.
    """

    op: GenericOp
    element_type: Attribute
    lhs: Operand
    rhs: Operand
    out: Operand
    batch: tuple[LoopDim, ...]
    rows: tuple[LoopDim, ...]
    columns: tuple[LoopDim, ...]
    reduction: tuple[LoopDim, ...]
    epilogue: Epilogue | None = None

    @property
    def is_float(self) -> bool:
        """Whether elements are floating point."""
        return not isinstance(self.element_type, IntegerType)

    @property
    def element_bits(self) -> int:
        """Bits of one accumulator."""
        return element_bits(self.element_type)

    @property
    def product_bits(self) -> int | None:
        """Bits of the largest product of two 8-bit factors that are added up in 32 bits; `None` of others."""
        bits = 0
        for operand in (self.lhs, self.rhs):
            factor_type = element_type_of(operand.memref)
            if not isinstance(factor_type, IntegerType) or factor_type.bitwidth != 8:
                return None
            bits += 8 if operand.extension is arith.ExtUIOp else 7
        return bits if self.element_bits == 32 else None

    @property
    def multiply_adds(self) -> int:
        """Scalar multiply-adds of the whole contraction."""
        dims = (*self.batch, *self.rows, *self.columns, *self.reduction)
        return prod(dim.size for dim in dims)


def match_contraction(op: GenericOp, model: CostModel, finish: GenericOp | None = None) -> Contraction | None:
    """The contraction that `op` computes, or `None` if it is none or has no contiguous column dimension.

    Inputs that the body does not use only bound the loops. With `finish`, an elementwise op that alone reads the
    result, the contraction is that of both: `None` too if one of its operands is no linear form of the loops.
    """
    if len(op.outputs) != 1 or not all(isinstance(value.type, MemRefType) for value in op.operands):
        return None
    element_type = element_type_of(op.outputs[0])
    factors = _match_body(op.body.block)
    if factors is None or not _is_accumulator(element_type):
        return None

    shapes = [_shape(value) for value in op.operands]
    results = [attr.data.results for attr in op.indexing_maps]
    sizes = _loop_sizes(len(op.iterator_types), results, shapes)
    if sizes is None or 0 in sizes:
        return None
    (left, left_extension), (right, right_extension) = sorted(factors.items())
    accessed = (left, right, len(op.operands) - 1)
    layouts = [_layout(op.operands[index]) for index in accessed]
    if layouts[0] is None or layouts[1] is None or layouts[2] is None:
        return None
    lhs_form = _linear_form(results[left], layouts[0], sizes)
    rhs_form = _linear_form(results[right], layouts[1], sizes)
    out_form = _linear_form(results[-1], layouts[2], sizes)
    epilogue, other_forms = None, list[tuple[dict[int, int], int]]()
    if finish is not None:
        matched = _match_epilogue(finish, op.outputs[0], results[-1], sizes)
        if matched is None:
            return None
        epilogue, (layouts[2], out_form), other_forms = matched
    if lhs_form is None or rhs_form is None or out_form is None:
        return None
    dims = [
        LoopDim(
            size,
            lhs_form[0].get(d, 0),
            rhs_form[0].get(d, 0),
            out_form[0].get(d, 0),
            tuple(strides.get(d, 0) for strides, _ in other_forms),
        )
        for d, size in enumerate(sizes)
        if size > 1
    ]
    lhs = Operand(layouts[0].memref, lhs_form[1], left_extension)
    rhs = Operand(layouts[1].memref, rhs_form[1], right_extension)
    out = Operand(layouts[2].memref, out_form[1])

    contiguous = next((dim for dim in dims if dim.out == 1), None)
    if contiguous is None or any(stride not in (0, 1) for stride in contiguous.others):
        return None
    if contiguous.rhs == 0:
        lhs, rhs = rhs, lhs
        dims = [replace(dim, lhs=dim.rhs, rhs=dim.lhs) for dim in dims]
    return _classify(op, element_type, lhs, rhs, out, dims, epilogue, model.contractions.long_step)


def _classify(
    op: GenericOp,
    element_type: Attribute,
    lhs: Operand,
    rhs: Operand,
    out: Operand,
    dims: Sequence[LoopDim],
    epilogue: Epilogue | None,
    long_step: int,
) -> Contraction | None:
    classes: dict[tuple[bool, bool, bool], list[LoopDim]] = {
        (True, True, True): (batch := []),
        (True, False, True): (rows := []),
        (False, True, True): (columns := []),
        (True, True, False): (reduction := []),
    }
    for dim in dims:
        members = classes.get((dim.lhs != 0, dim.rhs != 0, dim.out != 0))
        if members is None:
            return None
        members.append(dim)
    columns = sorted(_merge(columns), key=lambda dim: -dim.out)
    if not columns or columns[-1].out != 1 or not reduction:
        return None
    return Contraction(
        op,
        element_type,
        lhs,
        rhs,
        out,
        tuple(_merge(batch)),
        tuple(_merge(rows)),
        tuple(columns),
        tuple(_order_reduction(_merge(reduction), long_step)),
        epilogue,
    )


def _match_epilogue(
    op: GenericOp, product: SSAValue, product_indices: Sequence[AffineExpr], sizes: Sequence[int]
) -> tuple[Epilogue, tuple[_Layout, tuple[dict[int, int], int]], list[tuple[dict[int, int], int]]] | None:
    """`op` as the epilogue of a contraction whose result is `product`, accessed at `product_indices`; where its output
    is, and the linear forms of its output and its other inputs in the loops of the contraction, of `sizes`.
    """
    maps = [attr.data for attr in op.indexing_maps]
    place = list(op.operands).index(product)
    loops: list[AffineExpr] = [AffineConstantExpr(0)] * maps[0].num_dims
    for expr, index in zip(maps[place].results, product_indices, strict=True):
        assert isinstance(expr, AffineDimExpr)
        loops[expr.position] = index
    operands: list[Operand | None] = []
    forms: list[tuple[dict[int, int], int]] = []
    layouts: list[_Layout] = []
    for value, access in zip(op.operands, maps, strict=True):
        if value is product:
            operands.append(None)
            continue
        layout = _layout(value)
        results = tuple(expr.replace_dims_and_symbols(loops, ()) for expr in access.results)
        form = None if layout is None else _linear_form(results, layout, sizes)
        if layout is None or form is None:
            return None
        operands.append(Operand(layout.memref, form[1]))
        forms.append(form)
        layouts.append(layout)
    return Epilogue(op, tuple(operands[:-1])), (layouts[-1], forms[-1]), forms[:-1]


def _merge(dims: list[LoopDim]) -> list[LoopDim]:
    """Fuses loops that walk all operands as one loop would."""
    for outer in dims:
        for inner in dims:
            if outer is not inner and outer.follows(inner):
                fused = replace(inner, size=outer.size * inner.size)
                rest = [dim for dim in dims if dim is not outer and dim is not inner]
                return _merge([*rest, fused])
    return dims


def _order_reduction(dims: list[LoopDim], long_step: int) -> list[LoopDim]:
    """Memory order of the right operand, with a long loop innermost."""
    ordered = sorted(dims, key=lambda dim: -abs(dim.rhs))
    long = [dim for dim in ordered if dim.size >= long_step] or ordered
    innermost = long[-1]
    return [*(dim for dim in ordered if dim is not innermost), innermost]


def element_type_of(value: SSAValue) -> Attribute:
    """The element type of a memref."""
    return cast(MemRefType[Attribute], value.type).element_type


def element_count_of(value: SSAValue) -> int:
    """The number of elements of a memref."""
    return prod(_shape(value))


def _shape(value: SSAValue) -> tuple[int, ...]:
    return cast(MemRefType[Attribute], value.type).get_shape()


@dataclass(frozen=True)
class _Layout:
    """The dense memref that holds an operand, and where the operand's elements lie in it."""

    memref: SSAValue
    offset: int
    strides: Sequence[int]


def _layout(value: SSAValue) -> _Layout | None:
    """The layout of a dense memref or of a part of one, `None` of others."""
    type = cast(MemRefType[Attribute], value.type)
    if -1 in (shape := type.get_shape()):
        return None
    if isinstance(type.layout, NoneAttr):
        return _Layout(value, 0, [prod(shape[dim + 1 :]) for dim in range(len(shape))])
    source = value.owner
    if not isinstance(source, memref.SubviewOp) or not isinstance(type.layout, StridedLayoutAttr):
        return None
    if not isinstance(cast(MemRefType[Attribute], source.source.type).layout, NoneAttr):
        return None
    strides, offset = type.layout.get_strides(), type.layout.get_offset()
    if offset is None or None in strides:
        return None
    return _Layout(source.source, offset, [stride for stride in strides if stride is not None])


def _is_accumulator(element_type: Attribute) -> bool:
    return _is_element(element_type) and not isinstance(element_type, Float16Type | BFloat16Type)


def _loop_sizes(
    rank: int, results: Sequence[tuple[AffineExpr, ...]], shapes: Sequence[tuple[int, ...]]
) -> list[int] | None:
    sizes: list[int | None] = [None] * rank
    for exprs, shape in zip(results, shapes, strict=True):
        for expr, extent in zip(exprs, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                sizes[expr.position] = extent
    return None if None in sizes else [size for size in sizes if size is not None]


def _linear_form(
    results: tuple[AffineExpr, ...], layout: _Layout, sizes: Sequence[int]
) -> tuple[dict[int, int], int] | None:
    """Strides by loop and offset of an access to an operand, if it is linear in loops of `sizes`."""
    dims = [dimension(dim) for dim in range(len(sizes))]
    flat = AffineSum({}, layout.offset)
    for expr, scale in zip(results, layout.strides, strict=True):
        flat = flat + from_expr(expr, dims, sizes) * scale
    if flat.divisions():
        return None
    return {cast(int, dim): factor for dim, factor in flat.terms.items()}, flat.const


def _match_body(block: Block) -> dict[int, type[Operation] | None] | None:
    """The two factors of a body `acc + ext(x) * ext(y)`, in any operand order: argument numbers and extensions."""
    result = block.last_op
    if not isinstance(result, YieldOp):
        return None
    add = result.operands[0].owner
    if not isinstance(add, arith.AddfOp | arith.AddiOp):
        return None
    accumulator = block.args[-1]
    addends = list(add.operands)
    if accumulator not in addends:
        return None
    addends.remove(accumulator)
    multiply = addends[0].owner
    expected = arith.MulfOp if isinstance(add, arith.AddfOp) else arith.MuliOp
    if not isinstance(multiply, expected) or (
        isinstance(add, arith.AddfOp) and FastMathFlag.REASSOC not in _flags(add)
    ):
        return None
    ops: set[Operation] = {result, add, multiply}
    found: dict[int, type[Operation] | None] = {}
    for factor in multiply.operands:
        extension = None
        if isinstance(factor.owner, EXTENSIONS):
            extension = type(factor.owner)
            ops.add(factor.owner)
            factor = factor.owner.operands[0]
        if not isinstance(factor, BlockArgument) or factor.owner is not block:
            return None
        if factor is accumulator or not _is_element(factor.type):
            return None
        found[factor.index] = extension
    return found if len(found) == 2 and len(ops) == sum(1 for _ in block.ops) else None


def _flags(op: arith.AddfOp) -> set[FastMathFlag]:
    return set(op.fastmath.data)


def _is_element(element_type: Attribute) -> bool:
    return vector_element_bits(element_type) is not None
