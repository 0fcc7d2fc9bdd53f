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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntegerType, MemRefType, NoneAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr

from ...decisions.dot_products import DotProduct
from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bits
from ...dialects.records import changed
from ...ir.affine import dimension, from_expr
from ...ir.structured import element_type, indexing_maps, loop_extents, outputs
from ...ir.vectors import vector_element_bits
from ..linalg_to_affine.from_linalg import access_of

EXTENSIONS: tuple[type[Operation], ...] = (arith.ExtFOp, arith.ExtSIOp, arith.ExtUIOp)
"""Conversions of an input element to the accumulator's type."""

LHS, RHS, OUT, OTHERS = range(4)
"""The numbers of the operands; the further ones of an epilogue come last."""


@dataclass(frozen=True)
class LoopDim:
    """A dimension of `size` steps and how far one step moves each operand, in elements (0: not at all).

    `digits`: dimensions of the op and their sizes, outermost first, which are the digits of a number that a step moves
    by `unit`.
    """

    size: int
    strides: tuple[int, ...]
    digits: tuple[tuple[int, int], ...] = ()
    unit: int = 1

    def follows(self, inner: LoopDim) -> bool:
        """Whether a loop over this around one over `inner` walks every operand as one loop would."""
        return all(own == other * inner.size for own, other in zip(self.strides, inner.strides, strict=True))

    def split(self, chunk: int) -> tuple[LoopDim, LoopDim]:
        """One over chunks of `chunk` steps, which divides the size, and one over the steps of a chunk."""
        strides = tuple(stride * chunk for stride in self.strides)
        return LoopDim(self.size // chunk, strides, self.digits, self.unit * chunk), changed(self, size=chunk)


@dataclass(frozen=True)
class Operand:
    """A dense memref, where the accesses start, and the conversion of its elements (or `None`)."""

    memref: SSAValue
    offset: int
    extension: type[Operation] | None = None


@dataclass(frozen=True)
class Epilogue:
    """An elementwise op on the sums of a contraction, whose results are stored instead.

    The sums are its input number `place`, the further operands of the contraction its other ones.
    """

    op: GenericOp
    place: int

    def vector_ops(self, model: CostModel) -> int:
        """About how many instructions it takes on one vector."""
        return sum(_instructions(op, model) for op in self.op.body.block.ops)


def _instructions(op: Operation, model: CostModel) -> int:
    if isinstance(op, YieldOp | arith.ConstantOp):
        return 0
    return model.operations.scalar_cost(op.name) if op.name.startswith("math.") else 1


@dataclass(frozen=True)
class Words:
    """Steps of the innermost loop of a reduction that an instruction, `dot`, does at once: a word of factors.

    `strides`: how far such a step moves each operand; `steps`: how many there are, of which the last word may have
    fewer than the others. `rhs_first`: the right operand is the first factor of the instruction. `offset`: the sign
    bits of the left operand are flipped, so that its bytes are of the kind that the instruction takes; sums are off by
    what bytes of `OFFSET` in its place add up to.
    """

    dot: DotProduct
    strides: tuple[int, ...]
    steps: int
    rhs_first: bool = False
    offset: bool = False

    @property
    def whole(self) -> int:
        """The words that have all factors."""
        return self.steps // self.dot.group

    @property
    def rest(self) -> int:
        """The factors of the last word, where it has fewer; otherwise 0."""
        return self.steps % self.dot.group

    @property
    def left_is_there(self) -> bool:
        """Whether the words of the left operand are read where they are."""
        return self.strides[LHS] == 1 and not self.rest and not self.offset


OFFSET = -128
"""The sign bit of a byte."""


@dataclass(frozen=True)
class Contraction:
    """`out[batch, row, column] += lhs[batch, row, reduction] * rhs[batch, column, reduction]`.

    `columns[-1]` is contiguous in `out`; `reduction` is ordered for the walk, innermost last. Loops of one step are
    left out. `element_type` is the accumulator's; that of `out` may be another one if there is an `epilogue`. `inputs`
    are the numbers of the op's inputs that the factors are.
    """

    op: GenericOp
    element_type: Attribute
    operands: tuple[Operand, ...]
    batch: tuple[LoopDim, ...]
    rows: tuple[LoopDim, ...]
    columns: tuple[LoopDim, ...]
    reduction: tuple[LoopDim, ...]
    epilogue: Epilogue | None = None
    inputs: tuple[int, ...] = (LHS, RHS)
    words: Words | None = None
    """Where steps of the reduction are words: those of its innermost loop."""

    @property
    def lhs(self) -> Operand:
        """The left operand."""
        return self.operands[LHS]

    @property
    def rhs(self) -> Operand:
        """The right operand."""
        return self.operands[RHS]

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
        for operand in self.operands[:OUT]:
            factor_type = element_type(operand.memref)
            if not isinstance(factor_type, IntegerType) or factor_type.bitwidth != 8:
                return None
            bits += 8 if operand.extension is arith.ExtUIOp else 7
        return bits if self.element_bits == 32 else None

    @property
    def word_type(self) -> Attribute:
        """The type of the factors in words, which both operands have."""
        return element_type(self.rhs.memref)

    def conversion(self, operand: Operand, factor_type: Attribute) -> type[Operation] | None:
        """What makes a `factor_type` of an element of `operand`."""
        if self.words is not None:
            return None
        if factor_type == self.element_type:
            return operand.extension
        return arith.UIToFPOp if operand.extension is arith.ExtUIOp else arith.SIToFPOp

    @property
    def multiply_adds(self) -> int:
        """Scalar multiply-adds of the whole contraction."""
        return steps_of((*self.batch, *self.rows, *self.columns, *self.reduction))


def steps_of(dims: Iterable[LoopDim]) -> int:
    """The steps of loops over `dims` in each other."""
    return prod(dim.size for dim in dims)


def in_words(contraction: Contraction, words: Words) -> Contraction:
    """`contraction` with words in the place of single steps of the innermost loop of its reduction."""
    *outer, dim = contraction.reduction
    group = words.dot.group
    strides = tuple(stride * group for stride in dim.strides)
    word = LoopDim(-(-dim.size // group), strides, dim.digits, dim.unit * group)
    return changed(contraction, reduction=(*outer, word), words=words)


Factors = list[tuple[int, type[Operation] | None]]
"""The two factors of a product: numbers of inputs, and how their elements are extended."""


def match_contraction(
    op: GenericOp, factors: Factors, model: CostModel, finish: GenericOp | None = None
) -> Contraction | None:
    """The contraction that `op`, a sum of products of `factors`, computes; `None` if it is none or has no contiguous
    column dimension.

    Inputs that the body does not use only bound the loops. With `finish`, an elementwise op that alone reads the
    result, the contraction is that of both: `None` too if one of its operands is no linear form of the loops.
    """
    out = outputs(op)[0]
    if not all(isinstance(value.type, MemRefType) for value in op.operands):
        return None
    if not _is_element(element_type(out)) or isinstance(element_type(out), Float16Type | BFloat16Type):
        return None
    maps = indexing_maps(op)
    sizes = loop_extents(op)
    if 0 in sizes:
        return None
    accesses = [_access(op.operands[index], maps[index].results, sizes, extension) for index, extension in factors]
    epilogue = None
    if finish is None:
        accesses.append(_access(out, maps[-1].results, sizes))
    else:
        inputs = list(finish.operands)
        epilogue = Epilogue(finish, inputs.index(out))
        *others, result = _accesses_of_epilogue(epilogue, maps[-1].results, sizes)
        accesses += [result, *others]
    known = [access for access in accesses if access is not None]
    if len(known) < len(accesses):
        return None
    operands, forms = [operand for operand, _ in known], [form for _, form in known]
    dims = [
        LoopDim(size, tuple(form.get(d, 0) for form in forms), ((d, size),)) for d, size in enumerate(sizes) if size > 1
    ]
    inputs = [index for index, _ in factors]
    contiguous = next((dim for dim in dims if dim.strides[OUT] == 1), None)
    if contiguous is None or any(stride not in (0, 1) for stride in contiguous.strides[OTHERS:]):
        return None
    if contiguous.strides[RHS] == 0:
        operands[:OUT] = operands[RHS], operands[LHS]
        inputs.reverse()
        dims = [changed(dim, strides=(dim.strides[RHS], dim.strides[LHS], *dim.strides[OUT:])) for dim in dims]
    contraction = Contraction(op, element_type(out), tuple(operands), (), (), (), (), epilogue, tuple(inputs))
    return _classify(contraction, dims, model)


def _classify(contraction: Contraction, dims: Sequence[LoopDim], model: CostModel) -> Contraction | None:
    """`contraction` with the loops over `dims`."""
    classes: dict[tuple[bool, bool, bool], list[LoopDim]] = {
        (True, True, True): (batch := []),
        (True, False, True): (rows := []),
        (False, True, True): (columns := []),
        (True, True, False): (reduction := []),
    }
    for dim in dims:
        members = classes.get((dim.strides[LHS] != 0, dim.strides[RHS] != 0, dim.strides[OUT] != 0))
        if members is None:
            return None
        members.append(dim)
    columns = sorted(_merge(columns), key=lambda dim: -dim.strides[OUT])
    if not columns or columns[-1].strides[OUT] != 1 or not reduction:
        return None
    # Memory order of the right operand, with a long loop innermost.
    ordered = sorted(_merge(reduction), key=lambda dim: -abs(dim.strides[RHS]))
    innermost = ([dim for dim in ordered if dim.size >= model.contractions.long_step] or ordered)[-1]
    return changed(
        contraction,
        batch=tuple(_merge(batch)),
        rows=tuple(_merge(rows)),
        columns=tuple(columns),
        reduction=(*(dim for dim in ordered if dim is not innermost), innermost),
    )


def _merge(dims: list[LoopDim]) -> list[LoopDim]:
    """Fuses loops that walk all operands as one loop would."""
    for outer in dims:
        for inner in dims:
            if outer is not inner and outer.follows(inner):
                fused = changed(inner, size=outer.size * inner.size, digits=(*outer.digits, *inner.digits))
                rest = [dim for dim in dims if dim is not outer and dim is not inner]
                return _merge([*rest, fused])
    return dims


_Access = tuple[Operand, dict[int, int]]
"""An operand, and its strides by loop."""


def _accesses_of_epilogue(
    epilogue: Epilogue, product_indices: Sequence[AffineExpr], sizes: Sequence[int]
) -> list[_Access | None]:
    """The operands of the epilogue of a contraction, whose result is accessed at `product_indices`, without that
    result: how they are accessed in the loops of the contraction, of `sizes`."""
    maps = indexing_maps(epilogue.op)
    loops: list[AffineExpr] = [AffineConstantExpr(0)] * maps[0].num_dims
    for expr, index in zip(maps[epilogue.place].results, product_indices, strict=True):
        assert isinstance(expr, AffineDimExpr)
        loops[expr.position] = index
    return [
        _access(value, [expr.replace_dims_and_symbols(loops, ()) for expr in access.results], sizes)
        for place, (value, access) in enumerate(zip(epilogue.op.operands, maps, strict=True))
        if place != epilogue.place
    ]


def _access(
    value: SSAValue, indices: Sequence[AffineExpr], sizes: Sequence[int], extension: type[Operation] | None = None
) -> _Access | None:
    """How `value` is accessed at `indices` in loops of `sizes`, if it is a dense memref or a part of one at a known
    place, and the access is linear."""
    dims = [dimension(dim) for dim in range(len(sizes))]
    access = access_of(value, tuple(from_expr(expr, dims, sizes) for expr in indices))
    strides = access.flat.terms
    if not isinstance(access.type.layout, NoneAttr) or not all(isinstance(dim, int) for dim in strides):
        return None
    return Operand(access.memref, access.flat.const, extension), cast("dict[int, int]", strides)


def factors_of(block: Block) -> Factors | None:
    """The two factors of a body `acc + ext(x) * ext(y)`, in any operand order."""
    result = block.last_op
    if not isinstance(result, YieldOp) or len(result.operands) != 1:
        return None
    add = result.operands[0].owner
    if not isinstance(add, arith.AddfOp | arith.AddiOp):
        return None
    accumulator = block.args[-1]
    addends = [operand for operand in add.operands if operand is not accumulator]
    multiply = addends[0].owner if len(addends) == 1 else None
    if isinstance(add, arith.AddiOp):
        if not isinstance(multiply, arith.MuliOp):
            return None
    elif not isinstance(multiply, arith.MulfOp) or FastMathFlag.REASSOC not in add.fastmath.data:
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
    return sorted(found.items()) if len(found) == 2 and len(ops) == sum(1 for _ in block.ops) else None


def _is_element(element_type: Attribute) -> bool:
    return vector_element_bits(element_type) is not None
