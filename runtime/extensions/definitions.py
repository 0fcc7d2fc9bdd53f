"""What someone else defines for the compiler: passes, dialects, pipelines and targets, by name.

Names of a file or an object that is given explicitly come first: a pass in a file takes the place of the compiler's
pass of that name, in its pipelines too. What packages define comes last.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import isabstract
from types import ModuleType
from typing import Any, TypeGuard, cast

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe

from ...errors import ArgumentError, XlaError
from ...interruptions import is_interruption
from ...pipelines import Step
from ...user_code import imported_file, load_error

Factory = Callable[[], Any]

TABLE = "PIPELINES"
"""The variable of a file that holds its pipelines: names to lists of steps."""


@dataclass(frozen=True)
class Definition:
    """Something with a name: `load` gives it, the first time it is used."""

    origin: str
    """Who defines it, as messages say it."""
    load: Factory


@dataclass(frozen=True)
class Definitions:
    """Passes are classes or, with options of their own, instances of `ModulePass`."""

    passes: dict[str, Definition] = field(default_factory=dict[str, Definition])
    dialects: dict[str, Definition] = field(default_factory=dict[str, Definition])
    pipelines: dict[str, Definition] = field(default_factory=dict[str, Definition])
    targets: dict[str, Definition] = field(default_factory=dict[str, Definition])

    def __bool__(self) -> bool:
        return any(self.tables())

    def tables(self) -> tuple[dict[str, Definition], ...]:
        """The four, in the order of the fields."""
        return self.passes, self.dialects, self.pipelines, self.targets


NOTHING = Definitions()

KINDS = ("pass", "dialect", "pipeline", "target")
"""What the tables of `Definitions` hold."""


def loaded(kind: str, name: str, definition: Definition) -> Any:
    """What a factory of others gives. Raises `XlaError`, with file and line, where it fails."""
    try:
        return definition.load()
    except XlaError:
        raise
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        found = load_error(error, definition.origin)
        message = f"{kind} '{name}' of {definition.origin} cannot be loaded: {found.message}"
        raise XlaError(message, location=found.location) from error


def dialect_of(name: str, definition: Definition) -> Dialect:
    """Raises `XlaError` for what is no dialect of this name."""
    found = loaded("dialect", name, definition)
    if not isinstance(found, Dialect) or found.name != name:
        raise XlaError(f"dialect '{name}' of {definition.origin} is no Dialect of this name but {found!r:.200}")
    return found


def steps_of(name: str, definition: Definition) -> list[Step]:
    """The steps of a pipeline: a text as for `-p`, or a list of texts, of `Step`s or of pairs of text and reason; or a
    function without parameters that returns one. Raises `XlaError` for anything else.
    """
    value = loaded("pipeline", name, definition)
    if callable(value):
        value = loaded("pipeline", name, Definition(definition.origin, value))
    items: Sequence[object] = [value] if isinstance(value, str) else cast("Sequence[object]", value)
    if not isinstance(items, list | tuple):
        raise _no_pipeline(name, definition, items)
    return [_step(name, definition, item) for item in items]


def _step(name: str, definition: Definition, item: object) -> Step:
    match item:
        case Step():
            return item
        case str():
            return Step(item, f"of {definition.origin}")
        case (str() as spec, str() as reason):
            return Step(spec, reason)
        case _:
            raise _no_pipeline(name, definition, item)


def _no_pipeline(name: str, definition: Definition, value: object) -> XlaError:
    return XlaError(
        f"pipeline '{name}' of {definition.origin}: expected a list of passes, each a text or a pair of text and"
        f" reason, got {value!r:.200}"
    )


def add(table: dict[str, Definition], kind: str, name: str, definition: Definition) -> None:
    """Raises `XlaError` for a name that is defined twice, by two files."""
    before = table.setdefault(name, definition)
    if before is not definition:
        origins = " and ".join(dict.fromkeys((before.origin, definition.origin)))
        raise XlaError(f"{kind} '{name}' is defined twice, by {origins}")


def universe_definitions(universe: Universe, origin: str) -> Definitions:
    """The passes, dialects and targets of a universe of xDSL."""
    passes, dialects, targets = (
        {name: Definition(origin, factory) for name, factory in table.items()}
        for table in (universe.all_passes, universe.all_dialects, universe.all_targets)
    )
    return Definitions(passes, dialects, {}, targets)


def definitions_of_files(paths: Iterable[str | os.PathLike[str]]) -> Definitions:
    """What files of Python define, which are executed. Raises `XlaError` for one that cannot be read, that defines
    nothing, or that defines what another one does.
    """
    return _merged(_of_file(os.fspath(path)) for path in paths)


def definitions_of_objects(given: object) -> Definitions:
    """What the option `passes` of `compile` holds: classes and instances of `ModulePass`, and paths of files. Raises
    `ArgumentError` for anything else, and what `definitions_of_files` does.
    """
    if isinstance(given, str | os.PathLike) or not isinstance(given, Iterable):
        raise ArgumentError(f"argument passes: expected a list of passes or of paths of files, got {given!r:.200}")
    return _merged(_of_object(index, item) for index, item in enumerate(cast("Iterable[object]", given)))


def _merged(parts: Iterable[Definitions]) -> Definitions:
    whole = Definitions()
    for part in parts:
        for kind, table, more in zip(KINDS, whole.tables(), part.tables(), strict=True):
            for name, definition in more.items():
                add(table, kind, name, definition)
    return whole


def _of_object(index: int, item: object) -> Definitions:
    match item:
        case str() | os.PathLike():
            return _of_file(os.fspath(cast("str | os.PathLike[str]", item)))
        case ModulePass():
            return Definitions({item.name: Definition(f"passes[{index}]", lambda: item)})
        case _ if is_pass(item):
            return Definitions({item.name: Definition(f"passes[{index}]", lambda: item)})
        case _:
            raise ArgumentError(
                f"argument passes[{index}]: expected a ModulePass with a name, its class or the path of a file,"
                f" got {item!r:.200}"
            )


def is_pass(value: object) -> TypeGuard[type[ModulePass]]:
    """Whether a class is a pass that can run: one of `ModulePass` that has a name and is not abstract."""
    if not isinstance(value, type) or not issubclass(value, ModulePass):
        return False
    return isinstance(getattr(value, "name", None), str) and not isabstract(value)


def _of_file(path: str) -> Definitions:
    module = imported_file(path, "extension")
    found = _merged([_of_module(module, path), *_universes(module, path)])
    if not found:
        raise XlaError(
            f"{path} defines nothing: no class of ModulePass with a name, no Dialect, no Universe and no {TABLE}"
        )
    return found


def _objects(module: ModuleType) -> list[Any]:
    """What a module has names for; of two names for one object, that object once."""
    return list({id(value): value for value in vars(module).values()}.values())


def _universes(module: ModuleType, path: str) -> list[Definitions]:
    """Those of the file. What they have in common with its classes is defined once."""
    own = _of_module(module, path)
    found: list[Definitions] = []
    for value in _objects(module):
        if isinstance(value, Universe) and value is not XDSL_UNIVERSE:
            part = universe_definitions(value, path)
            for table, known in zip(part.tables(), own.tables(), strict=True):
                for name in [name for name in table if name in known]:
                    del table[name]
            found.append(part)
    return found


def _of_module(module: ModuleType, path: str) -> Definitions:
    """The classes of passes that the file itself defines, dialects that xDSL does not have, and its pipelines."""
    found = Definitions()
    for value in _objects(module):
        if is_pass(value) and value.__module__ == module.__name__:
            add(found.passes, "pass", value.name, Definition(path, lambda value=value: value))
        elif isinstance(value, Dialect) and value.name not in XDSL_UNIVERSE.all_dialects and not _is_ours(value):
            found.dialects[value.name] = Definition(path, lambda value=value: value)
    table = getattr(module, TABLE, {})
    if not isinstance(table, Mapping):
        raise XlaError(f"{path}: {TABLE}: expected a dict from names to lists of passes, got {table!r:.200}")
    for name, steps in cast("Mapping[object, object]", table).items():
        found.pipelines[str(name)] = Definition(path, lambda steps=steps: steps)
    return found


def _is_ours(dialect: Dialect) -> bool:
    from ..program_context import DIALECTS

    return dialect.name in DIALECTS
