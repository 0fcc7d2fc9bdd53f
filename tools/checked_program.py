"""One program on its way through the passes of a check: what it computes after some of them, and whether that is right.

`pass_checks.py` looks for the first wrong pass with it, `pass_reduction.py` for the least program.
"""

from __future__ import annotations

import dataclasses
import io
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ParameterListType

from ..decisions.denormals import DEFAULT, Denormals
from ..dialects.editing import walk
from ..dialects.printing import ExactPrinter
from ..errors import InternalError, UnsupportedError, XlaError
from ..pipelines import XLA_CPU, XLA_CPU_O0, expand
from ..reference.environment import Environment
from ..reference.registry import REFERENCE
from ..runtime.compiler import Request
from ..runtime.entry import final_signature
from ..runtime.pass_manager import parse_passes, run_passes
from ..runtime.program_facts import lowered_entry
from ..runtime.signature import Signature, tensors_of
from ..user_code import UserCodeError, is_of_this_package
from .comparison import EXACT, NOT_ASKED, AskedTolerance, Tolerance, default_tolerance
from .conditioning import Spread, input_spread, mismatch_beyond, rounding_spread
from .differential import ROUNDS_SECONDS, Arrays, Difference, Subject, count_rounds, differences
from .effects import Effect, Feeds, RecordingHost
from .isolated_runs import IsolatedRuns, Outcome, Run, Task
from .observed_runs import Recording, run_observed
from .trials import trial_of

REQUIRED = {step.spec for step in XLA_CPU if step.required}
"""Without these passes the next level cannot be reached. Others, also those of users, are left out if that works."""

LEVELS = ("builtin.", "func.", "stablehlo.", "chlo.")
"""How the names of ops begin that the reference can run."""

ALSO_RUN = ("arith.constant", "tensor.cast", "sdy.", "interpreter.", "check.")
"""Other ops that it can run."""

ROUND_SECONDS = 0.1
"""What the reference may take for one of the rounds behind the first."""

LEAST_SECONDS, LONGER = 10.0, 20.0
"""What the reference may take after a pass: so many seconds, or so many times what it took before all of them. A pass
may have left a loop that does not end.
"""

LONG_SECONDS = 2.0
"""If the reference takes longer for a program, native code is run after passes that it could judge, too."""


def is_interpretable(module: ModuleOp) -> bool:
    """Whether the reference can run a module, as far as the names of its ops say. A user's op may have a meaning."""
    return all(op.name.startswith((*LEVELS, *ALSO_RUN)) or op.name in REFERENCE for op in walk(module))


class Verdict(NamedTuple):
    """What is wrong with a program after some passes; nothing, if it is right."""

    failure: str = ""
    differences: Sequence[Difference] = ()

    def __bool__(self) -> bool:
        return bool(self.failure or self.differences)


RIGHT = Verdict()


@dataclass
class Row:
    """Inputs of one kind, and what the program makes of them."""

    kind: str
    """Its name; behind a comma which round, from the second on."""
    inputs: Arrays
    wanted: Run | None = None
    """What the reference gives; None where it cannot run the program."""
    plain: Run | None = None
    """What the shortest way gives: a difference that it has too is not that of a later pass."""
    spread: Sequence[Spread] | None = None
    """How well the program determines its outputs, once that is asked for."""
    has_spread: bool = False


