"""What LLVM does with a part of a program: which passes of its optimiser run, and which code generator.

LLVM costs the most time of a compilation, some 0.1 ms for each instruction it is given, and the passes of this compiler
have already done much of what its pipelines are for: there is nothing to inline, common subexpressions are gone, loops
are in canonical form, and contractions are vector code. So each `Tier` (`llvm-choose-tiers`) gets what it needs (times
are relative to the full pipeline of level 2 and its code generator, which is what all of the program got otherwise):

| tier | optimiser | code generator | time |
| --- | --- | --- | --- |
| program | nothing | of level 0: what runs once is calls, and loops that are soon over | 0.1 |
| tiles | nothing | of level 2: its register allocator makes the tile | 0.2 |
| vectors | peepholes, redundant loads, branches | of level 2 | 0.5 |
| loops | pipeline of level 1 and both vectorisers | of level 2 | 0.7 |

What level 2 has beyond that (jump threading, correlated values, redundancy across branches, unrolling of long loops)
costs a third of the optimiser's time and gains nothing on the benchmarks. Loops of a few iterations are unrolled where
their branch is marked (`llvm-mark-short-loops`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ..dialects.llvm_parts import Tier

llvm: Any = llvmlite.binding  # has no type annotations


_LINES_ONLY = (
    "-experimental-debug-variable-locations=false",  # variables are looked for in two ways: this one finds none sooner
    "-disable-auto-upgrade-debug-info",  # the text is of this version of LLVM; asking would verify it once more
    "-use-unknown-locations=Disable",  # what is from nowhere is from the line before, not from line 0
)
"""Options of LLVM's that take nothing away from a table of lines."""


@cache
def lines_only() -> None:
    """Debug information here is of lines: LLVM is told to do no more than they need."""
    for option in _LINES_ONLY:
        llvm.set_option("xdsl-xla", option)


VECTOR_PASSES = ("instruction_combine", "new_gvn", "simplify_cfg")
"""The optimiser of `Tier.VECTORS`, as llvmlite names its passes."""


@dataclass(frozen=True)
class Options:
    """How LLVM should work.

    `opt_level`: 0 is no optimisation at all; 1 is LLVM's own pipeline of that level, without vectorisation; 2 is what
    the table above says; 3 is LLVM's own pipeline of that level for everything that loops. It takes twice the time of
    level 2 and gains nothing on the benchmarks.
    """

    opt_level: int = 2

    def codegen_level(self, tier: Tier) -> int:
        """The level of the code generator, 0 to 3."""
        return 0 if tier is Tier.PROGRAM else self.opt_level


DEFAULT_OPTIONS = Options()


@dataclass(frozen=True)
class Optimizer:
    """A pass manager with what has to live as long as it does; `manager` runs on a module together with `builder`."""

    manager: Any
    builder: Any


def optimizer(machine: Any, tier: Tier, options: Options = DEFAULT_OPTIONS) -> Optimizer | None:
    """The optimiser for modules of `tier`; None if there is nothing to do."""
    level = options.opt_level
    if level == 0 or tier is Tier.PROGRAM or (tier is Tier.TILES and level == 2):
        return None
    by_hand = tier is Tier.VECTORS and level == 2
    tuning = llvm.create_pipeline_tuning_options(0 if by_hand else 1 if level == 2 else level)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_interleaving = level > 1
    tuning.loop_unrolling = level > 2
    builder = llvm.create_pass_builder(machine, tuning)
    if not by_hand:
        return Optimizer(builder.getModulePassManager(), builder)
    manager = llvm.create_new_module_pass_manager()
    for name in VECTOR_PASSES:
        getattr(manager, f"add_{name}_pass")()
    return Optimizer(manager, builder)
