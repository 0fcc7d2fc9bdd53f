"""Names of the values of a function as a schedule shows them: buffers, counters, indices, and groups of ops."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.xrt import PrefetchOp
from ..ir.affine import AffineSum, Atom, Division, dimension
from .loop_counters import index_sum
from .schedule_costs import Cost, access_of, is_scratch, memory_behind

COUNTERS = "ijklmnpqrstuvw"
MOST_LISTED = 8
"""Of the things of a kind that a leaf names one by one."""


class Names:
    """The names in one function."""

    def __init__(self, function: FuncOp, cost: Cost):
        self._names: dict[SSAValue, str] = {}
        self._tally: Tally[str] = Tally()
        written = {access.buffer for access in cost.accesses if access.writes}
        read = {access.buffer for access in cost.accesses if not access.writes}
        for argument in function.args:
            prefix = "inout" if argument in read & written else "out" if argument in written else "in"
            self._give(argument, prefix if argument in read | written else "arg")

    def _give(self, value: SSAValue, prefix: str) -> str:
        name = value.name_hint
        if name is None or name in self._names.values():
            name = f"{prefix}{self._tally[prefix]}"
            self._tally[prefix] += 1
        self._names[value] = name
        return name

    def buffer(self, value: SSAValue) -> str:
        """The name of the buffer behind a memref or tensor."""
        value = memory_behind(value)
        if value in self._names:
            return self._names[value]
        if isinstance(value.owner, memref.GetGlobalOp):
            return f"@{value.owner.name_.root_reference.data}"
        makes_memory = isinstance(value.type, MemRefType) or isinstance(value.owner, tensor.EmptyOp)
        return self._give(value, "scratch" if makes_memory and is_scratch(value) else "value")

    def counter(self, value: SSAValue, depth: int) -> str:
        """Gives the counter of a loop the name for its depth."""
        number, letter = divmod(depth, len(COUNTERS))
        self._names[value] = COUNTERS[letter] + (str(number) if number else "")
        return self._names[value]

    def index(self, total: AffineSum) -> str:
        """An index: `64*i + j + 3`."""
        atoms = [(coefficient < 0, self._atom(atom), coefficient) for atom, coefficient in total.terms.items()]
        terms = [{1: "", -1: "-"}.get(coefficient, f"{coefficient}*") + name for _, name, coefficient in sorted(atoms)]
        if total.const or not terms:
            terms.append(str(total.const))
        return " + ".join(terms).replace("+ -", "- ")

    def _atom(self, atom: Atom) -> str:
        if isinstance(atom, int):
            return "?"
        if not isinstance(atom, Division):
            return self._value(atom)
        inner = self.index(atom.lhs)
        inner = f"({inner})" if " " in inner or "*" in inner else inner
        return f"({inner} {'mod' if atom.remainder else 'floordiv'} {atom.divisor})"

    def _value(self, value: SSAValue) -> str:
        if value in self._names:
            return self._names[value]
        op = value.owner
        while isinstance(op, Operation) and op.name in ("arith.index_cast", "arith.index_castui"):
            value = op.operands[0]
            op = value.owner
        return (
            self.element(op) if isinstance(op, Operation) and access_of(op) is not None else self._names.get(value, "?")
        )

    def element(self, op: Operation) -> str:
        """What a load or store reads or writes: `x[i, j + 1]`."""
        access = access_of(op)
        if access is None:
            return op.name
        return f"{self.buffer(access.memory)}[{', '.join(map(self.index, access.indices))}]"

    def leaf(self, ops: Sequence[Operation]) -> list[str]:
        """A few lines about ops one after the other: loads, arithmetic, stores, prefetches, the rest."""
        loads = [op for op in ops if (access := access_of(op)) is not None and not access.writes]
        stores = [op for op in ops if (access := access_of(op)) is not None and access.writes]
        fetches = [op for op in ops if isinstance(op, PrefetchOp)]
        rest = [op for op in ops if access_of(op) is None and op not in fetches]
        computes = [_named(op) for op in rest if _is_arithmetic(op)]
        other = [_named(op) for op in rest if not _is_arithmetic(op) and not _is_silent(op)]
        parts = [self._elements("load", loads), _counted(computes), self._elements("store", stores)]
        return [part for part in (*parts, self._fetched(fetches), _counted(other)) if part]

    def _fetched(self, ops: Sequence[PrefetchOp]) -> str:
        """What is fetched ahead of loads: the rows and columns around `in0[i + 1, j]`."""
        places = (f"{self.buffer(op.buffer)}[{', '.join(self.index(index_sum(i)) for i in op.indices)}]" for op in ops)
        tally = Tally(places)
        return f"fetch {_listed([_times(text, number) for text, number in tally.items()])}" if ops else ""

    def _elements(self, verb: str, ops: Sequence[Operation]) -> str:
        """Copies of an access that differ by a number only are one, with how many there are."""
        shown: dict[str, str] = {}
        copies: Tally[str] = Tally()
        for op in ops:
            text, type = self.element(op), _vector(op.operands[0].type if verb == "store" else op.results[0].type)
            key = re.sub(r"( [+-] )?\b\d+(?=[\],])", "", text) + type
            shown.setdefault(key, text + type)
            copies[key] += 1
        names = [_times(text, copies[key]) for key, text in shown.items()]
        return f"{verb} {_listed(names)}" if names else ""


def loops_index(value: SSAValue, names: Names) -> str:
    """An index value by its name."""
    return names.index(dimension(value))


def _is_arithmetic(op: Operation) -> bool:
    return op.name.startswith(("arith.", "math.", "complex.", "vector.")) and not _is_silent(op)


def _is_silent(op: Operation) -> bool:
    """Constants, indices, views, and ends of blocks."""
    if op.name in ("arith.constant", "affine.apply", "arith.index_cast", "memref.get_global", "vector.broadcast"):
        return True
    if op.name.endswith((".yield", ".return", ".condition")):
        return True
    if op.results and all(str(result.type) == "index" for result in op.results):
        return True
    return bool(op.results) and memory_behind(op.results[0]) is not op.results[0]


def _named(op: Operation) -> str:
    dialect, _, name = op.name.partition(".")
    known = dialect in ("arith", "math", "complex", "vector")
    type = _vector(op.results[0].type) if op.results and known else ""
    return (name if known else op.name) + type


def _vector(type: Attribute) -> str:
    text = str(type)
    return f" {text}" if text.startswith("vector<") else ""


def _times(text: str, number: int) -> str:
    return text if number == 1 else f"{text} x {number}"


def _counted(names: Iterable[str]) -> str:
    return _listed([_times(name, number) for name, number in Tally(names).items()])


def _listed(names: Sequence[str]) -> str:
    """The names, and how many are left out of a long list."""
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
