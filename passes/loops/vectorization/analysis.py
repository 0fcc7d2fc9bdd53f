"""Which loops can count by vectors, and what is a vector in them."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections import defaultdict
from math import prod
from typing import cast

from xdsl.dialects import affine, arith, math, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....decisions.model import CostModel
from ....decisions.target import CACHE_LINE_BYTES
from ....dialects.editing import ops_of
from ....dialects.shared_attributes import cached_by_identity
from ....dialects.xrt import PrefetchOp
from ....dialects.xrt_names import LANES
from ....ir.affine import NotLinear
from ....ir.loops import range_of
from ....ir.structured import constant_index
from ....ir.vectors import vector_element_bits
from ..accesses import DIVISIONS, LOADS, STORES, memory_of
from ..elementary import FUNCTIONS
from .pieces import Piece, divide, pieces_of
from .reductions import Reduction, reduction_of
from .slopes import Access, Slopes, are_apart, is_index, reads_ahead

_ELEMENTWISE: frozenset[type[Operation]] = frozenset({*arith.Arith.operations, *math.Math.operations}).difference(
    DIVISIONS, FUNCTIONS
)
"""But for functions, which are expanded before. CPUs divide one integer at a time, and not by what a lane that does not
count may hold.
"""
_YIELDS: frozenset[type[Operation]] = frozenset({affine.YieldOp, scf.YieldOp})
_SMALLEST_REGISTER = 128
"""Bits of the smallest vector register of a CPU: fewer lanes are not worth a vector."""

Loop = affine.ForOp | scf.ForOp


class NoPlan(Exception):
    """The loop stays."""


class Plan:
    """What is known of a loop that can count by vectors. Raises `NoPlan` or `NotLinear` of one that has to stay.

    `of_any_length`: whether long rows that are copied or filled are vectors, too, no loops in which LLVM finds that.
    """

    def __init__(self, loop: Loop, model: CostModel, of_any_length: bool = False) -> None:
        self.loop = loop
        self.model = model
        self.of_any_length = of_any_length
        self.ops = [*ops_of(loop.body.block)]
        counter, *carried = loop.body.block.args
        self.varying: dict[SSAValue, int] = {}
        """The values that differ between iterations and are no index, with the bits of their elements."""
        self.slopes = Slopes(counter, self.varying)
        self.invariant: dict[Operation, None] = {}
        """Ops that compute the same in all iterations, and may run in front of the loop."""
        self.accesses: dict[Operation, Access] = {}
        self.fetched = set[Operation]()
        """What it asks for ahead, an element an iteration."""
        self.computes = False
        """Whether it does more than copying."""
        self.reads_what_it_writes = False
        self.bits = 0
        """The size of the largest element that is loaded, stored or carried."""
        self.streams_across_lines = False
        """Whether vectors are stored across cache lines, to a buffer that is larger than the second-level cache."""
        self.is_minor = False
        """Whether next to none of the function's time goes there."""
        self.lanes = lanes_of(loop)
        """How many elements are in a vector, 0 where that is decided here."""
        self.counted = _constant_range(loop)
        """The values of the counter, if the bounds are constants."""
        self.extent = None if self.counted is None else self.counted.stop - self.counted.start
        self.reductions: list[Reduction] = []
        """What is carried, in the order of the results."""
        for position, argument in enumerate(carried):
            reduction = reduction_of(argument, position)
            if reduction is None:
                raise NoPlan
            self.reductions.append(reduction)
            self._move(argument)
            self._vary(argument)
        for op in self.ops:
            self._visit(op)
        self._check()

    def _check(self) -> None:
        writes = [access for access in self.accesses.values() if access.op.__class__ in STORES]
        if not self.bits or not (writes or self.reductions):
            raise NoPlan
        for write in writes:
            self._check_dependences(write)
        lanes = self.model.target.lanes(self.bits)
        if lanes < 2:
            raise NoPlan
        if self.extent is None:
            if not isinstance(self.loop, scf.ForOp) or any(bound % lanes for bound in _divisors(self.loop)):
                raise NoPlan
        elif self.extent * self.bits < _SMALLEST_REGISTER:
            raise NoPlan
        elif (
            not self.lanes
            and not self.of_any_length
            and not self.computes
            and not self.model.copies.worth_copying_by_vectors(self.extent, self.bits // 8)
        ):
            raise NoPlan
        if self._reorders and (self.extent is None or any(piece.is_masked for piece in self.pieces())):
            raise NoPlan

    def _check_dependences(self, write: Access) -> None:
        """What is read of a buffer that is written has to be the element that is written, or one that will be; what
        else is written to it, the same element or value. Of pairs both parts have to be written, once.
        """
        parts: list[int] = []
        for access in self.accesses.values():
            if access.buffer is not write.buffer:
                continue
            if access.place != write.place and are_apart(access.op, write.op, self.slopes.slopes):
                continue
            is_load = access.op.__class__ in LOADS
            is_same = access.place == write.place and access.stride == write.stride > 0
            if is_same and write.stride == 2:
                is_same = not is_load or access.op.is_before_in_block(write.op)
                parts += [access.part] if is_same and not is_load else []
            if not is_same and not (reads_ahead if is_load else self._store_one_value)(access.op, write.op):
                raise NoPlan
            self.reads_what_it_writes |= is_load
        if write.stride == 2 and sorted(parts) != [0, 1]:
            raise NoPlan

    def _store_one_value(self, first: Operation, second: Operation) -> bool:
        """Whether it does not matter which one of two stores comes last."""
        return first.operands[0] is second.operands[0] and first.operands[0] not in self.varying

    def _visit(self, op: Operation) -> None:
        kind = op.__class__
        if kind in LOADS or kind in STORES:
            self._visit_access(op)
        elif kind is PrefetchOp and "element" in op.properties:
            self.fetched.add(op)
        elif kind is arith.ConstantOp:
            self.invariant[op] = None
        elif kind in _YIELDS:
            return
        elif op.regions or op.successors or len(op.results) != 1:
            raise NoPlan
        elif is_index(op.results[0]) and kind is not arith.IndexCastOp:
            self.slopes.visit(op)
        elif not self.varying.keys().isdisjoint(op._operands):
            if kind not in _ELEMENTWISE or is_index(op.results[0]):
                raise NoPlan
            self.computes = True
            self._vary(op.results[0])
        elif self.slopes.slopes.keys().isdisjoint(op._operands):
            self._invariant(op)
        elif kind is arith.IndexCastOp and op.results[0].type in (i32, i64):
            self._vary(op.results[0])
        else:
            raise NoPlan

    def _visit_access(self, op: Operation) -> None:
        access = self.accesses[op] = self.slopes.access(op)
        if op.__class__ in STORES:
            if access.stride < 1:
                raise NoPlan
            self._move(op._operands[0])
            self.streams_across_lines |= self._streams_across_lines(op)
        elif access.stride:
            self._move(op.results[0])
            self._vary(op.results[0])
        else:
            self._invariant(op)

    def _streams_across_lines(self, store: Operation) -> bool:
        type = cast("MemRefType[Attribute]", memory_of(store).type)
        element_bytes = lane_bits(type.element_type) // 8
        if prod(type.get_shape()) * element_bytes <= self.model.target.l2_bytes:
            return False
        alignment = self.slopes.row_alignment(store) * element_bytes
        return alignment % CACHE_LINE_BYTES != 0

    def _invariant(self, op: Operation) -> None:
        """An op on values that do not change: it runs in front of the loop if that is sure to run, or if it does no
        harm, and none of its operands stays.
        """
        is_load = op.__class__ in LOADS
        is_harmless = not is_load and op.__class__ not in DIVISIONS
        if is_harmless or (self.extent is not None and is_load):
            block = self.loop.body.block
            owners = [operand.owner for operand in op._operands]
            if all(owner is not block and (owner.parent is not block or owner in self.invariant) for owner in owners):
                self.invariant[op] = None

    def _vary(self, value: SSAValue) -> None:
        self.varying[value] = lane_bits(value.type)

    def _move(self, value: SSAValue) -> None:
        """Takes into account what is loaded, stored or carried."""
        self.bits = max(self.bits, lane_bits(value.type))

    @property
    def _reorders(self) -> bool:
        """Whether elements have to be put in order."""
        return any(access.stride not in (0, 1) for access in self.accesses.values())

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
        may_repeat = not self.reads_what_it_writes
        if self.lanes:
            return pieces_of(self.extent, self.lanes, min(fewest, self.lanes), may_repeat)
        return divide(self.extent, register, fewest, longest, self.model, may_repeat=may_repeat)

    def _first_loads(self) -> dict[SSAValue, SSAValue]:
        """What is loaded once more, and what was loaded there before; nothing where a buffer is read and written."""
        firsts: dict[tuple[object, ...], SSAValue] = {}
        again: dict[SSAValue, SSAValue] = {}
        if self.reads_what_it_writes:
            return again
        for op, access in self.accesses.items():
            if op.__class__ in LOADS and access.stride:
                first = firsts.setdefault((*access.place, access.part), op.results[0])
                if first is not op.results[0]:
                    again[op.results[0]] = first
        return again

    def _interleaved(self) -> int:
        """How many registers a vector fills: two at most where elements have to be put in order."""
        registers = {value: max(1, bits // self.bits) for value, bits in self.varying.items()}
        first_load = self._first_loads()
        last_user = {
            first_load.get(operand, operand): op for op in self.ops for operand in op._operands if operand in registers
        }
        ends: dict[Operation, int] = defaultdict(int)
        for value, op in last_user.items():
            ends[op] += registers[value]
        operations = 0
        live = most = len(self.reductions)
        for op in self.ops:
            for result in op.results:
                needed = 0 if result in first_load else registers.get(result, 0)
                operations += needed
                if needed and result in last_user:
                    live += needed
                    most = max(most, live)
            live -= ends.get(op, 0)
        vectors, target = self.model.vectors, self.model.target
        streams = self.streams_across_lines and not self.reductions
        count = vectors.interleaved_vectors(operations, most, target.vector_registers, streams)
        if self.is_minor:
            is_one = self.extent is not None and self.extent <= count * target.lanes(self.bits)
            return count if is_one and vectors.worth_one_piece(operations * count) else 1
        return min(count, 2) if self._reorders else count


def lanes_of(loop: Operation) -> int:
    """How many elements its schedule says to take at a time, 0 where it does not."""
    found = loop.attributes.get(LANES)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def plan_loop(loop: Operation, model: CostModel, *, of_any_length: bool = False) -> Plan | None:
    """How to vectorise the innermost loop `loop`; None if it has to stay."""
    try:
        return Plan(loop, model, of_any_length) if isinstance(loop, affine.ForOp | scf.ForOp) else None
    except (NoPlan, NotLinear):
        return None


@cached_by_identity
def lane_bits(type: Attribute) -> int:
    """The size of an element, whose vectors have to be those of a CPU; of an `i1` that of a byte."""
    bits = 8 if type == i1 else vector_element_bits(type)
    if bits is None:
        raise NoPlan
    return bits


def _constant_range(loop: Loop) -> range | None:
    """The values of a counter that goes up by ones between constants; None if the bounds are values."""
    counted = range_of(loop)
    if counted is None and isinstance(loop, scf.ForOp) and constant_index(loop.step) == 1:
        return None
    if not counted or counted.step != 1:
        raise NoPlan
    return counted


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
