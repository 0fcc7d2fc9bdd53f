"""`sdy-apply-constraints`: a constraint on a value is how the value is made.

A `sdy.sharding_constraint` whose dimensions are all closed becomes the sharding of its operand, unless that has one or
another reader asks for another one; so does what a `sdy.manual_computation` wants of its operands. Of a value that
moves between regions, such as what a loop carries, the constraint stands right behind it and all others read its
result: the loop is not bound by it. So it is of an argument that the constraint does not split evenly: callers, who
have not asked for it, may have no uneven parts. Constraints in a row hold for all that follows the last of them.

Needs: nothing. Leaves: constraints where they were, or behind the value.

    %0 = stablehlo.add %x, %y : tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>

becomes

    %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>

Not a pattern pass: what is done depends on all readers of a value. The rules are Shardy's
(sdy-apply-sharding-constraints), so that programs are split as JAX's users know it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from ...dialects.editing import insert_before, new_op, walk
from ...dialects.sdy.annotations import ShardingConstraintOp
from ...dialects.sdy.regions import ManualComputationOp
from ...dialects.sdy.sharding_attributes import TensorShardingAttr
from ...dialects.sdy.values import Meshes, meshes_of, resolve, set_sharding, sharding_of
from ...ir.sharding_propagation.graph import static_shape
from ...ir.sharding_propagation.writing import splits_evenly
from ...ir.sharding_rules.data_flow import edges_of


@dataclass(frozen=True)
class SdyApplyConstraintsPass(ModulePass):
    """Moves constraints to the values that they are about."""

    name = "sdy-apply-constraints"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ops = list(walk(op))
        moved = {value for nested in ops for edge in edges_of(nested) for value in edge.targets}
        constraints = _Constraints(meshes_of(op), moved)
        for nested in ops:
            if isinstance(nested, ShardingConstraintOp):
                _follow_chain(nested)
                constraints.apply(nested, nested.tensor, nested.sharding, nested)
            elif isinstance(nested, ManualComputationOp):
                for operand, sharding in zip(nested.operands, nested.in_shardings.data, strict=True):
                    constraints.apply(nested, operand, sharding)


class _Constraints:
    """Those of a module; `moved` are the values that edges have as targets."""

    def __init__(self, meshes: Meshes, moved: set[SSAValue]):
        self.meshes = meshes
        self.moved = moved

    def apply(
        self,
        op: Operation,
        value: SSAValue,
        sharding: TensorShardingAttr,
        constraint: ShardingConstraintOp | None = None,
    ) -> None:
        """Makes `sharding`, which `op` asks for, that of `value`."""
        if not self._is_applicable(op, value, sharding):
            return
        found = resolve(sharding, op, self.meshes)
        shape = static_shape(value.type) or ()
        if value not in self.moved and (isinstance(value, OpResult) or splits_evenly(found, shape)):
            set_sharding(value, found)
            return
        if constraint is None:
            constraint = new_op(
                ShardingConstraintOp, operands=[value], result_types=[value.type], properties={"sharding": sharding}
            )
        else:
            constraint.detach()
        _insert_behind(constraint, value)
        for use in list(value.uses):
            if use.operation is not constraint:
                use.operation.operands[use.index] = constraint.result

    def _is_applicable(self, op: Operation, value: SSAValue, sharding: TensorShardingAttr) -> bool:
        if not static_shape(value.type) or not (value in self.moved or _has_place(value)):
            return False
        if not all(dimension.is_closed for dimension in resolve(sharding, op, self.meshes).dimensions):
            return False
        if sharding_of(value, self.meshes) is not None:
            return False
        return all(wanted == sharding for wanted in _wanted_of(value))


def _has_place(value: SSAValue) -> bool:
    """Whether a sharding can stand on it."""
    return isinstance(value, OpResult) or isinstance(value.owner.parent_op(), func.FuncOp)


def _wanted_of(value: SSAValue) -> list[Attribute]:
    """The shardings that constraints and manual computations ask of a value."""
    wanted: list[Attribute] = []
    for use in value.uses:
        if isinstance(use.operation, ShardingConstraintOp):
            wanted.append(use.operation.sharding)
        elif isinstance(use.operation, ManualComputationOp):
            wanted.append(use.operation.in_shardings.data[use.index])
    return wanted


def _insert_behind(op: Operation, value: SSAValue) -> None:
    following = value.owner.first_op if isinstance(value.owner, Block) else value.owner.next_op
    assert following is not None
    insert_before(op, following)


def _follow_chain(head: ShardingConstraintOp) -> None:
    """Of constraints in a row, the last one is what others that come later read."""
    value = head.tensor
    if isinstance(value.owner, ShardingConstraintOp) or sharding_of(value) is not None:
        return
    if any(use.operation is not head and _is_constraint(use.operation) for use in value.uses):
        return
    tail = head
    while (use := tail.result.get_user_of_unique_use()) is not None and isinstance(use, ShardingConstraintOp):
        tail = use
    if tail is head or any(_is_constraint(use.operation) for use in tail.result.uses):
        return
    for use in list(value.uses):
        user = use.operation
        is_later = user.parent is tail.parent and tail.is_before_in_block(user)
        if user is not head and not isinstance(user, func.ReturnOp) and is_later:
            user.operands[use.index] = tail.result


def _is_constraint(op: Operation) -> bool:
    return isinstance(op, ShardingConstraintOp | ManualComputationOp)
