"""`convert-stablehlo-to-linalg`: StableHLO to linalg on tensors.

What it does: one walk over each function replaces every StableHLO op by `linalg.generic`, views,
slices, scf and constants. Types become signless; the scalar op carries the sign. Loops become
explicit as indexing maps, and every structured op writes into a destination.

What it needs: verified ops with static shapes, no chlo, no tuples, no tokens but those of
`create_token`; calls need not be inlined. What it leaves:
level 2 of `docs/design.md`. Constants of one value are scalars inside the bodies that read them,
and each op is one generic with an identity output map: merging them is the job of
`linalg-fuse-elementwise`. An op without a lowering is an `UnsupportedError`.

%0 = stablehlo.constant dense<2.0> : tensor<f32> %1 = stablehlo.broadcast_in_dim %0, dims = [] :
(tensor<f32>) -> tensor<4x8xf32> %2 = stablehlo.multiply %x, %1 : tensor<4x8xf32> %3 =
stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : ... -> tensor<4xf32>

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

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import FutureType
from .attributes import signless, unsupported
from .builder import Lowered, Lowering
from .contraction import CONTRACTION
from .control_flow import ControlFlow, calling_ops
from .convolution import CONVOLUTION
from .custom_calls import CUSTOM_CALLS, named_by_custom_calls
from .data_movement import DATA_MOVEMENT
from .effects import EFFECTS, values_of
from .elementwise import ELEMENTWISE
from .factorizations import FACTORIZATIONS
from .fourier import FOURIER
from .indexing import INDEXING
from .reduction import REDUCTION
from .sorting import SORTING
from .windows import WINDOWS

Handler: TypeAlias = Callable[[Lowering, Any], Sequence[Lowered]]
"""Emits the lowered form of an op and returns what its results have become."""


def lower_block(ctx: Lowering, block: Block) -> Sequence[Lowered]:
    """Lower the ops of `block` into the current block; what its terminator passes on."""
    for op in block.ops:
        ctx.location = op.location
        if isinstance(op, stablehlo.ReturnOp | func.ReturnOp):
            return [ctx.lowered(operand) for operand in op.operands]
        handler = HANDLERS.get(type(op))
        if handler is None:
            raise unsupported(op, "no lowering to linalg")
        results = values_of(op.results)
        for result in results:
            _check_static(op, result.type)
        for result, lowered in zip(results, handler(ctx, op), strict=True):
            ctx.bind(result, lowered)
    raise AssertionError("a block ends with a return")


HANDLERS: dict[type[Operation], Handler] = {
    **ELEMENTWISE,
    **DATA_MOVEMENT,
    **CONTRACTION,
    **CONVOLUTION,
    **REDUCTION,
    **WINDOWS,
    **INDEXING,
    **SORTING,
    **FACTORIZATIONS,
    **FOURIER,
    **CUSTOM_CALLS,
    **EFFECTS,
    **ControlFlow(lower_block).lowerings(),
}
"""Op type to lowering."""


def _check_static(op: Operation, type: Attribute) -> None:
    if isinstance(type, TensorType):
        if DYNAMIC_INDEX in type.get_shape():
            raise unsupported(op, f"{type} has a dynamic dimension; run refine-shapes first")
    elif not isinstance(type, FutureType):
        raise unsupported(op, f"no lowering for values of type {type}")


def convert_function(function: func.FuncOp, model: CostModel) -> None:
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
        _check_static(function, argument.type)
    entry = Block(arg_types=inputs)
    ctx = Lowering(entry, calling_ops(function), model)
    for argument, new in zip(old.args, entry.args, strict=True):
        new.name_hint = argument.name_hint
        ctx.bind(argument, new)
    results: list[SSAValue] = [ctx.materialize(value) for value in lower_block(ctx, old)]
    ctx.emit(func.ReturnOp, results)
    ctx.finish(entry)
    old_body = function.detach_region(function.body)
    function.add_region(Region(entry))
    old_body.drop_all_references()


class ConvertStablehloToLinalgPass(ModulePass):
    """`convert-stablehlo-to-linalg`: see the module."""

    name = "convert-stablehlo-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of the module.

        Raises `UnsupportedError` for an op, an element type or a dynamic dimension that has no
        lowering.
        """
        functions: list[func.FuncOp] = []
        computations = named_by_custom_calls(op)
        for function in op.body.block.ops:
            if not isinstance(function, func.FuncOp):
                raise unsupported(function, "only functions at the top level of a module")
            if function.sym_name.data not in computations:
                functions.append(function)
        for function in functions:
            convert_function(function, cost_model_of(ctx))
        for function in tuple(op.body.block.ops):
            if function not in functions:
                function.detach()
                function.erase(safe_erase=False)
