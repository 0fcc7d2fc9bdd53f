"""The ops of VHLO as ops of StableHLO.

An op of VHLO is one of StableHLO with all defaults written out, all lists of numbers as constant tensors, and the
fields of dimension numbers as attributes of their own; a change of an op makes a new version of it under a new name.

Source: openxla/stablehlo, stablehlo/dialect/VhloOps.td and docs/vhlo.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ...dialects.dense import dense_values
from ...dialects.stablehlo.attributes import (
    ChannelHandleAttr,
    ComparisonType,
    ComparisonTypeAttr,
    ConvDimensionNumbersAttr,
    DotAlgorithmAttr,
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    Precision,
    PrecisionAttr,
    ResultAccuracyAttr,
    ResultAccuracyMode,
    ScatterDimensionNumbersAttr,
)
from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from ...dialects.stablehlo.property_types import BoolArrayProperty, I64ArrayProperty
from .vhlo_encodings import NO_TYPE

Attributes = dict[str, Attribute]

_CONVOLUTION = (
    *ConvDimensions._fields,
    *("batch_group_count", "feature_group_count", "lhs_dilation", "precision_config", "rhs_dilation"),
    *("window_reversal", "window_strides"),
)
_DOT = tuple(field.name for field in DotDimensionNumbersAttr.FIELDS)
_ALGORITHM = tuple(field.name for field in DotAlgorithmAttr.FIELDS)
_GATHER_V1 = ("collapsed_slice_dims", "index_vector_dim", "offset_dims", "start_index_map")
_GATHER_V2 = (*_GATHER_V1, "operand_batching_dims", "start_indices_batching_dims")
_SCATTER_V1 = ("index_vector_dim", "inserted_window_dims", "scatter_dims_to_operand_dims", "update_window_dims")
_SCATTER_V2 = (*_SCATTER_V1, "input_batching_dims", "scatter_indices_batching_dims")
_CHANNEL = ("channel_id", "channel_type", "is_host_transfer")
_REDUCTION_GROUPS = ("channel_id", "replica_groups", "use_global_device_ids")
_ACCURATE = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh".split()

ATTRIBUTES: dict[str, Iterable[str]] = {
    "all_gather_v1": ("all_gather_dim", *_REDUCTION_GROUPS),
    "all_gather_v2": ("all_gather_dim", *_REDUCTION_GROUPS),
    "all_reduce_v1": _REDUCTION_GROUPS,
    "all_reduce_v2": _REDUCTION_GROUPS,
    "all_to_all_v1": ("channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"),
    "all_to_all_v2": ("channel_id", "concat_dimension", "replica_groups", "split_count", "split_dimension"),
    "batch_norm_grad_v1": ("epsilon", "feature_index"),
    "batch_norm_inference_v1": ("epsilon", "feature_index"),
    "batch_norm_training_v1": ("epsilon", "feature_index"),
    "broadcast_in_dim_v1": ("broadcast_dimensions",),
    "broadcast_v1": ("broadcast_sizes",),
    "call_v1": ("callee",),
    "cholesky_v1": ("lower",),
    "collective_broadcast_v1": ("channel_id", "replica_groups"),
    "collective_broadcast_v2": ("channel_id", "has_dynamic_root", "replica_groups"),
    "collective_permute_v1": ("channel_id", "source_target_pairs"),
    "collective_reduce_v1": (*_REDUCTION_GROUPS, "has_dynamic_root"),
    "compare_v1": ("compare_type", "comparison_direction"),
    "composite_v1": ("composite_attributes", "decomposition", "name", "version"),
    "composite_v2": ("composite_attributes", "decomposition", "name", "version"),
    "concatenate_v1": ("dimension",),
    "constant_v1": ("value",),
    "convolution_v1": (*_CONVOLUTION, "padding"),
    "cross-replica-sum_v1": ("replica_groups",),
    "custom_call_v1": (
        "api_version",
        "backend_config",
        "call_target_name",
        "called_computations",
        "has_side_effect",
        "operand_layouts",
        "output_operand_aliases",
        "result_layouts",
    ),
    "dot_general_v1": (*_DOT, "precision_config"),
    "dot_general_v2": (*_DOT, *_ALGORITHM, "precision_config"),
    "dot_v1": ("precision_config",),
    "dynamic_broadcast_in_dim_v1": (
        "broadcast_dimensions",
        "known_expanding_dimensions",
        "known_nonexpanding_dimensions",
    ),
    "dynamic_conv_v1": (*_CONVOLUTION, "padding"),
    "dynamic_conv_v2": _CONVOLUTION,
    "dynamic_gather_v1": (*_GATHER_V1, "indices_are_sorted"),
    "dynamic_gather_v2": (*_GATHER_V2, "indices_are_sorted"),
    "dynamic_iota_v1": ("iota_dimension",),
    "dynamic_slice_v1": ("slice_sizes",),
    "einsum_v1": ("einsum_config",),
    "fft_v1": ("fft_length", "fft_type"),
    "func_v1": ("arg_attrs", "function_type", "res_attrs", "sym_name", "sym_visibility"),
    "gather_v1": (*_GATHER_V1, "indices_are_sorted", "slice_sizes"),
    "gather_v2": (*_GATHER_V2, "indices_are_sorted", "slice_sizes"),
    "get_dimension_size_v1": ("dimension",),
    "get_tuple_element_v1": ("index",),
    "infeed_v1": ("infeed_config", "layout"),
    "iota_v1": ("iota_dimension",),
    "map_v1": ("dimensions",),
    "outfeed_v1": ("outfeed_config",),
    "pad_v1": ("edge_padding_high", "edge_padding_low", "interior_padding"),
    "recv_v1": _CHANNEL,
    "recv_v2": (*_CHANNEL, "source_target_pairs"),
    "reduce_precision_v1": ("exponent_bits", "mantissa_bits"),
    "reduce_scatter_v1": (*_REDUCTION_GROUPS, "scatter_dimension"),
    "reduce_v1": ("dimensions",),
    "reduce_window_v1": ("base_dilations", "padding", "window_dilations", "window_dimensions", "window_strides"),
    "reverse_v1": ("dimensions",),
    "rng_bit_generator_v1": ("rng_algorithm",),
    "rng_v1": ("rng_distribution",),
    "scatter_v1": (*_SCATTER_V1, "indices_are_sorted", "unique_indices"),
    "scatter_v2": (*_SCATTER_V2, "indices_are_sorted", "unique_indices"),
    "select_and_scatter_v1": ("padding", "window_dimensions", "window_strides"),
    "send_v1": _CHANNEL,
    "send_v2": (*_CHANNEL, "source_target_pairs"),
    "set_dimension_size_v1": ("dimension",),
    "slice_v1": ("limit_indices", "start_indices", "strides"),
    "sort_v1": ("dimension", "is_stable"),
    "torch_index_select_v1": ("batch_dims", "dim"),
    "transpose_v1": ("permutation",),
    "triangular_solve_v1": ("left_side", "lower", "transpose_a", "unit_diagonal"),
    "unary_einsum_v1": ("einsum_config",),
    **{f"{name}_v2": ("result_accuracy",) for name in _ACCURATE},
}
"""The attributes of an op, all of them mandatory; ops not listed have none."""

_VERSIONED = re.compile(r"(.+)_v\d+")


def attribute_names(name: str) -> list[str]:
    """The attributes of the op `vhlo.NAME` in the order in which bytecode has them: that of the alphabet."""
    return sorted(ATTRIBUTES.get(name, ()))


class Converted(NamedTuple):
    """An op of StableHLO or func but for operands and results."""

    name: str
    attributes: Attributes
    """Of the op itself; what it does not declare is discardable."""


class ConversionError(ValueError):
    """Attributes an op of VHLO cannot have."""


def convert(vhlo_name: str, attributes: Attributes, in_function: bool) -> Converted:
    """The op that `vhlo.NAME` with these attributes is. `in_function`: its block is the body of a function."""
    match = _VERSIONED.fullmatch(vhlo_name)
    if match is None:
        raise ConversionError(f"'vhlo.{vhlo_name}' is not the name of an op")
    name = match[1]
    if missing := [key for key in attribute_names(vhlo_name) if key not in attributes]:
        raise ConversionError(f"'vhlo.{vhlo_name}' misses {', '.join(missing)}")
    attributes = {key: value for key, value in attributes.items() if not _is_default(name, key, value)}
    try:
        for convert_some in _CONVERSIONS.get(name, ()):
            convert_some(attributes)
    except KeyError as error:
        raise ConversionError(f"'vhlo.{vhlo_name}' misses {error.args[0]}") from None
    except (AttributeError, IndexError, TypeError, VerifyException) as error:
        raise ConversionError(f"'vhlo.{vhlo_name}' has attributes of the wrong kind: {error}") from None
    if name in ("func", "call") or (name == "return" and in_function):
        return Converted(f"func.{name}", attributes)
    return Converted(f"stablehlo.{name}", attributes)


def _number(attribute: Any) -> int:
    return cast(IntegerAttr[Any], attribute).value.data


def _numbers(attribute: Any) -> tuple[int, ...]:
    if isinstance(attribute, DenseArrayBase):
        return tuple(cast(DenseArrayBase[Any], attribute).get_values())
    return tuple(dense_values(cast(DenseIntOrFPElementsAttr, attribute)))


def as_property(constraint: object, attribute: Attribute) -> Attribute:
    """The attribute in the form a property wants: constant tensors of rank 1 become arrays where those are expected.

    Raises ConversionError for constants of something else than integers.
    """
    if _is_dense(attribute) and constraint in (I64ArrayProperty, BoolArrayProperty):
        if any(type(value) not in (int, bool) for value in _numbers(attribute)):
            raise ConversionError(f"expected integers, got {attribute}")
        if constraint is I64ArrayProperty:
            return DenseArrayBase.from_list(i64, list(_numbers(attribute)))
        return DenseArrayBase.from_list(i1, [bool(value) for value in _numbers(attribute)])
    return attribute


def _is_dense(attribute: Attribute | None) -> bool:
    return isinstance(attribute, DenseIntOrFPElementsAttr)


# Defaults


def _is_default(name: str, key: str, value: Attribute) -> bool:
    """Whether StableHLO leaves the attribute out where it has this value."""
    match value:
        case IntegerAttr():
            number = _number(value)
            if value.type == i1:
                return not number and (key in _FALSE or (name == "cholesky" and key == "lower"))
            return number == _DEFAULT_NUMBERS.get((name, key), _DEFAULT_NUMBERS.get(("", key)))
        case StringAttr():
            return not value.data and key in _EMPTY
        case ArrayAttr():
            if key == "precision_config":
                return all(isinstance(p, PrecisionAttr) and p.data is Precision.DEFAULT for p in value)
            return not value.data and key in _EMPTY
        case DictionaryAttr():
            return not value.data and key in _EMPTY
        case _ if _is_dense(value):
            if key in _EMPTY:
                return not _numbers(value)
            return key in _SPLATS and set(_numbers(value)) == {_SPLATS[key]}
        case ComparisonTypeAttr():
            return value.data is ComparisonType.NOTYPE
        case ResultAccuracyAttr():
            return value.mode is ResultAccuracyMode.DEFAULT
        case _:
            return False


_FALSE = {
    "has_dynamic_root",
    "has_side_effect",
    "indices_are_sorted",
    "is_host_transfer",
    "is_stable",
    "unique_indices",
    "use_global_device_ids",
}
_EMPTY = {
    "arg_attrs",
    "backend_config",
    "called_computations",
    "composite_attributes",
    "infeed_config",
    "known_expanding_dimensions",
    "known_nonexpanding_dimensions",
    "layout",
    "operand_layouts",
    "outfeed_config",
    "output_operand_aliases",
    "res_attrs",
    "result_layouts",
    "sym_visibility",
}
_SPLATS = {
    "base_dilations": 1,
    "lhs_dilation": 1,
    "padding": 0,
    "rhs_dilation": 1,
    "window_dilations": 1,
    "window_reversal": 0,
    "window_strides": 1,
}
_DEFAULT_NUMBERS = {("", "api_version"): 1, ("sort", "dimension"): -1, ("composite", "version"): 0}


# Attributes that are put together or renamed


def _fields(attributes: Attributes, names: Iterable[str]) -> dict[str, Any]:
    """The attributes of these names as Python values, taken out of `attributes`: one dimension, or several.

    Raises ConversionError for something else.
    """
    values: dict[str, Any] = {}
    for name in names:
        if name not in attributes:
            continue
        value = attributes.pop(name)
        is_one = name.endswith(("_dim", "_dimension"))
        if isinstance(value, IntegerAttr) != is_one:
            raise ConversionError(f"{name}: expected {'one integer' if is_one else 'integers'}, got {value}")
        values[name] = _number(value) if is_one else _numbers(value)
        if not is_one and any(type(number) is not int for number in values[name]):
            raise ConversionError(f"{name}: expected integers, got {value}")
    return values


def _convolution(attributes: Attributes) -> None:
    dimensions = ConvDimensions(**_fields(attributes, ConvDimensions._fields))
    attributes["dimension_numbers"] = ConvDimensionNumbersAttr(dimensions)


def _dynamic_convolution(attributes: Attributes) -> None:
    """The padding of version 1, beside the operand that is the padding, meant nothing."""
    attributes.pop("padding", None)


def _dot(attributes: Attributes) -> None:
    attributes["dot_dimension_numbers"] = DotDimensionNumbersAttr.of(**_fields(attributes, _DOT))
    if "lhs_precision_type" not in attributes:
        return
    algorithm = {name: attributes.pop(name) for name in _ALGORITHM}
    if algorithm["lhs_precision_type"] == NO_TYPE:
        return
    values = [_number(a) if isinstance(a, IntegerAttr) else a for a in algorithm.values()]
    attributes["algorithm"] = DotAlgorithmAttr((*values[:-1], bool(values[-1])))


def _gather(attributes: Attributes) -> None:
    attributes["dimension_numbers"] = GatherDimensionNumbersAttr.of(**_fields(attributes, _GATHER_V2))


def _scatter(attributes: Attributes) -> None:
    dimensions = ScatterDimensionNumbersAttr.of(**_fields(attributes, _SCATTER_V2))
    attributes["scatter_dimension_numbers"] = dimensions


def _channel_id(attributes: Attributes) -> None:
    """The channel of a collective; 0 is none."""
    if number := _number(attributes.pop("channel_id")):
        attributes["channel_handle"] = ChannelHandleAttr((number, 0))


def _channel_handle(attributes: Attributes) -> None:
    number, kind = (_number(attributes.pop(key)) for key in ("channel_id", "channel_type"))
    attributes["channel_handle"] = ChannelHandleAttr((number, kind))
    pairs = attributes.get("source_target_pairs")
    if _is_dense(pairs) and not _numbers(pairs):
        del attributes["source_target_pairs"]


def _flags(attributes: Attributes) -> None:
    for name in ("use_global_device_ids", "has_dynamic_root"):
        if name in attributes:
            attributes[name] = UnitAttr()


def _symbol(key: str) -> Callable[[Attributes], None]:
    def convert_symbol(attributes: Attributes) -> None:
        attributes[key] = _as_symbol(attributes[key])

    return convert_symbol


def _as_symbol(attribute: Any) -> Attribute:
    return SymbolRefAttr(attribute) if isinstance(attribute, StringAttr) else attribute


def _called_computations(attributes: Attributes) -> None:
    names = cast(ArrayAttr[Attribute] | None, attributes.get("called_computations"))
    if names is not None:
        attributes["called_computations"] = ArrayAttr([_as_symbol(name) for name in names.data])


_CONVERSIONS: dict[str, tuple[Callable[[Attributes], None], ...]] = {
    "all_gather": (_channel_id, _flags),
    "all_reduce": (_channel_id, _flags),
    "all_to_all": (_channel_id,),
    "call": (_symbol("callee"),),
    "collective_broadcast": (_channel_id, _flags),
    "collective_permute": (_channel_id,),
    "collective_reduce": (_channel_id, _flags),
    "composite": (_symbol("decomposition"),),
    "convolution": (_convolution,),
    "custom_call": (_called_computations,),
    "dot_general": (_dot,),
    "dynamic_conv": (_dynamic_convolution, _convolution),
    "dynamic_gather": (_gather,),
    "gather": (_gather,),
    "recv": (_channel_handle,),
    "reduce_scatter": (_channel_id, _flags),
    "scatter": (_scatter,),
    "send": (_channel_handle,),
}
