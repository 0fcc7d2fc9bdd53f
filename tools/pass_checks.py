"""The pass that is wrong: `xla-run --check-passes`.

The passes are those of the pipeline that is asked for, with its options. After each of them the module is verified, and
the program goes on by the shortest way: without the passes still to come that only make code better, so that none of
them can hide or cause a difference. What it computes is compared with the reference; for a program on a lower level,
which the reference cannot run, with what it computes by the shortest way from the start. Code runs in processes of its
own (`isolated_runs.py`): a pass whose code crashes or does not end is named like one whose values are wrong. Then the
program is cut down to the first op that shows it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.printing import ExactPrinter
from ..dialects.stablehlo.shapes import is_tensor
from ..errors import InternalError, UnsupportedError, XlaError
from ..pipelines import XLA_CPU
from ..runtime.compilation import Preparation, prepare
from ..runtime.compiler import Request
from ..runtime.entry import read_signature
from ..runtime.pass_manager import parse_passes, run_passes
from ..runtime.signature import Signature
from .comparison import EXACT, Tolerance, default_tolerance
from .differential import Arrays, Difference, Subject, differences, prefix
from .entries import resolve_entry
from .isolated_runs import IsolatedRuns, Outcome, Task

REQUIRED = {step.spec for step in XLA_CPU if step.required}
"""Without these passes the next level cannot be reached. Others, also those of users, are left out if that works."""

LEVELS = ("builtin.", "func.", "stablehlo.", "chlo.")
"""How the names of ops begin that the reference can run."""


class Finding(NamedTuple):
    """The first pass after which a program computes something else, crashes or is no program."""

    pass_name: str
    number: int
    """Its place in the pipeline, from 1; 0 if it is one of several that no program can do without."""
    failure: str
    """What happened instead of values; nothing if these are wrong."""
    differences: Sequence[Difference]
    reduced: ModuleOp | None
    """A part of the program that shows it, where the program is one of StableHLO."""


class _Verdict(NamedTuple):
    """What is wrong with a program after some passes; nothing, if it is right."""

    failure: str = ""
    differences: Sequence[Difference] = ()

    def __bool__(self) -> bool:
        return bool(self.failure or self.differences)


@dataclass
class PassCheck:
    """One program, one pipeline, inputs of one kind."""

    source: bytes | ModuleOp
    filename: str
    request: Request
    seed: int = 0
    kind: str = "ordinary"
    tolerance: Tolerance | None = None
    patience: float = 120.0
    report: Callable[[str], None] = lambda _: None
    prepared: Preparation = field(init=False)
    signature: Signature = field(init=False)

    def run(self) -> Finding | None:
        """The first wrong pass, or None. Raises `XlaError` for a program that the pipeline does not compile."""
        self.prepared = prepare(self.source, self.filename, self.request)
        self.signature = self.prepared.signature or read_signature(resolve_entry(self.prepared.module))
        with IsolatedRuns(self.patience) as runs:
            program = _Program(self, self.prepared.module.clone(), self.signature, runs)
            finding = program.first_wrong_pass()
            if finding is None or not program.has_reference:
                return finding
            return finding._replace(reduced=self._reduced(finding, program.module, runs))

    def _reduced(self, finding: Finding, module: ModuleOp, runs: IsolatedRuns) -> ModuleOp:
        """The smallest prefix of the program, by bisection over its ops, with a last value that is wrong."""
        whole = module.clone()
        run_passes(self.prepared.context, whole, parse_passes("func-inline-calls"))
        subject = Subject(whole, self.signature, self.prepared.context)
        candidates = [
            index
            for index, op in enumerate(resolve_entry(whole, subject.signature.entry).body.block.ops)
            if op.results and all(is_tensor(result.type) for result in op.results)
        ]
        low, high, best = 0, len(candidates) - 1, module
        while low <= high:
            middle = (low + high) // 2
            part = prefix(subject, candidates[middle])
            if self._is_wrong(part, finding.number, runs):
                best, high = part.module, middle - 1
            else:
                low = middle + 1
        return best

    def _is_wrong(self, part: Subject, done: int, runs: IsolatedRuns) -> bool:
        program = _Program(self, part.module, part.signature, runs)
        try:
            return bool(program.verdict_after(done))
        except XlaError:
            return False


class _Program:
    """A program that goes through the passes of a check."""

    def __init__(self, check: PassCheck, module: ModuleOp, signature: Signature, runs: IsolatedRuns) -> None:
        self.check, self.module, self.signature, self.runs = check, module, signature, runs
        self.context, self.passes, self.grid = check.prepared.context, check.prepared.passes, check.prepared.grid
        subject = Subject(module, signature, self.context)
        self.inputs = subject.inputs(check.kind, check.seed)
        self.wanted = self._reference(subject)
        self.has_reference = self.wanted is not None
        self.plain: Sequence[np.ndarray] | None = None
        """What the shortest way gives: a difference that it has too is not that of a later pass."""
        self.has_way_down = False
        """Whether the program could be lowered after the passes so far."""

    def _reference(self, subject: Subject) -> Arrays | None:
        if not all(op.name.startswith((*LEVELS, "arith.constant", "tensor.cast", "sdy.")) for op in self.module.walk()):
            return None
        return subject.reference(self.inputs, self.grid)

    def first_wrong_pass(self) -> Finding | None:
        """As `PassCheck.run`, without a part of the program."""
        verdict = self._judged(self._outcome(self.module, 0))
        if verdict:
            return self._wrong_without_the_others(verdict)
        current, before = self.module.clone(), self.module
        for number, module_pass in enumerate(self.passes, 1):
            if failure := self._applied(current, module_pass):
                return Finding(module_pass.name, number, failure, (), None)
            if number < len(self.passes) and current.is_structurally_equivalent(before):
                continue
            self.check.report(module_pass.name)
            if verdict := self._judged(self._outcome(current, number)):
                return Finding(module_pass.name, number, *verdict, None)
            before = current.clone()
        return None

    def verdict_after(self, done: int) -> _Verdict:
        """What is wrong after the first `done` passes, which may fail themselves."""
        module = self.module.clone()
        for module_pass in self.passes[:done]:
            if failure := self._applied(module, module_pass):
                return _Verdict(failure)
        return self._judged(self._outcome(module, done))

    def _wrong_without_the_others(self, verdict: _Verdict) -> Finding:
        """A pass that the way down needs is wrong; down to the end of StableHLO the reference tells which."""
        self.plain = None  # is what is wrong
        module = self.module.clone()
        rest = [(number, p) for number, p in enumerate(self.passes, 1) if p.name in REQUIRED]
        for number, module_pass in enumerate(self.passes, 1):
            if module_pass.name not in REQUIRED:
                continue
            if failure := self._applied(module, module_pass):
                return Finding(module_pass.name, number, failure, (), None)
            if self.has_reference and all(op.name.startswith(LEVELS) for op in module.walk()):
                rest = [(later, p) for later, p in rest if later > number]
                if wrong := self._differences(self._interpreted(module)):
                    return Finding(module_pass.name, number, "", wrong, None)
        names = ", ".join(p.name for _, p in rest)
        name = names if len(rest) == 1 else f"one of {names}"
        return Finding(name, rest[0][0] if len(rest) == 1 else 0, *verdict, None)

    def _interpreted(self, module: ModuleOp) -> Arrays:
        """The reference's outputs of a module whose tuples may be gone and whose bounded tensors may be in parts."""
        try:
            got = Subject(module, self.signature, self.context).reference(self.inputs, self.grid)
        except (UnsupportedError, XlaError):
            got = []
        wanted = self.wanted or ()
        is_comparable = [(a.shape, a.dtype) for a in got] == [(a.shape, a.dtype) for a in wanted]
        return got if is_comparable else list(wanted)

    def _applied(self, module: ModuleOp, module_pass: ModulePass) -> str:
        """Run a pass and the verifier; what went wrong, if that is a defect of the pass."""
        try:
            run_passes(self.context, module, [module_pass], verify=True)
        except InternalError as error:
            return str(error)
        return ""

    def _outcome(self, module: ModuleOp, done: int) -> Outcome:
        """Of the program after the first `done` passes and then those that the way down needs."""
        rest = self.passes[done:]
        needed = [module_pass for module_pass in rest if module_pass.name in REQUIRED]
        try:
            lowered = self._lowered(module, needed)
        except (XlaError, InternalError):
            try:  # where others are needed, too
                lowered = self._lowered(module, rest)
            except (XlaError, InternalError) as error:
                return self._without_a_way_down(error, done)
        self.has_way_down = True
        output = io.StringIO()
        ExactPrinter(output).print_op(lowered)
        request = self.check.request
        task = Task(
            output.getvalue(),
            request.threads,
            request.opt_level,
            request.donate,
            self.grid,
            0,
            self.inputs,
        )
        return self.runs.run(task)

    def _without_a_way_down(self, error: Exception, done: int) -> Outcome:
        """A later pass has failed: because of the last one, if there was a way before."""
        if self.has_way_down:
            return Outcome(None, f"leaves what later passes do not lower: {error}")
        if done == 0 and isinstance(error, XlaError):
            raise error
        return Outcome(self.plain or self.wanted)  # it is found when that pass is looked at

    def _lowered(self, module: ModuleOp, passes: Sequence[ModulePass]) -> ModuleOp:
        lowered = module.clone()
        run_passes(self.context, lowered, passes)
        return lowered

    def _judged(self, outcome: Outcome) -> _Verdict:
        if outcome.outputs is None:
            return _Verdict(outcome.failure)
        if self.plain is None:
            self.plain = outcome.outputs
            if self.wanted is None:
                self.wanted = outcome.outputs
        return _Verdict("", self._differences(outcome.outputs))

    def _differences(self, outputs: Arrays) -> Sequence[Difference]:
        """From what is wanted, in outputs that differ from those of the shortest way as well."""
        found: list[Difference] = []
        count = self.grid[0] * self.grid[1]
        signature = self.signature._replace(outputs=self.signature.outputs * count)
        for number, (got, wanted) in enumerate(zip(outputs, self.wanted or (), strict=True)):
            one = signature._replace(outputs=signature.outputs[number : number + 1])
            tolerance = self.check.tolerance or _scaled(wanted)
            (difference,) = differences(self.check.kind, one, [got], [wanted], tolerance)
            if difference.mismatch is not None and not self._is_as_plain(got, number, one, tolerance):
                found.append(difference._replace(output=number))
        return found

    def _is_as_plain(self, got: np.ndarray, number: int, one: Signature, tolerance: Tolerance) -> bool:
        if self.plain is None or not self.has_reference:
            return False
        plain = self.plain[number]
        if plain is got:
            return False
        (difference,) = differences(self.check.kind, one, [got], [plain], tolerance)
        return difference.mismatch is None


def _scaled(wanted: np.ndarray) -> Tolerance:
    """That of the type; an error in sums is one of their terms, which may be as large as the largest result."""
    tolerance = default_tolerance(wanted.dtype)
    if tolerance == EXACT or not wanted.size:
        return tolerance
    size = np.abs(wanted.astype(np.complex128 if wanted.dtype.kind == "c" else np.float64))
    largest = float(np.max(size, where=np.isfinite(size), initial=0.0))
    return Tolerance(tolerance.relative, max(tolerance.absolute, 0.1 * tolerance.relative * largest))
