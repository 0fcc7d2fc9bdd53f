"""The program that is tuned, as it runs: what is better by itself must not be worse in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...dialects.schedule.syntax import text_of
from ...dialects.schedule.tree import Tree
from ...dialects.xrt_names import ROUTINE
from ...errors import ProgramTimeoutError
from ..compiled_program import CompiledProgram
from ..executable import Executable
from ..loading import load
from ..signature import TensorSpec
from .stopwatch import Runnable, Stopwatch
from .values import Array, random_values

Inputs = Callable[[Sequence[TensorSpec]], Sequence[Array]] | None
"""What gives the arguments of a program; None for random ones."""


def obstacle_of(program: CompiledProgram) -> str:
    """Why a program is not run; nothing if it is."""
    if (program.replicas, program.partitions) != (1, 1):
        return "is for several processes"
    if any(not target.name.startswith(ROUTINE) for target in program.call_targets):
        return "calls what may have effects"
    return ""


@dataclass
class WholeProgram:
    """`build` compiles it with other schedules of some kernels; `current` has those that were accepted."""

    build: Callable[[Mapping[str, Tree]], Runnable]
    current: Runnable
    stopwatch: Stopwatch
    obstacle: str = ""
    """Why it is not run."""
    trees: dict[str, Tree] = field(default_factory=dict[str, Tree])

    @staticmethod
    def of(
        compile: Callable[[Mapping[str, Tree]], CompiledProgram],
        inputs: Inputs,
        stopwatch: Stopwatch,
        seconds: float,
    ) -> WholeProgram:
        """A program that takes more than `seconds`, such as a loop that random arguments do not end, is not run."""

        program = compile({})
        first, signature = load(program, {}), program.signature
        given = random_values(signature.inputs, seed=0) if inputs is None else inputs(signature.inputs)
        donated = {argument for argument, _ in program.donated}

        def runnable(executable: Executable, trees: Mapping[str, Tree]) -> Runnable:
            def run() -> Sequence[Array]:
                arrays = [array.copy() if at in donated else array for at, array in enumerate(given)]
                return executable(*signature.arguments(arrays), timeout=seconds)

            return Runnable(run, "".join(f"{name}\n{text_of(tree)}" for name, tree in trees.items()))

        def build(trees: Mapping[str, Tree]) -> Runnable:
            executable = load(compile(trees), {})
            executable.share_results(first)
            return runnable(executable, trees)

        current, obstacle = runnable(first, {}), obstacle_of(program)
        try:
            if not obstacle:
                current.run()
        except ProgramTimeoutError:
            obstacle = f"takes more than {seconds:.3g} s"
        return WholeProgram(build, current, stopwatch, obstacle)

    def accepts(self, trees: Mapping[str, Tree]) -> str | None:
        """Why the program does not take further schedules; None if it has them now."""
        together = {**self.trees, **trees}
        if not self.obstacle:
            new = self.build(together)
            new.run()
            is_fine, found = self.stopwatch.not_slower(self.current, new)
            if not is_fine:
                return f"the program takes {found.least:.1%}"
            self.current = new
        self.trees = together
        return None
