"""What the code of a compiled program depends on, as one digest.

That is the program, the options, this package, the packages it compiles with, and the CPU. This package is
known by the path, size and times of each of its files, which takes a few milliseconds; where the system keeps the
time of the last change of a file, no edit escapes it. The others are known by their versions.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ... import pipelines
from ...decisions import target
from ...import_time import IMPORTED_AT
from ...nesting import with_deep_stack

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

SOURCES = ("decisions", "dialects", "frontends", "ir", "lowering", "passes", "reference", "runtime")
"""The folders of this package that a compilation may run code of."""

INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders whose packages change as a whole."""

CLOCK_STEP = 20_000_000
"""In nanoseconds: how far the times of files may lag behind the clock."""


def program_key(source: str | bytes | ModuleOp, filename: str | None, options: Sequence[object]) -> str | None:
    """The name of the compiled program in the cache; None if it cannot have one.

    `options` are those of the compilation whose `repr` tells them apart. A program has no name if the sources of this
    package have changed since it was imported: what a process has in memory is not what is on disk then.
    """
    surroundings = _surroundings()
    if surroundings is None:
        return None
    digest = hashlib.blake2b(digest_size=20)
    tables = pipelines.PASSES, pipelines.PIPELINES, pipelines.SUBJECTS
    digest.update(repr((surroundings, tables, type(source).__name__, filename, *options)).encode())
    if isinstance(source, str):
        digest.update(source.encode("utf-8", "surrogatepass"))
    elif isinstance(source, bytes):
        digest.update(source)
    else:
        text = with_deep_stack(lambda: _text(source))
        if "dense_resource" in text:  # the data of which is elsewhere
            return None
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _text(module: ModuleOp) -> str:
    """The module with all its attributes and positions."""
    import io

    from ...dialects.printing import ExactPrinter

    output = io.StringIO()
    ExactPrinter(output, print_generic_format=True, print_debuginfo=True).print_op(module)
    return output.getvalue()


def _surroundings() -> tuple[object, ...] | None:
    """What matters besides the program and its options."""
    sources = fingerprint_of_sources()
    return None if sources is None else (sources, environment())


ROOT = os.path.dirname(os.path.abspath(pipelines.__file__))


def fingerprint_of_sources(root: str = ROOT) -> str | None:
    """That of the files of this package, and of xDSL if it is not an installed one, as they are now; None if one has
    changed since this process began to import them.
    """
    folders = [(root, False), *((os.path.join(root, name), True) for name in SOURCES)]
    xdsl = _origin("xdsl")
    if xdsl is not None and not INSTALLED.intersection(xdsl.split(os.sep)):
        folders.append((os.path.dirname(xdsl), True))
    latest, found = 0, [root]
    try:
        for folder, recursive in folders:
            for path, stat in source_files(folder, recursive):
                latest = max(latest, stat.st_mtime_ns if os.name == "nt" else stat.st_ctime_ns)
                found.append(f"{path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}")
    except OSError:  # not in files of its own: in an archive, say
        return None
    if not 0 < latest < IMPORTED_AT - CLOCK_STEP:
        return None
    return hashlib.blake2b("\n".join(found).encode("utf-8", "surrogateescape"), digest_size=20).hexdigest()


def source_files(folder: str, recursive: bool) -> Iterator[tuple[str, os.stat_result]]:
    """The sources in `folder`."""
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = entry.name
            if name.endswith(".py"):
                yield entry.path, entry.stat()
            elif recursive and name != "__pycache__" and entry.is_dir():
                folders.append(entry.path)
    for inner in folders:
        yield from source_files(inner, recursive)


@cache
def environment() -> tuple[object, ...]:
    """The packages that compile with this one, SciPy, whose routines programs may call, and the CPU."""
    import llvmlite  # pyright: ignore[reportMissingTypeStubs]
    import llvmlite.binding as llvm  # pyright: ignore[reportMissingTypeStubs]

    from ..target_machines import host_features

    return (
        sys.version,
        sys.platform,
        np.__version__,
        str(llvmlite.__version__),
        str(llvm.llvm_version_info),  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        llvm.get_default_triple(),
        llvm.get_host_cpu_name(),
        host_features(),
        target.host(),
        _version_stamp("xdsl"),
        _version_stamp("ml_dtypes"),
        _version_stamp("scipy"),
    )


def _origin(package: str) -> str | None:
    """The file of the top-level `package`, which is not imported."""
    spec = importlib.util.find_spec(package)
    return None if spec is None else spec.origin


def _version_stamp(package: str) -> object:
    """What changes when another version of `package` is installed."""
    origin = _origin(package)
    if origin is None:
        return None
    files = (origin, os.path.join(os.path.dirname(origin), "_version.py"))
    stats = [os.stat(file) for file in files if os.path.exists(file)]
    return origin, *((stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) for stat in stats)
