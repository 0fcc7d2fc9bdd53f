"""JAX's cache of compiled programs on disk, for this platform: by private names of JAX 0.10.

JAX knows which of its platforms have programs that can be kept, and what they depend on. Here that is the options of
this compiler too, of which those in the environment are nowhere in what JAX makes a key of. Programs with callbacks
are not kept, as on JAX's own platforms: a function of this process means nothing to another one.
"""

from __future__ import annotations

import functools
import hashlib
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from .calls import PjrtError
from .compile_options import DUMP, read
from .serialization import CALLBACK


def use_cache(platform: str) -> None:
    """Have JAX keep compiled programs of `platform` on disk, as it does for platforms that it knows."""
    _allow(platform)
    _name_options(platform)
    _leave_out_callbacks(platform)


def _allow(platform: str) -> None:
    cache: Any = import_module("jax._src.compilation_cache")
    is_used, known = cache.is_cache_used, SimpleNamespace(platform="cpu")

    @functools.wraps(is_used)
    def is_used_here(backend: Any) -> bool:
        if backend.platform != platform:
            return is_used(backend)
        is_used(known)
        return cache._is_cache_enabled()

    cache.is_cache_used = is_used_here


def _name_options(platform: str) -> None:
    cache: Any = import_module("jax._src.compilation_cache")
    get_key = cache.get_cache_key

    @functools.wraps(get_key)
    def key(module: Any, devices: Any, compile_options: Any, backend: Any, *rest: Any, **named: Any) -> str:
        found = get_key(module, devices, compile_options, backend, *rest, **named)
        if backend.platform != platform:
            return found
        return found + options_suffix(compile_options.SerializeAsString())

    cache.get_cache_key = key


def options_suffix(data: bytes) -> str:
    """What the options of this compiler add to a key, of those of a client; nothing if there are none."""
    try:
        options = read(data).options
    except PjrtError:  # the compilation says so
        return ""
    named = sorted((name, repr(value)) for name, value in options.items() if name != DUMP)
    return f"-{hashlib.sha256(repr(named).encode()).hexdigest()[:16]}" if named else ""


def _leave_out_callbacks(platform: str) -> None:
    compiler: Any = import_module("jax._src.compiler")
    compile_and_write = compiler._compile_and_write_cache

    @functools.wraps(compile_and_write)
    def write(backend: Any, module: Any, devices: Any, options: Any, host_callbacks: Any, name: str, key: str) -> Any:
        if backend.platform != platform or not _calls_back(module):
            return compile_and_write(backend, module, devices, options, host_callbacks, name, key)
        executable = compiler.backend_compile_and_load(backend, module, devices, options, host_callbacks)
        compiler._cache_write(key, 0.0, name, backend, executable, (CALLBACK,))  # it says that it writes nothing
        return executable

    compiler._compile_and_write_cache = write


def _calls_back(module: Any) -> bool:
    """Whether a program, a module of jaxlib, calls functions of this process."""
    found: list[str] = []

    def visit(op: Any) -> Any:
        if op.name == "stablehlo.custom_call" and op.attributes["call_target_name"].value.startswith(CALLBACK):
            found.append(op.name)
        return results.INTERRUPT if found else results.ADVANCE

    results: Any = import_module("jaxlib.mlir.ir").WalkResult
    module.operation.walk(visit)
    return bool(found)