@dataclass
class Setup:
    """What a check does with each program."""

    context: Context
    passes: Sequence[ModulePass]
    request: Request
    grid: tuple[int, int]
    runs: IsolatedRuns
    seed: int = 0
    tolerance: AskedTolerance = NOT_ASKED
    notes: dict[str, None] = field(default_factory=dict[str, None])
    """What is not wrong but worth knowing."""

    @property
    def denormals(self) -> Denormals:
        """What becomes of subnormal numbers."""
        return self.request.denormals or DEFAULT

    def ways_down(self, done: int) -> Iterator[Sequence[ModulePass]]:
        """Passes that may bring a program from where the first `done` have left it to the last level: those still to
        come without which it does not get there, then all of them, then those of `xla-cpu` that follow.
        """
        rest = self.passes[done:]
        needed = [module_pass for module_pass in rest if module_pass.name in REQUIRED]
        yield needed
        if len(needed) < len(rest):
            yield rest
        own = [step.spec for step in XLA_CPU_O0]
        known = [own.index(p.name) for p in self.passes if p.name in own]
        starts = [known[-1] + 1, 0] if known else [0, *(own.index(name) + 1 for name in ENDS_OF_LEVELS)]
        for start in dict.fromkeys(starts):
            if start < len(own):
                defaults: dict[str, ParameterListType] = {
                    "threads": (self.request.threads,),
                    "replicas": (self.grid[0],),
                }
                defaults["partitions"] = (self.grid[1],)
                defaults["denormals"] = (self.denormals,)
                yield [*needed, *parse_passes(expand(XLA_CPU_O0[start:]), defaults=defaults)]


ENDS_OF_LEVELS = (
    "convert-stablehlo-to-linalg",
    "convert-tensor-to-memref",
    "convert-linalg-to-affine",
    "memref-assign-arena",
    "convert-affine-to-scf",
    "convert-scf-to-cf",
)
"""Where programs on a lower level may join the way down."""


