"""`stablehlo-outline-layers`: layers that are equal become calls of one function.

Models are stacks of layers, which a program holds one after the other. Here a run of equal ops, as of a transformer's
blocks, becomes a private function with the attribute `xrt.layer` and calls of it, so that the passes up to level 3
work on one layer, however many there are; `func-inline-layers` puts its kernels where the calls are.

Layers begin in front of a contraction, where all values that pass are stored anyway: no loop is shared across the
border, and the kernels are those of the program as it was. Constants, and what follows from them cheaply, such as a
mask, are copied into the function. Where there is no such border nothing changes, as in the gradient of a model, whose
forward layers leave much that later loops compute again.

Needs: level 1, calls inlined, static shapes. Leaves: layers of a few ops, short blocks (`decisions/layers.py`), ops
with effects, control flow (but the blocks in it are searched too), private functions.

    %0 = stablehlo.dot_general %x, %w0 ...
    %1 = stablehlo.tanh %0 : tensor<8x64xf32>
    %2 = stablehlo.dot_general %1, %w1 ...
    %3 = stablehlo.tanh %2 : tensor<8x64xf32>

becomes (for layers of more ops)

    %1 = func.call @layer_0(%x, %w0) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
    %3 = func.call @layer_0(%1, %w1) : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>

Ops are numbered by what they compute, and runs are found in the sequence of numbers (`layers/stretches.py`). That is
what LLVM's MachineOutliner does with instructions, by a suffix tree; layers that follow each other need only a period.

Not a pattern pass: which ops are a layer is decided for a block as a whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...decisions.layers import Layers
from ...decisions.model import cost_model_of
from ...dialects import stablehlo
from ...dialects.editing import append, clone, erase, insert_before, new_block, new_op, ops_of, replace_all_uses
from ...dialects.shared_attributes import function_type, symbol
from ...dialects.xrt_names import LAYER
from ...ir.equality import Structures
from ...ir.purity import is_pure
from .layers.closed_values import ClosedValues
from .layers.parts import Part, best_border, part_of
from .layers.stretches import stretches

_CONTROL_FLOW = (stablehlo.CaseOp, stablehlo.IfOp, stablehlo.WhileOp)


class _Search:
    """The parts of a function that may be layers, by form."""

    def __init__(self, model: Layers) -> None:
        self.parts: dict[Hashable, list[Part]] = {}
        self._model = model
        self._structures = Structures()
        self.closed = ClosedValues(self._structures, model.copied_elements)

    def look(self, block: Block) -> None:
        """Adds the parts of `block` and of the control flow in it."""
        ops: list[Operation] = []
        numbers: list[int] = []
        inner: list[Block] = []
        for op in ops_of(block):
            if type(op) in _CONTROL_FLOW:
                inner += [block for region in op.regions for block in region.blocks]
            elif self.closed.add(op):
                continue
            elif op.results and is_pure(op):
                numbers.append(self._structures.of_values(op))
                ops.append(op)
                continue
            numbers.append(-1 - len(ops))
            ops.append(op)
        if len(ops) >= self._model.least_ops:
            for part in self._parts(ops, numbers):
                self.parts.setdefault(part.form, []).append(part)
        for each in inner:
            self.look(each)

    def _parts(self, ops: Sequence[Operation], numbers: Sequence[int]) -> Iterator[Part]:
        for stretch in stretches(numbers, self._model.least_layer):
            if (offset := best_border(ops, stretch)) is not None:
                for start in range(stretch.start + offset, stretch.end - stretch.period + 1, stretch.period):
                    own = slice(start, start + stretch.period)
                    part = part_of(ops[own], numbers[own], self.closed.numbers, self._structures)
                    if part.is_apart:
                        yield part


def _function(name: str, part: Part, closed: ClosedValues) -> func.FuncOp:
    """A function that computes what `part` does."""
    block = new_block([value.type for value in part.outside])
    mapping: dict[SSAValue, SSAValue] = dict(zip(part.outside, block.args, strict=True))
    for value in part.closed:
        for op in closed.copies(value, mapping):
            append(block, op)
    for op in part.ops:
        append(block, clone(op, mapping))
    append(block, new_op(func.ReturnOp, [mapping[value] for value in part.results]))
    signature = function_type(tuple(block.arg_types), tuple(value.type for value in part.results))
    function = func.FuncOp(name, signature, Region(block), "private")
    function.attributes[LAYER] = UnitAttr()
    return function


def _call(name: str, part: Part, replaced: dict[SSAValue, SSAValue]) -> None:
    """Replaces the ops of `part` by a call. `replaced` maps results of other parts to those of their calls."""
    last = part.ops[-1]
    operands = [replaced.get(value, value) for value in part.outside]
    types = [value.type for value in part.results]
    call = new_op(func.CallOp, operands, types, {"callee": symbol(name)}, location=last.location)
    insert_before(call, last)
    new: dict[SSAValue, SSAValue] = dict(zip(part.results, call.results, strict=True))
    replace_all_uses(new)
    replaced.update(new)
    for op in reversed(part.ops):
        erase(op)


@dataclass(frozen=True)
class StablehloOutlineLayersPass(ModulePass):
    """See the module's documentation."""

    name = "stablehlo-outline-layers"

    least_ops: int = 0
    """Ops of a block that is searched; 0: as the cost model says."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx).layers
        model = replace(model, least_ops=self.least_ops or model.least_ops)
        functions = [function for function in op.ops if isinstance(function, func.FuncOp)]
        taken = {function.sym_name.data for function in functions}
        names = (name for number in count() if (name := f"layer_{number}") not in taken)
        for function in functions:
            block = function.body.first_block
            if block is None or (function.sym_visibility and function.sym_visibility.data == "private"):
                continue
            search = _Search(model)
            search.look(block)
            layers = [(next(names), parts) for parts in search.parts.values() if len(parts) > 1]
            # All functions first: calls change what parts read.
            op.body.block.add_ops([_function(name, parts[0], search.closed) for name, parts in layers])
            replaced: dict[SSAValue, SSAValue] = {}
            for name, parts in layers:
                for part in parts:
                    _call(name, part, replaced)
