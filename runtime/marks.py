"""What attributes of arguments and results of a program say to the runtime: which arguments are given away, and in
which memories arguments and results are. It is kept with compiled programs, and read without xDSL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DictionaryAttr
    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Attribute

ALIAS, DONOR, MEMORY_KIND = "tf.aliasing_output", "jax.buffer_donor", "mhlo.memory_kind"


class Marks(NamedTuple):
    """What is marked; a side that is empty has no memories."""

    aliases: tuple[tuple[int, int], ...] = ()
    """Pairs of an argument and the result that may replace it."""
    donors: tuple[int, ...] = ()
    """The arguments that any result of their size may replace."""
    argument_memories: tuple[str, ...] = ()
    """The kind of memory of each argument; empty where nothing is said."""
    result_memories: tuple[str, ...] = ()


def marks_of(entry: FuncOp) -> Marks:
    """The marks of a function. A memory that is no text is not there."""
    from xdsl.dialects.builtin import BoolAttr, IntegerAttr

    arguments = _dictionaries(entry.arg_attrs)
    found = {number: each[ALIAS] for number, each in enumerate(arguments) if ALIAS in each}
    aliases = {number: result.value.data for number, result in found.items() if isinstance(result, IntegerAttr)}
    is_donor = BoolAttr.from_bool(True)
    donors = tuple(
        number for number, each in enumerate(arguments) if number not in aliases and each.get(DONOR) == is_donor
    )
    return Marks(tuple(aliases.items()), donors, _memories(arguments), _memories(_dictionaries(entry.res_attrs)))


def _dictionaries(attributes: Iterable[DictionaryAttr] | None) -> Sequence[Mapping[str, Attribute]]:
    return [each.data for each in attributes or ()]


def _memories(attributes: Sequence[Mapping[str, Attribute]]) -> tuple[str, ...]:
    from xdsl.dialects.builtin import StringAttr

    found = [each.get(MEMORY_KIND) for each in attributes]
    memories = tuple(memory.data if isinstance(memory, StringAttr) else "" for memory in found)
    return memories if any(memories) else ()
