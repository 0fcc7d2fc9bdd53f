"""Executable test files on compiled code.

A function is compiled without its checks: the values they look at are returned instead, and the checks are evaluated
on them as the reference interpreter does. Constants become arguments, so that what is tested is the generated code and
not the folding of constants by the reference interpreter; constants that decide on shapes stay.

    func.func @case() {
      %0 = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
      %1 = stablehlo.abs %0 : tensor<2xi32>
      check.expect_eq_const %1, dense<[1, 2]> : tensor<2xi32>
      return
    }

is compiled as

    func.func @case(%0: tensor<2xi32>) -> tensor<2xi32> {
      %1 = stablehlo.abs %0 : tensor<2xi32>
      return %1 : tensor<2xi32>
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import stablehlo
from ..dialects.check import CheckOp
from ..dialects.stablehlo.shapes import is_tensor
from ..errors import InternalError, UnsupportedError, XlaError
from ..reference.arrays import Array, dense_array
from ..reference.checks import CheckError
from ..reference.interpreter import Interpreter
from .executable_tests import Case, Outcome, Runner

SHAPE_OPERANDS: dict[str, int] = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_conv": 2,
    "stablehlo.dynamic_gather": 2,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_pad": 2,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.real_dynamic_slice": 1,
    "stablehlo.set_dimension_size": 1,
}
"""Ops whose operands from this one on decide on the shape of the result."""


class TestProgram(NamedTuple):
    """A function without checks and constants, as the only public one of its module."""

    module: ModuleOp
    function: FuncOp
    arguments: list[Array]
    """The constants, which follow the parameters that the function had."""

    checks: list[Operation]
    """Of the original function, in order; their operands follow its results."""


def is_check(op: Operation) -> bool:
    """Whether `op` is of the check dialect, or the custom call of such a name."""
    if isinstance(op, stablehlo.CustomCallOp):
        return op.call_target_name.data.startswith("check.")
    return isinstance(op, CheckOp)


def test_program(case: Case) -> TestProgram:
    """What is compiled for `case`. Raises UnsupportedError for checks inside regions and called functions."""
    index = [op for op in case.module.ops].index(case.function)
    module = case.module.clone()
    function = list(module.ops)[index]
    assert isinstance(function, FuncOp)
    checks = [op for op in case.function.body.block.ops if is_check(op)]
    for op in case.module.walk():
        if op.name.startswith("interpreter.") or (is_check(op) and op not in checks):
            raise UnsupportedError(f"{op.name} at this place is executed by the reference interpreter only", op)
    arguments = _hoist_constants(function) if _has_static_shapes(function) else []
    _return_checked_values(function)
    return TestProgram(module, function, arguments, checks)


def _has_static_shapes(function: FuncOp) -> bool:
    return all(
        not is_tensor(result.type) or result.type.has_static_shape() for op in function.walk() for result in op.results
    )


def _hoist_constants(function: FuncOp) -> list[Array]:
    """Turns the constants at the top level into arguments, but for those that decide on shapes."""
    block = function.body.block
    arguments: list[Array] = []
    for op in list(block.ops):
        if isinstance(op, stablehlo.ConstantOp) and not _decides_on_shapes(op.output):
            arguments.append(dense_array(op.value))
            op.output.replace_all_uses_with(block.insert_arg(op.output.type, len(block.args)))
            op.detach()
            op.erase()
    return arguments


def _decides_on_shapes(value: SSAValue) -> bool:
    return any(use.index >= SHAPE_OPERANDS.get(use.operation.name, use.index + 1) for use in value.uses)


def _return_checked_values(function: FuncOp) -> None:
    """Removes the checks and returns their operands after the results."""
    block = function.body.block
    terminator = block.last_op
    assert terminator is not None
    values = list(terminator.operands)
    for op in list(block.ops):
        if not is_check(op):
            continue
        values.extend(op.operands)
        if any(result.first_use for result in op.results):
            raise UnsupportedError(f"{op.name}: the result of a check is used; the native engine has none", op)
        op.detach()
        op.erase()
    block.insert_op_before(func.ReturnOp(*values), terminator)
    terminator.detach()
    terminator.erase()
    function.function_type = FunctionType.from_lists([a.type for a in block.args], [v.type for v in values])
    function.res_attrs = None


def native_runner(*, threads: int | None = None, pipeline: str = "xla-cpu", opt_level: int = 2) -> Runner:
    """Runs functions as compiled code."""
    from ..runtime.compiler import compile

    def run(case: Case, arguments: Sequence[Array]) -> Outcome:
        try:
            program = test_program(case)
            passes = f"stablehlo-refine-shapes,{pipeline}" if _is_dynamic(program.function) else pipeline
            name = program.function.sym_name.data
            executable = compile(program.module, threads=threads, pipeline=passes, entry=name, opt_level=opt_level)
            values = executable(*arguments, *program.arguments)
        except (XlaError, InternalError) as error:
            wrapped = error if isinstance(error, XlaError) else XlaError(f"internal error: {error}", case.function)
            return Outcome((), [wrapped])
        count = len(case.function.function_type.outputs.data)
        return Outcome(values[:count], failing_checks(program.checks, values[count:]))

    return run


def _is_dynamic(function: FuncOp) -> bool:
    return not _has_static_shapes(function) or any(op.name in SHAPE_OPERANDS for op in function.walk())


def failing_checks(checks: Sequence[Operation], values: Sequence[Array]) -> list[XlaError]:
    """The errors of `checks`, whose operands are `values` one after the other."""
    interpreter = Interpreter()
    errors: list[XlaError] = []
    rest = iter(values)
    for check in checks:
        operands = [next(rest) for _ in check.operands]
        try:
            interpreter.evaluate(check, [np.asarray(operand) for operand in operands])
        except CheckError as error:
            errors.append(error)
    return errors
