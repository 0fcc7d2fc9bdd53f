"""What attributes of arguments and results of a program say to the runtime: which arguments are given away, in which
memories results are, and in which order the dimensions of arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ...runtime.marks import ALIAS, DONOR, MEMORY_KIND, marks_of
from ...runtime.marks import Marks as Noted
from .calls import Code, PjrtError
from .client import MEMORY_KINDS
from .layouts import Order

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

LAYOUT_MODE = "mhlo.layout_mode"

Orders: TypeAlias = tuple[Order | None, ...]

_WORDS = tuple(name.encode() for name in (ALIAS, DONOR, MEMORY_KIND, LAYOUT_MODE))


class Marks(NamedTuple):
    """What is marked; a side that is empty has no marks."""

    aliases: Mapping[int, int] = MappingProxyType({})
    """The numbers of the arguments that a result may replace, and its number."""
    donors: tuple[int, ...] = ()
    """Those that any result of their size may replace."""
    argument_kinds: tuple[int, ...] = ()
    """The kind of memory of each argument."""
    result_kinds: tuple[int, ...] = ()
    argument_orders: Orders = ()
    """The order of each argument; None is row-major."""
    result_orders: Orders = ()

    @property
    def has_orders(self) -> bool:
        """Whether an argument or result is not row-major."""
        return any(order is not None for order in (*self.argument_orders, *self.result_orders))

    def given_away(self, argument_bytes: Sequence[int], result_bytes: Sequence[int]) -> frozenset[int]:
        """The arguments that are gone after a call, by their and the results' sizes on a device. As in XLA
        (`OptimizeInputOutputBufferAlias`) a donor is if a result of the same size in the same memory is left for it,
        whether or not that has its memory here.
        """
        taken = set(self.aliases.values())
        free = Counter(
            (size, _at(self.result_kinds, number)) for number, size in enumerate(result_bytes) if number not in taken
        )
        gone = set(self.aliases)
        for number in self.donors:
            place = argument_bytes[number], _at(self.argument_kinds, number)
            if free[place]:
                free[place] -= 1
                gone.add(number)
        return frozenset(gone)


def _at(kinds: Sequence[int], number: int) -> int:
    return kinds[number] if kinds else 0


def read_marks(code: bytes, known: Noted | None = None) -> Marks:
    """The marks of a program, which is not read if all that it has is `known`. Raises `PjrtError` for a kind of memory
    that is none.
    """
    if not any(word in code for word in _WORDS):
        return Marks()
    if known is not None and not has_layouts(code):
        return _numbered(known, (), ())
    from ...runtime.entry import select_entry
    from ...runtime.formats import read_program

    entry = select_entry(read_program(code, "<jax>"))
    orders: tuple[Orders, Orders] = (), ()
    if has_layouts(code):
        from ...passes.stablehlo.stablehlo_lay_out_interface import interface_layouts

        orders = interface_layouts(entry)
    return _numbered(marks_of(entry), *orders)


def has_layouts(code: bytes) -> bool:
    """Whether a program may say how its arrays lie in memory."""
    return LAYOUT_MODE.encode() in code


def _numbered(
    marks: Noted, argument_orders: tuple[Order | None, ...], result_orders: tuple[Order | None, ...]
) -> Marks:
    argument_kinds, result_kinds = (
        tuple(map(_kind, side)) for side in (marks.argument_memories, marks.result_memories)
    )
    return Marks(dict(marks.aliases), marks.donors, argument_kinds, result_kinds, argument_orders, result_orders)


def _kind(memory: str) -> int:
    if not memory:
        return 0
    if memory not in MEMORY_KINDS:
        raise PjrtError(Code.INVALID_ARGUMENT, f"there is no memory {memory!r}, of {', '.join(MEMORY_KINDS)}")
    return MEMORY_KINDS.index(memory)


def laid_out(code: bytes) -> ModuleOp:
    """The program on arrays as they lie in memory: all are row-major."""
    from ...passes.stablehlo.stablehlo_lay_out_interface import lay_out
    from ...runtime.entry import select_entry
    from ...runtime.formats import read_program

    module = read_program(code, "<jax>")
    lay_out(select_entry(module))
    return module
