"""A kernel with a contraction, and its schedule: decided, checked and obeyed."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import func
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation

from ...decisions.model import CostModel
from ...dialects import locating
from ...dialects.schedule.tree import TILE, Compute, Fetch, Hold, Keep, Loop, Node, Pack, Parts, Stage, Start, Tree
from ...ir.affine_builder import AffineBuilder
from ...ir.schedule_errors import refuse
from ...ir.schedules import check
from ..linalg_to_affine.decide import decide
from ..linalg_to_affine.function_state import FunctionState
from ..linalg_to_affine.kernel_ops import KernelOps
from ..linalg_to_affine.scheduled import erase_lowered, lower_nests
from .choice import Product
from .emit import Emitter
from .from_trees import plan_of
from .hoisting import Hoisting
from .paths import Path
from .plan import Plan
from .tiling import Tiling
from .variants import variants


def product_of(kernel: KernelOps, model: CostModel, threads: int, hoisting: Hoisting) -> tuple[Product, Tiling] | None:
    """The first contraction of a kernel that is worth tiles of registers."""
    for name in kernel.ops:
        product = _product(kernel, name)
        tiling = None if product is None else product.tiling(model, threads, hoisting)
        if product is not None and tiling is not None:
            return product, tiling
    return None


def decide_tiles(kernel: KernelOps, product: Product, tiling: Tiling, model: CostModel, threads: int) -> Tree | None:
    """The schedule of a kernel that is this contraction, with what starts and finishes it; None of others."""
    names = {op: name for name, op in kernel.ops.items()}
    epilogue = tiling.contraction.epilogue
    fill, name = product.fill, names[product.op]
    known: set[Operation] = {op for op in (product.op, fill, epilogue and epilogue.op) if op is not None}
    if set(kernel.ops.values()) != known:
        return None
    before: tuple[Node, ...] = ()
    if fill is not None and not tiling.starts_from_fill:
        alone = KernelOps({names[fill]: kernel.nests[names[fill]]}, {names[fill]: fill})
        before = decide(alone, None, model, threads).nodes
    elif fill is not None:
        before = (Start(name, names[fill]),)
    nodes = tiling.nodes(name, "" if epilogue is None else names[epilogue.op])
    return Tree((*before, *nodes), checked=True)


def plan_of_tiling(product: Product, tiling: Tiling) -> Plan:
    """The plan for a contraction in a function without a schedule, which has no names."""
    model, epilogue = tiling.model, tiling.contraction.epilogue
    contraction = product.contraction(model, None if epilogue is None else epilogue.op)
    assert contraction is not None
    starts = (Start("product", "fill"),) if tiling.starts_from_fill else ()
    return plan_of(Tree((*starts, *tiling.nodes("product", "finish"))), "product", contraction, model)


def check_tiles(schedule: Tree, kernel: KernelOps, model: CostModel, hoisting: Hoisting) -> None:
    """Raises `ScheduleError` unless `schedule` does what `kernel` says, and its tiles can be computed."""
    for node, _ in schedule.walk():
        if isinstance(node, Parts | Stage):
            refuse(node, "beside tiles of registers no sums are in parts, and no operands staged")
    check(schedule, kernel.facts(), kernel.private)
    read_tiles(schedule, kernel, model, hoisting)


def read_tiles(schedule: Tree, kernel: KernelOps, model: CostModel, hoisting: Hoisting) -> Plan:
    """How `schedule` computes the contraction of a kernel in tiles. Raises `ScheduleError`."""
    tiled = [node for node, loops in schedule.walk() if isinstance(node, Compute) and loops and loops[-1].kind == TILE]
    name = tiled[0].op
    path, product = Path.to(schedule, name), _product(kernel, name)
    if product is None:
        refuse(tiled[0], f"'{name}' is no sum of products and cannot be computed in tiles of registers")
    finish = None if path.finish is None else kernel.ops[path.finish]
    if finish is not None and (product.fill is None or product.finish(model) is not finish):
        refuse(path.behind[0], f"'{path.finish}' cannot be applied to tiles of '{name}'")
    for node, loops in schedule.walk():
        inside = bool(loops) and loops[0] is path.loops[0]
        if isinstance(node, Compute) and inside and node.op not in (name, path.finish):
            refuse(node, f"it is in the loops around the tiles of '{name}'")
        on_path = any(node is each for each in path.nodes)
        if isinstance(node, Pack | Fetch | Hold) and not on_path:
            refuse(node, f"it is not around the tiles of '{name}'")
        if isinstance(node, Keep) and (not loops or (node.buffer == name and (finish is None or not on_path))):
            refuse(node, f"beside tiles of '{name}' only these are kept, in the loops of what is applied to them")
    contraction = product.contraction(model, finish if isinstance(finish, GenericOp) else None)
    if contraction is None:
        refuse(tiled[0], f"'{name}' is no product of what loops move through in equal steps")
    plan = plan_of(schedule, name, contraction, model)
    if plan.hoisted is not None and not hoisting.knows(plan.hoisted):
        refuse(tiled[0], "what is packed hoisted is the same in all trips of a loop of the program")
    return plan


def variants_of(
    schedule: Tree, kernel: KernelOps, model: CostModel, threads: int, hoisting: Hoisting
) -> Iterator[tuple[str, Tree]]:
    """Schedules that differ in one choice of the plan of a contraction, with the name of the choice."""
    plan = read_tiles(schedule, kernel, model, hoisting)
    product = Product.of(plan.contraction.op)
    if product is None:
        return
    for name, variant in variants(plan, threads, product.fill is not None):
        tree = decide_tiles(kernel, product, variant, model, threads)
        if tree is not None:
            yield name, tree


def _product(kernel: KernelOps, name: str) -> Product | None:
    op = kernel.ops[name]
    return Product.of(op) if type(op) is GenericOp else None


def lower_tiled(
    function: func.FuncOp, schedule: Tree, kernel: KernelOps, model: CostModel, threads: int, hoisting: Hoisting
) -> None:
    """Replaces the ops of a kernel by loops, as its schedule says."""
    plan = read_tiles(schedule, kernel, model, hoisting)
    names = {op: name for name, op in kernel.ops.items()}
    name = names[plan.contraction.op]
    path, block = Path.to(schedule, name), function.body.block
    cursor = AffineBuilder(block, block.last_op)
    state = FunctionState.of(function, model, threads)

    starts = [node for node in schedule.nodes if isinstance(node, Start)]
    fill = next((kernel.ops[start.fill] for start in starts if start.op == name), None)
    place = next(number for number, node in enumerate(schedule.nodes) if node is path.loops[0])

    def write(nodes: tuple[Node, ...]) -> None:
        """The loops of other ops."""
        loops = tuple(node for node in nodes if isinstance(node, Loop | Compute))
        if not loops:
            return
        others = {other: op for other, op in kernel.ops.items() if other not in (name, path.finish)}
        nests = {other: kernel.nests[other] for other in others}
        tree = Tree((*(start for start in starts if start.op != name), *loops))
        lower_nests(state, KernelOps(nests, others), tree, cursor)

    write(schedule.nodes[:place])
    write_plan(plan, fill, block.last_op, hoisting)
    locating.at(function)
    write(schedule.nodes[place + 1 :])
    erase_lowered(block, [*kernel.ops.values()])
    if plan.hoisted is not None:
        hoisting.drop_unused(plan.hoisted)


def write_plan(plan: Plan, fill: Operation | None, anchor: Operation | None, hoisting: Hoisting) -> None:
    """Writes the loops of a plan in front of `anchor`; its sums start from the value of `fill`."""
    assert anchor is not None and anchor.parent is not None
    locating.at(plan.contraction.op)
    panels = None if plan.hoisted is None else hoisting.pack(plan.hoisted)
    builder = AffineBuilder(anchor.parent, anchor)
    Emitter(plan, plan.model.target.fma, None if fill is None else fill.operands[0], builder, panels).emit()
