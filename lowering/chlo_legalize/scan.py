"""`chlo.scan` as a `while` over the indices of its dimension; cumulative sums and the like as a `reduce_window`.

A scan is cumulative if it is marked as associative and its body is one op on element and carry whose result is both
output and carry: then the windows from the first element up to each one are reduced, and combined with the initial
carry. For that there is a fast way down.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AnyFloat, i64
from xdsl.ir import Attribute, Operation

from ...dialects import chlo
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.fold_elementwise import neutral_on_both_sides
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor


def scan(op: chlo.ScanOp, builder: TensorBuilder) -> Sequence[Tensor]:
    """The state of the loop: the outputs, which each step writes one slice of, and the carries."""
    dim, count = op.dimension.value.data, len(op.outputs)
    size = shape_of((*op.inputs, *op.outputs)[0])[dim]
    inputs, carries = builder.wrap(*op.inputs), builder.wrap(*op.inits)
    outputs = [builder.splat(element_type_of(output), shape_of(output), 0) for output in op.outputs]
    if size == 0:
        return [*outputs, *carries]
    is_reverse = op.is_reverse is not None and bool(op.is_reverse.value.data)
    if (combine := _cumulative(op)) is not None:
        return _reduced(inputs[0], carries[0], combine, dim, is_reverse)

    def step(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        place = {dim: (size - 1) - index if is_reverse else index}
        slices = [x.dynamic_slice(place, {dim: 1}) for x in inputs]
        slices = [x.reshape((*x.shape[:dim], *x.shape[dim + 1 :])) for x in slices]
        results = builder.inline(op.body, (*slices, *state[count:]))
        updated = [
            output.updated(x.reshape((*x.shape[:dim], 1, *x.shape[dim:])), place)
            for output, x in zip(state[:count], results[:count], strict=True)
        ]
        return [*updated, *results[count:]]

    return builder.loop(size, [*outputs, *carries], step, i64)


def _cumulative(op: chlo.ScanOp) -> type[Operation] | None:
    """The op that a cumulative scan repeats."""
    if op.is_associative is None or not op.is_associative.value.data:
        return None
    block = op.body.block
    combine, *others = block.ops
    if not len(op.inputs) == len(op.inits) == len(op.outputs) == len(others) == 1:
        return None
    if set(combine.operands) != set(block.args) or set(others[0].operands) != set(combine.results):
        return None
    return type(combine) if _neutral(type(combine), element_type_of(op.inits[0])) is not None else None


def _neutral(combine: type[Operation], element_type: Attribute) -> bytes | None:
    """What `combine` leaves other numbers as they are with; None of floats of less than 16 bits."""
    is_narrow = isinstance(element_type, AnyFloat) and element_bits(element_type) < 16
    return None if is_narrow else neutral_on_both_sides(combine, element_type)


def _reduced(x: Tensor, init: Tensor, combine: type[Operation], dim: int, is_reverse: bool) -> list[Tensor]:
    builder, shape, size = x.builder, x.shape, x.shape[dim]
    neutral = _neutral(combine, x.element_type)
    assert neutral is not None
    windows = x.scan(combine, neutral, dim, is_reverse)
    first = init.broadcast(shape, [i for i in range(x.rank) if i != dim])
    (output,) = builder.emit(combine, (first, windows), (x.type,))
    last = output.slice({dim: (0, 1) if is_reverse else (size - 1, size)})
    return [output, last.reshape(init.shape)]
