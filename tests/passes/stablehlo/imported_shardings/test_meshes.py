"""Shardings of HLO as arrays of devices, and on one mesh."""

import numpy as np
import pytest
from xdsl_xla.dialects.sdy.sharding_attributes import TensorShardingAttr
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.passes.stablehlo.imported_shardings.meshes import Axes, Digit, digits_of
from xdsl_xla.passes.stablehlo.imported_shardings.text import (
    MaximalSharding,
    TileSharding,
    UniformSharding,
    parse_shardings,
)
from xdsl_xla.runtime.sharding.splitting import Splitting


def test_texts_are_read() -> None:
    assert parse_shardings("{replicated}") == (UniformSharding("replicated"),)
    assert parse_shardings("{maximal device=3}") == (MaximalSharding(3),)
    assert parse_shardings("{{replicated}, {manual}}") == (UniformSharding("replicated"), UniformSharding("manual"))
    assert parse_shardings("{}") == ()
    (tiles,) = parse_shardings('{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={manual} metadata={op_name="a{b}"}}')
    assert isinstance(tiles, TileSharding)
    assert tiles.devices.tolist() == [[[0, 2]], [[1, 3]]]
    assert tiles.groups == ("manual",)
    assert tiles.rank == 2
    (listed,) = parse_shardings("{devices=[2,2]3,2,1,0 last_tile_dim_replicate}")
    assert isinstance(listed, TileSharding)
    assert listed.devices.tolist() == [[3, 2], [1, 0]]
    assert listed.groups == ("replicated",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "replicated",
        "{foo}",
        "{devices=[2]<=[4]}",
        "{devices=[2]0,2}",
        "{devices=[1000000000,1000000000]<=[1000000000000000000]}",
        "{devices=[0,4]<=[0]}",
        "{devices=[" + "1," * 64 + "1]<=[1]}",
        "{maximal}",
        "{maximal device=" + "9" * 5000 + "}",
        "{replicated} x",
        "{{manual}",
        "\b",
    ],
)
def test_what_is_no_sharding_is_refused(text: str) -> None:
    with pytest.raises(InvalidProgramError, match="not a sharding of HLO"):
        parse_shardings(text)


def test_device_numbers_are_taken_into_digits() -> None:
    assert digits_of(np.arange(8).reshape(2, 4)) == [[Digit(2, 4)], [Digit(4, 1)]]
    assert digits_of(np.arange(8).reshape(2, 4).T.reshape(8, 1)) == [[Digit(4, 1), Digit(2, 4)], []]
    assert digits_of(np.array([0, 1, 3, 2])) is None
    assert digits_of(np.array([[1, 0], [3, 2]])) is None


TEXTS = [
    "{replicated}",
    "{devices=[2,4]<=[8]}",
    "{devices=[4,2]<=[8]}",
    "{devices=[4,2]<=[2,4]T(1,0)}",
    "{devices=[8,1]<=[2,2,2]T(2,0,1)}",
    "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
    "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
    "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}",
    "{devices=[2,4]0,1,2,3,7,6,5,4}",
    "{devices=[8,1]7,6,5,4,3,2,1,0}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_each_device_has_its_tile(text: str) -> None:
    shardings = [parse_shardings(each)[0] for each in TEXTS]
    axes = Axes(shardings, 8)
    (sharding,) = parse_shardings(text)
    array = np.arange(64).reshape(8, 8)
    parts = Splitting(array.shape, axes.sharding(sharding, 2), 8).split(array)
    if not isinstance(sharding, TileSharding):
        assert all(np.array_equal(part, array) for part in parts)
        return
    tiles = sharding.devices.shape[:2]
    height, width = 8 // tiles[0], 8 // tiles[1]
    for row, column in np.ndindex(*tiles):
        tile = array[row * height : (row + 1) * height, column * width : (column + 1) * width]
        for device in sharding.devices[row, column].flat:
            np.testing.assert_array_equal(parts[device], tile)


def test_manual_axes_are_those_of_groups() -> None:
    texts = ["{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}", "{manual}"]
    tiles, manual = (parse_shardings(text)[0] for text in texts)
    axes = Axes([tiles, manual], 8)
    assert axes.manual_axes(tiles) == ("axis_0",)
    assert axes.manual_axes(manual) == ("axis_0", "axis_1")
    assert str(TensorShardingAttr.of(axes.sharding(tiles, 2, (0,)))) == (
        '#sdy.sharding<mesh<["axis_0"=2, "axis_1"=4]>, [{?}, {"axis_1"}]>'
    )
