"""JAX with `JAX_PLATFORMS=xdsl_xla` and no other backend: what wants a CPU takes this platform."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")

from test_pjrt import run

START = """
import jax
from xdsl_xla.frontends.pjrt import jax_plugin
jax_plugin.register()
import jax.numpy as jnp, numpy as np
x = jnp.arange(3.0)
"""

ALONE = {"JAX_PLATFORMS": "xdsl_xla"}


def test_callbacks() -> None:
    done = run(
        """
    from jax.experimental import io_callback
    f = jax.jit(lambda x: (jax.debug.print("traced {}", x), x + 1)[1])
    assert f(x).tolist() == [1, 2, 3]
    jax.debug.print("eager {}", x)
    compute = jax.jit(lambda y: y * 2)
    assert jax.jit(lambda x: jax.pure_callback(compute, x, x))(x).tolist() == [0, 2, 4]
    assert io_callback(lambda y: np.asarray(y) + 1, x, x).tolist() == [1, 2, 3]
    """,
        start=START,
        variables=ALONE,
    )
    assert done.stdout.splitlines() == ["traced [0. 1. 2.]", "eager [0. 1. 2.]"]


def test_loops_over_arrays_of_numpy() -> None:
    run(
        """
    w = np.arange(3.0)
    loop = lambda x: jax.lax.while_loop(lambda c: c[1].sum() < 9, lambda c: (c[0] * 2.0, c[1] + 1), (x, w))
    value, counts = jax.linearize(loop, 2.0)[0]
    assert value == 8 and counts.tolist() == [2, 3, 4]
    """,
        start=START,
        variables=ALONE,
    )
