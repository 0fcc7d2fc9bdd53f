"""A compiled model as a Python function, with `ctypes` and NumPy alone. This file is copied into wheels as it is.

`Model(...)(*arrays)` runs it; `describe()` says what it takes. Arrays of the declared shape and element type that are
dense and aligned to 16 bytes are taken where they are, others are copied.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_POINTER, _SIZE, _INT64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64

_ALIGNMENT = 16
"""In bytes: what the model expects of arguments and results. NumPy aligns what it allocates to this."""

_SUCCESS = 0

_PARALLEL = ("GOMP_parallel", "omp_get_thread_num", "omp_get_num_threads")

_OPENMP = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")
"""Runtimes of OpenMP. Without one, parallel loops run on one thread; results are the same."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("element", ctypes.c_char_p),
        ("shape", ctypes.POINTER(_INT64)),
        ("rank", _INT64),
        ("size", _SIZE),
        ("donated", _INT64),
    )


class _Function(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("address", _POINTER))


class _Options(ctypes.Structure):
    _fields_ = (
        ("struct_size", _SIZE),
        ("threads", _INT64),
        ("arena", _POINTER),
        ("arena_size", _SIZE),
        ("constants", _POINTER),
        ("constants_size", _SIZE),
        ("functions", ctypes.POINTER(_Function)),
        ("num_functions", _SIZE),
        ("seed", ctypes.c_uint64),
    )


