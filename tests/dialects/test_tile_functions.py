"""Names of the functions of register tiles."""

from __future__ import annotations

import pytest
from xdsl_xla.dialects.tile_functions import TileFunction, tile_function

FUNCTIONS = (
    TileFunction("f32", 6, 16, (0, 16, 32, 48), (0, 16, 32, 48), 2, (1,), True, True),
    TileFunction("f64", 1, 2, (0, 2, 3), (0, 2, 4), 1, (), False, False),
    TileFunction("f32", 8, 8, (0,), (0,), 5, (1, 3), True, False),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_names_say_all(function: TileFunction) -> None:
    assert tile_function(function.name) == function


def test_parameters() -> None:
    first, second, third = FUNCTIONS
    assert first.parameters == ("ptr", "ptr", "ptr", *["i64"] * 8, "ptr", "i64", "i64")
    assert second.parameters == ("ptr", "ptr", "ptr", *["i64"] * 5)
    assert len(third.parameters) == 3 + 2 + 3 * 5


@pytest.mark.parametrize(
    "name",
    [
        "xrt.tile",
        "xrt.spend",
        "xrt.tile.f16_6x16_0_0_1__fma_",
        "xrt.tile.f32_0x16_0_0_1__fma_",
        "xrt.tile.f32_6x1000_0_0_1__fma_",
        "xrt.tile.f32_6x16_0.16_0_1__fma_",
        "xrt.tile.f32_6x16_0_0_1_2_fma_",
        "xrt.tile.f32_6x16_0_0_3_2.1_fma_",
        "xrt.tile.f32_6x16_0_0_1__fma_ahead_",
    ],
)
def test_other_names(name: str) -> None:
    assert tile_function(name) is None
