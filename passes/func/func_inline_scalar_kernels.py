"""`func-inline-scalar-kernels`: a kernel without loops becomes part of the program that calls it.

Needs level 5: kernels in loops, entry functions that call them. Replaces every call of a kernel whose body has no loop
and is short, or is called only once, by the ops of the kernel; deletes kernels that nothing calls any more. Leaves all
other kernels, and never changes a kernel.

    scf.while () : () -> () { ... } do {
      func.call @scalar_1(%i, %next) : (memref<i32>, memref<i32>) -> ()
      "memref.copy"(%next, %i) : (memref<i32>, memref<i32>) -> ()
      scf.yield
    }
    func.func private @scalar_1(%0: memref<i32>, %1: memref<i32>) attributes {xrt.kernel} {
      %2 = arith.constant 1 : i32
      %3 = affine.load %0[] : memref<i32>
      %4 = arith.addi %3, %2 : i32
      affine.store %4, %1[] : memref<i32>
      func.return
    }
to
    scf.while () : () -> () { ... } do {
      %2 = arith.constant 1 : i32
      %3 = affine.load %i[] : memref<i32>
      %4 = arith.addi %3, %2 : i32
      affine.store %4, %next[] : memref<i32>
      "memref.copy"(%next, %i) : (memref<i32>, memref<i32>) -> ()
      scf.yield
    }

What a loop of the program does with scalars then stands in one function, where LLVM keeps them in registers
(`memref-assign-arena` leaves scalars outside the arena). Loops stay in kernels: LLVM's time grows faster than the size
of a function, and a kernel's arguments say what does not overlap. An index that is computed is a symbol of `affine` at
the top of a function only; inside a loop of the program its access becomes one of `memref`.

Not a pattern pass: which kernels are inlined depends on all of the program's calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir import Operation

from ...decisions.model import CostModel, cost_model_of
from ...dialects import xrt
from ...dialects.editing import become, discard, walk
from ...dialects.xrt_names import ENTRY, KERNEL, SERIAL
from ...ir.function_passes import Function, FunctionPass
from ...ir.index_arithmetic import IndexArithmetic
from ...ir.loops import LOOPS
from .func_inline_calls import inline

_KEPT = LOOPS | {memref.AllocOp, memref.AllocaOp, func.CallOp, xrt.CallTargetOp}
"""What keeps a kernel a function."""


def _is_scalar_kernel(function: func.FuncOp, calls: int, model: CostModel) -> bool:
    """Whether the body of `function`, which is called `calls` times, may stand in its place."""
    limit = model.kernels.inlined_operations if calls > 1 else model.kernels.inlined_once_operations
    count = 0
    for op in walk(function.body):
        count += 1
        if count > limit or type(op) in _KEPT:
            return False
    return True


_ACCESSES: dict[type[Operation], tuple[type[Operation], int]] = {
    affine.LoadOp: (memref.LoadOp, 1),
    affine.StoreOp: (memref.StoreOp, 2),
}
"""What an access is in `memref`, and where its indices begin."""


class _IndicesOf(IndexArithmetic):
    """The indices of accesses in a function, as values."""

    def leave_affine(self, access: Operation) -> None:
        """An access with an index that is computed where `affine` knows no symbols becomes one of `memref`."""
        op_class, first = _ACCESSES.get(type(access), (None, 0))
        if op_class is None:
            return
        operands = access.operands
        if all(isinstance(operand.owner, arith.ConstantOp) for operand in operands[first:]):
            return
        self.anchor = access
        map = cast("AffineMapAttr", access.properties["map"]).data
        with self.nested():
            indices = [self.value(index) for index in self.evaluate_map(map, operands[first:])]
        become(access, op_class, {}, [*operands[:first], *indices], access.attributes)


def _inline(call: func.CallOp, kernel: func.FuncOp, indices: _IndicesOf) -> None:
    """The ops of `kernel` in the place of `call`; `indices` are those of the function that calls."""
    before, after, around = call.prev_op, call.next_op, call.parent_block()
    inline(call, kernel, take=False)
    if around is None or around is indices.entry:
        return
    op = around.first_op if before is None else before.next_op
    while op is not after:
        assert op is not None
        following = op.next_op
        for inner in list(op.walk()):
            indices.leave_affine(inner)
        op = following


class FuncInlineScalarKernelsPass(FunctionPass):
    """See the module's docstring."""

    name = "func-inline-scalar-kernels"

    def through(self, ctx: Context, module: ModuleOp, functions: Iterable[Function]) -> Iterator[Function]:
        entries = [op for op in module.ops if isinstance(op, func.FuncOp) and ENTRY in op.attributes]
        counts = Counter(call.callee.string_value() for entry in entries for call in _calls_in(entry))
        return _inlined(functions, counts, cost_model_of(ctx))


def _calls_in(function: func.FuncOp) -> list[func.CallOp]:
    return [op for op in walk(function.body) if isinstance(op, func.CallOp)]


def _inlined(functions: Iterable[Function], counts: Counter[str], model: CostModel) -> Iterator[Function]:
    """`functions` but those that are inlined; `counts`: how often entry functions call each."""
    scalar: dict[str, func.FuncOp] = {}
    for function in functions:
        if isinstance(function, func.FuncOp) and function.body.first_block is not None:
            name, attributes = function.sym_name.data, function.attributes
            if KERNEL in attributes and SERIAL not in attributes and _is_scalar_kernel(function, counts[name], model):
                scalar[name] = function
                continue
            if scalar and ENTRY in attributes:
                indices = _IndicesOf(function.body.block)
                for call in _calls_in(function):
                    if (kernel := scalar.get(call.callee.string_value())) is not None:
                        _inline(call, kernel, indices)
        yield function
    for kernel in scalar.values():
        kernel.detach()
        discard(kernel)
