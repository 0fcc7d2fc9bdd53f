"""The `xrt` dialect: what generated code asks of the runtime.

Two ops, both gone after `convert-to-llvm`. `xrt.parallel` runs an outlined loop body on the
runtime's threads, `xrt.thread_id` tells such a body which thread it runs on.

```mlir
func.func private @body(%x: memref<64xf32>, %lo: index, %hi: index, %thread: index)
xrt.parallel @body(%x) range 1024 : memref<64xf32>
```
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    IndexType,
    IntegerAttr,
    SymbolRefAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure, SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException


class ParallelOpSymbolUses(SymbolUserOpInterface):
    """The callee is a function `(captures..., lo: index, hi: index, thread: index) -> ()`."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, ParallelOp)
        callee = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(callee, FuncOp):
            raise VerifyException(f"'{op.callee}' does not reference a function")
        expected = (*op.captures.types, *(IndexType(),) * 3)
        inputs = callee.function_type.inputs.data
        if inputs != expected or callee.function_type.outputs.data:
            wanted = ", ".join(str(type) for type in expected)
            raise VerifyException(
                f"'{op.callee}' has type {callee.function_type}, expected ({wanted}) -> ()"
            )


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """Runs `callee(captures..., lo, hi, thread)` for ranges that partition `[0, trip_count)`.

    Ranges may run at the same time on different threads, in any order; an empty range may be run
    too. `thread` is the number of the executing thread, at least 0 and less than the runtime's
    thread count. The op returns after all ranges have run. Captures are scalars and memrefs; a
    memref that a range writes does not overlap other captures.
    """

    name = "xrt.parallel"

    captures = var_operand_def()
    callee = prop_def(FlatSymbolRefAttrConstr)
    trip_count = prop_def(IntegerAttr.constr(IndexType()))

    assembly_format = (
        "$callee `(` $captures `)` `range` $trip_count attr-dict (`:` type($captures)^)?"
    )

    traits = traits_def(ParallelOpSymbolUses())

    def __init__(
        self,
        callee: str | SymbolRefAttr,
        captures: Sequence[SSAValue | Operation],
        trip_count: int,
    ):
        if isinstance(callee, str):
            callee = SymbolRefAttr(callee)
        super().__init__(
            operands=[captures],
            properties={
                "callee": callee,
                "trip_count": IntegerAttr.from_index_int_value(trip_count),
            },
        )

    def verify_(self) -> None:
        if self.trip_count.value.data < 0:
            raise VerifyException(
                f"trip count must not be negative, got {self.trip_count.value.data}"
            )


@irdl_op_definition
class ThreadIdOp(IRDLOperation):
    """The number of the executing thread inside a parallel loop, 0 elsewhere.

    `loops-outline-parallel` replaces it by the `thread` argument of the outlined body; pure, since
    one execution of a body stays on one thread.
    """

    name = "xrt.thread_id"

    thread = result_def(IndexType())

    assembly_format = "attr-dict `:` type($thread)"

    traits = traits_def(Pure())

    def __init__(self):
        super().__init__(result_types=[IndexType()])


XRT = Dialect("xrt", [ParallelOp, ThreadIdOp], [])
