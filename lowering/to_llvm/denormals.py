"""Whose subnormal numbers are flushed when: the mode of the program, set by each thread that begins to work for it.

The control word of floating-point arithmetic belongs to a thread. The entry function, and the task of a parallel loop,
set the program's mode and restore the word they have found; so does a call of a target the other way round, whose
function may be Python's or a user's and runs as the caller of the program does. Routines of LAPACK are part of the
program. No function with arithmetic of its own changes the word, so that LLVM has nothing to move across a change.

Where a module does not say what its mode is (`xrt.denormals`), and on CPUs without such a word, nothing is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, IntegerType, StringAttr, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions import denormals
from ...decisions.denormals import FLOAT_CONTROLS, FLUSH, LLVM_MODES, FloatControl
from ...dialects.xrt_attributes import denormals_of
from . import context_layout as slots
from .builder import NO_PROPERTIES, intrinsic_properties

if TYPE_CHECKING:
    from .builder import FunctionLowering


class Denormals(NamedTuple):
    """The mode of a program on a CPU."""

    mode: denormals.Denormals | None
    control: FloatControl | None

    @staticmethod
    def of(module: Operation, architecture: str) -> Denormals:
        """That of `module`."""
        mode = denormals_of(module)
        return Denormals(mode, None if mode is None else FLOAT_CONTROLS.get(architecture))

    @property
    def function_attributes(self) -> tuple[Attribute, ...]:
        """What LLVM is told where that is not what it takes for granted."""
        if self.mode != FLUSH or self.control is None:
            return ()
        return (ArrayAttr([StringAttr("denormal-fp-math"), StringAttr(LLVM_MODES[FLUSH])]),)

    def enter(self, f: FunctionLowering) -> SSAValue | None:
        """Sets the mode; the word before, for `leave`."""
        if self.control is None:
            return None
        outer = self._read(f, self.control)
        kept = f.emit(llvm.AndOp, (outer, f.integer(~self.control.flush, self._type)), self._type, NO_PROPERTIES)
        if self.mode == FLUSH:
            kept = f.emit(llvm.OrOp, (kept, f.integer(self.control.flush, self._type)), self._type, NO_PROPERTIES)
        self._write(f, self.control, kept)
        return outer

    def note(self, f: FunctionLowering, context: SSAValue, outer: SSAValue) -> None:
        """Writes the word of the caller into the context."""
        word = outer if self._type == i64 else f.emit(llvm.ZExtOp, (outer,), i64, NO_PROPERTIES)
        word = f.emit(llvm.OrOp, (word, f.integer(slots.FLOAT_CONTROL_NOTED)), i64, NO_PROPERTIES)
        f.store(word, f.element_pointer(context, f.integer(slots.FLOAT_CONTROL), i64), 8)

    def enter_callers(self, f: FunctionLowering) -> SSAValue | None:
        """Sets the mode of the program's caller; the word before, for `leave`."""
        if self.control is None:
            return None
        context = f.context
        assert context is not None
        own = self._read(f, self.control)
        word = f.load_slot_integer(context, slots.FLOAT_CONTROL)
        if self._type == i64:
            word = f.emit(llvm.AndOp, (word, f.integer(slots.FLOAT_CONTROL_NOTED - 1)), i64, NO_PROPERTIES)
        else:
            word = f.emit(llvm.TruncOp, (word,), self._type, NO_PROPERTIES)
        self._write(f, self.control, word)
        return own

    def leave(self, f: FunctionLowering, word: SSAValue | None) -> None:
        """Restores the word of `enter` or `enter_callers`."""
        if self.control is not None and word is not None:
            self._write(f, self.control, word)

    @property
    def _type(self) -> IntegerType:
        return i32 if self.control is not None and self.control.bits == 32 else i64

    def _read(self, f: FunctionLowering, control: FloatControl) -> SSAValue:
        if not control.through_memory:
            return f.emit(llvm.CallIntrinsicOp, (), self._type, intrinsic_properties(control.read, 0))
        place = f.alloca(self._type, 1, 8)
        f.intrinsic(control.read, (place,))
        return f.load(place, self._type, 8)

    def _write(self, f: FunctionLowering, control: FloatControl, word: SSAValue) -> None:
        if not control.through_memory:
            f.intrinsic(control.write, (word,))
            return
        place = f.alloca(self._type, 1, 8)
        f.store(word, place, 8)
        f.intrinsic(control.write, (place,))
