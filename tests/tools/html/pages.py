"""What the tests of the page share: a program, and a reader of pages in Python."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

from xdsl_xla.pipelines import XLA_CPU
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.tools.html.collect import record_program
from xdsl_xla.tools.html.recorder import Recorder

PROGRAM = """
func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x8xf32>, %b: tensor<8xf32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<16x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<16x8xf32>
  %product = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] :
    (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
  %sum = stablehlo.add %product, %bias : tensor<16x8xf32>
  %same = stablehlo.multiply %sum, %one : tensor<16x8xf32>
  %relu = stablehlo.maximum %same, %zero : tensor<16x8xf32>
  %wide = stablehlo.exponential %relu : tensor<16x8xf32>
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %total = stablehlo.reduce(%wide init: %low) applies stablehlo.add across dimensions = [1] :
    (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
  %spread = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
  %result = stablehlo.divide %wide, %spread : tensor<16x8xf32>
  return %result : tensor<16x8xf32>
}
"""

KEEP, CHANGE, DELETE, INSERT = range(4)

STAGES = 1 + len(XLA_CPU) + 3
"""What is shown of the whole way: the input, what each pass leaves, LLVM IR as it was and optimised, assembly."""


def request(pipeline: str = "xla-cpu") -> Request:
    return Request(1, pipeline, None, 256, 2, None, None, False)


def recorded(program: str = PROGRAM, pipeline: str = "xla-cpu") -> Recorder:
    recorder = Recorder()
    record_program(recorder, program, "program.mlir", request(pipeline))
    return recorder


def contents_of(page: str) -> dict[str, Any]:
    match = re.search(r'<script id="data" type="text/plain">(.*?)</script>', page)
    assert match is not None
    return json.loads(gzip.decompress(base64.b64decode(match[1])))


def texts_of(contents: dict[str, Any]) -> list[list[str]]:
    """The lines of each step, as `data.js` unpacks them."""
    found: list[list[str]] = []
    for stage in contents["stages"]:
        before, lines, old, number = (found[-1] if found else []), [], 0, 0
        new = iter(stage["new"])
        for run, length in zip(stage["runs"][::2], stage["runs"][1::2], strict=True):
            for _ in range(length):
                if run == KEEP:
                    lines.append(before[old])
                elif run != DELETE:
                    number += next(new)
                    lines.append(contents["lines"][number])
                old += run != INSERT
        assert old == len(before) or not found
        found.append(lines)
    return found
