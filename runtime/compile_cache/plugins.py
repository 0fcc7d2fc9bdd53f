"""The code of others that a compilation may run: the packages whose entry points name passes, dialects and pipelines.

It matters for pipelines with a name that is not this package's. None of it is imported here: each package is known by
its version, and by the path, size and times of the files of the module that its entry point names, which is a folder or
a file.
"""

from __future__ import annotations

import importlib.util
import os
import re

from ...import_time import IMPORTED_AT
from ...pipelines import PASSES, PIPELINES
from ..extensions.entry_points import PLUGIN_GROUPS, Plugin, plugins
from .key import CLOCK_STEP, source_files

NOT_NAMES = re.compile(r'"(?:\\.|[^"\\])*"|\{[^{}"]*(?:"(?:\\.|[^"\\])*"[^{}"]*)*\}')
"""In a pipeline: options, and texts in quotes."""

Stamp = tuple[object, ...]


def is_foreign(pipeline: str) -> bool:
    """Whether it has a name that stands for nothing of this package."""
    if pipeline in PIPELINES:
        return False
    names = (name.strip() for name in NOT_NAMES.sub("", pipeline).split(","))
    return not all(name in PASSES or name in PIPELINES or not name for name in names)


def stamp_of_plugins() -> Stamp | None:
    """What changes when code of a package of others does; None where it has changed since this process began: what is
    in memory is not what is on disk then.
    """
    stamps: list[object] = []
    for plugin in plugins():
        if plugin.group in PLUGIN_GROUPS:
            try:
                files = tuple(_files_of(plugin))
            except (ImportError, OSError, ValueError):  # which cannot be loaded either
                files = ()
            if any(changed >= IMPORTED_AT - CLOCK_STEP for *_, changed in files):
                return None
            stamps.append((plugin.group, plugin.name, plugin.value, plugin.package, files))
    return tuple(stamps)


def _files_of(plugin: Plugin) -> list[tuple[str, int, int, int]]:
    """Path, size, time of the contents and time of the last change, of the files of the top-level module."""
    spec = importlib.util.find_spec(plugin.module)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        found = [item for folder in spec.submodule_search_locations for item in source_files(folder, recursive=True)]
    else:
        found = [] if spec.origin is None else [(spec.origin, os.stat(spec.origin))]
    return [
        (path, stat.st_size, stat.st_mtime_ns, stat.st_mtime_ns if os.name == "nt" else stat.st_ctime_ns)
        for path, stat in found
    ]
