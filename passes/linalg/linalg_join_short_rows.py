"""`linalg-join-short-rows`: elementwise ops on rows shorter than a few vectors run over several rows at once.

An op on pixels with a factor for each of three colours, or on scores with a term for each of ten classes, has an
innermost loop of three or ten. Here what is the same for all rows is repeated for some rows in a small tensor, and the
op runs over rows of rows, which are whole vectors.

Needs level 2 after fusion. Leaves: ops that read or write other elements than their own or those of a row that all
rows share; ops that read results of other generics or are read by some, since these may share their loops. How long the
joined rows are is in `decisions/loops.py`.

    %y = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (j), (i, j) -> (i, j)]}
        ins(%x, %b : tensor<4096x10xf32>, tensor<10xf32>) ...

becomes

    %r = linalg.generic {maps = [(i, j) -> (j), (i, j) -> (i, j)]} ins(%b : tensor<10xf32>) ... -> tensor<32x10xf32>
    %s = tensor.collapse_shape %r : tensor<32x10xf32> into tensor<320xf32>
    %v = (views of %x as tensor<128x320xf32>)
    %z = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (j), (i, j) -> (i, j)]} ins(%v, %s) ...
    %y = (a view of %z as tensor<4096x10xf32>)

Not a pattern pass: whether an op is changed depends on all that reads it, through views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, TensorType
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...dialects.editing import clone_region, erase, insert_before, new_op, ops_of, replace_uses
from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import i64_array, i64_attribute, tensor_type
from ...ir import structured
from .generic_builder import empty_like, insert_generic, moved, parallel_loops

_BOTH, _LAST, _NONE = AffineMap.identity(2), AffineMap(2, 0, (AffineDimExpr(1),)), AffineMap(2, 0, ())

_BEHIND_ANYTHING = (GenericOp, tensor.InsertSliceOp)
"""What shares its loops with what it reads, or has it written where it is wanted."""


class _Rows(NamedTuple):
    """How an op is seen: `rows` rows of `length`, `together` of which become one."""

    rows: int
    length: int
    together: int


def _trailing(access: AffineMap, rank: int) -> int | None:
    """The dimension from which on `access` goes through all of the loops; `rank` for a scalar, None for others."""
    first = rank - len(access.results)
    return first if list(access.results) == [AffineDimExpr(dim) for dim in range(first, rank)] else None


def _meets_generics(op: GenericOp, whole: Sequence[SSAValue]) -> bool:
    """Whether the op reads, in the tensors `whole`, or is read by another structured op, through views."""
    for value in whole:
        while isinstance(value.owner, Operation) and type(value.owner) in structured.RESHAPES:
            value = value.owner.operands[0]
        if isinstance(value.owner, GenericOp):
            return True
    results = list[SSAValue](op.results)
    while results:
        for use in results.pop().uses:
            if isinstance(use.operation, _BEHIND_ANYTHING):
                return True
            if type(use.operation) in structured.RESHAPES:
                results.extend(use.operation.results)
    return False


def _rows_of(op: GenericOp, model: CostModel) -> _Rows | None:
    """How many rows are joined; None if none are."""
    if not structured.is_elementwise(op) or any(inner.regions or _finds(inner) for inner in ops_of(op.body.block)):
        return None
    extents, count = structured.loop_extents(op), structured.number_of_inputs(op)
    rank = len(extents)
    starts = [_trailing(access, rank) for access in structured.indexing_maps(op)]
    known = [start for start in starts if start is not None]
    first = min((start for start in known if start), default=rank)
    if len(known) < len(starts) or first == rank or any(starts[count:]):
        return None
    values = [operand for operand in op.operands if isinstance(operand.type, TensorType)]
    lanes = model.target.lanes(max(element_bits(structured.element_type(value)) for value in values))
    rows, length = prod(extents[:first]), prod(extents[first:])
    together = model.loops.rows_joined(rows, length, lanes)
    whole = [operand for operand, start in zip(structured.inputs(op), starts, strict=False) if start == 0]
    return _Rows(rows, length, together) if together > 1 and not _meets_generics(op, whole) else None


def _finds(op: Operation) -> bool:
    """Whether an op of a body looks at where it is, or at another tensor."""
    return isinstance(op, IndexOp | tensor.ExtractOp)


def _view(value: SSAValue, shape: Sequence[int], before: Operation) -> SSAValue:
    """`value` with another shape of as many elements, one dimension of them all in between."""
    source, element = structured.shape_of(value), structured.element_type(value)
    if len(source) > 1:
        groups = ArrayAttr([ArrayAttr([i64_attribute(dim) for dim in range(len(source))])])
        type = tensor_type(element, prod(source))
        collapsed = new_op(tensor.CollapseShapeOp, [value], [type], {"reassociation": groups})
        insert_before(collapsed, before)
        value = collapsed.result
    if len(shape) < 2:
        return value
    groups = ArrayAttr([ArrayAttr([i64_attribute(dim) for dim in range(len(shape))])])
    properties = {"reassociation": groups, "static_output_shape": i64_array(*shape)}
    expanded = new_op(tensor.ExpandShapeOp, [value], [tensor_type(element, *shape)], properties)
    insert_before(expanded, before)
    return expanded.result


def _repeated(value: SSAValue, length: int, op: GenericOp) -> SSAValue:
    """`value`, in front of `op` and again and again, as a row of `length` elements."""
    size = prod(structured.shape_of(value))
    return _view(moved(_view(value, (size,), op), _LAST, (length // size, size), op), (length,), op)


def _join(op: GenericOp, rows: _Rows) -> None:
    """Replaces `op` by one on joined rows."""
    locating.at(op)
    length = rows.length * rows.together
    shape = rows.rows // rows.together, length
    inputs, maps = list[SSAValue](), list[AffineMap]()
    accesses = structured.indexing_maps(op)
    for value, access in zip(structured.inputs(op), accesses, strict=False):
        is_whole = len(access.results) == len(op.iterator_types.data)
        maps.append(_BOTH if is_whole else _LAST if access.results else _NONE)
        if access.results:
            value = _view(value, shape, op) if is_whole else _repeated(value, length, op)
        inputs.append(value)
    destinations = [empty_like(value, shape, op) for value in structured.outputs(op)]
    maps += [_BOTH] * len(destinations)
    joined = insert_generic(op, inputs, destinations, maps, parallel_loops(2), clone_region(op.body, {}), op)
    for before, after in zip(op.results, joined.results, strict=True):
        replace_uses(before, _view(after, structured.shape_of(before), op))
    erase(op)


@dataclass(frozen=True)
class LinalgJoinShortRowsPass(ModulePass):
    """See the module's docstring. `vector_bits` 0 is the host's."""

    name = "linalg-join-short-rows"

    vector_bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx, self.vector_bits)
        for block in structured.program_blocks(op):
            for inner in list(block.ops):
                if isinstance(inner, GenericOp) and (rows := _rows_of(inner, model)) is not None:
                    _join(inner, rows)
