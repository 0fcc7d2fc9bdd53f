"""The functions of register tiles, run by themselves, against NumPy."""

from __future__ import annotations

import ctypes
from itertools import product
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl_xla.dialects.tile_functions import TileFunction
from xdsl_xla.lowering.llvm_to_text.support_functions import support_function, support_functions

TYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}

FUNCTIONS = {
    "in place": TileFunction("f32", 6, 16, (0, 16, 32, 48), (0, 16, 32, 48), 1, (), True, False),
    "chains": TileFunction("f32", 2, 8, (0, 8), (0, 8), 3, (1,), True, True),
    "chains of chains": TileFunction("f64", 3, 4, (0, 4), (0, 4), 3, (1, 2), True, False),
    "overlapping vectors, in panels": TileFunction("f32", 4, 8, (0, 8, 13), (0, 8, 16), 2, (), True, False),
    "products are rounded": TileFunction("f64", 1, 2, (0,), (0,), 2, (1,), False, False),
}


def loaded(function: TileFunction) -> tuple[object, Any]:
    """An engine that holds the function, and the function."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    shared = support_function(function.name)
    assert shared is not None
    module = llvm.parse_assembly(shared.definition.replace("define hidden", "define"))
    module.verify()
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine(opt=2))
    engine.finalize_object()
    types = [ctypes.c_void_p if type == "ptr" else ctypes.c_int64 for type in function.parameters]
    return engine, ctypes.CFUNCTYPE(None, *types)(engine.get_function_address(function.name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sums_of_products(name: str) -> None:
    function = FUNCTIONS[name]
    engine, call = loaded(function)
    random = np.random.default_rng(7)
    trips = [3, 4, 5][: function.loops]
    lhs_steps, rhs_steps = [70, 15, 3][: function.loops], [400, 131, 67][: function.loops]
    lhs_row, out_row = 300, 50
    lhs: NDArray[Any] = random.integers(-8, 8, 4096).astype(TYPES[function.element])
    rhs: NDArray[Any] = random.integers(-8, 8, 4096).astype(TYPES[function.element])
    out = np.full(out_row * function.rows + 64, np.nan, TYPES[function.element])
    expected = out.copy()
    for row, (column, place), lane in product(
        range(function.rows), zip(function.columns, function.places, strict=True), range(function.lanes)
    ):
        expected[row * out_row + column + lane] = sum(
            lhs[row * lhs_row + int(np.dot(numbers, lhs_steps))] * rhs[place + lane + int(np.dot(numbers, rhs_steps))]
            for numbers in product(*map(range, trips))
        )
    numbers = [lhs_row, out_row]
    for loop in zip(trips, lhs_steps, rhs_steps, strict=True):
        numbers += loop
    ahead = [lhs.ctypes.data, *lhs_steps] if function.ahead else []
    call(lhs.ctypes.data, rhs.ctypes.data, out.ctypes.data, *numbers, *ahead)
    np.testing.assert_array_equal(out, expected)
    assert engine is not None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_declared_as_defined(name: str) -> None:
    symbol = FUNCTIONS[name].name
    (function,) = support_functions([f"@{symbol}", "@main"])
    (declared,) = llvm.parse_assembly(function.declaration).functions
    defined = llvm.parse_assembly(function.definition).get_function(symbol)
    assert declared.name == symbol and str(declared.type) == str(defined.type)
    assert function.part.shared


@pytest.mark.parametrize(("fma", "expected"), [(True, 2.0**-54), (False, 0.0)])
def test_rounding(fma: bool, expected: float) -> None:
    """With `fma` a product is not rounded: `(1 + 2**-27)**2 - (1 + 2**-26)` is `2**-54`."""
    engine, call = loaded(TileFunction("f64", 1, 2, (0,), (0,), 1, (), fma, False))
    near = 1 + 2.0**-27
    lhs, rhs, out = np.array([-1.0, near]), np.array([1 + 2.0**-26] * 2 + [near] * 2), np.zeros(2)
    call(lhs.ctypes.data, rhs.ctypes.data, out.ctypes.data, 0, 0, 2, 1, 2)
    assert out.tolist() == [expected] * 2
    assert engine is not None
