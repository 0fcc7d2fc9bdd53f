"""Pipelines as text, and running them.

The syntax is xDSL's (`pass-a,pass-b{option=1}`). In addition a path needs quotes only where it has blanks, commas,
braces or `=` (`apply-patterns{file=./mine.py}`), and the names of `pipelines.PIPELINES` stand for their steps. Options
given to such a name go to every step that has an option of that name: `xla-cpu{threads=2}`. Pipelines may nest, as
MLIR's do (`nested_passes.py`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, VerifyException

from ..dialects import locating
from ..dialects.xrt_attribute_checks import AttributeSteps
from ..errors import InternalError, XlaError, similar_names
from ..interruptions import is_interruption, raise_missed
from ..pipelines import PASSES, PIPELINES, SUBJECTS, Step, expand, pass_factories
from ..user_code import UserCodeError, summary, user_error
from .deferred_passes import DeferredPass, names_in
from .extensions.definitions import NOTHING, Definition, Definitions, is_pass, loaded, steps_of
from .extensions.installed import installed, problems_in_words
from .nested_passes import Anchored, NestedPasses, PipelineError, alone, as_root, nodes, symbol_of, without_top_anchor
from .pass_options import option_names, option_problem
from .threads import MAX_THREADS
from .verifying import verify_module

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]

Observer = Callable[["PassRun", ModuleOp], None]


class PassRun(NamedTuple):
    """A pass that has run: its place in the pipeline, from 1, and how long it took."""

    number: int
    name: str
    seconds: float


_VALUE = re.compile(r'"(?:\\.|[^"\\])*"|\[[^\]]*\]|(?<=[=,])[^\s,={}"]+')
"""A string, a pipeline of MLIR, or a value without quotes; no string that has no end."""

_BLANKS = re.compile(r"""("(?:\\.|[^"\\])*")|(?<=[,{])\s+|\s+(?=[,{}])""")
"""A string, or blanks that mean nothing: around commas and inside the ends of braces, as MLIR takes them."""

_BARE = re.compile(r"[\w-]+|[-+]?[0-9]+(\.[0-9]*([eE][-+]?[0-9]+)?)?", re.ASCII)
"""What xDSL takes for a value without quotes."""


def _quoted(match: re.Match[str]) -> str:
    value = match[0]
    if value[0] in '"[' or _BARE.fullmatch(value):
        return value
    return '"' + value.replace("\\", "\\\\") + '"'


def _parse(text: str) -> list[ArgSpec]:
    # ArgSpecParseError is a BaseException: it must not leave this module.
    plain = _BLANKS.sub(lambda match: match[1] or "", text.strip())
    try:
        specs = list(parse_pipeline(_VALUE.sub(_quoted, plain)))
    except ArgSpecParseError as error:
        message = " ".join(str(error).splitlines()[-1].split())
        if "=" in text:
            message += '; a path with blanks, commas, braces or "=" stands in quotes'
        raise PipelineError(f"malformed pipeline '{text}': {message}") from None
    return [spec.normalize_parameter_names() for spec in specs]


class _Names:
    """What the names in a pipeline stand for: those of `definitions` first, then this package's and xDSL's, and those
    of installed packages, which are looked for when a name is none of these.
    """

    def __init__(self, factories: PassFactories, definitions: Definitions, defers: bool = False) -> None:
        self._factories = factories
        self._definitions = definitions
        self.defers = defers
        """Whether passes with a subject are imported later."""

    def pass_of(self, name: str) -> type[ModulePass] | ModulePass | None:
        """The class, or an instance with options of its own. Raises `XlaError` for one of others that is no pass."""
        if (definition := self._definitions.passes.get(name)) is not None:
            return _pass_of(name, definition)
        if name in self._definitions.pipelines:
            return None
        if (factory := self._factories.get(name)) is not None:
            return factory()
        if name in PIPELINES:
            return None
        definition = installed().definitions.passes.get(name)
        return None if definition is None else _pass_of(name, definition)

    def pipeline_of(self, name: str) -> Sequence[Step] | None:
        if (definition := self._definitions.pipelines.get(name)) is not None:
            return steps_of(name, definition)
        if (steps := PIPELINES.get(name)) is not None:
            return steps
        definition = installed().definitions.pipelines.get(name)
        return None if definition is None else steps_of(name, definition)

    def unknown(self, name: str) -> PipelineError:
        """The error for a name that stands for nothing."""
        given, others = self._definitions, installed().definitions
        known = [*self._factories, *PIPELINES]
        for each in (given, others):
            known += [*each.passes, *each.pipelines]
        return PipelineError(f"unknown pass '{name}'{similar_names(name, known)}{problems_in_words()}")


