"""The output formats of `xla-opt`: MLIR text, HLO text, and those below the llvm dialect.

`mlir` keeps every constant bit for bit. `hlo` is XLA's text form of a program at level 0 or 1. `llvm` is LLVM IR as
the compiler hands it over, `llvm-opt` after LLVM's optimiser, `asm` and `obj` native code for the host; these need a
module at level 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ..dialects import locating
from ..dialects.printing import ExactMLIRTarget


def _optimized(module: ModuleOp, opt_level: int) -> Any:
    """The LLVM module of a module at level 6."""
    from ..decisions.llvm import LlvmTiers
    from ..lowering.llvm_to_text.parts import emit_parts
    from ..runtime.engine import optimize
    from ..runtime.llvm_pipeline import Options

    parts = emit_parts(module, 1, LlvmTiers(), debug_info=locating.is_on)
    return optimize([part.with_lines() for part in parts], Options(opt_level))


@dataclass(frozen=True)
class HloTarget(Target):
    """HLO text, as XLA reads it; `entry` names the function that becomes the entry computation."""

    name: ClassVar[str] = "hlo"

    entry: str | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from ..frontends.hlo_text import print_hlo

        output.write(print_hlo(module, self.entry))


@dataclass(frozen=True)
class LLVMTarget(Target):
    """LLVM IR before optimisation."""

    name: ClassVar[str] = "llvm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from ..lowering.llvm_to_text import emit

        output.write(emit(module, debug_info=locating.is_on))


@dataclass(frozen=True)
class LLVMOptTarget(Target):
    """LLVM IR after optimisation for the host."""

    name: ClassVar[str] = "llvm-opt"

    opt_level: int = 2

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(str(_optimized(module, self.opt_level)))


@dataclass(frozen=True)
class AsmTarget(Target):
    """Assembly for the host."""

    name: ClassVar[str] = "asm"

    opt_level: int = 2

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from ..runtime.engine import emit_assembly
        from ..runtime.llvm_pipeline import Options

        output.write(emit_assembly(_optimized(module, self.opt_level), Options(self.opt_level)))


@dataclass(frozen=True)
class ObjectTarget(Target):
    """A relocatable object file for the host: bytes, so `emit_bytes` instead of `emit`."""

    name: ClassVar[str] = "obj"

    opt_level: int = 2

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise TypeError("an object file is not text")

    def emit_bytes(self, ctx: Context, module: ModuleOp) -> bytes:
        """The object file's content."""
        from ..runtime.engine import emit_object
        from ..runtime.llvm_pipeline import Options

        return emit_object(_optimized(module, self.opt_level), Options(self.opt_level))


TARGETS: dict[str, type[Target]] = {
    target.name: target for target in (ExactMLIRTarget, HloTarget, LLVMTarget, LLVMOptTarget, AsmTarget, ObjectTarget)
}
