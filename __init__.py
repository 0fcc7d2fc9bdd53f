"""An XLA that installs with pip: StableHLO in, xDSL dialects all the way down, native code out.

>>> import numpy as np, xdsl_xla
>>> double = xdsl_xla.compile('''
...   func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
...     %0 = stablehlo.add %x, %x : tensor<3xf32>
...     return %0 : tensor<3xf32>
...   }''')
>>> double(np.arange(3, dtype=np.float32))
(array([0., 2., 4.], dtype=float32),)
"""

from __future__ import annotations

from os.path import realpath
from typing import TYPE_CHECKING, Any

# Behind the link of an editable install each file has one name.
__path__[:], __file__ = map(realpath, __path__), realpath(__file__)

from .errors import ArgumentError, InternalError, InvalidProgramError, UnsupportedError, XlaError  # noqa: E402
from .import_time import IMPORTED_AT as IMPORTED_AT  # noqa: E402

if TYPE_CHECKING:
    from .frontends.jax import jit
    from .runtime.compiler import compile
    from .runtime.custom_calls import custom_call
    from .runtime.devices.mpi.run import run_on_mpi
    from .runtime.executable import Executable
    from .runtime.grid import run_grid
    from .runtime.polymorphic import polymorphic
    from .runtime.saved_executables import load

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Executable",
    "InternalError",
    "InvalidProgramError",
    "UnsupportedError",
    "XlaError",
    "__version__",
    "compile",
    "custom_call",
    "jit",
    "load",
    "polymorphic",
    "run_grid",
    "run_on_mpi",
]

_LAZY = {
    "compile": "runtime.compiler",
    "Executable": "runtime.executable",
    "custom_call": "runtime.custom_calls",
    "jit": "frontends.jax",
    "load": "runtime.saved_executables",
    "polymorphic": "runtime.polymorphic",
    "run_grid": "runtime.grid",
    "run_on_mpi": "runtime.devices.mpi.run",
}


def __getattr__(name: str) -> Any:
    """Import the compiler when it is first asked for: the tools start faster without it."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    globals()[name] = value = getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    """What is imported when it is first asked for is there too."""
    return sorted({*globals(), *__all__})
