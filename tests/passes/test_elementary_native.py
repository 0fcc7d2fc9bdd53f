"""What LLVM makes of the expanded functions is bit for bit what NumPy computes with the same operations."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from elementary_numpy import Array, evaluate
from test_elementary_accuracy import BY_NAME
from xdsl.parser import Parser
from xdsl_xla.decisions.target import host
from xdsl_xla.dialects.llvm_parts import Part
from xdsl_xla.lowering.convert_scf_to_cf import ConvertScfToCfPass
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.to_llvm.convert_to_llvm import ConvertToLlvmPass
from xdsl_xla.lowering.to_llvm.module_tables import collect_large_constants
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE
from xdsl_xla.passes.loops.math_expand_elementary import MathExpandElementaryPass
from xdsl_xla.runtime import engine
from xdsl_xla.runtime.context import ContextTable
from xdsl_xla.runtime.llvm_pipeline import Options
from xdsl_xla.runtime.program_context import new_context

sys.path.insert(0, str(Path(__file__).parents[1]))

from lowering.llvm_harness import elementwise, entry

FORMATS = {"f32": (SINGLE, np.float32), "f64": (DOUBLE, np.float64)}


def run(text: str, inputs: list[Array], result: Array, fma: bool) -> None:
    """Expands, lowers and executes `@main`. In one module: xDSL misreads hexadecimal floats in `dense`."""
    context = new_context()
    module = Parser(context, text).parse_module()
    for step in (MathExpandElementaryPass(fma=fma), ConvertScfToCfPass(), ConvertToLlvmPass()):
        step.apply(context, module)
        module.verify()
    options = Options(2)
    native = engine.NativeCode([engine.emit_object(engine.optimize([Part(emit(module))], options), options)], ["main"])
    main = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(native.address("main"))
    tables = [
        (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays]) for arrays in (inputs, [result])
    ]
    arena = np.zeros(1, np.uint8)
    main(*tables, arena.ctypes.data, ContextTable(1, collect_large_constants(module)).address)


def operands(name: str, dtype: Any, count: int) -> list[Array]:
    generator = np.random.default_rng(4)
    bits = np.uint32 if dtype == np.float32 else np.uint64
    everywhere = generator.integers(0, np.iinfo(bits).max, count // 2, dtype=bits).view(dtype)
    near = generator.uniform(-3, 3, count - count // 2 - 8).astype(dtype)
    specials = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-40], dtype)
    x = np.concatenate([everywhere, near, specials])
    return [x, generator.permutation(x)] if name in ("atan2", "powf") else [x]


def vector_loop(name: str, arity: int, element: str, count: int, lanes: int) -> str:
    memref, vector = f"memref<{count}x{element}>", f"vector<{lanes}x{element}>"
    names = "abc"[:arity]
    loads = "\n".join(f"%{n} = vector.load %{n}s[%i] : {memref}, {vector}" for n in names)
    arguments = ", ".join(f"%{n}s: {memref}" for n in [*names]) + f", %out: {memref}"
    body = f"""
      %first = arith.constant 0 : index
      %step = arith.constant {lanes} : index
      %end = arith.constant {count} : index
      cf.br ^loop(%first : index)
    ^loop(%i: index):
      {loads}
      %r = math.{name} {", ".join("%" + n for n in names)} : {vector}
      vector.store %r, %out[%i] : {memref}, {vector}
      %next = arith.addi %i, %step : index
      %more = arith.cmpi slt, %next, %end : index
      cf.cond_br %more, ^loop(%next : index), ^done
    ^done:
    """
    return entry(arguments, arity, 1, body)


def assert_same_bits(result: Array, expected: Array) -> None:
    """NaNs may differ in sign and payload."""
    np.testing.assert_array_equal(result, expected)
    ordered = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[ordered]), np.signbit(expected[ordered]))


@pytest.mark.sample(16)
@pytest.mark.parametrize("element", FORMATS)
@pytest.mark.parametrize("name", BY_NAME)
def test_scalars_in_a_loop(name: str, element: str):
    format, dtype = FORMATS[element]
    count = 1021
    x = operands(name, dtype, count)
    result = np.zeros(count, dtype)
    fused = host().fma
    body = f"%r = math.{name} {', '.join('%' + n for n in 'ab'[: len(x)])} : {element}"
    text = elementwise(body, [element] * len(x), element, count)
    run(text, x, result, fused)
    expected, _ = evaluate(BY_NAME[name], format, fused, *x, branches=True)
    assert_same_bits(result, expected)


@pytest.mark.sample(16)
@pytest.mark.parametrize("name, element, fused", [(n, e, n < "e") for n in BY_NAME for e in FORMATS])
def test_vectors(name: str, element: str, fused: bool):
    format, dtype = FORMATS[element]
    lanes, count = 8, 512
    x = operands(name, dtype, count)
    result = np.zeros(count, dtype)
    run(vector_loop(name, len(x), element, count, lanes), x, result, fused)
    expected, _ = evaluate(BY_NAME[name], format, fused, *x)
    assert_same_bits(result, expected)


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "sin", "erf", "powf"])
def test_bfloat16_through_single(name: str):
    count = 1021
    with np.errstate(invalid="ignore"):
        x = [operand.astype(ml_dtypes.bfloat16) for operand in operands(name, np.float32, count)]
    result = np.zeros(count, ml_dtypes.bfloat16)
    body = f"%r = math.{name} {', '.join('%' + n for n in 'ab'[: len(x)])} : bf16"
    run(elementwise(body, ["bf16"] * len(x), "bf16", count), x, result, host().fma)
    expected, _ = evaluate(BY_NAME[name], SINGLE, host().fma, *[a.astype(np.float32) for a in x], branches=True)
    rounded = expected.astype(ml_dtypes.bfloat16)
    assert_same_bits(result.astype(np.float32), rounded.astype(np.float32))
