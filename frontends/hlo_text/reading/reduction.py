"""Instructions that combine elements with a computation, normalisation, random numbers."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
    RngAlgorithm,
    RngAlgorithmAttr,
    RngDistribution,
    RngDistributionAttr,
)
from ....dialects.stablehlo.element_types import ElementKind, element_kind
from ....dialects.stablehlo.syntax import bool_attr, i64_array
from ....dialects.stablehlo.windows import padding_attr
from .. import attribute_values
from ..shapes import ArrayShape, TupleShape
from .site import HANDLERS, Handler, HloValue, Site, pack

UI64 = IntegerType(64, Signedness.UNSIGNED)

RNG_ALGORITHMS = {
    "rng_default": RngAlgorithm.DEFAULT,
    "rng_three_fry": RngAlgorithm.THREE_FRY,
    "rng_philox": RngAlgorithm.PHILOX,
}


def _pairs(site: Site) -> list[SSAValue]:
    """Inputs and as many initial values."""
    operands = site.tensors()
    if not operands or len(operands) % 2:
        site.error(f"expected inputs and as many initial values, got {len(operands)} operands")
    return operands


def _reduce(site: Site) -> HloValue:
    operands = _pairs(site)
    body = site.region(site.computation("to_apply"))
    dimensions = i64_array(site.integers("dimensions"))
    return site.emit(stablehlo.ReduceOp, operands, {"dimensions": dimensions}, [body])


def _window(site: Site) -> attribute_values.WindowValue:
    """The window; one that is missing has size 1 everywhere."""
    ones = (1,) * len(site.array_shape(0).dims)
    return site.read("window", attribute_values.window, attribute_values.WindowValue(ones))


def _reduce_window(site: Site) -> HloValue:
    operands = _pairs(site)
    window = _window(site)
    if window.rhs_reversal is not None and any(window.rhs_reversal):
        site.unsupported("a reversed window has no counterpart in StableHLO")
    properties = {
        "window_dimensions": i64_array(window.size),
        "window_strides": None if window.stride is None else i64_array(window.stride),
        "base_dilations": None if window.lhs_dilate is None else i64_array(window.lhs_dilate),
        "window_dilations": None if window.rhs_dilate is None else i64_array(window.rhs_dilate),
        "padding": None if window.pad is None else padding_attr(window.pad),
    }
    return site.emit(stablehlo.ReduceWindowOp, operands, properties, [site.region(site.computation("to_apply"))])


def _select_and_scatter(site: Site) -> HloValue:
    window = _window(site)
    for values in (window.lhs_dilate, window.rhs_dilate):
        if values is not None and any(value != 1 for value in values):
            site.unsupported("a dilated window has no counterpart in StableHLO")
    properties = {
        "window_dimensions": i64_array(window.size),
        "window_strides": None if window.stride is None else i64_array(window.stride),
        "padding": None if window.pad is None else padding_attr(window.pad),
    }
    regions = [site.region(site.computation(name)) for name in ("select", "scatter")]
    return site.emit(stablehlo.SelectAndScatterOp, site.tensors(3), properties, regions)


def _map(site: Site) -> HloValue:
    rank = len(site.array_shape(0).dims)
    dimensions = i64_array(site.integers("dimensions", tuple(range(rank))))
    body = site.region(site.computation("to_apply"))
    return site.emit(stablehlo.MapOp, site.tensors(), {"dimensions": dimensions}, [body])


def _sort(site: Site) -> HloValue:
    properties = {"dimension": site.dimension(), "is_stable": bool_attr(site.flag("is_stable"))}
    return site.emit(stablehlo.SortOp, site.tensors(), properties, [site.region(site.computation("to_apply"))])


def _scan(site: Site) -> HloValue:
    operands = site.tensors()
    carries = site.integer("num_carries")
    results = len(site.types())
    if not 0 <= carries <= min(len(operands), results):
        site.error(f"{carries} carries of {len(operands)} operands and {results} results")
    properties: dict[str, Attribute] = {
        "dimension": site.dimension(),
        "is_reverse": bool_attr(site.flag("is_reverse")),
        "is_associative": bool_attr(site.flag("is_associative")),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(operands) - carries, carries]),
        "resultSegmentSizes": DenseArrayBase.from_list(i32, [results - carries, carries]),
    }
    return site.emit(chlo.ScanOp, operands, properties, [site.region(site.computation("to_apply"))])


def _top_k(site: Site) -> HloValue:
    """The smallest elements, where those are asked for, are the first of a stable sort."""
    (operand,) = site.tensors(1)
    k = site.integer("k")
    if site.flag("largest", True):
        return site.emit(chlo.TopKOp, [operand], {"k": IntegerAttr(k, i64)})
    shape = site.array_shape(0)
    last = len(shape.dims) - 1
    if last < 0 or DYNAMIC_INDEX in shape.dims or not 0 <= k <= shape.dims[last]:
        site.error(f"k = {k} of an operand of shape {list(shape.dims)}")
    types = [operand.type, TensorType(i32, shape.dims)]
    indices = site.new(stablehlo.IotaOp(last, types[1]))
    properties = {"dimension": IntegerAttr(last, i64), "is_stable": bool_attr(True)}
    sort = site.create(stablehlo.SortOp, [operand, indices], types, properties, [_ascending(shape.element_type)])
    limits = [*shape.dims[:last], k]
    first = [site.new(stablehlo.SliceOp(result, [0] * len(limits), limits)) for result in sort.results]
    return pack(site.shape, iter(first))


def _ascending(element_type: Attribute) -> Region:
    """A comparator of values with their indices."""
    scalar = TensorType(element_type, ())
    index = TensorType(i32, ())
    block = Block(arg_types=[scalar, scalar, index, index])
    kind = element_kind(element_type)
    order = ComparisonType.TOTALORDER
    if kind not in ElementKind.FLOAT:
        order = ComparisonType.SIGNED if kind is ElementKind.SIGNED else ComparisonType.UNSIGNED
    less = stablehlo.CompareOp.create(
        operands=block.args[:2],
        result_types=[TensorType(i1, ())],
        properties={
            "comparison_direction": ComparisonDirectionAttr(ComparisonDirection.LT),
            "compare_type": ComparisonTypeAttr(order),
        },
    )
    block.add_ops((less, stablehlo.ReturnOp.create(operands=less.results)))
    return Region(block)


def _batch_norm(op_type: type[Operation], arity: int) -> Handler:
    def handler(site: Site) -> HloValue:
        properties: dict[str, Attribute] = {
            "epsilon": FloatAttr(site.read("epsilon", attribute_values.number), f32),
            "feature_index": IntegerAttr(site.integer("feature_index"), i64),
        }
        return site.emit(op_type, site.tensors(arity), properties)

    return handler


def _rng(site: Site) -> HloValue:
    low, high = site.tensors(2)
    kind = site.member(RngDistribution, site.word("distribution").removeprefix("rng_").upper())
    dims = site.array_shape().dims
    sizes = DenseIntOrFPElementsAttr.from_list(TensorType(i64, [len(dims)]), dims)
    shape = site.new(stablehlo.ConstantOp(sizes))
    properties = {"rng_distribution": RngDistributionAttr(kind)}
    return site.emit(stablehlo.RngOp, [low, high, shape], properties)


def _rng_bit_generator(site: Site) -> HloValue:
    name = site.word("algorithm")
    if name not in RNG_ALGORITHMS:
        site.error(f"unknown algorithm '{name}'")
    if not isinstance(site.shape, TupleShape) or not all(isinstance(s, ArrayShape) for s in site.shape.elements):
        site.unsupported("expected a result (state, numbers)")
    properties = {"rng_algorithm": RngAlgorithmAttr(RNG_ALGORITHMS[name])}
    return site.emit(stablehlo.RngBitGeneratorOp, site.tensors(1), properties)


def _rng_get_and_update_state(site: Site) -> HloValue:
    """The counter of the generator of `rng`, which goes on by `delta`, and its key."""
    state = TensorType(UI64, [3])
    properties: dict[str, Attribute] = {
        "call_target_name": StringAttr("rng_get_and_update_state"),
        "has_side_effect": bool_attr(True),
    }
    steps = DictionaryAttr({"steps": IntegerAttr(site.integer("delta"), i64)})
    options: dict[str, Attribute] = {"mhlo.backend_config": steps}
    (found,) = site.create(stablehlo.CustomCallOp, site.tensors(0), [state], properties, attributes=options).results
    key, counter, process = (site.new(stablehlo.SliceOp(found, [index], [index + 1])) for index in range(3))
    return site.emit(
        stablehlo.ConcatenateOp,
        [counter, site.new(stablehlo.AddOp(key, process))],
        {"dimension": IntegerAttr(0, i64)},
    )


HANDLERS.update(
    {
        "batch-norm-grad": _batch_norm(stablehlo.BatchNormGradOp, 5),
        "batch-norm-inference": _batch_norm(stablehlo.BatchNormInferenceOp, 5),
        "batch-norm-training": _batch_norm(stablehlo.BatchNormTrainingOp, 3),
        "map": _map,
        "reduce": _reduce,
        "reduce-window": _reduce_window,
        "rng": _rng,
        "rng-bit-generator": _rng_bit_generator,
        "rng-get-and-update-state": _rng_get_and_update_state,
        "scan": _scan,
        "select-and-scatter": _select_and_scatter,
        "sort": _sort,
        "topk": _top_k,
    }
)
