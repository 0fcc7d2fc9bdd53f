"""Machine code that is the same in every program, from the compile cache: what the runtime consists of, and functions
that programs share.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from ..dialects.llvm_parts import Part
from .compile_cache import folder
from .compile_cache.key import environment
from .compiled_program import CompiledProgram
from .llvm_pipeline import Options
from .signature import Signature

_NAME = "kept"


def kept_object(part: Part, options: Options, generate: Callable[[Part, Options], bytes]) -> bytes:
    """What `generate` makes of a part, or has made of it in another process, with the same LLVM for the same CPU."""
    if not folder.is_on():
        return generate(part, options)
    asked = part.text, part.tier.value, options, environment()
    key = hashlib.blake2b(repr(asked).encode(), digest_size=20).hexdigest()
    program = folder.load(key)
    if program is None or len(program.objects) != 1:
        program = CompiledProgram([generate(part, options)], _NAME, Signature(_NAME, (), ()))
        folder.store(key, program)
    return program.objects[0]
