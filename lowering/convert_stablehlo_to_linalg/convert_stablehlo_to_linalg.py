"""`convert-stablehlo-to-linalg`: StableHLO to linalg on tensors.

What it does: one walk over each function replaces every StableHLO op by `linalg.generic`, views,
slices, scf and constants. Types become signless; the scalar op carries the sign. Loops become
explicit as indexing maps, and every structured op writes into a destination.

What it needs: verified ops with static shapes, no chlo, none of the ops that `stablehlo-expand-deprecated` replaces, no
tuples, no tokens but those of `create_token`; calls need not be inlined. What it leaves:
level 2 of `docs/design.md`. Constants of one value are scalars inside the bodies that read them,
and each op is one generic with an identity output map: merging them is the job of
`linalg-fuse-elementwise`. An op without a lowering is an `UnsupportedError`.

    %0 = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.multiply %x, %1 : tensor<4x8xf32>
    %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : ... -> tensor<4xf32>

becomes

    %two = arith.constant 2.0 : f32
    %d = tensor.empty() : tensor<4x8xf32>
    %2 = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (i, j)], [parallel, parallel]}
        ins(%x) outs(%d) { ^bb0(%a, %b): linalg.yield (arith.mulf %a, %two) }
    %e = linalg.fill ins(%zero) outs(tensor.empty())
    %3 = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (i)], [parallel, reduction]}
        ins(%2) outs(%e) { ^bb0(%a, %s): linalg.yield (arith.addf %s, %a fastmath<reassoc>) }

The mapping follows the idea of StableHLO's own `stablehlo-legalize-to-linalg`
(github.com/openxla/stablehlo, stablehlo/conversions/linalg); the padded windows that of linalg's
pooling ops.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Region, SSAValue

from ...decisions.model import CostModel, cost_model_of
from ...dialects import stablehlo
from ...dialects.editing import discard_block
from ...ir.conversions import ConversionPass, Handlers
from . import (
    contraction,
    convolution,
    custom_calls,
    data_movement,
    elementwise,
    factorizations,
    fourier,
    indexing,
    reduction,
    sorting,
    windows,
)
from .attributes import signless, unsupported
from .builder import Lowering
from .control_flow import check_static, lower_block, lower_branches, lower_call, lower_while
from .effects import EFFECTS

HANDLERS: Handlers = {
    **dict.fromkeys(elementwise.SCALAR_RULES, elementwise.lower_elementwise),
    stablehlo.ConvertOp: elementwise.lower_convert,
    stablehlo.RealOp: elementwise.lower_convert,
    stablehlo.BitcastConvertOp: data_movement.lower_bitcast_convert,
    stablehlo.BroadcastInDimOp: data_movement.lower_broadcast,
    stablehlo.ConcatenateOp: data_movement.lower_concatenate,
    stablehlo.ConstantOp: data_movement.lower_constant,
    stablehlo.IotaOp: data_movement.lower_iota,
    stablehlo.OptimizationBarrierOp: data_movement.lower_nothing,
    stablehlo.PadOp: data_movement.lower_pad,
    stablehlo.ReshapeOp: data_movement.lower_reshape,
    stablehlo.ReverseOp: data_movement.lower_reverse,
    stablehlo.SliceOp: data_movement.lower_slice,
    stablehlo.TransposeOp: data_movement.lower_transpose,
    stablehlo.DotGeneralOp: contraction.lower_dot,
    stablehlo.ConvolutionOp: convolution.lower_convolution,
    stablehlo.MapOp: reduction.lower_map,
    stablehlo.ReduceOp: reduction.lower_reduce,
    stablehlo.ReduceWindowOp: windows.lower_reduce_window,
    stablehlo.SelectAndScatterOp: windows.lower_select_and_scatter,
    stablehlo.DynamicSliceOp: indexing.lower_dynamic_slice,
    stablehlo.DynamicUpdateSliceOp: indexing.lower_dynamic_update_slice,
    stablehlo.GatherOp: indexing.lower_gather,
    stablehlo.ScatterOp: indexing.lower_scatter,
    stablehlo.SortOp: sorting.lower_sort,
    stablehlo.CholeskyOp: factorizations.lower_cholesky,
    stablehlo.TriangularSolveOp: factorizations.lower_triangular_solve,
    stablehlo.FftOp: fourier.lower_fft,
    stablehlo.CustomCallOp: custom_calls.lower_custom_call,
    **EFFECTS,
    **dict.fromkeys((stablehlo.CaseOp, stablehlo.IfOp), lower_branches),
    stablehlo.WhileOp: lower_while,
    func.CallOp: lower_call,
}
"""Op type to lowering: emits the lowered form of an op and returns what its results have become."""


def convert_function(function: func.FuncOp, handlers: Handlers, model: CostModel) -> None:
    """Replace the body of `function` by its lowered form and make its signature signless."""
    inputs = [signless(type) for type in function.function_type.inputs.data]
    outputs = [signless(type) for type in function.function_type.outputs.data]
    function.function_type = FunctionType.from_lists(inputs, outputs)
    if not function.body.blocks:
        return
    if len(function.body.blocks) > 1:
        raise unsupported(function, "a function of more than one block")
    old = function.body.block
    for argument in old.args:
        check_static(function, argument.type)
    entry = Block(arg_types=inputs)
    ctx = Lowering(entry, handlers, model)
    for argument, new in zip(old.args, entry.args, strict=True):
        new.name_hint = argument.name_hint
        ctx.bind(argument, new)
    results: list[SSAValue] = [ctx.materialize(value) for value in lower_block(ctx, old)]
    ctx.emit(func.ReturnOp, results)
    ctx.finish(entry)
    function.detach_region(function.body)
    function.add_region(Region(entry))
    discard_block(old)


class ConvertStablehloToLinalgPass(ConversionPass):
    """`convert-stablehlo-to-linalg`: see the module."""

    name = "convert-stablehlo-to-linalg"

    HANDLERS = HANDLERS

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of the module.

        Raises `UnsupportedError` for an op, an element type or a dynamic dimension that has no
        lowering.
        """
        functions: list[func.FuncOp] = []
        computations = custom_calls.named_by_custom_calls(op)
        for function in op.body.block.ops:
            if not isinstance(function, func.FuncOp):
                raise unsupported(function, "only functions at the top level of a module")
            if function.sym_name.data not in computations:
                functions.append(function)
        handlers = self.handlers()
        for function in functions:
            convert_function(function, handlers, cost_model_of(ctx))
        for function in tuple(op.body.block.ops):
            if function not in functions:
                function.detach()
                function.erase(safe_erase=False)
