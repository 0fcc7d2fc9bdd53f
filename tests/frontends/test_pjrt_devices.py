"""JAX's programs on several devices of the platform `xdsl_xla`: what clients ask about them, and how they run."""

from __future__ import annotations

from test_pjrt import run


def test_asynchronous_collectives() -> None:
    run(
        """
    from jax._src.lax import parallel
    mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Explicit,))
    with jax.set_mesh(mesh):
        @jax.jit
        @jax.shard_map(out_specs=P("x"))
        def add(x):
            total = parallel.psum_start(x, "x")
            twice = 2 * x
            return total.done() + twice
        x = jnp.arange(4.0, out_sharding=P("x"))
        assert add(x).tolist() == [2, 6, 6, 10]
        assert "all-reduce(" in add.lower(x).compile().as_text()
    """,
        devices=2,
    )


def test_shardings_that_were_found_are_told() -> None:
    run(
        """
    mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))
    x = jax.device_put(np.ones((8, 4), np.float32), NamedSharding(mesh, P("x", "y")))
    found = []
    def ask(x, callback):
        y = x @ x.T
        jax.debug.inspect_array_sharding(y, callback=callback)
        return y.sum()
    for _ in range(4):  # the addresses that a program has for it are no text, or are by chance
        assert jax.jit(ask, static_argnums=1)(x, lambda sharding: found.append(sharding)) == 256
    assert [each.spec for each in found] == [P("x")] * 4, found
    def fail(sharding):
        raise ValueError("on purpose")
    try:
        jax.jit(ask, static_argnums=1)(x, fail)
    except jax.errors.JaxRuntimeError as error:
        assert "on purpose" in str(error)
    else:
        raise AssertionError("no error")
    """,
        devices=4,
    )


def test_arrays_that_a_constraint_does_not_split_evenly() -> None:
    """JAX has no arrays of uneven parts: arguments and results are whole."""
    run(
        """
    sharding = NamedSharding(jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,)), P("x"))
    x = np.arange(13 * 6, dtype=np.float32).reshape(13, 6)
    total, same = jax.jit(lambda x: (jnp.cumsum(y := jax.lax.with_sharding_constraint(x, sharding), 0), y))(x)
    assert np.array_equal(total, np.cumsum(x, 0)) and np.array_equal(same, x)
    """,
        devices=4,
    )
