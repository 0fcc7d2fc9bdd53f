"""Ops that make up, rearrange and cut elements."""

from __future__ import annotations

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from .computation import PRINTERS, Site
from .values import braces, dims_of


def _constant(site: Site) -> None:
    assert isinstance(site.op, stablehlo.ConstantOp)
    site.computation.constant(site.op)


def _iota(site: Site) -> None:
    assert isinstance(site.op, stablehlo.IotaOp)
    site.finish("iota", None, [f"iota_dimension={site.op.iota_dimension.value.data}"])


def _broadcast_in_dim(site: Site) -> None:
    """HLO repeats along new dimensions only, which stay in order: dimensions of size 1 are dropped before, others
    transposed."""
    op = site.op
    assert isinstance(op, stablehlo.BroadcastInDimOp)
    name = site.computation.name_of(op.operand)
    sizes, result = shape_of(op.operand), shape_of(op.result)
    dims = op.broadcast_dimensions.get_values()
    element = site.shape(op.operand).partition("[")[0]
    kept = [index for index, dim in enumerate(dims) if sizes[index] == result[dim]]
    if len(kept) < len(dims):
        name = site.emit("reshape", [name], shape=f"{element}[{_sizes(sizes[index] for index in kept)}]")
    order = sorted(range(len(kept)), key=lambda position: dims[kept[position]])
    if order != list(range(len(kept))):
        shape = f"{element}[{_sizes(sizes[kept[position]] for position in order)}]"
        name = site.emit("transpose", [name], [braces("dimensions", order)], shape)
    site.finish("broadcast", [name], [braces("dimensions", sorted(dims[index] for index in kept))])


def _sizes(sizes: object) -> str:
    return ",".join(map(str, sizes))  # pyright: ignore[reportArgumentType]


def _reshape(site: Site) -> None:
    site.finish("reshape")


def _bitcast_convert(site: Site) -> None:
    site.finish("bitcast-convert")


def _transpose(site: Site) -> None:
    assert isinstance(site.op, stablehlo.TransposeOp)
    site.finish("transpose", None, [braces("dimensions", site.op.permutation.get_values())])


def _reverse(site: Site) -> None:
    assert isinstance(site.op, stablehlo.ReverseOp)
    site.finish("reverse", None, [braces("dimensions", site.op.dimensions.get_values())])


def _concatenate(site: Site) -> None:
    assert isinstance(site.op, stablehlo.ConcatenateOp)
    site.finish("concatenate", None, [braces("dimensions", [site.op.dimension.value.data])])


def _slice(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.SliceOp)
    ranges = zip(dims_of(op.start_indices), dims_of(op.limit_indices), dims_of(op.strides), strict=True)
    entries = [f"[{low}:{high}]" if stride == 1 else f"[{low}:{high}:{stride}]" for low, high, stride in ranges]
    site.finish("slice", None, [f"slice={{{', '.join(entries)}}}"])


def _pad(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.PadOp)
    low, high, interior = (
        dims_of(values) for values in (op.edge_padding_low, op.edge_padding_high, op.interior_padding)
    )
    if not low:
        site.alias(op.result, site.computation.name_of(op.operand))
        return
    entries = [f"{a}_{b}_{c}" if any(interior) else f"{a}_{b}" for a, b, c in zip(low, high, interior, strict=True)]
    site.finish("pad", None, [f"padding={'x'.join(entries)}"])


def _dynamic_slice(site: Site) -> None:
    assert isinstance(site.op, stablehlo.DynamicSliceOp)
    site.finish("dynamic-slice", None, [braces("dynamic_slice_sizes", site.op.slice_sizes.get_values())])


def _dynamic_update_slice(site: Site) -> None:
    site.finish("dynamic-update-slice")


def _dimension_size(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.GetDimensionSizeOp | stablehlo.SetDimensionSizeOp)
    opcode = "get-dimension-size" if isinstance(op, stablehlo.GetDimensionSizeOp) else "set-dimension-size"
    site.finish(opcode, None, [braces("dimensions", [op.dimension.value.data])])


PRINTERS.update(
    {
        stablehlo.BitcastConvertOp: _bitcast_convert,
        stablehlo.BroadcastInDimOp: _broadcast_in_dim,
        stablehlo.ConcatenateOp: _concatenate,
        stablehlo.ConstantOp: _constant,
        stablehlo.DynamicSliceOp: _dynamic_slice,
        stablehlo.DynamicUpdateSliceOp: _dynamic_update_slice,
        stablehlo.GetDimensionSizeOp: _dimension_size,
        stablehlo.IotaOp: _iota,
        stablehlo.PadOp: _pad,
        stablehlo.ReshapeOp: _reshape,
        stablehlo.ReverseOp: _reverse,
        stablehlo.SetDimensionSizeOp: _dimension_size,
        stablehlo.SliceOp: _slice,
        stablehlo.TransposeOp: _transpose,
    }
)
