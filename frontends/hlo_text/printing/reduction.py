"""Ops that combine elements with a computation, gather and scatter, normalisation, random numbers."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....dialects.stablehlo.windows import padding_pairs, values_or
from ..reading.reduction import RNG_ALGORITHMS
from .computation import PRINTERS, Printer, Site
from .values import braces, flag, window


def _reduce(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ReduceOp)
    to_apply = f"to_apply=%{site.region(op.body)}"
    site.finish("reduce", None, [braces("dimensions", op.dimensions.get_values()), to_apply])


def _reduce_window(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ReduceWindowOp)
    sizes, strides, base_dilations, window_dilations, padding = op.window
    attributes = window(sizes, strides, padding, base_dilations, window_dilations)
    site.finish("reduce-window", None, [*attributes, f"to_apply=%{site.region(op.body)}"])


def _select_and_scatter(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.SelectAndScatterOp)
    rank = len(shape_of(op.operand))
    ones = (1,) * rank
    sizes, strides = values_or(op.window_dimensions, 1, rank), values_or(op.window_strides, 1, rank)
    attributes = window(sizes, strides, padding_pairs(op.padding, rank), ones, ones)
    regions = [f"select=%{site.region(op.select)}", f"scatter=%{site.region(op.scatter)}"]
    site.finish("select-and-scatter", None, [*attributes, *regions])


def _map(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.MapOp)
    to_apply = f"to_apply=%{site.region(op.computation)}"
    site.finish("map", None, [braces("dimensions", op.dimensions.get_values()), to_apply])


def _sort(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.SortOp)
    dimension = op.dimension.value.data % max(1, len(shape_of(op.inputs[0])))
    to_apply = f"to_apply=%{site.region(op.comparator)}"
    site.finish("sort", None, [braces("dimensions", [dimension]), *flag("is_stable", op.is_stable), to_apply])


def _scan(site: Site) -> None:
    op = site.op
    assert isinstance(op, chlo.ScanOp)
    attributes = [
        braces("dimensions", [op.dimension.value.data]),
        *flag("is_reverse", op.is_reverse),
        *flag("is_associative", op.is_associative),
        f"num_carries={len(op.inits)}",
        f"to_apply=%{site.region(op.body)}",
    ]
    site.finish("scan", None, attributes)


def _top_k(site: Site) -> None:
    assert isinstance(site.op, chlo.TopKOp)
    site.finish("topk", None, [f"k={site.op.k.value.data}", "largest=true"])


def _gather(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.GatherOp)
    dims = op.dimension_numbers
    attributes = [
        braces("offset_dims", dims.offset_dims),
        braces("collapsed_slice_dims", dims.collapsed_slice_dims),
        braces("start_index_map", dims.start_index_map),
        *([braces("operand_batching_dims", dims.operand_batching_dims)] if dims.operand_batching_dims else []),
        *(
            [braces("start_indices_batching_dims", dims.start_indices_batching_dims)]
            if dims.start_indices_batching_dims
            else []
        ),
        f"index_vector_dim={dims.index_vector_dim}",
        braces("slice_sizes", op.slice_sizes.get_values()),
        *flag("indices_are_sorted", op.indices_are_sorted),
    ]
    site.finish("gather", None, attributes)


def _scatter(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.ScatterOp)
    dims = op.scatter_dimension_numbers
    attributes = [
        braces("update_window_dims", dims.update_window_dims),
        braces("inserted_window_dims", dims.inserted_window_dims),
        braces("scatter_dims_to_operand_dims", dims.scatter_dims_to_operand_dims),
        *([braces("input_batching_dims", dims.input_batching_dims)] if dims.input_batching_dims else []),
        *(
            [braces("scatter_indices_batching_dims", dims.scatter_indices_batching_dims)]
            if dims.scatter_indices_batching_dims
            else []
        ),
        f"index_vector_dim={dims.index_vector_dim}",
        *flag("indices_are_sorted", op.indices_are_sorted),
        *flag("unique_indices", op.unique_indices),
        f"to_apply=%{site.region(op.update_computation)}",
    ]
    site.finish("scatter", None, attributes)


def _batch_norm(opcode: str) -> Printer:
    def printer(site: Site) -> None:
        op = site.op
        assert isinstance(
            op,
            stablehlo.BatchNormTrainingOp | stablehlo.BatchNormInferenceOp | stablehlo.BatchNormGradOp,
        )
        epsilon = op.epsilon.value.data
        site.finish(opcode, None, [f"epsilon={epsilon:.9g}", f"feature_index={op.feature_index.value.data}"])

    return printer


def _rng(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.RngOp)
    operands = [site.computation.name_of(op.a), site.computation.name_of(op.b)]
    site.finish("rng", operands, [f"distribution=rng_{op.rng_distribution.data.value.lower()}"])


def _rng_bit_generator(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.RngBitGeneratorOp)
    names = {algorithm: name for name, algorithm in RNG_ALGORITHMS.items()}
    site.finish("rng-bit-generator", None, [f"algorithm={names[op.rng_algorithm.data]}"])


_BATCH_NORM: dict[type[Operation], str] = {
    stablehlo.BatchNormGradOp: "batch-norm-grad",
    stablehlo.BatchNormInferenceOp: "batch-norm-inference",
    stablehlo.BatchNormTrainingOp: "batch-norm-training",
}

PRINTERS.update({op_type: _batch_norm(opcode) for op_type, opcode in _BATCH_NORM.items()})
PRINTERS.update(
    {
        chlo.ScanOp: _scan,
        chlo.TopKOp: _top_k,
        stablehlo.GatherOp: _gather,
        stablehlo.MapOp: _map,
        stablehlo.ReduceOp: _reduce,
        stablehlo.ReduceWindowOp: _reduce_window,
        stablehlo.RngBitGeneratorOp: _rng_bit_generator,
        stablehlo.RngOp: _rng,
        stablehlo.ScatterOp: _scatter,
        stablehlo.SelectAndScatterOp: _select_and_scatter,
        stablehlo.SortOp: _sort,
    }
)
