"""`xrt.lanewise` to `llvm`: the lowerings of `arith` take vectors as well as scalars."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation

from ...dialects import xrt
from ...dialects.editing import new_op
from .arith import HANDLERS as ARITH_HANDLERS
from .arith import Handler
from .builder import FunctionLowering

_OPS = {op_class.name: op_class for op_class in arith.Arith.operations}


def lanewise(op: xrt.LanewiseOp, f: FunctionLowering) -> None:
    op_class = _OPS[op.op.data]
    scalar = new_op(op_class, operands=op.operands, result_types=op.result_types, properties=op.options.data)
    ARITH_HANDLERS[op_class](scalar, f)
    f.values[op.result] = f.values[scalar.results[0]]
    scalar.drop_all_references()


HANDLERS: dict[type[Operation], Handler] = {xrt.LanewiseOp: lanewise}
