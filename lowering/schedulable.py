"""A kernel that can have a schedule: of structured ops, of a contraction among them, or of a Fourier transform."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import func

from ..decisions.model import CostModel
from ..dialects.fourier import TransformOp
from ..dialects.schedule.tree import Tree
from .contractions.hoisting import Hoisting
from .contractions.scheduled import check_tiles, decide_tiles, products_of, variants_of
from .fourier.scheduled import decide_walk, transform_of, tree_of_walk, walk_of, walks_beside
from .linalg_to_affine.decide import decide
from .linalg_to_affine.kernel_ops import KernelOps, structured_ops
from .linalg_to_affine.scheduled import check_schedule, row_dims


@dataclass(frozen=True)
class Schedulable:
    """A kernel in a module of which `hoisting` knows the loops."""

    function: func.FuncOp
    model: CostModel
    hoisting: Hoisting
    ops: KernelOps
    """None of a Fourier transform."""
    transform: TransformOp | None

    @staticmethod
    def of(function: func.FuncOp, model: CostModel, hoisting: Hoisting) -> Schedulable | None:
        """None of a function in which there is something else."""
        transform = transform_of(function)
        ops = [] if transform is not None else structured_ops(function)
        if transform is None and not ops:
            return None
        return Schedulable(function, model, hoisting, KernelOps.of(ops or [], model), transform)

    def check(self, tree: Tree) -> None:
        """Raises `ScheduleError` unless `tree` does what the kernel says, and can be lowered."""
        if self.transform is not None:
            walk_of(tree, self.transform, self.model)
            return
        if tree.is_tiled:
            check_tiles(tree, self.ops, self.model, self.hoisting)
        else:
            check_schedule(self.ops, tree, self.model)

    def decide(self, threads: int) -> Tree | None:
        """The schedule that the cost model chooses; None where there are no words for it yet."""
        if self.transform is not None:
            return tree_of_walk(self.transform, decide_walk(self.transform, self.model, threads), self.model)
        products = products_of(self.ops, self.model, threads, self.hoisting)
        if products:
            return decide_tiles(self.ops, *products[0], self.model, threads)
        return decide(self.ops, row_dims(self.function), self.model, threads)

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        """Schedules that differ from a legal one in the choices of a plan, each with what is different."""
        if self.transform is not None:
            for name, walk in walks_beside(walk_of(tree, self.transform, self.model), self.transform, self.model):
                yield name, tree_of_walk(self.transform, walk, self.model)
        elif tree.is_tiled:
            yield from variants_of(tree, self.ops, self.model, threads, self.hoisting)
