"""Operations that combine tensors of several replicas or partitions by element."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
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

from .element_types import Tensor
from .property_types import I64ElementsProperty, I64Property
from .regions import ReducerConstraints, verify_reducer
from .replica_groups import (
    MAX_IDS,
    CollectiveOp,
    Groups,
    RootedOp,
    id_matrix,
    id_rows,
    verify_id_rows,
)
from .shapes import (
    compatible_type_lists,
    compatible_types,
    element_type_of,
    shape_of,
    show,
    show_shape,
    verify_one_result_each,
    violation,
)
from .traits import AcrossProcesses

Value = SSAValue | Operation


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
    verify_one_result_each(op, shape, operands)
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
class CrossReplicaSumOp(IRDLOperation):
    """`all_reduce` with addition. Deprecated.

    `operand`, `result`: one type; any shape and elements. `replica_groups`: a matrix of ids. Not in the specification;
    upstream's definition of the op (StablehloOps.td).
    """

    name = "stablehlo.cross-replica-sum"

    operand = operand_def(Tensor)
    result = result_def(Tensor)
    replica_groups = prop_def(I64ElementsProperty)

    traits = traits_def(AcrossProcesses())

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
            violation(
                self, "replica_groups", f"expected a matrix of i64 ids, at most {MAX_IDS}, got {self.replica_groups}"
            )
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
