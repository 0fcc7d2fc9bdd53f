from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding

MESH = Mesh((("x", 2), ("y", 8)))


def test_size_and_parts():
    sharding = Sharding(MESH, (DimensionSharding((AxisRef("x"), AxisRef("y", 2, 4))), DimensionSharding()))
    assert MESH.size == 16
    assert [sharding.parts(0), sharding.parts(1)] == [8, 1]
