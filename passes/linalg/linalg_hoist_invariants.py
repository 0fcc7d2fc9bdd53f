"""`linalg-hoist-invariants`: kernels that a loop of the program does not change run once, in front of it.

Fusion has run: what a loop computes from values outside it alone and reads in a kernel of its own, such as the scaled
matrix of an iteration, is the same in every iteration. It stays where it is if it is larger than what it is computed
from, since it takes memory as long as the loop runs, or if it is too small to matter and little work
(`Kernels.worth_hoisting`). Calls under a condition stay too.

Needs: level 3, destinations of calls behind their inputs. Leaves: level 3.

    %0 = scf.for %i = %a to %b step %c iter_args(%x = %init) -> (tensor<256xf32>) {
      %1 = tensor.empty() : tensor<256x256xf32>
      %2 = func.call @scaled(%m, %1) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %3 = func.call @product(%2, %x, %d) : ...

becomes

    %1 = tensor.empty() : tensor<256x256xf32>
    %2 = func.call @scaled(%m, %1) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %0 = scf.for %i = %a to %b step %c iter_args(%x = %init) -> (tensor<256xf32>) {
      %3 = func.call @product(%2, %x, %d) : ...

XLA's WhileLoopInvariantCodeMotion has the same rule about sizes.

Not a pattern pass: what a loop does not change is a question about all of the loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects.editing import erase, insert_before, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.xrt_names import ENTRY
from ...ir.structured import element_type, loop_extents, shape_of

_FOLLOWS_OPERANDS = (arith.ConstantOp, tensor.CollapseShapeOp, tensor.ExpandShapeOp)
"""What is moved along with a call that reads it."""


def _bytes(values: list[SSAValue]) -> int:
    """The memory of the tensors among `values`."""
    tensors = [value for value in values if isinstance(value.type, TensorType)]
    return sum(prod(shape_of(value)) * element_bytes(element_type(value)) for value in tensors)


def _points(function: func.FuncOp | None) -> int:
    """Those of the largest op of a kernel, as far as it is known."""
    ops = () if function is None else walk(function)
    return max((prod(loop_extents(op)) for op in ops if isinstance(op, GenericOp)), default=0)


def _hoist(loop: Operation, functions: Mapping[str, func.FuncOp], model: CostModel) -> None:
    """Moves what is worth it in front of `loop`, in the order in which it stands."""
    for call in list(loop.regions[-1].block.ops):
        if not isinstance(call, func.CallOp):
            continue
        count = len(call.operands) - len(call.results)
        inputs, destinations = list(call.operands[:count]), list(call.operands[count:])
        before = _needed(inputs, loop)
        if before is None or not all(isinstance(d.owner, tensor.EmptyOp) for d in destinations):
            continue
        points = _points(functions.get(call.callee.root_reference.data))
        if not model.kernels.worth_hoisting(_bytes(inputs), _bytes(destinations), points):
            continue
        for op in before:
            op.detach()
            insert_before(op, loop)
        for index, destination in enumerate(destinations, len(inputs)):
            new = tensor.EmptyOp((), destination.type)
            insert_before(new, loop)
            call.operands[index] = new.tensor
            assert isinstance(destination.owner, Operation)
            if destination.first_use is None:
                erase(destination.owner)
        call.detach()
        insert_before(call, loop)


def _needed(values: list[SSAValue], loop: Operation) -> list[Operation] | None:
    """The ops inside `loop` that give `values` and can stand in front of it, in order; None if others do."""
    needed: list[Operation] = []
    for value in values:
        if not loop.is_ancestor(value.owner):
            continue
        owner = value.owner
        if not isinstance(owner, _FOLLOWS_OPERANDS):
            return None
        inner = _needed(list(owner.operands), loop)
        if inner is None:
            return None
        needed += [op for op in (*inner, owner) if op not in needed]
    return needed


@dataclass(frozen=True)
class LinalgHoistInvariantsPass(ModulePass):
    """See the module's docstring."""

    name = "linalg-hoist-invariants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = {each.sym_name.data: each for each in op.body.block.ops if isinstance(each, func.FuncOp)}
        for function in functions.values():
            if ENTRY in function.attributes:
                loops = [inner for inner in walk(function) if isinstance(inner, scf.WhileOp | scf.ForOp)]
                # Inner loops first: what leaves one may leave the next.
                for loop in reversed(loops):
                    _hoist(loop, functions, model)