class CheckedProgram:
    """A program, its inputs, and its outputs after any of the passes."""

    def __init__(
        self,
        setup: Setup,
        module: ModuleOp,
        signature: Signature,
        kinds: Sequence[str] = (),
        *,
        rows: Sequence[Row] = (),
        seconds: tuple[float | None, float | None] = (None, None),
    ) -> None:
        """With inputs of `kinds`, or those of `rows`. `seconds` bound the reference's runs, of the first row and of
        each other one. Raises what it does for the first one; without those of which it does not give outputs.
        """
        self.setup, self.module, self.signature = setup, module, signature
        self.subject = Subject(module, signature, setup.context, setup.denormals)
        self.feeds = Feeds.of(module)
        self.rows = list(rows) or self._distinct_rows(kinds)
        self.has_reference = is_interpretable(module)
        self.has_way_down = False
        """Whether the program could be lowered after the passes so far."""
        self.was_shortest_way = True
        """Whether it was lowered last by those passes alone that it cannot do without."""
        self.way: Sequence[ModulePass] = ()
        """By which passes it was lowered last."""
        self.recordings: dict[int, Recording] = {}
        """By identity of rows, what each value was in the reference's run."""
        self.longest_run = 0.0
        """Of the reference, in seconds."""
        self._seconds = seconds[0]
        if self.has_reference:
            self._run_reference(seconds)
            if kinds and setup.grid == (1, 1):
                self._draw_again(kinds)

    def _distinct_rows(self, kinds: Sequence[str]) -> list[Row]:
        rows: list[Row] = []
        for kind in kinds:
            inputs = self.subject.inputs(kind, self.setup.seed)
            if not any(_same(inputs, row.inputs) for row in rows):
                rows.append(Row(kind, inputs))
        return rows

    def _run_reference(self, seconds: tuple[float | None, float | None]) -> None:
        for row in list(self.rows):
            start = time.monotonic()
            first = row is self.rows[0]
            try:
                recording = self.recordings[id(row)] = Recording()
                row.wanted = self._reference(self.module, row, seconds[not first], recording)
            except XlaError:
                if first:
                    raise
                self.rows.remove(row)
            self.longest_run = max(self.longest_run, time.monotonic() - start)

    def _draw_again(self, kinds: Sequence[str]) -> None:
        """Further rounds of small inputs, as far as the reference has them soon."""
        stop = time.monotonic() + ROUNDS_SECONDS
        for round in range(1, count_rounds(self.signature)):
            for kind in kinds:
                if time.monotonic() > stop:
                    return
                row = Row(f"{kind}, {round + 1}", self.subject.inputs(kind, self.setup.seed, round))
                if any(_same(row.inputs, other.inputs) for other in self.rows):
                    continue
                try:
                    recording = Recording()
                    row.wanted = self._reference(self.module, row, ROUND_SECONDS, recording)
                except XlaError:
                    continue
                self.recordings[id(row)] = recording
                self.rows.append(row)

    def _reference(
        self,
        module: ModuleOp,
        row: Row,
        seconds: float | None = None,
        recording: Recording | None = None,
        noise: np.random.Generator | None = None,
    ) -> Run:
        """What the reference gives. Raises `XlaError`."""
        if self.setup.grid != (1, 1):
            return Run(dataclasses.replace(self.subject, module=module).reference(row.inputs, self.setup.grid))

        def run(module: ModuleOp) -> Run:
            host = RecordingHost.with_feeds(self.feeds, 0)
            results = run_observed(
                module,
                self.signature.entry,
                self.signature.arguments([np.array(array) for array in row.inputs]),
                Environment(host=host, denormals=self.setup.denormals),
                seconds=self._seconds if seconds is None else seconds,
                recording=recording,
                noise=noise,
            )
            return Run([np.asarray(array) for array in tensors_of(results)], host.effects)

        try:
            return run(module)
        except UnsupportedError:
            module = module.clone()
            run_passes(self.setup.context, module, parse_passes("chlo-legalize-to-stablehlo"))
            return run(module)

    # -- verdicts ----------------------------------------------------------------------------------------------------

    def applied(self, module: ModuleOp, module_pass: ModulePass) -> str:
        """Run a pass and the verifier; what went wrong."""
        if not is_of_this_package(type(module_pass)):
            trial = module.clone()
            if failure := trial_of(lambda: run_passes(self.setup.context, trial, [module_pass])):
                return failure
        try:
            run_passes(self.setup.context, module, [module_pass], verify=True)
        except UserCodeError as error:
            return str(error)  # says where
        except InternalError as error:
            return f"{error}{_place_in_python(error)}"
        except XlaError as error:
            return f"refuses the program: {error}"
        return ""

    def after(self, done: int) -> ModuleOp | Verdict:
        """The module after the first `done` passes, or what is wrong with one of them."""
        module = self.module.clone()
        for module_pass in self.setup.passes[:done]:
            if failure := self.applied(module, module_pass):
                return Verdict(failure)
        return module

    def interpreted(self, module: ModuleOp) -> Verdict | None:
        """What is wrong with what the reference gives for a module; None where it cannot say."""
        if not self.has_reference or not is_interpretable(module):
            return None
        found: list[Difference] = []
        for row in self.rows:
            assert row.wanted is not None
            try:
                run = self._reference(module, row, self._seconds or max(LEAST_SECONDS, LONGER * self.longest_run))
            except XlaError:
                return None
            if _types(run.outputs) != _types(row.wanted.outputs):
                return None
            if effects := _other_effects(run.effects, row.wanted.effects):
                return Verdict(effects)
            found += self._differences(row, run, row.wanted, is_native=False)
        return Verdict("", _first_of_each(found))

    @property
    def is_slow(self) -> bool:
        """Whether the reference takes longer than native code would."""
        return self.longest_run > LONG_SECONDS

    def is_right_on_reference(self, module: ModuleOp) -> bool:
        """Whether the reference gives what is wanted for a module."""
        verdict = self.interpreted(module)
        return verdict is not None and not verdict

    def native(self, module: ModuleOp, done: int) -> Verdict:
        """What is wrong with native code, by the shortest way down from where the first `done` passes have led."""
        outcome = self._outcome(module, done)
        if outcome is None:
            return RIGHT
        return Verdict(outcome.failure) if outcome.runs is None else self._judged(outcome.runs)

    def _judged(self, runs: Sequence[Run]) -> Verdict:
        found: list[Difference] = []
        for row, run in zip(self.rows, runs, strict=True):
            row.plain = row.plain or run
            wanted = row.wanted or row.plain
            if _types(run.outputs) != _types(wanted.outputs):
                return Verdict(f"gives {_types(run.outputs)}, expected {_types(wanted.outputs)}")
            if effects := _other_effects(run.effects, wanted.effects):
                return Verdict(effects)
            found += self._differences(row, run, wanted, is_native=True)
        return Verdict("", _first_of_each(found))

    def is_right_without(self, way: Sequence[ModulePass], suspect: ModulePass) -> bool:
        """Whether that way without that pass, if there is one, gives what is wanted."""
        needed = [module_pass for module_pass in way if module_pass is not suspect]
        lowered = self.module.clone()
        try:
            run_passes(self.setup.context, lowered, needed)
            final_signature(lowered_entry(lowered, self.signature.entry))
        except (XlaError, InternalError):
            return False
        outcome = self._run([row.inputs for row in self.rows], lowered)
        return self.has_reference and outcome.runs is not None and not self._judged(outcome.runs)

    def is_right_without_a_later_pass(self, module: ModuleOp, done: int) -> bool:
        """Whether what is wrong by all passes still to come is right without one of them, which only makes code better:
        then that one is wrong. Those of others are suspected first.
        """
        plain = [row.plain for row in self.rows]
        try:
            return any(self._judged_alone(passes, module) for passes in self._without_one(done))
        finally:
            for row, run in zip(self.rows, plain, strict=True):
                row.plain = run

    def _without_one(self, done: int) -> Iterator[Sequence[ModulePass]]:
        """The passes still to come, each time without another one that only makes code better."""
        rest = self.setup.passes[done:]
        optional = [module_pass for module_pass in rest if module_pass.name not in REQUIRED]
        for suspect in sorted(optional, key=lambda each: is_of_this_package(type(each))):
            yield [each for each in rest if each is not suspect]

    def _judged_alone(self, passes: Sequence[ModulePass], module: ModuleOp) -> bool:
        """Whether a module is right by these passes, whatever the shortest way gives."""
        lowered = self._by([passes], module)
        if not isinstance(lowered, ModuleOp):
            return False
        outcome = self._run([row.inputs for row in self.rows], lowered)
        self.forget_plain()
        return outcome.runs is not None and not self._judged(outcome.runs)

    def forget_plain(self) -> None:
        """The shortest way is wrong itself."""
        for row in self.rows:
            row.plain = None

    def _outcome(self, module: ModuleOp, done: int) -> Outcome | None:
        """None where the program cannot be run, and that is not the fault of the last pass."""
        lowered = self._lowered(module, done)
        if isinstance(lowered, ModuleOp):
            self.has_way_down = True
            return self._run([row.inputs for row in self.rows], lowered)
        if self.has_way_down:
            return Outcome(None, f"leaves what later passes do not lower: {lowered}")
        if done == 0 and not self.has_reference:
            raise lowered
        return None

    def _run(self, rows: Sequence[Arrays], lowered: ModuleOp) -> Outcome:
        output = io.StringIO()
        ExactPrinter(output).print_op(lowered)
        request, grid = self.setup.request, self.setup.grid
        return self.setup.runs.run(
            Task(output.getvalue(), request.threads, request.opt_level, request.donate, grid, 0, rows, self.feeds)
        )

    def _lowered(self, module: ModuleOp, done: int) -> ModuleOp | Exception:
        """The program on the last level, or the error of the first way that does not lead there."""
        return self._by(self.setup.ways_down(done), module)

    def _by(self, ways: Iterable[Sequence[ModulePass]], module: ModuleOp) -> ModuleOp | Exception:
        first: Exception | None = None
        for passes in ways:
            lowered = module.clone()
            try:
                run_passes(self.setup.context, lowered, passes)
                final_signature(lowered_entry(lowered, self.signature.entry))
                self.was_shortest_way, self.way = first is None, passes
                return lowered
            except (XlaError, InternalError) as error:
                first = first or error
        assert first is not None
        self.was_shortest_way = False
        return first

    # -- differences -------------------------------------------------------------------------------------------------

    def _differences(self, row: Row, got: Run, wanted: Run, *, is_native: bool) -> Iterator[Difference]:
        """Those outside the tolerance that neither the shortest way has too, nor rounding explains: of outputs, then of
        what the host is told.
        """
        count = self.setup.grid[0] * self.setup.grid[1]
        specs = [*self.signature.outputs * count, *(spec for effect in wanted.effects for spec in effect.specs())]
        for number, (a, b) in enumerate(zip(got.values(), wanted.values(), strict=True)):
            one = self.signature._replace(outputs=(specs[number],))
            tolerance = self.setup.tolerance.over(_scaled(b))
            (difference,) = differences(row.kind, one, [a], [b], AskedTolerance(*tolerance))
            if difference.mismatch is None or (is_native and self._is_as_plain(row, a, number, one, tolerance)):
                continue
            spread = self._spread(row, wanted)
            beyond = mismatch_beyond(a, b, tolerance, spread[number] if spread else None)
            difference = difference._replace(output=number, mismatch=beyond)
            if beyond is not None:
                yield difference
            else:
                self.setup.notes[f"{row.kind} out{number} ({specs[number]}) is ill-conditioned"] = None

    def _is_as_plain(self, row: Row, got: np.ndarray, number: int, one: Signature, tolerance: Tolerance) -> bool:
        if row.plain is None or row.wanted is None:
            return False
        plain = row.plain.values()[number]
        if plain is got:
            return False
        (difference,) = differences(row.kind, one, [got], [plain], AskedTolerance(*tolerance))
        return difference.mismatch is None

    def _spread(self, row: Row, wanted: Run) -> Sequence[Spread] | None:
        if not row.has_spread:
            row.has_spread = True
            if row.wanted is not None and self.setup.grid == (1, 1):
                row.spread = rounding_spread(
                    lambda noise: self._reference(self.module, row, noise=noise).values(), wanted.values()
                )
            else:
                row.spread = self._spread_of_inputs(row, wanted)
        return row.spread

    def _spread_of_inputs(self, row: Row, wanted: Run) -> Sequence[Spread] | None:
        lowered = self._lowered(self.module, 0)
        if not isinstance(lowered, ModuleOp):
            return None

        def run(inputs: Arrays) -> Arrays | None:
            outcome = self._run([inputs], lowered)
            return None if outcome.runs is None else outcome.runs[0].values()

        return input_spread(run, row.inputs, wanted.values())


