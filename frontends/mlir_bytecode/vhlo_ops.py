"""The ops of VHLO as ops of StableHLO.

An op of VHLO is one of StableHLO with all defaults written out, all lists of numbers as constant tensors, and the
fields of dimension numbers as attributes of their own; a change of an op makes a new version of it under a new name.

Source: openxla/stablehlo, stablehlo/dialect/VhloOps.td and docs/vhlo.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
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
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute
from xdsl.irdl import BaseAttr, IRDLOperation, OptPropertyDef, PropertyDef
from xdsl.utils.exceptions import VerifyException

from ...dialects import stablehlo
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
from ...dialects.stablehlo.struct_attribute import StructAttr
from .vhlo_encodings import NO_TYPE

Attributes = dict[str, Attribute]

_FIELDS: dict[type[Attribute], tuple[str, ...]] = {
    ConvDimensionNumbersAttr: ConvDimensions._fields,
    **{
        kind: tuple(field.name for field in kind.fields)
        for kind in (
            DotAlgorithmAttr,
            DotDimensionNumbersAttr,
            GatherDimensionNumbersAttr,
            ScatterDimensionNumbersAttr,
        )
    },
}
"""Attributes whose fields are attributes of their own in VHLO."""

_OPS: dict[str, type[IRDLOperation]] = {
    **{op_type.name.partition(".")[2]: op_type for op_type in stablehlo.OPS},
    "call": CallOp,
    "func": FuncOp,
}

_GATHER = ("operand_batching_dims", "start_indices_batching_dims")
ADDED: dict[str, tuple[str, ...]] = {
    "collective_broadcast": ("has_dynamic_root",),
    "custom_call": ("result_tilings",),
    "dot_general": _FIELDS[DotAlgorithmAttr],
    "dynamic_gather": _GATHER,
    "gather": _GATHER,
    "recv": ("source_target_pairs",),
    "scatter": ("input_batching_dims", "scatter_indices_batching_dims"),
    "send": ("source_target_pairs",),
}
"""What ops have since version 2; so they do all `result_accuracy`."""

_ELSEWHERE: dict[str, tuple[str, ...]] = {"call": ("arg_attrs", "res_attrs")}
"""What ops have and those of VHLO have not."""

_VERSIONED = re.compile(r"(.+)_v(\d+)")


@lru_cache(512)
def attribute_names(name: str) -> list[str]:
    """The attributes of the op `vhlo.NAME`, all mandatory, in the order in which bytecode has them: the alphabet's."""
    match = _VERSIONED.fullmatch(name)
    names: list[str] = []
    for key, kind in _kinds(match[1]) if match is not None else ():
        if kind is ChannelHandleAttr:
            names += ("channel_id", "channel_type") if match[1] in ("recv", "send") else ("channel_id",)
        else:
            names += _FIELDS.get(kind, (key,))
    if match is not None and match[2] == "1":
        names += ("padding",) if match[1] == "dynamic_conv" else ()
        names = [key for key in names if key not in ("result_accuracy", *ADDED.get(match[1], ()))]
    return sorted(names)


@lru_cache(512)
def _properties(name: str) -> Mapping[str, PropertyDef]:
    """Those of the op that `vhlo.NAME_vN` is, but for what VHLO lacks."""
    op_type = _OPS.get(name)
    declared = {} if op_type is None else op_type.get_irdl_definition().properties
    return {key: p for key, p in declared.items() if key not in _ELSEWHERE.get(name, ()) and "egment" not in key}


def _kinds(name: str) -> Iterator[tuple[str, type[Attribute]]]:
    """The properties of the op, each with its class, or any one."""
    for key, declared in _properties(name).items():
        yield key, declared.constr.attr if isinstance(declared.constr, BaseAttr) else Attribute


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
    declared = _properties(name)
    attributes = {
        key: a for key, a in attributes.items() if key not in declared or not _is_default(key, a, declared[key])
    }
    if name == "dynamic_conv":
        attributes.pop("padding", None)  # that of version 1, beside the operand that is the padding, meant nothing
    try:
        for key, kind in _kinds(name):
            if kind in _PUT_TOGETHER:
                _PUT_TOGETHER[kind](attributes, key)
            elif key in attributes:
                attributes[key] = _renamed(key, kind, attributes[key])
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


