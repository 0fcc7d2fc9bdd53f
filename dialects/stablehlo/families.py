"""The ops of the dialect: those that the modules of its families define."""

from __future__ import annotations

from types import ModuleType

from xdsl.irdl import IRDLOperation

from ..registration import ops_of
from . import (
    collective_reductions,
    collectives,
    communication,
    composite,
    constant,
    contraction,
    control_flow,
    convolution,
    custom_call,
    data_movement,
    dynamism,
    elementwise_binary,
    elementwise_unary,
    gather_scatter,
    indexing,
    linear_algebra,
    normalization,
    quantization,
    random,
    reduction,
    selection,
    slicing,
    window_reduction,
)

FAMILIES: tuple[ModuleType, ...] = (
    constant,
    elementwise_unary,
    elementwise_binary,
    selection,
    data_movement,
    slicing,
    contraction,
    convolution,
    reduction,
    window_reduction,
    indexing,
    gather_scatter,
    control_flow,
    random,
    linear_algebra,
    custom_call,
    composite,
    collective_reductions,
    collectives,
    communication,
    normalization,
    dynamism,
    quantization,
)


OPS: list[type[IRDLOperation]] = [op for module in FAMILIES for op in ops_of(module)]
