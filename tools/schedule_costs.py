"""What an op costs, loops and calls included: the memory that it reads and writes, and its arithmetic operations.

An operation is an op of `arith`, `math` or `complex` on one element, a fused multiply-add is two; constants, casts that
keep the bits, and arithmetic on indices are none. A loop counts as often as it runs; of one of which nobody knows how
often it does, one trip counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects import affine, arith, func, math, memref, scf, tensor, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    VectorType,
)
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ..dialects import xrt
from ..dialects.element_sizes import element_bytes
from ..ir.affine import NotLinear, dimension
from ..ir.loops import LOOPS
from ..ir.structured import element_type, loop_extents, number_of_inputs, shape_of
from ..ir.views import buffer_of
from .footprints import UNKNOWN, Access, Region, footprint
from .loop_counters import index_sum, sums_of_map, trips_of

READS: tuple[type[Operation], ...] = (affine.LoadOp, affine.VectorLoadOp, memref.LoadOp, vector.LoadOp)
WRITES: tuple[type[Operation], ...] = (affine.StoreOp, affine.VectorStoreOp, memref.StoreOp, vector.StoreOp)
CALLS: tuple[type[Operation], ...] = (func.CallOp, xrt.ParallelOp)
_FREE: tuple[type[Operation], ...] = (arith.ConstantOp, arith.BitcastOp, arith.IndexCastOp)
_TENSOR_VIEWS: tuple[type[Operation], ...] = (tensor.ExpandShapeOp, tensor.CollapseShapeOp, tensor.CastOp)


class Cost(NamedTuple):
    """What runs once."""

    accesses: tuple[Access, ...] = ()
    operations: int = 0
    at_least: bool = False
    """Whether a loop of an unknown number of trips is in it, which counts one trip."""


def memory_behind(value: SSAValue) -> SSAValue:
    """The buffer behind a memref, and of a tensor the one that it is written into."""
    value = buffer_of(value)
    while isinstance(value, OpResult):
        behind = _written_into(value.op, value.index)
        if behind is None:
            break
        value = behind
    return value


def _written_into(op: Operation, result: int) -> SSAValue | None:
    if isinstance(op, GenericOp | FillOp):
        inputs = number_of_inputs(op)
        return op.operands[inputs + result]
    return op.operands[0] if isinstance(op, _TENSOR_VIEWS) else None


def is_scratch(buffer: SSAValue) -> bool:
    """Whether the function makes the buffer itself."""
    return isinstance(buffer.owner, Operation) and not isinstance(buffer.owner, memref.GetGlobalOp)


def lanes_of(type: Attribute) -> int:
    """The elements of a vector; 1 of a scalar."""
    return prod(cast("VectorType[Attribute]", type).get_shape()) if isinstance(type, VectorType) else 1


def size_of(value: SSAValue) -> int:
    """The bytes of a tensor or memref; 0 of any other value."""
    if not isinstance(value.type, MemRefType | TensorType):
        return 0
    shape = shape_of(value)
    return UNKNOWN if -1 in shape else prod(shape) * element_bytes(element_type(value))


def operations_of(op: Operation) -> int:
    """The arithmetic operations of an op without regions."""
    if isinstance(op, vector.FMAOp | math.FmaOp):
        return 2 * lanes_of(op.results[0].type)
    if isinstance(op, xrt.TileOp):
        return 2 * op.multiply_adds
    if isinstance(op, vector.ReductionOp):
        return lanes_of(op.operands[0].type)
    if not op.name.startswith(("arith.", "math.", "complex.")):
        return 0
    if isinstance(op, _FREE) or not op.results or isinstance(op.operands[0].type, IndexType):
        return 0
    type = op.results[0].type
    return 0 if isinstance(type, IndexType) else lanes_of(type)


def access_of(op: Operation) -> Access | None:
    """The elements that a load or store of one element or vector reads or writes."""
    writes = isinstance(op, WRITES)
    if not writes and not isinstance(op, READS):
        return None
    memory, operands = (op.operands[1], op.operands[2:]) if writes else (op.operands[0], op.operands[1:])
    if not isinstance(memory.type, MemRefType):
        return None
    indices = [index_sum(operand) for operand in operands]
    map = op.properties.get("map")
    if isinstance(map, AffineMapAttr):
        try:
            indices = sums_of_map(map.data, operands)
        except NotLinear:
            indices = [dimension(memory)] * len(shape_of(memory))
    value = op.operands[0] if writes else op.results[0]
    shape = tuple(UNKNOWN if extent < 0 else extent for extent in shape_of(memory))
    size = element_bytes(element_type(memory))
    return Access(memory_behind(memory), memory, shape, size, writes, tuple(indices), ((1, lanes_of(value.type)),))


def _accesses_of_tile(op: xrt.TileOp) -> tuple[Access, ...]:
    """Those of a register tile."""
    rows, trips = op.rows.value.data, op.trips.get_values()
    found: list[Access] = []
    for buffer, index, places in (
        (op.lhs, op.lhs_index, ((op.lhs_row.value.data, rows), *zip(op.lhs_steps.get_values(), trips, strict=True))),
        (op.rhs, op.rhs_index, (*_vectors(op, op.at), *zip(op.rhs_steps.get_values(), trips, strict=True))),
        (op.out, op.out_index, (*_vectors(op, op.columns), (op.out_row.value.data, rows))),
    ):
        size = element_bytes(element_type(buffer))
        shape, place = tuple(shape_of(buffer)), (index_sum(index),)
        found.append(Access(memory_behind(buffer), buffer, shape, size, buffer is op.out, place, places))
    return tuple(found)


def _vectors(op: xrt.TileOp, starts: DenseArrayBase[IntegerType]) -> tuple[tuple[int, int], ...]:
    """The places of the vectors of a row; as if side by side where they are not equally far apart."""
    first, lanes = starts.get_values(), op.lanes.value.data
    distances = {b - a for a, b in pairwise(first)}
    if len(distances) > 1:
        return ((1, first[-1] - first[0] + lanes),)
    return ((1, lanes), *((distance, len(first)) for distance in distances))


def _whole(memory: SSAValue, size: int, writes: bool) -> Access:
    return Access(memory_behind(memory), memory, (), 1, writes, whole=size)


class Costs:
    """The costs of the ops of a module."""

    def __init__(self, module: ModuleOp):
        functions = [op for op in module.walk() if isinstance(op, func.FuncOp)]
        self.functions = {function.sym_name.data: function for function in functions}
        self._known: dict[Operation, Cost] = {}
        self._calls: dict[func.FuncOp, tuple[dict[int, int], dict[int, int], Cost]] = {}

    def of(self, op: Operation) -> Cost:
        """The cost of an op that runs once."""
        if op not in self._known:
            self._known[op] = Cost(at_least=True)  # what calls itself
            self._known[op] = self._find(op)
        return self._known[op]

    def _find(self, op: Operation) -> Cost:
        if op.__class__ in LOOPS:
            trips = trips_of(op)
            body = self.of_blocks(block for region in op.regions for block in region.blocks)
            return Cost(
                body.accesses, body.operations * (1 if trips is None else trips), body.at_least or trips is None
            )
        if isinstance(op, scf.IfOp | affine.IfOp):
            branches = [self.of_blocks(region.blocks) for region in op.regions]
            accesses = tuple(access for branch in branches for access in branch.accesses)
            most = max(branch.operations for branch in branches)
            return Cost(accesses, most, any(branch.at_least for branch in branches))
        if isinstance(op, func.FuncOp):
            return self.of_blocks(op.body.blocks)
        if isinstance(op, GenericOp | FillOp):
            return _cost_of_linalg(op)
        if isinstance(op, memref.CopyOp):
            return Cost(tuple(_whole(value, size_of(value), number == 1) for number, value in enumerate(op.operands)))
        if isinstance(op, CALLS):
            return self._cost_of_call(op)
        if isinstance(op, xrt.TileOp):
            return Cost(_accesses_of_tile(op), operations_of(op))
        access = access_of(op)
        return Cost((access,)) if access is not None else Cost(operations=0 if op.regions else operations_of(op))

    def of_blocks(self, blocks: Iterable[Block]) -> Cost:
        """The cost of all ops of some blocks."""
        costs = [self.of(op) for block in blocks for op in block.ops]
        accesses = dict.fromkeys(access for cost in costs for access in cost.accesses)
        return Cost(tuple(accesses), sum(cost.operations for cost in costs), any(cost.at_least for cost in costs))

    def callee_of(self, op: Operation) -> func.FuncOp | None:
        """The function that a call, or a parallel loop by a function, runs."""
        name = op.properties.get("callee")
        root = getattr(name, "root_reference", None)
        return self.functions.get(root.data) if isinstance(root, StringAttr) else None

    def _cost_of_call(self, op: Operation) -> Cost:
        callee = self.callee_of(op)
        if callee is None or not callee.body.blocks:
            return Cost()
        if callee not in self._calls:
            cost = self.of(callee)
            self._calls[callee] = (*_bytes_of_arguments(cost, callee), cost)
        reads, writes, cost = self._calls[callee]
        accesses = [_whole(op.operands[n], size, False) for n, size in reads.items() if n < len(op.operands)]
        accesses += [_whole(op.operands[n], size, True) for n, size in writes.items() if n < len(op.operands)]
        return Cost(tuple(accesses), cost.operations, cost.at_least)


def _bytes_of_arguments(cost: Cost, callee: func.FuncOp) -> tuple[dict[int, int], dict[int, int]]:
    """The bytes of its arguments that a function reads and those that it writes, by the number of the argument."""
    region = Region(callee)
    numbers: dict[SSAValue, int] = {arg: arg.index for arg in callee.args}
    halves = ((access for access in cost.accesses if access.writes == writes) for writes in (False, True))
    reads, writes = (
        {numbers[buffer]: size for buffer, size in footprint(half, region).items() if buffer in numbers}
        for half in halves
    )
    return reads, writes


def _cost_of_linalg(op: GenericOp | FillOp) -> Cost:
    inputs = number_of_inputs(op)
    accesses: list[Access] = []
    if isinstance(op, FillOp):
        return Cost((_whole(op.operands[inputs], size_of(op.operands[inputs]), True),))
    for number, operand in enumerate(op.operands):
        if number >= inputs:
            accesses.append(_whole(operand, size_of(operand), True))
        if op.body.block.args[number].uses and size_of(operand):
            accesses.append(_whole(operand, size_of(operand), False))
    try:
        iterations = prod(loop_extents(op))
    except ValueError:
        iterations = UNKNOWN
    scalar = 0
    for inner in op.body.block.ops:
        scalar += operations_of(inner)
        if isinstance(inner, tensor.ExtractOp | memref.LoadOp):
            source = inner.operands[0]
            touched = min(size_of(source), iterations * element_bytes(element_type(source)))
            accesses.append(_whole(source, touched, False))
    return Cost(tuple(accesses), scalar * iterations)


class Figures(NamedTuple):
    """Bytes of arguments and constants that are read and written, of scratch memory that is touched; operations."""

    reads: int
    writes: int
    scratch: int
    operations: int
    at_least: bool


def figures(cost: Cost, root: Operation) -> Figures:
    """What an op with this cost touches when it runs once."""
    region = Region(root)
    own = [access for access in cost.accesses if is_scratch(access.buffer)]
    others = [access for access in cost.accesses if not is_scratch(access.buffer)]
    reads = sum(footprint((access for access in others if not access.writes), region).values())
    writes = sum(footprint((access for access in others if access.writes), region).values())
    return Figures(reads, writes, sum(footprint(own, region).values()), cost.operations, cost.at_least)
