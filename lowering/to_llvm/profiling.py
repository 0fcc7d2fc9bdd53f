"""Measuring calls of the program tier: the counter of the CPU is read in front of each and behind it.

What is measured is a *site*: a call of a kernel, of a target, a copy between buffers; site 0 is the whole program. The
table in the slot `PROFILE` of the context, of words of 8 bytes, receives

    number of events | events: site, start, end | ... | number of calls, counts of site 0 | of site 1 | ...

The last `EVENTS` calls are kept one by one, so that a profile of any length takes the same memory. The module's
attribute `xrt.profile` says for each site what is called and which lines it is from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import func, llvm, memref
from xdsl.dialects.builtin import ArrayAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.profiling import COUNTER, EVENTS
from ...dialects import xrt
from ...dialects.source_lines import origin_of
from . import context_layout as slots
from .arith import Handler
from .builder import WRAPS, FunctionLowering, intrinsic_properties

if TYPE_CHECKING:
    from ...ir.conversions import Handlers


class Sites:
    """What is measured in a module, in the order of the table."""

    def __init__(self, entry: Operation) -> None:
        self._rows: list[ArrayAttr[Attribute]] = []
        self.add("", entry)

    def add(self, callee: str, op: Operation) -> int:
        """The number of a new site: `op` calls `callee`."""
        origin = origin_of(op.location)
        line = "" if origin.line is None else str(origin.line)
        text = "" if origin.text is None else str(origin.text)
        self._rows.append(ArrayAttr([StringAttr(part) for part in (callee, line, text, origin.name or "")]))
        return len(self._rows) - 1

    def attribute(self) -> ArrayAttr[Attribute]:
        """For `xrt.profile`."""
        return ArrayAttr(self._rows)


def read_counter(f: FunctionLowering) -> SSAValue:
    return f.emit(llvm.CallIntrinsicOp, (), i64, intrinsic_properties(COUNTER, 0))


def record(f: FunctionLowering, site: int, start: SSAValue) -> None:
    """Adds what has been done since `start` to a site."""
    end = read_counter(f)
    table = f.context_slot(slots.PROFILE)
    number = f.load_slot_integer(table, 0)
    place = f.emit(llvm.AndOp, (number, f.integer(EVENTS - 1)), i64, {})
    place = f.emit(llvm.MulOp, (place, f.integer(slots.EVENT_WORDS)), i64, WRAPS)
    event = f.element_pointer(f.element_pointer(table, f.integer(slots.PROFILE_HEADER), i64), place, i64)
    for word, value in enumerate((f.integer(site), start, end)):
        f.store(value, f.element_pointer(event, f.integer(word), i64), 8)
    f.store(f.emit(llvm.AddOp, (number, f.integer(1)), i64, WRAPS), table, 8)
    taken = f.emit(llvm.SubOp, (end, start), i64, WRAPS)
    first = slots.PROFILE_HEADER + EVENTS * slots.EVENT_WORDS + slots.SITE_WORDS * site
    for word, addend in ((first, f.integer(1)), (first + 1, taken)):
        total = f.emit(llvm.AddOp, (f.load_slot_integer(table, word), addend), i64, WRAPS)
        f.store(total, f.element_pointer(table, f.integer(word), i64), 8)


def measured(handlers: Handlers, sites: Sites) -> Handlers:
    """`handlers`, those of what the program calls with a measurement around them."""

    def name_of(op: Operation) -> str:
        if isinstance(op, func.CallOp):
            return op.callee.string_value()
        return op.target.data if isinstance(op, xrt.CallTargetOp) else "copy"

    def around(handler: Handler) -> Handler:
        def handle(op: Operation, f: FunctionLowering) -> None:
            site = sites.add(name_of(op), op)
            start = read_counter(f)
            handler(op, f)
            record(f, site, start)

        return handle

    timed = (func.CallOp, xrt.CallTargetOp, memref.CopyOp)
    return {**handlers, **{cls: around(handlers[cls]) for cls in timed if cls in handlers}}
