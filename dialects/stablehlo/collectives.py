"""Operations in which several replicas or partitions take part.

`replica_groups` is a matrix of ids, one row per group, short rows filled with -1, or names axes of a mesh.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from .attributes import ChannelHandleAttr
from .element_types import Exactly, Tensor
from .mesh_attributes import ReplicaGroupMeshAxesAttr
from .property_types import I64ElementsProperty, I64Property
from .regions import ReducerConstraints, verify_reducer
from .shapes import (
    are_unique,
    compatible_type_lists,
    compatible_types,
    element_type_of,
    shape_of,
    show,
    show_shape,
    violation,
)
from .syntax import ResultType

Value = SSAValue | Operation
Groups = Sequence[Sequence[int]]

ui32 = IntegerType(32, Signedness.UNSIGNED)


def id_matrix(rows: Groups) -> DenseIntOrFPElementsAttr:
    """`dense<...> : tensor<rows x columns x i64>`, short rows filled with -1."""
    columns = max(map(len, rows), default=0)
    values = [value for row in rows for value in (*row, *[-1] * (columns - len(row)))]
    return DenseIntOrFPElementsAttr.from_list(TensorType(i64, [len(rows), columns]), values)


def pair_matrix(pairs: Groups) -> DenseIntOrFPElementsAttr:
    """Sources and targets, `dense<...> : tensor<pairs x 2 x i64>`, also of none."""
    return id_matrix(pairs) if pairs else DenseIntOrFPElementsAttr.from_list(TensorType(i64, [0, 2]), [])


def id_rows(attr: Attribute) -> list[tuple[int, ...]] | None:
    """The rows of a matrix of ids; none if the groups name axes of a mesh instead."""
    if not isinstance(attr, DenseIntOrFPElementsAttr) or len(attr.get_shape()) != 2:
        return None
    rows, columns = attr.get_shape()
    flat = [int(v) for v in attr.iter_values() if not isinstance(v, tuple)]
    if len(flat) == 1:
        flat *= rows * columns
    return [tuple(flat[row * columns : (row + 1) * columns]) for row in range(rows)]


def group_size(attr: Attribute) -> int:
    """How many members a group has, dynamic if that is not known here: groups that are not spelled out."""
    rows = id_rows(attr)
    return len(rows[0]) if rows and rows[0] else DYNAMIC_INDEX


def _without_filling(row: Sequence[int]) -> Sequence[int]:
    """`row` without the -1 at its end."""
    return row[: max((place + 1 for place, value in enumerate(row) if value != -1), default=0)]


def verify_id_rows(op: Operation, rows: Groups, unique: str, bounds: str) -> None:
    """Each id is in one group, ids are numbered from 0, and no group is without members."""
    if any(row and all(value == -1 for value in row) for row in rows):
        violation(op, unique, f"replica_groups {rows} have a group without members")
    ids = [value for row in rows for value in row if value != -1]
    if not are_unique(ids):
        violation(op, unique, f"replica_groups {rows} repeat an id")
    if any(not 0 <= value < len(ids) for value in ids):
        violation(op, bounds, f"replica_groups {rows} are not numbered 0 to {len(ids) - 1}")


class CollectiveOp(IRDLOperation, ABC):
    """An operation with `replica_groups` and a channel."""

    replica_groups = prop_def(AnyAttr())
    channel_handle = opt_prop_def(ChannelHandleAttr)

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
            violation(self, constraint, f"expected a matrix of ids or axes of a mesh, got {groups}")
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


@irdl_op_definition
class AllGatherOp(CollectiveOp):
    """The operands of all members of a group one after the other along `all_gather_dim`.

    `operands_`, `result`: any number of the same types in order, but for that dimension, which is as many times as long
    as the group has members. `replica_groups` and `channel_handle` say which processes act together. Specification:
    `all_gather`.
    """

    name = "stablehlo.all_gather"

    operands_ = var_operand_def(Tensor)
    result = var_result_def(Tensor)
    all_gather_dim = prop_def(I64Property)
    use_global_device_ids = opt_prop_def(UnitAttr)

    def __init__(
        self,
        operands: Sequence[Value],
        all_gather_dim: int,
        replica_groups: Groups,
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[operands],
            result_types=[result_types],
            properties={
                "all_gather_dim": IntegerAttr(all_gather_dim, i64),
                "replica_groups": id_matrix(replica_groups),
            },
        )

    def verify_(self) -> None:
        self.verify_groups("C2", "C4", of_one_size=True)
        self.verify_global_ids("C5", self.use_global_device_ids)
        dim, size = self.all_gather_dim.value.data, self.process_group_size(self.use_global_device_ids)
        for operand, result in zip(self.operands_, self.result, strict=True):
            shape = list(shape_of(operand))
            if not 0 <= dim < len(shape):
                violation(self, "C1", f"all_gather_dim {dim} exceeds the rank {len(shape)}")
            known = DYNAMIC_INDEX not in (shape[dim], size)
            shape[dim] = shape[dim] * size if known else DYNAMIC_INDEX
            expected = TensorType(element_type_of(operand), shape)
            if not compatible_types(expected, result.type):
                violation(self, "C6", f"expected result type {expected}, got {result.type}")


class ReductionOp(CollectiveOp, ABC):
    """Tensors of all members of a group combined by element."""

    operands_ = var_operand_def(Tensor)
    result = var_result_def(Tensor)
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation = region_def()

    def __init__(self, operands: Sequence[Value], replica_groups: Groups, computation: Region):
        values = [SSAValue.get(value) for value in operands]
        super().__init__(
            operands=[values],
            result_types=[[value.type for value in values]],
            properties={"replica_groups": id_matrix(replica_groups)},
            regions=[computation],
        )


def verify_reduced(
    op: Operation, computation: Region, operands: Sequence[SSAValue], reducer: ReducerConstraints, shape: str
) -> None:
    """Results have the shapes of `operands` and elements as `computation` returns them."""
    for operand, result in zip(operands, op.results, strict=True):
        elements = [element_type_of(operand)], [element_type_of(result)]
        verify_reducer(op, reducer, computation, "computation", *elements)
        expected = TensorType(element_type_of(result), shape_of(operand))
        if not compatible_types(expected, result.type):
            violation(op, shape, f"expected result type {expected}, got {result.type}")


@irdl_op_definition
class AllReduceOp(ReductionOp):
    """The operands of all members of a group combined by element with `computation`.

    `operands_`, `result`: any number of one shape each; elements as `computation`, a reducer, returns them.
    `replica_groups` and `channel_handle` say which processes act together. Specification: `all_reduce`.
    """

    name = "stablehlo.all_reduce"

    def verify_(self) -> None:
        self.verify_groups("C1", "C3")
        self.verify_global_ids("C4", self.use_global_device_ids)
        verify_reduced(self, self.computation, self.operands_, ReducerConstraints("C5", "C7"), "C6")


@irdl_op_definition
class CollectiveReduceOp(RootedOp):
    """The operands of all members of a group combined by element with `computation`, for its root; zeros for the
    others. The root is the first member, or one of them for each result: its place is an element of the last operand
    with `has_dynamic_root`.

    `operands_`, `results_`: any number of one shape each; elements as `computation`, a reducer, returns them.
    `replica_groups` and `channel_handle` say which processes act together. Not in the specification; upstream's test
    of the interpreter (tests/interpret/collective_reduce.mlir).
    """

    name = "stablehlo.collective_reduce"

    use_global_device_ids = opt_prop_def(UnitAttr)
    computation = region_def()

    def __init__(
        self,
        operands: Sequence[Value],
        replica_groups: Groups,
        computation: Region,
        roots: Value | None = None,
    ):
        values = [SSAValue.get(value) for value in operands]
        super().__init__(
            operands=[[*values, *(() if roots is None else (roots,))]],
            result_types=[[value.type for value in values]],
            properties={
                "replica_groups": id_matrix(replica_groups),
                "has_dynamic_root": None if roots is None else UnitAttr(),
            },
            regions=[computation],
        )

    def verify_(self) -> None:
        self.verify_groups("replica_groups", "replica_groups")
        self.verify_global_ids("use_global_device_ids", self.use_global_device_ids)
        self.verify_roots("has_dynamic_root")
        verify_reduced(self, self.computation, self.data, ReducerConstraints("computation", "result"), "result")


@irdl_op_definition
class AllToAllOp(CollectiveOp):
    """Splits the operands into `split_count` parts along `split_dimension`; member `i` of a group gets part `i` of all
    members, one after the other along `concat_dimension`.

    `operands_`, `result`: any number; the one dimension divided, the other multiplied by the count. `replica_groups`
    and `channel_handle` say which processes act together. Specification: `all_to_all`.
    """

    name = "stablehlo.all_to_all"

    operands_ = var_operand_def(Tensor)
    result = var_result_def(Tensor)
    split_dimension = prop_def(I64Property)
    concat_dimension = prop_def(I64Property)
    split_count = prop_def(I64Property)

    def __init__(
        self,
        operands: Sequence[Value],
        split_dimension: int,
        concat_dimension: int,
        split_count: int,
        replica_groups: Groups,
    ):
        values = [SSAValue.get(value) for value in operands]
        types = [self.infer_result_type(value, split_dimension, concat_dimension, split_count) for value in values]
        super().__init__(
            operands=[values],
            result_types=[types],
            properties={
                "split_dimension": IntegerAttr(split_dimension, i64),
                "concat_dimension": IntegerAttr(concat_dimension, i64),
                "split_count": IntegerAttr(split_count, i64),
                "replica_groups": id_matrix(replica_groups),
            },
        )

    @staticmethod
    def infer_result_type(operand: SSAValue, split: int, concat: int, count: int) -> Attribute:
        shape = list(shape_of(operand))
        if split != concat:
            if shape[split] != DYNAMIC_INDEX:
                shape[split] //= count
            if shape[concat] != DYNAMIC_INDEX:
                shape[concat] *= count
        return TensorType(element_type_of(operand), shape)

    def verify_(self) -> None:
        split, concat = self.split_dimension.value.data, self.concat_dimension.value.data
        count = self.split_count.value.data
        if count <= 0:
            violation(self, "C4", f"split_count must be positive, got {count}")
        self.verify_groups("C5", "C7", of_one_size=True)
        if group_size(self.replica_groups) not in (count, DYNAMIC_INDEX):
            violation(self, "C8", f"groups of {group_size(self.replica_groups)} for {count} parts")
        for operand, result in zip(self.operands_, self.result, strict=True):
            shape = shape_of(operand)
            if not 0 <= split < len(shape):
                violation(self, "C1", f"split_dimension {split} exceeds the rank {len(shape)}")
            if not 0 <= concat < len(shape):
                violation(self, "C3", f"concat_dimension {concat} exceeds the rank {len(shape)}")
            if shape[split] != DYNAMIC_INDEX and shape[split] % count:
                violation(self, "C2", f"dimension {split} of {show_shape(shape)} in {count} equal parts")
            expected = self.infer_result_type(operand, split, concat, count)
            if not compatible_types(expected, result.type):
                violation(self, "C9", f"expected result type {expected}, got {result.type}")


@irdl_op_definition
class CollectiveBroadcastOp(RootedOp):
    """The operands of the root of a group, for all its members; zeros for who is in none. The root is the first member,
    or one of them for each result: its place is an element of the last operand with `has_dynamic_root`.

    `operands_`, `results_`: the same types, one or more; any shape and elements. `replica_groups` and `channel_handle`
    say which processes act together. Specification: `collective_broadcast`.
    """

    name = "stablehlo.collective_broadcast"

    def __init__(self, operands: Value | Sequence[Value], replica_groups: Groups, roots: Value | None = None):
        sequence = operands if isinstance(operands, Sequence) else (operands,)
        values = [SSAValue.get(value) for value in sequence]
        super().__init__(
            operands=[[*values, *(() if roots is None else (roots,))]],
            result_types=[[value.type for value in values]],
            properties={
                "replica_groups": id_matrix(replica_groups),
                "has_dynamic_root": None if roots is None else UnitAttr(),
            },
        )

    def verify_(self) -> None:
        rows = self.group_rows("C1")
        ids = [value for row in rows or () for value in _without_filling(row)]
        if not are_unique(ids):
            violation(self, "C1", f"replica_groups {rows} repeat an id")
        if any(value < 0 for value in ids):
            violation(self, "C2", f"replica_groups {rows} have a negative id")
        self.verify_roots("has_dynamic_root")
        for operand, result in zip(self.data, self.results, strict=True):
            if not compatible_types(operand.type, result.type):
                violation(self, "C3", f"expected result type {operand.type}, got {result.type}")


@irdl_op_definition
class CollectivePermuteOp(IRDLOperation):
    """Sends the operand from source to target process; who receives nothing has zeros.

    `operand`, `result`: one type; any shape and elements. `source_target_pairs`: n x 2 ids, no source and no target
    twice. Specification: `collective_permute`.
    """

    name = "stablehlo.collective_permute"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    source_target_pairs = prop_def(I64ElementsProperty)
    channel_handle = opt_prop_def(ChannelHandleAttr)

    def __init__(self, operand: Value, source_target_pairs: Groups):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type],
            properties={"source_target_pairs": pair_matrix(source_target_pairs)},
        )

    def verify_(self) -> None:
        verify_pairs(self, self.source_target_pairs, ("C1", "C2", "C3", "C4"))
        if not compatible_types(self.operand.type, self.result.type):
            violation(self, "C5", f"expected result type {self.operand.type}, got {self.result.type}")


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


@irdl_op_definition
class CrossReplicaSumOp(IRDLOperation):
    """`all_reduce` with addition. Deprecated.

    `operand`, `result`: one type; any shape and elements. `replica_groups`: a matrix of ids. Not in the specification;
    upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.cross-replica-sum"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    replica_groups = prop_def(I64ElementsProperty)

    def __init__(self, operand: Value, replica_groups: Groups):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type],
            properties={"replica_groups": id_matrix(replica_groups)},
        )

    def verify_(self) -> None:
        rows = id_rows(self.replica_groups)
        if rows is None:
            violation(self, "replica_groups", f"expected a matrix of ids, got {self.replica_groups}")
        verify_id_rows(self, rows, "replica_groups", "replica_groups")
        if not compatible_type_lists(self.operand_types, self.result_types):
            violation(self, "type", f"{show(self.operand_types)} -> {show(self.result_types)}")


