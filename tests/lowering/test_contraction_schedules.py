"""Schedules of contractions and Fourier transforms: changed by hand and at random, illegal, and read from a text."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.decisions.model import cost_model_of
from xdsl_xla.decisions.target import host
from xdsl_xla.dialects.schedule import KernelAttr
from xdsl_xla.dialects.schedule.tree import Tree
from xdsl_xla.dialects.xrt_names import SCHEDULE
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.lowering.contractions.hoisting import Hoisting
from xdsl_xla.lowering.kernels_schedule import KernelsSchedulePass
from xdsl_xla.lowering.schedulable import Schedulable
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context

from .edited_schedules import PLACE, STEPS, edited, passed, printed


def dot(lhs: str, rhs: str, out: str, dims: str, bias: str = "") -> str:
    """A product of `%x` and `%y`, with a bias and a hyperbolic tangent."""
    more = f"""
  %b = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<{bias}>) -> tensor<{out}>
  %s = stablehlo.add %d, %b : tensor<{out}>
  %t = stablehlo.tanh %s : tensor<{out}>"""
    return f"""
func.func @main(%x: tensor<{lhs}>, %y: tensor<{rhs}>{f", %z: tensor<{bias}>" if bias else ""}) -> tensor<{out}> {{
  %d = stablehlo.dot_general %x, %y, {dims} : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{out}>{more if bias else ""}
  return {"%t" if bias else "%d"} : tensor<{out}>
}}"""


PROGRAMS = {
    "product": dot("66x80xf32", "80x96xf32", "66x96xf32", "contracting_dims = [1] x [0]"),
    "finished": dot("66x80xf32", "80x96xf32", "66x96xf32", "contracting_dims = [1] x [0]", "96xf32"),
    "transposed": dot("66x80xf64", "96x80xf64", "66x96xf64", "contracting_dims = [1] x [1]"),
    "batched": dot(
        "4x32x40xf32", "4x40x48xf32", "4x32x48xf32", "batching_dims = [0] x [0], contracting_dims = [2] x [1]"
    ),
    "bytes": dot("66x80xi8", "80x96xi8", "66x96xi32", "contracting_dims = [1] x [0]"),
    "halves": dot("66x81xbf16", "81x96xbf16", "66x96xf32", "contracting_dims = [1] x [0]"),
    "chained": dot("20x1023xbf16", "40x1023xbf16", "20x40xf32", "contracting_dims = [1] x [1]"),
    "unsigned": dot("83x66xui8", "83x96xui8", "66x96xi32", "contracting_dims = [0] x [0]"),
    "fourier": """
func.func @main(%x: tensor<3x24x20xcomplex<f32>>) -> tensor<3x24x20xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [20] : (tensor<3x24x20xcomplex<f32>>) -> tensor<3x24x20xcomplex<f32>>
  return %y : tensor<3x24x20xcomplex<f32>>
}""",
    "byte_convolution": """
func.func @main(%x: tensor<2x12x12x17xi8>, %y: tensor<3x3x17x32xi8>) -> tensor<2x10x10x32xi32> {
  %r = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x12x12x17xi8>, tensor<3x3x17x32xi8>) -> tensor<2x10x10x32xi32>
  return %r : tensor<2x10x10x32xi32>
}""",
    "convolution": """