def _is_default(key: str, value: Attribute, declared: PropertyDef) -> bool:
    """Whether StableHLO leaves the property out where it has this value."""
    if value == declared.default_value:
        return True
    if not isinstance(declared, OptPropertyDef):
        return False
    match value:
        case IntegerAttr():
            default = declared.default_value
            return value.type == i1 and not _number(value) if default is None else _number(value) == _number(default)
        case StringAttr() | DictionaryAttr():
            return not value.data
        case ArrayAttr():
            return all(isinstance(p, PrecisionAttr) and p.data is Precision.DEFAULT for p in value)
        case _ if _is_dense(value):
            return set(_numbers(value)) == {_SPLATS[key]} if key in _SPLATS else not _numbers(value)
        case ComparisonTypeAttr():
            return value.data is ComparisonType.NOTYPE
        case ResultAccuracyAttr():
            return value.mode.data is ResultAccuracyMode.DEFAULT
        case _:
            return False


_SPLATS = {
    "base_dilations": 1,
    "lhs_dilation": 1,
    "padding": 0,
    "rhs_dilation": 1,
    "window_dilations": 1,
    "window_reversal": 0,
    "window_strides": 1,
}
"""What windows have in all dimensions where nothing is said."""


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


def _dimension_numbers(attributes: Attributes, key: str, kind: type[StructAttr]) -> None:
    attributes[key] = kind.of(**_fields(attributes, _FIELDS[kind]))


def _convolution(attributes: Attributes, key: str) -> None:
    attributes[key] = ConvDimensionNumbersAttr(ConvDimensions(**_fields(attributes, ConvDimensions._fields)))


def _algorithm(attributes: Attributes, key: str) -> None:
    if "lhs_precision_type" not in attributes:
        return
    algorithm = {name: attributes.pop(name) for name in _FIELDS[DotAlgorithmAttr]}
    if algorithm["lhs_precision_type"] == NO_TYPE:
        return
    values = [_number(a) if isinstance(a, IntegerAttr) else a for a in algorithm.values()]
    attributes[key] = DotAlgorithmAttr((*values[:-1], bool(values[-1])))


def _channel(attributes: Attributes, key: str) -> None:
    """The channel of a collective, where 0 is none, or of a transfer, which has a type."""
    number = _number(attributes.pop("channel_id"))
    if "channel_type" in attributes:
        attributes[key] = ChannelHandleAttr((number, _number(attributes.pop("channel_type"))))
    elif number:
        attributes[key] = ChannelHandleAttr((number, 0))


def _renamed(key: str, kind: type[Attribute], value: Any) -> Attribute:
    """Flags are units in StableHLO, names of functions symbols."""
    if kind is UnitAttr:
        return UnitAttr()
    if key == "called_computations":
        return ArrayAttr([_as_symbol(name) for name in value.data])
    return _as_symbol(value) if key in ("callee", "decomposition") else value


def _as_symbol(attribute: Any) -> Attribute:
    return SymbolRefAttr(attribute) if isinstance(attribute, StringAttr) else attribute


_PUT_TOGETHER: dict[type[Attribute], Callable[[Attributes, str], None]] = {
    ChannelHandleAttr: _channel,
    ConvDimensionNumbersAttr: _convolution,
    DotAlgorithmAttr: _algorithm,
    **{
        kind: partial(_dimension_numbers, kind=kind)
        for kind in (DotDimensionNumbersAttr, GatherDimensionNumbersAttr, ScatterDimensionNumbersAttr)
    },
}
"""By class of property: what makes it of several attributes."""
