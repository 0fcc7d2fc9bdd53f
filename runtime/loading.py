"""A compiled program in this process: linked, with what it calls."""

from __future__ import annotations

import os

from .compiled_program import CompiledProgram
from .engine import NativeCode
from .executable import Executable, StructuredExecutable


def load(program: CompiledProgram, timings: dict[str, float], seed: int = 0) -> Executable:
    """Raises `InternalError` for code that does not link, and `UnsupportedError` for a call target that is not
    registered.
    """
    if program.stoppable:
        from .safepoints import offer_safepoints

        offer_safepoints()
    return _type_of(program)(_linked(program), program, timings=timings, seed=seed)


def _linked(program: CompiledProgram) -> NativeCode:
    if not os.environ.get("XDSL_XLA_PERF"):
        return NativeCode(program.objects, [program.symbol])
    from . import perf

    return perf.link(program, perf.wanted())


def _type_of(program: CompiledProgram) -> type[Executable]:
    if program.donated:
        from .donating_executable import DonatingExecutable

        return DonatingExecutable
    if not program.signature.is_bounded:
        return Executable if program.signature.is_plain else StructuredExecutable
    from .bounded_executable import BoundedExecutable, StructuredBoundedExecutable

    return BoundedExecutable if program.signature.is_plain else StructuredBoundedExecutable
