"""Arrays split over a mesh, and joined."""

import numpy as np
import pytest
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Reduction, Sharding
from xdsl_xla.errors import ArgumentError
from xdsl_xla.runtime.sharding.splitting import Splitting

MESH = Mesh((("x", 2), ("y", 4)))
X, Y = AxisRef("x"), AxisRef("y")
ARRAY = np.arange(8 * 6, dtype=np.float32).reshape(8, 6)


def sharding(*dimensions: tuple[AxisRef, ...], mesh: Mesh = MESH, unreduced: tuple[AxisRef, ...] = ()) -> Sharding:
    return Sharding(mesh, tuple(DimensionSharding(axes) for axes in dimensions), unreduced=unreduced)


def test_devices_are_numbered_row_major_over_the_mesh() -> None:
    parts = Splitting(ARRAY.shape, sharding((X,), ()), 8).split(ARRAY)
    assert [part[0, 0] for part in parts] == [0] * 4 + [24] * 4
    assert {part.shape for part in parts} == {(4, 6)}
    parts = Splitting(ARRAY.shape, sharding((Y, X), ()), 8).split(ARRAY)
    assert [part[0, 0] / 6 for part in parts] == [0, 2, 4, 6, 1, 3, 5, 7]


def test_a_mesh_may_order_its_devices() -> None:
    mesh = Mesh((("x", 4),), (3, 1, 0, 2))
    parts = Splitting((4,), sharding((X,), mesh=mesh), 4).split(np.arange(4))
    assert [part.tolist() for part in parts] == [[2], [1], [3], [0]]


def test_parts_of_axes_split_too() -> None:
    outer, inner = AxisRef("y", 1, 2), AxisRef("y", 2, 2)
    parts = Splitting(ARRAY.shape, sharding((inner,), (outer,)), 8).split(ARRAY)
    assert [part[0, 0] for part in parts[:4]] == [0, 24, 3, 27]


@pytest.mark.parametrize(
    "spread",
    [
        None,
        sharding((), ()),
        sharding((X,), (Y,)),
        sharding((), (X, Y)),
        sharding((Y, X), ()),
        sharding((AxisRef("y", 2, 2),), (AxisRef("y", 1, 2),)),
        sharding((X,), (Y,), mesh=Mesh((("x", 4), ("y", 2)), (7, 6, 5, 4, 3, 2, 1, 0))),
    ],
)
def test_what_was_split_is_joined(spread: Sharding | None) -> None:
    for shape in ((8, 6), (7, 5), (1, 3), (0, 4)):
        array = np.random.default_rng(0).standard_normal(shape)
        splitting = Splitting(shape, spread, 8)
        parts = splitting.split(array)
        assert {part.shape for part in parts} == {splitting.local_shape}
        np.testing.assert_array_equal(splitting.join(parts), array)


def test_uneven_parts_are_padded_behind() -> None:
    splitting = Splitting((5,), sharding((Y,)), 8)
    assert splitting.local_shape == (2,)
    parts = splitting.split(np.arange(1, 6))
    assert [part.tolist() for part in parts[:4]] == [[1, 2], [3, 4], [5, 0], [0, 0]]


def test_what_is_unreduced_is_combined() -> None:
    spread = sharding((X,), unreduced=(Y,))
    splitting = Splitting((4,), spread, 8)
    parts = [np.full(2, 10 ** (device % 4), np.int64) for device in range(8)]
    assert splitting.join(parts).tolist() == [1111] * 4
    assert Splitting((4,), spread._replace(reduction="max"), 8).join(parts).tolist() == [1000] * 4


@pytest.mark.parametrize("reduction", ["sum", "max", "min"])
@pytest.mark.parametrize("dimensions", [((X,), ()), ((), ())])
def test_what_is_split_to_be_combined_is_the_array_again(
    dimensions: tuple[tuple[AxisRef, ...], ...], reduction: Reduction
) -> None:
    splitting = Splitting(ARRAY.shape, sharding(*dimensions, unreduced=(Y,))._replace(reduction=reduction), 8)
    np.testing.assert_array_equal(splitting.join(splitting.split(ARRAY - 9)), ARRAY - 9)


def test_other_shapes_and_numbers_of_parts_are_refused() -> None:
    splitting = Splitting(ARRAY.shape, sharding((X,), (Y,)), 8)
    parts = splitting.split(ARRAY)
    for array in (ARRAY[:7], ARRAY.T, 3.0, np.zeros((8, 6, 1))):
        with pytest.raises(ArgumentError, match=r"argument array: expected an array of shape \(8, 6\)"):
            splitting.split(array)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="argument parts: expected those of 8 devices, got None"):
        splitting.join(None)  # pyright: ignore[reportArgumentType]
    for wrong in (parts[:3], [*parts, parts[0]], [ARRAY] * 8, [], [*parts[:7], ARRAY]):
        with pytest.raises(ArgumentError, match=r"argument parts: expected arrays of shape \(4, 2\) of 8 devices"):
            splitting.join(wrong)
    whole = Splitting(ARRAY.shape, None, 8)
    with pytest.raises(ArgumentError, match="argument parts"):
        whole.join([ARRAY])
