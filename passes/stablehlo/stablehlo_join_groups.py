"""`stablehlo-join-groups`: what works on groups of a few channels runs over all channels.

A program that normalises channels in groups reshapes `[..., channels]` to `[..., groups, channels of a group]`, and
what follows has an innermost loop over the few channels of one group, shorter than a vector. Here elementwise ops on
such a shape run on the joined one, and `reduce` reduces other dimensions first, all channels side by side, and the
channels of a group last, of what is left. A value per group is repeated for its channels in a small tensor first.

Needs: static shapes, broadcasts and reshapes as `stablehlo-simplify` leaves them. Leaves: groups that fill a vector;
ops whose operands or readers have the shape of groups for another reason; reductions of groups alone, and those whose
order is fixed (combiners without a neutral element, floats narrower than 32 bits, which would round in between).
How short and how large a group has to be is in `decisions/loops.py`.

    %g = stablehlo.reshape %x : (tensor<32x32x256xf32>) -> tensor<32x32x32x8xf32>
    %s = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0, 1, 3]
    %m = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<32xf32>) -> tensor<32x32x32x8xf32>
    %d = stablehlo.subtract %g, %m : tensor<32x32x32x8xf32>
    %y = stablehlo.reshape %d : (tensor<32x32x32x8xf32>) -> tensor<32x32x256xf32>

becomes

    %c = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
    %h = stablehlo.reshape %c : (tensor<256xf32>) -> tensor<32x8xf32>
    %s = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1]
    %r = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<32xf32>) -> tensor<32x8xf32>
    %j = stablehlo.reshape %r : (tensor<32x8xf32>) -> tensor<256xf32>
    %m = stablehlo.broadcast_in_dim %j, dims = [2] : (tensor<256xf32>) -> tensor<32x32x256xf32>
    %y = stablehlo.subtract %x, %m : tensor<32x32x256xf32>

Not a pattern pass: ops that read each other are joined together or not at all.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, IntegerType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import stablehlo
from ...dialects.editing import blocks_in, clone_region, erase, replace_uses
from ...dialects.element_sizes import element_bytes
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.regions import single_op
from ...dialects.stablehlo.shapes import Shape, element_type_of, shape_of
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor, int_array, ints
from .simplify_reductions import is_neutral
from .stablehlo_align_shapes import ELEMENTWISE, moved_dims

_EXACT = stablehlo.MaxOp | stablehlo.MinOp | stablehlo.AndOp | stablehlo.OrOp
"""What rounds nothing."""


def _joined_shape(shape: Shape) -> Shape:
    """With the groups and the channels of a group as one dimension."""
    return (*shape[:-2], shape[-2] * shape[-1])


class _Groups:
    """The ops of a block on shapes of groups."""

    def __init__(self, block: Block, model: CostModel) -> None:
        self.block, self.model = block, model
        self.members: set[Operation] = set()
        self._joined: dict[SSAValue, Tensor] = {}

    def run(self) -> None:
        ops = list(self.block.ops)
        self.members = {op for op in ops if type(op) in ELEMENTWISE and self._is_grouped(op.results[0])}
        self._prune()
        for op in ops:
            if op in self.members:
                self._join(op)
            elif type(op) is stablehlo.ReduceOp and self._is_joinable(op):
                self._reduce(op)
            elif type(op) is stablehlo.ReshapeOp and op.operands[0].owner in self.members:
                joined = self._joined[op.operands[0]]
                builder = TensorBuilder(op)
                replace_uses(op.results[0], Tensor(builder, joined.value).reshape(shape_of(op.results[0])).value)
                erase(op)
        for op in reversed(ops):
            if op in self.members:
                erase(op)

    def _is_grouped(self, value: SSAValue) -> bool:
        if not isinstance(value.type, TensorType):
            return False
        shape, element = shape_of(value), element_type_of(value)
        if len(shape) < 2 or min(shape) < 1 or not isinstance(element, AnyFloat | IntegerType):
            return False
        lanes = self.model.target.lanes(8 * element_bytes(cast(Attribute, element)))
        return self.model.loops.worth_joining_groups(shape[-2], shape[-1], prod(shape), lanes)

    def _prune(self) -> None:
        """Takes out what cannot be joined, and what reads or is read by that."""
        pending = list(self.members)
        while pending:
            op = pending.pop()
            if op not in self.members or self._agrees(op):
                continue
            self.members.remove(op)
            pending += [value.owner for value in op.operands if isinstance(value.owner, Operation)]
            pending += [use.operation for use in op.results[0].uses]

    def _agrees(self, op: Operation) -> bool:
        shape = shape_of(op.results[0])
        operands = [value for value in op.operands if shape_of(value) == shape]
        return all(map(self._can_join, operands)) and all(
            self._reads_joined(use.operation, shape) for use in op.results[0].uses
        )

    def _can_join(self, value: SSAValue) -> bool:
        owner, shape = value.owner, shape_of(value)
        if owner in self.members or splat_of(value) is not None:
            return True
        if isinstance(owner, stablehlo.ReshapeOp):
            return shape_of(owner.operands[0])[-1:] == _joined_shape(shape)[-1:]
        if not isinstance(owner, stablehlo.BroadcastInDimOp):
            return False
        repeated = prod(shape[dim] for dim in {*moved_dims(owner), len(shape) - 2, len(shape) - 1})
        return self.model.loops.is_small_per_group(repeated, prod(shape))

    def _reads_joined(self, op: Operation, shape: Shape) -> bool:
        if isinstance(op, stablehlo.ReshapeOp):
            return shape_of(op.results[0])[-1:] == _joined_shape(shape)[-1:]
        return op in self.members or (isinstance(op, stablehlo.ReduceOp) and self._is_joinable(op))

    def _is_joinable(self, op: stablehlo.ReduceOp) -> bool:
        """Whether a reduction of groups, and of other dimensions, may do these first."""
        (value, *others), shape = op.operands, shape_of(op.operands[0])
        if len(others) != 1 or not self._is_grouped(value):
            return False
        if not any(dim < len(shape) - 2 for dim in ints(op, "dimensions")) or not is_neutral(op):
            return False
        element = element_type_of(value)
        is_wide = isinstance(element, IntegerType | Float32Type | Float64Type)
        return self._can_join(value) and (is_wide or isinstance(single_op(op.body), _EXACT))

    def _join(self, op: Operation) -> None:
        builder, shape = TensorBuilder(op, model=self.model), shape_of(op.results[0])
        operands = [
            self._joined_value(value, builder) if shape_of(value) == shape else Tensor(builder, value)
            for value in op.operands
        ]
        result_type = TensorType(element_type_of(op.results[0]), _joined_shape(shape))
        (result,) = builder.emit(type(op), operands, (result_type,), op.properties, attributes=op.attributes)
        result.value.name_hint = op.results[0].name_hint
        self._joined[op.results[0]] = result

    def _joined_value(self, value: SSAValue, builder: TensorBuilder) -> Tensor:
        """The value on the joined shape, made in front of the op that `builder` inserts at."""
        known = self._joined.get(value)
        if known is not None:
            return Tensor(builder, known.value)
        shape = shape_of(value)
        joined, owner = _joined_shape(shape), value.owner
        splat = splat_of(value)
        if splat is not None:
            return builder.splat(element_type_of(value), joined, splat)
        assert isinstance(owner, Operation)
        source = Tensor(builder, owner.operands[0])
        if isinstance(owner, stablehlo.ReshapeOp):
            return source.reshape(joined)
        dims, last = moved_dims(owner), len(joined) - 1
        source = source.reshape([size for size in source.shape if size != 1])
        if not {last, last + 1} & set(dims):
            return source.broadcast(joined, dims)
        kept = sorted({*dims, last, last + 1})
        repeated = source.broadcast([shape[dim] for dim in kept], [kept.index(dim) for dim in dims])
        leading = kept[:-2]
        return repeated.reshape([*(shape[dim] for dim in leading), joined[-1]]).broadcast(joined, [*leading, last])

    def _reduce(self, op: stablehlo.ReduceOp) -> None:
        builder, (value, init) = TensorBuilder(op, model=self.model), op.operands
        shape, dims = shape_of(value), set(ints(op, "dimensions"))
        last = len(shape) - 1
        is_whole = {last - 1, last} <= dims
        first = sorted(dim for dim in dims if dim < last - 1) + [last - 1] * is_whole
        result = self._reduced(op, self._joined_value(value, builder), init, first)
        if not is_whole:
            kept = [dim for dim in range(last + 1) if dim not in first]
            result = result.reshape([shape[dim] for dim in kept])
            if inner := [kept.index(dim) for dim in sorted(dims - set(first))]:
                result = self._reduced(op, result, init, inner)
        replace_uses(op.results[0], result.value)
        erase(op)

    @staticmethod
    def _reduced(op: stablehlo.ReduceOp, value: Tensor, init: SSAValue, dims: list[int]) -> Tensor:
        shape = [size for dim, size in enumerate(value.shape) if dim not in dims]
        operands, properties = [value, Tensor(value.builder, init)], {**op.properties, "dimensions": int_array(dims)}
        result_type = TensorType(value.element_type, shape)
        regions = [clone_region(op.body, {})]
        return value.builder.emit(stablehlo.ReduceOp, operands, (result_type,), properties, regions)[0]


class StablehloJoinGroupsPass(ModulePass):
    """See the module's documentation."""

    name = "stablehlo-join-groups"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        for block in list(blocks_in(op)):
            _Groups(block, model).run()
