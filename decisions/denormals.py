"""What becomes of subnormal numbers, and the word of each CPU that says so.

`FLUSH`: an arithmetic op takes a subnormal operand for zero, and its result is zero where it would be subnormal, with
the sign. It is the default, as on XLA:CPU: an op on subnormal numbers costs 150 cycles on many CPUs, and what training
loses in them it does not need. `PRESERVE`: gradual underflow, as IEEE 754 has it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, cast, get_args

Denormals = Literal["flush", "preserve"]

FLUSH: Denormals = "flush"
PRESERVE: Denormals = "preserve"
DEFAULT: Denormals = FLUSH

MODES = cast("tuple[Denormals, ...]", get_args(Denormals))

LLVM_MODES = {FLUSH: "preserve-sign,preserve-sign", PRESERVE: "ieee,ieee"}
"""LLVM's attribute `denormal-fp-math` of functions: what results and operands are taken for when it folds."""


class FloatControl(NamedTuple):
    """The control word of a CPU's floating-point unit."""

    bits: int
    """Its width."""
    flush: int
    """The bits that flush operands and results."""
    read: str
    write: str
    """LLVM's intrinsics."""
    through_memory: bool
    """Whether these take the address of the word."""


FLOAT_CONTROLS = {
    "x86_64": FloatControl(32, 1 << 15 | 1 << 6, "llvm.x86.sse.stmxcsr", "llvm.x86.sse.ldmxcsr", through_memory=True),
    "aarch64": FloatControl(64, 1 << 24, "llvm.aarch64.get.fpcr", "llvm.aarch64.set.fpcr", through_memory=False),
}
"""By architecture: MXCSR with FTZ and DAZ (Intel's manual, volume 1, section 10.2.3), FPCR with FZ (Arm's architecture
reference manual, section C5.2). On other CPUs subnormal numbers are what the CPU makes of them."""
