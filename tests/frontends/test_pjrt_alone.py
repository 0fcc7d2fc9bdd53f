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

REGISTER_AS_A_PLUGIN = """
from jax._src import xla_bridge
from xdsl_xla.frontends.pjrt import jax_plugin
xla_bridge._discover_and_register_pjrt_plugins = jax_plugin.initialize
"""
"""As JAX does it: not before it is asked for a backend."""

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


def test_devices_of_cpu() -> None:
    run(
        """
    device, = jax.devices("cpu")
    assert device == jax.local_devices(backend="cpu")[0] == jax.devices()[0] and device.platform == "xdsl_xla"
    assert list(jax.extend.backend.backends()) == ["xdsl_xla"]
    y = jax.jit(lambda x: x + 1, backend="cpu")(jax.device_put(x, device))
    with jax.default_device(device):
        assert (y + jnp.ones(3)).tolist() == [2, 3, 4]
    jax.extend.backend.clear_backends()
    assert jax.devices("cpu") == jax.devices()
    try:
        jax.devices("gpu")
    except RuntimeError as error:
        assert "gpu" in str(error)
    """,
        start=START + "import jax.extend\n",
        variables=ALONE,
    )


def test_memory_by_dlpack() -> None:
    run(
        """
    host = np.zeros(1 << 10, np.float32)
    host = host[(-host.ctypes.data % 64) // 4:][: 1 << 9].reshape(16, 32)
    y = jnp.from_dlpack(host)
    assert y.unsafe_buffer_pointer() == host.ctypes.data and y.devices() == set(jax.devices())
    copied = jnp.from_dlpack(host, copy=True, device=jax.devices()[0])
    host += 1
    assert copied.sum() == 0 and jax.jit(jnp.sum)(y) == host.size
    turned = host + np.arange(32)
    assert (jnp.from_dlpack(turned.T) + 1).tolist() == (turned.T + 1).tolist()
    assert jnp.from_dlpack(np.arange(9.0)[1:]).tolist() == list(range(1, 9))
    assert jnp.from_dlpack(np.array([True, False])).tolist() == [True, False]
    assert jnp.from_dlpack(np.zeros((0, 3), np.int8)).shape == (0, 3)
    """,
        start="import jax, jax.numpy as jnp, numpy as np\n" + REGISTER_AS_A_PLUGIN,
        variables=ALONE,
    )


def test_floats_of_few_bits_by_dlpack() -> None:
    run(
        """
    from xdsl_xla.frontends.pjrt.jax_dlpack import CODES
    for name in CODES:
        x = jnp.arange(1, 5).astype(name)
        y = jnp.from_dlpack(x)
        assert y.dtype == x.dtype == name and y.unsafe_buffer_pointer() == x.unsafe_buffer_pointer()
        assert y.astype(float).tolist() == x.astype(float).tolist()
    """,
        start=START,
        variables=ALONE,
    )


def test_integers_of_four_bits_in_another_order() -> None:
    run(
        """
    from jax.experimental.layout import Format, Layout
    x = jnp.arange(6).astype(jnp.int4).reshape(2, 3)
    y = jax.device_put(x, Format(Layout((1, 0)), x.sharding))
    assert (y - 1).tolist() == [[-1, 0, 1], [2, 3, 4]]
    """,
        start=START,
        variables=ALONE,
    )
