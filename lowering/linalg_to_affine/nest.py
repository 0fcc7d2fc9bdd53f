"""A loop nest as data: what one linalg op does, and the transformations of its loops.

A `Nest` says: for every point of a box of loop dimensions, load the inputs, run the scalar body, store or accumulate
the outputs. The order of the dimensions is the order of the loops. Transformations (`split`, `restrict`, `permute`,
`merge`) return new nests; a schedule is a sequence of them, in the manner of Halide and TVM, and emission follows
the order blindly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    MemRefType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.model import CostModel
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import i32_array, i64_attribute
from ...ir.affine import ZERO, AffineSum, dimension, linearize
from .scalar_body import ScalarBody, copy_body


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
    def element_bytes(self) -> int:
        return element_bytes(self.type.element_type)

    def substitute(self, values: Mapping[int, AffineSum], extents: Sequence[int]) -> Access:
        indices = self.indices and tuple(i.substitute(values, extents) for i in self.indices)
        return Access(self.memref, self.root, indices, self.flat.substitute(values, extents))


def dense_access(memref: SSAValue, root: SSAValue, indices: tuple[AffineSum, ...]) -> Access:
    """The access of `memref` at `indices`."""
    shape = cast(MemRefType, memref.type).get_shape()
    return Access(memref, root, indices, linearize(indices, shape))


SCRATCH_ALIGNMENT = i64_attribute(CACHE_LINE_BYTES)


def scratch_buffer(kind: type[memref.AllocOp] | type[memref.AllocaOp], type: MemRefType) -> Operation:
    """An aligned allocation, not inserted anywhere yet."""
    return new_op(
        kind,
        result_types=[type],
        properties={
            "alignment": SCRATCH_ALIGNMENT,
            "operandSegmentSizes": i32_array(0, 0),
        },
    )


def scratch_kind(size: int, model: CostModel) -> type[memref.AllocOp] | type[memref.AllocaOp]:
    """How scratch of `size` bytes is allocated: on the stack where it is small."""
    return memref.AllocaOp if size <= model.memory.row_scratch_bytes else memref.AllocOp


@dataclass(frozen=True)
class Nest:
    """One loop nest.

    `extents`, `reduction`: trip count of every dimension and whether its iterator is a reduction; the first `rows`
    dimensions belong to loops around the nest, the last `unrolled` ones are not loops but copies of the body, or if
    `transposed`, square blocks of this side in which a copy turns rows into columns. The first `parallel` loops run in
    parallel. `inputs`: accesses, or scalars. `inits[i]`: the scalar (or constant) output
    `i` starts from, None if it starts from what is in memory. `index[d]`: the value of `linalg.index d`. `before`:
    nests to run ahead of the loops they do not share; with `rows = r` they share the first `r`. `scratch`: allocations
    of memory for each thread, `shared`: for all of them. `minor`: next to none of the kernel's time goes there, so that
    little code is worth more than fast code.
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
    scratch: tuple[Operation, ...] = ()
    shared: tuple[Operation, ...] = ()
    minor: bool = False

    @cached_property
    def reads(self) -> list[Access]:
        """Inputs in memory."""
        return [a for a in self.inputs if isinstance(a, Access)]

    @cached_property
    def accesses(self) -> list[Access]:
        """Inputs in memory, then outputs."""
        return [*self.reads, *self.outputs]

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

    def index_dims(self) -> set[int]:
        """The dimensions whose value the body uses."""
        return {d for used in self.body.index_dims for d in self.index[used].dims()}

    def with_accesses(self, change: Callable[[Access], Access], **others: Any) -> Nest:
        """The nest with every access changed, and `others` of its fields."""
        return replace(
            self,
            **others,
            inputs=tuple(change(a) if isinstance(a, Access) else a for a in self.inputs),
            outputs=tuple(map(change, self.outputs)),
        )

    def reindex(
        self,
        extents: tuple[int, ...],
        reduction: tuple[bool, ...],
        values: Mapping[int, AffineSum],
    ) -> Nest:
        """The nest over other dimensions, the old ones having `values` in terms of the new ones."""
        return self.with_accesses(
            lambda access: access.substitute(values, extents),
            extents=extents,
            reduction=reduction,
            index=tuple(i.substitute(values, extents) for i in self.index),
        )

    def permute(self, order: Sequence[int]) -> Nest:
        """The nest with dimension `order[i]` at place `i`. Dimensions not in `order` must have extent 1."""
        if list(order) == list(range(len(self.extents))):
            return self
        values = dict.fromkeys(range(len(self.extents)), ZERO)
        values.update({old: dimension(new) for new, old in enumerate(order)})
        return self.reindex(tuple(self.extents[d] for d in order), tuple(self.reduction[d] for d in order), values)

    def split(self, dim: int, factor: int) -> Nest:
        """Dimension `dim` as two, `dim` (outer) and `dim + 1` (inner, extent `factor`, which divides)."""
        assert self.extents[dim] % factor == 0
        values = {d: dimension(d + 1) for d in range(dim + 1, len(self.extents))}
        values[dim] = AffineSum({dim: factor, dim + 1: 1})
        extents = (
            *self.extents[:dim],
            self.extents[dim] // factor,
            factor,
            *self.extents[dim + 1 :],
        )
        reduction = (*self.reduction[: dim + 1], *self.reduction[dim:])
        return self.reindex(extents, reduction, values)

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
        merged = {outer, inner}
        order = [d for d in range(len(self.extents)) if d != outer]
        values = {old: dimension(new) for new, old in enumerate(order)}
        values[outer] = ZERO
        product = self.extents[outer] * self.extents[inner]
        extents = tuple(product if d == inner else self.extents[d] for d in order)

        def moved(access: Access) -> Access:
            new = access.substitute(values, extents)
            return replace(new, indices=None) if access.dims & merged else new

        return self.with_accesses(
            moved,
            extents=extents,
            reduction=tuple(self.reduction[d] for d in order),
            index=tuple(i.substitute(values, extents) for i in self.index),
        )


def fill_nest(output: Access, init: SSAValue, extents: Sequence[int], level: int) -> Nest:
    """The nest, inside the first `level` dimensions of `extents`, that stores `init` to what the others make of
    `output`.
    """
    dims = [d for d in range(level, len(extents)) if d in output.dims]
    order = [*range(level), *dims]
    values = {old: dimension(new) for new, old in enumerate(order)}
    inner = tuple(extents[d] for d in order)
    return Nest(
        extents=inner,
        reduction=(False,) * len(order),
        inputs=(init,),
        outputs=(output.substitute(values, inner),),
        inits=(None,),
        body=copy_body(init.type),
        index=(),
        rows=level,
    )
