"""What cannot be had of bounded size: what is built of `x`, f32[<=5,4], and the error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl_xla.frontends import xla_builder as xla
from xla_programs import add_of

from .case import F32, U8, U32, Build, Y, numbers, sums

REFUSED: dict[str, Sequence[tuple[Build, str]]] = {
    "bitcast_convert_type": [
        (
            lambda b, x: xla.bitcast_convert_type(
                xla.convert_element_type(xla.transpose(xla.slice(x, [0, 0], [4, 4]), [1, 0]), U8), U32
            ),
            "operand: dimension 1 of u8.4,<=4., of bounded size, cannot be taken into elements",
        ),
    ],
    "broadcast_in_dim": [
        (
            lambda b, x: xla.broadcast_in_dim(xla.slice(x, [0, 0], [1, 4]), [3, 4], [0, 1]),
            "out_dim_size: .3, 4. does not fit f32.<=1,4.",
        )
    ],
    "add": [
        (
            lambda b, x: xla.add(xla.slice(x, [0, 0], [1, 4]), b.constant(Y)),
            "dimension 0 of f32.<=1,4., of bounded size",
        )
    ],
    "reshape": [
        (
            lambda b, x: xla.reshape(x, [2, 10]),
            "dimension 0, of bounded size, of .5, 4. becomes no one dimension of .2, 10.",
        ),
        (lambda b, x: xla.reshape(xla.reshape(x, [20]), [4, 5]), "dimension 0"),
    ],
    "fft": [
        (lambda b, x: xla.fft(xla.transpose(x, [1, 0]), xla.FftType.RFFT, [5]), "operand: dimension 1 of f32.4,<=5.")
    ],
    "cholesky": [(lambda b, x: xla.cholesky(xla.dot(x, xla.transpose(x, [1, 0]))), "a: dimension 0 of f32.<=5,<=5.")],
    "triangular_solve": [
        (lambda b, x: xla.triangular_solve(xla.dot(x, xla.transpose(x, [1, 0])), x), "a: dimension 0 of f32.<=5,<=5.")
    ],
    "conv": [
        (
            lambda b, x: xla.conv(b.constant(numbers(1, 1, 9)), xla.reshape(x, [1, 1, 20]), [1], xla.Padding.SAME),
            "rhs: dimension 2 of f32.1,1,<=20., of bounded size, cannot be a window",
        )
    ],
    "iota": [(lambda b, x: xla.iota(b, x.shape, 0), "shape: expected static sizes, got f32.<=5,4.")],
    "rng_uniform": [(lambda b, x: xla.rng_uniform(0.0, b.constant(1.0), x.shape), "shape: expected static sizes")],
    "rng_normal": [(lambda b, x: xla.rng_normal(0.0, b.constant(1.0), x.shape), "shape: expected static sizes")],
    "rng_bernoulli": [
        (
            lambda b, x: xla.rng_bernoulli(b.constant(0.5), x.shape.with_element_type(U32)),
            "shape: expected static sizes",
        )
    ],
    "rng_bit_generator": [
        (
            lambda b, x: xla.rng_bit_generator(
                xla.RandomAlgorithm.PHILOX, b.constant(np.zeros(2, np.uint64)), x.shape.with_element_type(U32)
            ),
            "shape: expected static sizes",
        )
    ],
    "scan": [
        (
            lambda b, x: xla.scan(x, b.constant(np.zeros(4, np.float32)), sums(), 0),
            "operands: dimension 0 of f32.<=5,4.",
        )
    ],
    "ragged_dot": [
        (
            lambda b, x: xla.ragged_dot(
                x,
                b.constant(numbers(2, 4, 3)),
                b.constant(np.int32([2, 3])),
                xla.DotDimensionNumbers([1], [1]),
                [0],
                [0],
            ),
            "operand 0 has dimension 0 of bounded size.*'chlo.ragged_dot'",
        )
    ],
    "all_gather": [(lambda b, x: xla.all_gather(x, 0, 1), "operand 0 has dimension 0 of bounded size")],
    "all_reduce": [(lambda b, x: xla.all_reduce(x, add_of()), "operand 0 has dimension 0.*'stablehlo.all_reduce'")],
    "cross_replica_sum": [(lambda b, x: xla.cross_replica_sum(x), "operand 0 has dimension 0")],
    "all_to_all": [(lambda b, x: xla.all_to_all(x, 1, 1, 1), "operand 0 has dimension 0")],
    "reduce_scatter": [(lambda b, x: xla.reduce_scatter(x, add_of(), 1, 1), "operand 0 has dimension 0")],
    "collective_broadcast": [(lambda b, x: xla.collective_broadcast(x, [[0]]), "operand 0 has dimension 0")],
    "collective_permute": [(lambda b, x: xla.collective_permute(x, [(0, 0)]), "operand 0 has dimension 0")],
    "ragged_all_to_all": [
        (
            lambda b, x: xla.ragged_all_to_all(
                x, *(b.constant(np.int32([0])),) * 2, x, *(b.constant(np.int32([0])),) * 2
            ),
            "operand 0 has dimension 0",
        )
    ],
    "outfeed": [(lambda b, x: xla.outfeed(x), "operand 0 has dimension 0")],
    "outfeed_with_token": [(lambda b, x: xla.outfeed_with_token(x, b.token), "operand 0 has dimension 0")],
    "infeed": [(lambda b, x: xla.infeed(b, x.shape), "result 0 has dimension 0 of bounded size")],
    "infeed_with_token": [(lambda b, x: xla.infeed_with_token(b.token, x.shape), "result 0 has dimension 0")],
    "send": [(lambda b, x: xla.send(x, xla.ChannelHandle(1)), "operand 0 has dimension 0")],
    "send_with_token": [
        (lambda b, x: xla.send_with_token(x, b.token, xla.ChannelHandle(1)), "operand 0 has dimension 0")
    ],
    "recv": [(lambda b, x: xla.recv(b, x.shape, xla.ChannelHandle(1)), "result 0 has dimension 0")],
    "recv_with_token": [
        (lambda b, x: xla.recv_with_token(b.token, x.shape, xla.ChannelHandle(1)), "result 0 has dimension 0")
    ],
    "custom_call": [
        (
            lambda b, x: xla.custom_call(b, "mine", [x], xla.Shape(F32)),
            "operand 0 has dimension 0.*'stablehlo.custom_call'",
        )
    ],
}
