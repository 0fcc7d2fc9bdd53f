"""What attributes of arguments and results of a program say to the runtime: which arguments are given away, in which
memories results are, and in which order the dimensions of arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import BoolAttr, ModuleOp, StringAttr

from ...runtime.entry import select_entry
from ...runtime.formats import read_program
from .calls import Code, PjrtError
from .client import MEMORY_KINDS
from .layouts import Order

ALIAS, DONOR = "tf.aliasing_output", "jax.buffer_donor"
MEMORY_KIND, LAYOUT_MODE = "mhlo.memory_kind", "mhlo.layout_mode"

_WORDS = tuple(name.encode() for name in (ALIAS, DONOR, MEMORY_KIND, LAYOUT_MODE))


class Marks(NamedTuple):
    """What is marked; a side that is empty has no marks."""

    given_away: frozenset[int] = frozenset()
    """The numbers of the arguments that are gone after a call, whether or not results have their memory."""
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


def read_marks(code: bytes) -> Marks:
    """The marks of a program. Raises `PjrtError` for a kind of memory that is none."""
    if not any(word in code for word in _WORDS):
        return Marks()
    entry = select_entry(read_program(code, "<jax>"))
    arguments, results = _dictionaries(entry.arg_attrs), _dictionaries(entry.res_attrs)
    given_away = frozenset(
        number for number, each in enumerate(arguments) if ALIAS in each or each.get(DONOR) == BoolAttr.from_bool(True)
    )
    orders: tuple[tuple[Order | None, ...], tuple[Order | None, ...]] = (), ()
    if any(LAYOUT_MODE in each for each in (*arguments, *results)):
        from ...passes.stablehlo.stablehlo_lay_out_interface import interface_layouts

        orders = interface_layouts(entry)
    return Marks(given_away, _kinds(arguments), _kinds(results), *orders)


def _dictionaries(attributes: Iterable[Any] | None) -> Sequence[dict[str, Any]]:
    return [each.data for each in attributes or ()]


def _kinds(attributes: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    return tuple(_kind(each.get(MEMORY_KIND)) for each in attributes)


def _kind(attribute: object) -> int:
    if not isinstance(attribute, StringAttr):
        return 0
    if attribute.data not in MEMORY_KINDS:
        raise PjrtError(Code.INVALID_ARGUMENT, f"there is no memory {attribute.data!r}, of {', '.join(MEMORY_KINDS)}")
    return MEMORY_KINDS.index(attribute.data)


def laid_out(code: bytes) -> ModuleOp:
    """The program on arrays as they lie in memory: all are row-major."""
    from ...passes.stablehlo.stablehlo_lay_out_interface import lay_out

    module = read_program(code, "<jax>")
    lay_out(select_entry(module))
    return module
