"""`jax.experimental.custom_partitioning` on several devices of the platform `xdsl_xla`."""

from __future__ import annotations

from test_pjrt import run

PRELUDE = """
    import functools
    from jax.experimental.custom_partitioning import custom_partitioning
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y"))
    def put(array, *axes):
        return jax.device_put(array, NamedSharding(mesh, P(*axes)))
    def shardings(tree):
        return jax.tree.map(lambda each: each.sharding, tree)
    def close(found, wanted):
        np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-5, atol=1e-5)
    rng = np.random.default_rng(0)
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)
"""


def test_a_product_whose_contracted_dimension_is_split() -> None:
    run(
        PRELUDE
        + """
    seen = []
    @functools.partial(custom_partitioning, static_argnums=(2,))
    def product(a, b, scale):
        z = scale * (a @ b)
        return z, z * z
    def partition(scale, mesh, arguments, results):
        a, b = shardings(arguments)
        seen.append((scale, a.spec, b.spec, [each.spec for each in shardings(results)]))
        def local(a, b):
            z = scale * jax.lax.psum(a @ b, "y")
            return z, z * z
        out = NamedSharding(mesh, P("x"))
        return mesh, local, (out, out), (NamedSharding(mesh, P("x", "y")), NamedSharding(mesh, P("y")))
    product.def_partition(partition, sharding_rule="i j, j k -> i k, i k", reduction_factors=("j",))
    a, b = normal(8, 16), normal(16, 4)
    z, square = jax.jit(product, static_argnums=(2,))(put(a, "x", "y"), put(b, "y"), 3.0)
    close(z, 3 * (a @ b))
    close(square, 9 * (a @ b) ** 2)
    assert z.sharding.spec == P("x")
    assert seen == [(3.0, P(("x",), ("y",)), P(("y",), None), [P(("x",), None)] * 2)], seen
    """,
        devices=8,
    )


def test_parts_that_are_not_full() -> None:
    run(
        PRELUDE
        + """
    @custom_partitioning
    def twice(x):
        return x + x
    shapes = []
    def local(x):
        shapes.append(x.shape)
        return x + x
    def partition(mesh, arguments, result):
        return mesh, local, shardings(result), shardings(arguments)
    twice.def_partition(partition, sharding_rule="i j -> i j")
    x = normal(10, 7)
    @jax.jit
    def step(x):
        y = jax.lax.with_sharding_constraint(x * 3, NamedSharding(mesh, P("y", "x")))
        return twice(y).sum(0), jax.lax.scan(lambda c, _: (twice(c), None), y, None, length=2)[0]
    total, last = step(x)
    close(total, (6 * x).sum(0))
    close(last, 12 * x)
    assert set(shapes) == {(3, 4)}, shapes
    """,
        devices=8,
    )


def test_functions_that_say_how_results_are_spread() -> None:
    """As before Shardy."""
    run(
        """
    jax.config.update("jax_use_shardy_partitioner", False)
    """
        + PRELUDE
        + """
    @custom_partitioning
    def rows(x):
        return jnp.flip(x, 1)
    asked = []
    def infer(mesh, arguments, result):
        asked.append(arguments[0].sharding.spec)
        return NamedSharding(mesh, P(arguments[0].sharding.spec[0]))
    def partition(mesh, arguments, result):
        whole = NamedSharding(mesh, P(arguments[0].sharding.spec[0]))
        return mesh, lambda x: jnp.flip(x, 1), whole, (whole,)
    rows.def_partition(partition, infer_sharding_from_operands=infer)
    x = normal(8, 5)
    result = jax.jit(lambda x: rows(rows(x) * 2) + 1)(put(x, "y"))
    close(result, 2 * x + 1)
    assert len(asked) == 2 and asked[0] == P("y", None), asked
    """,
        devices=8,
    )


def test_what_functions_raise_is_told() -> None:
    run(
        PRELUDE
        + """
    @custom_partitioning
    def same(x):
        return x
    def attempt(partition, text):
        same.def_partition(partition, sharding_rule="i -> i")
        try:
            jax.jit(lambda x: same(x))(put(normal(8), "y"))
        except jax.errors.JaxRuntimeError as error:
            assert text in str(error), error
        else:
            raise AssertionError("no error")
    def fail(mesh, arguments, result):
        raise ValueError("on purpose")
    attempt(fail, "custom_partitioning: ValueError: on purpose")
    whole = NamedSharding(mesh, P())
    def differ(mesh, arguments, result):
        return mesh, lambda x: x, whole, shardings(arguments)
    attempt(differ, "Mismatch in result shapes")
    """,
        devices=8,
    )
