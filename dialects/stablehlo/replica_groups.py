"""Which replicas or partitions take part in an operation, and what such operations share.

`replica_groups` is a matrix of ids, one row per group, short rows filled with -1, or names axes of a mesh.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)

from ..dense import dense_values
from .attributes import ChannelHandleAttr
from .element_types import Tensor
from .mesh_attributes import ReplicaGroupMeshAxesAttr
from .shapes import (
    are_unique,
    compatible_types,
    show,
    violation,
)
from .traits import AcrossProcesses

Groups = Sequence[Sequence[int]]


def id_matrix(rows: Groups) -> DenseIntOrFPElementsAttr:
    """`dense<...> : tensor<rows x columns x i64>`, short rows filled with -1."""
    columns = max(map(len, rows), default=0)
    values = [value for row in rows for value in (*row, *[-1] * (columns - len(row)))]
    return DenseIntOrFPElementsAttr.from_list(TensorType(i64, [len(rows), columns]), values)


def pair_matrix(pairs: Groups) -> DenseIntOrFPElementsAttr:
    """Sources and targets, `dense<...> : tensor<pairs x 2 x i64>`, also of none."""
    return id_matrix(pairs) if pairs else DenseIntOrFPElementsAttr.from_list(TensorType(i64, [0, 2]), [])


MAX_IDS = 1 << 20
"""How many ids groups may hold: a constant of equal elements can announce any number of them."""


def id_rows(attr: Attribute) -> list[tuple[int, ...]] | None:
    """The rows of a matrix of ids, i64 as `dense<...>`; none if the groups name axes of a mesh, or for another form."""
    if not isinstance(attr, DenseIntOrFPElementsAttr) or len(attr.get_shape()) != 2 or attr.get_element_type() != i64:
        return None
    rows, columns = attr.get_shape()
    if rows * columns > MAX_IDS:
        return None
    flat = cast("Sequence[int]", dense_values(cast("DenseIntOrFPElementsAttr", attr)))
    return [tuple(flat[row * columns : (row + 1) * columns]) for row in range(rows)]


def group_size(attr: Attribute) -> int:
    """How many members a group has, dynamic if that is not known here: groups that are not spelled out."""
    rows = id_rows(attr)
    return len(rows[0]) if rows and rows[0] else DYNAMIC_INDEX


def verify_id_rows(op: Operation, rows: Groups, unique: str, bounds: str) -> None:
    """Each id is in one group, ids are numbered from 0, and no group is without members."""
    if any(row and all(value == -1 for value in row) for row in rows):
        violation(op, unique, f"replica_groups {rows} have a group without members")
    ids = [value for row in rows for value in row if value != -1]
    if not are_unique(ids):
        violation(op, unique, f"replica_groups {rows} repeat an id")
    if any(not 0 <= value < len(ids) for value in ids):
        violation(op, bounds, f"replica_groups {rows} are not numbered 0 to {len(ids) - 1}")


def verify_pairs(op: Operation, attr: DenseIntOrFPElementsAttr, constraints: tuple[str, str, str, str]) -> None:
    """Rows are pairs of source and target; no source and no target comes twice."""
    columns, sources, targets, bounds = constraints
    rows = id_rows(attr)
    if rows is None or attr.get_shape()[1] != 2:
        violation(op, columns, f"expected pairs, got {attr}")
    if not are_unique([row[0] for row in rows]):
        violation(op, sources, f"source_target_pairs {rows} repeat a source")
    if not are_unique([row[1] for row in rows]):
        violation(op, targets, f"source_target_pairs {rows} repeat a target")
    if any(value < 0 for row in rows for value in row):
        violation(op, bounds, f"source_target_pairs {rows} have a negative id")


class CollectiveOp(IRDLOperation, ABC):
    """An operation with `replica_groups` and a channel."""

    replica_groups = prop_def(AnyAttr())
    channel_handle = opt_prop_def(ChannelHandleAttr)

    traits = traits_def(AcrossProcesses())

    def process_group_size(self, use_global_device_ids: Attribute | None) -> int:
        """How many processes act together. With a channel but without global ids that depends on the number
        of partitions, which is not known here."""
        channel = self.channel_handle
        if channel is not None and channel.handle > 0 and use_global_device_ids is None:
            return DYNAMIC_INDEX
        return group_size(self.replica_groups)

    def group_rows(self, constraint: str) -> list[tuple[int, ...]] | None:
        """The ids of each group, none if the groups name axes of a mesh; an error for another form."""
        groups = self.replica_groups
        if isinstance(groups, ReplicaGroupMeshAxesAttr):
            return None
        rows = id_rows(groups)
        if rows is None:
            violation(
                self, constraint, f"expected a matrix of i64 ids, at most {MAX_IDS}, or axes of a mesh, got {groups}"
            )
        return rows

    def verify_groups(self, unique: str, bounds: str, of_one_size: bool = False) -> None:
        """Each id is in one group; all groups have as many members, if they are to be `of_one_size`."""
        rows = self.group_rows(unique)
        if rows is None:
            return
        if of_one_size and any(value == -1 for row in rows for value in row):
            violation(self, bounds, f"expected groups of one size, got {rows}")
        verify_id_rows(self, rows, unique, bounds)

    def verify_global_ids(self, constraint: str, use_global_device_ids: Attribute | None) -> None:
        channel = self.channel_handle
        if use_global_device_ids is None:
            return
        if channel is None or channel.handle <= 0:
            violation(self, constraint, "use_global_device_ids needs a positive channel handle")
        rows = self.group_rows(constraint)
        if rows is not None and not any(rows):
            violation(self, constraint, "use_global_device_ids needs groups")


class RootedOp(CollectiveOp, ABC):
    """A collective in which one member of a group, its root, sends or receives: the first one, or, with
    `has_dynamic_root`, for each result the one whose place in the group is an element of the last operand.
    """

    operands_ = var_operand_def(Tensor)
    results_ = var_result_def(Tensor)
    has_dynamic_root = opt_prop_def(UnitAttr)

    @property
    def data(self) -> Sequence[SSAValue]:
        """The operands that are sent."""
        return self.operands[:-1] if self.has_dynamic_root is not None else self.operands

    @property
    def roots(self) -> SSAValue | None:
        """A place in the group for each result, if that is not 0."""
        return self.operands[-1] if self.has_dynamic_root is not None else None

    def verify_roots(self, constraint: str) -> None:
        """There are as many operands to send as results, and as many roots."""
        if self.has_dynamic_root is not None:
            expected = TensorType(i32, [len(self.results)])
            if not self.operands or not compatible_types(expected, self.operand_types[-1]):
                got = show(self.operand_types[-1:])
                violation(self, constraint, f"expected roots of type {expected} as last operand, got {got}")
        if len(self.data) != len(self.results):
            violation(self, constraint, f"{len(self.data)} operands to send, {len(self.results)} results")
