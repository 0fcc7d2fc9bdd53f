"""The `interpreter` dialect: what tests and tools ask of the reference interpreter, outside of StableHLO.

Text-compatible with upstream's dialect of that name (stablehlo/reference/InterpreterOps.td);
`reference/instruments.py` executes it.

```mlir
%results:2 = "interpreter.run_parallel"(%a, %b) <{programs = [[@left, @right]]}> : (tensor<2xf32>, ...) -> (...)
%same = interpreter.probe %value, probe_id = "loss" : tensor<f32>
interpreter.print %value : tensor<f32>
```
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from .stablehlo.element_types import Tensor, TensorOrToken
from .stablehlo.property_types import ArrayProperty
from .symbol_lookup import lookup_symbol

Value = SSAValue | Operation

T = VarConstraint("T", Tensor)


def _function(op: Operation, name: Attribute) -> FuncOp:
    function = lookup_symbol(op, name) if isinstance(name, SymbolRefAttr) else None
    if not isinstance(function, FuncOp):
        raise VerifyException(f"{op.name}: there is no function {name}")
    return function


class RunParallelSymbolUses(SymbolUserOpInterface):
    """The grid of programs is one; operands and results are those of all programs; infeed has no parameters."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, RunParallelOp)
        op.verify_rows()
        functions = [_function(op, name) for row in op.program_names() for name in row]
        inputs = sum(len(f.function_type.inputs.data) for f in functions)
        outputs = sum(len(f.function_type.outputs.data) for f in functions)
        if len(op.inputs) != inputs:
            raise VerifyException(f"{op.name}: {len(op.inputs)} operands for programs with {inputs} parameters")
        if len(op.results_) != outputs:
            raise VerifyException(f"{op.name}: {len(op.results_)} results for programs with {outputs} results")
        for name in op.infeed_names():
            if _function(op, name).function_type.inputs.data:
                raise VerifyException(f"{op.name}: infeed function {name} has parameters")


@irdl_op_definition
class RunParallelOp(IRDLOperation):
    """Runs a grid of processes: `programs[i][j]` as partition j of replica i.

    Operands and results are those of all programs, one after the other. The functions of `infeed` give what the
    `infeed` ops read, in order.
    """

    name = "interpreter.run_parallel"

    inputs = var_operand_def(TensorOrToken)
    results_ = var_result_def(TensorOrToken)
    infeed = opt_prop_def(ArrayProperty)
    programs = prop_def(ArrayProperty)

    traits = traits_def(RunParallelSymbolUses())

    def __init__(
        self,
        inputs: Sequence[Value],
        programs: Sequence[Sequence[str]],
        result_types: Sequence[Attribute],
        infeed: Sequence[str] = (),
    ):
        properties: dict[str, Attribute] = {
            "programs": ArrayAttr(ArrayAttr(SymbolRefAttr(name) for name in row) for row in programs)
        }
        if infeed:
            properties["infeed"] = ArrayAttr(SymbolRefAttr(name) for name in infeed)
        super().__init__(operands=[inputs], result_types=[result_types], properties=properties)

    def program_names(self) -> list[list[Attribute]]:
        """The functions, by replica and partition."""
        rows = cast(ArrayAttr[ArrayAttr[Attribute]], self.programs)
        return [list(row.data) for row in rows.data]

    def infeed_names(self) -> list[Attribute]:
        """The functions that give the infeed."""
        return [] if self.infeed is None else list(self.infeed.data)

    def verify_rows(self) -> None:
        """`programs` is a matrix of functions that is not empty; `infeed` is not empty if it is there."""
        rows = self.programs.data
        if not rows or any(not isinstance(row, ArrayAttr) for row in rows):
            raise VerifyException(f"{self.name}: programs must be rows of functions, got {self.programs}")
        sizes = {len(row) for row in self.program_names()}
        if len(sizes) != 1 or sizes == {0}:
            raise VerifyException(f"{self.name}: the rows of programs differ in length or are empty")
        if self.infeed is not None and not self.infeed.data:
            raise VerifyException(f"{self.name}: infeed must not be empty")


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """Its operand, which is also stored as a file: the next one of those with this `probe_id`."""

    name = "interpreter.probe"

    operand = operand_def(T)
    result = result_def(T)
    probe_id = prop_def(StringAttr)

    assembly_format = "$operand `,` `probe_id` `=` $probe_id attr-dict `:` type($result)"

    def __init__(self, operand: Value, probe_id: str):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand], result_types=[operand.type], properties={"probe_id": StringAttr(probe_id)})


@irdl_op_definition
class PrintOp(IRDLOperation):
    """Prints its operand, as often as it is executed."""

    name = "interpreter.print"

    operand = operand_def(T)

    assembly_format = "$operand attr-dict `:` type($operand)"

    def __init__(self, operand: Value):
        super().__init__(operands=[operand])


INTERPRETER = Dialect("interpreter", [PrintOp, ProbeOp, RunParallelOp], [])
