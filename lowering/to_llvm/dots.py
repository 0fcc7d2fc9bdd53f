"""`xrt.dot` to the intrinsic of LLVM that is its instruction."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType

from ...decisions.dot_products import DOT_PRODUCTS
from ...dialects.xrt import DotOp
from .arith import Handler
from .builder import FunctionLowering, intrinsic_properties

_INTRINSICS = {
    "vdpbf16ps": "llvm.x86.avx512bf16.dpbf16ps.{bits}",
    "vdpphps": "llvm.x86.avx10.vdpphps.{bits}",
    "vpdpbssd": "llvm.x86.avx2.vpdpbssd.{bits}",
    "vpdpbusd": "llvm.x86.avx512.vpdpbusd.{bits}",
    "vpdpwssd": "llvm.x86.avx512.vpdpwssd.{bits}",
    "bfdot": "llvm.aarch64.neon.bfdot.v4f32.v8bf16",
    "sdot": "llvm.aarch64.neon.sdot.v4i32.v16i8",
    "udot": "llvm.aarch64.neon.udot.v4i32.v16i8",
    "usdot": "llvm.aarch64.neon.usdot.v4i32.v16i8",
}

_WIDE = {"vpdpbssd": "llvm.x86.avx10.vpdpbssd.512"}
"""Those that are called otherwise in vectors of 512 bits."""


def intrinsic_of(instruction: str, bits: int) -> str:
    """The name of the intrinsic for vectors of so many `bits`."""
    wide = _WIDE.get(instruction) if bits == 512 else None
    return wide or _INTRINSICS[instruction].format(bits=bits)


def _dot(op: DotOp, f: FunctionLowering) -> None:
    a, b, before = op.operands
    bits = 32 * cast("VectorType[Any]", before.type).element_count()
    if bits not in (128, 256, 512):
        raise f.unsupported(op, f"no '{op.instruction.data}' in vectors of {bits} bits")
    name = intrinsic_of(op.instruction.data, bits)
    f.become(op, llvm.CallIntrinsicOp, intrinsic_properties(name, 3), (before, a, b))


HANDLERS: dict[type[Any], Handler] = {DotOp: _dot}

assert _INTRINSICS.keys() == DOT_PRODUCTS.keys()
