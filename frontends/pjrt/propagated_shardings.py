"""What a program on whole arrays says of all its values, before it is partitioned."""

from __future__ import annotations

from itertools import takewhile

from xdsl.dialects.builtin import ModuleOp

from ...pipelines import SPMD, Step, expand
from ...runtime.extensions.definitions import NOTHING
from ...runtime.pass_manager import parse_passes, run_passes
from ...runtime.program_context import new_context

_PARTITION = "stablehlo-partition-spmd"

STEPS: tuple[Step, ...] = tuple(takewhile(lambda step: step.spec != _PARTITION, SPMD))
"""Those that find the shardings."""


def run_steps(module: ModuleOp, steps: tuple[Step, ...] = STEPS) -> ModuleOp:
    """`module`, changed by steps of partitioning: by default those that give each value its sharding."""
    run_passes(new_context(), module, parse_passes(expand(list(steps)), None, {}, NOTHING), verify=False)
    return module
