"""`linalg-outline-kernels`: what runs as one loop nest becomes one function.

Needs level 2 after fusion. Leaves level 3: every op that computes a tensor stands in a private function with the
attribute `xrt.kernel`, whose last arguments are the destinations; the other functions (attribute `xrt.entry`) hold
calls, views, constants and control flow only. Row groups carry `xrt.row_dims` (see `kernels/grouping.py`).

    %0 = linalg.fill ins(%zero) outs(%empty)
    %sum = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%x) outs(%0) ...
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]} ins(%x, %sum) outs(%empty_1) ...
to
    %y = func.call @rows_0(%x, %empty) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>

The split into kernels and a program that calls them is IREE's dispatch formation and XLA's fusion computations; here
a group is found on the indexing maps alone.

Not a pattern pass: which ops form a kernel is decided for a whole function.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import FillOp, YieldOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import dense, locating
from ...dialects.editing import append, discard, erase, new_block, new_op, new_region, replace_uses
from ...dialects.shared_attributes import UNIT, i32_array
from ...dialects.xrt_names import ENTRY, KERNEL
from ...ir import structured
from .kernels.grouping import Grouping
from .kernels.nodes import CONTROL_FLOW, NestedOps, is_compute
from .kernels.outlining import KernelTable, Outliner
from .kernels.sharing import share_kernels


def _fill_splats(block: Block) -> None:
    """A splat constant of several elements is a fill: no bytes to keep, and written where it is wanted."""
    for op in list(block.ops):
        if not isinstance(op, arith.ConstantOp):
            continue
        locating.at(op)
        type: Attribute = op.result.type
        if not isinstance(type, TensorType):
            continue
        element = dense.splat_element(op.value)
        if element is None or prod(structured.shape_of(op.result)) < 2:
            continue
        scalar = arith.ConstantOp(element)
        empty = tensor.EmptyOp((), op.result.type)
        body = new_block((structured.element_type(op.result),) * 2)
        append(body, new_op(YieldOp, (body.args[0],)))
        fill = new_op(
            FillOp,
            (scalar.result, empty.tensor),
            (op.result.type,),
            {"operandSegmentSizes": i32_array(1, 1)},
            regions=(new_region(body),),
        )
        block.insert_ops_before((scalar, empty, fill), op)
        replace_uses(op.result, fill.results[0])
        erase(op)


def _drop_unused(block: Block) -> None:
    """Erases what computes tensors that nobody reads."""
    for op in reversed(list(block.ops)):
        if all(result.first_use is None for result in op.results) and is_compute(op):
            erase(op)


def _outline(block: Block, table: KernelTable, nested: NestedOps, model: CostModel) -> None:
    """Replaces the compute ops of `block`, and of the control flow in it, by kernel calls."""
    _drop_unused(block)
    _fill_splats(block)
    for op in block.ops:
        if op.regions and type(op) in CONTROL_FLOW:
            for inner in () if is_compute(op) else [block for region in op.regions for block in region.blocks]:
                _outline(inner, table, nested, model)
            nested.add(op)
    groups = Grouping(block, nested, model).run()
    terminator = block.last_op
    new_ops: list[Operation] = []
    dead: list[Operation] = []
    for group in groups:
        if group.compute:
            locating.at_any(reversed(group.members))
            before, call = Outliner(group, table).run()
            new_ops.extend(before)
            new_ops.append(call)
            dead.extend(group.members)
        elif group.members[0] is not terminator:
            new_ops.extend(group.members)
    for op in list(block.ops):
        op.detach()
    for op in (*new_ops, *([terminator] if terminator is not None else [])):
        append(block, op)
    for op in reversed(dead):
        op.drop_all_references()
    for op in reversed(new_ops):
        # Offsets, destinations, constants and what is inserted, which the kernels took along.
        if op.results and op.name.startswith(("arith.", "tensor.", "linalg.")):
            if all(result.first_use is None for result in op.results):
                erase(op)
    for op in dead:
        discard(op)


@dataclass(frozen=True)
class LinalgOutlineKernelsPass(ModulePass):
    """See the module's docstring."""

    name = "linalg-outline-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        table = KernelTable()
        model = cost_model_of(ctx)
        for function in list(op.body.block.ops):
            if isinstance(function, func.FuncOp) and function.body.blocks:
                if KERNEL in function.attributes:
                    continue
                _outline(function.body.block, table, NestedOps(), model)
                function.attributes[ENTRY] = UNIT
        op.body.block.add_ops(share_kernels(op, table.kernels, table.structures, model.kernels))