def _pass_of(name: str, definition: Definition) -> type[ModulePass] | ModulePass:
    found = loaded("pass", name, definition)
    if isinstance(found, ModulePass) or is_pass(found):
        return found
    raise PipelineError(
        f"pass '{name}' of {definition.origin} is no class of ModulePass with a name but {found!r:.200}"
    )


class _PassStep(NamedTuple):
    """A pass of a pipeline, which is yet to be made: its options, and values for those that say nothing."""

    source: type[ModulePass] | ModulePass
    spec: ArgSpec
    defaults: Mapping[str, ParameterListType]
    pipeline: str = ""
    """The pipeline that it is a part of."""

    def options(self) -> set[str]:
        return set(option_names(self.source if isinstance(self.source, type) else type(self.source)))

    def with_options(self, given: Mapping[str, ParameterListType]) -> _PassStep:
        """`given` take the place of options of the same name."""
        return self._replace(spec=ArgSpec(self.spec.name, {**self.spec.parameters, **given}))

    def instance(self) -> ModulePass:
        """Raises `PipelineError` for options that the pass does not take."""
        try:
            instance = self._instance()
            threads = getattr(instance, "threads", 1)
            if self.spec.name in PASSES and not 1 <= threads <= MAX_THREADS:
                raise ValueError(f"threads: expected a number from 1 to {MAX_THREADS}, got {threads}")
            return instance
        except ValueError as error:
            raise PipelineError(f"pass '{self.spec.name}'{self._whose()}: {self._problem() or error}") from None
        except XlaError:
            raise
        except (Exception, SystemExit) as error:
            if is_interruption(error):
                raise
            raise user_error(error, f"pass {self.spec.name}") or error from error

    def _whose(self) -> str:
        return f" of '{self.pipeline}'" if self.pipeline else ""

    def _problem(self) -> str | None:
        return option_problem(self.source if isinstance(self.source, type) else type(self.source), self.spec.parameters)

    def _instance(self) -> ModulePass:
        options = self.options()
        defaults = {name: value for name, value in self.defaults.items() if name in options}
        source = self.source
        if isinstance(source, type):
            return source.from_spec(ArgSpec(self.spec.name, {**defaults, **self.spec.parameters}))
        if not defaults and not self.spec.parameters:
            return source
        own = source.spec().normalize_parameter_names().parameters
        return type(source).from_spec(ArgSpec(self.spec.name, {**defaults, **own, **self.spec.parameters}))


def _steps(
    text: str, names: _Names, defaults: Mapping[str, ParameterListType], around: tuple[str, ...] = ()
) -> Iterator[_PassStep]:
    """`around` are the pipelines that this one is a part of."""
    for spec in _parse(text):
        if names.defers and spec.name in SUBJECTS:
            yield _PassStep(_deferred(spec.name, names, defaults), spec, {})
        elif (found := names.pass_of(spec.name)) is not None:
            yield _PassStep(found, spec, defaults)
        elif (steps := names.pipeline_of(spec.name)) is not None:
            if spec.name in around:
                raise PipelineError(f"a pipeline contains itself: {' > '.join((*around, spec.name))}")
            yield from _pipeline_steps(spec, expand(steps), names, defaults, (*around, spec.name))
        else:
            raise names.unknown(spec.name)


def _deferred(name: str, names: _Names, defaults: Mapping[str, ParameterListType]) -> DeferredPass:
    """The pass `name` without options of its own."""

    @cache
    def load() -> ModulePass:
        source = names.pass_of(name)
        assert source is not None
        return _PassStep(source, ArgSpec(name, {}), defaults).instance()

    return DeferredPass(name, load)


def _pipeline_steps(
    pipeline: ArgSpec, text: str, names: _Names, defaults: Mapping[str, ParameterListType], around: tuple[str, ...]
) -> Iterator[_PassStep]:
    unclaimed = set(pipeline.parameters)
    for step in _steps(text, names, defaults, around):
        options = step.options()
        unclaimed -= options
        given = {name: value for name, value in pipeline.parameters.items() if name in options}
        yield step.with_options(given)._replace(pipeline=pipeline.name)
    if unclaimed:
        raise PipelineError(f"no pass of the pipeline '{pipeline.name}' has an option '{min(unclaimed)}'")


