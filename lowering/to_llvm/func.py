"""`func`, `cf` and `ub` to `llvm`: signatures, calls, jumps, and the entry function that the runtime calls.

Pointer parameters are `noalias`, except where some call passes the same buffer twice. Functions
that need the context take it as one more argument. Functions other than the entry are internal and
never inlined: parameters carry aliasing facts exactly and cheaply, and small functions keep LLVM's
time linear. Block arguments stay; the text emitter makes phis of them.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import cf, func, llvm, ub
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import llvm_extras, locating
from ...dialects.editing import drain, insert_before, new_op
from ...dialects.shared_attributes import i64_array, i64_attribute
from ...dialects.xrt_names import (
    ARENA_BYTES,
    BRIEF,
    DONATED,
    INLINE_COPIES,
    INTERFACE,
    KERNEL,
    NUM_INPUTS,
    NUM_OUTPUTS,
    REPEATED,
    THREAD_SCRATCH_BYTES,
    THREADS,
)
from ...errors import UnsupportedError
from . import context_layout as slots
from .arith import Handler, keeping, to
from .builder import ONE_OPERAND, FunctionLowering, intrinsic_properties
from .profiling import measured, read_counter, record
from .types import BUFFER_ALIGNMENT, POINTER, VOID, layout, value_type

if TYPE_CHECKING:
    from ...ir.conversions import Handlers
    from .convert_to_llvm import ModuleLowering

KEPT = (INTERFACE, DONATED, THREADS, THREAD_SCRATCH_BYTES, BRIEF)
"""What an entry function says about itself on the last level, too; the size of its arena comes to it."""

_UNIT = UnitAttr()
_NO_ATTRIBUTES = DictionaryAttr({})
_CONTEXT_ATTRIBUTES = DictionaryAttr(
    {
        "llvm.noalias": _UNIT,
        "llvm.dereferenceable": i64_attribute(slots.SLOTS * slots.SLOT_BYTES),
    }
)
_CONVENTION = llvm.CallingConventionAttr("ccc")
_INTERNAL = llvm.LinkageAttr("internal")
_EXTERNAL = llvm.LinkageAttr("external")


_NO_CALLS_OF_MEMCPY = (ArrayAttr([StringAttr("no-builtin-memcpy"), StringAttr("")]),)


def function(
    name: str,
    argument_types: Sequence[Attribute],
    result_type: Attribute,
    body: Region,
    argument_attributes: Sequence[DictionaryAttr] | None = None,
    internal: bool = True,
) -> llvm.FuncOp:
    """An `llvm.func`; internal ones are not inlined."""
    properties: dict[str, Attribute] = {
        "sym_name": StringAttr(name),
        "function_type": _function_type(result_type, *argument_types),
        "CConv": _CONVENTION,
        "linkage": _INTERNAL if internal else _EXTERNAL,
        "visibility_": i64_attribute(0),
        "no_unwind": _UNIT,
    }
    if internal:
        properties["no_inline"] = _UNIT
    if argument_attributes is not None:
        properties["arg_attrs"] = ArrayAttr(argument_attributes)
    return new_op(llvm.FuncOp, properties=properties, regions=[body])


@lru_cache(1 << 10)
def _function_type(result_type: Attribute, *argument_types: Attribute) -> llvm.LLVMFunctionType:
    return llvm.LLVMFunctionType(argument_types, result_type)


def result_type(types: Sequence[Attribute]) -> Attribute:
    """The result type of an LLVM function that returns values of `types`: a struct of more than one."""
    converted = [value_type(type) for type in types]
    if len(converted) > 1:
        return llvm.LLVMStructType.from_type_list(converted)
    return converted[0] if converted else VOID


@lru_cache(1 << 10)
def _pointer_attributes(size: int, noalias: bool, alignment: int) -> DictionaryAttr:
    """The attributes of a pointer to `size` bytes, as far as they are known to be there."""
    attributes: dict[str, Attribute] = {}
    if noalias:
        attributes["llvm.noalias"] = _UNIT
    if size:
        attributes["llvm.dereferenceable"] = i64_attribute(size)
    if alignment > 1:
        attributes["llvm.align"] = i64_attribute(alignment)
    return DictionaryAttr(attributes)


def declared(op: func.FuncOp, module: ModuleLowering) -> llvm.FuncOp:
    """The function with converted signature and no body yet; the body of an entry function is internal too."""
    locating.at(op)
    name = op.sym_name.data
    inputs = op.function_type.inputs.data
    argument_types = [value_type(type) for type in inputs]
    output = result_type(op.function_type.outputs.data)
    if not op.body.blocks:
        return function(name, argument_types, output, Region(), None, internal=False)
    is_entry = name in module.entries
    is_private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    alignment = BUFFER_ALIGNMENT if is_entry and not is_private else 1  # an exchange calls a private one with pieces
    aliasing = module.aliasing_parameters.get(name, frozenset[int]())
    attributes = [
        _pointer_attributes(at.size if (at := layout(type)).dense else 0, index not in aliasing, alignment)
        if type.__class__ is MemRefType
        else _NO_ATTRIBUTES
        for index, type in enumerate(inputs)
    ]
    if name in module.needs_context:
        argument_types.append(POINTER)
        attributes.append(_CONTEXT_ATTRIBUTES)
    converted = function(module.body_name(name), argument_types, output, Region(), attributes, is_private or is_entry)
    passed = [*module.denormals.function_attributes, *(_NO_CALLS_OF_MEMCPY if INLINE_COPIES in op.attributes else ())]
    if passed:
        converted.properties["passthrough"] = ArrayAttr(passed)
    if KERNEL in op.attributes:
        converted.attributes[KERNEL] = _UNIT
    if name in module.repeated:
        converted.attributes[REPEATED] = _UNIT
    return converted


def convert_function(op: func.FuncOp, converted: llvm.FuncOp, module: ModuleLowering) -> None:
    """Gives the function that `declared` has made its body."""
    if not op.body.blocks:
        return
    name = op.sym_name.data
    entry = op.body.blocks[0]
    arguments = len(entry.args)
    locating.at(op)
    f = FunctionLowering(module, converted.sym_name.data, entry)
    if name in module.needs_context:
        f.context = entry.insert_arg(POINTER, arguments)
    output = converted.function_type.output
    f.result_type = None if output is VOID else output
    if name in module.parallel_bodies:
        f.thread = entry.args[arguments - 1]
    order = _reverse_postorder(entry)
    _erase_others(op.body, order)
    op.body.move_blocks(converted.body)
    sites = module.sites.get(name)
    _convert_blocks(order, f, module.handlers if sites is None else measured(module.handlers, sites))
    if f.streams and module.model.target.architecture == "x86_64":
        _end_streams(order)


def _end_streams(blocks: Sequence[Block]) -> None:
    """Other threads are to see what went past the caches as soon as the function has returned: x86 promises that of no
    such store.
    """
    for block in blocks:
        if isinstance(end := block.last_op, llvm.ReturnOp):
            insert_before(new_op(llvm.CallIntrinsicOp, (), (), intrinsic_properties("llvm.x86.sse.sfence", 0)), end)


def _erase_others(region: Region, reachable: Sequence[Block]) -> None:
    for block in set(region.blocks).difference(reachable):
        for op in drain(block):
            op.drop_all_references()
        region.detach_block(block)


def _convert_blocks(order: Sequence[Block], f: FunctionLowering, handlers: Handlers) -> None:
    """Converts ops in an order in which definitions come before uses."""
    for block in order:
        for argument in block.args:
            f.retype(argument)
    for block in order:
        f.start_block(block)
        for op in drain(block):
            handler = handlers.get(op.__class__)
            if handler is None:
                raise f.unsupported(op, "no conversion; the passes before should have removed it")
            if locating.is_on:
                locating.come_to(op)
            try:
                handler(op, f)
            except UnsupportedError as error:
                raise error if error.location else UnsupportedError(error.message, op) from None
            if op.parent is None:
                f.drop(op)
    f.finish()


def _reverse_postorder(entry: Block) -> list[Block]:
    """The blocks reachable from `entry`, each after the blocks that dominate it."""
    order: list[Block] = []
    seen: set[Block] = set()
    stack = [(entry, False)]
    while stack:
        block, is_done = stack.pop()
        if is_done:
            order.append(block)
        elif block not in seen:
            seen.add(block)
            stack.append((block, True))
            if block.last_op is not None:
                stack += [(successor, False) for successor in reversed(block.last_op._successors)]
    order.reverse()
    return order


def declared_wrapper(op: func.FuncOp) -> llvm.FuncOp:
    """The public function `(inputs, outputs, arena, context)` that takes the buffers apart and calls the body, without
    its own yet.
    """
    inputs, outputs = _buffer_counts(op)
    locating.at(op)
    is_private = op.sym_visibility is not None and op.sym_visibility.data == "private"
    wrapper = function(op.sym_name.data, [POINTER] * 4, VOID, Region(), None, internal=is_private)
    wrapper.attributes.update((key, op.attributes[key]) for key in KEPT if key in op.attributes)
    arena = op.function_type.inputs.data[inputs + outputs :]
    wrapper.attributes[ARENA_BYTES] = i64_attribute(sum(layout(type).size for type in arena))
    return wrapper


def _buffer_counts(op: func.FuncOp) -> tuple[int, int]:
    """How many inputs and outputs an entry function has. Raises `UnsupportedError` for one of another form."""
    name = op.sym_name.data
    counts = [op.attributes.get(key) for key in (NUM_INPUTS, NUM_OUTPUTS)]
    arguments = op.function_type.inputs.data
    if not all(isinstance(count, IntegerAttr) for count in counts):
        raise UnsupportedError(f"convert-to-llvm: @{name} has no {NUM_INPUTS} and {NUM_OUTPUTS}", op)
    inputs, outputs = (cast("IntegerAttr[Any]", count).value.data for count in counts)
    if len(arguments) - inputs - outputs not in (0, 1):
        raise UnsupportedError(
            f"convert-to-llvm: @{name} has {len(arguments)} arguments, expected {inputs} inputs, "
            f"{outputs} outputs and at most an arena",
            op,
        )
    if op.function_type.outputs.data or not all(isinstance(a, MemRefType) for a in arguments):
        raise UnsupportedError(
            f"convert-to-llvm: @{name} of type {op.function_type} should take memrefs and return none",
            op,
        )
    return inputs, outputs


def fill_wrapper(op: func.FuncOp, wrapper: llvm.FuncOp, module: ModuleLowering) -> None:
    """Gives the function that `declared_wrapper` has made its body."""
    name = op.sym_name.data
    inputs, outputs = _buffer_counts(op)
    locating.at(op)
    block = Block(arg_types=[POINTER] * 4)
    wrapper.body.add_block(block)
    input_table, output_table, arena, context = block.args
    f = FunctionLowering(module, name, block)
    buffers = [(input_table, index) for index in range(inputs)] + [(output_table, index) for index in range(outputs)]
    operands: list[SSAValue] = [f.load_slot(table, index) for table, index in buffers]
    if len(operands) < len(op.function_type.inputs.data):
        operands.append(arena)
    if name in module.needs_context:
        operands.append(context)
    outer = module.denormals.enter(f)
    if outer is not None and name in module.needs_context:
        module.denormals.note(f, context, outer)
    if name not in module.sites:
        f.call(module.body_name(name), operands)
    else:
        f.context = context
        start = read_counter(f)
        f.call(module.body_name(name), operands)
        record(f, 0, start)
    module.denormals.leave(f, outer)
    f.append(llvm.ReturnOp)
    f.finish()


def _call(op: func.CallOp, f: FunctionLowering) -> None:
    callee = op.callee.string_value()
    operands = list(op.operands)
    if callee in f.module.needs_context:
        assert f.context is not None
        operands.append(f.context)
    output = result_type(op.result_types)
    results = f.call(f.module.body_name(callee), operands, () if output is VOID else (output,))
    if len(op.results) > 1:
        (struct,) = results
        results = [
            f.emit(llvm.ExtractValueOp, (struct,), value_type(result.type), {"position": i64_array(index)})
            for index, result in enumerate(op.results)
        ]
    f.replace(op, *results)


def _return(op: func.ReturnOp, f: FunctionLowering) -> None:
    operands: Sequence[SSAValue] = op.operands
    if len(operands) > 1:
        type = llvm.LLVMStructType.from_type_list([operand.type for operand in operands])
        struct = f.poison(type)
        for index, operand in enumerate(operands):
            struct = f.emit(llvm.InsertValueOp, (struct, operand), type, {"position": i64_array(index)})
        operands = [struct]
    f.become(op, llvm.ReturnOp, {}, tuple(operands))


def _switch(op: cf.SwitchOp, f: FunctionLowering) -> None:
    properties = {name: op.properties[name] for name in ("case_operand_segments", "operandSegmentSizes")}
    if op.case_values is not None:
        values = op.case_values.get_values()
        type = VectorType(cast(Any, op.flag.type), [len(values)])
        properties["case_values"] = DenseIntOrFPElementsAttr.from_list(type, values)
    f.become(op, llvm_extras.SwitchOp, properties)


def _assert(op: cf.AssertOp, f: FunctionLowering) -> None:
    """Traps where the condition does not hold."""
    failed, holds = Block(), Block()
    f.append(llvm.CondBrOp, [op.arg], ONE_OPERAND, [holds, failed])
    f.insert_blocks(holds, failed)
    f.start_block(failed)
    f.intrinsic("llvm.trap", ())
    f.append(llvm.UnreachableOp)
    f.start_block(holds)


HANDLERS: dict[type[Operation], Handler] = {
    func.CallOp: _call,
    func.ReturnOp: _return,
    cf.BranchOp: to(llvm.BrOp),
    cf.ConditionalBranchOp: keeping(llvm.CondBrOp, "operandSegmentSizes"),
    cf.SwitchOp: _switch,
    cf.AssertOp: _assert,
    ub.PoisonOp: lambda op, f: f.replace(op, f.poison(value_type(op.result.type))),
    ub.UnreachableOp: to(llvm.UnreachableOp),
}
