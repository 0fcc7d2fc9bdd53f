"""Schedules that are some changes away from the chosen one, and still legal."""

from __future__ import annotations

import random

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl_xla.decisions.model import CostModel, cost_model_of
from xdsl_xla.dialects.schedule import KernelAttr, Schedule
from xdsl_xla.dialects.schedule.tree import Tree
from xdsl_xla.dialects.xrt_names import SCHEDULE
from xdsl_xla.ir.schedule_changes import changes_of
from xdsl_xla.ir.schedules import ScheduleError, check
from xdsl_xla.lowering.kernels_schedule import KernelsSchedulePass
from xdsl_xla.lowering.linalg_to_affine.kernel_ops import KernelOps, structured_ops

SIZES = (2, 3, 4, 5, 8, 16)


def scheduled(module: ModuleOp, threads: int = 1, vector_bits: int = 512) -> list[func.FuncOp]:
    """Gives the functions of `module` their schedules; those that have one now."""
    KernelsSchedulePass(threads=threads, vector_bits=vector_bits).apply(Context(), module)
    return [op for op in module.ops if isinstance(op, func.FuncOp) and SCHEDULE in op.attributes]


def tree_of(function: func.FuncOp) -> Tree:
    """The schedule of a function."""
    attribute = function.attributes[SCHEDULE]
    assert isinstance(attribute, KernelAttr)
    return attribute.data


def read(text: str) -> KernelAttr:
    """The schedule with this text."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(Schedule)
    attribute = Parser(context, text).parse_attribute()
    assert isinstance(attribute, KernelAttr)
    return attribute


def is_legal(tree: Tree, kernel: KernelOps) -> bool:
    """Whether the check lets it pass."""
    try:
        check(tree, kernel.facts(), kernel.private)
    except ScheduleError:
        return False
    return True


def change(function: func.FuncOp, rnd: random.Random, most: int) -> list[str]:
    """Changes the schedule of a function at random, at most so often; the names of the changes."""
    ops = structured_ops(function)
    assert ops is not None
    model: CostModel = cost_model_of(Context(), 0)
    kernel = KernelOps.of(ops, model)
    tree = tree_of(function)
    done: list[str] = []
    for _ in range(rnd.randint(1, most)):
        candidates = list(changes_of(tree, SIZES))
        rnd.shuffle(candidates)
        for name, candidate in candidates[:12]:
            if is_legal(candidate, kernel):
                tree = candidate
                done.append(name)
                break
    function.attributes[SCHEDULE] = read(str(KernelAttr(tree)))
    return done
