"""Arrays in `.npy` and `.npz` files, of element types that NumPy's files do not know as well.

NumPy's format has no bf16, no floats of eight bits and less, no integers of two and four bits. Arrays of these are
stored as their bits, in unsigned integers of the same size, and an archive says beside them what they are: its array
`dtypes` holds `NAME=TYPE` for each of them, where TYPE is what `ml_dtypes` calls it. `load_arrays` reads both; so does

    import ml_dtypes, numpy
    archive = numpy.load("results.npz")
    types = dict(line.split("=") for line in archive["dtypes"])
    out0 = archive["out0"].view(getattr(ml_dtypes, types["out0"]))

A single `.npy` file has no place for that: such arrays are refused there.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from ..errors import XlaError
from ..runtime.output_files import written
from ..runtime.signature import TensorSpec
from .reporting import UsageError

DTYPES = "dtypes"
"""The array of an archive that names the types of others."""

FIRST_USER_TYPE = 256
"""NumPy's number for the first type that is not its own."""


def is_extension(dtype: np.dtype) -> bool:
    """Whether NumPy files cannot store `dtype`, so that its bits are stored as unsigned integers."""
    return dtype.kind == "V" or dtype.num >= FIRST_USER_TYPE


def to_stored(array: np.ndarray) -> np.ndarray:
    """`array` in a type that files can store."""
    return array.view(f"u{array.dtype.itemsize}") if is_extension(array.dtype) else array


def archive_of(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What an archive of these arrays holds, the names of types included."""
    stored = {name: to_stored(array) for name, array in arrays.items()}
    types = [f"{name}={array.dtype.name}" for name, array in arrays.items() if is_extension(array.dtype)]
    return stored | ({DTYPES: np.array(types)} if types else {})


def save_arrays(path: str | Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write an archive, whatever its file is called."""
    with written(path) as file:
        np.savez(file, **archive_of(arrays))  # pyright: ignore[reportArgumentType]


def check_output_name(path: str, specs: Sequence[TensorSpec]) -> None:
    """Raises `UsageError` where the file that `--output` names cannot hold such results: a `.npy` holds one array, of
    a type that NumPy knows.
    """
    if Path(path).suffix != ".npy":
        return
    if len(specs) != 1:
        raise UsageError(f"--output {path}: a .npy file holds one array, not {len(specs)} results; use .npz")
    if is_extension(specs[0].dtype):
        raise UsageError(f"--output {path}: a .npy file cannot say that its elements are {specs[0].dtype}; use .npz")


def save_outputs(path: str, outputs: Sequence[np.ndarray]) -> None:
    """The results as the file that `--output` names, which `check_output_name` has seen: one in a `.npy`, else an
    archive of out0, out1, ...
    """
    if Path(path).suffix != ".npy":
        save_arrays(path, {f"out{index}": array for index, array in enumerate(outputs)})
        return
    with written(path) as file:
        np.save(file, outputs[0])


def load_arrays(path: str) -> dict[str, np.ndarray]:
    """The arrays of an archive by name, in their own types. Raises `XlaError` for a file that is no archive."""
    archive = load(path)
    if not isinstance(archive, np.lib.npyio.NpzFile):
        raise XlaError(f"{path}: not an .npz archive")
    with archive:
        try:
            arrays: dict[str, np.ndarray] = {name: archive[name] for name in archive.files}
        except (ValueError, EOFError, zipfile.BadZipFile) as error:
            raise _unreadable(path, error) from error
    types = arrays.pop(DTYPES, None)
    for line in [] if types is None else [str(line) for line in types.reshape(-1)]:
        name, _, type_name = line.partition("=")
        dtype: Any = getattr(ml_dtypes, type_name, None)
        if name not in arrays or dtype is None or np.dtype(dtype).itemsize != arrays[name].dtype.itemsize:
            raise XlaError(f"{path}: '{DTYPES}' has '{line}', which does not fit the archive")
        arrays[name] = arrays[name].view(dtype)
    return arrays


def load(path: str) -> np.ndarray | np.lib.npyio.NpzFile:
    """What a file of NumPy holds. Raises `XlaError`."""
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: Exception) -> XlaError:
    """Without NumPy's advice to unpickle what somebody else has written."""
    return XlaError(f"{path}: not a NumPy file {'of numbers' if 'pickle' in str(error) else f'({error})'}")
