"""How many threads programs get, and the OpenMP runtime that gives them where there are no teams (`teams/`).

GNU's libgomp and LLVM's libomp (which has GNU's entry points too) both serve. Without either,
programs run on one thread.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .cpus import available_cpus
from .teams.offer import are_wanted as teams_are_wanted

LIBRARY_NAMES = (
    "libgomp.so.1",
    "libomp.so.5",
    "libomp.so",
    "libomp.dylib",
    "libiomp5.so",
    "libiomp5.dylib",
    "libomp140.x86_64.dll",
)
"""What the runtimes are called, in order of preference."""

LIBRARY_FILE = re.compile(r"lib(gomp|i?omp)\d*([-.].*)?\.(so|dylib|dll)(\.\d+)*$")

MAX_THREADS = 4096
"""How many threads a program may ask for. OpenMP runtimes end the process if the system has no more threads to give."""

WHEEL_FOLDERS = ("*.libs", "*/.libs", "*/lib", "*/.dylibs")
"""Where wheels keep the shared libraries they bring along, relative to `site-packages`."""


class OpenMP(NamedTuple):
    """Addresses of the functions generated code calls, and the library they are in."""

    path: str
    gomp_parallel: int
    omp_get_thread_num: int
    omp_get_num_threads: int


def _loaded_libraries() -> Iterator[str]:
    """OpenMP runtimes already in this process: a second one would compete with its threads."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    paths = {line.split(maxsplit=5)[-1] for line in maps.splitlines() if "omp" in line}
    yield from sorted(path for path in paths if LIBRARY_FILE.match(os.path.basename(path)))


def _bundled_libraries() -> Iterator[str]:
    """OpenMP runtimes that installed wheels have brought along."""
    for entry in sys.path:
        if os.path.basename(entry) in ("site-packages", "dist-packages"):
            for pattern in WHEEL_FOLDERS:
                for folder in sorted(Path(entry).glob(pattern)):
                    yield from sorted(str(file) for file in folder.iterdir() if LIBRARY_FILE.match(file.name))


def _candidates() -> Iterator[str]:
    yield from _loaded_libraries()
    yield from LIBRARY_NAMES
    from ctypes.util import find_library  # takes milliseconds to import, and is seldom needed

    for name in ("gomp", "omp", "iomp5"):
        if found := find_library(name):
            yield found
    yield from _bundled_libraries()


def _address(library: ctypes.CDLL, symbol: str) -> int:
    address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    assert address is not None
    return address


WAITING = {"GOMP_SPINCOUNT": "0", "KMP_BLOCKTIME": "0"}
"""Settings under which idle threads of libgomp and libomp sleep at once instead of spinning."""


def _let_idle_threads_sleep() -> None:
    """Unless the user has a policy: a spinning thread saves some microseconds a region on an idle machine, but on a
    busy one it takes the CPU from the very thread it waits for, until its time slice (milliseconds) is over.

    Has an effect only before the runtime is loaded, which reads its settings then.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        for name, value in WAITING.items():
            os.environ.setdefault(name, value)


@cache
def openmp() -> OpenMP | None:
    """The OpenMP runtime of this process, loaded on the first call, or None."""
    _let_idle_threads_sleep()
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            return OpenMP(
                path,
                _address(library, "GOMP_parallel"),
                _address(library, "omp_get_thread_num"),
                _address(library, "omp_get_num_threads"),
            )
        except (OSError, AttributeError):
            continue
    return None


def default_threads() -> int:
    """`OMP_NUM_THREADS` if it is a number, of at most `MAX_THREADS`, otherwise the CPUs this process may use."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    asked = int(first[:9]) if first.isdecimal() else 0
    return min(asked, MAX_THREADS) if asked else available_cpus()


def effective_threads(requested: int | None) -> int:
    """How many threads a program compiled for `requested` threads (the default if None) runs on."""
    threads = default_threads() if requested is None else requested
    return threads if threads > 1 and (teams_are_wanted() or openmp() is not None) else 1
