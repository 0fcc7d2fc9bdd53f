"""Eigenvalues and singular values by LAPACK's own routines, at their addresses in SciPy.

SciPy's functions for Python cost more than a small matrix. Here a batch is transposed at once, since LAPACK takes
matrices by columns, and all that a call for one matrix takes is addresses. Each function does what the reference's
function of the same name does (`reference/lapack.py`), in the element type of the operand.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..reference.custom_calls import backend_letter
from ..reference.registry import Call
from .buffers import data_address

Array = np.ndarray[Any, Any]

_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}


class Slot(NamedTuple):
    """A parameter that is the array of this number, at the matrix of the call."""

    array: int


class Space(NamedTuple):
    """A parameter that is an array to work in. Without a size the routine is asked for it, and told it next."""

    dtype: str
    size: int | None = None


Parameter = str | int | Slot | Space
"""A letter or number by its address, or an array."""

_ALIGNMENT = 64


@cache
class _Routine:
    """A routine of Fortran with its parameters, of which all but the arrays are known."""

    def __init__(self, name: str, parameters: tuple[Parameter, ...]) -> None:
        self._scalars: list[Any] = []
        self._values: list[int] = []
        self._slots: list[tuple[int, int]] = []
        self._spaces: list[tuple[int, Space]] = []
        for parameter in parameters:
            if isinstance(parameter, Slot):
                self._slots.append((len(self._values), parameter.array))
            elif isinstance(parameter, Space):
                self._spaces.append((len(self._values), parameter))
            self._values.append(0 if isinstance(parameter, Slot | Space) else self._address(parameter))
            if isinstance(parameter, Space) and parameter.size is None:
                self._values.append(self._address(-1))
        self._call = _function(name, len(self._values))
        sizes = [self._asked(index) if space.size is None else space.size for index, space in self._spaces]
        self._offsets: list[tuple[int, int]] = []
        self._size = 0
        for (index, space), size in zip(self._spaces, sizes, strict=True):
            self._offsets.append((index, self._size))
            if space.size is None:
                self._values[index + 1] = self._address(size)
            self._size += -(-size * np.dtype(space.dtype).itemsize // _ALIGNMENT) * _ALIGNMENT

    def _address(self, scalar: str | int) -> int:
        self._scalars.append(ctypes.c_char(scalar.encode()) if isinstance(scalar, str) else ctypes.c_int(scalar))
        return ctypes.addressof(self._scalars[-1])

    def _asked(self, wanted: int) -> int:
        """With a size of -1 a routine only says how much space is best, in the first element of each."""
        answers: dict[int, Array] = {index: np.zeros(1, space.dtype) for index, space in self._spaces}
        nothing = np.zeros(16, np.uint8)
        values = list(self._values)
        for index, _ in self._slots:
            values[index] = data_address(nothing)
        for index, space in self._spaces:
            values[index] = data_address(answers[index])
            if space.size is None:
                values[index + 1] = self._address(-1)
        self._call(*values)
        return int(np.real(answers[wanted])[0])

    def for_each(self, arrays: Sequence[Array], rank: int) -> None:
        """Calls the routine for each matrix of a batch, whose `rank` dimensions are the first of all arrays."""
        count = prod(arrays[0].shape[:rank])
        values, space = list(self._values), np.empty(self._size, np.uint8)
        start = data_address(space)
        for index, offset in self._offsets:
            values[index] = start + offset
        parts = [(index, data_address(arrays[slot]), arrays[slot].nbytes // count) for index, slot in self._slots]
        for matrix in range(count):
            for index, address, step in parts:
                values[index] = address + matrix * step
            self._call(*values)


def _function(name: str, parameters: int) -> Callable[..., None]:
    capsule = import_module("scipy.linalg.cython_lapack").__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer_of(capsule, name_of(capsule))
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * parameters)(address)


_option = lru_cache(backend_letter)


def _by_columns(a: Array) -> Array:
    return np.array(a.swapaxes(-1, -2), order="C")


def _of_nothing(call: Call) -> list[Array]:
    return [np.zeros(*call.result(i)) for i in range(len(call.op.results))]


def syevd(call: Call, a: Array) -> Sequence[Array]:
    if not a.size:
        return _of_nothing(call)
    is_complex, real, n = a.dtype.kind == "c", a.dtype.char.lower(), a.shape[-1]
    columns, info = _by_columns(a), np.empty(a.shape[:-2], np.int32)
    values = np.empty(a.shape[:-1], real)
    mode, triangle = _option(call, "mode", "V"), _option(call, "uplo", "L")
    spaces = (Space(a.dtype.char), *([Space(real)] if is_complex else []), Space("i"))
    _Routine(
        _LETTERS[a.dtype.char] + ("heevd" if is_complex else "syevd"),
        (mode, triangle, n, Slot(0), n, Slot(1), *spaces, Slot(2)),
    ).for_each([columns, values, info], a.ndim - 2)
    return columns.swapaxes(-1, -2), values, info


def gesdd(call: Call, a: Array) -> Sequence[Array]:
    if not a.size:
        return _of_nothing(call)
    is_complex, real, mode = a.dtype.kind == "c", a.dtype.char.lower(), _option(call, "mode", "A")
    batch, (m, n) = a.shape[:-2], a.shape[-2:]
    least, most = min(m, n), max(m, n)
    left, right = {"A": (m, n), "S": (least, least), "N": (1, 1)}[mode]
    matrices, info, values = _by_columns(a), np.empty(batch, np.int32), np.empty((*batch, least), real)
    vectors = [np.empty((*batch, left, m), a.dtype), np.empty((*batch, n, right), a.dtype)]
    # The greatest of what LAPACK's versions ask for.
    reals = 7 * least if mode == "N" else least * max(5 * least + 7, 2 * most + 2 * least + 1)
    spaces = (Space(a.dtype.char), *([Space(real, reals)] if is_complex else []), Space("i", 8 * least))
    _Routine(
        _LETTERS[a.dtype.char] + "gesdd",
        (mode, m, n, Slot(0), m, Slot(1), Slot(2), m, Slot(3), right, *spaces, Slot(4)),
    ).for_each([matrices, values, *vectors, info], len(batch))
    if mode == "N":
        return a, values, *(np.zeros(*call.result(i)) for i in (2, 3)), info
    return a, values, *(x.swapaxes(-1, -2) for x in vectors), info


def geev(call: Call, a: Array) -> Sequence[Array]:
    if not a.size:
        return _of_nothing(call)
    is_complex, n = a.dtype.kind == "c", a.shape[-1]
    modes = [_option(call, name, "V") for name in ("compute_left", "compute_right")]
    matrices, info = _by_columns(a), np.empty(a.shape[:-2], np.int32)
    values = [np.empty(a.shape[:-1], a.dtype) for _ in range(1 if is_complex else 2)]
    vectors = [np.empty(a.shape if mode == "V" else (*a.shape[:-2], 1), a.dtype) for mode in modes]
    arrays = [matrices, *values, *vectors, info]
    slots = [Slot(i) for i in range(len(arrays))]
    spaces = (Space(a.dtype.char), *([Space(a.dtype.char.lower(), 2 * n)] if is_complex else []))
    _Routine(
        _LETTERS[a.dtype.char] + "geev",
        (*modes, n, slots[0], n, *slots[1:-3], slots[-3], n, slots[-2], n, *spaces, slots[-1]),
    ).for_each(arrays, a.ndim - 2)
    results: list[Array] = []
    for mode, rows in zip(modes, vectors, strict=True):
        if mode != "V":
            results.append(np.zeros(a.shape, a.dtype.char.upper()))
            continue
        results.append((rows if is_complex else _of_pairs(rows, values[1])).swapaxes(-1, -2))
    return *values, *results, info


def _of_pairs(rows: Array, imaginary: Array) -> Array:
    """Complex eigenvectors of real matrices: a pair has the real part in one row and the imaginary part in the next."""
    vectors = rows.astype(rows.dtype.char.upper())
    *batch, first = np.nonzero(imaginary > 0)
    if len(first):
        real, second = (*batch, first), (*batch, first + 1)
        vectors[real] += 1j * rows[second]
        vectors[second] = vectors[real].conj()
    return vectors