def parse_passes(
    text: str,
    factories: PassFactories | None = None,
    defaults: Mapping[str, ParameterListType] | None = None,
    definitions: Definitions = NOTHING,
    *,
    deferred: bool = False,
) -> list[ModulePass]:
    """The passes that `text` names, in order.

    `factories` are the known passes (xDSL's and this package's if not given). `defaults` are values of options for all
    passes that have them and for which `text` says nothing. `definitions` are what files or callers define; those of
    installed packages are known too. `deferred`: whether passes of `SUBJECTS` are imported where they have work only.
    Raises `PipelineError`, and `XlaError` for passes of others that cannot be loaded.
    """
    if factories is None and not definitions:
        # An option may be one of a pass that is not imported yet.
        return list(_known_passes(text, tuple((defaults or {}).items()), deferred and "{" not in text))
    if factories is None:
        factories = _own_factories()
    return list(_instances(text, _Names(factories, definitions), defaults or {}))


def _own_factories() -> PassFactories:
    return {**get_all_passes(), **pass_factories()}


@lru_cache(maxsize=64)
def _known_passes(
    text: str, defaults: tuple[tuple[str, ParameterListType], ...], deferred: bool
) -> tuple[ModulePass, ...]:
    """Passes have no state, so that a pipeline is put together once."""
    return tuple(_instances(text, _Names(_own_factories(), NOTHING, deferred), dict(defaults)))


def _instances(text: str, names: _Names, defaults: Mapping[str, ParameterListType]) -> Iterator[ModulePass]:
    if "(" in text and any(isinstance(node, Anchored) for node in nodes(text)):
        yield from _nested_instances(without_top_anchor(text), names, defaults)
    else:
        yield from (step.instance() for step in _steps(text, names, defaults))


def _nested_instances(text: str, names: _Names, defaults: Mapping[str, ParameterListType]) -> Iterator[ModulePass]:
    for node in nodes(text):
        if isinstance(node, Anchored):
            yield NestedPasses(node.anchor, tuple(_nested_instances(node.text, names, defaults)))
        else:
            yield from _instances(node, names, defaults)


class Instrument:
    """What looks on while passes run: each method is called with the pass and the op it runs on."""

    def before_nested(self, nested: NestedPasses, op: Operation) -> None:
        """Passes are about to run on ops inside `op`."""

    def after_nested(self, nested: NestedPasses, op: Operation) -> None:
        """They have run on all of them."""

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        """The pass is about to run."""

    def after_pass(self, module_pass: ModulePass, op: Operation, seconds: float) -> None:
        """The pass has run, for so long, and what it has left is valid."""

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: XlaError | InternalError) -> None:
        """The pass has failed with `error`, or has left IR that is invalid for that reason."""


def run_passes(
    context: Context,
    module: ModuleOp,
    passes: Iterable[ModulePass],
    *,
    observe: Observer | None = None,
    verify: bool = False,
    instruments: Sequence[Instrument] = (),
) -> None:
    """Run `passes` over `module` in place, calling `observe` after each of them and, with `verify`, the verifier,
    which also sees to it that each pass writes those attributes only that `dialects/xrt_attributes.py` allows it.

    Raises the `XlaError` of a pass as it is, and `InternalError` for any other exception and for
    IR that a pass left invalid.
    """
    run = _Run(context, instruments, verify, AttributeSteps(module) if verify else None)
    for number, module_pass in enumerate(passes, 1):

        def observed(seconds: float, number: int = number, module_pass: ModulePass = module_pass) -> None:
            if observe is not None:
                observe(PassRun(number, module_pass.name, seconds), module)

        if type(module_pass) is NestedPasses:
            start = time.perf_counter()
            run.nested(module_pass, module)
            observed(time.perf_counter() - start)
        else:
            run.single(module_pass, module, observed)


