"""The pass that is wrong: `xla-run --check-passes`.

The passes are those of the pipeline that is asked for, with its options. After each of them the module is verified, and
what it computes is compared with the reference, for inputs of several kinds: on the reference itself as long as the
program is one of StableHLO, else as native code. For that the program goes on by the shortest way, without the passes
still to come that only make code better, so that none of them can hide or cause a difference. A program on a lower
level, which the reference cannot run, is compared with what it computes by the shortest way from the start. Code runs
in processes of its own (`isolated_runs.py`): a pass whose code crashes or does not end is named like one whose values
are wrong. Differences that rounding explains are noted, not called wrong (`conditioning.py`). Then the program is cut
down to the least one that shows it (`pass_reduction.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.editing import walk
from ..dialects.stablehlo.shapes import is_complex, is_tensor
from ..runtime.compilation import Preparation, prepare
from ..runtime.compiler import Request
from ..runtime.entry import read_signature
from ..runtime.signature import Signature
from ..user_code import is_of_this_package
from .checked_program import CheckedProgram, Setup, Verdict
from .comparison import NOT_ASKED, AskedTolerance
from .differential import KINDS, Arrays, Difference
from .entries import resolve_entry
from .isolated_runs import IsolatedRuns
from .reduction.engine import Size

OTHER_KINDS_SECONDS = 10.0
"""What takes the reference longer with inputs of a kind is not run with them."""

REDUCTION_SECONDS = 60.0
"""Of the search for the least program."""


class Finding(NamedTuple):
    """The first pass after which a program computes something else, crashes or is no program."""

    pass_name: str
    number: int
    """Its place in the pipeline, from 1; 0 if it is one of several that no program can do without."""
    failure: str
    """What happened instead of values; nothing if these are wrong."""
    differences: Sequence[Difference]
    reduced: ModuleOp | None
    """The least part of the program that shows it."""
    inputs: Arrays = ()
    """What to call that with."""
    place: str = ""
    """The file and line of the pass, where it is not one of this package."""


@dataclass
class PassCheck:
    """One program, one pipeline, inputs of some kinds."""

    source: bytes | ModuleOp
    filename: str
    request: Request
    seed: int = 0
    kinds: Sequence[str] = tuple(KINDS)
    tolerance: AskedTolerance = NOT_ASKED
    patience: float = 120.0
    report: Callable[[str], None] = lambda _: None
    passes: Sequence[ModulePass] | None = None
    """In place of those that the pipeline of `request` names."""
    reduction_seconds: float = REDUCTION_SECONDS
    reduction_report: Callable[[Size], None] = lambda _: None
    prepared: Preparation = field(init=False)
    signature: Signature = field(init=False)
    notes: Sequence[str] = field(init=False, default=())
    """Outputs that differ, but by no more than rounding explains."""

    def run(self) -> Finding | None:
        """The first wrong pass, or None. Raises `XlaError` for a program that the pipeline does not compile."""
        from .pass_reduction import reduced

        self.prepared = prepare(self.source, self.filename, self.request)
        self.signature = self.prepared.signature or read_signature(resolve_entry(self.prepared.module))
        passes = self.prepared.passes if self.passes is None else self.passes
        with IsolatedRuns(self.patience) as runs:
            setup = Setup(
                self.prepared.context, passes, self.request, self.prepared.grid, runs, self.seed, self.tolerance
            )
            module = self.prepared.module.clone()
            program = CheckedProgram(
                setup, module, self.signature, kinds_for(module, self.kinds), seconds=(None, OTHER_KINDS_SECONDS)
            )
            finding = first_wrong_pass(program, self.report)
            self.notes = tuple(setup.notes)
            if finding is None:
                return None
            least = reduced(program, finding, self.reduction_seconds, self.reduction_report)
            return finding._replace(reduced=least.module, inputs=least.inputs)


def kinds_for(module: ModuleOp, kinds: Sequence[str]) -> Sequence[str]:
    """Those of `kinds` that have one right answer: of complex numbers only the first. What infinite and NaN parts of
    products and transforms give depends on the order in which they are computed.
    """
    types = (value.type for op in walk(module) for value in (*op.operands, *op.results))
    has_complex = any(is_tensor(type) and is_complex(type.element_type) for type in types)
    return kinds[:1] if has_complex else kinds


def first_wrong_pass(program: CheckedProgram, report: Callable[[str], None]) -> Finding | None:
    """As `PassCheck.run`, without a part of the program."""
    passes = program.setup.passes
    verdict = program.native(program.module, 0)
    if verdict and not _is_of_a_later_pass(program, program.module, 0):
        return _wrong_without_the_others(program, verdict)
    has_right_run = not verdict
    if verdict:
        program.forget_plain()
    current, before = program.module.clone(), program.module
    only_interpreted: list[tuple[int, ModuleOp]] = []
    for number, module_pass in enumerate(passes, 1):
        if failure := program.applied(current, module_pass):
            return _finding(module_pass, number, Verdict(failure))
        if number < len(passes) and current.is_structurally_equivalent(before):
            continue
        report(module_pass.name)
        before = current.clone()
        if number < len(passes) and not program.is_slow and program.is_right_on_reference(current):
            only_interpreted.append((number, before))
            continue
        verdict = program.native(current, number)
        if not verdict and not program.has_way_down:
            verdict = program.interpreted(current) or verdict
        has_right_run |= not verdict
        if verdict and _is_of_a_later_pass(program, current, number):
            if not has_right_run:
                program.forget_plain()  # is what is wrong
            continue
        if verdict:
            for earlier, module in only_interpreted:
                wrong = program.native(module, earlier)
                if wrong and not _is_of_a_later_pass(program, module, earlier):
                    return _finding(passes[earlier - 1], earlier, wrong)
            return _finding(module_pass, number, verdict)
        only_interpreted.clear()
    return None


def _is_of_a_later_pass(program: CheckedProgram, module: ModuleOp, done: int) -> bool:
    """Whether a module only is wrong because it could not be lowered without a wrong pass that is still to come."""
    return not program.was_shortest_way and program.is_right_without_a_later_pass(module, done)


def _finding(module_pass: ModulePass, number: int, verdict: Verdict) -> Finding:
    return Finding(module_pass.name, number, *verdict, None, place=place_of_pass(module_pass))


def place_of_pass(module_pass: ModulePass) -> str:
    """The file and line of a pass that is not of this package."""
    cls = type(module_pass)
    if is_of_this_package(cls):
        return ""
    try:
        return f"{inspect.getsourcefile(cls)}:{inspect.getsourcelines(cls)[1]}"
    except (OSError, TypeError):
        return ""


def _wrong_without_the_others(program: CheckedProgram, verdict: Verdict) -> Finding:
    """A pass that the way down needs is wrong. Down to the end of StableHLO the reference tells which; below, it is one
    of those that change anything and cannot be left out.
    """
    program.forget_plain()  # is what is wrong
    way, module = program.way or program.setup.passes, program.module.clone()
    on_the_way = set(map(id, way))
    suspects: list[tuple[int, ModulePass]] = []
    for number, module_pass in enumerate(program.setup.passes, 1):
        if id(module_pass) not in on_the_way:
            continue
        before = module.clone()
        if failure := program.applied(module, module_pass):
            return _finding(module_pass, number, Verdict(failure))
        wrong = program.interpreted(module)
        if wrong:
            return _finding(module_pass, number, wrong)
        if wrong is None and not module.is_structurally_equivalent(before):
            suspects.append((number, module_pass))
    guilty = [suspect for suspect in suspects if program.is_right_without(way, suspect[1])]
    if len(guilty) == 1:
        suspects = guilty
    if len(suspects) == 1:
        return _finding(suspects[0][1], suspects[0][0], verdict)
    return Finding(f"one of {', '.join(p.name for _, p in suspects)}", 0, *verdict, None)
