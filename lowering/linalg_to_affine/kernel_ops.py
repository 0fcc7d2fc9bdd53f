"""The structured ops of a kernel, by the names that its schedule calls them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from xdsl.dialects import affine, func, memref
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import FillOp
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...dialects.records import changed
from ...dialects.schedule.tree import Parts, Stage, Tree
from ...ir.affine import dimension
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import Facts, Touch
from ...ir.views import PARTS, VIEWS, uses_of_buffer
from ...properties import cached_property
from .derived_ops import PartialSums, Staged, in_parts, operands_of, output_name, sums_of
from .from_linalg import nest_of
from .nest import Access, Nest


def is_neutral(op: Operation) -> bool:
    """Whether `op` may stand between the ops of a group: it touches no memory, or only makes or reads it."""
    return _is_neutral(type(op))


@cache
def _is_neutral(kind: type[Operation]) -> bool:
    if issubclass(kind, memref.AllocOp | memref.AllocaOp | affine.ApplyOp) or kind in VIEWS:
        return True
    return kind.name.startswith(("arith.", "math.", "complex."))


def only_op(function: func.FuncOp) -> Operation | None:
    """What a function consists of, if that is one op."""
    ops = [op for op in ops_of(function.body.block) if not is_neutral(op) and not isinstance(op, func.ReturnOp)]
    return ops[0] if len(ops) == 1 else None


def structured_ops(function: func.FuncOp) -> list[LinalgStructuredOperation] | None:
    """The structured ops of a function in which there is nothing else, but for loads ahead of them, of offsets; None of
    other functions."""
    found: list[LinalgStructuredOperation] = []
    for op in ops_of(function.body.block):
        if isinstance(op, LinalgStructuredOperation):
            found.append(op)
        elif not is_neutral(op) and not isinstance(op, func.ReturnOp) and (found or not isinstance(op, memref.LoadOp)):
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
    origin: Mapping[str, str] = field(default_factory=dict[str, str])
    """The ops from which a schedule derives others, by the names of these."""
    derived: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    """Buffers of derived ops, by the names of those that write them first."""
    staged: Mapping[str, Sequence[Staged]] = field(default_factory=dict[str, Sequence[Staged]])
    """The operands that ops have in small buffers."""

    @staticmethod
    def of(ops: list[LinalgStructuredOperation], model: CostModel) -> KernelOps:
        named = dict(zip(names_of(ops), ops, strict=True))
        return KernelOps(_NestsOf(named, model), named)

    def op_of(self, name: str) -> str:
        """The op of the kernel that `name` is, or is derived from."""
        return self.origin.get(name, name)

    def copies_of(self, name: str) -> list[str]:
        """The ops that copy operands of an op."""
        return [copy for copy in self.derived if self.op_of(copy) == name and copy in operands_of(self.nests[name])]

    @cached_property
    def fills(self) -> set[str]:
        """Those that only fill."""
        return {name for name, op in self.ops.items() if isinstance(op, FillOp)}

    @cached_property
    def private(self) -> dict[str, SSAValue]:
        """The buffers that only these ops use, by the name of the last output to them."""
        users = set(self.ops.values())
        writers: dict[SSAValue, str] = {}
        for name in self.ops:
            writers.update((output.root, output_name(name, at)) for at, output in enumerate(self.nests[name].outputs))
        return {
            name: root
            for root, name in writers.items()
            if isinstance(root.owner, memref.AllocOp)
            and all(use.operation in users for use in uses_of_buffer(root, PARTS))
        }

    def under(self, tree: Tree, model: CostModel) -> KernelOps:
        """The ops with those that a schedule derives from them. Raises `ScheduleError`."""
        parts, stages = dict[str, list[PartialSums]](), dict[str, dict[str, Staged]]()
        sums = {sum: name for name, nest in self.nests.items() for sum in sums_of(nest)}
        operands = {operand: name for name, nest in self.nests.items() for operand in operands_of(nest)}
        for node, _ in tree.walk():
            if isinstance(node, Parts):
                name = _known(node, node.sum, sums)
                parts.setdefault(name, []).append(PartialSums.of(node, self.nests[name]))
            elif isinstance(node, Stage):
                name = _known(node, node.operand, operands)
                stages.setdefault(name, {})[node.operand] = Staged.of(node, self.nests[name])
        if not parts and not stages:
            return self
        nests, origin, derived = dict[str, Nest](), dict[str, str](), dict[str, SSAValue]()
        for name, nest in self.nests.items():
            staged = stages.get(name, {})
            added = {operand: each.copy(operand) for operand, each in staged.items()}
            nests |= {**added, name: nest}
            derived.update((operand, each.access.root) for operand, each in staged.items())
            if name in parts:
                ends = [end for each in parts[name] for end in each.ends(model)]
                nests |= {each.ops[0]: each for each in (in_parts(nest, parts[name]), *ends)}
            for each in parts.get(name, ()):
                derived[f"{each.node.sum}.parts"] = each.access.root
                if each.errors is not None:
                    derived[f"{each.node.sum}.errors"] = each.errors
            origin.update((other, name) for other in nests if other not in self.nests and other not in origin)
        staged = {name: tuple(each.values()) for name, each in stages.items()}
        return changed(self, nests=nests, origin=origin, derived=derived, staged=staged)

    def facts(self) -> list[Facts]:
        """What a schedule has to respect."""
        copies = {each.access.root: each for staged in self.staged.values() for each in staged}
        found: list[Facts] = []
        for name, nest in self.nests.items():
            touches = list(_touches(nest))
            if (copied := copies.get(nest.outputs[0].root)) is not None:
                touches[-1] = _staging(copied, True)
            touches += [_staging(each, False) for each in self.staged.get(name, ())]
            part_of = self.origin[name] if name.endswith(".parts") else ""
            in_order = any(
                dims and combiner is None for dims, combiner in zip(nest.accumulation, nest.body.combiners, strict=True)
            )
            inputs = {number: each.root for number, each in enumerate(nest.inputs) if isinstance(each, Access)}
            found.append(
                Facts(
                    name,
                    nest.extents,
                    nest.reduction,
                    tuple(touches),
                    name in self.fills,
                    part_of,
                    in_order,
                    inputs=inputs,
                )
            )
        return found


def _known(node: Parts | Stage, name: str, names: Mapping[str, str]) -> str:
    if name not in names:
        refuse(node, f"the kernel has no '{name}'; it has {', '.join(names)}")
    return names[name]


def _staging(staged: Staged, writes: bool) -> Touch:
    """An access of a buffer that holds what is read at a point of the op."""
    dims = tuple(map(dimension, range(len(staged.op.extents))))
    return Touch(staged.access.root, dims, staged.access.flat, writes)


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
    return Touch(access.root, indices, access.flat, writes, access.type.get_shape())
