"""A loop nest as data: what one linalg op does, and the transformations of its loops.

A `Nest` says: for every point of a box of loop dimensions, load the inputs, run the scalar body, store or accumulate
the outputs. The order of the dimensions is the order of the loops. Transformations (`split`, `restrict`, `permute`,
`merge`) return new nests; a schedule is a sequence of them, in the manner of Halide and TVM, and emission follows
the order blindly.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import walk
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from ...dialects.schedule.tree import Node, Place
from ...ir.affine import ZERO, AffineSum, dimension, linearize
from ...ir.views import buffer_of
from ...properties import cached_property
from .scalar_body import NO_BODY, ScalarBody, fill_body


@dataclass(frozen=True)
class Access:
    """One element of `memref` (dense, row-major) per point of the loop nest.

    `indices` are its indices, None once loops have been merged across its dimensions; `flat` is the row-major offset.
    `root` is the buffer that `memref` is or is a view of.
    """

    memref: SSAValue
    root: SSAValue
    indices: tuple[AffineSum, ...] | None
    flat: AffineSum

    @property
    def type(self) -> MemRefType:
        return cast(MemRefType, self.memref.type)

    @cached_property
    def dims(self) -> set[int]:
        return self.flat.dims()

    @cached_property
    def mask(self) -> int:
        """The dimensions as bits."""
        return _bits(self.dims)

    @cached_property
    def element_bytes(self) -> int:
        return element_bytes(self.type.element_type)

    def substitute(
        self, values: Mapping[int, AffineSum], extents: Sequence[int], merged: AbstractSet[int] = frozenset()
    ) -> Access:
        """The access where dimensions have `values`, some of them being `merged` into one."""
        indices = self.indices
        if indices is not None:
            indices = None if self.dims & merged else tuple([i.substitute(values, extents) for i in indices])
        return Access(self.memref, self.root, indices, self.flat.substitute(values, extents))


def dense_access(memref: SSAValue, root: SSAValue, indices: tuple[AffineSum, ...]) -> Access:
    """The access of `memref` at `indices`."""
    shape = cast(MemRefType, memref.type).get_shape()
    return Access(memref, root, indices, linearize(indices, shape))


def _bits(dims: AbstractSet[int]) -> int:
    return sum(1 << dim for dim in dims)


def scratch_kind(size: int, model: CostModel) -> type[memref.AllocOp] | type[memref.AllocaOp]:
    """How scratch of `size` bytes is allocated: on the stack where it is small."""
    return memref.AllocaOp if size <= model.memory.row_scratch_bytes else memref.AllocOp


class Change(NamedTuple):
    """One step from dimensions of `extents` to others: what they are in terms of the new ones, unless they stay as they
    are. Two that are `merged` are the quotient and the remainder of one by the extent of the inner one.
    """

    extents: tuple[int, ...]
    values: Mapping[int, AffineSum]
    merged: AbstractSet[int]


class ShortBlockError(Exception):
    """What is to be divided, or to be one with another, is a dimension of which the last block is shorter."""


class Block(NamedTuple):
    """Dimension `dim` runs through blocks, whose number is the dimension `counter`, of `end` points altogether: its
    extent is that of a block, the last of which is shorter.
    """

    dim: int
    counter: int
    end: int


@dataclass(frozen=True)
class Nest:
    """One loop nest.

    `extents`, `reduction`: trip count of every dimension and whether its iterator is a reduction; the first `rows`
    dimensions belong to loops around the nest, the last `unrolled` ones are not loops but copies of the body, or if
    `transposed`, square blocks of this side in which a copy turns rows into columns. The first `parallel` loops run in
    parallel. `inputs`: accesses, or scalars. `inits[i]`: the scalar (or constant) output
    `i` starts from, None if it starts from what is in memory. `index[d]`: the value of `linalg.index d`. `before`:
    nests to run ahead of the loops they do not share; with `rows = r` they share the first `r`. `blocks`: the
    dimensions of which the last block is shorter. `scratch`: allocations of
    memory for each thread; a buffer that is written and allocated nowhere yet is one for all of them. `minor`: next to
    none of the kernel's time goes there, so that little code is worth more than fast code. `ops`: the names, in
    schedules, of the ops it computes, none where something else is computed. `forms`: these as
    the kernel has them; `trail`: how their dimensions became its. `declared`: what a schedule says here, all of a nest
    that does nothing. `lanes`: how many elements of the innermost loop are in
    a vector, 0 where the next passes say; `place` is where a schedule says so. `fetched`: what the innermost loop asks
    for ahead.
    """

    extents: tuple[int, ...]
    reduction: tuple[bool, ...]
    inputs: tuple[Access | SSAValue, ...]
    outputs: tuple[Access, ...]
    inits: tuple[SSAValue | Attribute | None, ...]
    body: ScalarBody
    index: tuple[AffineSum, ...]
    rows: int = 0
    unrolled: int = 0
    transposed: int = 0
    parallel: int = 0
    before: tuple[Nest, ...] = ()
    blocks: tuple[Block, ...] = ()
    scratch: tuple[Operation, ...] = ()
    minor: bool = False
    lanes: int = 0
    place: Place | None = None
    ops: tuple[str, ...] = ()
    forms: tuple[Nest, ...] = ()
    declared: tuple[Node, ...] = ()
    trail: tuple[Change, ...] = ()
    fetched: tuple[Access, ...] = ()

    @cached_property
    def reads(self) -> list[Access]:
        """Inputs in memory."""
        return [a for a in self.inputs if isinstance(a, Access)]

    @cached_property
    def accesses(self) -> list[Access]:
        """Inputs in memory, then outputs."""
        return [*self.reads, *self.outputs]

    @cached_property
    def roots_read(self) -> set[SSAValue]:
        """The buffers whose contents the nest uses."""
        read = {access.root for access in self.reads}
        for reads_output, access in zip(self.body.reads_output, self.outputs, strict=True):
            if reads_output:
                read.add(access.root)
        return read | self.body.gathered_roots

    @cached_property
    def widest(self) -> int:
        """The bytes of the widest element in memory."""
        return max((access.element_bytes for access in self.accesses), default=4)

    @cached_property
    def reductions(self) -> list[int]:
        """The loops that are reductions."""
        return [d for d in self.loops if self.reduction[d]]

    @cached_property
    def trip_count(self) -> int:
        """Points of the nest, rows excluded."""
        return prod(self.extents[self.rows :])

    @property
    def loops(self) -> range:
        """The dimensions that are loops of this nest."""
        return range(self.rows, len(self.extents) - self.unrolled)

    @cached_property
    def accumulation(self) -> list[set[int]]:
        """For every output the reduction dimensions over which it accumulates.

        An elementwise result in the nest of a reduction accumulates over none. Its indices leave out dimensions of one
        element, so it is told from a sum by its body, which does not read the old value.
        """
        reductions = {d for d in range(self.rows, len(self.extents)) if self.reduction[d]}
        lasting = {d for d in reductions if self.extents[d] > 1}
        return [
            reductions - output.dims if reads or lasting - output.dims else set[int]()
            for output, reads in zip(self.outputs, self.body.reads_output, strict=True)
        ]

    def result_bytes(self, index: int) -> int:
        """The size of what one run of the nest, rows excluded, stores to output `index`."""
        output = self.outputs[index]
        return output.element_bytes * prod(self.extents[d] for d in output.dims if d >= self.rows)

    def box(self, access: Access) -> list[tuple[int, int]] | None:
        """Start and extent per dimension of the memref of `access`, where the nest goes to all elements of a box."""
        found: list[tuple[int, int]] = []
        seen: set[int] = set()
        for index in access.indices or ():
            dims = index.dims()
            if any(index.terms != {dim: 1} or dim in seen for dim in dims) or len(index.terms) != len(dims):
                return None
            found.append((index.const, prod(self.extents[dim] for dim in dims)))
            seen |= dims
        return None if access.indices is None else found

    def index_dims(self) -> set[int]:
        """The dimensions whose value the body uses."""
        return {d for used in self.body.index_dims for d in self.index[used].dims()}

    def dims_behind(self, written: AbstractSet[SSAValue] = frozenset(), everything: int = 0) -> dict[SSAValue, int]:
        """The dimensions, as bits, that each value of the body is computed from: `everything` for what is read from the
        buffers `written`.
        """
        body, count = self.body, len(self.inputs)
        found = dict.fromkeys(body.args[count:], everything)
        for arg, access in zip(body.args, self.inputs, strict=False):
            if isinstance(access, Access):
                found[arg] = everything if access.root in written else access.mask
        for op in body.ops:
            dims = 0
            for inner in walk(op) if op.regions else (op,):
                if type(inner) is IndexOp:
                    dims |= _bits(self.index[inner.dim.value.data].dims())
                elif written and type(inner) is memref.LoadOp and buffer_of(inner.memref) in written:
                    dims |= everything
                for operand in inner._operands:
                    dims |= found.get(body.same.get(operand, operand), 0)
            for result in op.results:
                found[result] = dims
        return found

    @cached_property
    def gather_strides(self) -> list[dict[int, int | None]]:
        """For every load in the body the stride per dimension: known where an index is a plain `linalg.index`, None
        where a computed index may depend on the dimension.
        """
        found: list[dict[int, int | None]] = []
        behind = self.dims_behind() if self.body.gathers else {}
        for load in self.body.gathers:
            strides: dict[int, int | None] = {}
            weight = 1
            shape = cast(MemRefType, load.memref.type).get_shape()
            for index, size in zip(reversed(load.indices), reversed(shape), strict=True):
                if isinstance(owner := index.owner, IndexOp):
                    value = self.index[owner.dim.value.data]
                    for dim in value.dims():
                        step, known = value.stride(dim), strides.get(dim, 0)
                        strides[dim] = None if step is None or known is None else known + step * weight
                else:
                    dims = behind.get(self.body.same.get(index, index), 0)
                    strides.update((dim, None) for dim in range(dims.bit_length()) if dims >> dim & 1)
                weight *= size
            found.append(strides)
        return found

    def steps(self) -> Iterator[tuple[Change, tuple[int, ...]]]:
        """How dimensions became those of the nest, step by step, with the extents behind each."""
        behind = [change.extents for change in self.trail[1:]]
        return zip(self.trail, [*behind, self.extents], strict=bool(self.trail))

    def walk(self) -> Iterator[Nest]:
        """The nest and those ahead of its loops."""
        yield self
        for part in self.before:
            yield from part.walk()

    def everywhere(self, change: Callable[[Nest], Nest]) -> Nest:
        """The nest and those ahead of its loops, changed."""
        return change(changed(self, before=tuple(part.everywhere(change) for part in self.before)))

    def with_accesses(self, change: Callable[[Access], Access], **others: Any) -> Nest:
        """The nest with every access changed, and `others` of its fields."""
        return changed(
            self,
            **others,
            inputs=tuple(change(a) if isinstance(a, Access) else a for a in self.inputs),
            outputs=tuple(map(change, self.outputs)),
            fetched=tuple(map(change, self.fetched)),
        )

    def reindex(
        self,
        extents: tuple[int, ...],
        reduction: tuple[bool, ...],
        values: Mapping[int, AffineSum],
        merged: AbstractSet[int] = frozenset(),
    ) -> Nest:
        """The nest over other dimensions, the old ones having `values` in terms of the new ones."""
        return self.with_accesses(
            lambda access: access.substitute(values, extents, merged),
            extents=extents,
            reduction=reduction,
            blocks=tuple(self._reindexed_blocks(extents, values, merged)),
            index=tuple(i.substitute(values, extents) for i in self.index),
            trail=(*self.trail, Change(self.extents, values, merged)),
        )

    def _reindexed_blocks(
        self, extents: tuple[int, ...], values: Mapping[int, AffineSum], merged: AbstractSet[int]
    ) -> Iterator[Block]:
        for block in self.blocks:
            whole, counter = (values.get(dim, dimension(dim)) for dim in (block.dim, block.counter))
            if not whole.terms and block.dim not in merged:
                continue
            dims = [dim for dim in whole.terms if isinstance(dim, int)]
            if whole.const or list(whole.terms.values()) != [1] or extents[dims[0]] != self.extents[block.dim]:
                raise ShortBlockError
            (number,) = counter.dims()
            yield Block(dims[0], number, block.end)

    def permute(self, order: Sequence[int]) -> Nest:
        """The nest with dimension `order[i]` at place `i`. Nothing depends on dimensions not in `order`."""
        if list(order) == list(range(len(self.extents))):
            return self
        values = dict.fromkeys(range(len(self.extents)), ZERO)
        values.update({old: dimension(new) for new, old in enumerate(order)})
        extents, reduction = tuple(self.extents[d] for d in order), tuple(self.reduction[d] for d in order)
        return self.reindex(extents, reduction, values)

    def split(self, dim: int, factor: int) -> Nest:
        """Dimension `dim` as two, `dim` (outer) and `dim + 1` (inner, extent `factor`, which divides)."""
        extents, extent = self.extents, self.extents[dim]
        assert extent % factor == 0
        values = {d: dimension(d + 1) for d in range(dim + 1, len(extents))}
        values[dim] = AffineSum({dim: factor, dim + 1: 1})
        reduction = (*self.reduction[: dim + 1], *self.reduction[dim:])
        return self.reindex((*extents[:dim], extent // factor, factor, *extents[dim + 1 :]), reduction, values)

    def restrict(self, dim: int, start: int, extent: int) -> Nest:
        """The part of the nest where `dim` runs over `start .. start + extent`."""
        if start == 0 and extent == self.extents[dim]:
            return self
        extents = (*self.extents[:dim], extent, *self.extents[dim + 1 :])
        return self.reindex(extents, self.reduction, {dim: dimension(dim) + start})

    def merge(self, outer: int, inner: int) -> Nest:
        """Dimensions `outer` and `inner` as one loop in the place of `inner`.

        Every access must have `stride(outer) == extent(inner) * stride(inner)`.
        """
        order = [d for d in range(len(self.extents)) if d != outer]
        values = {old: dimension(new) for new, old in enumerate(order)}
        values[outer] = ZERO
        product = self.extents[outer] * self.extents[inner]
        extents = tuple(product if d == inner else self.extents[d] for d in order)
        return self.reindex(extents, tuple(self.reduction[d] for d in order), values, {outer, inner})


def fill_nest(nest: Nest, fills: Sequence[tuple[Access, SSAValue]], level: int) -> Nest:
    """The nest, inside the first `level` dimensions of `nest`, that stores to what the others make of each output its
    value; all outputs are over the same dimensions.
    """
    count = len(nest.extents)
    outputs, inits = zip(*fills, strict=True)
    body = fill_body(*[init.type for init in inits])
    nothing = (None,) * len(outputs)
    fill = Nest(nest.extents, (False,) * count, inits, outputs, nothing, body, (), rows=level, blocks=nest.blocks)
    return fill.permute([d for d in range(count) if d < level or d in outputs[0].dims])


def declaration(nest: Nest, rows: int, *nodes: Node) -> Nest:
    """What a schedule says inside of the first `rows` loops of `nest`."""
    return Nest(nest.extents[:rows], (False,) * rows, (), (), (), NO_BODY, (), rows=rows, declared=nodes)
