"""Subnormal numbers in libraries: the model's mode in all its threads, the caller's behind it, on every CPU."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.decisions.denormals import MODES, Denormals
from xdsl_xla.runtime.ahead_of_time.header import header_text
from xdsl_xla.runtime.ahead_of_time.linking import link
from xdsl_xla.tools.differential import Subject

from .building import CC, build, command, library_of, needs_compilers, run

EMULATOR, CROSS = shutil.which("qemu-aarch64"), shutil.which("aarch64-linux-gnu-gcc")

SIZE = 1 << 18
TYPE = f"tensor<{SIZE}xf32>"
PROGRAM = f"""func.func @main(%x: {TYPE}, %y: {TYPE}) -> {TYPE} {{
  %0 = stablehlo.multiply %x, %y : {TYPE}
  return %0 : {TYPE}
}}"""

DRIVER = f"""\
#include "model.h"
#include <stdio.h>
#include <string.h>

static XLA_ALIGNED float x[{SIZE}], y[{SIZE}], out[{SIZE}];

static unsigned bits(float value) {{
  unsigned result;
  memcpy(&result, &value, sizeof result);
  return result;
}}

int main(void) {{
  for (int i = 0; i < {SIZE}; ++i) x[i] = 0x1p-100f, y[i] = 0x1p-27f;
  xla_options options = XLA_OPTIONS;
  options.threads = 2;
  model_context *context;
  if (model_create(&options, &context)) return 1;
  xla_buffer inputs[] = {{{{x, sizeof x}}, {{y, sizeof y}}}}, output = {{out, sizeof out}};
  if (model_run(context, inputs, 2, &output, 1)) return 2;
  unsigned kinds = 0;
  for (int i = 0; i < {SIZE}; ++i) kinds |= bits(out[i]) ? 1 : 2;
  volatile float a = x[0], b = y[0], own = a * b;
  printf("%u %d", kinds, bits(own) != 0);
  model_destroy(context);
  return 0;
}}
"""

SUBNORMAL, ZERO = 1, 2


def printed(
    mode: str | None, folder: Path, compiler: str, runner: list[str], fast: bool, triple: str | None = None
) -> str:
    """What kinds of results the model gives, and whether the program's own product behind it is subnormal."""
    library = library_of(PROGRAM, denormals=mode, threads=2, triple=triple)
    (folder / "model.h").write_text(header_text(library.tables))
    (folder / "driver.c").write_text(DRIVER)
    link(library, folder / "libmodel.a")
    flags = ["-ffast-math"] if fast else []
    command([compiler, "-std=c11", "-O1", *flags, "driver.c", "libmodel.a", "-fopenmp", "-lm", "-o", "driver"], folder)
    return command([*runner, str(folder / "driver")], folder)


@needs_compilers
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("mode", "kind"), [(None, ZERO), ("flush", ZERO), ("preserve", SUBNORMAL)])
def test_this_cpu(mode: str | None, kind: int, fast: bool, tmp_path: Path) -> None:
    """GCC's `-ffast-math` has the program itself flush them."""
    assert CC is not None
    assert printed(mode, tmp_path, CC, [], fast) == f"{kind} {int(not fast)}"


@pytest.mark.skipif(
    EMULATOR is None or CROSS is None, reason="no emulator and compiler (qemu-user, gcc-aarch64-linux-gnu)"
)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("mode", "kind"), [("flush", ZERO), ("preserve", SUBNORMAL)])
def test_aarch64(mode: str, kind: int, fast: bool, tmp_path: Path) -> None:
    assert EMULATOR is not None and CROSS is not None
    runner = [EMULATOR, "-L", "/usr/aarch64-linux-gnu"]
    assert printed(mode, tmp_path, CROSS, runner, fast, triple="aarch64-linux-gnu") == f"{kind} {int(not fast)}"


FUNCTIONS = """abs cbrt ceil cosine exponential exponential_minus_one floor log log_plus_one logistic negate rsqrt sign
sine sqrt tan tanh round_nearest_even round_nearest_afz""".split()
OPS = "add subtract multiply divide maximum minimum atan2 power remainder".split()


def every_op(element: str, size: int) -> str:
    """A program with a result of each op."""
    type = f"tensor<{size}x{element}>"
    lines = [f"%{op} = stablehlo.{op} %x : {type}" for op in FUNCTIONS]
    lines += [f"%{op} = stablehlo.{op} %x, %y : {type}" for op in OPS]
    lines.append(f"%less = stablehlo.compare LT, %x, %y : ({type}, {type}) -> tensor<{size}xi1>")
    types = ", ".join([type] * (len(FUNCTIONS) + len(OPS)) + [f"tensor<{size}xi1>"])
    results = ", ".join(f"%{name}" for name in [*FUNCTIONS, *OPS, "less"])
    body = "\n  ".join([*lines, f"return {results} : {types}"])
    return f"func.func @main(%x: {type}, %y: {type}) -> ({types}) {{\n  {body}\n}}"


@pytest.mark.skipif(
    EMULATOR is None or CROSS is None, reason="no emulator and compiler (qemu-user, gcc-aarch64-linux-gnu)"
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
def test_every_op_on_aarch64(element: str, mode: Denormals, tmp_path: Path) -> None:
    assert EMULATOR is not None and CROSS is not None
    dtype = np.dtype({"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}[element])
    extensions: Any = ml_dtypes
    tiny = float(extensions.finfo(dtype).smallest_normal)
    values = np.array([tiny / 2, -tiny / 4, 0.0, -0.0, tiny, -tiny, 1.0, -1.5, np.inf, -np.inf, np.nan]).astype(dtype)
    x, y = np.repeat(values, len(values)), np.tile(values, len(values))
    text = every_op(element, len(x))
    library = library_of(text, denormals=mode, triple="aarch64-linux-gnu", threads=1)
    drivers = build(library, tmp_path, compiler=CROSS, cpp=False)
    runner = [EMULATOR, "-L", "/usr/aarch64-linux-gnu", str(drivers["C"])]
    got = run(runner, library, [x, y], tmp_path, 1)
    wanted = Subject.parse(text.encode(), "ops", None, mode).reference([x, y])
    for name, data, result in zip([*FUNCTIONS, *OPS, "less"], got, wanted, strict=True):
        found = np.frombuffer(data, result.dtype).astype(np.float64)
        expected = result.astype(np.float64)
        np.testing.assert_allclose(found, expected, rtol=2e-2, atol=float(tiny) / 1e3, err_msg=name)
        known = ~np.isnan(expected)
        np.testing.assert_array_equal((found == 0)[known], (expected == 0)[known], err_msg=name)
        np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(expected)[known], err_msg=name)