def _first_of_each(found: Sequence[Difference]) -> Sequence[Difference]:
    """One difference for each output and kind of inputs, whatever its round."""
    first: dict[tuple[str, int], Difference] = {}
    for difference in found:
        first.setdefault((difference.kind.partition(",")[0], difference.output), difference)
    return list(first.values())


def _same(first: Arrays, second: Arrays) -> bool:
    return all(a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(first, second, strict=True))


def _types(arrays: Arrays) -> str:
    return ", ".join(f"{array.dtype.name}{list(array.shape)}" for array in arrays) or "nothing"


def _other_effects(got: Sequence[Effect], wanted: Sequence[Effect]) -> str:
    """How what the host was told differs in kind, number or types; nothing, if it does not."""
    for number, (a, b) in enumerate(zip(got, wanted, strict=False)):
        if str(a) != str(b):
            return f"has other effects: number {number} is {a}, expected {b}"
    if len(got) != len(wanted):
        return f"has other effects: {len(got)}, expected {len(wanted)}"
    return ""


def _scaled(wanted: np.ndarray) -> Tolerance:
    """That of the type; an error in sums is one of their terms, which may be as large as the largest result."""
    tolerance = default_tolerance(wanted.dtype)
    if tolerance == EXACT or not wanted.size:
        return tolerance
    size = np.abs(wanted.astype(np.complex128 if wanted.dtype.kind == "c" else np.float64))
    largest = float(np.max(size, where=np.isfinite(size), initial=0.0))
    return Tolerance(tolerance.relative, max(tolerance.absolute, 0.1 * tolerance.relative * largest))


def _place_in_python(error: InternalError) -> str:
    """` (FILE:LINE)` of the code that raised what a pass has failed with."""
    cause = error.__cause__
    if cause is None or isinstance(cause, XlaError) or cause.__traceback__ is None:
        return ""
    traceback = cause.__traceback__
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return f" ({traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno})"
