"""A program that has come as far as its schedules: with others it can be compiled again and again from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ...decisions.model import cost_model_of
from ...decisions.target import cpu_name
from ...dialects.schedule.tree import Tree
from ...errors import ArgumentError
from ...lowering.kernels_schedule import KernelsSchedulePass
from ...nesting import at_depth
from ..compilation import Preparation, finish, prepare
from ..compiled_program import CompiledProgram
from ..compiler import Request
from ..executable import Executable
from ..loading import load
from ..pass_manager import run_passes
from ..schedule_texts import ScheduleTexts
from .kernels import Kernel, functions_named, give, isolated, kernels_of, scheduled


class Workbench:
    """Raises `ArgumentError` for a pipeline that decides no schedules."""

    def __init__(self, source: str | bytes | ModuleOp, filename: str, request: Request) -> None:
        self._request = request
        self._prepared = prepared = prepare(source, filename, request)
        steps = [each for each in prepared.passes if isinstance(each, KernelsSchedulePass)]
        if not steps:
            raise ArgumentError(
                f"argument tune: the pipeline {request.pipeline} has no step {KernelsSchedulePass.name}"
            )
        step = steps[0]
        place = prepared.passes.index(step)
        self._rest = prepared.passes[place + 1 :]
        self.fixed: set[str] = set()
        """The kernels whose schedules the program itself says."""
        self.written = request.schedules.parsed()

        def lower() -> None:
            run_passes(prepared.context, prepared.module, prepared.passes[:place])
            self.fixed.update(scheduled(prepared.module))
            run_passes(prepared.context, prepared.module, [step])

        at_depth(prepared.depth, lower)
        model = cost_model_of(prepared.context, step.vector_bits)
        self.kernels, self.others = kernels_of(prepared.module, model, cpu_name(step.vector_bits), max(1, step.threads))

    def program(self, trees: Mapping[str, Tree]) -> CompiledProgram:
        """The whole program, where these kernels have these schedules."""
        module = self._prepared.module.clone()
        for function in functions_named(module, trees):
            give(function, trees[function.sym_name.data])
        return at_depth(self._prepared.depth, lambda: self._finished(self._prepared, module))

    def alone(self, kernel: Kernel) -> KernelBench:
        """For the kernel by itself."""
        request = self._request._replace(pipeline="", entry="main", donate=False, schedules=ScheduleTexts())
        request = request._replace(replicas=None, partitions=None)
        return KernelBench(self, kernel, prepare(isolated(kernel), f"@{kernel.name}", request))

    def _finished(self, prepared: Preparation, module: ModuleOp) -> CompiledProgram:
        run_passes(prepared.context, module, self._rest)
        return finish(prepared, module, self._request)

    def finished(self, prepared: Preparation, module: ModuleOp) -> Executable:
        """What the passes that are left make of a module like that of `prepared`."""
        return load(self._finished(prepared, module), {})


class KernelBench:
    """One kernel, to be compiled with any schedule."""

    def __init__(self, bench: Workbench, kernel: Kernel, prepared: Preparation) -> None:
        self._bench = bench
        self._kernel = kernel
        self._prepared = prepared

    def executable(self, tree: Tree) -> Executable:
        """Raises what passes raise for a schedule that they cannot lower."""
        module = self._prepared.module.clone()
        for function in functions_named(module, [self._kernel.name]):
            give(function, replace(tree, checked=True))
        return self._bench.finished(self._prepared, module)
