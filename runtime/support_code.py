"""Machine code of the runtime itself, for what Python is too slow for or cannot do: LLVM IR that is compiled once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..dialects.llvm_parts import Part
from ..locks import RenewedLock
from .compile_cache import folder
from .compile_cache.key import environment
from .compiled_program import CompiledProgram
from .engine import NativeCode, compile_objects
from .llvm_pipeline import Options
from .signature import Signature

_lock = RenewedLock()
_kept: dict[tuple[str, tuple[str, ...]], NativeCode] = {}
"""Never forgotten: addresses in it are kept everywhere."""


def support_code(text: str, symbols: Sequence[str]) -> NativeCode:
    """The functions `symbols` of the module `text`, the same ones for all threads, until the process ends."""
    key = text, tuple(symbols)
    with _lock.current:
        if key not in _kept:
            _kept[key] = _loaded(text, symbols)
        return _kept[key]


def _loaded(text: str, symbols: Sequence[str]) -> NativeCode:
    """From the compile cache, if it may be used."""
    key = hashlib.blake2b(repr((text, environment())).encode(), digest_size=20).hexdigest() if folder.is_on() else ""
    program = folder.load(key) if key else None
    if program is None:
        program = CompiledProgram(compile_objects([Part(text)], Options(1)), symbols[0], Signature(symbols[0], (), ()))
        if key:
            folder.store(key, program)
    return NativeCode(program.objects, symbols)
