"""Copies of large buffers become kernels, so that threads share them.

    memref.copy %x, %y : memref<50000x128xf32> to memref<50000x128xf32>

becomes a call of

    func.func private @copy_0(%x: memref<50000x128xf32>, %y: memref<50000x128xf32>) attributes {xrt.kernel} {
      linalg.generic ... ins(%x) outs(%y) { linalg.yield %a }
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Block, Region

from ...decisions.model import CostModel
from ...dialects.editing import walk
from ...dialects.element_sizes import element_bytes
from ...dialects.xrt_names import ENTRY, KERNEL
from ..tensor_to_memref.kernels import copying_generic


def share_copies(module: ModuleOp, threads: int, model: CostModel) -> list[func.FuncOp]:
    """Replaces the copies of the entry function of `module` that are worth several threads; the kernels, at its end."""
    kernels: dict[Attribute, func.FuncOp] = {}
    for function in list(module.ops):
        if not isinstance(function, func.FuncOp) or ENTRY not in function.attributes:
            continue
        for copy in [op for op in walk(function) if isinstance(op, memref.CopyOp)]:
            type = cast("MemRefType[Attribute]", copy.source.type)
            elements = prod(type.get_shape())
            moved = 2 * elements * element_bytes(type.element_type)
            if copy.destination.type != type or not model.parallelism.worth_a_parallel_region(moved, elements, threads):
                continue
            kernel = kernels.get(type)
            if kernel is None:
                kernel = kernels[type] = _kernel(type, f"copy_{len(kernels)}")
            call = func.CallOp(kernel.sym_name.data, [copy.source, copy.destination], [])
            assert copy.parent is not None
            copy.parent.insert_op_before(call, copy)
            copy.parent.erase_op(copy)
    module.body.block.add_ops(kernels.values())
    return [*kernels.values()]


def _kernel(type: MemRefType[Attribute], name: str) -> func.FuncOp:
    block = Block(arg_types=[type, type])
    block.add_ops((copying_generic(*block.args), func.ReturnOp()))
    kernel = func.FuncOp(name, ([type, type], []), Region(block), visibility="private")
    kernel.attributes[KERNEL] = UnitAttr()
    return kernel
