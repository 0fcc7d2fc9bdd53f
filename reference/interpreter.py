"""Runs a StableHLO module with NumPy, op by op.

`run` executes a function, `run_grid` functions side by side as the processes of a grid, `evaluate_op` a single op,
`run_tests` every test function of a module. The meaning of each op stands in the family files of this package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType, UnregisteredOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.traits import IsTerminator, SymbolTable

from ..decisions.denormals import DEFAULT, FLUSH, Denormals
from ..dialects.call_graph import CallGraph
from ..dialects.limits import checked_depth
from ..dialects.stablehlo.bounds import bounds_of
from ..errors import ArgumentError, InvalidProgramError, UnsupportedError, XlaError
from ..nesting import at_depth
from . import (
    arithmetic,
    bits,
    checks,
    chlo,
    collectives,
    communication,
    contraction,
    control_flow,
    conversion,
    custom_calls,
    data_movement,
    dynamism,
    functions,
    indexing,
    instruments,
    lapack,
    linear_algebra,
    normalization,
    random,
    reduction,
    sorting,
    sparse,
    tridiagonal,
    windows,
    xla_factorizations,
)
from .arrays import Array, fits, shape_and_dtype
from .denormals import flushing
from .elementwise import ELEMENTWISE
from .environment import Environment
from .processes import Process, ProcessGrid
from .quantization import is_quantized, on_real_values
from .registry import REFERENCE, Call, require_shape
from .values import Value

FAMILIES = (
    arithmetic,
    bits,
    checks,
    chlo,
    collectives,
    communication,
    contraction,
    control_flow,
    conversion,
    custom_calls,
    data_movement,
    dynamism,
    functions,
    indexing,
    instruments,
    lapack,
    linear_algebra,
    normalization,
    random,
    reduction,
    sorting,
    sparse,
    tridiagonal,
    windows,
    xla_factorizations,
)
"""The modules whose import registers the functions of all ops."""

Result = TypeVar("Result")

Scope = dict[SSAValue, Value]


class Interpreter:
    """Evaluates ops in a scope of values; regions see the values around them."""

    def __init__(self, module: Operation | None = None, environment: Environment | None = None):
        self.module = module
        self.environment = environment or Environment()
        self._flushes = self.environment.denormals == FLUSH
        self.scope: Scope = {}

    def fork(self) -> Interpreter:
        """An interpreter of the same process that sees the values known now, and may run beside this one."""
        other = Interpreter(self.module, self.environment)
        other.scope = dict(self.scope)
        return other

    def with_environment(self, environment: Environment) -> Interpreter:
        """An interpreter of the same module in other surroundings."""
        return Interpreter(self.module, environment)

    def call(self, name: str, arguments: Sequence[Value], caller: Operation | None = None) -> tuple[Value, ...]:
        """The results of the function `name`."""
        function = self.function(name, caller)
        outer, self.scope = self.scope, {}
        try:
            return self.run_region(function.body, arguments)
        finally:
            self.scope = outer

    def function(self, name: str, caller: Operation | None = None) -> func.FuncOp:
        """The function `name`; raises UnsupportedError where there is none with a body."""
        function = None if self.module is None else SymbolTable.lookup_symbol(self.module, name)
        if not isinstance(function, func.FuncOp):
            raise UnsupportedError(f"call of unknown function @{name}", caller)
        if function.is_declaration:
            raise UnsupportedError(f"call of @{name}, which is declared only", caller)
        if len(function.body.blocks) > 1:
            raise UnsupportedError(f"@{name} has {len(function.body.blocks)} blocks; one can be run", function)
        return function

    def run_region(self, region: Region, arguments: Sequence[Value]) -> tuple[Value, ...]:
        """Runs the only block of `region`; returns the operands of its terminator."""
        block = region.block
        for argument, value in zip(block.args, arguments, strict=True):
            self.scope[argument] = value
        for op in block.ops:
            operands = [self.scope[operand] for operand in op.operands]
            if _is_terminator(op):
                return tuple(operands)
            for result, value in zip(op.results, self.evaluate(op, operands), strict=True):
                self.scope[result] = value
        return ()

    def evaluate(self, op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        """The results of `op` for `operands`, in the shapes and dtypes of its result types."""
        if isinstance(op, func.CallOp):
            return self.call(op.callee.string_value(), operands, op)
        return tuple(_checked(op, i, value) for i, value in enumerate(self._apply(op, operands)))

    def _apply(self, op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        function = REFERENCE.get(op.name)
        if function is None:
            name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
            raise UnsupportedError(f"{name} has no reference implementation", op)
        if self._flushes:
            function = flushing(op, function)
        call = Call(op, self)
        if op.name in ELEMENTWISE and len({np.shape(cast(Array, x)) for x in operands} - {()}) > 1:
            raise _unfit(op, operands)
        try:
            with np.errstate(all="ignore"):
                if is_quantized(op):
                    return on_real_values(call, function, cast(Sequence[Array], operands))
                value = function(call, *operands)
        except (MemoryError, ValueError) as error:
            if _is_too_large(error):
                raise UnsupportedError(f"'{op.name}' op: not enough memory: {error}", op) from None
            if any(bounds_of(operand.type) for operand in op.operands):
                raise _unfit(op, operands) from error
            raise
        return cast(tuple[Value, ...], value if isinstance(value, tuple) else (value,))

    def run_elementwise(self, region: Region, arguments: Sequence[Array]) -> tuple[Array, ...]:
        """`region`, a function of rank-0 tensors, for every element of equally shaped `arguments`.

        Elementwise bodies run once on whole arrays; any other body runs once an element.
        """
        shape = arguments[0].shape
        ops = list(region.block.ops)
        if all(op.name in ELEMENTWISE or _is_terminator(op) for op in ops):
            local: Scope = dict(zip(region.block.args, arguments, strict=True))
            for op in ops:
                operands = [local[o] if o in local else self.scope[o] for o in op.operands]
                if _is_terminator(op):
                    return tuple(np.broadcast_to(cast(Array, o), shape) for o in operands)
                for result, value in zip(op.results, self._apply(op, operands), strict=True):
                    local[result] = np.asarray(value).astype(shape_and_dtype(result.type)[1], copy=False)
        results: list[Array] | None = None
        for index in np.ndindex(shape):
            values = cast(Sequence[Array], self.run_region(region, [np.asarray(a[index]) for a in arguments]))
            if results is None:
                results = [np.empty(shape, v.dtype) for v in values]
            for result, value in zip(results, values, strict=True):
                result[index] = value
        if results is None:
            types = [o.type for o in region.block.last_op.operands] if region.block.last_op else []
            results = [np.empty(shape, shape_and_dtype(t)[1]) for t in types]
        return tuple(results)


def _unfit(op: Operation, operands: Sequence[Value]) -> InvalidProgramError:
    """The error for sizes of operands that only the program says, and that do not fit each other."""
    shapes = ", ".join(str(np.shape(cast(Array, operand))) for operand in operands)
    return InvalidProgramError(f"'{op.name}' op: operands of shapes {shapes} do not fit each other", op)


def _is_too_large(error: MemoryError | ValueError) -> bool:
    """Whether NumPy says that it cannot make an array of such a size."""
    return isinstance(error, MemoryError) or any(
        text in str(error) for text in ("is too big", "Maximum allowed size", "Maximum allowed dimension")
    )


def _is_terminator(op: Operation) -> bool:
    return op.has_trait(IsTerminator, value_if_unregistered=False)


def _checked(op: Operation, index: int, value: Value) -> Value:
    """`value` as result `index` of `op`, in the dtype of its type; an error if the type does not allow its shape."""
    type = op.results[index].type
    if not isinstance(type, TensorType):
        return value
    array = np.asarray(value)
    require_shape(op, index, array.shape)
    return array.astype(shape_and_dtype(cast(TensorType[Attribute], type))[1], copy=False)


def evaluate_op(op: Operation, operands: Sequence[Array], denormals: Denormals = DEFAULT) -> tuple[Array, ...]:
    """The results of the single op `op` for `operands`. `denormals`: what becomes of subnormal numbers.

    Raises UnsupportedError where the op has no reference implementation or calls a function that is not there.
    """
    module = cast(Operation, op.get_toplevel_object()) if op.parent else None
    interpreter = Interpreter(module, Environment(denormals=denormals))
    return cast(tuple[Array, ...], interpreter.evaluate(op, operands))


def find_function(module: ModuleOp, name: str) -> func.FuncOp:
    """The function `name` of `module`; raises ArgumentError where there is none."""
    function = SymbolTable.lookup_symbol(module, name)
    if not isinstance(function, func.FuncOp):
        raise ArgumentError(f"the module has no function @{name}")
    return function


def checked_arguments(function: func.FuncOp, arguments: Sequence[Any]) -> list[Value]:
    """`arguments` as values; raises ArgumentError where they do not have the types of the parameters."""
    name = function.sym_name.data
    types = function.function_type.inputs.data
    if len(types) != len(arguments):
        raise ArgumentError(f"@{name} takes {len(types)} arguments, got {len(arguments)}")
    values: list[Value] = []
    for i, (type, argument) in enumerate(zip(types, arguments, strict=True)):
        if isinstance(type, TensorType):
            tensor_type = cast(TensorType[Attribute], type)
            shape, dtype = shape_and_dtype(tensor_type)
            argument = np.asarray(argument)
            if not fits(argument.shape, tensor_type) or argument.dtype != dtype:
                got = f"{argument.dtype.name}{list(argument.shape)}"
                raise ArgumentError(f"argument {i} of @{name}: expected {dtype.name}{list(shape)}, got {got}")
        values.append(cast(Value, argument))
    return values


def _deep_enough(module: ModuleOp, function: Callable[[], Result]) -> Result:
    """What `function`, which interprets `module`, returns. Regions and calls of the program are calls of Python."""
    return at_depth(checked_depth(module) * (1 + CallGraph(module).checked_depth()), function)


def run(
    module: ModuleOp, entry: str, arguments: Sequence[Any], environment: Environment | None = None
) -> tuple[Array, ...]:
    """The results of the function `entry` of `module`.

    Tokens and tuples are `TOKEN` and Python tuples of arrays. Raises ArgumentError where `arguments` do not have the
    types of the function's parameters, and another XlaError where the program fails.
    """
    values = checked_arguments(find_function(module, entry), arguments)
    return cast(tuple[Array, ...], _deep_enough(module, lambda: Interpreter(module, environment).call(entry, values)))


def run_grid(
    module: ModuleOp,
    programs: Sequence[Sequence[str]],
    arguments: Sequence[Sequence[Sequence[Any]]],
    environment: Environment | None = None,
) -> list[list[tuple[Array, ...]]]:
    """The results of function `programs[i][j]` on `arguments[i][j]` as partition j of replica i.

    All processes share the host of `environment`. Raises the first error of a process, and one that says who waits for
    what if the processes wait for each other.
    """
    surroundings = environment or Environment()
    grid = ProcessGrid(len(programs), len(programs[0]))

    def function(name: str, values: Sequence[Any]) -> Callable[[Process], Any]:
        checked = checked_arguments(find_function(module, name), values)

        def call(process: Process) -> Any:
            return _deep_enough(
                module, lambda: Interpreter(module, surroundings.of_process(process)).call(name, checked)
            )

        return call

    tasks = {(i, j): function(name, arguments[i][j]) for i, row in enumerate(programs) for j, name in enumerate(row)}
    results = grid.run(tasks)
    return [[results[i, j] for j in range(grid.partitions)] for i in range(grid.replicas)]


class FailedTest(NamedTuple):
    """A test function that raised an error."""

    function: str
    error: XlaError

    def __str__(self) -> str:
        return f"@{self.function}: {self.error}"


def names_of_tests(module: ModuleOp) -> list[str]:
    """The public functions without parameters that have a body."""
    return [
        op.sym_name.data
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and not op.is_declaration
        and not op.function_type.inputs.data
        and (op.sym_visibility is None or op.sym_visibility == StringAttr("public"))
    ]


def run_tests(module: ModuleOp, environment: Environment | None = None) -> list[FailedTest]:
    """Runs every test function of `module` in order, as upstream's interpreter runs its test files.

    A test fails where it raises an error, such as that of a `check` op that does not hold.
    """
    failures: list[FailedTest] = []
    for name in names_of_tests(module):
        try:
            _deep_enough(module, lambda name=name: Interpreter(module, environment).call(name, []))
        except XlaError as error:
            failures.append(FailedTest(name, error))
    return failures
