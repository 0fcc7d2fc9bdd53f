"""A kernel that can have a schedule: structured ops, a contraction among them or not; a transform, a scan or a sort."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import SSAValue

from ..decisions.model import CostModel
from ..dialects.fourier import TransformOp
from ..dialects.linalg_ext import ScanOp, SortOp
from ..dialects.schedule.tree import Tree
from .contractions.hoisting import Hoisting
from .contractions.scheduled import check_tiles, decide_tiles, products_of, variants_of
from .fourier.scheduled import decide_walk, tree_of_walk, walk_of, walks_beside
from .linalg_to_affine.decide import decide
from .linalg_to_affine.kernel_ops import KernelOps, only_op, structured_ops
from .linalg_to_affine.scheduled import check_schedule, row_dims
from .lines.scans import decide_scan, is_sum, plan_of_scan, scans_beside, shape_of
from .lines.sorts import decide_sort, plan_of_sort, sorts_beside


@dataclass(frozen=True)
class Schedulable(ABC):
    """A kernel; `ops` are its structured ops, those of `linalg`."""

    function: func.FuncOp
    model: CostModel
    ops: KernelOps

    @staticmethod
    def of(function: func.FuncOp, model: CostModel, hoisting: Hoisting) -> Schedulable | None:
        """None of a function in which there is something else; `hoisting` knows the loops of the program."""
        only = only_op(function)
        if isinstance(only, TransformOp):
            return TransformKernel(function, model, KernelOps.of([], model), only)
        if isinstance(only, ScanOp):
            return ScanKernel(function, model, KernelOps.of([], model), only)
        if isinstance(only, SortOp):
            return SortKernel(function, model, KernelOps.of([], model), only)
        ops = structured_ops(function)
        return StructuredKernel(function, model, KernelOps.of(ops, model), hoisting) if ops else None

    @abstractmethod
    def check(self, tree: Tree) -> None:
        """Raises `ScheduleError` unless `tree` does what the kernel says, and can be lowered."""

    @abstractmethod
    def decide(self, threads: int) -> Tree | None:
        """The schedule that the cost model chooses; None where there are no words for it yet."""

    @abstractmethod
    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        """Schedules that differ from a legal one in the choices of a plan, each with what is different."""


@dataclass(frozen=True)
class StructuredKernel(Schedulable):
    """Ops of `linalg`, a contraction among them or not."""

    hoisting: Hoisting

    def check(self, tree: Tree) -> None:
        if tree.is_tiled:
            check_tiles(tree, self.ops, self.model, self.hoisting)
        else:
            check_schedule(self.ops, tree, self.model)

    def decide(self, threads: int) -> Tree | None:
        products = products_of(self.ops, self.model, threads, self.hoisting)
        if products:
            return decide_tiles(self.ops, *products[0], self.model, threads)
        return decide(self.ops, row_dims(self.function), self.model, threads)

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        if tree.is_tiled:
            yield from variants_of(tree, self.ops, self.model, threads, self.hoisting)


class SingleOpKernel(Schedulable):
    """One op that is none of `linalg`."""

    @property
    @abstractmethod
    def outputs(self) -> Sequence[SSAValue]:
        """The buffers that it writes whole; it reads all others that it uses."""

    @property
    def terms(self) -> int:
        """How many terms its sums have that may be added in any order, 0 if there is none."""
        return 0


@dataclass(frozen=True)
class TransformKernel(SingleOpKernel):
    """A Fourier transform."""

    op: TransformOp

    @property
    def outputs(self) -> Sequence[SSAValue]:
        return (self.op.output,)

    @property
    def terms(self) -> int:
        return self.op.length

    def check(self, tree: Tree) -> None:
        walk_of(tree, self.op, self.model)

    def decide(self, threads: int) -> Tree | None:
        return tree_of_walk(self.op, decide_walk(self.op, self.model, threads), self.model)

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        for name, walk in walks_beside(walk_of(tree, self.op, self.model), self.op, self.model):
            yield name, tree_of_walk(self.op, walk, self.model)


@dataclass(frozen=True)
class ScanKernel(SingleOpKernel):
    """A scan."""

    op: ScanOp

    @property
    def outputs(self) -> Sequence[SSAValue]:
        return (self.op.output,)

    @property
    def terms(self) -> int:
        return shape_of(self.op)[self.op.dim] if is_sum(self.op) else 0

    def check(self, tree: Tree) -> None:
        plan_of_scan(tree, self.op)

    def decide(self, threads: int) -> Tree | None:
        return decide_scan(self.op, self.model, threads)

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        yield from scans_beside(self.op, self.model, threads)


@dataclass(frozen=True)
class SortKernel(SingleOpKernel):
    """A sort."""

    op: SortOp

    @property
    def outputs(self) -> Sequence[SSAValue]:
        return self.op.outputs

    def check(self, tree: Tree) -> None:
        plan_of_sort(tree, self.op, self.model.sorting)

    def decide(self, threads: int) -> Tree | None:
        return decide_sort(self.op, self.model, threads)

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        yield from sorts_beside(tree, self.op, self.model)
