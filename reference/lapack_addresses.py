"""Where the routines of a LAPACK library, and of the BLAS below it, are in memory: SciPy's. Starts without xDSL."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module, util
from importlib.machinery import PathFinder
from typing import Any

from ..errors import UnsupportedError

SAME_NAMES = ("gesdd", "gesvd", "geev", "gees", "gehrd", "gtsv", "geqp3", "potrf", "getrf", "geqrf")
"""Routines whose names are the same for real and for complex numbers."""

OF_BLAS = frozenset(letter + "trsm" for letter in "sdcz")

NAMES = OF_BLAS | frozenset(
    {
        *(letter + name for name in SAME_NAMES for letter in "sdcz"),
        *(letter + name for name in ("syevd", "sytrd", "ormqr", "orgqr") for letter in "sd"),
        *(letter + name for name in ("heevd", "hetrd", "unmqr", "ungqr") for letter in "cz"),
    }
)


@cache
def is_there() -> bool:
    """Whether there is a library."""
    return util.find_spec("scipy") is not None


@cache
def _routines(library: str) -> Mapping[str, Any]:
    """SciPy's table for Cython, of the module alone: the package around it takes thirty times as long to import."""
    name = f"scipy.linalg.cython_{library}"
    folders = [f"{folder}/linalg" for folder in import_module("scipy").__path__]
    spec = None if "scipy.linalg" in sys.modules else PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        return import_module(name).__pyx_capi__
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules.pop(name, None)  # who imports the package later finds it as if this had not been
    return module.__pyx_capi__


@cache
def address_of(routine: str) -> int:
    """Raises `UnsupportedError` where there is no library, or none with this routine."""
    if not is_there() or routine not in NAMES:
        raise UnsupportedError(f"no routine {routine} of LAPACK: it is that of SciPy, which is not installed")
    capsule = _routines("blas" if routine in OF_BLAS else "lapack")[routine]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(capsule, name_of(capsule)))
