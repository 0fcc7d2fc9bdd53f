"""The structured ops of a kernel, by the names that its schedule calls them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import affine, func, memref
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...ir.schedules import Facts, Touch
from ...ir.views import VIEWS
from .from_linalg import nest_of
from .nest import Access, Nest


def is_neutral(op: Operation) -> bool:
    """Whether `op` may stand between the ops of a group: it touches no memory, or only makes or reads it."""
    return (
        op.name.startswith(("arith.", "math."))
        or type(op) in VIEWS
        or isinstance(op, memref.AllocOp | memref.AllocaOp | affine.ApplyOp)
    )


def structured_ops(function: func.FuncOp) -> list[LinalgStructuredOperation] | None:
    """The structured ops of a function in which there is nothing else; None of other functions."""
    found: list[LinalgStructuredOperation] = []
    for op in ops_of(function.body.block):
        if isinstance(op, LinalgStructuredOperation):
            found.append(op)
        elif not is_neutral(op) and not isinstance(op, func.ReturnOp):
            return None
    return found


def names_of(ops: Iterable[LinalgStructuredOperation]) -> list[str]:
    """`fill`, `exp`, `addf`, `addf_1`: what an op does last, and a number where there are several."""
    counts: dict[str, int] = {}
    names: list[str] = []
    for op in ops:
        owner = op.regions[0].block.last_op
        assert owner is not None
        value = owner.operands[-1].owner
        name = "fill" if isinstance(op, FillOp) else "copy"
        if isinstance(value, Operation) and not isinstance(op, FillOp):
            name = value.name.split(".")[-1]
        number = counts[name] = counts.get(name, -1) + 1
        names.append(f"{name}_{number}" if number else name)
    return names


class _NestsOf(Mapping[str, Nest]):
    """The nests of `ops` by name, each made when it is asked for."""

    def __init__(self, ops: Mapping[str, LinalgStructuredOperation], model: CostModel) -> None:
        self.ops, self.model, self.made = ops, model, dict[str, Nest]()

    def __getitem__(self, name: str) -> Nest:
        if name not in self.made:
            self.made[name] = nest_of(self.ops[name], self.model, name)
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ops)

    def __len__(self) -> int:
        return len(self.ops)


@dataclass(frozen=True)
class KernelOps:
    """The ops of a kernel in order."""

    nests: Mapping[str, Nest]
    ops: Mapping[str, LinalgStructuredOperation]

    @staticmethod
    def of(ops: list[LinalgStructuredOperation], model: CostModel) -> KernelOps:
        named = dict(zip(names_of(ops), ops, strict=True))
        return KernelOps(_NestsOf(named, model), named)

    @cached_property
    def fills(self) -> set[str]:
        """Those that only fill."""
        return {name for name, op in self.ops.items() if isinstance(op, FillOp)}

    @cached_property
    def private(self) -> dict[str, SSAValue]:
        """The buffers that only these ops use, by the name of the last op that writes them."""
        users = set(self.ops.values())
        writers: dict[SSAValue, str] = {}
        for name, nest in self.nests.items():
            writers.update((output.root, name) for output in nest.outputs)
        return {
            name: root
            for root, name in writers.items()
            if isinstance(root.owner, memref.AllocOp) and all(use.operation in users for use in root.uses)
        }

    def facts(self) -> list[Facts]:
        """What a schedule has to respect."""
        return [
            Facts(name, nest.extents, nest.reduction, tuple(_touches(nest)), name in self.fills)
            for name, nest in self.nests.items()
        ]


def _touches(nest: Nest) -> Iterable[Touch]:
    for access in nest.reads:
        yield _touch(access, False)
    for reads, access in zip(nest.body.reads_output, nest.outputs, strict=True):
        if reads:
            yield _touch(access, False)
        yield _touch(access, True)
    for root in nest.body.gathered_roots:
        yield Touch(root, None, nest.accesses[0].flat, False)


def _touch(access: Access, writes: bool) -> Touch:
    # Indices of another view of the buffer say nothing about those of this one; the number of the element does.
    indices = access.indices if access.memref is access.root and access.indices is not None else ()
    return Touch(access.root, indices, access.flat, writes)
