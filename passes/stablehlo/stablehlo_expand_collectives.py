"""`stablehlo-expand-collectives`: what collectives compute becomes ordinary ops, what they exchange is left.

The grid of processes, `replicas` times `partitions`, is known here. Alone (1 times 1), a program has nobody to talk
to: collectives are their operands, or zeros where the process is no target, ids are 0, asynchronous ops are the ops in
them. In a larger grid all that move contiguous values through a call of the runtime, `xrt.members`, which gives each
process the values of all members of its group, stacked, or its part of them (`parts`). Around it are ordinary ops:
transposes for the dimensions of `all_gather` and `all_to_all`, and in the reductions (`all_reduce`,
`collective_reduce`, `reduce_scatter`, `cross-replica-sum`) the reduction, in pairs and in order, so that all members
get the same bits. A large value in an `all_reduce` or `reduce_scatter` is not stacked: a call of `xrt.reduced` names a
function that reduces a piece of the values of all members, and the runtime has each member reduce some pieces, straight
from the operands into the results. Where the computation is more than one loop, the value is a reduction of parts, one
by each member, that are gathered afterwards. Where groups differ in size, a `case` on the size chooses among
reductions. The calls keep what processes have to agree on: groups, dimensions, the computation as text.

Needs: static shapes. Leaves: `collective_broadcast`, `collective_permute`, `replica_id`, `partition_id`, calls of
`ragged_all_to_all`, `async_start` and `async_done`, where the grid is not 1 times 1, for the runtime. Groups that break
a rule in this grid, such as ids outside it and processes in no group, are an `InvalidProgramError`, in all collectives.
So are orders in which processes would wait for each other in vain (`collective_orders.py`).

    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>

becomes, with `replicas=2`,

    %0:3 = stablehlo.custom_call @xrt.members(%x) {has_side_effect = true, op = "stablehlo.all_reduce",
        computation = "...", ...} : (tensor<4xf32>) -> (tensor<2x4xf32>, tensor<i32>, tensor<i32>)
                                                                          // values, how many, the own place
    %1 = stablehlo.reshape(stablehlo.slice %0#0 [0:1, 0:4]) : tensor<4xf32>
    %2 = stablehlo.reshape(stablehlo.slice %0#0 [1:2, 0:4]) : tensor<4xf32>
    %3 = "stablehlo.map"(%1, %2) ({ ... stablehlo.maximum ... }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

The module's attributes `mhlo.num_replicas` and `mhlo.num_partitions` say from here on what grid it is for.
The strategies of process groups are those of the specification (section "Execution").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar, get_args

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation

from ...decisions.messages import Messages
from ...dialects import stablehlo
from ...dialects.editing import erase, inline_block, replace_uses
from ...dialects.element_sizes import element_bytes
from ...dialects.limits import MOST_PROCESSES
from ...dialects.printing import text_of_region
from ...dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.xrt_names import MEMBERS, PARTS, PIECE, REDUCED
from ...errors import InvalidProgramError
from ...ir.expansion import pattern_of
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, name_of_op
from ...ir.rewriter import CHANGED, Changed, Rewriter, rewrite_once
from ...ir.tensor_builder import Tensor, TensorBuilder
from ...ir.tensors import int_array
from .collective_orders import verify_orders
from .reduced_pieces import Reduction, is_in_pieces, reducing_function

REDUCTIONS: tuple[type[Reduction], ...] = get_args(Reduction)
EXCHANGES = (
    stablehlo.AllGatherOp,
    stablehlo.AllToAllOp,
    stablehlo.CollectiveBroadcastOp,
    stablehlo.CollectivePermuteOp,
)
IDS = (stablehlo.ReplicaIdOp, stablehlo.PartitionIdOp)


def _values(op: Operation, builder: TensorBuilder) -> tuple[list[Tensor], Tensor | None]:
    """The operands in the element types of the results, and the roots of collectives that have some."""
    operands, roots = builder.wrap(*op.operands), None
    if isinstance(op, stablehlo.CollectiveReduceOp | stablehlo.CollectiveBroadcastOp) and op.roots is not None:
        *operands, roots = operands
    return [x.convert(element_type_of(result)) for x, result in zip(operands, op.results, strict=True)], roots


def _combined(op: Reduction, values: list[Tensor], builder: TensorBuilder) -> Tensor:
    """All `values` combined in pairs, as the reference combines them."""

    def combine(first: Tensor, second: Tensor) -> Tensor:
        if isinstance(op, stablehlo.CrossReplicaSumOp):
            return first + second
        properties = {"dimensions": int_array(range(first.rank))}
        return builder.emit(stablehlo.MapOp, (first, second), (first.type,), properties, (op.computation.clone(),))[0]

    while len(values) > 1:
        pairs = zip(values[0::2], values[1::2], strict=False)
        values = [*(combine(*pair) for pair in pairs), *values[len(values) // 2 * 2 :]]
    return values[0]


def _inline_asynchronous(start: stablehlo.AsyncStartOp, rewriter: Rewriter) -> Changed | None:
    return CHANGED if inline_asynchronous(start) else None


def inline_asynchronous(start: stablehlo.AsyncStartOp) -> bool:
    """The ops of the body in its place, their results in those of `async_done`, if that is all that uses the future."""
    done = [use.operation for use in start.result.uses]
    if not all(isinstance(op, stablehlo.AsyncDoneOp) for op in done):
        return False
    returned = inline_block(start.body.block, start, start.operands)
    for op in done:
        for result, value in zip(op.results, returned, strict=True):
            replace_uses(result, value)
        erase(op)
    erase(start)
    return True


@dataclass(frozen=True)
class StablehloExpandCollectivesPass(PatternPass):
    """Expand the collectives of every function. See the module's documentation."""

    name = "stablehlo-expand-collectives"

    replicas: int = 1
    partitions: int = 1
    messages: ClassVar[Messages] = Messages()

    def patterns(self) -> Sequence[Pattern]:
        calls = pattern_of(self._check, stablehlo.CustomCallOp)
        if self.replicas != 1 or self.partitions != 1:
            checks = [
                pattern_of(self._check, op) for op in (stablehlo.CollectiveBroadcastOp, stablehlo.CollectivePermuteOp)
            ]
            layouts = [
                pattern_of(self._gathered, stablehlo.AllGatherOp),
                pattern_of(self._transposed, stablehlo.AllToAllOp),
            ]
            return [*(pattern_of(self._reduced, op) for op in REDUCTIONS), *layouts, *checks, calls]
        start = stablehlo.AsyncStartOp
        expansions = [pattern_of(self._alone, op) for op in (*REDUCTIONS, *EXCHANGES, *IDS)]
        return [*expansions, calls, Pattern(_inline_asynchronous, (start,), name_of_op(start))]

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        if min(self.replicas, self.partitions) < 1 or self.replicas * self.partitions > MOST_PROCESSES:
            raise InvalidProgramError(
                f"{self.replicas} replicas and {self.partitions} partitions: expected 1 to {MOST_PROCESSES} processes",
                op,
            )
        if self.replicas * self.partitions > 1:
            verify_orders(op, self.replicas, self.partitions)
        rewrite_once(op, self.rewrites(ctx), forwards=True)
        for name, count in (("mhlo.num_replicas", self.replicas), ("mhlo.num_partitions", self.partitions)):
            if count != 1 or name in op.attributes:
                op.attributes[name] = IntegerAttr(count, i32)

    def _groups(self, op: Operation) -> list[list[tuple[int, int]]]:
        """The processes that act together, or pairs of source and target."""
        from ...reference.process_groups import groups_of
        from ...reference.processes import ProcessGrid

        return groups_of(op, ProcessGrid(self.replicas, self.partitions))

    def _check(self, op: Operation, builder: TensorBuilder) -> None:
        """Stays, if its groups are valid."""
        if not isinstance(op, stablehlo.CustomCallOp) or op.call_target_name.data == RAGGED_ALL_TO_ALL:
            self._groups(op)

    def _alone(self, op: Operation, builder: TensorBuilder) -> Sequence[Tensor]:
        """What an exchange or a reduction is in a grid of one process."""
        if isinstance(op, IDS):
            return [builder.splat(element_type_of(op.results[0]), (), 0)]
        if not self._groups(op) and isinstance(op, stablehlo.CollectivePermuteOp):
            return [builder.splat(element_type_of(op.operand), shape_of(op.operand), 0)]
        values, roots = _values(op, builder)
        if roots is not None and isinstance(op, stablehlo.CollectiveReduceOp):
            values = [roots.at(i).equals(0).select(value, 0) for i, value in enumerate(values)]
        for value, result in zip(values, op.results, strict=True):
            if value.shape != shape_of(result):
                raise InvalidProgramError(
                    f"'{op.name}' op: a result of type {result.type} in a grid of one process, which gives"
                    f" {value.type}",
                    op,
                )
        return values

    def _exchange(
        self, op: Operation, operands: Sequence[Tensor], types: Sequence[Attribute], builder: TensorBuilder, parts: bool
    ) -> tuple[list[Tensor], Tensor, Tensor]:
        """A call that gives each member the operands of all members, or its part of them; how many members there are,
        the own place.
        """
        scalar = TensorType(i32, ())
        properties = {"call_target_name": StringAttr(MEMBERS), "has_side_effect": IntegerAttr(1, i1)}
        attributes = _agreed(op)
        if parts:
            attributes[PARTS] = UnitAttr()
        *values, count, place = builder.emit(
            stablehlo.CustomCallOp, operands, [*types, scalar, scalar], properties, attributes=attributes
        )
        return values, count, place

    def _gathered(self, op: stablehlo.AllGatherOp, builder: TensorBuilder) -> Sequence[Tensor]:
        """The operands of all members, next to each other along the dimension of the op."""
        operands, dim, count = builder.wrap(*op.operands), op.all_gather_dim.value.data, len(self._groups(op)[0])
        types = [TensorType(x.element_type, [count, *x.shape]) for x in operands]
        stacks, _, _ = self._exchange(op, operands, types, builder, parts=False)
        return [_beside(stack, dim) for stack in stacks]

    def _transposed(self, op: stablehlo.AllToAllOp, builder: TensorBuilder) -> Sequence[Tensor]:
        """Part i of the operands of all members for member i, next to each other."""
        self._check(op, builder)
        split, concat, count = (
            attribute.value.data for attribute in (op.split_dimension, op.concat_dimension, op.split_count)
        )
        parts = [_in_parts(x, split, count) for x in builder.wrap(*op.operands)]
        stacks, _, _ = self._exchange(op, parts, [part.type for part in parts], builder, parts=True)
        return [_beside(stack, concat) for stack in stacks]

    def _reduced(self, op: Reduction, builder: TensorBuilder) -> Sequence[Tensor]:
        """The reduction of the values of all members."""
        sizes = sorted({len(group) for group in self._groups(op)})
        if len(sizes) == 1 and isinstance(op, stablehlo.ReduceScatterOp):
            return self._reduced_part(op, sizes[0], builder)
        operands, roots = _values(op, builder)
        if len(sizes) == 1 and sizes[0] > 1 and isinstance(op, stablehlo.AllReduceOp | stablehlo.CrossReplicaSumOp):
            if all(map(self._is_large, operands)):
                reduced = self._reduced_in_pieces if is_in_pieces(op) else self._reduced_in_parts
                return [reduced(op, x, sizes[0], builder) for x in operands]
        stacks = [TensorType(x.element_type, [sizes[-1], *x.shape]) for x in operands]
        values, count, place = self._exchange(op, operands, stacks, builder, parts=False)

        def is_root(index: int) -> Tensor:
            """Whether the process gets result `index`; one in no group has a negative place."""
            return place.equals(0) if roots is None else place.equals(roots.at(index)) & place.greater(-1)

        def of(size: int) -> Sequence[Tensor]:
            totals = [_combined(op, [x.at(i) for i in range(size)], builder) for x in values]
            if isinstance(op, stablehlo.CollectiveReduceOp):
                return [is_root(i).select(total, 0) for i, total in enumerate(totals)]
            if not isinstance(op, stablehlo.ReduceScatterOp):
                return totals
            dim, part = op.scatter_dimension.value.data, shape_of(op.result)[op.scatter_dimension.value.data]
            if part * size != totals[0].shape[dim]:
                raise InvalidProgramError(
                    f"'{op.name}' op: {totals[0].type} in {size} parts is not {op.result.type}", op
                )
            return [totals[0].dynamic_slice({dim: place * part}, {dim: part})]

        if len(sizes) == 1:
            return of(sizes[0])
        # Sizes that do not occur in between belong to the next greater one.
        branches = [next(size for size in sizes if size > i) for i in range(sizes[-1])]
        regions = [builder.region((), lambda _, size=size: of(size)) for size in branches]
        return builder.emit(stablehlo.CaseOp, (count - 1,), [result.type for result in op.results], {}, regions)

    def _reduced_part(self, op: stablehlo.ReduceScatterOp, size: int, builder: TensorBuilder) -> Sequence[Tensor]:
        """The reduction of the own part of the values of all members."""
        (operand,), _ = _values(op, builder)
        dim, part = op.scatter_dimension.value.data, shape_of(op.result)[op.scatter_dimension.value.data]
        if part * size != operand.shape[dim]:
            raise InvalidProgramError(f"'{op.name}' op: {operand.type} in {size} parts is not {op.result.type}", op)
        parts = _in_parts(operand, dim, size)
        if size > 1 and self._is_large(operand) and is_in_pieces(op):
            return [self._reduced_in_pieces(op, parts, size, builder)]
        (stack,), _, _ = self._exchange(op, [parts], [parts.type], builder, parts=True)
        return [_combined(op, [stack.at(i) for i in range(size)], builder)]

    def _is_large(self, x: Tensor) -> bool:
        """Whether each member reduces its part of such a value."""
        return prod(x.shape) * element_bytes(x.element_type) > self.messages.gathered_bytes

    def _reduced_in_pieces(self, op: Reduction, operand: Tensor, size: int, builder: TensorBuilder) -> Tensor:
        """The reduction of a large value, in pieces; of a `reduce_scatter` that of the own part of stacked ones."""
        is_scattered, element = isinstance(op, stablehlo.ReduceScatterOp), operand.element_type
        shape = operand.shape[1:] if is_scattered else operand.shape
        bytes = element_bytes(element)
        share = 1 if is_scattered else size
        piece = self.messages.piece(prod(shape) * bytes, share, bytes)
        attributes = {**_agreed(op), PIECE: IntegerAttr(piece, i64)}
        if is_scattered:
            attributes[PARTS] = UnitAttr()
        function = reducing_function(op, TensorType(element, [piece // bytes]), size)
        properties = {
            "call_target_name": StringAttr(REDUCED),
            "has_side_effect": IntegerAttr(1, i1),
            "called_computations": ArrayAttr([SymbolRefAttr(function)]),
        }
        type = TensorType(element, shape)
        return builder.emit(stablehlo.CustomCallOp, (operand,), (type,), properties, attributes=attributes)[0]

    def _reduced_in_parts(self, op: Reduction, operand: Tensor, size: int, builder: TensorBuilder) -> Tensor:
        """The reduction of a large value: each member reduces its part, then all get all parts (reduce-scatter and
        all-gather, as in R. Rabenseifner, "Optimization of Collective Reduction Operations", 2004).
        """
        count = prod(operand.shape)
        part = -(-count // size)
        padded = operand.reshape((count,)).pad({0: part * size - count}).reshape((size, part))
        (stack,), _, _ = self._exchange(op, [padded], [padded.type], builder, parts=True)
        own = _combined(op, [stack.at(i) for i in range(size)], builder)
        (all_parts,), _, _ = self._exchange(op, [own], [padded.type], builder, parts=False)
        whole = all_parts.reshape((part * size,))
        return (whole if part * size == count else whole.slice({0: (0, count)})).reshape(operand.shape)


def _agreed(op: Operation) -> dict[str, Attribute]:
    """What processes have to agree on that carry out `op`."""
    types = FunctionType.from_lists(op.operand_types, op.result_types)
    attributes: dict[str, Attribute] = {"op": StringAttr(op.name), "types": types, **op.properties}
    if op.regions:
        attributes["computation"] = StringAttr(text_of_region(op.regions[0]))
    return attributes


def _in_parts(x: Tensor, dim: int, count: int) -> Tensor:
    """`count` parts along `dim`, stacked in front."""
    shape = (*x.shape[:dim], count, x.shape[dim] // count, *x.shape[dim + 1 :])
    return x.reshape(shape).transpose((dim, *range(dim), *range(dim + 1, len(shape))))


def _beside(stack: Tensor, dim: int) -> Tensor:
    """The values of a stack, next to each other along `dim` of theirs."""
    count, *shape = stack.shape
    order = (*range(1, dim + 1), 0, *range(dim + 1, stack.rank))
    return stack.transpose(order).reshape((*shape[:dim], count * shape[dim], *shape[dim + 1 :]))
