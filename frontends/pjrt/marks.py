"""What attributes of arguments and results of a program say to the runtime: which arguments are given away, in which
memories results are, and in which order the dimensions of arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .calls import Code, PjrtError
from .client import MEMORY_KINDS
from .layouts import Order

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

ALIAS, DONOR = "tf.aliasing_output", "jax.buffer_donor"
MEMORY_KIND, LAYOUT_MODE = "mhlo.memory_kind", "mhlo.layout_mode"

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
    argument_orders: tuple[Order | None, ...] = ()
    """The order of each argument; None is row-major."""
    result_orders: tuple[Order | None, ...] = ()

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


def read_marks(code: bytes) -> Marks:
    """The marks of a program. Raises `PjrtError` for a kind of memory that is none."""
    if not any(word in code for word in _WORDS):
        return Marks()
    from xdsl.dialects.builtin import BoolAttr, IntegerAttr

    from ...runtime.entry import select_entry
    from ...runtime.formats import read_program

    entry = select_entry(read_program(code, "<jax>"))
    arguments, results = _dictionaries(entry.arg_attrs), _dictionaries(entry.res_attrs)
    found = {number: each[ALIAS] for number, each in enumerate(arguments) if ALIAS in each}
    aliases = {number: result.value.data for number, result in found.items() if isinstance(result, IntegerAttr)}
    is_donor = BoolAttr.from_bool(True)
    donors = tuple(
        number for number, each in enumerate(arguments) if number not in aliases and each.get(DONOR) == is_donor
    )
    orders: tuple[tuple[Order | None, ...], tuple[Order | None, ...]] = (), ()
    if any(LAYOUT_MODE in each for each in (*arguments, *results)):
        from ...passes.stablehlo.stablehlo_lay_out_interface import interface_layouts

        orders = interface_layouts(entry)
    return Marks(aliases, donors, _kinds(arguments), _kinds(results), *orders)


def _dictionaries(attributes: Iterable[Any] | None) -> Sequence[dict[str, Any]]:
    return [each.data for each in attributes or ()]


def _kinds(attributes: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(_kind(each.get(MEMORY_KIND)) for each in attributes)


def _kind(attribute: object) -> int:
    from xdsl.dialects.builtin import StringAttr

    if not isinstance(attribute, StringAttr):
        return 0
    if attribute.data not in MEMORY_KINDS:
        raise PjrtError(Code.INVALID_ARGUMENT, f"there is no memory {attribute.data!r}, of {', '.join(MEMORY_KINDS)}")
    return MEMORY_KINDS.index(attribute.data)


def laid_out(code: bytes) -> ModuleOp:
    """The program on arrays as they lie in memory: all are row-major."""
    from ...passes.stablehlo.stablehlo_lay_out_interface import lay_out
    from ...runtime.entry import select_entry
    from ...runtime.formats import read_program

    module = read_program(code, "<jax>")
    lay_out(select_entry(module))
    return module
