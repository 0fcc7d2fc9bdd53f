"""Pipelines as text, and running them.

The syntax is xDSL's (`pass-a,pass-b{option=1}`). In addition a path needs quotes only where it has blanks, commas,
braces or `=` (`apply-patterns{file=./mine.py}`), and the names of `pipelines.PIPELINES` stand for their steps. Options
given to such a name go to every step that has an option of that name: `xla-cpu{threads=2}`.
"""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, VerifyException

from ..dialects.xrt_attributes import AttributeSteps
from ..errors import InternalError, XlaError, similar_names
from ..interruptions import is_interruption
from ..pipelines import PASSES, PIPELINES, expand, pass_factories
from ..user_code import summary, user_error
from .mlir_text import verify_module

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]

Observer = Callable[["PassRun", ModuleOp], None]


class PassRun(NamedTuple):
    """A pass that has run: its place in the pipeline, from 1, and how long it took."""

    number: int
    name: str
    seconds: float


class PipelineError(XlaError):
    """A pipeline text that is malformed or names unknown passes or options."""


def option_names(pass_type: type[ModulePass]) -> set[str]:
    """The options of a pass, as its fields are named."""
    return {field.name for field in dataclasses.fields(pass_type) if field.init}


def _unknown_pass(name: str, known: Iterable[str]) -> PipelineError:
    return PipelineError(f"unknown pass '{name}'{similar_names(name, known)}")


_VALUE = re.compile(r'"(?:\\.|[^"\\])*"|\[[^\]]*\]|(?<=[=,])[^\s,={}"]+')
"""A string, a pipeline of MLIR, or a value without quotes; no string that has no end."""

_BARE = re.compile(r"[\w-]+|[-+]?[0-9]+(\.[0-9]*([eE][-+]?[0-9]+)?)?", re.ASCII)
"""What xDSL takes for a value without quotes."""


def _quoted(match: re.Match[str]) -> str:
    value = match[0]
    if value[0] in '"[' or _BARE.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\") + '"'


def _parse(text: str) -> list[ArgSpec]:
    # ArgSpecParseError is a BaseException: it must not leave this module.
    try:
        specs = list(parse_pipeline(_VALUE.sub(_quoted, text)))
    except ArgSpecParseError as error:
        message = " ".join(str(error).splitlines()[-1].split())
        if "=" in text:
            message += '; a path with blanks, commas, braces or "=" stands in quotes'
        raise PipelineError(f"malformed pipeline '{text}': {message}") from None
    return [spec.normalize_parameter_names() for spec in specs]


def _steps(
    text: str, factories: PassFactories, defaults: Mapping[str, ParameterListType]
) -> Iterator[tuple[type[ModulePass], ArgSpec]]:
    for spec in _parse(text):
        if spec.name in factories:
            pass_type = factories[spec.name]()
            names = option_names(pass_type)
            inherited = {name: value for name, value in defaults.items() if name in names}
            yield pass_type, ArgSpec(spec.name, {**inherited, **spec.parameters})
        elif spec.name in PIPELINES:
            yield from _pipeline_steps(spec, factories, defaults)
        else:
            raise _unknown_pass(spec.name, [*factories, *PIPELINES])


def _pipeline_steps(
    pipeline: ArgSpec, factories: PassFactories, defaults: Mapping[str, ParameterListType]
) -> Iterator[tuple[type[ModulePass], ArgSpec]]:
    unclaimed = set(pipeline.parameters)
    for pass_type, spec in _steps(expand(PIPELINES[pipeline.name]), factories, defaults):
        names = option_names(pass_type)
        given = {name: value for name, value in pipeline.parameters.items() if name in names}
        unclaimed -= names
        yield pass_type, ArgSpec(spec.name, {**spec.parameters, **given})
    if unclaimed:
        raise PipelineError(f"no pass of the pipeline '{pipeline.name}' has an option '{min(unclaimed)}'")


def parse_passes(
    text: str,
    factories: PassFactories | None = None,
    defaults: Mapping[str, ParameterListType] | None = None,
) -> list[ModulePass]:
    """The passes that `text` names, in order.

    `factories` are the known passes (xDSL's and this package's if not given). `defaults` are
    values of options for all passes that have them and for which `text` says nothing. Raises
    `PipelineError`.
    """
    if factories is None:
        return list(_known_passes(text, tuple((defaults or {}).items())))
    return list(_instances(text, factories, defaults or {}))


@lru_cache(maxsize=64)
def _known_passes(text: str, defaults: tuple[tuple[str, ParameterListType], ...]) -> tuple[ModulePass, ...]:
    """Passes have no state, so that a pipeline is put together once."""
    return tuple(_instances(text, {**get_all_passes(), **pass_factories()}, dict(defaults)))


def _instances(text: str, factories: PassFactories, defaults: Mapping[str, ParameterListType]) -> Iterator[ModulePass]:
    for pass_type, spec in _steps(text, factories, defaults):
        try:
            yield pass_type.from_spec(spec)
        except ValueError as error:
            raise PipelineError(f"pass '{spec.name}': {error}") from None


def run_passes(
    context: Context,
    module: ModuleOp,
    passes: Iterable[ModulePass],
    *,
    observe: Observer | None = None,
    verify: bool = False,
) -> None:
    """Run `passes` over `module` in place, calling `observe` after each of them and, with `verify`, the verifier,
    which also sees to it that each pass writes those attributes only that `dialects/xrt_attributes.py` allows it.

    Raises the `XlaError` of a pass as it is, and `InternalError` for any other exception and for
    IR that a pass left invalid.
    """
    steps = AttributeSteps(module) if verify else None
    for number, module_pass in enumerate(passes, 1):
        start = time.perf_counter()
        try:
            module_pass.apply(context, module)
        except XlaError:
            raise
        except Exception as error:
            if is_interruption(error):
                raise
            raise error_of_pass(module_pass, error) from error
        run = PassRun(number, module_pass.name, time.perf_counter() - start)
        if observe is not None:
            observe(run, module)
        if steps is not None:
            try:
                verify_module(module)
                steps.check(module_pass.name, module, declared=module_pass.name in PASSES)
            except XlaError as error:
                raise InternalError(f"internal error: invalid IR after pass {module_pass.name}: {error}") from error


def error_of_pass(module_pass: ModulePass, error: Exception) -> Exception:
    """What is reported for `error`, which a pass has raised: of code of a user, with its file and line."""
    if isinstance(error, DiagnosticException) and not isinstance(error, VerifyException):
        return XlaError(f"pass {module_pass.name}: {' '.join(str(error).split())}")
    if (users := user_error(error, f"pass {module_pass.name}")) is not None:
        return users
    return InternalError(f"internal error in pass {module_pass.name}: {summary(error)}")
