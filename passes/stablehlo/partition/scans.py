"""Cumulative ops: reductions over windows that reach from one end of a dimension to the place of their result.

Each device scans its part. The totals of all parts are gathered, those in front of the own part are combined, and what
that gives is combined with each own result. The init value is neutral, as the specification demands; where that cannot
be seen the elements are exchanged instead (`convolution.py`).

Source: G. Blelloch, "Prefix Sums and Their Applications" (1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import i32
from xdsl.ir import Region

from ....dialects import stablehlo
from ....dialects.shared_attributes import tensor_type
from ....dialects.stablehlo.regions import single_op
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....dialects.stablehlo.windows import padding_attr
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array
from ..neutral_elements import neutral_of
from .devices import Digits, replicated
from .factors import Assignment, Choice, RuleWriter, partition
from .monoids import has_neutral_init, may_repeat
from .reduction import ROUNDING
from .site import Site, parts_type


class Scan(NamedTuple):
    """The dimension along which an op is cumulative, and whether it begins at its end."""

    dim: int
    is_reversed: bool


def scan_of(op: stablehlo.ReduceWindowOp) -> Scan | None:
    """The scan that the op is; None if it is none, or if its init value may count more than once."""
    window, shape = op.window, shape_of(op.operands[0])
    moving = [dim for dim, size in enumerate(window.sizes) if size != 1 or window.padding[dim] != (0, 0)]
    steps = {*window.strides, *window.base_dilations, *window.window_dilations}
    if len(moving) != 1 or steps != {1} or shape != shape_of(op.results[0]):
        return None
    (dim,) = moving
    size, reach = shape[dim], window.sizes[dim] - 1
    if reach + 1 < size or window.padding[dim] not in ((reach, 0), (0, reach)) or not _is_monoid(op):
        return None
    return Scan(dim, window.padding[dim] == (0, reach))


def _is_monoid(op: stablehlo.ReduceWindowOp) -> bool:
    count = len(op.results)
    elements = [element_type_of(operand) for operand in op.operands[:count]]
    if elements != [element_type_of(x) for x in op.regions[0].block.args[:count]]:
        return False
    combiner = single_op(op.regions[0]) if count == 1 else None
    neutral = None if combiner is None else neutral_of(type(combiner), elements[0])
    if combiner is not None and neutral is not None:
        return may_repeat(op.operands[1], type(combiner), neutral)
    return has_neutral_init(op.regions[0], op.operands[count:])


def partition_scan(site: Site, op: stablehlo.ReduceWindowOp, scan: Scan) -> None:
    """A cumulative op, whose dimension may be split."""
    count, writer = len(op.results), RuleWriter()
    shape = shape_of(op.operands[0])
    dims = writer.dimensions(shape)

    def exchange(assignment: Assignment) -> float:
        if not (digits := assignment.get(dims[scan.dim][0])):
            return 0
        costs, parts = site.partitioner.costs, site.devices.parts(digits)
        whole = sum(value.bytes(replicated(value.rank)) for value in site.operands[:count])
        return count * costs.step(whole / max(shape[scan.dim], 1) * parts) + costs.copy(whole / parts)

    def emit(site: Site, operands: list[Tensor], choice: Choice) -> Sequence[Tensor]:
        if not choice.results[0].dimensions[scan.dim] or 0 in shape:
            return site.emit(operands, choice.results)
        return _Parts(site, op, scan, choice).results(operands)

    partition(site, writer.rule([dims] * count + [()] * count, [dims] * count, exchange=exchange), emit)


class _Parts:
    """A scan along a dimension that is split."""

    def __init__(self, site: Site, op: stablehlo.ReduceWindowOp, scan: Scan, choice: Choice) -> None:
        self.site, self.op, self.scan = site, op, scan
        self.count = len(op.results)
        self.layout = choice.results[0]
        self.combiner = single_op(op.regions[0]) if self.count == 1 else None
        self.digits: Digits = self.layout.dimensions[scan.dim]

    def results(self, operands: list[Tensor]) -> list[Tensor]:
        """The parts of the results."""
        inputs, inits = operands[: self.count], operands[self.count :]
        given = [x.element_type for x in inputs]
        if isinstance(self.combiner, ROUNDING):
            inputs, inits = ([x.convert(parts_type(x.element_type)) for x in each] for each in (inputs, inits))
        shape, dim = shape_of(self.op.operands[0]), self.scan.dim
        masked = [self.site.masked(x, shape, self.layout, [dim], init) for x, init in zip(inputs, inits, strict=True)]
        own = self._scanned(masked, inits)
        before = [
            x.broadcast(y.shape, [d for d in range(y.rank) if d != dim])
            for x, y in zip(self._before(own, inits), own, strict=True)
        ]
        pairs = (own, before) if self.scan.is_reversed else (before, own)
        return [x.convert(element) for x, element in zip(self._combined(*pairs), given, strict=True)]

    def _scanned(self, inputs: list[Tensor], inits: list[Tensor]) -> list[Tensor]:
        """The op on the own part."""
        rank, dim, size = inputs[0].rank, self.scan.dim, inputs[0].shape[self.scan.dim]
        reach = (0, size - 1) if self.scan.is_reversed else (size - 1, 0)
        properties = {
            "window_dimensions": int_array([size if d == dim else 1 for d in range(rank)]),
            "padding": padding_attr([reach if d == dim else (0, 0) for d in range(rank)]),
        }
        types = [x.type for x in inputs]
        emit = self.site.builder.emit
        return emit(stablehlo.ReduceWindowOp, [*inputs, *inits], types, properties, [self._body(inputs)])

    def _body(self, inputs: Sequence[Tensor]) -> Region:
        if self.combiner is None:
            return self.site.region(self.op.regions[0])
        return inputs[0].combination(type(self.combiner))

    def _before(self, own: list[Tensor], inits: list[Tensor]) -> list[Tensor]:
        """The parts before the own one combined, without the dimension of the scan."""
        site, dim = self.site, self.scan.dim
        last = (0, 1) if self.scan.is_reversed else (own[0].shape[dim] - 1, own[0].shape[dim])
        totals = [site.emitter.all_gather(x.slice({dim: last}), dim, self.digits) for x in own]
        shape = totals[0].shape
        places = site.builder.iota(i32, shape, dim)
        here = Tensor(site.builder, site.emitter.place(self.digits).value).broadcast(shape, ())
        counts = here < places if self.scan.is_reversed else places < here
        masked = [counts.select(x, init.broadcast(shape, ())) for x, init in zip(totals, inits, strict=True)]
        kept = stablehlo.ReduceOp.infer_shape(shape, (dim,))
        types = [tensor_type(x.element_type, *kept) for x in masked]
        properties = {"dimensions": int_array((dim,))}
        return site.builder.emit(stablehlo.ReduceOp, [*masked, *inits], types, properties, [self._body(masked)])

    def _combined(self, left: list[Tensor], right: list[Tensor]) -> list[Tensor]:
        """The computation of the op, element by element."""
        builder = self.site.builder
        if self.combiner is not None:
            return builder.emit(type(self.combiner), [*left, *right], [left[0].type])
        scalars = [tensor_type(x.element_type) for x in (*left, *right)]
        properties = {"dimensions": int_array(range(left[0].rank))}
        return [
            builder.emit(stablehlo.MapOp, [*left, *right], [x.type], properties, [self._component(scalars, index)])[0]
            for index, x in enumerate(left)
        ]

    def _component(self, scalars: Sequence[object], index: int) -> Region:
        """The computation of one result."""
        body = self.site.region(self.op.regions[0])
        return self.site.builder.region(scalars, lambda values: [self.site.builder.inline(body, values)[index]])  # pyright: ignore
