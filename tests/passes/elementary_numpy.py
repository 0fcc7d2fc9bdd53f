"""Elementary functions evaluated with NumPy, operation by operation, as generated code computes.

Every operation is the correctly rounded one of the format, the fused one included.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Arithmetic, Float, Format, Integer

Array = NDArray[Any]


_FUSED_LOOP = """
define void @fused(ptr %a, ptr %b, ptr %c, ptr %r, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr {type}, ptr %a, i64 %i
  %pb = getelementptr {type}, ptr %b, i64 %i
  %pc = getelementptr {type}, ptr %c, i64 %i
  %pr = getelementptr {type}, ptr %r, i64 %i
  %xa = load {type}, ptr %pa
  %xb = load {type}, ptr %pb
  %xc = load {type}, ptr %pc
  %x = call {type} @llvm.fma.{name}({type} %xa, {type} %xb, {type} %xc)
  store {type} %x, ptr %pr
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
declare {type} @llvm.fma.{name}({type}, {type}, {type})
"""


@cache
def _fused_loop(type_name: str, name: str) -> tuple[Any, Callable[..., None]]:
    """A compiled loop over `llvm.fma`: NumPy has no fused multiply-add."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2
    )
    module = llvm.parse_assembly(_FUSED_LOOP.format(type=type_name, name=name))
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4, ctypes.c_int64)
    return engine, signature(engine.get_function_address("fused"))


def _fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    arrays = [np.ascontiguousarray(array) for array in np.broadcast_arrays(a, b, c)]
    result = np.empty_like(arrays[0])
    _, loop = _fused_loop(*(("float", "f32") if a.dtype == np.float32 else ("double", "f64")))
    if result.size:
        loop(*(array.ctypes.data for array in (*arrays, result)), result.size)
    return result


def _logical_shift_right(a: Array, count: Array) -> Array:
    unsigned = np.uint32 if a.dtype == np.int32 else np.uint64
    return (a.view(unsigned) >> count.view(unsigned)).view(a.dtype)


OPERATIONS: dict[str, Callable[..., Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "math.fma": _fused_multiply_add,
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.sqrt": np.sqrt,
    "math.floor": np.floor,
    "math.roundeven": np.rint,
    "math.copysign": np.copysign,
    "at_least": lambda x, bound: np.where(x < bound, bound, x),
    "at_most": lambda x, bound: np.where(x > bound, bound, x),
    "arith.cmpf olt": np.less,
    "arith.cmpf ole": np.less_equal,
    "arith.cmpf ogt": np.greater,
    "arith.cmpf oge": np.greater_equal,
    "arith.cmpf oeq": np.equal,
    "arith.cmpf uno": lambda a, b: np.isnan(a) | np.isnan(b),
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.cmpi eq": np.equal,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": _logical_shift_right,
    "arith.select": np.where,
    "arith.extf": lambda x: x.astype(np.float64),
    "arith.truncf": lambda x: x.astype(np.float32),
}


class NumpyArithmetic(Arithmetic):
    """Handles are arrays. `operations` counts what was computed, constants apart. `branches`: whether each number takes
    the shorter way where there is one."""

    def __init__(self, format: Format, fused: bool, branches: bool = False) -> None:
        self.format = format
        self.fused = fused
        self.branches = branches
        self.operations = 0
        self.float_type = np.float32 if format is SINGLE else np.float64
        self.integer_type = np.int32 if format is SINGLE else np.int64
        self._double: NumpyArithmetic | None = None

    def apply(self, kind: type, operation: str, *operands: Any) -> Array:
        self.operations += 1
        arrays = [np.atleast_1d(operand) for operand in operands]
        if operation == "arith.bitcast":
            return arrays[0].view(self.integer_type if kind is Integer else self.float_type)
        return OPERATIONS[operation](*arrays)

    def number(self, kind: type, value: float) -> Any:
        if kind is not Integer:
            return (self.float_type if kind is Float else np.bool_)(value)
        bits = self.format.bits
        wrapped = (int(value) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        return self.integer_type(wrapped)

    def either(self, condition: Any, short: Callable[[], Any], general: Callable[[], Any]) -> Any:
        if not self.branches:
            return general()
        with np.errstate(all="ignore"):
            pairs = zip(short(), general(), strict=True)
        return tuple(a.__class__(a.arithmetic, np.where(condition.handle, a.handle, b.handle)) for a, b in pairs)

    def double(self) -> NumpyArithmetic:
        if self._double is None:
            self._double = NumpyArithmetic(DOUBLE, self.fused, self.branches)
        return self._double

    @property
    def total_operations(self) -> int:
        return self.operations + (0 if self._double is None else self._double.operations)


def evaluate(
    function: Callable[..., Float], format: Format, fused: bool, *arguments: Array, branches: bool = False
) -> tuple[Array, int]:
    """`function` on arrays of `format`, and how many operations it took."""
    arithmetic = NumpyArithmetic(format, fused, branches)
    operands = [Float(arithmetic, np.asarray(a, arithmetic.float_type)) for a in arguments]
    with np.errstate(all="ignore"):
        result = function(*operands)
    return result.handle, arithmetic.total_operations
