"""Watching a pipeline: the text of each level, and for each line the lines of the level before that it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation

from ...dialects.editing import walk
from ...dialects.xrt_names import KERNEL
from ...pipelines import PASSES, PIPELINES
from ...runtime.pass_manager import PassRun
from .alignment import Edge, Run, align
from .graphs import Graph, graphs_of
from .memory_plan import MemoryPlan, memory_plan
from .naming import Names
from .origins import Kind, Level, OriginLog, Origins
from .printed import Printed, Texts, printed
from .schedule_trees import Schedule, schedules_of


@dataclass
class Stage:
    """The program behind a step."""

    name: str
    reason: str
    """Why the step stands in the pipeline; empty if nobody says."""
    seconds: float | None
    level: int
    """That of the design, 0 to 7; 8 is assembly."""
    ops: int
    """How many ops, or instructions, there are."""
    lines: list[str]
    runs: list[tuple[Run, int]] = field(default_factory=list[tuple[Run, int]])
    """How it becomes what it is from the stage before; empty for the first one."""
    edges: list[Sequence[Edge]] = field(default_factory=list[Sequence[Edge]])
    """For each line."""
    patterns: dict[str, int] = field(default_factory=dict[str, int])
    """How often each pattern was applied."""


class Recorder:
    """An observer of a pipeline: `start`, `after_pass` behind each pass, with `log` as the active pattern log."""

    def __init__(self) -> None:
        self.log = OriginLog()
        self.stages: list[Stage] = []
        self.graphs: dict[str, tuple[int, list[Graph]]] = {}
        """By what they show the stage and the graphs of the program on it."""
        self.schedules: dict[str, tuple[int, Schedule]] = {}
        """By kernel the last stage that says how it is computed."""
        self.remark = ""
        """Why there is no native code, though the last level is that of LLVM."""
        self.memory: tuple[int, MemoryPlan] | None = None
        self.printed: Printed = Printed([], {})
        """The last stage."""
        self._names = Names()
        self._texts: Texts = {}
        self._fingerprint: list[Any] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._level: Level | None = None

    def start(self, module: ModuleOp, seconds: float | None = None) -> None:
        """The program before the first pass, which took `seconds` to read."""
        self._names.assign(module, {})
        self.printed = printed(module, self._names.of, self._texts)
        self._fingerprint = _fingerprint(module)
        self.stages.append(self._stage("input", "the program as it was read", seconds, module))
        self._keep_views(module)
        self._level = Level(module, self.log)

    def after_pass(self, run: PassRun, module: ModuleOp) -> None:
        """An `Observer` of `run_passes`."""
        assert self._level is not None
        fingerprint = _fingerprint(module)
        if fingerprint == self._fingerprint:
            self._note_idle(run)
            return
        self._fingerprint = fingerprint
        origins = self._level.origins_of(module)
        before = self.printed
        self._names.assign(module, _sources(origins))
        self.printed = printed(module, self._names.of, self._texts)
        stage = self._stage(run.name, _reason(run.name), run.seconds, module)
        stage.edges = _edges(origins, before, self.printed)
        stage.runs = align(before.lines, self.printed.lines, stage.edges, Kind.GUESS)
        stage.patterns = self._patterns()
        self.stages.append(stage)
        self._keep_views(module)
        self._level = Level(module, self.log)

    def _note_idle(self, run: PassRun) -> None:
        """A pass that has changed nothing: the level before it is the one behind it."""
        last = self.stages[-1]
        stage = Stage(run.name, _reason(run.name), run.seconds, last.level, last.ops, last.lines)
        stage.runs = [(Run.KEEP, len(last.lines))]
        stage.patterns = self._patterns()
        self.stages.append(stage)

    def _patterns(self) -> dict[str, int]:
        """How often each pattern was applied since this was asked last."""
        new = self.log.counts - self._counts
        self._counts = Counter(self.log.counts)
        return {pattern: count for (_, pattern), count in new.most_common()}

    def _stage(self, name: str, reason: str, seconds: float | None, module: ModuleOp) -> Stage:
        return Stage(name, reason, seconds, level_of(module), len(self.printed.line_of), self.printed.lines)

    def _keep_views(self, module: ModuleOp) -> None:
        stage = len(self.stages) - 1
        level = self.stages[stage].level
        views = {0: "input"} if stage == 0 else {1: "StableHLO", 2: "linalg", 3: "kernels"}
        key = views.get(0 if stage == 0 else level)
        if key is not None and (graphs := graphs_of(module, self.printed.line_of, self._names.of)):
            self.graphs[key] = stage, graphs
        for schedule in schedules_of(module, self.printed.line_of):
            self.schedules[schedule.kernel] = stage, schedule
        if stage and self.stages[stage].name == "memref-assign-arena":
            plan = memory_plan(module, self.printed.line_of, self._names.of)
            self.memory = None if plan is None else (stage, plan)


def _sources(origins: Origins) -> dict[Operation, list[Operation]]:
    return {
        op: [origin.op for origin in of_op if origin.kind is not Kind.GUESS]
        for op, of_op in origins.items()
        if of_op[0].kind is not Kind.SAME
    }


def _edges(origins: Origins, before: Printed, after: Printed) -> list[Sequence[Edge]]:
    """By line behind a pass the lines in front of it."""
    found: list[dict[int, int]] = [{} for _ in after.lines]
    for op, line in after.line_of.items():
        of_line = found[line]
        for origin in origins.get(op, ()):
            at = before.line_of[origin.op]
            of_line[at] = min(of_line.get(at, Kind.GUESS), origin.kind)
    return [[Edge(line, kind) for line, kind in _surest_first(of_line)] for of_line in found]


def _surest_first(kinds: dict[int, int]) -> Iterable[tuple[int, int]]:
    return kinds.items() if len(kinds) < 2 else sorted(kinds.items(), key=lambda item: item[1])


def _fingerprint(module: ModuleOp) -> list[Any]:
    """Equal for two states of a module that have the same ops, in the same places, with the same parts."""
    return [
        (op, op.__class__, op.parent, *op.operands, *op.properties.values(), *op.attributes.items(), op.result_types)
        for op in walk(module)
    ]


def _reason(name: str) -> str:
    for steps in PIPELINES.values():
        for step in steps:
            if step.spec.partition("{")[0] == name:
                return step.reason
    return "" if name in PASSES else "a pass of another package"


def level_of(module: ModuleOp) -> int:
    """The level of the design that a module is on."""
    dialects: set[str] = set()
    has_kernels = has_tensors = False
    for op in walk(module):
        if isinstance(op, func.FuncOp):
            has_kernels = has_kernels or KERNEL in op.attributes
            has_tensors = has_tensors or any(isinstance(type, TensorType) for type in op.function_type.inputs)
        elif isinstance(op, llvm.FuncOp):
            dialects.add("llvm")
        else:
            dialects.add(op.name.partition(".")[0])
            has_tensors = has_tensors or any(isinstance(result.type, TensorType) for result in op.results)
    if "stablehlo" in dialects or "chlo" in dialects:
        return 1
    if has_tensors:
        return 3 if has_kernels else 2
    if not dialects.isdisjoint(("linalg", "linalg_ext", "fourier")):
        return 4
    return 6 if dialects <= {"llvm", "builtin"} and "llvm" in dialects else 5
