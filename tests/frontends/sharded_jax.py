"""Sharded functions of JAX, compiled here and by XLA. Run by `test_jax_sharding.py` in a process with eight devices:
prints what went wrong in each case, as JSON.
"""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
import xdsl_xla
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jaxlib.mlir import ir
from xdsl_xla.errors import ArgumentError
from xdsl_xla.frontends.jax import devices
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

P = PartitionSpec
MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y"))
REVERSED = Mesh(np.array(jax.devices())[::-1].reshape(2, 4), ("x", "y"))
OURS = Mesh(np.array(devices()).reshape(2, 4), ("x", "y"))
RNG = np.random.default_rng(0)


def spread(*axes: Any, mesh: Mesh = MESH) -> NamedSharding:
    return NamedSharding(mesh, P(*axes))


def ours(*axes: Any) -> NamedSharding:
    return spread(*axes, mesh=OURS)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def put(array: np.ndarray, *axes: Any, mesh: Mesh = MESH) -> jax.Array:
    return jax.device_put(array, spread(*axes, mesh=mesh))


def agree(function: Any, *args: Any, rtol: float = 1e-5, **options: Any) -> Any:
    got = xdsl_xla.jit(function, **options)(*args)
    wanted = jax.jit(function, **options)(*args)
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        assert mine.shape == theirs.shape and mine.dtype == theirs.dtype
        np.testing.assert_allclose(np.asarray(mine), np.asarray(theirs), rtol=rtol, atol=1e-6)
    return got


def sharded_arguments() -> None:
    a, b = put(normal(8, 16), "x", "y"), put(normal(16, 4), "y")
    product, total = agree(lambda a, b: (jnp.tanh(a @ b), a.sum()), a, b)
    assert product.sharding.is_equivalent_to(ours("x"), 2)
    assert len(total.sharding.device_set) == 8


def in_and_out_shardings() -> None:
    result = agree(lambda a: {"r": a * 2}, normal(8, 4), in_shardings=spread("y"), out_shardings=spread(None, "x"))
    assert result["r"].sharding.is_equivalent_to(ours(None, "x"), 2)


def shardings_are_part_of_the_key() -> None:
    function = xdsl_xla.jit(lambda a: a + 1)
    array = normal(8, 4)
    for axes in (("x",), ("y",), (None, "y"), ()):
        result = function(put(array, *axes))
        np.testing.assert_array_equal(np.asarray(result), array + 1)
        assert result.sharding.is_equivalent_to(ours(*axes), 2)
    assert len(function(array).sharding.device_set) == 1


def devices_in_another_order() -> None:
    result = agree(lambda a: a[::-1] * 2, put(normal(8, 4), "y", "x", mesh=REVERSED))
    assert len(result.sharding.device_set) == 8
    mesh = Mesh(OURS.devices[::-1, ::-1], OURS.axis_names)
    mapped = jax.shard_map(lambda a: a + lax.axis_index("y"), mesh=mesh, in_specs=P("y"), out_specs=P("y"))
    result = xdsl_xla.jit(mapped)(np.zeros((8, 3), np.float32))
    assert np.asarray(result)[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def uneven_results() -> None:
    agree(lambda a: a[:5], put(normal(8, 4), "y"))


def maps() -> None:
    def product(a: Any, b: Any) -> Any:
        return lax.psum(a @ b, "y")

    specs = {"in_specs": (P("x", "y"), P("y")), "out_specs": P("x")}
    a, b = normal(8, 16), normal(16, 4)
    for mapped in (
        xdsl_xla.jit(jax.shard_map(product, mesh=OURS, **specs)),
        jax.shard_map(xdsl_xla.jit(product), mesh=OURS, **specs),
        jax.jit(jax.shard_map(xdsl_xla.jit(product), mesh=OURS, **specs)),
    ):
        for _ in range(2):
            result = mapped(a, b)
            np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-5)
            assert {device.platform for device in result.devices()} == {"xdsl_xla"}
    with jax.set_mesh(MESH):
        result = xdsl_xla.jit(lambda a, b: jax.shard_map(product, **specs)(a, b))(a, b)
        np.testing.assert_allclose(result, a @ b, rtol=1e-4, atol=1e-5)
    try:
        xdsl_xla.jit(jax.shard_map(product, mesh=MESH, **specs))(a, b)
    except ArgumentError as error:
        assert "a mesh over devices of another platform" in str(error)
    else:
        raise AssertionError


def training_steps() -> None:
    def step(weights: Any, x: Any) -> Any:
        loss, gradient = jax.value_and_grad(lambda w: jnp.mean((x @ w) ** 2))(weights)
        return weights - 0.1 * gradient, loss

    weights, x = put(normal(16, 4), None, "y"), put(normal(8, 16), "x")
    here, there = xdsl_xla.jit(step), jax.jit(step)
    mine = wanted = weights
    for _ in range(3):
        (mine, loss), (wanted, expected) = here(mine, x), there(wanted, x)
        np.testing.assert_allclose(loss, expected, rtol=1e-5)
    assert mine.sharding.is_equivalent_to(ours(None, "y"), 2)


def random_numbers_and_keys() -> None:
    def draw(key: Any, x: Any) -> Any:
        return jax.random.key_data(jax.random.split(key)[0]), x + jax.random.normal(key, x.shape)

    agree(draw, jax.random.key(0), put(np.zeros(8, np.float32), "x"))
    split = xdsl_xla.jit(lambda key: jax.random.split(key, 8), out_shardings=spread("y"))(jax.random.key(1))
    np.testing.assert_array_equal(
        jax.random.key_data(split), jax.random.key_data(jax.random.split(jax.random.key(1), 8))
    )