func.func @main(%x: tensor<2x12x12x16xf32>, %y: tensor<3x3x16x32xf32>) -> tensor<2x10x10x32xf32> {
  %r = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x12x12x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x10x10x32xf32>
  return %r : tensor<2x10x10x32xf32>
}""",
}

TOLERANCES = dict.fromkeys(PROGRAMS, 0.0) | {"fourier": 1e-5}
"""Sums of whole numbers are exact."""

LEGAL: dict[str, list[tuple[str, str]]] = {
    "product": [
        # Tiles of 3 x 8, columns outside, rows on threads.
        (
            """start addf from fill
            parallel i = 0 to 66 by 3 { for j = 0 to 96 by 8 { for k = 0 to 80 {
              tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } } } }""",
            "affine.parallel",
        ),
        # Both operands packed, partial sums.
        (
            """start addf from fill
            for j = 0 to 96 by 32 {
              pack addf.in1 in panels
              for i = 0 to 66 by 20 overlapping {
                pack addf.in0 in rows
                for i1 = 0 to 20 by 4 { for j1 = 0 to 32 by 8 { for k = 0 to 80 by 20 { chain k1 = 0 to 20 {
                  tile i2 = 0 to 4, j2 = 0 to 8 by 4 { compute addf at (i + i1 + i2, j + j1 + j2, k + k1) }
                } } } } } }""",
            "memref<2560xf32>",
        ),
        # Chunks of the reduction outside, with sums in memory, and what they are off by.
        (
            """start addf from fill
            for i = 0 to 66 by 6 {
              hold addf errors
              for k = 0 to 80 by 20 {
                pack addf.in1 in panels
                for i1 = 0 to 6 by 3 { for j = 0 to 96 by 8 { for k1 = 0 to 20 {
                  tile i2 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1 + i2, j + j1, k + k1) }
                } } } } }""",
            "memref<576xf32>",
        ),
        # The same with sums in the output.
        (
            """for i = 0 to 66 { for j = 0 to 96 { compute fill at (i, j) } }
            for k = 0 to 80 by 20 { for i = 0 to 66 by 3 { for j = 0 to 96 by 8 { for k1 = 0 to 20 {
              tile i2 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i2, j + j1, k + k1) } } } } }""",
            "vector<8xf32>",
        ),
        # No tile.
        (
            """start addf from fill
            for i = 0 to 66 { for k = 0 to 80 { for j = 0 to 96 { compute addf at (i, j, k) } } }""",
            "affine.for",
        ),
    ],
    "finished": [
        (
            """start addf from fill
            for i = 0 to 66 by 4 overlapping { for j = 0 to 96 by 8 {
              keep addf
              for k = 0 to 80 { tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } }
              tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute tanh at (i + i1, j + j1) } } }""",
            "math.tanh",
        ),
        # Row by row from the cache.
        (
            """start addf from fill
            for i = 0 to 66 by 4 overlapping { for j = 0 to 96 by 8 {
              keep addf
              for k = 0 to 80 { tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } }
              for i1 = 0 to 4 { tile j1 = 0 to 8 by 4 { compute tanh at (i + i1, j + j1) } } } }""",
            "memref<32xf32>",
        ),
        # In loops of its own.
        (
            """start addf from fill
            for i = 0 to 66 by 3 { for j = 0 to 96 by 8 {
              for k = 0 to 80 { tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } } } }
            parallel i = 0 to 66 { for j = 0 to 96 { compute tanh at (i, j) } }""",
            "affine.parallel",
        ),
        # In the last trip.
        (
            """start addf from fill
            hold addf
            for k = 0 to 80 by 40 { for i = 0 to 66 by 3 { for j = 0 to 96 by 8 {
              fetch addf.in1 bytes 256
              for k1 = 0 to 40 { tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k + k1) } }
              tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute tanh at (i + i1, j + j1) after k } } } }""",
            "xrt.prefetch",
        ),
    ],
    "transposed": [
        (
            """start addf from fill
            pack addf.in1 in panels ahead shared 2
            parallel j = 0 to 96 by 48 { for i = 0 to 66 by 3 { for j1 = 0 to 48 by 4 { for k = 0 to 80 {
              tile i1 = 0 to 3, j2 = 0 to 4 by 2 { compute addf at (i + i1, j + j1 + j2, k) } } } } }""",
            "vector<4xf64>",
        ),
        (
            """start addf from fill
            for j = 0 to 96 by 16 {
              pack addf.in1 in panels
              parallel i = 0 to 66 by 6 { for j1 = 0 to 16 by 4 {
                fetch addf.in0 rows 2
                for k = 0 to 80 { tile i1 = 0 to 6, j2 = 0 to 4 by 2 { compute addf at (i + i1, j + j1 + j2, k) }
              } } } }""",
            "xrt.prefetch",
        ),
        (
            """start addf from fill
            for i = 0 to 66 { for j = 0 to 96 { for k = 0 to 80 { compute addf at (i, j, k) } } }""",
            "arith.addf",
        ),
    ],
    "batched": [
        (
            """start addf from fill
            parallel b = 0 to 4 { for i = 0 to 32 by 4 { for j = 0 to 48 by 8 { for k = 0 to 40 {
              tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (b, i + i1, j + j1, k) } } } } }""",
            "affine.parallel",
        ),
        (
            """start addf from fill
            for i = 0 to 32 by 4 { for j = 0 to 48 by 8 { for b = 0 to 4 { for k = 0 to 40 {
              tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (b, i + i1, j + j1, k) } } } } }""",
            "vector<8xf32>",
        ),
        (
            """start addf from fill
            pack addf.in1 in panels
            for b = 0 to 4 by 2 { for b1 = 0 to 2 { for i = 0 to 32 by 4 { for j = 0 to 48 by 8 { for k = 0 to 40 {
              tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (b + b1, i + i1, j + j1, k) } } } } } }""",
            "memref<7680xf32>",
        ),
    ],
    "bytes": [
        (
            """start addi from fill
            for j = 0 to 96 by 8 { pack addi.in1 in panels for i = 0 to 66 by 3 { chain k = 0 to 80 in f32 {
              tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k) } } } }""",
            "vector.bitcast",
        ),
        (
            """start addi from fill
            for j = 0 to 96 by 8 { pack addi.in1 in panels for i = 0 to 66 by 3 { for k = 0 to 80 {
              tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k) } } } }""",
            "arith.muli",
        ),
        (
            """start addi from fill
            parallel j = 0 to 96 by 8 { pack addi.in1 in panels for i = 0 to 66 by 3 {
              for k = 0 to 80 by 40 { chain k1 = 0 to 40 in f32 {
                tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k + k1) } } } } }""",
            "affine.parallel",
        ),
    ],
    "halves": [
        (
            """start addf from fill
            pack addf.in1 in panels
            parallel i = 0 to 66 by 12 overlapping { pack addf.in0 in rows for i1 = 0 to 12 by 6 {
              for j = 0 to 96 by 16 { for k = 0 to 82 by 2 { dot vdpbf16ps k1 = 0 to 2 {
                tile i2 = 0 to 6, j1 = 0 to 16 by 8 { compute addf at (i + i1 + i2, j + j1, k + k1) } } } } } }""",
            "xrt.dot",
        ),
    ],
    "unsigned": [
        # Rows in panels, chunks in the output.
        (
            """parallel i = 0 to 66 { for j = 0 to 96 { compute fill at (i, j) } }
            for j = 0 to 96 by 48 { pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {
            for j1 = 0 to 48 by 8 { for k = 0 to 84 by 12 { for k1 = 0 to 12 by 4 { dot vpdpbusd k2 = 0 to 4 {
              tile i1 = 0 to 3, j2 = 0 to 8 by 8 { compute addi at (i + i1, j + j1 + j2, k + k1 + k2) } } } } } } }""",
            "xrt.dot",
        ),
    ],
    "fourier": [
        (
            "parallel j = 0 to 72 by 8 { tile l = 0 to 8 by 8 { compute transform at (0, j + l) } }",
            "affine.parallel",
        ),
        ("parallel j = 0 to 72 by 2 { tile l = 0 to 2 by 2 { compute transform at (0, j + l) } }", "vector<2xf32>"),
        ("for j = 0 to 72 by 4 { tile l = 0 to 4 by 4 { compute transform at (0, j + l) } }", "vector<4xf32>"),
    ],
    "convolution": [
        (
            """start addf from fill
            parallel n = 0 to 2, h = 0 to 10 { for w = 0 to 10 by 5 { for j = 0 to 32 by 8 {
              for y = 0 to 3, x = 0 to 3, c = 0 to 16 {
                tile w1 = 0 to 5, j1 = 0 to 8 by 4 { compute addf at (n, h, w + w1, j + j1, y, x, c) } } } } }""",
            "affine.parallel",
        ),
        # The rows of a tile down the image.
        (
            """start addf from fill
            for n = 0 to 2 { for w = 0 to 10 { for h = 0 to 10 by 4 overlapping { for j = 0 to 32 by 8 {
              for c = 0 to 16, y = 0 to 3, x = 0 to 3 {
                tile h1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (n, h + h1, w, j + j1, y, x, c) } } } } } }""",
            "vector<8xf32>",
        ),
        # The kernel in panels, once; channels of the image in the outer loop.
        (
            """for n = 0 to 2 { for h = 0 to 10, w = 0 to 10, j = 0 to 32 { compute fill at (n, h, w, j) } }
            pack addf.in1 in panels
            for c = 0 to 16 by 8 { for n = 0 to 2 { for h = 0 to 10 { for w = 0 to 10 by 5 { for j = 0 to 32 by 8 {
              for y = 0 to 3, x = 0 to 3, c1 = 0 to 8 {
                tile w1 = 0 to 5, j1 = 0 to 8 by 4 { compute addf at (n, h, w + w1, j + j1, y, x, c + c1) }
            } } } } } }""",
            "memref<4608xf32>",
        ),
    ],
}

TILE = "tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) }"
WORDS = "for k = 0 to 84 by 4 { dot vpdpbusd k1 = 0 to 4 {"
WORD_TILE = "tile i1 = 0 to 3, j1 = 0 to 8 by 8 { compute addi at (i + i1, j + j1, k + k1) }"
ILLEGAL: list[tuple[str, str, str]] = [
    (
        "product",
        f"start addf from fill parallel k = 0 to 80 {{ for i = 0 to 66 by 3 {{ for j = 0 to 96 by 8 {{ {TILE} }} }} }}",
        "writes the same elements in several trips of 'k'",
    ),
    (
        "product",
        """start addf from fill for i = 0 to 66 { for j = 0 to 96 by 64 { for k = 0 to 80 {
          tile i1 = 0 to 1, j1 = 0 to 64 by 2 { compute addf at (i + i1, j + j1, k) } } } }""",
        "the last step of the loop 'j' is 32 instead of 64",
    ),
    (
        "product",
        """start addf from fill for j = 0 to 96 by 8 { for k = 0 to 80 {
          tile i1 = 0 to 66, j1 = 0 to 8 by 4 { compute addf at (i1, j + j1, k) } } }""",
        "vector registers of",
    ),
    (
        "product",
        f"""start addf from fill
        for i = 0 to 66 by 3 {{ for j = 0 to 96 by 8 {{ chain k = 0 to 80 in f32 {{ {TILE} }} }} }}""",
        "of products of bytes may be in f32",
    ),
    (
        "product",
        f"""start addf from fill
        for i = 0 to 66 by 3 {{ for j = 0 to 96 by 8 {{ for k = 0 to 80 {{ {TILE} }} }} }} pack addf.in1 in panels""",
        "it is not around the tiles",
    ),
    (
        "product",
        f"""stage addf.in0 at (d0) start addf from fill
        for i = 0 to 66 by 3 {{ for j = 0 to 96 by 8 {{ for k = 0 to 80 {{ {TILE} }} }} }}""",
        "beside tiles of registers no sums are in parts",
    ),
    (
        "finished",
        """start addf from fill
        for i = 0 to 66 by 3 { for j = 0 to 96 by 8 {
          for k = 0 to 80 { tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } }
          tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute tanh at (i + i1, j + j1) } } }""",
        "'keep addf' is missing",
    ),
    (
        "finished",
        """start addf from fill
        hold addf
        for k = 0 to 80 by 40 { for i = 0 to 66 by 3 { for j = 0 to 96 by 8 {
          for k1 = 0 to 40 { tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k + k1) } }
          tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute tanh at (i + i1, j + j1) } } } }""",
        "the loop 'k' around it would compute it several times",
    ),
    (
        "transposed",
        """start addf from fill for i = 0 to 66 by 3 { for j = 0 to 96 by 8 { for k = 0 to 80 {
          tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addf at (i + i1, j + j1, k) } } } }""",
        "'addf.in1' has to be packed in panels",
    ),
    (
        "transposed",
        """start addf from fill for i = 0 to 66 by 4 { for j = 0 to 96 by 3 { pack addf.in1 in panels for k = 0 to 80 {
          tile j1 = 0 to 3, i1 = 0 to 4 by 2 { compute addf at (i + i1, j + j1, k) } } } }""",
        "the last step of the loop 'i' is 2 instead of 4",
    ),
    (
        "batched",
        """start addf from fill for i = 0 to 32 by 4 { for j = 0 to 48 by 8 { for k = 0 to 40 { for b = 0 to 4 {
          tile i1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (b, i + i1, j + j1, k) } } } } }""",
        "the loop around it is of the reduction",
    ),
    (
        "batched",
        """start addf from fill for i = 0 to 32 by 4 { for j = 0 to 48 by 8 { for k = 0 to 40 {
          tile b = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (b, i, j + j1, k) } } } }""",
        "every index once|computes it several times|not every index|steps of|points of 'addf' are not computed",
    ),
    (
        "bytes",
        """start addi from fill for j = 0 to 96 by 8 { pack addi.in1 in panels for i = 0 to 66 by 3 {
          for k = 0 to 80 by 40 { pack addi.in0 in rows chain k1 = 0 to 40 in f32 {
            tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k + k1) } } } } }""",
        "in front of all loops of the reduction",
    ),
    (
        "bytes",
        """start addi from fill for j = 0 to 96 by 8 { for i = 0 to 66 by 3 { for k = 0 to 80 {
          tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k) } } } }""",
        "'addi.in1' has to be packed in panels",
    ),
    (
        "bytes",
        """start addi from fill
        for j = 0 to 96 by 8 { pack addi.in1 in panels for i = 0 to 66 by 3 { for k = 0 to 80 by 40 {
          chain k1 = 0 to 40 in f64 { tile i1 = 0 to 3, j1 = 0 to 8 by 4 { compute addi at (i + i1, j + j1, k + k1) } }
        } } }""",
        "of products of bytes may be in f32",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels for i = 0 to 66 by 3 {{ for j = 0 to 96 by 8 {{ "
        f"{WORDS} {WORD_TILE} }} }} }} }}",
        "'addi.in0' has to be packed: its words are not there",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels shared 3 for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS} {WORD_TILE} }} }} }} }}",
        "copied in one part",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS.replace('vpdpbusd', 'vdpbf16ps')} {WORD_TILE} }} }} }} }}",
        "'vdpbf16ps' does not add products of the inputs of 'addi'",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS.replace('vpdpbusd', 'fma')} {WORD_TILE} }} }} }} }}",
        "the CPU has no instruction 'fma'",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS.replace('4', '2').replace('82', '84')} {WORD_TILE} }} }} }} }}",
        "'vpdpbusd' does 4 steps",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS.replace('84', '88')} {WORD_TILE} }} }} }} }}",
        "goes from 0 to 83, not from 0 to 88",
    ),
    (
        "unsigned",
        f"start addi from fill pack addi.in1 in panels pack addi.in0 in panels for i = 0 to 66 by 3 {{ "
        f"for j = 0 to 96 by 8 {{ {WORDS} {WORD_TILE.replace('by 8', 'by 2')} }} }} }} }}",
        "as long as a register, or a half or a quarter",
    ),
    (
        "fourier",
        "for j = 0 to 72 by 16 { tile l = 0 to 16 by 16 { compute transform at (0, j + l) } }",
        "the last step of the loop 'j' is 8 instead of 16",
    ),
    (
        "fourier",
        "for j = 0 to 72 { compute transform at (0, j) }",
        "in a tile, a vector of lines at a time",
    ),
    (
        "convolution",
        """start addf from fill for n = 0 to 2 { for h = 0 to 10 { for w = 0 to 10 by 4 { for j = 0 to 32 by 8 {
          for y = 0 to 3, x = 0 to 3, c = 0 to 16 {
            tile w1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (n, h, w + w1, j + j1, y, x, c) } } } } } }""",
        "the last step of the loop 'w' is 2 instead of 4",
    ),
    (
        "convolution",
        """for n = 0 to 2 { for h = 0 to 10, w = 0 to 10, j = 0 to 32 { compute fill at (n, h, w, j) } }
        for y = 0 to 3 { for n = 0 to 2 { for h = 0 to 10 { for w = 0 to 10 by 4 overlapping { for j = 0 to 32 by 8 {
          for x = 0 to 3, c = 0 to 16 {
            tile w1 = 0 to 4, j1 = 0 to 8 by 4 { compute addf at (n, h, w + w1, j + j1, y, x, c) } } } } } } }""",
        "steps overlap, and sums are in the output",
    ),
]


HAS_WORDS = {"vpdpbusd", "vdpbf16ps"} <= set(host().dot_products)


def skip_without_words(schedule: str) -> None:
    """Skips a test of a schedule for which this CPU has no instruction."""
    if "dot " in schedule and not HAS_WORDS:
        pytest.skip("a CPU with AVX-512 BF16 and VNNI")


def arguments_of(text: str) -> list[NDArray[Any]]:
    """Small whole numbers: sums of their products are exact in every order."""
    types: dict[str, Any] = {
        "bf16": ml_dtypes.bfloat16,
        "complex<f32>": np.complex64,
        "f32": np.float32,
        "f64": np.float64,
        "i8": np.int8,
        "ui8": np.uint8,
    }
    random_numbers = np.random.default_rng(0)
    (signature,) = re.findall(r"@main\((.*?)\) ->", text, re.DOTALL)
    found: list[NDArray[Any]] = []
    for type in re.findall(r"tensor<(\S+?)>(?=[,)]|$)", signature):
        shape, element = [int(size) for size in re.findall(r"(\d+)x", type)], re.sub(r"^(\d+x)*", "", type)
        found.append(random_numbers.integers(0 if element == "ui8" else -8, 9, shape).astype(types[element]))
    return found


def results_of(source: str, steps: list[str], arguments: list[NDArray[Any]]) -> NDArray[Any]:
    return np.asarray(xdsl_xla.compile(source, pipeline=",".join(steps), threads=2, cache=False)(*arguments))


@cache
def expected_of(name: str) -> NDArray[Any]:
    """What a program computes by the decided schedule."""
    return results_of(PROGRAMS[name], STEPS, arguments_of(PROGRAMS[name]))


@pytest.mark.parametrize(
    ("name", "schedule", "below"),
    [(name, schedule, below) for name, legal in LEGAL.items() for schedule, below in legal],
)
def test_changed_by_hand(name: str, schedule: str, below: str) -> None:
    skip_without_words(schedule)
    text = edited(PROGRAMS[name], schedule)
    steps = "kernels-schedule,linalg-tile-contractions,linalg-tile-fourier,convert-linalg-to-affine"
    loops = passed(text, steps)
    assert below in loops
    assert loops != passed(printed(PROGRAMS[name]), steps)
    arguments = arguments_of(PROGRAMS[name])
    expected = expected_of(name)
    result = results_of(text, STEPS[PLACE - 1 :], arguments)
    np.testing.assert_allclose(result, expected, rtol=TOLERANCES[name], atol=10 * TOLERANCES[name])


@pytest.mark.parametrize(("name", "schedule", "message"), ILLEGAL)
def test_illegal(name: str, schedule: str, message: str) -> None:
    skip_without_words(schedule)
    with pytest.raises(ScheduleError, match=message):
        xdsl_xla.compile(edited(PROGRAMS[name], schedule), pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)


def scheduled(text: str, threads: int) -> tuple[ModuleOp, Schedulable]:
    """A program at level 4 and its one kernel, with the decided schedule."""
    context = new_context()
    module = parse_module(text, context=context)
    run_passes(context, module, parse_passes(",".join(STEPS[: PLACE - 1])))
    KernelsSchedulePass(threads=threads).apply(context, module)
    (function,) = [op for op in module.ops if isinstance(op, func.FuncOp) and SCHEDULE in op.attributes]
    kernel = Schedulable.of(function, cost_model_of(context), Hoisting.of(module))
    assert kernel is not None
    return module, kernel


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("seed", range(4))
def test_variants(name: str, seed: int) -> None:
    """Other tiles, blocks, copies and chunks are legal when they are read again, and give the same values."""
    module, kernel = scheduled(PROGRAMS[name], 2)
    tree = kernel.decide(2)
    rnd = random.Random(seed)
    for _ in range(3):
        assert tree is not None
        _, tree = rnd.choice(list(kernel.variants(tree, 1 + seed % 2)))
    assert tree is not None and tree.is_tiled
    kernel.check(Tree(tree.nodes))
    kernel.function.attributes[SCHEDULE] = KernelAttr(tree)
    arguments = arguments_of(PROGRAMS[name])
    expected = expected_of(name)
    result = results_of(str(module), STEPS[PLACE - 1 :], arguments)
    np.testing.assert_allclose(result, expected, rtol=TOLERANCES[name], atol=10 * TOLERANCES[name])
