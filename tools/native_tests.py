"""Executable test files on compiled code.

A function is compiled without its checks: the values they look at are returned instead, and the checks are evaluated
on them as the reference interpreter does; a result of a check is true. Constants become arguments, so that what is
tested is the generated code and not the folding of constants by the reference interpreter; constants that decide on
shapes stay.

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

All functions that call nothing are compiled as one, which takes a fraction of the time; if that fails, each by itself,
to find those that are not supported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ..decisions.denormals import DEFAULT, Denormals
from ..decisions.model import CostModel
from ..dialects import stablehlo
from ..dialects.check import CheckOp
from ..dialects.dense import pack_element, splat_attribute
from ..dialects.interpreter import RunParallelOp
from ..errors import InternalError, UnsupportedError, XlaError
from ..reference.arrays import Array, dense_array, shape_and_dtype
from ..reference.checks import CheckError
from ..reference.environment import Environment
from ..reference.interpreter import Interpreter
from ..reference.values import Token, Value
from .executable_tests import Case, Outcome, Runner, references, run_interpreted
from .native_grids import GridInterpreter

SHAPE_OPERANDS: dict[str, int] = {
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_conv": 2,
    "stablehlo.dynamic_gather": 2,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_pad": 2,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.real_dynamic_slice": 1,
}
"""Ops whose operands from this one on decide on the shape of the result."""


class Program(NamedTuple):
    """Functions as one that returns what their checks look at."""

    module: ModuleOp
    entry: str
    constants: list[Array]
    """They follow the parameters that the function had."""


def is_check(op: Operation) -> bool:
    """Whether `op` is of the check dialect, or the custom call of such a name."""
    if isinstance(op, stablehlo.CustomCallOp):
        return op.call_target_name.data.startswith("check.")
    return isinstance(op, CheckOp)


def require_native(case: Case) -> None:
    """Raises UnsupportedError for checks in regions, and for functions of several blocks."""
    function = case.function
    if len(function.body.blocks) > 1:
        message = f"@{function.sym_name.data} has {len(function.body.blocks)} blocks; one can be run"
        raise UnsupportedError(message, function)
    for op in case.function.walk():
        if is_check(op) and op.parent_op() is not case.function:
            raise UnsupportedError(f"{op.name} in a region is for the reference only", op)
        if op.name == "check.expect_serialized_eq":
            raise UnsupportedError(f"{op.name} is executed by the reference interpreter only", op)


def stands_alone(case: Case) -> bool:
    """Whether the function is closed and reads no queue: such functions can be compiled together."""
    if case.function.args or references(case.function):
        return False
    return not any(isinstance(op, stablehlo.InfeedOp | stablehlo.RecvOp) for op in case.function.walk())


def merge(cases: Sequence[Case]) -> Program:
    """One function that does what all `cases` do; they stand alone, or it is one.

    It returns, case by case, the results and then the operands of the checks.
    """
    first = cases[0].function
    block = Block(arg_types=first.function_type.inputs.data)
    constants: list[Array] = []
    returned: list[SSAValue] = []
    for case in cases:
        values: dict[SSAValue, SSAValue] = dict(zip(case.function.args, block.args, strict=False))
        checked: list[SSAValue] = []
        for op in case.function.body.block.ops:
            if is_check(op):
                checked += [values[operand] for operand in op.operands]
                for result in op.results:
                    type = cast(TensorType[Attribute], result.type)
                    passed = stablehlo.ConstantOp(splat_attribute(type, pack_element(type.element_type, 1)))
                    block.add_op(passed)
                    values[result] = passed.output
            elif isinstance(op, func.ReturnOp):
                returned += [values[operand] for operand in op.operands]
            elif isinstance(op, stablehlo.ConstantOp) and not _decides_on_shapes(op.output):
                constants.append(dense_array(op.value).astype(shape_and_dtype(op.output.type)[1], copy=False))
                values[op.output] = block.insert_arg(op.output.type, len(block.args))
            else:
                block.add_op(op.clone(values))
        returned += checked
    block.add_op(func.ReturnOp(*returned))
    name = first.sym_name.data
    type = FunctionType.from_lists([arg.type for arg in block.args], [value.type for value in returned])
    function = FuncOp(name, type, Region(block))
    function.location = first.location
    others = [op.clone() for op in cases[0].module.ops if op is not first] if references(first) else list[Operation]()
    return Program(ModuleOp([function, *others]), name, constants)


def _decides_on_shapes(value: SSAValue) -> bool:
    return any(use.index >= SHAPE_OPERANDS.get(use.operation.name, use.index + 1) for use in value.uses)


def native_runner(
    *,
    threads: int | None = None,
    pipeline: str = "xla-cpu",
    vector_bits: int | None = None,
    opt_level: int = 2,
    cost_model: CostModel | None = None,
    passes: Sequence[str] = (),
    dump_dir: str | None = None,
    verify: bool = False,
    seed: int = 0,
    probe_directory: str | None = None,
    denormals: Denormals | None = None,
) -> Runner:
    """Runs functions as code compiled with these options, which are those of `compile`."""
    from ..runtime.compiler import compile

    compile_with_options = partial(
        compile,
        threads=threads,
        pipeline=pipeline,
        vector_bits=vector_bits,
        opt_level=opt_level,
        cost_model=cost_model,
        passes=passes,
        dump_dir=dump_dir,
        verify=verify,
        cache=False,
        denormals=denormals,
    )

    def environment() -> Environment:
        return Environment(seed=seed, probe_directory=probe_directory or None, denormals=denormals or DEFAULT)

    def run_together(cases: Sequence[Case], arguments: Sequence[Array]) -> list[Outcome]:
        program = merge(cases)
        executable = compile_with_options(program.module, entry=program.entry).with_environment(environment())
        return outcomes(cases, executable(*arguments, *program.constants))

    def run_one(case: Case, arguments: Sequence[Array]) -> Outcome:
        try:
            require_native(case)
            if any(isinstance(op, RunParallelOp) for op in case.function.walk()):
                return run_interpreted(
                    GridInterpreter(case.module, environment(), compile_with_options), case, arguments
                )
            return run_together([case], arguments)[0]
        except (XlaError, InternalError) as error:
            return Outcome((), [error if isinstance(error, XlaError) else XlaError(str(error), case.function)])

    return lambda cases, arguments: run_all(cases, arguments, run_together, run_one)


def run_all(
    cases: Sequence[Case],
    arguments: Sequence[Array],
    run_together: Callable[[Sequence[Case], Sequence[Array]], list[Outcome]],
    run_one: Callable[[Case, Sequence[Array]], Outcome],
) -> Iterator[Outcome]:
    """The outcomes of `cases`: together, where they stand alone and compile, else one by one."""
    together = [case for case in cases if stands_alone(case)] if not arguments else []
    done: dict[FuncOp, Outcome] = {}
    if len(together) > 1:
        try:
            for case in together:
                require_native(case)
            done = dict(zip([case.function for case in together], run_together(together, arguments), strict=True))
        except (XlaError, InternalError):
            done = {}
    for case in cases:
        yield done.get(case.function) or run_one(case, arguments)


def outcomes(cases: Sequence[Case], values: Sequence[Value]) -> list[Outcome]:
    """Results and failing checks of each case, from what the merged function returned."""
    rest = iter(values)

    def take(types: Sequence[Attribute]) -> list[Value]:
        return [value if isinstance(value := next(rest), Token | tuple) else np.asarray(value) for _ in types]

    found: list[Outcome] = []
    interpreter = Interpreter()
    for case in cases:
        results = take(case.function.function_type.outputs.data)
        errors: list[XlaError] = []
        for check in filter(is_check, case.function.body.block.ops):
            try:
                interpreter.evaluate(check, take(check.operand_types))
            except CheckError as error:
                errors.append(error)
        found.append(Outcome(results, errors))
    return found
