"""Machine code of the runtime itself, for what Python is too slow for or cannot do: LLVM IR that is compiled once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..dialects.llvm_parts import Part
from .compile_cache import folder
from .compile_cache.key import environment
from .compiled_program import CompiledProgram
from .engine import NativeCode, compile_objects
from .llvm_pipeline import Options
from .signature import Signature


def support_code(text: str, symbols: Sequence[str]) -> NativeCode:
    """The functions `symbols` of the module `text`; from the compile cache, if it may be used."""
    key = hashlib.blake2b(repr((text, environment())).encode(), digest_size=20).hexdigest() if folder.is_on() else ""
    program = folder.load(key) if key else None
    if program is None:
        program = CompiledProgram(compile_objects([Part(text)], Options(1)), symbols[0], Signature(symbols[0], (), ()))
        if key:
            folder.store(key, program)
    return NativeCode(program.objects, symbols)
