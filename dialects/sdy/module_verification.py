"""Whether the shardings of a module fit its meshes and the types of its values.

What needs a mesh cannot be seen from an op alone. Meshes are collected once, and ops of all dialects are looked at, as
shardings may stand on any of them.

Source: openxla/shardy, shardy/dialect/sdy/ir/verifiers.cc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DictionaryAttr, ModuleOp, ShapedType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from ...errors import InvalidProgramError
from ..editing import walk
from .annotations import DataFlowEdgeOp, ShardingOp
from .collective_verification import AXES_CHECKS, verify_collective
from .collectives import CollectiveOp
from .regions import ManualComputationOp, NamedComputationOp
from .rule_attributes import OpShardingRuleAttr
from .sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from .sharding_rules import TensorFactors
from .sharding_verification import verify_sharding
from .shardings import Sharding
from .values import SHARDING, SHARDING_RULE, Meshes, manual_axes_around, meshes_of, resolve, sharding_of


def verify_shardings(module: ModuleOp) -> None:
    """Raises InvalidProgramError for the first sharding or sharding rule that does not fit where it stands."""
    meshes: Meshes | None = None
    for op in walk(module):
        is_sharded = op.attributes and (SHARDING in op.attributes or SHARDING_RULE in op.attributes)
        check = CHECKS.get(op.__class__)
        if not is_sharded and check is None:
            continue
        if meshes is None:
            meshes = meshes_of(module)
        try:
            if is_sharded:
                _verify_attributes(op, meshes)
            if check is not None:
                check(cast(Any, op), meshes)
        except VerifyException as error:
            raise InvalidProgramError(f"'{op.name}' op: {error}", op) from None


def _verify_attributes(op: Operation, meshes: Meshes) -> None:
    shardings = op.attributes.get(SHARDING)
    if shardings is not None:
        if not isinstance(shardings, TensorShardingPerValueAttr):
            raise VerifyException(f"{SHARDING} is expected to be a sharding for each result")
        _verify_list(op, shardings, op.result_types, meshes, "result")
    rule = op.attributes.get(SHARDING_RULE)
    if rule is not None:
        if not isinstance(rule, OpShardingRuleAttr):
            raise VerifyException(f"{SHARDING_RULE} is expected to be a sharding rule")
        _verify_mappings(rule.data.operands, op.operand_types, "operand")
        _verify_mappings(rule.data.results, op.result_types, "result")


def _verify_mappings(tensors: Sequence[TensorFactors], types: Sequence[Attribute], what: str) -> None:
    if len(tensors) != len(types):
        raise VerifyException(f"number of {what}s and mappings must match: {len(types)} != {len(tensors)}")
    for index, (tensor, type) in enumerate(zip(tensors, types, strict=True)):
        rank = type.get_num_dims() if isinstance(type, ShapedType) else 0
        if len(tensor) != rank:
            raise VerifyException(f"{what} {index} - mapping rank must match: {len(tensor)} != {rank}")


def _verify_list(
    op: Operation, shardings: TensorShardingPerValueAttr, types: Sequence[Attribute], meshes: Meshes, what: str
) -> None:
    data = shardings.data
    if not types and len(data) == 1 and not data[0].data.dimensions:
        return
    if len(data) != len(types):
        raise VerifyException(
            f"{what} shardings don't match number of values: {len(data)} shardings vs {len(types)} values"
        )
    manual_axes = manual_axes_around(op)
    for index, (attribute, type) in enumerate(zip(data, types, strict=True)):
        _verify_one(op, attribute, type, meshes, manual_axes, f"{what} {index} - " if len(types) > 1 else f"{what} - ")


def _verify_one(
    op: Operation,
    attribute: TensorShardingAttr,
    type: Attribute,
    meshes: Meshes,
    manual_axes: Sequence[str] = (),
    where: str = "",
) -> Sharding:
    sharding = resolve(attribute, op, meshes)
    try:
        verify_sharding(sharding, type, manual_axes)
    except VerifyException as error:
        raise VerifyException(f"{where}{error}") from None
    return sharding


def _verify_function(function: FuncOp, meshes: Meshes) -> None:
    for what, dictionaries, types in (
        ("arg", function.arg_attrs, function.function_type.inputs),
        ("result", function.res_attrs, function.function_type.outputs),
    ):
        for index, (entry, type) in enumerate(zip(_dictionaries(dictionaries), types, strict=False)):
            found = entry.get(SHARDING)
            if found is None:
                continue
            if not isinstance(found, TensorShardingAttr):
                raise VerifyException(f"{what} {index} - {SHARDING} is expected to be a sharding")
            _verify_one(function, found, type, meshes, (), f"{what} {index} - ")


def _dictionaries(attributes: ArrayAttr[DictionaryAttr] | None) -> Iterable[dict[str, Attribute]]:
    return [] if attributes is None else [dict(entry.data) for entry in attributes]


def _verify_sharding_op(op: ShardingOp, meshes: Meshes) -> None:
    _verify_one(op, op.sharding, op.result.type, meshes, manual_axes_around(op))


def _verify_edge(op: DataFlowEdgeOp, meshes: Meshes) -> None:
    if op.sharding is not None:
        _verify_one(op, op.sharding, op.result.type, meshes, manual_axes_around(op))


def _verify_named(op: NamedComputationOp, meshes: Meshes) -> None:
    for what, shardings, types in (
        ("in_shardings", op.in_shardings, op.operand_types),
        ("out_shardings", op.out_shardings, op.result_types),
    ):
        if shardings is not None:
            _verify_list(op, shardings, types, meshes, what)


def _verify_manual(op: ManualComputationOp, meshes: Meshes) -> None:
    axes = op.manual_axes.data
    for axis in axes:
        if axis in manual_axes_around(op):
            raise VerifyException(
                f'operates on axis "{axis}" which is already bound by a parent sdy.manual_computation op'
            )
    last = op.body.block.last_op
    assert last is not None
    inner = [argument.type for argument in op.body.block.args]
    _verify_parts(op, op.in_shardings, op.operand_types, inner, meshes, "operand")
    _verify_parts(op, op.out_shardings, op.result_types, last.operand_types, meshes, "result")
    used = [resolve(attribute, op, meshes).mesh for attribute in (*op.in_shardings.data, *op.out_shardings.data)]
    distinct = {mesh.axes for mesh in used if mesh.axes}
    if len(distinct) > 1:
        raise VerifyException("all in and out shardings must be bound to the same mesh or an empty mesh")
    for axis in axes:
        if distinct and axis not in dict(next(iter(distinct))):
            raise VerifyException(f'unknown manual axis: "{axis}"')


def _verify_parts(
    op: ManualComputationOp,
    shardings: TensorShardingPerValueAttr,
    whole: Sequence[Attribute],
    local: Sequence[Attribute],
    meshes: Meshes,
    what: str,
) -> None:
    _verify_list(op, shardings, whole, meshes, what)
    if len(whole) != len(local):
        raise VerifyException(
            f"number of op {what}s and region {what}s must match: {len(whole)} op {what}s, {len(local)} region {what}s"
        )
    for index, (attribute, type, part) in enumerate(zip(shardings.data, whole, local, strict=True)):
        sharding = resolve(attribute, op, meshes)
        if not isinstance(type, TensorType) or sharding.mesh.is_maximal:
            continue
        tensor = cast("TensorType[Attribute]", type)
        shape = _part_shape(sharding, tensor.get_shape(), op.manual_axes.data, what)
        expected = TensorType(tensor.element_type, shape, tensor.encoding)
        if expected != part:
            raise VerifyException(
                f"{what} shape, corresponding sharding, and region {what} shape at index {index} must match. Expected "
                f"local shape {expected}, actual local shape {part}"
            )


def _part_shape(sharding: Sharding, shape: Sequence[int], manual_axes: Sequence[str], what: str) -> list[int]:
    """The shape of the part of a tensor over the manual axes, which come first and divide."""
    sizes: list[int] = []
    for size, dimension in zip(shape, sharding.dimensions, strict=True):
        is_manual = [axis.name in manual_axes for axis in dimension.axes]
        if is_manual != sorted(is_manual, reverse=True):
            raise VerifyException(f"{what} sharding must have all manual axes come before free axes in its dimensions")
        parts = prod(sharding.mesh.axis_size(axis) for axis in dimension.axes if axis.name in manual_axes)
        if size != DYNAMIC_INDEX and size % parts:
            raise VerifyException(f"{what} dimension size {size} is not divisible by the manual axes size {parts}")
        sizes.append(size if size == DYNAMIC_INDEX else size // parts)
    return sizes


def _verify_collective(op: CollectiveOp, meshes: Meshes) -> None:
    after = _verify_one(op, op.out_sharding, op.result.type, meshes, manual_axes_around(op))
    verify_collective(op, sharding_of(op.tensor, meshes), after)


CHECKS: dict[type[Operation], Callable[[Any, Meshes], None]] = {
    FuncOp: _verify_function,
    ManualComputationOp: _verify_manual,
    NamedComputationOp: _verify_named,
    DataFlowEdgeOp: _verify_edge,
    **{op: _verify_sharding_op for op in ShardingOp.__subclasses__()},
    **dict.fromkeys(AXES_CHECKS, _verify_collective),
}
