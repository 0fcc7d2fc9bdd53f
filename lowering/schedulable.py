"""A kernel that can have a schedule: structured ops, a contraction among them or not; a transform, a scan or a sort."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from ..decisions.model import CostModel
from ..dialects.fourier import TransformOp
from ..dialects.linalg_ext import ScanOp, SortOp
from ..dialects.schedule.tree import Tree
from .contractions.hoisting import Hoisting
from .contractions.scheduled import check_tiles, decide_tiles, product_of, variants_of
from .fourier.scheduled import decide_transform, terms_of_transform, transforms_beside, walk_of
from .linalg_to_affine.decide import decide
from .linalg_to_affine.kernel_ops import KernelOps, only_op, structured_ops
from .linalg_to_affine.scheduled import check_schedule, row_dims
from .lines.scans import decide_scan, plan_of_scan, scans_beside, terms_of_scan
from .lines.sorts import decide_sort, plan_of_sort, sorts_beside
from .streams import check_streams


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
        if isinstance(only, TransformOp | ScanOp | SortOp):
            return SingleOpKernel(function, model, KernelOps.of([], model), only)
        ops = structured_ops(function)
        return StructuredKernel(function, model, KernelOps.of(ops, model), hoisting) if ops else None

    def check(self, tree: Tree) -> None:
        """Raises `ScheduleError` unless `tree` does what the kernel says, and can be lowered."""
        check_streams(tree, self.function)
        self.check_loops(tree.streaming(()))

    def variants(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        """Schedules that differ from a legal one in the choices of a plan, each with what is different."""
        for name, variant in self.variants_of_loops(tree.streaming(()), threads):
            yield name, variant.streaming(tree.streams)

    @abstractmethod
    def check_loops(self, tree: Tree) -> None:
        """The same as `check`, of a schedule that streams nothing."""

    @abstractmethod
    def decide(self, threads: int) -> Tree | None:
        """The loops that the cost model chooses; None where there are no words for it yet."""

    @abstractmethod
    def variants_of_loops(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        """The same as `variants`, of a schedule that streams nothing."""


@dataclass(frozen=True)
class StructuredKernel(Schedulable):
    """Ops of `linalg`, a contraction among them or not."""

    hoisting: Hoisting

    def check_loops(self, tree: Tree) -> None:
        if tree.is_tiled:
            check_tiles(tree, self.ops, self.model, self.hoisting)
        else:
            check_schedule(self.ops, tree, self.model)

    def decide(self, threads: int) -> Tree | None:
        product = product_of(self.ops, self.model, threads, self.hoisting)
        if product is not None:
            return decide_tiles(self.ops, *product, self.model, threads)
        return decide(self.ops, row_dims(self.function), self.model, threads)

    def variants_of_loops(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        if tree.is_tiled:
            yield from variants_of(tree, self.ops, self.model, threads, self.hoisting)


class Kind(NamedTuple):
    """What is known of the kernels that are one op of a class that is none of `linalg`."""

    decide: Callable[[Any, CostModel, int], Tree]
    """The schedule that is chosen for so many threads."""
    check: Callable[[Tree, Any, CostModel], object]
    """Raises `ScheduleError` unless a schedule is one of the op."""
    beside: Callable[[Tree, Any, CostModel, int], Iterator[tuple[str, Tree]]]
    terms: Callable[[Any], int] = lambda _: 0


KINDS: Mapping[type[Operation], Kind] = {
    TransformOp: Kind(decide_transform, walk_of, transforms_beside, terms_of_transform),
    ScanOp: Kind(decide_scan, plan_of_scan, scans_beside, terms_of_scan),
    SortOp: Kind(decide_sort, plan_of_sort, sorts_beside),
}


@dataclass(frozen=True)
class SingleOpKernel(Schedulable):
    """A Fourier transform, a scan or a sort."""

    op: TransformOp | ScanOp | SortOp

    @property
    def kind(self) -> Kind:
        return KINDS[type(self.op)]

    @property
    def outputs(self) -> Sequence[SSAValue]:
        """The buffers that it writes whole; it reads all others that it uses."""
        return self.op.outputs if isinstance(self.op, SortOp) else (self.op.output,)

    @property
    def terms(self) -> int:
        """How many terms its sums have that may be added in any order, 0 if there is none."""
        return self.kind.terms(self.op)

    def check_loops(self, tree: Tree) -> None:
        self.kind.check(tree, self.op, self.model)

    def decide(self, threads: int) -> Tree | None:
        return self.kind.decide(self.op, self.model, threads)

    def variants_of_loops(self, tree: Tree, threads: int) -> Iterator[tuple[str, Tree]]:
        yield from self.kind.beside(tree, self.op, self.model, threads)
