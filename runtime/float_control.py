"""The control word of this CPU's floating-point unit, as lines of LLVM IR for the runtime's own machine code."""

from __future__ import annotations

import platform

from ..decisions.denormals import FLOAT_CONTROLS
from ..decisions.target import architecture_of

CONTROL = FLOAT_CONTROLS.get(architecture_of(platform.machine()))
"""None on CPUs where subnormal numbers are what the CPU makes of them."""


def _declarations() -> str:
    if CONTROL is None:
        return ""
    if CONTROL.through_memory:
        return f"declare void @{CONTROL.read}(ptr)\ndeclare void @{CONTROL.write}(ptr)\n"
    return f"declare i64 @{CONTROL.read}()\ndeclare void @{CONTROL.write}(i64)\n"


DECLARATIONS = _declarations()
"""Of what the lines below call."""


def read(name: str) -> str:
    """`name` becomes the word, an i64."""
    if CONTROL is None:
        return f"  {name} = add i64 0, 0"
    if not CONTROL.through_memory:
        return f"  {name} = call i64 @{CONTROL.read}()"
    return (
        f"  {name}.at = alloca i32, align 4\n"
        f"  call void @{CONTROL.read}(ptr {name}.at)\n"
        f"  {name}.word = load i32, ptr {name}.at, align 4\n"
        f"  {name} = zext i32 {name}.word to i64"
    )


def write(value: str, name: str) -> str:
    """The word becomes the lower half of the i64 `value`; `name` is free for values in between."""
    if CONTROL is None:
        return ""
    if not CONTROL.through_memory:
        return f"  {name} = and i64 {value}, 4294967295\n  call void @{CONTROL.write}(i64 {name})"
    return (
        f"  {name} = trunc i64 {value} to i32\n"
        f"  {name}.at = alloca i32, align 4\n"
        f"  store i32 {name}, ptr {name}.at, align 4\n"
        f"  call void @{CONTROL.write}(ptr {name}.at)"
    )
