"""Which loops can count by vectors, and what is a vector in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import cast

from xdsl.dialects import affine, arith, math, scf
from xdsl.dialects.builtin import MemRefType, i1, i32, i64
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....decisions.model import CostModel
from ....decisions.target import CACHE_LINE_BYTES
from ....dialects.editing import ops_of
from ....ir.affine import NotLinear
from ....ir.loops import range_of
from ....ir.structured import constant_index
from ....ir.vectors import vector_element_bits
from ..accesses import LOADS, STORES, buffer_of, memory_of
from .pieces import Piece, divide
from .reductions import Reduction, reduction_of
from .slopes import Neighbours, Slopes, is_index, reads_ahead, same_pair, same_place

_ELEMENTWISE_MATH: frozenset[type[Operation]] = frozenset(
    {
        math.AbsFOp,
        math.AbsIOp,
        math.CeilOp,
        math.CopySignOp,
        math.CountLeadingZerosOp,
        math.CountTrailingZerosOp,
        math.CtPopOp,
        math.FloorOp,
        math.FmaOp,
        math.RoundEvenOp,
        math.RoundOp,
        math.RsqrtOp,
        math.SqrtOp,
        math.TruncOp,
    }
)
_DIVISIONS: frozenset[type[Operation]] = frozenset(
    {
        arith.CeilDivSIOp,
        arith.CeilDivUIOp,
        arith.DivSIOp,
        arith.DivUIOp,
        arith.FloorDivSIOp,
        arith.RemSIOp,
        arith.RemUIOp,
    }
)
"""CPUs divide one integer at a time, and not by what a lane that does not count may hold."""
_YIELDS: frozenset[type[Operation]] = frozenset({affine.YieldOp, scf.YieldOp})
_SMALLEST_REGISTER = 128
"""Bits of the smallest vector register of a CPU: fewer lanes are not worth a vector."""

Loop = affine.ForOp | scf.ForOp


@dataclass
class Plan:
    """What is known of a loop that can count by vectors."""

    loop: Loop
    model: CostModel
    slopes: Slopes
    varying: set[SSAValue] = field(default_factory=lambda: set[SSAValue]())
    """The values that differ between iterations and are no index."""
    invariant: list[Operation] = field(default_factory=lambda: list[Operation]())
    """Ops that compute the same in all iterations, and may run in front of the loop."""
    reductions: list[Reduction] = field(default_factory=lambda: list[Reduction]())
    """What is carried, in the order of the results."""
    neighbours: dict[Operation, Neighbours] = field(default_factory=lambda: dict[Operation, Neighbours]())
    """Of loads and stores of pairs, or in reverse."""
    written: set[SSAValue] = field(default_factory=lambda: set[SSAValue]())
    """The buffers that the loop writes."""
    computes: bool = False
    """Whether it does more than copying."""
    reads_what_it_writes: bool = False
    extent: int | None = None
    """The number of iterations, if it is constant."""
    bits: int = 0
    """The size of the largest element that is loaded, stored or carried."""
    steps: int | None = None
    """How many ops the loop runs each time its function does, if that is known."""
    is_minor: bool = False
    """Whether next to none of the function's time goes there."""
    streams_across_lines: bool = False
    """Whether vectors are stored across cache lines, to a buffer that is larger than the second-level cache."""

    def pieces(self) -> list[Piece]:
        """How the iterations are divided; one loop where their number is not known."""
        register = self.model.target.lanes(self.bits)
        longest = register * self._interleaved()
        if self.extent is None:
            divisors = _divisors(cast("scf.ForOp", self.loop))
            while longest > register and any(divisor % longest for divisor in divisors):
                longest //= 2
            return [Piece(0, 1, longest, (0, longest))]
        fewest = _SMALLEST_REGISTER // self.bits
        return divide(self.extent, register, fewest, longest, self.model, may_repeat=not self.reads_what_it_writes)

    def _interleaved(self) -> int:
        """How many registers a vector fills: two at most where elements have to be put in order."""
        block = self.loop.body.block
        ends: dict[SSAValue, Operation] = {}
        operations = 0
        for op in ops_of(block):
            for operand in op.operands:
                if operand in self.varying:
                    ends[operand] = op
            if op.results and op.results[0] in self.varying:
                operations += self._registers(op.results[0])
        live = most = len(self.reductions)
        for op in ops_of(block):
            if op.results and op.results[0] in ends:
                live += self._registers(op.results[0])
                most = max(most, live)
            live -= sum(self._registers(value) for value in {*op.operands} if ends.get(value) is op)
        streams = self.streams_across_lines and not self.reductions
        count = self.model.vectors.interleaved_vectors(operations, most, self.model.target.vector_registers, streams)
        if self.is_minor:
            is_one = self.extent is not None and self.extent <= count * self.model.target.lanes(self.bits)
            return count if is_one and self.model.vectors.worth_one_piece(operations * count) else 1
        return min(count, 2) if self.neighbours else count

    def _registers(self, value: SSAValue) -> int:
        """How many registers the vector of a value fills where one of loaded elements fills one."""
        return max(1, lane_bits(value.type) // self.bits)


class NoPlan(Exception):
    """The loop stays."""


def plan_loop(loop: Operation, model: CostModel) -> Plan | None:
    """How to vectorise the innermost loop `loop`; None if it has to stay."""
    if not isinstance(loop, affine.ForOp | scf.ForOp):
        return None
    try:
        return _Analysis(loop, model).plan()
    except (NoPlan, NotLinear):
        return None


class _Analysis:
    def __init__(self, loop: Loop, model: CostModel) -> None:
        self.loop = loop
        self.block = loop.body.block
        varying = set[SSAValue]()
        self.slopes = Slopes(self.block.args[0], varying)
        self.found = Plan(loop, model, self.slopes, varying)
        self.reads: list[Operation] = []
        self.writes: list[Operation] = []

    def plan(self) -> Plan:
        plan = self.found
        plan.extent = constant_extent(self.loop)
        self._visit_carried()
        plan.written = {buffer_of(op) for op in ops_of(self.block) if op.__class__ in STORES}
        for op in ops_of(self.block):
            self._visit(op)
        if not plan.bits or not (self.writes or plan.reductions):
            raise NoPlan
        self._check_dependences()
        self._check_pairs()
        lanes = plan.model.target.lanes(plan.bits)
        if lanes < 2:
            raise NoPlan
        if plan.extent is None:
            if not isinstance(self.loop, scf.ForOp) or any(bound % lanes for bound in _divisors(self.loop)):
                raise NoPlan
        elif plan.extent * plan.bits < _SMALLEST_REGISTER:
            raise NoPlan
        elif not plan.computes and not plan.model.copies.worth_copying_by_vectors(plan.extent, plan.bits // 8):
            raise NoPlan
        if plan.neighbours and (plan.extent is None or any(piece.is_masked for piece in plan.pieces())):
            raise NoPlan
        return plan

    def _visit_carried(self) -> None:
        for position, argument in enumerate(self.block.args[1:]):
            reduction = reduction_of(argument, position)
            if reduction is None:
                raise NoPlan
            self.found.reductions.append(reduction)
            self._move(argument.type)
            self._vary(argument)

    def _check_dependences(self) -> None:
        """What is read of a buffer that is written has to be the element that is written, or one that will be."""
        for write in self.writes:
            for access in (*self.reads, *self.writes):
                if buffer_of(access) is buffer_of(write):
                    is_load = access.__class__ in LOADS
                    in_order = reads_ahead(access, write) if is_load else self._store_one_value(access, write)
                    if not in_order and not self._same_place(access, write):
                        raise NoPlan
                    self.found.reads_what_it_writes |= is_load

    def _same_place(self, access: Operation, write: Operation) -> bool:
        found = self.found.neighbours
        first, second = (found.get(op, Neighbours()) for op in (access, write))
        if first.are_plain and second.are_plain:
            return same_place(access, write)
        if first.is_reversed or second.is_reversed or not same_pair(access, write, first.base, second.base):
            return False
        return access.__class__ in STORES or access.is_before_in_block(write)

    def _store_one_value(self, first: Operation, second: Operation) -> bool:
        """Whether it does not matter which one of two stores comes last."""
        return first.operands[0] is second.operands[0] and first.operands[0] not in self.found.varying

    def _check_pairs(self) -> None:
        """Of pairs that are written both have to be, once."""
        pairs = [op for op in self.writes if op in self.found.neighbours]
        for op in pairs:
            own = self.found.neighbours[op]
            others = [
                self.found.neighbours[other] for other in pairs if other is not op and self._same_place(op, other)
            ]
            if [other.part for other in others] != [1 - own.part]:
                raise NoPlan

    def _visit(self, op: Operation) -> None:
        kind = op.__class__
        if kind in _YIELDS:
            return
        if kind is arith.ConstantOp:
            self.found.invariant.append(op)
        elif kind in LOADS:
            self._visit_load(op)
        elif kind in STORES:
            self._visit_store(op)
        elif op.regions or op.successors or len(op.results) != 1:
            raise NoPlan
        elif kind is arith.IndexCastOp:
            self._visit_index_cast(op)
        elif is_index(op.results[0]):
            self.slopes.visit(op)
        elif any(operand in self.found.varying for operand in op.operands):
            self._visit_elementwise(op)
        elif any(self.slopes.of(operand) for operand in op.operands):
            raise NoPlan
        else:
            self._invariant(op)

    def _visit_store(self, op: Operation) -> None:
        self.writes.append(op)
        if not self._are_neighbours(op):
            raise NoPlan
        if op in self.found.neighbours and self.found.neighbours[op].is_reversed:
            raise NoPlan
        self._move(op.operands[0].type)
        self.found.streams_across_lines |= self._streams_across_lines(op)

    def _streams_across_lines(self, store: Operation) -> bool:
        type = cast("MemRefType[Attribute]", memory_of(store).type)
        element_bytes = lane_bits(type.element_type) // 8
        if prod(type.get_shape()) * element_bytes <= self.found.model.target.l2_bytes:
            return False
        alignment = self.slopes.row_alignment(store) * element_bytes
        return alignment % CACHE_LINE_BYTES != 0

    def _visit_load(self, op: Operation) -> None:
        self.reads.append(op)
        if self._are_neighbours(op):
            self._move(op.results[0].type)
            self._vary(op.results[0])
        else:
            self._invariant(op)

    def _are_neighbours(self, access: Operation) -> bool:
        """Whether iterations access neighbours; otherwise they all access one element."""
        found = self.slopes.neighbours(access)
        if found is not None and not found.are_plain:
            self.found.neighbours[access] = found
        return found is not None

    def _visit_elementwise(self, op: Operation) -> None:
        is_elementwise = op.__class__ in _ELEMENTWISE_MATH or op.name.startswith("arith.")
        if not is_elementwise or op.__class__ in _DIVISIONS or any(map(is_index, op.operands)):
            raise NoPlan
        self.found.computes = True
        self._vary(op.results[0])

    def _invariant(self, op: Operation) -> None:
        """An op on values that do not change: it runs in front of the loop if that is sure to run, or if it does no
        harm, and none of its operands stays.
        """
        is_load = op.__class__ in LOADS
        is_harmless = not is_load and op.__class__ not in _DIVISIONS
        outside = all(self._is_outside(operand) for operand in op.operands)
        if outside and (is_harmless or (self.found.extent is not None and is_load)):
            self.found.invariant.append(op)

    def _is_outside(self, value: SSAValue) -> bool:
        owner = value.owner
        if isinstance(value, BlockArgument):
            return owner is not self.block
        assert isinstance(owner, Operation)
        return owner.parent is not self.block or owner in self.found.invariant

    def _vary(self, value: SSAValue) -> None:
        lane_bits(value.type)
        self.found.varying.add(value)

    def _move(self, type: Attribute) -> None:
        """Takes into account what is loaded, stored or carried."""
        self.found.bits = max(self.found.bits, lane_bits(type))

    def _visit_index_cast(self, op: Operation) -> None:
        operand, result = op.operands[0], op.results[0]
        if is_index(result):
            if operand in self.found.varying:
                raise NoPlan
            self._invariant(op)
        elif self.slopes.of(operand):
            if result.type not in (i32, i64):
                raise NoPlan
            self._vary(result)
        else:
            self._invariant(op)


def lane_bits(type: Attribute) -> int:
    """The size of an element, whose vectors have to be those of a CPU; of an `i1` that of a byte."""
    bits = 8 if type == i1 else vector_element_bits(type)
    if bits is None:
        raise NoPlan
    return bits


def constant_extent(loop: Loop) -> int | None:
    """The number of iterations of a loop that counts by ones between constants; None if the bounds are values."""
    counted = range_of(loop)
    if counted is None and isinstance(loop, scf.ForOp) and constant_index(loop.step) == 1:
        return None
    if not counted or counted.step != 1:
        raise NoPlan
    return counted.stop - counted.start


def _divisors(loop: scf.ForOp) -> list[int]:
    """Numbers that divide where the loop starts and how far it goes; a 1 where nothing is known."""
    return [_divisor(loop.lb), _divisor(loop.ub)]


_ANY_DIVISOR = 1 << 30


def _divisor(value: SSAValue) -> int:
    """A power of two, or a constant, that divides `value`."""
    constant = constant_index(value)
    if constant is not None:
        return constant or _ANY_DIVISOR
    if isinstance(op := value.owner, arith.AndIOp):
        masks = [mask for operand in op.operands if (mask := constant_index(operand)) is not None]
        return max((mask & -mask for mask in masks), default=1)
    return 1