class _Run:
    """Passes that run over a module. `steps` are those of the module, if what passes leave is verified."""

    def __init__(
        self, context: Context, instruments: Sequence[Instrument], verify: bool, steps: AttributeSteps | None
    ) -> None:
        self.context = context
        self.instruments = instruments
        self.verify = verify
        self.steps = steps
        self._names: AbstractSet[str] | None = None
        """Of what is in the module, if they are known."""

    def nested(self, nested: NestedPasses, op: Operation) -> None:
        """Run passes on each of the ops inside `op` that they are meant for."""
        for instrument in self.instruments:
            instrument.before_nested(nested, op)
        for child in nested.ops_of(op):
            current: Operation | None = child
            for module_pass in nested.passes:
                if current is None:
                    break
                if isinstance(module_pass, NestedPasses):
                    self.nested(module_pass, current)
                else:
                    current = self.single(module_pass, current)
        for instrument in self.instruments:
            instrument.after_nested(nested, op)
        self._names = None
        if self.steps is not None and isinstance(op, ModuleOp) and op.parent is None:
            self.steps = AttributeSteps(op)

    def single(
        self, module_pass: ModulePass, op: Operation, observed: Callable[[float], None] | None = None
    ) -> Operation | None:
        """Run one pass on `op` and verify what it has left; what stands in place of `op` then. `observed` gets the
        seconds it took before anything is verified.
        """
        if not self.instruments and not self.verify and isinstance(op, ModuleOp) and op.parent is None:
            seconds = self._applied(module_pass, op)
            if observed is not None:
                observed(seconds)
            return op
        for instrument in self.instruments:
            instrument.before_pass(module_pass, op)
        is_whole = op.parent is None
        if not is_whole:
            self._names = None
        place = as_root(op) if isinstance(op, ModuleOp) else alone(op)
        try:
            with place as (module, successors):
                steps = self.steps if is_whole else None
                if self.verify and steps is None:
                    steps = AttributeSteps(module)
                try:
                    seconds = self._applied(module_pass, module)
                except InternalError as error:
                    if isinstance(op, ModuleOp) or module_pass.name not in PASSES or isinstance(error, UserCodeError):
                        raise
                    raise _needs_a_program(module_pass, op, error) from error
                if observed is not None:
                    observed(seconds)
                if steps is not None:
                    _verified(module_pass, module, steps)
        except (XlaError, InternalError) as error:
            for instrument in self.instruments:
                instrument.failed_pass(module_pass, op, error)
            raise
        current = successors[0] if successors else None
        for instrument in self.instruments:
            instrument.after_pass(module_pass, current or op, seconds)
        return current

    def _applied(self, module_pass: ModulePass, module: ModuleOp) -> float:
        start = time.perf_counter()
        locating.forget()
        raise_missed()
        try:
            if type(module_pass) is DeferredPass:
                self._names = self._names or names_in(module)
                if not module_pass.has_work(self._names):
                    return time.perf_counter() - start
                module_pass = module_pass.load()
            self._names = None
            module_pass.apply(self.context, module)
        except (XlaError, InternalError):
            raise
        except (Exception, SystemExit) as error:
            if is_interruption(error):
                raise
            raise error_of_pass(module_pass, error) from error
        return time.perf_counter() - start


def _needs_a_program(module_pass: ModulePass, op: Operation, error: InternalError) -> XlaError:
    """What is reported where a pass of ours fails on a part of a program: most are made for whole ones."""
    name = "" if (symbol := symbol_of(op)) is None else f" @{symbol}"
    return XlaError(f"pass {module_pass.name} works on whole programs, and was given {op.name}{name} alone ({error})")


def _verified(module_pass: ModulePass, module: ModuleOp, steps: AttributeSteps) -> None:
    try:
        verify_module(module)
        steps.check(module_pass.name, module, declared=module_pass.name in PASSES)
    except XlaError as error:
        kind = "internal error: " if module_pass.name in PASSES else ""
        raise InternalError(f"{kind}invalid IR after pass {module_pass.name}: {error}") from error


def error_of_pass(module_pass: ModulePass, error: Exception | SystemExit) -> Exception:
    """What is reported for `error`, which a pass has raised: of code of a user, with its file and line."""
    if isinstance(error, DiagnosticException) and not isinstance(error, VerifyException):
        return XlaError(f"pass {module_pass.name}: {' '.join(str(error).split())}")
    if (users := user_error(error, f"pass {module_pass.name}")) is not None:
        return users
    return InternalError(f"internal error in pass {module_pass.name}: {summary(error)}")