class _Info(ctypes.Structure):
    _fields_ = (
        ("struct_size", _SIZE),
        ("abi_version", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("triple", ctypes.c_char_p),
        ("cpu", ctypes.c_char_p),
        ("features", ctypes.c_char_p),
        ("num_inputs", _SIZE),
        ("num_outputs", _SIZE),
        ("inputs", ctypes.POINTER(_Tensor)),
        ("outputs", ctypes.POINTER(_Tensor)),
        ("arena_size", _SIZE),
        ("thread_scratch_size", _SIZE),
        ("constants_size", _SIZE),
        ("threads", _INT64),
        ("num_functions", _SIZE),
        ("functions", ctypes.POINTER(ctypes.c_char_p)),
    )


class ModelError(Exception):
    """What a model reports: `status` is the number of the C interface."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class TensorSpec(NamedTuple):
    """An argument or a result."""

    name: str
    shape: tuple[int, ...]
    element: str
    """The element type as MLIR writes it."""
    dtype: np.dtype[Any]
    size: int
    """In bytes."""
    donated: int
    """Of a result: the argument whose memory it takes, or -1."""

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


_DTYPES = {
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "i1": "bool",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
    "index": "int64",
    **{f"{sign}i{width}": f"{name}int{width}" for sign, name in (("", ""), ("u", "u")) for width in (8, 16, 32, 64)},
}


def _dtype(element: str) -> np.dtype[Any]:
    """NumPy's data type; those that it lacks are those of `ml_dtypes`, which such wheels depend on."""
    if element in _DTYPES:
        return np.dtype(_DTYPES[element])
    name = {"bf16": "bfloat16", "i2": "int2", "i4": "int4", "ui2": "uint2", "ui4": "uint4"}.get(element)
    if name is None:
        base = element.lower()
        name = f"float{base[1:2]}_{base[2:]}"
    return np.dtype(getattr(importlib.import_module("ml_dtypes"), name))


class Library:
    """The shared library of a model."""

    def __init__(self, path: str | os.PathLike[str], name: str) -> None:
        """`name` is what the functions of its interface begin with."""
        self._library = ctypes.CDLL(os.fspath(path))
        signatures: dict[str, tuple[Any, list[Any]]] = {
            "create": (ctypes.c_int, [ctypes.POINTER(_Options), ctypes.POINTER(_POINTER)]),
            "destroy": (None, [_POINTER]),
            "run": (ctypes.c_int, [_POINTER, _POINTER, _SIZE, _POINTER, _SIZE]),
            "stop": (None, [_POINTER]),
            "get_info": (ctypes.c_int, [ctypes.POINTER(_Info)]),
            "error_message": (ctypes.c_char_p, []),
        }
        for function, (result, arguments) in signatures.items():
            found = getattr(self._library, f"{name}_{function}")
            found.restype, found.argtypes = result, arguments
            setattr(self, function, found)
        self.info = _Info(ctypes.sizeof(_Info))
        self.check(self.get_info(ctypes.byref(self.info)))
        self.inputs = self._specs(self.info.inputs, self.info.num_inputs)
        self.outputs = self._specs(self.info.outputs, self.info.num_outputs)
        self.functions = [self.info.functions[i].decode() for i in range(self.info.num_functions)]

    create: Any
    destroy: Any
    run: Any
    stop: Any
    get_info: Any
    error_message: Any

    def check(self, status: int) -> None:
        """Raises `ModelError` unless `status` is that of success."""
        if status != _SUCCESS:
            raise ModelError(status, self.error_message().decode("utf-8", "replace"))

    @staticmethod
    def _specs(tensors: Any, count: int) -> list[TensorSpec]:
        specs: list[TensorSpec] = []
        for i in range(count):
            tensor = tensors[i]
            element = tensor.element.decode()
            shape = tuple(tensor.shape[d] for d in range(tensor.rank))
            specs.append(TensorSpec(tensor.name.decode(), shape, element, _dtype(element), tensor.size, tensor.donated))
        return specs


def _lapack(names: Sequence[str]) -> dict[str, int]:
    """The addresses of routines in SciPy's LAPACK and BLAS, where SciPy is installed."""
    try:
        modules = [importlib.import_module(f"scipy.linalg.cython_{name}") for name in ("lapack", "blas")]
    except ImportError:
        return {}
    table: dict[str, Any] = {name: place for module in modules for name, place in module.__pyx_capi__.items()}
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = _POINTER, [ctypes.py_object, ctypes.c_char_p]
    return {name: pointer_of(table[name], name_of(table[name])) for name in names if name in table}


def _openmp() -> dict[str, int]:
    """The functions that run parallel loops, where there are such."""
    for name in _OPENMP:
        try:
            library = ctypes.CDLL(name)
            return {each: ctypes.cast(getattr(library, each), _POINTER).value or 0 for each in _PARALLEL}
        except (OSError, AttributeError):
            continue
    return {}


class Model:
    """A model: `results = model(*arguments)`. Several threads may call at once."""

    def __init__(
        self, library: Library, *, threads: int | None = None, seed: int = 0, functions: dict[str, Any] | None = None
    ) -> None:
        """`threads`: at most those that the model was compiled for, the default. `seed`: of random numbers.
        `functions`: C functions (of `ctypes`, or addresses) that the model calls, by name.
        """
        self.library = library
        if threads is not None and threads < 1:
            raise ValueError(f"threads: expected a positive number, got {threads}")
        self._threads, self._seed, self._functions = threads, seed, dict(functions or {})
        self._lock = threading.Lock()
        self._process = -1
        self._context = _POINTER()
        self._create()

    def _create(self) -> None:
        """A context of this process: threads do not live through a fork."""
        addresses: dict[str, Any] = _lapack(self.library.functions)
        is_forked, self._process = self._process not in (-1, os.getpid()), os.getpid()
        threads = 1 if is_forked else self._threads or 0
        if threads != 1 and self.library.info.threads > 1:
            addresses |= _openmp()
        addresses |= {
            name: function if isinstance(function, int) else ctypes.cast(function, _POINTER).value
            for name, function in self._functions.items()
        }
        table = (_Function * max(1, len(addresses)))(*((name.encode(), place) for name, place in addresses.items()))
        options = _Options(ctypes.sizeof(_Options), threads, functions=table, num_functions=len(addresses))
        options.seed = self._seed % 2**64
        context = _POINTER()
        self.library.check(self.library.create(ctypes.byref(options), ctypes.byref(context)))
        self._context = context

    def __call__(self, *arrays: Any) -> tuple[np.ndarray[Any, Any], ...]:
        """Raises `TypeError` for a wrong number, shape or element type of arguments, `ModelError` for a failed run."""
        if self._process != os.getpid():
            with self._lock:
                if self._process != os.getpid():
                    self._create()
        specs = self.library.inputs
        if len(arrays) != len(specs):
            listed = ", ".join(f"{spec.name}: {spec}" for spec in specs)
            raise TypeError(f"expected {len(specs)} arguments ({listed}), got {len(arrays)}")
        inputs = [_argument(array, spec, i) for i, (array, spec) in enumerate(zip(arrays, specs, strict=True))]
        outputs: list[np.ndarray[Any, Any]] = []
        for spec in self.library.outputs:
            if spec.donated < 0:
                outputs.append(_empty(spec))
            else:
                inputs[spec.donated] = inputs[spec.donated].copy()
                outputs.append(inputs[spec.donated])
        self.library.check(
            self.library.run(self._context, _buffers(inputs), len(inputs), _buffers(outputs), len(outputs))
        )
        return tuple(outputs)

    def stop(self) -> None:
        """End the runs that are going on, soon: they raise `ModelError`."""
        self.library.stop(self._context)

    def describe(self) -> str:
        """What the model takes and returns."""
        sides = (("argument", self.library.inputs), ("result", self.library.outputs))
        return "\n".join(f"{side} {i}: {spec} ({spec.name})" for side, specs in sides for i, spec in enumerate(specs))

    def __del__(self) -> None:
        if getattr(self, "_context", None):
            self.library.destroy(self._context)
            self._context = _POINTER()


def _argument(value: Any, spec: TensorSpec, index: int) -> np.ndarray[Any, Any]:
    if type(value) is np.ndarray and value.dtype == spec.dtype and value.shape == spec.shape:
        if value.flags.c_contiguous and not value.ctypes.data % _ALIGNMENT:
            return value
    array = np.asarray(value)
    if type(value) in (bool, int, float, complex, list, tuple) and array.dtype != spec.dtype:
        kinds = "biufc"
        if array.dtype.kind not in kinds[: kinds.find(spec.dtype.kind) + 1 or len(kinds)]:
            raise TypeError(f"argument {index} ('{spec.name}'): expected {spec}, got numbers of another kind")
        converted = array.astype(spec.dtype)
        if spec.dtype.kind in "iu" and not np.array_equal(converted, array):
            raise TypeError(f"argument {index} ('{spec.name}'): expected {spec}, got numbers that do not fit")
        array = converted
    if array.shape != spec.shape or array.dtype != spec.dtype:
        got = f"an array of shape {list(array.shape)} and type {array.dtype.name}"
        raise TypeError(f"argument {index} ('{spec.name}'): expected {spec}, got {got}")
    if not array.flags.c_contiguous or array.ctypes.data % _ALIGNMENT:
        copy = _empty(spec)
        copy[...] = array
        return copy
    return array


def _empty(spec: TensorSpec) -> np.ndarray[Any, Any]:
    """An array at a multiple of 64 bytes, or of 16 if it is small."""
    if spec.size <= 256:
        array = np.empty(spec.shape, spec.dtype)
        if not array.ctypes.data % _ALIGNMENT:
            return array
    storage = np.empty(spec.size + 64, np.uint8)
    return np.ndarray(spec.shape, spec.dtype, storage, -storage.ctypes.data % 64)


def _buffers(arrays: Sequence[np.ndarray[Any, Any]]) -> Any:
    """A table of `xla_buffer`s: addresses and sizes in bytes."""
    fields = [field for array in arrays for field in (array.ctypes.data, array.nbytes)]
    return (_SIZE * max(1, len(fields)))(*fields)


def package_model(package: str, name: str, **options: Any) -> Model:
    """The model in the folder `package`."""
    return Model(Library(Path(package) / f"lib{name}.so", name), **options)
