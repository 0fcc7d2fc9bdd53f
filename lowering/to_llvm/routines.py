"""Calls of routines of a library, which take addresses only: one for each matrix of a batch.

```
memcpy(output i, input i)                              for each input
for matrix = 0, 1, ... batch - 1:
  routine(&letter, &number, output j + matrix * step j, space, ...)
```
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, StringAttr, i1, i8, i32, i64
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import xrt
from ...dialects.shared_attributes import i32_array
from ...dialects.xrt_names import BATCH, PARAMETERS, SPACES
from .builder import ANYWHERE, NO_SIGNED_WRAP, PREDICATES, FunctionLowering


def call_routine(op: xrt.CallTargetOp, f: FunctionLowering, routine: SSAValue) -> None:
    """`op` has the options `PARAMETERS`, `BATCH` and `SPACES` of the dialect `xrt`."""
    options = op.options.data
    batch, spaces = (_number(options[name]) for name in (BATCH, SPACES))
    outputs = op.outputs
    sizes = [f.layout(output).size for output in outputs]
    for output, input, size in zip(outputs, op.inputs, sizes, strict=False):
        f.intrinsic("llvm.memcpy.p0.p0.i64", (output, input, f.integer(size), f.integer(0, i1)))
    parameters = cast("ArrayAttr[Attribute]", options[PARAMETERS]).data
    arrays = {i: _number(p) for i, p in enumerate(parameters) if _is_array(p)}
    scalars = {i: _stored(p, f) for i, p in enumerate(parameters) if i not in arrays}

    def call(matrix: SSAValue | None) -> None:
        pointers = [routine]
        for i in range(len(parameters)):
            if (array := arrays.get(i)) is None:
                pointers.append(scalars[i])
            elif matrix is None or array >= len(outputs) - spaces:
                pointers.append(outputs[array])
            else:
                step = f.integer(sizes[array] // batch)
                offset = f.emit(llvm.MulOp, (matrix, step), i64, NO_SIGNED_WRAP)
                pointers.append(f.element_pointer(outputs[array], offset, i8, ANYWHERE))
        f.call(None, pointers)

    if batch == 1:
        call(None)
        return
    body, after = Block(arg_types=[i64]), Block()
    f.insert_blocks(body, after)
    f.append(llvm.BrOp, [f.integer(0)], successors=[body])
    f.start_block(body)
    (matrix,) = body.args
    call(matrix)
    following = f.emit(llvm.AddOp, (matrix, f.integer(1)), i64, NO_SIGNED_WRAP)
    is_more = f.emit(llvm.ICmpOp, (following, f.integer(batch)), i1, PREDICATES["slt"])
    f.append(llvm.CondBrOp, (is_more, following), {"operandSegmentSizes": i32_array(1, 1, 0)}, [body, after])
    f.start_block(after)


def _is_array(parameter: Attribute) -> bool:
    return isinstance(parameter, IntegerAttr) and isinstance(cast("IntegerAttr[Any]", parameter).type, IndexType)


def _number(value: Attribute) -> int:
    return cast(IntegerAttr, value).value.data


def _stored(parameter: Attribute, f: FunctionLowering) -> SSAValue:
    """The address of a letter or number."""
    if isinstance(parameter, StringAttr):
        value, type, size = ord(parameter.data), i8, 1
    else:
        value, type, size = _number(parameter), i32, 4
    address = f.alloca(type, 1, size)
    f.store(f.integer(value, type), address, size)
    return address
