"""Whatever a caller passes as a tensor -> a dense NumPy array of the right type, copying only
where it must.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from ..interruptions import is_interruption
from .buffers import INPUT_ALIGNMENT, data_address, empty_aligned
from .element_types import type_name
from .fitting_numbers import UnfitError, fitting_array
from .signature import TensorSpec

READY_FLAGS = 0x101
"""The bits of `ndarray.flags.num` of a C-contiguous, aligned array (NumPy's C API fixes them)."""


def convert_argument(value: Any, spec: TensorSpec, index: int) -> np.ndarray:
    """`value` as a dense array at a multiple of `INPUT_ALIGNMENT`, for the argument declared as
    `spec`.

    Arrays of any library (`__array__`, DLPack, buffer protocol) must have exactly the declared
    shape and element type. Python numbers and nested lists of them are converted where they fit
    (`fitting_numbers.py`): an int may become a float, not the reverse. Raises `ArgumentError`.
    """
    if isinstance(value, bool | int | float | complex | list | tuple) and not isinstance(value, np.generic):
        return _from_python(value, spec, index)
    array = _as_array(value, spec, index)
    native = array.dtype.newbyteorder("=")
    if array.shape != spec.shape or native != spec.dtype:
        raise _mismatch(spec, index, type_name(array.shape, native))
    if (
        array.flags.num & READY_FLAGS == READY_FLAGS
        and array.dtype == spec.dtype
        and data_address(array) % INPUT_ALIGNMENT == 0
    ):
        return array
    copy = empty_aligned(spec.shape, spec.dtype, spec.byte_size)
    copy[...] = array
    return copy


def _mismatch(spec: TensorSpec, index: int, found: str) -> ArgumentError:
    return ArgumentError(f"argument {index} ('{spec.name}'): expected {spec}, got {found}")


def _as_array(value: Any, spec: TensorSpec, index: int) -> np.ndarray:
    if isinstance(value, np.ma.MaskedArray):
        raise _mismatch(spec, index, "a masked array: what is masked is not known to a program")
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        array = np.asarray(value)
    except Exception as error:
        if is_interruption(error):
            raise
        raise _mismatch(spec, index, f"a {type(value).__name__} ({error})") from error
    if array.dtype == np.object_:
        raise _mismatch(spec, index, f"a {type(value).__name__}")
    return array


def _from_python(value: Any, spec: TensorSpec, index: int) -> np.ndarray:
    try:
        array = fitting_array(value, spec.dtype)
    except UnfitError as error:
        raise _mismatch(spec, index, str(error)) from None
    if array.shape != spec.shape:
        raise _mismatch(spec, index, f"a {type(value).__name__} of shape {list(array.shape)}")
    result = empty_aligned(spec.shape, spec.dtype, spec.byte_size)
    result[...] = array
    return result


def check_timeout(timeout: object) -> None:
    """Raises `ArgumentError` unless `timeout` is a positive number of seconds."""
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or not timeout > 0:
        raise ArgumentError(f"argument timeout: expected a positive number of seconds or None, got {timeout!r}")
