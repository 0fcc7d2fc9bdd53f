"""`loops-fuse-kernels`: kernels of vector code that follow each other run in one loop.

Two calls in a row become one of a kernel that does both in every iteration, where both kernels are one outermost loop
over the same range, parallel in both or in neither, and each iteration touches of what one kernel writes and the other
accesses only a part of its own, the same in both. The first one only moves elements: two products would take turns in
the cache with their right operands. So an image is padded and convolved while it is in the cache, in one parallel
region instead of two.

    func.call @pad(%x, %t)                             func.call @pad_convolve(%x, %t, %w, %y)
    func.call @convolve(%t, %w, %y)              to
    with                                               with
    func.func @pad(%x, %t) {                           func.func @pad_convolve(%x, %t, %w, %y) {
      affine.parallel (%n) = (0) to (8) { A }            affine.parallel (%n) = (0) to (8) { A B }
    }                                                  }
    func.func @convolve(%t, %w, %y) {
      affine.parallel (%n) = (0) to (8) { B }
    }

Needs level 5, with kernels that are called in entry functions. Kernels that are called elsewhere too stay as they are,
and so do those with loops over elements, which LLVM is still to vectorise: what tiles need of it is less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects import xrt
from ...dialects.editing import append, erase, insert_before, new_op, replace_uses, walk
from ...ir import structured
from ...ir.loops import AFFINE_LOOPS, extent_of
from ...ir.vectors import is_vector_code
from ...ir.views import RESHAPES, buffer_of, uses_of_buffer
from .iteration_spans import AFFINE_LOADS, AFFINE_STORES, Known, Span, span_of

_MOVING = {
    *AFFINE_LOOPS,
    *RESHAPES,
    *AFFINE_LOADS,
    *AFFINE_STORES,
    affine.ApplyOp,
    affine.YieldOp,
    arith.ConstantOp,
    xrt.PrefetchOp,
}


@dataclass(frozen=True)
class SingleLoop:
    """A kernel that is one loop, and constants and views ahead of it."""

    function: func.FuncOp
    loop: affine.ForOp | affine.ParallelOp
    extent: int


def single_loop(function: func.FuncOp) -> SingleLoop | None:
    """`function` as such a kernel, None if it is something else."""
    if "xrt.kernel" not in function.attributes:
        return None
    *ahead, loop, _ = (function, *function.body.block.ops)
    if not isinstance(loop, AFFINE_LOOPS) or not all(isinstance(op, (arith.ConstantOp, *RESHAPES)) for op in ahead[1:]):
        return None
    extent = extent_of(loop)
    if extent is None or loop.results or len(loop.body.block.args) != 1 or not _is_all_vector_code(loop):
        return None
    return SingleLoop(function, loop, extent)


def _is_all_vector_code(loop: Operation) -> bool:
    """Whether all innermost loops in `loop`, or itself if it is one, are vector code and call nothing."""
    ops = loop.regions[0].block.ops
    inner = [op for op in ops if op.regions]
    if any(op.__class__ is func.CallOp for op in ops):
        return False
    if inner:
        return all(op.__class__ in AFFINE_LOOPS and _is_all_vector_code(op) for op in inner)
    return is_vector_code(ops)


def _only_moves(loop: Operation) -> bool:
    """Whether all that `loop` does is loads and stores."""
    return all(op.__class__ in _MOVING for op in walk(loop))


def _accesses(kernel: SingleLoop, parameter: SSAValue) -> tuple[list[Operation], bool] | None:
    """The loads and stores of `parameter` and whether there are stores; None if it is used in another way."""
    accesses: list[Operation] = []
    writes = False
    for use in uses_of_buffer(parameter, RESHAPES):
        kind = use.operation.__class__
        if kind in AFFINE_LOADS or (kind in AFFINE_STORES and use.index == 1):
            accesses.append(use.operation)
            writes = writes or kind in AFFINE_STORES
        elif kind is not xrt.PrefetchOp:
            return None
    return accesses, writes


def _is_local(first: SingleLoop, second: SingleLoop, ours: Sequence[SSAValue], theirs: Sequence[SSAValue]) -> bool:
    """Whether of a buffer that both kernels access, as parameters `ours` of the first and `theirs` of the second,
    iterations touch separate parts, or nobody writes to it.
    """
    spans: list[Span | None] = []
    writes = False
    known: Known = {}
    for kernel, parameters in ((first, ours), (second, theirs)):
        counter = kernel.loop.body.block.args[0]
        for parameter in parameters:
            found = _accesses(kernel, parameter)
            if found is None:
                return False
            accesses, stores = found
            writes = writes or stores
            spans += [span_of(access, counter, known) for access in accesses]
    if not writes or not spans:
        return True
    if None in spans:
        return False
    touched = cast(list[Span], spans)
    stride = touched[0].stride
    width = max(span.last for span in touched) - min(span.first for span in touched)
    return all(span.stride == stride for span in touched) and width < abs(stride)


# Calls


def _fuse(calls: tuple[func.CallOp, func.CallOp], first: SingleLoop, second: SingleLoop) -> func.FuncOp | None:
    """The kernel for both calls in the place of the second, or None where that is not the same."""
    if first.extent != second.extent or first.loop.__class__ is not second.loop.__class__:
        return None
    if not _only_moves(first.loop):
        return None
    kernels = (first, second)
    parameters = [kernel.function.body.block.args for kernel in kernels]
    sharing: dict[SSAValue, tuple[list[SSAValue], list[SSAValue]]] = {}
    for position, call in enumerate(calls):
        for operand, parameter in zip(call.operands, parameters[position], strict=True):
            if isinstance(operand.type, MemRefType):
                buffer = buffer_of(operand)
                if not _is_known(buffer):
                    return None
                sharing.setdefault(buffer, ([], []))[position].append(parameter)
    if not all(_is_local(first, second, ours, theirs) for ours, theirs in sharing.values() if ours and theirs):
        return None
    operands = list(dict.fromkeys([*calls[0].operands, *calls[1].operands]))
    entry = Block(arg_types=[operand.type for operand in operands])
    for call, inside in zip(calls, parameters, strict=True):
        for operand, parameter in zip(call.operands, inside, strict=True):
            replace_uses(parameter, entry.args[operands.index(operand)])
    function = _joined(kernels, entry)
    call = func.CallOp(function.sym_name.data, operands, [])
    insert_before(call, calls[1])
    for old in calls:
        erase(old)
    return function


def _is_known(buffer: SSAValue) -> bool:
    """Whether `buffer` is memory that no other value is: not one that loops carry from place to place."""
    owner = buffer.owner
    return isinstance(owner, memref.AllocOp) or (
        isinstance(owner, Block) and isinstance(owner.parent_op(), func.FuncOp)
    )


def _joined(kernels: tuple[SingleLoop, SingleLoop], entry: Block) -> func.FuncOp:
    """The function with the ops of both kernels in `entry` and the body of the second in the loop of the first."""
    first, second = kernels
    for kernel in kernels:
        for op in list(kernel.function.body.block.ops)[:-2]:
            op.detach()
            append(entry, op)
    body, others = first.loop.body.block, second.loop.body.block
    replace_uses(others.args[0], body.args[0])
    assert body.last_op is not None
    erase(body.last_op)
    for op in list(others.ops):
        op.detach()
        append(body, op)
    first.loop.detach()
    append(entry, first.loop)
    append(entry, new_op(func.ReturnOp))
    names = [kernel.function.sym_name.data for kernel in kernels]
    function = first.function
    function.body.detach_block(function.body.block)
    function.body.add_block(entry)
    function.properties["sym_name"] = StringAttr("_".join(names))
    function.properties["function_type"] = FunctionType.from_lists([arg.type for arg in entry.args], [])
    function.attributes.update(second.function.attributes)
    erase(second.function)
    return function


@dataclass(frozen=True)
class LoopsFuseKernelsPass(ModulePass):
    """See the module docstring."""

    name = "loops-fuse-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [function for function in op.body.block.ops if isinstance(function, func.FuncOp)]
        kernels: dict[str, SingleLoop] = {}
        calls: Counter[str] = Counter()
        for function in functions:
            kernel = single_loop(function)
            if kernel is not None:
                kernels[function.sym_name.data] = kernel
            else:
                calls.update(call.callee.string_value() for call in walk(function) if isinstance(call, func.CallOp))
        once = {name: kernel for name, kernel in kernels.items() if calls[name] == 1}
        if len(once) < 2:
            return
        for function in functions:
            if "xrt.entry" in function.attributes:
                for block in structured.program_blocks(function):
                    _fuse_in(block, once)


def _fuse_in(block: Block, kernels: dict[str, SingleLoop]) -> None:
    """Fuses calls that follow each other in `block`."""
    last: func.CallOp | None = None
    for op in list(block.ops):
        if not isinstance(op, func.CallOp):
            if not isinstance(op, (arith.ConstantOp, memref.AllocOp, *RESHAPES)):
                last = None
            continue
        first = None if last is None else kernels.get(last.callee.string_value())
        second = kernels.get(op.callee.string_value())
        if last is not None and first is not None and second is not None:
            function = _fuse((last, op), first, second)
            if function is not None:
                fused = single_loop(function)
                assert fused is not None
                kernels[function.sym_name.data] = fused
                last = cast(func.CallOp, _call_of(block, function.sym_name.data))
                continue
        last = op


def _call_of(block: Block, name: str) -> Operation:
    return next(op for op in block.ops if isinstance(op, func.CallOp) and op.callee.string_value() == name)
