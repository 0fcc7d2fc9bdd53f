"""`linalg-join-padding`: windows over padded images are computed image by image.

A call of a kernel that pads a tensor, and the call of one that reads windows of it, a pooling or a convolution of each
channel by itself, become a call of one kernel with both. Its loop over the images is around all ops, so that the padded
tensor is one image in the cache of the thread that works on it, and not written to memory. Needs level 4 in front of
`kernels-schedule`. Convolutions over all channels stay as they are: they work on a padded image for longer than reading
it takes. `Fusion.worth_joining_images` decides.

    %p = memref.alloc() : memref<8x58x58x128xf32>
    func.call @update_0(%x, %p) : (memref<8x56x56x128xf32>, memref<8x58x58x128xf32>) -> ()
    func.call @convolution_0(%p, %w, %out) : (memref<8x58x58x128xf32>, ...) -> ()
to
    func.call @images_0(%x, %w, %out) : (memref<8x56x56x128xf32>, ...) -> ()
    func.func private @images_0(...) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
      %p = memref.alloc() : memref<8x58x58x128xf32>
      ...

The idea is Halide's `compute_at` (Ragan-Kelley et al., PLDI 2013).

Not a pattern pass: what two kernels do is looked at as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating
from ...dialects.editing import append, clone, erase, insert_before, new_op, ops_of, walk
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import i64_attribute, symbol
from ...dialects.xrt_names import ENTRY, KERNEL, ROW_DIMS
from ...ir import structured
from ...ir.functions import erase_uncalled, private_function
from ...ir.views import RESHAPES, buffer_of, whole_buffer_of

_IN_KERNELS = arith.ConstantOp, memref.AllocOp, memref.SubviewOp, FillOp, GenericOp, func.ReturnOp
_BETWEEN = arith.ConstantOp, memref.AllocOp, *RESHAPES


class _Pair(NamedTuple):
    """The call that pads `padded`, and the one that reads it."""

    padding: func.CallOp
    reading: func.CallOp
    padded: SSAValue


@dataclass(frozen=True)
class LinalgJoinPaddingPass(ModulePass):
    """See the module docstring. `threads`: how many the program may use."""

    name = "linalg-join-padding"

    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = [inner for inner in op.body.block.ops if isinstance(inner, func.FuncOp) and inner.body.blocks]
        kernels = {each.sym_name.data: each for each in functions if KERNEL in each.attributes}
        entries = [function for function in functions if ENTRY in function.attributes]
        calls = [inner for function in entries for inner in walk(function) if type(inner) is func.CallOp]
        pairs = [pair for call in calls if (pair := _pair_of(call, kernels, model, self.threads)) is not None]
        joined = dict[object, str]()
        for pair in pairs:
            _join(op, pair, kernels, joined)
        if pairs:
            erase_uncalled(op, kernels)


def _pair_of(call: func.CallOp, kernels: Mapping[str, func.FuncOp], model: CostModel, threads: int) -> _Pair | None:
    """The pair that `call` begins."""
    padded = call.operands[-1] if call.operands else None
    if padded is None or not isinstance(padded.owner, memref.AllocOp) or list(call.operands).count(padded) != 1:
        return None
    images, *_ = shape = (*structured.shape_of(padded), 0)
    bytes = prod(shape[:-1]) * element_bytes(structured.element_type(padded))
    if not model.fusion.worth_joining_images(images, bytes, model.target.l2_bytes, threads):
        return None
    users = [use.operation for use in padded.uses]
    reading = call.next_op
    while isinstance(reading, _BETWEEN):
        reading = reading.next_op
    if len(users) != 2 or not isinstance(reading, func.CallOp) or reading not in users or reading is call:
        return None
    names = call.callee.string_value(), reading.callee.string_value()
    if any(name not in kernels for name in names):
        return None
    pads, reads = (kernels[name] for name in names)
    into, source = pads.body.block.args[-1], reads.body.block.args[list(reading.operands).index(padded)]
    if not _works_on_images(pads, images) or not _works_on_images(reads, images):
        return None
    written = {whole_buffer_of(value) for value in _written(reading, reads)}
    if written & {whole_buffer_of(value) for value in call.operands}:
        return None
    return _Pair(call, reading, padded) if _only_pads(pads, into) and _reads_windows(reads, source) else None


def _written(call: func.CallOp, kernel: func.FuncOp) -> Iterator[SSAValue]:
    """The operands of `call` that the kernel writes."""
    outputs = {
        buffer_of(output)
        for op in ops_of(kernel.body.block)
        if isinstance(op, GenericOp | FillOp)
        for output in structured.outputs(op)
    }
    for operand, argument in zip(call.operands, kernel.body.block.args, strict=True):
        if argument in outputs:
            yield operand


def _works_on_images(kernel: func.FuncOp, images: int) -> bool:
    """Whether the first loop of all ops goes through the `images`, in all buffers of which that is the first
    dimension."""
    for op in ops_of(kernel.body.block):
        if not isinstance(op, _IN_KERNELS):
            return False
        if isinstance(op, FillOp) and structured.shape_of(op.outputs[0])[:1] != (images,):
            return False
        if isinstance(op, GenericOp) and not _goes_through(op, images):
            return False
    return True


def _goes_through(op: GenericOp, images: int) -> bool:
    if structured.iterators(op)[:1] != [False] or structured.loop_extents(op)[0] != images:
        return False
    if any(inner.regions or isinstance(inner, memref.LoadOp) for inner in op.body.block.ops):
        return False
    maps, count = structured.indexing_maps(op), structured.number_of_inputs(op)
    return all(_is_by_image(access, position >= count) for position, access in enumerate(maps))


def _is_by_image(access: AffineMap, is_output: bool) -> bool:
    """Whether an operand is accessed at the image at hand, or, if it is no output, at all of them alike."""
    first = AffineDimExpr(0)
    if access.results and access.results[0] == first:
        return all(0 not in expr.used_dims() for expr in access.results[1:])
    return not is_output and 0 not in access.used_dims()


def _only_pads(kernel: func.FuncOp, padded: SSAValue) -> bool:
    """Whether a kernel fills its argument `padded`, and moves something into a part of it."""
    users = [use.operation for use in padded.uses]
    fills = [user for user in users if isinstance(user, FillOp)]
    parts = [user for user in users if isinstance(user, memref.SubviewOp)]
    generics = [op for op in ops_of(kernel.body.block) if isinstance(op, GenericOp)]
    return (
        len(fills) == 1
        and len(parts) == len(users) - 1 > 0
        and all(part.static_offsets.get_values()[0] == 0 for part in parts)
        and all(structured.is_elementwise(op) for op in generics)
    )


def _reads_windows(kernel: func.FuncOp, source: SSAValue) -> bool:
    """Whether the ops of a kernel read `source` by windows, none of them for each of several columns of another
    operand."""
    readers = [use.operation for use in source.uses]
    return bool(readers) and all(
        isinstance(reader, GenericOp)
        and any(structured.iterators(reader))
        and _is_by_windows(reader, list(reader.operands).index(source))
        for reader in readers
    )


def _is_by_windows(op: GenericOp, number: int) -> bool:
    """Whether operand `number` is read by windows, and its indices move with all loops."""
    access = structured.indexing_maps(op)[number]
    loops = {dim for dim, extent in enumerate(structured.loop_extents(op)) if extent > 1}
    return loops <= access.used_dims() and any(len(expr.used_dims()) > 1 for expr in access.results)


def _join(module: ModuleOp, pair: _Pair, kernels: Mapping[str, func.FuncOp], joined: dict[object, str]) -> None:
    """Replaces the calls of a pair by one. Kernels that were joined in the same way are `joined`."""
    locating.at_any((pair.reading, pair.padding))
    calls = pair.padding, pair.reading
    buffers = list(dict.fromkeys(value for call in calls for value in call.operands if value is not pair.padded))
    numbers = {value: number for number, value in enumerate((*buffers, pair.padded))}
    key = tuple((call.callee.string_value(), tuple(numbers[value] for value in call.operands)) for call in calls)
    if key not in joined:
        joined[key] = f"images_{len(joined)}"
        append(module.body.block, _joined_kernel(joined[key], pair, kernels, buffers))
    insert_before(new_op(func.CallOp, buffers, [], {"callee": symbol(joined[key])}), pair.reading)
    for op in (*calls, pair.padded.owner):
        assert isinstance(op, Operation)
        erase(op)


def _joined_kernel(
    name: str, pair: _Pair, kernels: Mapping[str, func.FuncOp], buffers: Sequence[SSAValue]
) -> func.FuncOp:
    block = Block(arg_types=[value.type for value in buffers])
    assert isinstance(pair.padded.owner, memref.AllocOp)
    padded = clone(pair.padded.owner)
    append(block, padded)
    values: dict[SSAValue, SSAValue] = dict(zip(buffers, block.args, strict=True))
    values[pair.padded] = padded.memref
    for call in (pair.padding, pair.reading):
        kernel = kernels[call.callee.string_value()].body.block
        inside: dict[SSAValue, SSAValue] = dict(
            zip(kernel.args, (values[operand] for operand in call.operands), strict=True)
        )
        for op in ops_of(kernel):
            if not isinstance(op, func.ReturnOp):
                append(block, clone(op, inside))
    return private_function(name, block, {KERNEL: UnitAttr(), ROW_DIMS: i64_attribute(1)})
