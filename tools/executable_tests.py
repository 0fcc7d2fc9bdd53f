"""Executable test files: functions without parameters whose `check` ops say what the values must be.

The files are those of upstream's `stablehlo-translate --interpret` (stablehlo/tests/interpret): cases separated by
`// -----`, each a module. Of a module with a function `main` that function is run, of any other every public function
that no other op refers to. All checks of a function are evaluated, also after one that does not hold. What a function
returns is printed the way upstream prints it. Arguments, where functions have parameters, come from `--args`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import ParseError

from ..decisions.denormals import DEFAULT, Denormals
from ..dialects.dense_syntax import parse_dense
from ..dialects.fast_tokens import TokenParser
from ..errors import XlaError
from ..passes.stablehlo.stablehlo_refuse_internals import refuse_internals
from ..reference.arrays import Array, dense_array
from ..reference.checks import CheckError
from ..reference.environment import Environment
from ..reference.instruments import describe as describe_value
from ..reference.interpreter import Interpreter, checked_arguments
from ..reference.values import Value
from ..runtime.entry import is_private
from ..runtime.mlir_text import parse_module
from ..runtime.program_context import new_context
from ..runtime.verifying import verify_module
from .reporting import FAILURE, SUCCESS, UsageError, describe

SEPARATOR = "// -----"

COMMENT = re.compile("//.*")

ARGS_FORM = "--args=[dense<1> : tensor<2xi32>, ...], --args=@FILE or --args=@A.npy,@B.npy"


class Case(NamedTuple):
    """A function to run, and its module."""

    module: ModuleOp
    function: FuncOp


class Outcome(NamedTuple):
    """What a function returned, unless it failed, and the errors of its checks or the one that ended it."""

    results: Sequence[Value]
    errors: Sequence[XlaError]


Runner = Callable[[Sequence[Case], Sequence[Array]], Iterable[Outcome]]
"""Runs functions, each on the same arguments."""


class CheckingInterpreter(Interpreter):
    """Notes failing checks and goes on."""

    def __init__(self, module: Operation | None, environment: Environment | None):
        super().__init__(module, environment)
        self.failures: list[CheckError] = []

    def evaluate(self, op: Operation, operands: Sequence[Value]) -> tuple[Value, ...]:
        try:
            return super().evaluate(op, operands)
        except CheckError as error:
            if op.results:
                raise
            self.failures.append(error)
            return ()


def split_file(text: bytes) -> Iterator[tuple[str, int]]:
    """The parts of a file between separators, each with the number of lines before it; none of comments alone."""
    line = 0
    for part in text.decode("utf-8").split(SEPARATOR):
        if COMMENT.sub("", part).strip():
            yield part, line
        line += part.count("\n")


def read_cases(
    text: bytes, filename: str, *, split: bool, entry: str | None = None
) -> tuple[list[Case], list[XlaError]]:
    """The functions to run, in order; of each module `entry`, if given. Modules that are wrong are errors."""
    cases: list[Case] = []
    errors: list[XlaError] = []
    for part, line_offset in split_file(text) if split else [(text, 0)]:
        try:
            module = parse_module(part, filename, line_offset=line_offset)
            verify_module(module)
            refuse_internals(module)
            cases += [Case(module, function) for function in entry_functions(module, entry)]
        except XlaError as error:
            errors.append(error)
    return cases, errors


def entry_functions(module: ModuleOp, name: str | None = None) -> list[FuncOp]:
    """`name`, else `main`, else the public functions that nothing refers to."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration}
    if name is not None:
        if name not in functions:
            raise XlaError(f"no function '@{name}' to execute; functions: {', '.join(map('@'.__add__, functions))}")
        return [functions[name]]
    if "main" in functions:
        return [functions["main"]]
    public = [function for function in functions.values() if not is_private(function)]
    referenced = references(module) if len(public) > 1 else set[str]()
    return [function for function in public if function.sym_name.data not in referenced]