@irdl_op_definition
class ReduceScatterOp(CollectiveOp):
    """The operands of all members of a group combined by element with `computation`; each gets one part of the result
    along `scatter_dimension`.

    `operand`: any shape and elements. `result`: that dimension divided by the size of the group; elements as
    `computation`, a reducer, returns them. `replica_groups` and `channel_handle` say which processes act together.
    Specification: `reduce_scatter`.
    """

    name = "stablehlo.reduce_scatter"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    scatter_dimension = prop_def(I64Property)
    use_global_device_ids = opt_prop_def(UnitAttr)
    computation = region_def()

    def __init__(
        self,
        operand: Value,
        scatter_dimension: int,
        replica_groups: Groups,
        computation: Region,
        result_type: Attribute,
    ):
        super().__init__(
            operands=[operand],
            result_types=[result_type],
            properties={
                "scatter_dimension": IntegerAttr(scatter_dimension, i64),
                "replica_groups": id_matrix(replica_groups),
            },
            regions=[computation],
        )

    def verify_(self) -> None:
        dim, size = self.scatter_dimension.value.data, self.process_group_size(self.use_global_device_ids)
        shape = list(shape_of(self.operand))
        if not 0 <= dim < len(shape):
            violation(self, "C2", f"scatter_dimension {dim} exceeds the rank {len(shape)}")
        known = DYNAMIC_INDEX not in (shape[dim], size) and size > 0
        if known and shape[dim] % size:
            violation(self, "C1", f"dimension {dim} of {show_shape(shape)} in {size} equal parts")
        self.verify_groups("C3", "C5", of_one_size=True)
        self.verify_global_ids("C6", self.use_global_device_ids)
        element = element_type_of(self.result)
        verify_reducer(
            self,
            ReducerConstraints("C7", "C9"),
            self.computation,
            "computation",
            [element_type_of(self.operand)],
            [element],
        )
        shape[dim] = shape[dim] // size if known else DYNAMIC_INDEX
        expected = TensorType(element, shape)
        if not compatible_types(expected, self.result.type):
            violation(self, "C8", f"expected result type {expected}, got {self.result.type}")


