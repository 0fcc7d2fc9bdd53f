"""Elementwise ops that a contraction can apply to its results before it stores them.

Works on tensors and memrefs alike. Nothing here changes IR.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, MemRefType
from xdsl.dialects.linalg.ops import FillOp, GenericOp, YieldOp
from xdsl.ir import Operation, SSAValue

from ..decisions.contractions import Contractions
from ..dialects.element_sizes import element_bytes
from . import structured

_ON_VECTORS: set[type[Operation]] = {
    arith.ConstantOp,
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.NegfOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.CmpfOp,
    arith.SelectOp,
    arith.ExtFOp,
    arith.TruncFOp,
    math.AbsFOp,
    math.SqrtOp,
    math.RsqrtOp,
    math.ExpOp,
    math.TanhOp,
    math.ErfOp,
    math.LogOp,
    math.Log1pOp,
    YieldOp,
}
"""Ops of scalars that are written on vectors by their type alone, and the end of a body."""

FLOATS = Float16Type | BFloat16Type | Float32Type | Float64Type


def product_operand(op: Operation | None, numbers: Contractions) -> int | None:
    """Which operand of the elementwise `op` is a product that nothing else reads, if `op` can be applied to vectors of
    its elements: floats in, floats out, at one point of the product each.

    Rounding to `bf16` takes so many instructions on most CPUs that written out for a tile it costs more to compile (a
    fifth of a kernel's time) than another pass over the results takes.
    """
    if not isinstance(op, GenericOp) or len(structured.outputs(op)) != 1 or not structured.is_elementwise(op):
        return None
    maps, body = structured.indexing_maps(op), op.body.block
    found = next(
        (
            index
            for index, operand in enumerate(structured.inputs(op))
            if len(maps[index].results) == maps[index].num_dims
            and maps[index].is_projected_permutation()
            and _is_product_for(operand, op)
            and _keeps_rows(op, index, numbers)
        ),
        None,
    )
    if found is None or body.args[found].first_use is None:
        return None
    if not all(isinstance(structured.element_type(value), FLOATS) for value in op.operands):
        return None
    for inner in body.ops:
        if type(inner) not in _ON_VECTORS or any(isinstance(result.type, BFloat16Type) for result in inner.results):
            return None
        for owner in (operand.owner for operand in inner.operands):
            if owner is not body and not isinstance(owner, arith.ConstantOp) and owner.parent is not body:
                return None
    return found


def _keeps_rows(op: GenericOp, index: int, numbers: Contractions) -> bool:
    """Whether tiles of the product that is operand `index` can be stored as vectors of the result of `op`, whose
    contiguous dimension may be another one.
    """
    rows, product = structured.shape_of(structured.outputs(op)[0]), op.operands[index]
    maps = structured.indexing_maps(op)
    if not rows or maps[index].results[-1] == maps[-1].results[-1]:
        return True
    features, size = structured.shape_of(product)[-1], element_bytes(structured.element_type(product))
    if numbers.worth_features_last(rows[-1], features, size):
        return False
    window, products = _window_and_products(product)
    return not numbers.worth_moving_features(window, products, rows[-1], features, size)


def _window_and_products(product: SSAValue) -> tuple[int, int]:
    """Of the contraction that computes `product`: the places of its window, 0 if it has none, and the products that it
    adds up for each result."""
    op = _contraction_of(product)
    if op is None:
        return 0, 0
    extents, image = structured.loop_extents(op), structured.indexing_maps(op)[0]
    reductions = [dim for dim, reduced in enumerate(structured.iterators(op)) if reduced]
    places = {dim for expr in image.results if len(used := expr.used_dims()) > 1 for dim in used}
    window = prod(extents[dim] for dim in reductions if dim in places)
    return window * bool(places), prod(extents[dim] for dim in reductions)


def _contraction_of(value: SSAValue) -> GenericOp | None:
    """The op that computes `value`, or sums up in that buffer."""
    if isinstance(value.owner, GenericOp):
        return value.owner
    users = (use.operation for use in value.uses)
    return next((op for op in users if isinstance(op, GenericOp) and value in structured.outputs(op)), None)


def _is_product_for(value: SSAValue, reader: GenericOp) -> bool:
    """Whether a contraction computes `value` for `reader` alone."""
    if not isinstance(structured.element_type(value), Float32Type | Float64Type):
        return False
    product = value.owner
    if isinstance(product, GenericOp):
        alone = value.has_one_use()
    elif not isinstance(value.type, MemRefType):
        return False
    else:
        # A buffer: filled, summed up and read.
        users = [use.operation for use in value.uses]
        product = _contraction_of(value)
        if product is None or product is reader:
            return False
        alone = len(users) <= 3 and all(user is product or user is reader or isinstance(user, FillOp) for user in users)
    return alone and product.parent is reader.parent and structured.is_contraction(product)
