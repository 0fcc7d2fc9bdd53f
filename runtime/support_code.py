"""Machine code of the runtime itself, for what Python is too slow for or cannot do: LLVM IR that is compiled once."""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects.llvm_parts import Part
from ..locks import RenewedLock
from .engine import NativeCode, compile_part
from .kept_objects import kept_object
from .llvm_pipeline import Options
from .llvm_threads import gate

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
    return NativeCode([kept_object(Part(text), Options(1), _generated)], symbols)


def _generated(part: Part, options: Options) -> bytes:
    with gate:
        return compile_part(part, options).object_code
