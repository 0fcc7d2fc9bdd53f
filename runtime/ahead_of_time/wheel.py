"""A model as a Python package in a wheel, which needs NumPy at run time and neither this package nor LLVM.

The format is that of PEP 427, https://packaging.python.org/specifications/binary-distribution-format/. The platform tag
is `linux_<machine>`; a package index wants `manylinux` tags, which `auditwheel repair` gives after it has looked.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from ...dialects.xrt_names import ROUTINE
from ...errors import ArgumentError, XlaError
from ..element_types import EXTENSIONS, dtype_name
from .header import header_text
from .library import Library
from .linking import link
from .processors import architecture

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?(\+[a-z0-9.]+)?")

RUNTIME = Path(__file__).with_name("wheel_runtime.py")
"""What loads the library, copied into the package."""

NEEDED = ("numpy", "ml_dtypes", "scipy")
"""What packages import, besides what comes with Python."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of all files: equal models are equal wheels."""


def wheel_name(library: Library, version: str) -> str:
    """The name that installers expect. Raises `ArgumentError` for what is no version, and for a model that is called
    as a module that the package needs.
    """
    if library.name in NEEDED or library.name in sys.stdlib_module_names:
        raise ArgumentError(f"name: Python has '{library.name}' already, which the package would be called")
    if not _VERSION.fullmatch(version):
        raise ArgumentError(f"version: expected one such as 1.0 or 2.1.post1, got '{version}'")
    return f"{library.name}-{version}-py3-none-linux_{architecture(library.tables.processor.triple)}.whl"


def check_wheel_name(library: Library, name: str) -> str:
    """The version in the name of a wheel. Raises `ArgumentError` for a name that installers would refuse."""
    parts = name.split("-")
    version = parts[1] if len(parts) > 1 else "1.0"
    expected = wheel_name(library, version if _VERSION.fullmatch(version) else "1.0")
    if name != expected:
        raise ArgumentError(f"the name of a wheel says what is in it: expected '{expected}', got '{name}'")
    return version


def write_wheel(
    library: Library, folder: Path, version: str, *, compiler: str | None = None, libraries: Sequence[str] = ()
) -> Path:
    """The wheel in `folder`, which is made if need be. Raises what linking raises."""
    path = folder / wheel_name(library, version)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as temporary:
            shared = Path(temporary) / f"lib{library.name}.so"
            link(library, shared, compiler=compiler, libraries=libraries, openmp=False)
            files = {**_package(library), f"{library.name}/{shared.name}": shared.read_bytes()}
        _write(path, files, f"{library.name}-{version}.dist-info", _metadata(library, version))
    except OSError as error:
        raise XlaError(f"{error.filename or path}: {error.strerror}") from error
    return path


def _package(library: Library) -> dict[str, bytes]:
    name = library.name
    listed = "\n".join(
        f"    {side} {index}: {spec}, {spec.name!r}"
        for side, specs in (("argument", library.tables.inputs), ("result", library.tables.outputs))
        for index, spec in enumerate(specs)
    )
    listed = listed.replace("\\", "\\\\").replace('"""', '\\"""')
    init = f'''"""The model {name}, compiled: `{name}.run(*arrays)` returns a tuple of NumPy arrays.

{listed}
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from ._runtime import Model, ModelError, package_model

__all__ = ["Model", "ModelError", "load", "run"]


def load(*, threads: int | None = None, seed: int = 0, functions: dict[str, Any] | None = None) -> Model:
    """The model with settings of its own: threads, the seed of random numbers, C functions that it calls."""
    return package_model(os.path.dirname(__file__), "{name}", threads=threads, seed=seed, functions=functions)


_default = cache(load)


def run(*arrays: Any) -> tuple[np.ndarray[Any, Any], ...]:
    """Run the model with its default settings."""
    return _default()(*arrays)
'''
    return {
        f"{name}/__init__.py": init.encode(),
        f"{name}/_runtime.py": RUNTIME.read_bytes(),
        f"{name}/py.typed": b"",
        f"{name}/{name}.h": header_text(library.tables).encode(),
    }


def _metadata(library: Library, version: str) -> dict[str, str]:
    specs = (*library.tables.inputs, *library.tables.outputs)
    needs = ["numpy>=2.0"]
    if any(dtype_name(spec.dtype) in EXTENSIONS for spec in specs):
        needs.append("ml_dtypes>=0.5")
    if any(target.name.startswith(ROUTINE) for target in library.program.call_targets):
        needs.append("scipy>=1.13")
    required = "".join(f"Requires-Dist: {need}\n" for need in needs)
    tag = wheel_name(library, version).removesuffix(".whl").split("-", 2)[2]
    return {
        "METADATA": f"Metadata-Version: 2.1\nName: {library.name}\nVersion: {version}\nSummary: A compiled model\n"
        f"Requires-Python: >=3.11\n{required}",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: xla-compile\nRoot-Is-Purelib: false\nTag: {tag}\n",
    }


def _write(path: Path, files: dict[str, bytes], info: str, metadata: dict[str, str]) -> None:
    contents = {**files, **{f"{info}/{name}": text.encode() for name, text in metadata.items()}}
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, data)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
