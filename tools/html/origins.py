"""Where the ops of a level come from on the level before.

An op that was there before the pass is the same object behind it. A new one is traced by what the pass itself does:
the pattern or handler that made it was called with an op (`PatternLog`), its results took the place of those of one, or
it was given the location of one. For the last every op gets a location object of its own in front of a pass, equal to
the one it had: a pass that hands a location on hands on this object. Whatever remains is guessed from names, users,
operands, the op around, and the function of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, FusedLoc, LocationAttr, ModuleOp, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import walk
from ...ir.pattern_log import PatternLog

MOST_OF_ONE_LOCATION = 16
"""Where more ops than this have equal locations, the location does not tell which one a new op comes from."""


MOST_GUESSES = 4
"""From how many ops all that is new in a function may come, where nothing else is known."""


class Kind(IntEnum):
    """How it is known that one op comes from another."""

    SAME = 0
    """It is that op."""
    REWRITE = 1
    """It was made while a pattern or a handler rewrote that op, or its results were put in the place of that op's."""
    LOCATION = 2
    """It was given the location of that op; below the llvm dialect, the line of it, as debug information."""
    GUESS = 3
    """It has its name, feeds or reads what comes from it, or stands inside it."""


class Origin(NamedTuple):
    """An op of the level before, and how it is known."""

    op: Operation
    kind: Kind


Origins = dict[Operation, Sequence[Origin]]


