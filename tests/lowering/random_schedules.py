"""Schedules that are some changes away from the chosen one, and still legal."""

from __future__ import annotations

import random
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl_xla.decisions.model import CostModel, cost_model_of
from xdsl_xla.dialects.schedule import KernelAttr, Schedule
from xdsl_xla.dialects.schedule.tree import FOR, Compute, Loop, Node, Parts, Stage, Tree, counted, variable
from xdsl_xla.dialects.xrt_names import SCHEDULE
from xdsl_xla.ir.schedule_changes import changes_of
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.lowering.kernels_schedule import KernelsSchedulePass
from xdsl_xla.lowering.linalg_to_affine.derived_ops import dim_name, operands_of, sums_of
from xdsl_xla.lowering.linalg_to_affine.kernel_ops import KernelOps, structured_ops
from xdsl_xla.lowering.linalg_to_affine.scheduled import check_schedule

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


def is_legal(tree: Tree, function: func.FuncOp) -> bool:
    """Whether the check lets it pass."""
    ops = structured_ops(function)
    assert ops is not None
    try:
        model = cost_model_of(Context(), 512)
        check_schedule(KernelOps.of(ops, model), tree, model)
    except ScheduleError:
        return False
    return True


def partial_sums(tree: Tree, kernel: KernelOps, rnd: random.Random) -> Tree | None:
    """The sums of an op in parts, which are added up at once behind its loops."""
    candidates = [(name, nest) for name, nest in kernel.nests.items() if list(sums_of(nest).values()) == [0]]
    if not candidates or any(isinstance(node, Parts) for node, _ in tree.walk()):
        return None
    name, nest = rnd.choice(candidates)
    dims = sorted(nest.outputs[0].dims)
    reduced = [dim for dim, extent in enumerate(nest.extents) if dim not in dims and extent > 2]
    if nest.body.combiners[0] is None or not reduced:
        return None
    dim = rnd.choice(reduced)
    size = rnd.randint(2, nest.extents[dim] - 1)
    part, count = variable(dim_name(dim)).divided(size), -(-nest.extents[dim] // size)
    at = [variable(dim_name(each)) for each in dims]
    at.insert(rnd.choice((0, len(at))), part)
    node = Parts(name, count, tuple(at))
    nodes: list[Node] = [node]
    last = max(at for at, node in enumerate(tree.nodes) if name in computed(node))
    for place, top in enumerate(tree.nodes):
        nodes.append(renamed(top, name, f"{name}.parts"))
        for end in kernel.under(Tree((node,)), cost_model_of(Context(), 0)).nests.values() if place == last else ():
            if end.ops[0] in (f"{name}.total", f"{name}.errors"):
                names = [f"e{dim}" for dim in range(len(end.extents))]
                body: tuple[Node, ...] = (Compute(end.ops[0], tuple(map(variable, names))),)
                for variable_name, extent in zip(reversed(names), reversed(end.extents), strict=True):
                    body = (Loop(FOR, (counted(variable_name, extent),), body),)
                nodes += body
    return Tree(tuple(nodes))


def staged(tree: Tree, kernel: KernelOps, rnd: random.Random) -> Tree | None:
    """An operand copied to a small buffer ahead of an innermost loop."""
    loops = [node for node, _ in tree.walk() if isinstance(node, Loop) and node.kind == FOR]
    rnd.shuffle(loops)
    for loop in loops:
        (first, *_) = loop.body
        if not all(isinstance(node, Compute) for node in loop.body) or not isinstance(first, Compute):
            continue
        if first.op not in kernel.nests or not (operands := operands_of(kernel.nests[first.op])):
            continue
        name = rnd.choice(list(operands))
        dims = [variable(dim_name(dim)) for dim in range(len(first.at))]
        rnd.shuffle(dims)
        copy = replace(loop, body=(replace(first, op=name),))
        return tree.replaced(loop, (Loop(FOR, (counted("once", 1),), (Stage(name, tuple(dims)), copy, loop)),))
    return None


def computed(node: Node) -> set[str]:
    """The ops in a node."""
    return {each.op for each, _ in Tree((node,)).walk() if isinstance(each, Compute)}


def renamed(node: Node, old: str, new: str) -> Node:
    """A node in which another op is computed."""
    if isinstance(node, Loop):
        return replace(node, body=tuple(renamed(each, old, new) for each in node.body))
    return replace(node, op=new) if isinstance(node, Compute) and node.op == old else node


def change(function: func.FuncOp, rnd: random.Random, most: int) -> list[str]:
    """Changes the schedule of a function at random, at most so often; the names of the changes."""
    ops = structured_ops(function)
    assert ops is not None
    model: CostModel = cost_model_of(Context(), 0)
    kernel = KernelOps.of(ops, model)
    tree = tree_of(function)
    done: list[str] = []
    for name, derive in (("parts", partial_sums), ("stage", staged)):
        found = derive(tree, kernel, rnd) if rnd.random() < 0.4 else None
        if found is not None and is_legal(found, function):
            tree = found
            done.append(name)
    for _ in range(rnd.randint(1, most)):
        candidates = list(changes_of(tree, SIZES))
        rnd.shuffle(candidates)
        for name, candidate in candidates[:12]:
            if is_legal(candidate, function):
                tree = candidate
                done.append(name)
                break
    function.attributes[SCHEDULE] = read(str(KernelAttr(tree)))
    return done
