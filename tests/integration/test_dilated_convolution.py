"""Convolutions of dilated inputs: natively in phases, as the reference computes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import assert_close, tensor

NHWC = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
NCHW = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"


@dataclass(frozen=True)
class Case:
    """One convolution; shapes as written, everything per spatial dimension in its order."""

    input: tuple[int, ...]
    kernel: tuple[int, ...]
    output: tuple[int, ...]
    dilation: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    numbers: str = NHWC
    stride: tuple[int, ...] = ()
    kernel_dilation: tuple[int, ...] = ()
    reverse: tuple[bool, ...] = ()
    groups: tuple[int, int] = (1, 1)
    element: str = "f32"
    non_finite: bool = field(default=False)

    def text(self) -> str:
        rank = len(self.dilation)
        ones = (1,) * rank
        window = (
            f"stride = {list(self.stride or ones)}, pad = {[list(edge) for edge in self.edges]}, "
            f"lhs_dilate = {list(self.dilation)}, rhs_dilate = {list(self.kernel_dilation or ones)}, "
            f"reverse = {str(list(self.reverse or (False,) * rank)).lower()}"
        )
        x, k, y = (tensor(shape, self.element) for shape in (self.input, self.kernel, self.output))
        groups = f"{{batch_group_count = {self.groups[1]} : i64, feature_group_count = {self.groups[0]} : i64}}"
        return f"""func.func @main(%x: {x}, %k: {k}) -> {y} {{
          %0 = stablehlo.convolution(%x, %k) dim_numbers = {self.numbers}, window = {{{window}}}
            {groups} : ({x}, {k}) -> {y}
          return %0 : {y}
        }}"""

    def inputs(self) -> list[np.ndarray[Any, Any]]:
        random = np.random.default_rng(0)
        dtype = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "bf16": ml_dtypes.bfloat16}[self.element]
        arrays = [random.normal(size=shape) * 3 for shape in (self.input, self.kernel)]
        if self.non_finite:
            for array in arrays:
                array.flat[random.integers(0, array.size, 3)] = [np.inf, -np.inf, np.nan]
        return [array.astype(dtype) for array in arrays]


CASES = {
    "one phase loop per dimension": Case((2, 5, 6, 3), (4, 4, 3, 5), (2, 10, 12, 5), (2, 2), ((2, 2), (2, 2))),
    "phases aligned with the input": Case((2, 5, 6, 3), (2, 2, 3, 5), (2, 10, 12, 5), (2, 2), ((1, 1), (1, 1))),
    "an odd kernel": Case((2, 5, 6, 3), (3, 3, 3, 8), (2, 10, 12, 8), (2, 2), ((2, 1), (1, 2))),
    "an odd output": Case((2, 5, 6, 3), (3, 2, 3, 17), (2, 9, 13, 17), (2, 2), ((1, 1), (1, 2))),
    "a kernel of one": Case((2, 5, 6, 3), (1, 1, 3, 5), (2, 10, 11, 5), (2, 2), ((0, 1), (0, 0))),
    "cropped": Case((1, 7, 6, 3), (3, 4, 3, 5), (1, 8, 7, 5), (2, 2), ((-2, -1), (0, -1))),
    "steps of three": Case((1, 5, 4, 4), (5, 3, 4, 6), (1, 12, 12, 6), (3, 3), ((2, 1), (2, 2))),
    "many phases": Case((1, 3, 3, 2), (7, 7, 2, 3), (1, 11, 11, 3), (5, 5), ((3, 3), (3, 3))),
    "one dimension dilated": Case((2, 5, 6, 3), (4, 3, 3, 5), (2, 10, 6, 5), (2, 1), ((2, 2), (1, 1))),
    "channels first": Case((2, 3, 5, 6), (5, 3, 4, 4), (2, 5, 10, 12), (2, 2), ((2, 2), (2, 2)), NCHW),
    "channels first, an odd kernel": Case((2, 3, 5, 6), (5, 3, 3, 3), (2, 5, 9, 11), (2, 2), ((1, 1), (1, 1)), NCHW),
    "reversed": Case((2, 5, 6, 3), (4, 3, 3, 5), (2, 10, 11, 5), (2, 2), ((2, 2), (1, 1)), reverse=(True, True)),
    "stride": Case((2, 9, 6, 3), (4, 3, 3, 5), (2, 6, 8, 5), (2, 3), ((1, 1), (2, 0)), stride=(3, 2)),
    "a stride of the dilation": Case((2, 9, 6, 3), (4, 3, 3, 5), (2, 9, 3, 5), (2, 2), ((2, 1), (0, 0)), stride=(2, 4)),
    "a dilated kernel": Case(
        (2, 5, 6, 3), (3, 3, 3, 5), (2, 9, 9, 5), (2, 2), ((3, 3), (1, 1)), kernel_dilation=(3, 2)
    ),
    "feature groups": Case((2, 5, 6, 4), (4, 3, 2, 6), (2, 10, 11, 6), (2, 2), ((2, 2), (1, 1)), groups=(2, 1)),
    "depthwise": Case((2, 5, 6, 4), (4, 4, 1, 4), (2, 10, 12, 4), (2, 2), ((2, 2), (2, 2)), groups=(4, 1)),
    "batch groups": Case((4, 5, 6, 3), (4, 3, 3, 6), (2, 10, 11, 6), (2, 2), ((2, 2), (1, 1)), groups=(1, 2)),
    "one spatial dimension": Case(
        (2, 20, 6), (16, 5, 6), (2, 160, 5), (8,), ((11, 11),), "[b, 0, f]x[0, o, i]->[b, 0, f]"
    ),
    "three spatial dimensions": Case(
        (1, 3, 4, 2, 3),
        (3, 2, 3, 3, 5),
        (1, 6, 7, 4, 5),
        (2, 2, 2),
        ((2, 1), (1, 0), (1, 2)),
        "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]",
    ),
    "an input of one": Case((2, 1, 1, 3), (4, 4, 3, 5), (2, 4, 4, 5), (2, 2), ((3, 3), (3, 3))),
    "nothing seen": Case((2, 2, 2, 3), (1, 1, 3, 5), (2, 1, 1, 5), (2, 2), ((-1, -1), (-1, -1))),
}


def check(case: Case, threads: int) -> None:
    text, inputs = case.text(), case.inputs()
    with np.errstate(all="ignore"):
        (expected,) = interpreter.run(parse_module(text, "case"), "main", inputs)
    (result,) = xdsl_xla.compile(text, threads=threads)(*inputs)
    assert_close(result, expected, text)


@pytest.mark.sample(15)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_shapes(name: str, threads: int) -> None:
    check(CASES[name], threads)


@pytest.mark.sample(20)
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", CASES)
def test_tiled(name: str, threads: int, decide: Callable[..., object]) -> None:
    decide(contractions={"minimum_multiply_adds": 1, "long_sum_multiply_adds": 1})
    check(CASES[name], threads)


@pytest.mark.parametrize("element", ["f64", "i32", "bf16"])
@pytest.mark.parametrize("name", ["an odd kernel", "one phase loop per dimension", "channels first", "steps of three"])
def test_element_types(name: str, element: str) -> None:
    check(replace(CASES[name], element=element), 1)


@pytest.mark.parametrize("name", [name for name in CASES if name != "many phases"])
def test_what_is_not_finite(name: str) -> None:
    """What the dilation inserts is not multiplied, by any phase."""
    check(replace(CASES[name], non_finite=True), 1)
