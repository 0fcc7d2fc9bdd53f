"""`kernels-draw-schedules`: for every kernel a random legal schedule near its own.

Does: changes each schedule some times, by changes that `neighbours.py` draws and the kernel's check lets pass. What
lies below has to compute the same with any of them: for tests (`tools/fuzz.py` with the pipeline `xla-cpu-drawn`).

Needs: level 4, behind `kernels-schedule`. Leaves: other schedules, the same for the same `seed`.

    xrt.schedule = #schedule.kernel<{ for i = 0 to 16 { for j = 0 to 8 { compute exp at (i, j) } } }>

becomes for example

    xrt.schedule = #schedule.kernel<{ parallel j = 0 to 8 { for i = 0 to 16 { compute exp at (i, j) } } }>

Not a pattern pass: a schedule is one attribute.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..decisions.model import cost_model_of
from ..dialects.schedule import KernelAttr
from ..dialects.schedule.tree import Tree
from ..dialects.xrt_names import SCHEDULE, SERIAL
from .contractions.hoisting import Hoisting
from .neighbours import Named, is_legal, neighbours
from .schedulable import Schedulable


@dataclass(frozen=True)
class KernelsDrawSchedulesPass(ModulePass):
    """See the module docstring. `changes`: at most so many of each schedule, 0 for a few; `threads`: how many the
    program may use; `vector_bits`: vector length to assume, 0 for the host's."""

    name = "kernels-draw-schedules"

    seed: int = 0
    changes: int = 0
    threads: int = 1
    vector_bits: int = 0
    dot_products: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model, hoisting, rnd = (
            cost_model_of(ctx, self.vector_bits, self.dot_products),
            Hoisting.of(op),
            random.Random(self.seed),
        )
        for function in op.body.block.ops:
            known = function.attributes.get(SCHEDULE)
            if not isinstance(function, func.FuncOp) or not isinstance(known, KernelAttr):
                continue
            kernel = Schedulable.of(function, model, hoisting)
            threads = 1 if SERIAL in function.attributes else max(1, self.threads)
            tree = known.data
            for _ in range(rnd.randint(1, self.changes or model.tuning.changes) if kernel is not None else 0):
                assert kernel is not None
                drawn = draw(kinds_of(neighbours(tree, kernel, threads)), kernel, threads, rnd)
                tree = tree if drawn is None else drawn[1]
            function.attributes[SCHEDULE] = KernelAttr(tree)


def kinds_of(named: Iterable[Named]) -> Mapping[str, Sequence[Named]]:
    """Changes by their kind."""
    found: dict[str, list[Named]] = {}
    for name, tree in named:
        found.setdefault(name.split()[0], []).append((name, tree))
    return found


def draw(
    kinds: Mapping[str, Sequence[Named]], kernel: Schedulable, threads: int, rnd: random.Random
) -> tuple[str, Tree] | None:
    """A legal change. First its kind is drawn, for there are more sizes of tiles than anything else."""
    for _ in range(kernel.model.tuning.tries if kinds else 0):
        name, candidate = rnd.choice(kinds[rnd.choice(list(kinds))])
        if is_legal(candidate, kernel, threads):
            return name, candidate
    return None
