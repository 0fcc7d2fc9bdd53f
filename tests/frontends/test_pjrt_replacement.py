"""JAX with `XDSL_XLA_REPLACES_CPU=1`: this platform is the one that JAX knows as `cpu`."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_pjrt import run

pytest.importorskip("jax")

START = """
import jax
from xdsl_xla.frontends.pjrt import jax_plugin
jax_plugin.initialize()
import jax.numpy as jnp, numpy as np
"""
REPLACED = {"XDSL_XLA_REPLACES_CPU": "1", "JAX_PLATFORMS": "cpu", "XDSL_XLA_DEVICES": ""}


def test_it_has_the_name_of_the_backend_for_cpus() -> None:
    done = run(
        """
    (device,) = jax.devices("cpu")
    assert device.platform == jax.default_backend() == "cpu" and device.device_kind == "xdsl-xla CPU"
    print(device, repr(device))
    """,
        start=START,
        variables=REPLACED,
    )
    assert done.stdout == "cpu:0 CpuDevice(id=0)\n"
    assert "experimental" not in done.stderr


def test_programs_run() -> None:
    run(
        """
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    inverse = jax.jit(jnp.linalg.inv)(x + 10 * np.eye(3, dtype=np.float32))
    np.testing.assert_allclose(inverse, np.linalg.inv(x + 10 * np.eye(3)), rtol=1e-5, atol=1e-6)
    choose = lambda x: jax.lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos)
    np.testing.assert_allclose(jax.jit(choose)(x), np.sin(x), rtol=1e-5, atol=1e-6)
    called = jax.jit(lambda x: jax.pure_callback(np.cos, x, x))(x)
    np.testing.assert_allclose(called, np.cos(x), rtol=1e-6)
    exported = jax.export.export(jax.jit(choose), platforms=["cpu"])(x)
    np.testing.assert_allclose(exported.call(x), np.sin(x), rtol=1e-5, atol=1e-6)
    half = jnp.ones((2, 2), jnp.bfloat16)
    assert jnp.matmul(half, half, preferred_element_type=jnp.float32).dtype == jnp.float32
    np.testing.assert_array_equal(np.from_dlpack(jnp.arange(3.0)), [0, 1, 2])
    turned = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4).transpose(2, 0, 1)
    np.testing.assert_array_equal(jnp.from_dlpack(turned), turned)
    np.testing.assert_array_equal(jnp.from_dlpack(turned) + 1, turned + 1)
    """,
        start=START,
        variables=REPLACED,
    )


def test_it_has_as_many_devices() -> None:
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    run("assert jax.device_count() == 4", start=START, variables=REPLACED | flags)
    option = {"JAX_NUM_CPU_DEVICES": "3"}
    run("assert jax.device_count('cpu') == 3", start=START, variables=REPLACED | option)
    run("assert jax.device_count('cpu') == 2", start=START, variables=REPLACED | {"XDSL_XLA_DEVICES": "2"})


def test_functions_of_xdsl_xla_share_its_devices() -> None:
    run(
        """
    import xdsl_xla
    from xdsl_xla.frontends.jax import devices, lower
    x = jnp.arange(3.0)
    assert devices() == jax.devices() and xdsl_xla.jit(jnp.sin)(x).devices() == x.devices()
    assert "stablehlo.sine" in str(lower(jnp.sin, x))
    """,
        start=START,
        variables=REPLACED,
    )


def test_the_cache_of_jax_keeps_programs_without_callbacks(tmp_path: Path) -> None:
    cache = {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    called = "print(jax.jit(lambda x: jax.pure_callback(lambda x: x + 1, x, x))(np.float32(1)))"
    for _ in range(2):
        assert run(called, start=START, variables=REPLACED | cache).stdout == "2.0\n"
    assert not [each for each in tmp_path.iterdir() if "lambda" in each.name]
    assert run("print(jax.jit(lambda x: x + 3)(np.float32(1)))", start=START, variables=REPLACED | cache).stdout
    assert [each for each in tmp_path.iterdir() if "lambda" in each.name]


def test_two_names_are_refused() -> None:
    done = run("", start=START, variables=REPLACED | {"JAX_PLATFORMS": "xdsl_xla"}, code=1)
    assert "XDSL_XLA_REPLACES_CPU=1: the platform is named cpu, not xdsl_xla" in done.stderr
    done = run("", start=START, variables=REPLACED | {"XDSL_XLA_REPLACES_CPU": "yes"}, code=1)
    assert "XDSL_XLA_REPLACES_CPU=yes: neither 0 nor 1" in done.stderr
