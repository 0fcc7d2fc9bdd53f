"""The entry points of installed packages that name something for the compiler.

`xdsl.universe` is xDSL's own group: an object of `xdsl.universe.Universe` with dialects, passes and targets. The others
are of this package; there the name of an entry point is that of what it stands for:

    [project.entry-points."xdsl_xla.pipelines"]
    my-pipeline = "my_package:PIPELINE"

Nothing is loaded here, and xDSL is not imported: a program in the compile cache only needs to know which there are.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ...errors import XlaError
from ...interruptions import is_interruption
from ...user_code import load_error

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

UNIVERSES = "xdsl.universe"
PIPELINES = "xdsl_xla.pipelines"
COST_MODELS = "xdsl_xla.cost_models"
SCHEDULES = "xdsl_xla.schedules"

GROUPS = (UNIVERSES, PIPELINES, COST_MODELS, SCHEDULES)

PLUGIN_GROUPS = (UNIVERSES, PIPELINES)
"""Those whose code runs in a compilation because of a name in its pipeline."""

HOUSES = ("xdsl", "xdsl_xla")
"""Packages whose own universes are known without their entry points."""


class Plugin(NamedTuple):
    """An entry point of a package of others."""

    group: str
    name: str
    value: str
    package: str
    """Name and version of the distribution."""
    entry: EntryPoint

    @property
    def module(self) -> str:
        """The top-level module that it is in."""
        return self.value.partition(":")[0].partition(".")[0].strip()

    def __str__(self) -> str:
        return f"the package {self.package}"


@cache
def plugins() -> tuple[Plugin, ...]:
    """The entry points of the four groups, without this package's and xDSL's, sorted by name."""
    from importlib.metadata import entry_points

    found = {
        plugin
        for group in GROUPS
        for entry in entry_points(group=group)
        if (plugin := _plugin(group, entry)).module not in HOUSES
    }
    return tuple(sorted(found, key=lambda plugin: plugin[:4]))


def _plugin(group: str, entry: EntryPoint) -> Plugin:
    package = "?" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
    return Plugin(group, entry.name, entry.value, package, entry)


def names(group: str) -> list[str]:
    """Of the entry points of a group."""
    return [plugin.name for plugin in plugins() if plugin.group == group]


def load_entry(group: str, kind: str, name: str) -> tuple[object, str] | None:
    """The object of the entry point `name`, and who defines it; None if there is none. Raises `XlaError` where two
    packages have one, or it cannot be loaded.
    """
    found = [plugin for plugin in plugins() if plugin.group == group and plugin.name == name]
    if not found:
        return None
    if len(found) > 1:
        packages = " and ".join(map(str, found))
        raise XlaError(f"{kind} '{name}' is defined by {packages}: uninstall one of them")
    try:
        return found[0].entry.load(), str(found[0])
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        cause = load_error(error, found[0].value)
        message = f"{kind} '{name}' of {found[0]} cannot be loaded: {cause.message}"
        raise XlaError(message, location=cause.location) from error