def a_mesh_in_the_context() -> None:
    with jax.set_mesh(MESH):
        result = agree(lambda a: lax.with_sharding_constraint(a * 3, P("x")), normal(4, 2))
    assert result.sharding.is_equivalent_to(ours("x"), 2)


def lowered_programs() -> dict[str, Any]:
    """Programs as JAX lowers them, in the text of MLIR."""

    def manual(function: Any, in_specs: Any, out_specs: Any, **options: Any) -> Any:
        return jax.jit(jax.shard_map(function, mesh=MESH, in_specs=in_specs, out_specs=out_specs, **options))

    a = normal(8, 16)
    nested = manual(
        lambda t: jax.shard_map(lambda u: lax.psum(u, "y"), in_specs=P(None, "y"), out_specs=P(), axis_names={"y"})(
            t * 2
        ),
        P("x"),
        P("x"),
        axis_names={"x"},
        check_vma=False,
    )
    programs = {
        "automatic": jax.jit(lambda t: t @ t.T, in_shardings=spread("x", "y"), out_shardings=spread("y")).lower(a),
        "constraint": jax.jit(lambda t: lax.with_sharding_constraint(t * 2, spread("y", None))).lower(a),
        "open": jax.jit(lambda t: lax.with_sharding_constraint(t, spread(P.UNCONSTRAINED, "y"))).lower(a),
        "psum": manual(lambda t: lax.psum(t, "x"), P("x"), P()).lower(a),
        "gather": manual(lambda t: lax.all_gather(t, "y"), P("y"), P("y")).lower(a),
        "scatter": manual(lambda t: lax.psum_scatter(t, "y", tiled=True), P("x"), P(("x", "y"))).lower(a),
        "exchange": manual(lambda t: lax.all_to_all(t, "y", 1, 0, tiled=True), P("y"), P(None, "y")).lower(a),
        "permute": manual(lambda t: lax.ppermute(t, "x", [(0, 1), (1, 0)]), P("x"), P("x")).lower(a),
        "index": manual(lambda t: t + lax.axis_index("y"), P("y"), P("y")).lower(a),
        "free": manual(lambda t: t * 2, P("x"), P("x"), axis_names={"x"}).lower(put(a, "x", "y")),
        "nested": nested.lower(a),
        "pmap": jax.pmap(lambda t: lax.psum(t, "i"), axis_name="i").lower(a),
        "loop": jax.jit(lambda t: lax.fori_loop(0, 3, lambda _, u: u @ u.T @ u, t)).lower(put(a, "x", "y")),
        "solve": jax.jit(lambda t: jnp.linalg.cholesky(t @ t.T)).lower(put(a, "x")),
        "reversed": jax.jit(lambda t: t + 1, in_shardings=spread("x", mesh=REVERSED)).lower(a),
    }
    return {name: lowered.compiler_ir() for name, lowered in programs.items()}


def programs_are_read_and_printed_as_by_mlir() -> None:
    for name, program in lowered_programs().items():
        text = program.operation.get_asm()
        assert "sdy." in text, name
        for generic in (False, True):
            module = parse_module(program.operation.get_asm(print_generic_op_form=generic), name)
            verify_module(module)
            with program.context:
                assert ir.Module.parse(str(module)).operation.get_asm() == text, name


def results_stay_where_the_arguments_are() -> None:
    first, third = devices()[0], devices()[3]
    step = xdsl_xla.jit(lambda x: x + 1)
    assert step(jnp.ones(3)).devices() == {first}
    for there in (jax.device_put(jnp.ones(3), third), jax.device_put(jnp.ones(3), jax.devices()[3])):
        for _ in range(2):
            assert step(there).devices() == {third}
            assert step(jnp.ones(3)).devices() == {first}
    with jax.default_device(devices()[2]):
        assert step(np.ones(3, np.float32)).devices() == {devices()[2]}
        assert step(there).devices() == {third}
    key = jax.device_put(jax.random.key(0), third)
    assert xdsl_xla.jit(jax.random.split)(key).devices() == {third}


def callbacks_run_on_one_device_or_on_each_part() -> None:
    seen: list[Any] = []

    def whole(x: jax.Array) -> jax.Array:
        jax.debug.callback(lambda total: seen.append(float(total)), x.sum())
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.pure_callback(lambda a: (seen.append(a.shape), 2 * np.asarray(a))[1], shape, x)

    x = put(np.arange(16, dtype=np.float32), "y")
    np.testing.assert_array_equal(xdsl_xla.jit(whole)(x), 2 * np.arange(16))
    assert sorted(map(str, seen)) == ["(16,)", "120.0"]
    seen.clear()

    def part(x: jax.Array) -> jax.Array:
        jax.debug.callback(lambda total: seen.append(float(total)), x.sum())
        return -x

    mapped = jax.shard_map(part, mesh=OURS, in_specs=P(("x", "y")), out_specs=P(("x", "y")))
    np.testing.assert_array_equal(xdsl_xla.jit(mapped)(x), -np.arange(16))
    assert sorted(seen) == [1.0, 5.0, 9.0, 13.0, 17.0, 21.0, 25.0, 29.0]


CASES: list[Callable[[], None]] = [
    a_mesh_in_the_context,
    callbacks_run_on_one_device_or_on_each_part,
    devices_in_another_order,
    in_and_out_shardings,
    maps,
    programs_are_read_and_printed_as_by_mlir,
    random_numbers_and_keys,
    results_stay_where_the_arguments_are,
    sharded_arguments,
    shardings_are_part_of_the_key,
    training_steps,
    uneven_results,
]


def outcome(case: Callable[[], None]) -> str:
    """What went wrong; nothing if all is well."""
    try:
        case()
    except Exception:
        return traceback.format_exc()
    return ""


if __name__ == "__main__":
    print(json.dumps({case.__name__: outcome(case) for case in CASES}))
