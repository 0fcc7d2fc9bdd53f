"""Where the routines of a LAPACK library are in memory, if there is one: SciPy's. Starts without xDSL."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module, util

from ..errors import UnsupportedError

SAME_NAMES = ("gesdd", "gesvd", "geev", "gees", "gehrd", "gtsv", "geqp3", "potrf", "getrf", "geqrf")
"""Routines whose names are the same for real and for complex numbers."""

NAMES = frozenset(
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
def address_of(routine: str) -> int:
    """Raises `UnsupportedError` where there is no library, or none with this routine."""
    if not is_there() or routine not in NAMES:
        raise UnsupportedError(f"no routine {routine} of LAPACK: it is that of SciPy, which is not installed")
    capsule = import_module("scipy.linalg.cython_lapack").__pyx_capi__[routine]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(capsule, name_of(capsule)))
