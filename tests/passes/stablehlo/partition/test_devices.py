import numpy as np
import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.passes.stablehlo.partition.devices import Layout, devices_of

X, Y = AxisRef("x"), AxisRef("y")


def sharding(mesh: Mesh, *dimensions: tuple[AxisRef, ...]) -> Sharding:
    return Sharding(mesh, tuple(map(DimensionSharding, dimensions)))


def test_axes_are_digits():
    mesh = Mesh((("x", 2), ("y", 4)))
    devices = devices_of([sharding(mesh, (X,), (Y,))], 8)
    assert devices.sizes == (2, 2, 2)
    assert devices.layout(sharding(mesh, (Y, X), ()), 2) == Layout(((1, 2, 0), ()))
    assert devices.groups((0,)) == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert devices.groups((1, 0)) == [[0, 4, 2, 6][i : i + 4] for i in (0,)] + [[1, 5, 3, 7]]


def test_parts_of_axes_in_the_order_of_the_cuts():
    mesh = Mesh((("x", 12),))
    inner = AxisRef("x", 3, 4)
    devices = devices_of([sharding(mesh, (inner,))], 12)
    assert devices.sizes == (3, 2, 2)
    assert devices.digits(mesh, inner) == (1, 2)
    assert devices.digits(mesh, AxisRef("x", 1, 3)) == (0,)


def test_meshes_over_the_same_devices():
    """A transposed mesh is other digits; its devices are the same."""
    rows, columns = Mesh((("x", 2), ("y", 3))), Mesh((("a", 3), ("b", 2)), (0, 3, 1, 4, 2, 5))
    devices = devices_of([sharding(rows, (X,)), sharding(columns, (AxisRef("b"),))], 6)
    assert devices.digits(columns, AxisRef("b")) == devices.digits(rows, X)
    assert devices.digits(columns, AxisRef("a")) == devices.digits(rows, Y)


def test_order_of_devices_that_is_no_transpose():
    mesh = Mesh((("x", 4),), (0, 1, 3, 2))
    devices = devices_of([sharding(mesh, (X,))], 4)
    assert devices.order == (0, 1, 3, 2)
    assert devices.groups(devices.digits(mesh, X)) == [[0, 1, 3, 2]]


def test_meshes_in_orders_without_common_digits():
    """One of them is taken as if its devices were in the order of the other, and where they are is kept."""
    one, other = Mesh((("x", 4),), (0, 1, 3, 2)), Mesh((("x", 4),), (0, 2, 3, 1))
    devices = devices_of([sharding(one, (X,)), sharding(other, (X,))], 4)
    assert devices.digits(one, X) == devices.digits(other, X) == (0, 1)
    assert devices.strangers == {other: (0, 2, 3, 1)}
    rows, columns = Mesh((("x", 2), ("y", 3))), Mesh((("a", 3), ("b", 2)))
    devices = devices_of([sharding(rows, (X,), (Y,)), sharding(columns, (AxisRef("a"),))], 6)
    assert devices.digits(columns, AxisRef("a")) == devices.digits(rows, Y)
    assert devices.strangers == {columns: (0, 2, 4, 1, 3, 5)}


def test_what_is_refused():
    mesh = Mesh((("x", 6),))
    with pytest.raises(UnsupportedError, match="divided at 2 and at 3"):
        devices_of([sharding(mesh, (AxisRef("x", 1, 2),)), sharding(mesh, (AxisRef("x", 1, 3),))], 6)
    with pytest.raises(UnsupportedError, match="a mesh of 6 devices in a program for 12"):
        devices_of([sharding(mesh, (X,))], 12)


def test_local_shapes_are_rounded_up():
    mesh = Mesh((("x", 2), ("y", 3)))
    devices = devices_of([sharding(mesh, (X,), (Y,))], 6)
    assert devices.local_shape((5, 7), Layout(((0,), (1,)))) == (3, 3)
    assert devices.local_shape((5, 7), Layout(((), ()))) == (5, 7)


def test_one_device_has_a_copy():
    """A maximal sharding means the value on one device: the others may have it too."""
    mesh = Mesh((("x", 2),))
    devices = devices_of([sharding(mesh, (X,)), Sharding(Mesh((), (1,)), ())], 2)
    assert devices.layout(Sharding(Mesh((), (1,)), ()), 3) == Layout(((), (), ()))


def test_coordinates():
    mesh = Mesh((("x", 2), ("y", 2)))
    devices = devices_of([sharding(mesh, (X,), (Y,))], 4)
    assert np.array_equal(devices.coordinates((1, 0)), [0, 2, 1, 3])


def test_tensors_of_unknown_size_have_no_local_shape():
    devices = devices_of([sharding(Mesh((("x", 2),)), (X,))], 2)
    with pytest.raises(UnsupportedError, match="dynamic dimension"):
        devices.local_shape((DYNAMIC_INDEX, 4), Layout(((0,), ())))
