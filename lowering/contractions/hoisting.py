"""Packing in front of loops: what no iteration changes is copied into panels once.

    scf.while ... do {
      func.call @contraction_0(%x, %weights, %out)
    }

becomes

    %panels = memref.alloc()
    func.call @contraction_0_panels(%weights, %panels)
    scf.while ... do {
      func.call @contraction_0(%x, %panels, %out)
    }
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from xdsl.dialects import affine, func, memref, scf
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use

from ...dialects.editing import append, clone, erase, insert_before, new_op, walk
from ...dialects.shared_attributes import function_type, symbol
from ...dialects.xrt_names import ENTRY, KERNEL
from ...ir import structured
from ...ir.affine_builder import AffineBuilder, scratch_buffer
from ...ir.functions import private_function
from ...ir.views import RESHAPES, is_itself, uses_of_buffer, whole_buffer_of
from .packing import Panels

LOOPS = (scf.WhileOp, scf.ForOp, affine.ForOp)


@dataclass(frozen=True)
class Place:
    """A call of a kernel, and the outermost loop around it that does not change what it passes for an argument."""

    call: func.CallOp
    loop: Operation


@dataclass
class Hoisting:
    """The arguments of kernels whose values all calls get from outside a loop, and what has been copied for them."""

    module: ModuleOp
    places: dict[SSAValue, list[Place]] = field(default_factory=dict[SSAValue, list[Place]])
    packings: list[str] = field(default_factory=list[str])
    """The functions that pack."""
    panels: dict[tuple[Operation, SSAValue, str], SSAValue] = field(
        default_factory=dict[tuple[Operation, SSAValue, str], SSAValue]
    )
    """By loop, operand and packing function."""

    @staticmethod
    def of(module: ModuleOp) -> Hoisting:
        """What can be hoisted in `module`, whose kernels have no loops yet."""
        hoisting = Hoisting(module)
        if not has_loops(module):
            return hoisting
        functions = [op for op in module.body.block.ops if isinstance(op, func.FuncOp) and op.body.blocks]
        kernels = {function.sym_name.data: function for function in functions}
        calls: dict[str, list[func.CallOp]] = {}
        for function in functions:
            for op in walk(function):
                if type(op) is func.CallOp:
                    calls.setdefault(op.callee.string_value(), []).append(op)
        is_outside = _is_outside(kernels)
        for name, callers in calls.items():
            if name in kernels and any(map(_is_product, kernels[name].body.block.ops)):
                hoisting._note(kernels[name], callers, is_outside)
        return hoisting

    def _note(self, kernel: func.FuncOp, callers: list[func.CallOp], is_outside: Callable[..., bool]) -> None:
        around = [_loops_around(call) for call in callers]
        if not all(around):
            return
        for argument in kernel.body.block.args:
            places: list[Place] = []
            for call, loops in zip(callers, around, strict=True):
                outside = (loop for loop in loops if is_outside(call.operands[argument.index], loop))
                if (loop := next(outside, None)) is not None:
                    places.append(Place(call, loop))
            if len(places) == len(callers):
                self.places[argument] = places

    def knows(self, panels: Panels) -> bool:
        """Whether the operand of `panels` is an argument that all calls get from outside a loop."""
        return whole_buffer_of(panels.operand.memref) in self.places

    def pack(self, panels: Panels) -> SSAValue:
        """`panels` of an argument of a kernel or a view of it: a further argument, which a function of its own fills in
        front of the loops.
        """
        argument = whole_buffer_of(panels.operand.memref)
        assert isinstance(argument, BlockArgument)
        block = argument.owner
        kernel = block.parent_op()
        assert isinstance(kernel, func.FuncOp)
        name = f"{kernel.sym_name.data}_panels_{len(self.packings)}"
        body = Block(arg_types=[argument.type, panels.type])
        panels.emit(AffineBuilder(body), {}, *body.args)
        append(self.module.body.block, private_function(name, body, {KERNEL: UnitAttr()}))
        self.packings.append(name)
        for place in self.places[argument]:
            operands = list(place.call.operands)
            operands.insert(argument.index + 1, self._panels(place, operands[argument.index], name, panels.type))
            place.call.operands = operands
        added = block.insert_arg(panels.type, argument.index + 1)
        kernel.properties["function_type"] = function_type(tuple(block.arg_types))
        return added

    def _panels(self, place: Place, operand: SSAValue, name: str, size: MemRefType) -> SSAValue:
        """The panels of `operand` in front of the loop of `place`."""
        key = place.loop, whole_buffer_of(operand), name
        if key not in self.panels:
            panels = scratch_buffer(size)
            insert_before(panels, place.loop)
            source = _in_front_of(place.loop, operand)
            call = new_op(func.CallOp, [source, panels.results[0]], [], {"callee": symbol(name)})
            insert_before(call, place.loop)
            self.panels[key] = panels.results[0]
        return self.panels[key]

    def drop_unused(self, panels: Panels) -> None:
        """Removes what `panels` are a copy of from its kernel, if that does not need it any more."""
        argument = whole_buffer_of(panels.operand.memref)
        views = [use.operation for use in argument.uses]
        for view in views:
            if type(view) not in RESHAPES or view.results[0].first_use is not None:
                return
        for view in views:
            erase(view)
        assert isinstance(argument, BlockArgument)
        block, index = argument.owner, argument.index
        kernel = block.parent_op()
        assert isinstance(kernel, func.FuncOp)
        for place in self.places.pop(argument):
            place.call.operands = [operand for number, operand in enumerate(place.call.operands) if number != index]
        block.erase_arg(argument)
        kernel.properties["function_type"] = function_type(tuple(block.arg_types))


def has_loops(module: ModuleOp) -> bool:
    """Whether an entry function has loops, in front of which something can be."""
    return any(type(op) in LOOPS for entry in module.ops if ENTRY in entry.attributes for op in walk(entry))


def _is_outside(kernels: dict[str, func.FuncOp]) -> Callable[[SSAValue, Operation], bool]:
    """What tells whether the buffer of an operand is there before a loop, which does not write it."""

    @cache
    def only_reads(argument: SSAValue) -> bool:
        """Whether a kernel reads `argument` and does nothing else with it."""
        return all(
            isinstance(use.operation, memref.LoadOp)
            or (isinstance(use.operation, GenericOp) and use.index < structured.number_of_inputs(use.operation))
            for use in uses_of_buffer(argument, RESHAPES)
        )

    def writes(use: Use) -> bool | None:
        """Whether a use of a buffer may write it; `None`: another value may be the same buffer."""
        op = use.operation
        if isinstance(op, func.CallOp):
            kernel = kernels.get(op.callee.string_value())
            return kernel is None or not only_reads(kernel.body.block.args[use.index])
        if isinstance(op, memref.CopyOp):
            return use.index == 1
        return False if isinstance(op, memref.LoadOp) else None

    @cache
    def loops_that_need(buffer: SSAValue) -> set[Operation] | None:
        """The loops around where `buffer` is made and where it may be written; `None` if that may be anywhere."""
        writers: list[Operation] = [buffer.owner] if isinstance(buffer.owner, Operation) else []
        for use in uses_of_buffer(buffer, RESHAPES):
            written = writes(use)
            if written is None:
                return None
            if written:
                writers.append(use.operation)
        return {loop for writer in writers for loop in _loops_around(writer)}

    def is_outside(operand: SSAValue, loop: Operation) -> bool:
        buffer = whole_buffer_of(operand)
        loops = loops_that_need(buffer) if is_itself(buffer) else None
        return loops is not None and loop not in loops

    return is_outside


def _is_product(op: Operation) -> bool:
    return isinstance(op, GenericOp) and structured.is_contraction(op)


def _loops_around(op: Operation) -> list[Operation]:
    """The loops around a call in the entry function, outermost first."""
    loops: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        if isinstance(parent, LOOPS):
            loops.append(parent)
        parent = parent.parent_op()
    return loops[::-1] if parent is not None and ENTRY in parent.attributes else []


def _in_front_of(loop: Operation, value: SSAValue) -> SSAValue:
    """`value`, a view of what is there before `loop`, in front of it."""
    owner = value.owner
    if not isinstance(owner, Operation) or not loop.is_ancestor(owner):
        return value
    source = _in_front_of(loop, owner.operands[0])
    copy = clone(owner, {owner.operands[0]: source})
    insert_before(copy, loop)
    return copy.results[0]
