"""A valid call of every operation of `XlaBuilder`, by the names of its arguments: what tests of all operations vary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xla_programs import add_of, scalars

S = xla.Shape
ADD = add_of()
NEG = scalars(xla.neg, xla.F32)
GE = scalars(xla.ge, xla.F32, xla.F32)
LESS = scalars(lambda x: x < 1.0, xla.F32)
STEP = scalars(lambda x, total: xla.tuple(x.builder, [x + total, x + total]), xla.F32, xla.F32)
GATHER = {"offset_dims": [1], "collapsed_slice_dims": [0], "start_index_map": [0], "index_vector_dim": 1}
SCATTER = {
    "update_window_dims": [1],
    "inserted_window_dims": [0],
    "scatter_dims_to_operand_dims": [0],
    "index_vector_dim": 1,
}
NHWC = xla.ConvolutionDimensionNumbers(0, 3, [1, 2], 2, 3, [0, 1], 0, 3, [1, 2])


class Values:
    """A builder with values of many kinds, the operands of the calls."""

    def __init__(self, name: str = "calls") -> None:
        self.builder = b = xla.XlaBuilder(name)
        self.f = b.parameter(0, S.array(xla.F32, [2, 3]), "f")
        self.i = b.parameter(1, S.array(xla.S32, [2, 3]), "i")
        self.p = b.parameter(2, S.array(xla.PRED, [2, 3]), "p")
        self.square = b.parameter(3, S.array(xla.F32, [3, 3]), "square")
        self.row = b.parameter(4, S.array(xla.F32, [3]), "row")
        self.image = b.parameter(5, S.array(xla.F32, [1, 2, 5, 5]), "image")
        self.kernel = b.parameter(6, S.array(xla.F32, [3, 2, 3, 3]), "kernel")
        self.last = b.parameter(7, S.array(xla.F32, [1, 5, 5, 2]), "last")
        self.last_kernel = b.parameter(8, S.array(xla.F32, [3, 3, 2, 3]), "last_kernel")
        self.places = b.parameter(9, S.array(xla.S32, [4, 1]), "places")
        self.updates = b.parameter(10, S.array(xla.F32, [4, 3]), "updates")
        self.groups = b.parameter(11, S.array(xla.F32, [2, 3, 2]), "groups")
        self.scalar = b.constant(2.0)
        self.index = b.constant(1)
        self.flag = b.constant(True)
        self.sizes = b.constant(np.array([1, 1], np.int32))
        self.one = b.constant(np.array([1], np.int32))
        self.state = b.constant(np.array([7, 11], np.uint64))
        self.pair = xla.tuple(b, [self.f, self.i])
        self.token = xla.create_token(b)


Kwargs = dict[str, Any]
FFT = {"fft_type": xla.FftType.RFFT, "fft_length": [3]}
NORM = {"epsilon": 1e-3, "feature_index": 1}
WINDOW = {"window_dimensions": [1, 2], "window_strides": [1, 1]}
HOST = xla.ChannelHandle(3, xla.ChannelType.DEVICE_TO_HOST)
DOT = xla.DotDimensionNumbers([1], [0])

CALLS: dict[str, list[Callable[[Values], Kwargs]]] = {
    "after_all": [lambda v: {"operands": [v.token]}],
    "create_token": [lambda v: {}],
    "all_gather": [
        lambda v: {
            "operand": v.f,
            "all_gather_dimension": 0,
            "shard_count": 1,
            "replica_groups": [[0]],
            "channel_id": 1,
        }
    ],
    "all_reduce": [lambda v: {"operand": v.f, "computation": ADD, "replica_groups": [[0]], "channel_id": 1}],
    "cross_replica_sum": [
        lambda v: {"operand": v.f, "replica_groups": [[0]]},
        lambda v: {"operand": v.f, "replica_group_ids": [0]},
    ],
    "all_to_all": [
        lambda v: {
            "operand": v.f,
            "split_dimension": 0,
            "concat_dimension": 1,
            "split_count": 1,
            "replica_groups": [[0]],
            "channel_id": 1,
        }
    ],
    "batch_norm_training": [lambda v: {"operand": v.f, "scale": v.row, "offset": v.row, **NORM}],
    "batch_norm_inference": [
        lambda v: {"operand": v.f, "scale": v.row, "offset": v.row, "mean": v.row, "variance": v.row, **NORM}
    ],
    "batch_norm_grad": [
        lambda v: {"operand": v.f, "scale": v.row, "mean": v.row, "variance": v.row, "grad_output": v.f, **NORM}
    ],
    "bitcast_convert_type": [lambda v: {"operand": v.f, "new_element_type": xla.S32}],
    "broadcast": [lambda v: {"operand": v.f, "broadcast_sizes": [4]}],
    "broadcast_in_dim": [lambda v: {"operand": v.row, "out_dim_size": [2, 3], "broadcast_dimensions": [1]}],
    "call": [lambda v: {"computation": ADD, "operands": [v.scalar, v.scalar]}],
    "cholesky": [lambda v: {"a": v.square, "lower": True}],
    "clamp": [lambda v: {"min": v.scalar, "operand": v.f, "max": 3.0}],
    "collapse": [lambda v: {"operand": v.f, "dimensions": [0, 1]}],
    "collective_permute": [lambda v: {"operand": v.f, "source_target_pairs": [(0, 0)], "channel_id": 1}],
    "concat_in_dim": [lambda v: {"operands": [v.f, v.f], "dimension": 0}],
    "concatenate": [lambda v: {"operands": [v.f, v.f], "dimension": 0}],
    "constant_r0": [lambda v: {"value": 1.0, "element_type": xla.F32}],
    "constant_r1": [lambda v: {"values": [1.0], "element_type": xla.F32}],
    "constant_r2": [lambda v: {"values": [[1.0]], "element_type": xla.F32}],
    "constant_r3": [lambda v: {"values": [[[1.0]]], "element_type": xla.F32}],
    "constant_r4": [lambda v: {"values": [[[[1.0]]]], "element_type": xla.F32}],
    "zero": [lambda v: {"type": xla.F32}],
    "one": [lambda v: {"type": xla.F32}],
    "min_value": [lambda v: {"type": xla.F32}],
    "max_value": [lambda v: {"type": xla.F32}],
    "zeros": [lambda v: {"shape": S.array(xla.F32, [2, 3])}],
    "zeros_like": [lambda v: {"prototype": v.f}],
    "ones_like": [lambda v: {"prototype": v.f}],
    "full_like": [lambda v: {"prototype": v.f, "value": 2.0}],
    "scalar_like": [lambda v: {"prototype": v.f, "value": 2.0}],
    "conditional": [
        lambda v: {
            "pred": v.flag,
            "true_operand": v.scalar,
            "true_computation": NEG,
            "false_operand": 1.0,
            "false_computation": NEG,
        },
        lambda v: {"branch_index": v.index, "branch_computations": [NEG, NEG], "branch_operands": [v.scalar, 1.0]},
    ],
    "conv": [
        lambda v: {
            "lhs": v.image,
            "rhs": v.kernel,
            "window_strides": [1, 1],
            "padding": xla.Padding.SAME,
            "feature_group_count": 1,
            "batch_group_count": 1,
            "precision_config": [xla.Precision.HIGH, xla.Precision.HIGH],
        }
    ],
    "conv_with_general_padding": [
        lambda v: {
            "lhs": v.image,
            "rhs": v.kernel,
            "window_strides": [1, 1],
            "padding": [(1, 1), (0, 0)],
            "lhs_dilation": [1, 1],
            "rhs_dilation": [1, 1],
            "feature_group_count": 1,
            "batch_group_count": 1,
        }
    ],
    "conv_with_general_dimensions": [
        lambda v: {
            "lhs": v.last,
            "rhs": v.last_kernel,
            "window_strides": [1, 1],
            "padding": xla.Padding.VALID,
            "dimension_numbers": NHWC,
        }
    ],
    "conv_general": [
        lambda v: {
            "lhs": v.last,
            "rhs": v.last_kernel,
            "window_strides": [1, 1],
            "padding": [(0, 0), (0, 0)],
            "dimension_numbers": NHWC,
        }
    ],
    "conv_general_dilated": [
        lambda v: {
            "lhs": v.image,
            "rhs": v.kernel,
            "window_strides": [1, 1],
            "padding": [(0, 0), (0, 0)],
            "lhs_dilation": [1, 1],
            "rhs_dilation": [1, 1],
            "dimension_numbers": xla.default_convolution_dimension_numbers(2),
            "feature_group_count": 1,
            "batch_group_count": 1,
            "preferred_element_type": xla.F32,
            "window_reversal": [True, False],
        }
    ],
    "convert_element_type": [lambda v: {"operand": v.f, "new_element_type": xla.S32}],
    "custom_call": [
        lambda v: {
            "target_name": "door_target",
            "operands": [v.f],
            "shape": S.array(xla.F32, [2]),
            "opaque": "",
            "has_side_effect": False,
            "api_version": 1,
            "operand_layouts": [[1, 0]],
            "result_layouts": [[0]],
            "called_computations": [NEG],
        }
    ],
    "dot": [
        lambda v: {
            "lhs": v.f,
            "rhs": v.square,
            "precision_config": [xla.Precision.DEFAULT, xla.Precision.DEFAULT],
            "preferred_element_type": xla.F32,
        }
    ],
    "dot_general": [lambda v: {"lhs": v.f, "rhs": v.square, "dimension_numbers": DOT}],
    "dynamic_slice": [lambda v: {"operand": v.f, "start_indices": [v.index, 0], "size_indices": [1, 2]}],
    "dynamic_update_slice": [lambda v: {"operand": v.f, "update": v.f, "start_indices": v.sizes}],
    "compare": [lambda v: {"lhs": v.f, "rhs": 1.0, "direction": xla.ComparisonDirection.GE}],
    "reduce_precision": [lambda v: {"operand": v.f, "exponent_bits": 5, "mantissa_bits": 10}],
    "fft": [lambda v: {"operand": v.f, **FFT}],
    "gather": [
        lambda v: {
            "input": v.f,
            "start_indices": v.places,
            "dimension_numbers": xla.GatherDimensionNumbers(**GATHER),
            "slice_sizes": [1, 3],
            "indices_are_sorted": False,
        },
        lambda v: {"input": v.f, "start_indices": v.places, "slice_sizes": [1, 3], **GATHER},
    ],
    "scatter": [
        lambda v: {
            "input": v.f,
            "scatter_indices": v.places,
            "updates": v.updates,
            "update_computation": ADD,
            "dimension_numbers": xla.ScatterDimensionNumbers(**SCATTER),
            "indices_are_sorted": False,
            "unique_indices": False,
        },
        lambda v: {
            "input": [v.f],
            "scatter_indices": v.places,
            "updates": [v.updates],
            "update_computation": ADD,
            **SCATTER,
        },
    ],
    "get_dimension_size": [lambda v: {"operand": v.f, "dimension": 0}],
    "set_dimension_size": [lambda v: {"operand": v.f, "size": v.index, "dimension": 0}],
    "get_tuple_element": [lambda v: {"tuple_data": v.pair, "index": 0}],
    "tuple": [lambda v: {"elements": [v.f, v.pair]}],
    "infeed": [lambda v: {"shape": S.array(xla.F32, [2]), "config": ""}],
    "infeed_with_token": [lambda v: {"token": v.token, "shape": S.array(xla.F32, [2]), "config": ""}],
    "outfeed": [lambda v: {"operand": v.f, "shape_with_layout": S.array(xla.F32, [2, 3]), "outfeed_config": ""}],
    "outfeed_with_token": [lambda v: {"operand": v.f, "token": v.token, "config": ""}],
    "iota": [
        lambda v: {"shape": S.array(xla.F32, [2, 3]), "iota_dimension": 1},
        lambda v: {"type": xla.F32, "size": 3},
    ],
    "map": [
        lambda v: {"operands": [v.f], "computation": NEG, "dimensions": [0, 1]},
        lambda v: {"operands": [v.f], "computation": ADD, "static_operands": [v.scalar]},
    ],
    "optimization_barrier": [lambda v: {"operand": v.pair}],
    "pad": [
        lambda v: {"operand": v.f, "padding_value": 0.0, "padding_config": xla.PaddingConfig.of([(1, 1), (0, 0, 1)])}
    ],
    "pad_in_dim": [lambda v: {"operand": v.f, "padding_value": 0.0, "dimno": 0, "pad_lo": 1, "pad_hi": 1}],
    "recv": [lambda v: {"shape": S.array(xla.F32, [2]), "channel_handle": 3}],
    "recv_with_token": [lambda v: {"token": v.token, "shape": S.array(xla.F32, [2]), "handle": xla.ChannelHandle(4)}],
    "recv_done": [lambda v: {"context": xla.recv_with_token(v.token, S.array(xla.F32, [2]), 7)}],
    "send": [lambda v: {"operand": v.f, "channel_handle": HOST}],
    "send_with_token": [lambda v: {"operand": v.f, "token": v.token, "handle": 5}],
    "send_done": [lambda v: {"context": v.token}],
    "reduce": [
        lambda v: {"operands": [v.f], "init_values": [0.0], "computation": ADD, "dimensions_to_reduce": [0]},
        lambda v: {"operands": v.f, "init_values": v.scalar, "computation": ADD, "dimensions_to_reduce": [0, 1]},
    ],
    "reduce_all": [lambda v: {"operand": v.f, "init_value": 0.0, "computation": ADD}],
    "reduce_scatter": [
        lambda v: {
            "operand": v.f,
            "computation": ADD,
            "scatter_dimension": 0,
            "shard_count": 1,
            "replica_groups": [xla.ReplicaGroup([0])],
            "channel_id": 1,
        }
    ],
    "reduce_window": [
        lambda v: {
            "operands": v.f,
            "init_values": 0.0,
            "computation": ADD,
            **WINDOW,
            "padding": xla.Padding.SAME,
            "base_dilations": [1, 1],
            "window_dilations": [1, 1],
        }
    ],
    "reduce_window_with_general_padding": [
        lambda v: {
            "operands": v.f,
            "init_values": 0.0,
            "computation": ADD,
            **WINDOW,
            "base_dilations": [1, 1],
            "window_dilations": [1, 1],
            "padding": [(0, 0), (1, 1)],
        }
    ],
    "replica_id": [lambda v: {}],
    "partition_id": [lambda v: {}],
    "reshape": [
        lambda v: {"operand": v.f, "new_sizes": [6]},
        lambda v: {"operand": v.f, "dimensions": [1, 0], "new_sizes": [6]},
    ],
    "rev": [lambda v: {"operand": v.f, "dimensions": [1]}],
    "rng_bernoulli": [lambda v: {"mean": v.scalar, "shape": S.array(xla.U32, [2])}],
    "rng_normal": [lambda v: {"mu": v.scalar, "sigma": 1.0, "shape": S.array(xla.F32, [2])}],
    "rng_uniform": [lambda v: {"a": v.scalar, "b": 4.0, "shape": S.array(xla.F32, [2])}],
    "rng_bit_generator": [
        lambda v: {
            "algorithm": xla.RandomAlgorithm.THREE_FRY,
            "initial_state": v.state,
            "shape": S.array(xla.U32, [4]),
        }
    ],
    "select": [lambda v: {"pred": v.p, "on_true": v.f, "on_false": 0.0}],
    "select_and_scatter": [
        lambda v: {
            "operand": v.f,
            "select": GE,
            "window_dimensions": [2, 1],
            "window_strides": [2, 1],
            "padding": xla.Padding.VALID,
            "source": xla.reshape(v.row, [1, 3]),
            "init_value": 0.0,
            "scatter": ADD,
        }
    ],
    "select_and_scatter_with_general_padding": [
        lambda v: {
            "operand": v.f,
            "select": GE,
            "window_dimensions": [2, 1],
            "window_strides": [2, 1],
            "padding": [(0, 0), (0, 0)],
            "source": xla.reshape(v.row, [1, 3]),
            "init_value": v.scalar,
            "scatter": ADD,
        }
    ],
    "slice": [lambda v: {"operand": v.f, "start_indices": [0, 0], "limit_indices": [2, 2], "strides": [1, 1]}],
    "slice_in_dim": [
        lambda v: {"operand": v.f, "start_index": 0, "limit_index": 2, "stride": 1, "dimno": 1},
    ],
    "sort": [
        lambda v: {"operands": [v.f], "comparator": GE, "dimension": 1, "is_stable": True},
        lambda v: {"operand": v.f, "dimension": 0},
        lambda v: {"keys": v.f, "values": [v.i], "dimension": 0},
    ],
    "transpose": [lambda v: {"operand": v.f, "permutation": [1, 0]}],
    "triangular_solve": [
        lambda v: {
            "a": v.square,
            "b": v.square,
            "left_side": True,
            "lower": True,
            "unit_diagonal": False,
            "transpose_a": xla.Transpose.ADJOINT,
        }
    ],
    "while_": [lambda v: {"condition": LESS, "body": NEG, "init": v.scalar}],
    "collective_broadcast": [lambda v: {"operand": v.f, "replica_groups": [[0]], "channel_id": 1}],
    "composite_call": [
        lambda v: {"computation": NEG, "operands": [v.scalar], "name": "my.neg", "attributes": {}, "version": 1}
    ],
    "dynamic_reshape": [
        lambda v: {
            "operand": v.f,
            "dim_sizes": [xla.get_dimension_size(v.f, 1), xla.get_dimension_size(v.f, 0)],
            "new_size_bounds": [3, 2],
            "dims_are_dynamic": [False, False],
        }
    ],
    "ragged_dot": [
        lambda v: {
            "lhs": v.square,
            "rhs": v.groups,
            "group_sizes": v.sizes,
            "dimension_numbers": xla.DotDimensionNumbers([1], [1]),
            "lhs_ragged_dimensions": [0],
            "rhs_group_dimensions": [0],
        }
    ],
    "ragged_all_to_all": [
        lambda v: {
            "input": v.row,
            "input_offsets": v.one,
            "send_sizes": v.one,
            "output": v.row,
            "output_offsets": v.one,
            "recv_sizes": v.one,
            "replica_groups": [[0]],
        }
    ],
    "top_k": [lambda v: {"operand": v.f, "k": 2}],
    "scan": [
        lambda v: {
            "operands": v.row,
            "init_values": [v.scalar],
            "computation": STEP,
            "scan_dimension": 0,
            "is_reverse": False,
        }
    ],
    "scaled_dot": [
        lambda v: {
            "lhs": v.f,
            "rhs": v.square,
            "lhs_scale": v.scalar,
            "rhs_scale": v.scalar,
            "dimension_numbers": DOT,
            "preferred_element_type": xla.F32,
        }
    ],
}
"""Calls with every argument, of each form; those of elementwise operations are made."""

OF_INTEGERS = ("clz", "population_count", "not_", "and_", "or_", "xor", "shift_left")
OF_INTEGERS_TOO = ("shift_right_arithmetic", "shift_right_logical")
OF_FLAGS = ("logical_and", "logical_or", "logical_not")


def elementwise_call(name: str, names: list[str]) -> Callable[[Values], Kwargs]:
    """A call of an elementwise operation with these arguments."""

    def call(v: Values) -> Kwargs:
        operand = v.i if name in OF_INTEGERS + OF_INTEGERS_TOO else v.p if name in OF_FLAGS else v.f
        if names == ["operand"]:
            return {"operand": operand}
        return {"lhs": operand, "rhs": operand, "broadcast_dimensions": None}

    return call


def calls_of(name: str) -> list[Callable[[Values], Kwargs]]:
    """The calls of the operation of that name."""
    operator = xla.OPERATORS[name]
    found = CALLS.get(operator.function.__name__)
    if found is not None:
        return found
    names = list(operator.door.forms[0].parameters)
    assert names in (["operand"], ["lhs", "rhs", "broadcast_dimensions"]), name
    return [elementwise_call(name, names)]