UnsignedScalar = Exactly(TensorType(ui32, ()))


@irdl_op_definition
class PartitionIdOp(ResultType):
    """The id of the partition this program runs as.

    `result`: ui32 of rank 0. Specification: `partition_id`.
    """

    name = "stablehlo.partition_id"

    result = result_def(UnsignedScalar)

    traits = traits_def(Pure())

    def __init__(self) -> None:
        super().__init__(result_types=[TensorType(ui32, ())])


@irdl_op_definition
class ReplicaIdOp(ResultType):
    """The id of the replica this program runs as.

    `result`: ui32 of rank 0. Specification: `replica_id`.
    """

    name = "stablehlo.replica_id"

    result = result_def(UnsignedScalar)

    traits = traits_def(Pure())

    def __init__(self) -> None:
        super().__init__(result_types=[TensorType(ui32, ())])


ACROSS_PROCESSES: frozenset[type[Operation]] = frozenset(
    {
        AllGatherOp,
        AllReduceOp,
        AllToAllOp,
        CollectiveBroadcastOp,
        CollectivePermuteOp,
        CollectiveReduceOp,
        CrossReplicaSumOp,
        PartitionIdOp,
        ReduceScatterOp,
        ReplicaIdOp,
    }
)
"""The ops whose results depend on the process that runs them: constant operands do not make these constants."""