def references(root: Operation) -> set[str]:
    """The symbols that ops inside `root` name."""
    found: set[str] = set()
    for op in root.walk():
        for attribute in (*op.attributes.values(), *op.properties.values()):
            _collect_references(attribute, found)
    return found


def _collect_references(attribute: Attribute, found: set[str]) -> None:
    if isinstance(attribute, SymbolRefAttr):
        found.add(attribute.string_value())
        return
    data = getattr(attribute, "data", None)
    if isinstance(data, tuple):
        for element in cast(tuple[object, ...], data):
            if isinstance(element, Attribute):
                _collect_references(element, found)


def parse_arguments(text: str) -> list[Array]:
    """The arguments that the value of `--args` stands for. Raises `UsageError`."""
    files = [part.strip() for part in re.split(r",\s*(?=@)", text)] if text.startswith("@") else []
    if files and all(file.endswith(".npy") for file in files):
        try:
            return [np.load(file[1:], allow_pickle=False) for file in files]
        except (OSError, ValueError, EOFError) as error:
            raise UsageError(f"--args: failed to read NumPy args file: {error}") from error
    if len(files) > 1:
        raise UsageError("--args: several files must all be .npy files")
    if files:
        try:
            text = Path(files[0][1:]).read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--args: failed to read args file: {error}") from error
    parser = TokenParser(new_context(), text, "--args")
    try:
        if parser.parse_optional_punctuation("[") is None:
            raise UsageError(f"--args: expected an array, i.e. {ARGS_FORM}")
        if parser.parse_optional_punctuation("]") is not None:
            return []
        arguments = [parse_dense(parser)]
        while parser.parse_optional_punctuation(","):
            arguments.append(parse_dense(parser))
        parser.parse_punctuation("]")
    except ParseError as error:
        reason = " ".join(error.msg.split())
        raise UsageError(f"--args: expected dense elements ({reason}), i.e. {ARGS_FORM}") from error
    return [dense_array(argument) for argument in arguments]


def run_interpreted(interpreter: CheckingInterpreter, case: Case, arguments: Sequence[Array]) -> Outcome:
    """The outcome of a function that `interpreter` runs."""
    try:
        values = checked_arguments(case.function, arguments)
        results = interpreter.call(case.function.sym_name.data, values)
    except XlaError as error:
        return Outcome((), [*interpreter.failures, error])
    return Outcome(results, interpreter.failures)


def reference_runner(probe_directory: str | None, seed: int = 0, denormals: Denormals = DEFAULT) -> Runner:
    """Runs functions with the reference interpreter."""

    def run_one(case: Case, arguments: Sequence[Array]) -> Outcome:
        environment = Environment(seed=seed, probe_directory=probe_directory or None, denormals=denormals)
        return run_interpreted(CheckingInterpreter(case.module, environment), case, arguments)

    return lambda cases, arguments: (run_one(case, arguments) for case in cases)


def _missing(case: Case, arguments: Sequence[Array]) -> str:
    """How to give a test the arguments that its function takes, if none are given."""
    types = case.function.function_type.inputs.data
    if arguments or not types:
        return ""
    given = ", ".join(f"dense<...> : {type}" for type in types)
    return f", run as a test: its arguments are those of --args='[{given}]'"


def run_cases(cases: Sequence[Case], run: Runner, arguments: Sequence[Array]) -> int:
    """Runs functions, prints results on stdout and failures on stderr; the exit code."""
    failed = 0
    for case, outcome in zip(cases, run(cases, arguments), strict=True):
        name = case.function.sym_name.data
        for error in outcome.errors:
            print(f"{describe(error)}\n  in function @{name}{_missing(case, arguments)}", file=sys.stderr)
        failed += bool(outcome.errors)
        for value, type in zip(outcome.results, case.function.function_type.outputs.data, strict=False):
            print(describe_value(value, str(type)) if isinstance(value, np.ndarray) else value, flush=True)
    if failed:
        print(f"{failed} of {len(cases)} functions failed", file=sys.stderr)
    return FAILURE if failed else SUCCESS
