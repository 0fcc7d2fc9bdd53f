"""Operations that move tensors between replicas or partitions, and ids of processes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from .attributes import ChannelHandleAttr
from .element_types import Exactly, Tensor
from .property_types import I64ElementsProperty, I64Property
from .replica_groups import (
    CollectiveOp,
    Groups,
    RootedOp,
    group_size,
    id_matrix,
    pair_matrix,
    verify_pairs,
)
from .shapes import (
    are_unique,
    compatible_types,
    element_type_of,
    shape_of,
    show_shape,
    verify_one_result_each,
    violation,
)
from .syntax import ResultType
from .traits import AcrossProcesses

Value = SSAValue | Operation

ui32 = IntegerType(32, Signedness.UNSIGNED)


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
        verify_one_result_each(self, "C6", self.operands_)
        for operand, result in zip(self.operands_, self.result, strict=True):
            shape = list(shape_of(operand))
            if not 0 <= dim < len(shape):
                violation(self, "C1", f"all_gather_dim {dim} exceeds the rank {len(shape)}")
            length = shape[dim]
            known = DYNAMIC_INDEX not in (length, size)
            shape[dim] = length * size if known else DYNAMIC_INDEX
            expected = TensorType(element_type_of(operand), shape)
            if not compatible_types(expected, result.type):
                violation(self, "C6", f"expected result type {expected}, got {result.type}")
            gathered = shape_of(result)[dim]
            if DYNAMIC_INDEX not in (length, gathered) and (gathered % length if length else gathered):
                violation(self, "C6", f"expected a multiple of {length} along dimension {dim}, got {result.type}")


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
        verify_one_result_each(self, "C9", self.operands_)
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


def _without_filling(row: Sequence[int]) -> Sequence[int]:
    """`row` without the -1 at its end."""
    return row[: max((place + 1 for place, value in enumerate(row) if value != -1), default=0)]


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

    traits = traits_def(AcrossProcesses())

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


UnsignedScalar = Exactly(TensorType(ui32, ()))


@irdl_op_definition
class PartitionIdOp(ResultType):
    """The id of the partition this program runs as.

    `result`: ui32 of rank 0. Specification: `partition_id`.
    """

    name = "stablehlo.partition_id"

    result = result_def(UnsignedScalar)

    traits = traits_def(Pure(), AcrossProcesses())

    def __init__(self) -> None:
        super().__init__(result_types=[TensorType(ui32, ())])


@irdl_op_definition
class ReplicaIdOp(ResultType):
    """The id of the replica this program runs as.

    `result`: ui32 of rank 0. Specification: `replica_id`.
    """

    name = "stablehlo.replica_id"

    result = result_def(UnsignedScalar)

    traits = traits_def(Pure(), AcrossProcesses())

    def __init__(self) -> None:
        super().__init__(result_types=[TensorType(ui32, ())])
