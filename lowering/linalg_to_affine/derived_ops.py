"""Ops that a schedule makes of the ops of a kernel: partial sums and what adds them up, copies of operands.

`parts 16 addf at (d0 floordiv 64, d1)` makes three of the sums `addf`: `addf.parts` over the same points, which adds to
one of the partial sums, `addf.total` over the partial sums, and of floats `addf.errors`, which adds the errors that the
additions of `addf.total` made (`ir/compensated_sums.py`), so that a long sum is as good as its parts. Known as rfactor
(Suriana, Adams, Kamil, "Parallel associative reductions in Halide", CGO 2017).

`stage exp.in0 at (d1, d0)` makes the op `exp.in0` over the points of `exp`, which copies operand 0 to a buffer.

These buffers are of full size here; lowering shrinks them to what a trip of the loops around needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, Float32Type, Float64Type, FloatAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append
from ...dialects.records import changed
from ...dialects.schedule.tree import Index, Parts, Stage
from ...dialects.shared_attributes import memref_type
from ...ir.affine import ZERO, AffineSum, Atom, Division, dimension
from ...ir.affine_builder import AffineBuilder, scratch_buffer
from ...ir.combiners import NEUTRAL_ELEMENTS
from ...ir.compensated_sums import two_sum, with_error
from ...ir.schedule_errors import refuse
from ...ir.schedule_order import sum_of
from .nest import Access, Nest, dense_access
from .scalar_body import analyze, copy_body, copy_op


def dim_name(dim: int) -> str:
    """What schedules call dimension `dim` of an op."""
    return f"d{dim}"


def output_name(op: str, output: int) -> str:
    """What schedules call an output of an op: the first one as the op."""
    return f"{op}.{output}" if output else op


def sums_of(op: Nest) -> dict[str, int]:
    """The outputs in which an op accumulates."""
    return {output_name(op.ops[0], at): at for at, dims in enumerate(op.accumulation) if dims}


def operands_of(op: Nest) -> dict[str, int]:
    """The operands of an op in memory."""
    (name,) = op.ops
    return {f"{name}.in{at}": at for at, access in enumerate(op.inputs) if isinstance(access, Access)}


def replayed(access: Access, nest: Nest) -> Access:
    """An access in terms of the dimensions of an op, in terms of those of `nest`, which were made from them."""
    for change, extents in nest.steps():
        access = access.substitute(change.values, extents, change.merged)
    return access


class PartialSums(NamedTuple):
    """The partial sums of output `output` of `op`: where its points add to, in `access`, which of the indices tells the
    part, the element that they start from, and the sum of the errors.
    """

    node: Parts
    op: Nest
    output: int
    access: Access
    part: int
    errors: SSAValue | None

    @staticmethod
    def of(node: Parts, op: Nest) -> PartialSums:
        """Those that `node` says. Raises `ScheduleError`."""
        output = sums_of(op)[node.sum]
        target = op.outputs[output]
        if op.body.combiners[output] is None:
            refuse(node, "its terms may not be added in another order")
        indices = _in_dims(node, node.at, op)
        reduced = [at for at, index in enumerate(indices) if not index.dims() <= target.dims]
        if len(reduced) != 1 or indices[reduced[0]].dims() & target.dims:
            refuse(node, "one of its indices is the number of a part, in terms of the dimensions that are reduced")
        (part,) = reduced
        elements = [index for at, index in enumerate(indices) if at != part]
        _check_elements(node, elements, target.dims, op.extents)
        sizes = [_size(index, op.extents) for index in indices]
        sizes[part] = node.count
        type = target.type.element_type
        buffer = scratch_buffer(memref_type(type, *sizes)).results[0]
        errors = None
        if isinstance(op.body.combiners[output], arith.AddfOp) and isinstance(type, Float32Type | Float64Type):
            held = memref_type(type, *(op.extents[dim] for dim in sorted(target.dims)))
            errors = scratch_buffer(held, memref.AllocOp if held.get_shape() else memref.AllocaOp).results[0]
        return PartialSums(node, op, output, dense_access(buffer, buffer, indices), part, errors)

    @property
    def combiner(self) -> Operation:
        """The op that adds."""
        return cast(Operation, self.op.body.combiners[self.output])

    @property
    def neutral(self) -> Attribute:
        """What partial sums start from."""
        return NEUTRAL_ELEMENTS[type(self.combiner)](self.access.type.element_type)

    def ends(self, model: CostModel) -> list[Nest]:
        """What adds up the partial sums, over their elements and parts; and the errors of that."""
        dims = sorted(self.op.outputs[self.output].dims)
        count = len(dims)
        extents = (*(self.op.extents[dim] for dim in dims), self.node.count)
        values = {old: dimension(new) for new, old in enumerate(dims)}
        assert self.access.indices is not None
        indices = [
            dimension(count) if at == self.part else index.substitute(values, extents)
            for at, index in enumerate(self.access.indices)
        ]
        output = self.op.outputs[self.output].substitute(values, extents)
        total = Nest(
            extents=extents,
            reduction=(*(False,) * count, True),
            inputs=(dense_access(self.access.root, self.access.root, tuple(indices)),),
            outputs=(output,),
            inits=(None,),
            body=analyze(self._adding(), model),
            index=(),
            ops=(f"{self.node.sum}.total",),
        )
        if self.errors is None:
            return [total]
        errors = dense_access(self.errors, self.errors, tuple(map(dimension, range(count))))
        type = output.type.element_type
        body = analyze(_two_sum(type), model)
        inits = (None, NEUTRAL_ELEMENTS[arith.AddfOp](type))
        total = changed(total, outputs=(output, errors), inits=inits, body=body, minor=True)
        end = changed(
            total,
            extents=extents[:-1],
            reduction=(False,) * count,
            inputs=(errors,),
            outputs=(output,),
            inits=(None,),
            body=analyze(_add_error(type), model),
            minor=False,
            ops=(f"{self.node.sum}.errors",),
        )
        return [total, end]

    def _adding(self) -> Block:
        """The body that adds a partial sum to the output."""
        accumulator = self.op.body.args[len(self.op.inputs) + self.output]
        block = Block(arg_types=[accumulator.type] * 2)
        op = copy_op(self.combiner, {value: block.args[value is accumulator] for value in self.combiner.operands})
        append(block, op)
        append(block, YieldOp(op.results[0]))
        return block


def in_parts(op: Nest, sums: Sequence[PartialSums]) -> Nest:
    """The op `.parts`: what `op` does, to the partial `sums` of its outputs."""
    outputs, inits = list(op.outputs), list(op.inits)
    for each in sums:
        outputs[each.output], inits[each.output] = each.access, each.neutral
    (name,) = op.ops
    return changed(op, outputs=tuple(outputs), inits=tuple(inits), ops=(f"{name}.parts",))


class Staged(NamedTuple):
    """The operand `source` of an op and where it is copied to, in terms of the dimensions of the op."""

    op: Nest
    source: Access
    access: Access

    @staticmethod
    def of(node: Stage, op: Nest) -> Staged:
        """What `node` says. Raises `ScheduleError`."""
        source = op.inputs[operands_of(op)[node.operand]]
        assert isinstance(source, Access)
        if source.root in {access.root for access in op.outputs}:
            refuse(node, "the op writes what it reads there")
        indices = _in_dims(node, node.at, op)
        if not all(each.remainder and each.lhs.dims() for index in indices for each in index.divisions()):
            refuse(node, "its indices are sums of dimensions, and of remainders of these")
        sizes = [_size(index, op.extents) for index in indices]
        buffer = scratch_buffer(memref_type(source.type.element_type, *sizes)).results[0]
        return Staged(op, source, dense_access(buffer, buffer, indices))

    def copy(self, name: str) -> Nest:
        """The op that copies."""
        body = copy_body(self.source.type.element_type)
        parallel = (False,) * len(self.op.extents)
        return changed(
            self.op,
            reduction=parallel,
            inputs=(self.source,),
            outputs=(self.access,),
            inits=(None,),
            body=body,
            ops=(name,),
        )


# Indices


def _in_dims(node: Parts | Stage, at: Sequence[Index], op: Nest) -> tuple[AffineSum, ...]:
    names = {dim_name(dim): dimension(dim) if extent != 1 else ZERO for dim, extent in enumerate(op.extents)}
    for name in (name for index in at for name in index.loops()):
        if name not in names:
            refuse(node, f"expected dimensions of the op, {', '.join(names)}, not {name}")
    return tuple(sum_of(index, names, op.extents) for index in at)


def _size(index: AffineSum, extents: Sequence[int]) -> int:
    bounds = index.bounds(extents)
    assert bounds is not None
    return bounds[1] + 1


class _Digits(NamedTuple):
    """The part `(dim mod end) floordiv start` of the values of a dimension."""

    dim: int
    start: int
    end: int

    @staticmethod
    def of(atom: Atom, extents: Sequence[int]) -> _Digits | None:
        """Those that an index has of one dimension; None of anything else."""
        if isinstance(atom, int):
            return _Digits(atom, 1, extents[atom])
        if not isinstance(atom, Division) or atom.lhs.const or list(atom.lhs.terms.values()) != [1]:
            return None
        (inner,) = atom.lhs.terms
        of = _Digits.of(inner, extents)
        if of is None or of.end % (of.start * atom.divisor):
            return None
        border = of.start * atom.divisor
        return of._replace(end=border) if atom.remainder else of._replace(start=border)


def _check_elements(node: Parts, indices: Sequence[AffineSum], dims: set[int], extents: Sequence[int]) -> None:
    """Whether `indices` tell elements apart, which have `dims`: each value of a dimension is in one, or its quotient
    and remainder are."""
    found = list[_Digits]()
    for index in indices:
        size = 1
        for atom, factor in sorted(index.terms.items(), key=lambda term: term[1]):
            digits = _Digits.of(atom, extents)
            if digits is None or digits.dim not in dims or factor != size or index.const:
                refuse(node, "its other indices are the dimensions of the result, each once, or such joined or divided")
            found.append(digits)
            size *= digits.end // digits.start
    reached = dict.fromkeys(dims, 1)
    for digits in sorted(found):
        if digits.start != reached[digits.dim]:
            refuse(node, f"its indices repeat, or leave out, parts of {dim_name(digits.dim)}")
        reached[digits.dim] = digits.end
    if left := [dim for dim, end in reached.items() if end != extents[dim]]:
        refuse(node, f"it has no index for {', '.join(map(dim_name, sorted(left)))}")


# Sums with their errors


@cache
def _two_sum(element_type: Attribute) -> Block:
    """Of a term, a sum and its error so far: the new sum and error."""
    block = Block(arg_types=[element_type] * 3)
    term, old, error = block.args
    added = AffineBuilder(block).add

    def add(a: SSAValue, b: SSAValue) -> SSAValue:
        return added(arith.AddfOp(a, b))

    new, lost = two_sum(old, term, add, lambda a, b: added(arith.SubfOp(a, b)))
    append(block, YieldOp(new, add(error, lost)))
    return block


@cache
def _add_error(element_type: Attribute) -> Block:
    """Of an error and a sum: the sum with its error."""
    block = Block(arg_types=[element_type] * 2)
    error, total = cast(Sequence[SSAValue], block.args)
    added = AffineBuilder(block).add
    result = with_error(
        total,
        error,
        lambda a, b: added(arith.AddfOp(a, b)),
        lambda value: added(
            arith.CmpfOp(value, added(arith.ConstantOp(FloatAttr(0.0, cast(AnyFloat, element_type)))), "one")
        ),
        lambda condition, yes, no: added(arith.SelectOp(condition, yes, no)),
    )
    append(block, YieldOp(result))
    return block
