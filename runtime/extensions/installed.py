"""What installed packages define, by their entry points (`entry_points.py`).

Loading them takes as long as the packages take. So it is done the first time that a name is asked for which neither
this package nor xDSL has. A package that fails is left out, and named with the names that are not found then.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ...errors import XlaError
from ...interruptions import is_interruption
from ...user_code import load_error
from .definitions import KINDS, Definition, Definitions, universe_definitions
from .entry_points import PIPELINES, UNIVERSES, Plugin, plugins


class Problem(NamedTuple):
    """A plugin that is not there: it cannot be loaded, or is not what its group holds."""

    plugin: Plugin
    reason: str

    def __str__(self) -> str:
        return f"'{self.plugin.name}' ({self.plugin.group}) of {self.plugin} cannot be loaded: {self.reason}"


class Installed(NamedTuple):
    """What packages define together. A name that two of them have is kept as one that raises an error where it is
    used.
    """

    definitions: Definitions
    problems: tuple[Problem, ...]


@cache
def installed() -> Installed:
    """The passes, dialects, targets and pipelines of installed packages; their universes are loaded here."""
    whole, problems = Definitions(), list[Problem]()
    for plugin in plugins():
        if plugin.group == UNIVERSES:
            try:
                part = _universe(plugin)
            except XlaError as error:
                problems.append(Problem(plugin, str(error)))
                continue
            for kind, table, more in zip(KINDS, whole.tables(), part.tables(), strict=True):
                for name, definition in more.items():
                    _add(table, kind, name, definition)
        elif plugin.group == PIPELINES:
            _add(whole.pipelines, "pipeline", plugin.name, Definition(str(plugin), plugin.entry.load))
    return Installed(whole, tuple(problems))


def _universe(plugin: Plugin) -> Definitions:
    """Raises `XlaError`."""
    from xdsl.universe import Universe

    try:
        universe = plugin.entry.load()
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        raise load_error(error, plugin.value) from error
    if not isinstance(universe, Universe):
        raise XlaError(f"{plugin.value} is no Universe of xDSL but {universe!r:.100}")
    try:
        return universe_definitions(universe, str(plugin))
    except (AttributeError, TypeError) as error:
        raise XlaError(f"{plugin.value}: its tables are no dicts: {error}") from error


def _add(table: dict[str, Definition], kind: str, name: str, definition: Definition) -> None:
    before = table.get(name)
    if before is None:
        table[name] = definition
        return
    origins = f"{before.origin} and {definition.origin}"

    def refuse() -> object:
        raise XlaError(f"{kind} '{name}' is defined by {origins}: uninstall one of them")

    table[name] = Definition(origins, refuse)


def problems_in_words() -> str:
    """`; note that ...` for each package that cannot be loaded: what is missed may be one of theirs."""
    return "".join(f"; note that {problem}" for problem in installed().problems)