class OriginLog(PatternLog):
    """Notes in addition which op was being rewritten when an op was made."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: dict[Operation, Operation] = {}
        self.replaced: dict[Operation, dict[Operation, None]] = {}
        """By op the ops whose results have taken the place of its own."""
        self._source: Operation | None = None

    def note_replacement(self, old: SSAValue, new: SSAValue) -> None:
        if isinstance(old.owner, Operation) and isinstance(new.owner, Operation) and old.owner is not new.owner:
            self.replaced.setdefault(old.owner, {})[new.owner] = None

    def note_op(self, op: Operation) -> None:
        super().note_op(op)
        if self._source is not None and op is not self._source:
            self.sources[op] = self._source

    def observed(
        self, owner: str, pattern: str, rewrite: Callable[..., Any], *, always_applies: bool
    ) -> Callable[..., Any]:
        counted = super().observed(owner, pattern, rewrite, always_applies=always_applies)

        def apply(*arguments: Any) -> Any:
            outer = self._source
            if arguments and isinstance(arguments[0], Operation):
                self._source = arguments[0]
            try:
                return counted(*arguments)
            finally:
                self._source = outer

        return apply


class Level:
    """The ops of a level in front of a pass. While the pass runs, `log` is written."""

    def __init__(self, module: ModuleOp, log: OriginLog) -> None:
        self.log = log
        log.sources, log.replaced = {}, {}
        self.ops = dict.fromkeys(walk(module))
        self.by_stamp: dict[int, tuple[LocationAttr, Operation]] = {}
        self.by_location: dict[LocationAttr, list[Operation]] = {}
        self.by_name: dict[str, Operation | None] = {}
        """None where several ops have a result of this name."""
        self.functions: dict[str, Operation] = {}
        self.inside: dict[str, list[Operation]] = {}
        """By symbol of a function the ops that stand directly in it."""
        self.nests: set[Operation] = set()
        """Those that have regions; ops that a pass discards have none any more."""
        for op in self.ops:
            if (parent := op.parent_op()) is not None and (name := symbol_of(parent)) is not None:
                self.inside.setdefault(name, []).append(op)
            if op.regions:
                self.nests.add(op)
            if (name := symbol_of(op)) is not None:
                self.functions[name] = op
            stamp = _copied(op.location)
            op.location = stamp
            self.by_stamp[id(stamp)] = stamp, op
            if not isinstance(stamp, UnknownLoc):
                self.by_location.setdefault(stamp, []).append(op)
            for result in op.results:
                if (name := result.name_hint) is not None:
                    self.by_name[name] = None if name in self.by_name else op

    def origins_of(self, module: ModuleOp) -> Origins:
        """For each op of `module` behind the pass what it comes from; nothing for ops of which nobody knows."""
        found: Origins = {}
        ops = list(walk(module))
        for op in ops:
            if op in self.ops:
                found[op] = (Origin(op, Kind.SAME),)
            elif origins := tuple(self._noted(op)):
                found[op] = origins
        self._add_replacements(found, frozenset(ops))
        known = frozenset(found)
        for op in ops:
            if op not in known and (source := self._of_the_same_name(op)) is not None:
                found[op] = (Origin(source, Kind.GUESS),)
        for guess in (_of_users, _of_operands, _of_parent):
            for op in reversed(ops) if guess is _of_users else ops:
                if op not in found and not isinstance(op, FuncOp | ModuleOp) and (near := guess(op, found)):
                    found[op] = (Origin(near[0].op, Kind.GUESS),)
        self._guess_by_function(ops, found)
        return found

    def _guess_by_function(self, ops: Sequence[Operation], found: Origins) -> None:
        """What is left comes from those ops of the function of the same name that are gone."""
        still = {origin.op for origins in found.values() for origin in origins if origin.kind is not Kind.GUESS}
        sources: dict[str, Sequence[Operation]] = {}
        for op in ops:
            if op in found:
                continue
            if (name := symbol_of(op)) is not None:
                if name in self.functions:
                    found[op] = (Origin(self.functions[name], Kind.GUESS),)
            elif (name := _symbol_around(op)) in self.inside:
                if name not in sources:
                    sources[name] = self._main_ops(name, still)
                if sources[name]:
                    found[op] = tuple(Origin(source, Kind.GUESS) for source in sources[name])

    def _main_ops(self, function: str, still: Container[Operation]) -> Sequence[Operation]:
        """Of the ops that stood directly in a function those that are not `still` there; those with regions, if any."""
        gone = [op for op in self.inside[function] if op not in still]
        return [op for op in gone if op in self.nests][:MOST_GUESSES] or gone[-1:]

    def _add_replacements(self, found: Origins, here: Container[Operation]) -> None:
        """What an op that is gone was replaced by comes from it, too."""
        for gone in self.log.replaced:
            if gone not in self.ops or gone in here:
                continue
            seen, pending = {gone}, [gone]
            while pending:
                for op in self.log.replaced.get(pending.pop(), ()):
                    if op in seen:
                        continue
                    seen.add(op)
                    if op not in here:
                        pending.append(op)
                        continue
                    others = [origin for origin in found.get(op, ()) if origin.op is not gone]
                    found[op] = (*others, Origin(gone, Kind.REWRITE))

    def _noted(self, op: Operation) -> Iterator[Origin]:
        seen: set[Operation] = set()
        source, steps = self.log.sources.get(op), 0
        while source is not None and source not in self.ops and steps < len(self.log.sources):
            source, steps = self.log.sources.get(source), steps + 1
        if source is not None and source in self.ops:
            seen.add(source)
            yield Origin(source, Kind.REWRITE)
        for other in self._by_location(op.location):
            if other not in seen:
                seen.add(other)
                yield Origin(other, Kind.LOCATION)

    def _by_location(self, location: Attribute) -> Iterable[Operation]:
        if (stamped := self.by_stamp.get(id(location))) is not None:
            return (stamped[1],)
        if isinstance(location, FusedLoc):
            parts = cast("ArrayAttr[Attribute]", location.locations)
            return [op for part in parts for op in self._by_location(part)]
        if isinstance(location, LocationAttr) and location in self.by_location:
            equal = self.by_location[location]
            return equal if len(equal) <= MOST_OF_ONE_LOCATION else ()
        return ()

    def _of_the_same_name(self, op: Operation) -> Operation | None:
        for result in op.results:
            if result.name_hint is not None and (source := self.by_name.get(result.name_hint)) is not None:
                return source
        return None


def symbol_of(op: Operation) -> str | None:
    """The name of a function."""
    if not isinstance(op, FuncOp | llvm.FuncOp):
        return None
    return op.sym_name.data


def _symbol_around(op: Operation) -> str:
    """The name of the function that `op` is in, or nothing."""
    parent = op.parent_op()
    while parent is not None:
        if (name := symbol_of(parent)) is not None:
            return name
        parent = parent.parent_op()
    return ""


def _copied(location: LocationAttr) -> LocationAttr:
    """An equal location that is another object."""
    copy = object.__new__(type(location))
    for name, value in vars(location).items():
        object.__setattr__(copy, name, value)
    return copy


def _of_users(op: Operation, found: Mapping[Operation, Sequence[Origin]]) -> Sequence[Origin]:
    for result in op.results:
        for use in result.uses:
            if origins := found.get(use.operation):
                return origins
    return ()


def _of_operands(op: Operation, found: Mapping[Operation, Sequence[Origin]]) -> Sequence[Origin]:
    for operand in op.operands:
        if isinstance(operand.owner, Operation) and (origins := found.get(operand.owner)):
            return origins
    return ()


def _of_parent(op: Operation, found: Mapping[Operation, Sequence[Origin]]) -> Sequence[Origin]:
    parent = op.parent_op()
    if parent is None or isinstance(parent, FuncOp | ModuleOp):
        return ()
    return found.get(parent, ())
