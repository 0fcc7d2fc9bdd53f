"""What an op has to do: operations, and bytes from and to memory, from the shapes of its operands and results.

A multiply-add is two operations, an elementary function `Operations.function_cost`. A value that only elementwise ops
and reductions of the same block read, made by an elementwise op, a broadcast or an iota, never reaches memory: that is
what fusion makes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2, prod
from typing import Any, NamedTuple

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Operation, SSAValue

from ..decisions.model import CostModel
from ..dialects import stablehlo
from ..dialects.element_sizes import element_bits, element_bytes
from ..dialects.stablehlo.shapes import element_type_of, is_complex, is_tensor, shape_of
from ..dialects.stablehlo.traits import Elementwise, ops_with

ELEMENTWISE = frozenset(ops_with(Elementwise, stablehlo.OPS))
FUSED = ELEMENTWISE | {stablehlo.BroadcastInDimOp, stablehlo.IotaOp, stablehlo.ConstantOp, stablehlo.ReshapeOp}
"""Ops that can become part of the loops of their readers."""
READERS = FUSED | {stablehlo.ReduceOp}
FREE = frozenset(
    (
        stablehlo.AfterAllOp,
        stablehlo.AsyncDoneOp,
        stablehlo.BitcastConvertOp,
        stablehlo.ConstantOp,
        stablehlo.CreateTokenOp,
        stablehlo.GetTupleElementOp,
        stablehlo.OptimizationBarrierOp,
        stablehlo.PartitionIdOp,
        stablehlo.ReplicaIdOp,
        stablehlo.ReshapeOp,
        stablehlo.ReturnOp,
        stablehlo.TupleOp,
    )
)
"""Ops that compute nothing and move nothing."""
PARTIAL_READS = (stablehlo.SliceOp, stablehlo.DynamicSliceOp, stablehlo.GatherOp)
PARTIAL_WRITES = (stablehlo.DynamicUpdateSliceOp, stablehlo.ScatterOp)
FUNCTIONS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "atan2 cbrt cosine exponential exponential_minus_one log log_plus_one logistic power sine tan tanh"
    ).split()
)


class Work(NamedTuple):
    """Of one run of an op."""

    operations: float
    bytes: float
    bits: int
    """Of the elements that it computes with."""
    is_float: bool


def size_of(value: SSAValue) -> int:
    """The bytes of a tensor; 0 of anything else."""
    return type_bytes(value.type)


def type_bytes(type: Attribute) -> int:
    """The bytes of a tensor type; 0 of any other one."""
    return prod(type.get_shape()) * element_bytes(type.element_type) if is_tensor(type) else 0


def work_of(op: Operation, model: CostModel) -> Work:
    """The work of an op that is no control flow and no collective."""
    typed = next((value for value in (*op.results, *op.operands) if is_tensor(value.type)), None)
    element = None if typed is None else element_type_of(typed)
    bits = 32 if element is None else element_bits(element)
    if element is not None and is_complex(element):
        bits //= 2
    is_float = element is not None and (isinstance(element, AnyFloat) or is_complex(element))
    if type(op) in FREE:
        return Work(0.0, 0.0, bits, is_float)
    return Work(_operations(op, model), _bytes(op), bits, is_float)


def elements_of(value: SSAValue) -> int:
    """The number of elements of a tensor; 0 of anything else."""
    return prod(shape_of(value)) if is_tensor(value.type) else 0


def _bytes(op: Operation) -> float:
    written = sum(size_of(result) for result in op.results if not stays_in_registers(result))
    if isinstance(op, PARTIAL_READS):
        return written + sum(map(size_of, op.results)) + sum(map(size_of, op.operands[1:]))
    if isinstance(op, PARTIAL_WRITES):
        return 2.0 * sum(map(size_of, op.operands[1:]))
    return written + sum(size_of(operand) for operand in set(op.operands) if not stays_in_registers(operand))


def stays_in_registers(value: SSAValue) -> bool:
    """Whether a value is computed where it is read."""
    owner = value.owner
    if not isinstance(owner, Operation) or type(owner) not in FUSED:
        return False
    readers = [use.operation for use in value.uses]
    return bool(readers) and all(type(each) in READERS and each.parent is owner.parent for each in readers)


def _operations(op: Operation, model: CostModel) -> float:
    counted = _COUNTS.get(type(op))
    if counted is not None:
        return counted(op)
    if op.has_trait(Elementwise):
        is_function = op.name in FUNCTIONS or op.name.startswith("chlo.")
        cost = model.operations.function_cost if is_function else 1
        return float(cost * elements_of(op.results[0]))
    return 0.0


def _multiply_adds(value: SSAValue) -> int:
    """The operations of a multiplication and an addition of such elements."""
    return 8 if is_complex(element_type_of(value)) else 2


def _of_dot(op: Any) -> float:
    dims = op.dot_dimension_numbers.lhs_contracting_dimensions
    contracted = prod(shape_of(op.lhs)[dim] for dim in map(int, dims))
    return float(_multiply_adds(op.result) * elements_of(op.result) * contracted)


def _of_convolution(op: Any) -> float:
    output = op.dimension_numbers.kernel_output_feature_dimension
    window = prod(size for dim, size in enumerate(shape_of(op.rhs)) if dim != int(getattr(output, "data", output)))
    inserted = prod(op.lhs_dilation.get_values()) if op.lhs_dilation else 1  # one place of so many is no zero
    return _multiply_adds(op.result) * elements_of(op.result) * window / inserted


def _of_reduction(op: Operation) -> float:
    inner = sum(1 for region in op.regions for each in region.walk() if type(each) in ELEMENTWISE)
    return float(inner * elements_of(op.operands[0]))


def _of_window(op: Any) -> float:
    inner = sum(1 for each in op.body.walk() if type(each) in ELEMENTWISE)
    window: tuple[int, ...] = op.window_dimensions.get_values()
    shape = shape_of(op.operands[0])
    is_running = window != (1,) * len(window) and shape == shape_of(op.results[0])
    if is_running and all(size in (1, length) for size, length in zip(window, shape, strict=True)):
        return float(inner * elements_of(op.results[0]))  # of running totals, each from the one before it
    return float(inner * elements_of(op.results[0]) * prod(window))


def _of_scatter(op: Operation) -> float:
    return float(elements_of(op.operands[-1]))


def _of_sort(op: Any) -> float:
    shape = shape_of(op.operands[0])
    dim: int = op.dimension.value.data
    length = shape[dim] if shape else 1
    return elements_of(op.operands[0]) * log2(max(2, length))


def _of_fft(op: Any) -> float:
    length = prod(op.fft_length.get_values())
    return 5.0 * elements_of(op.results[0]) * log2(max(2, length))


def _of_cholesky(op: Operation) -> float:
    return elements_of(op.operands[0]) * shape_of(op.operands[0])[-1] / 3


def _of_solve(op: Operation) -> float:
    return float(elements_of(op.operands[1]) * shape_of(op.operands[0])[-1])


ROUTINES = {"potrf": 1 / 3, "getrf": 2 / 3, "geqrf": 4 / 3, "orgqr": 4 / 3, "gesdd": 22.0, "syevd": 9.0}
"""Operations of routines of LAPACK, in cubes of the size of a square matrix: leading terms of Golub and Van Loan,
"Matrix Computations" (2013)."""


def _of_custom_call(op: Any) -> float:
    """Of a routine of LAPACK as JAX calls it: `lapack_<type><routine>_ffi`; 0 of anything else."""
    name = op.call_target_name.data
    routine = name.removeprefix("lapack_")[1:].removesuffix("_ffi")
    if not name.startswith("lapack_") or routine not in ROUTINES:
        return 0.0
    *_, rows, columns = shape_of(op.operands[0])
    return ROUTINES[routine] * elements_of(op.operands[0]) * min(rows, columns)


_COUNTS: dict[type[Operation], Callable[[Any], float]] = {
    stablehlo.DotGeneralOp: _of_dot,
    stablehlo.ConvolutionOp: _of_convolution,
    stablehlo.ReduceOp: _of_reduction,
    stablehlo.ReduceWindowOp: _of_window,
    stablehlo.ScatterOp: _of_scatter,
    stablehlo.SortOp: _of_sort,
    stablehlo.FftOp: _of_fft,
    stablehlo.CholeskyOp: _of_cholesky,
    stablehlo.CustomCallOp: _of_custom_call,
    stablehlo.TriangularSolveOp: _of_solve,
}
