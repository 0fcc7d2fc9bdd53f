"""`xdsl_xla.jit` is `jax.jit` on another compiler."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("jax")
import jax
import jax.numpy as jnp
import xdsl_xla
from jax import lax
from jax.experimental import io_callback
from xdsl_xla.decisions.model import CostModel
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.frontends.jax import devices, lower

ROOT = Path(__file__).parents[2]
X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)


def agree(function: Any, *args: Any, rtol: float = 2e-6) -> None:
    """Assert that both compilers give the same pytree."""
    got, wanted = xdsl_xla.jit(function)(*args), jax.jit(function)(*args)
    assert jax.tree.structure(got) == jax.tree.structure(wanted)
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        assert isinstance(mine, jax.Array)
        assert (mine.dtype, mine.shape, mine.weak_type) == (theirs.dtype, theirs.shape, theirs.weak_type)
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=1e-6)


class Layer(NamedTuple):
    weights: Any
    bias: Any


@jax.custom_jvp
def clipped(x):
    return jnp.clip(x, -1, 1)


clipped.defjvp(lambda primals, tangents: (clipped(*primals), 3 * tangents[0]))


@jax.custom_vjp
def scaled(x):
    return 2 * x


scaled.defvjp(lambda x: (scaled(x), x), lambda x, g: (g * x,))


def test_pytrees_in_and_out() -> None:
    def function(layer, inputs, *, scale):
        return {"sum": layer.weights.sum() * scale, "rows": [inputs["a"] + layer.bias, None, (inputs["b"],)]}

    got = xdsl_xla.jit(function)(Layer(X, X[0]), {"a": X, "b": 3}, scale=2.0)
    assert set(got) == {"sum", "rows"}
    np.testing.assert_allclose(got["rows"][0], X + X[0])
    assert got["rows"][1] is None
    assert got["rows"][2][0] == 3


@pytest.mark.parametrize(
    "function",
    [
        jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 2)),
        jax.vmap(lambda row: row @ row),
        jax.hessian(lambda x: jnp.sum(x**3)),
        jax.jacfwd(lambda x: jnp.sin(x)[0]),
        lambda x: lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(4), x),
        lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x),
        lambda x: lax.cond(x[0].sum() > 0, jnp.sin, jnp.cos, x),
        lambda x: lax.cond(x[2].sum() > 0, jnp.sin, jnp.cos, x),
        lambda x: lax.switch(jnp.int32(2), [jnp.sin, jnp.cos, jnp.exp], x),
        jax.grad(jax.checkpoint(lambda x: jnp.sum(jnp.sin(jnp.sin(x))))),
        jax.grad(lambda x: clipped(x).sum()),
        jax.grad(lambda x: scaled(x).sum()),
        lambda x: lax.associative_scan(jnp.add, x),
        lambda x: jnp.linalg.svd(x, compute_uv=False),
        lambda x: jax.nn.softmax(x).astype(jnp.bfloat16),
        lambda x: (x.shape, x.ndim, None),
    ],
)
def test_transformations(function: Any) -> None:
    agree(function, X)


def test_random_numbers_of_either_kind_of_key() -> None:
    for key in (jax.random.key(7), jax.random.PRNGKey(7)):
        agree(lambda key: jax.random.uniform(key, (5,)), key)
        got, wanted = (jit(jax.random.split)(key) for jit in (xdsl_xla.jit, jax.jit))
        assert got.dtype == wanted.dtype
        assert jnp.all(got == wanted)


def platforms(tree: Any) -> set[str]:
    return {device.platform for leaf in jax.tree.leaves(tree) for device in leaf.devices()}


Jit = Callable[..., Any]


@pytest.mark.parametrize(
    "transformed",
    [
        lambda jit: jax.grad(jit(lambda x: jnp.sum(jnp.tanh(x) ** 2))),
        lambda jit: jax.value_and_grad(lambda x: jnp.sum(jit(jnp.sin)(x))),
        lambda jit: jax.vmap(jit(lambda row: row @ row)),
        lambda jit: jax.hessian(jit(lambda x: jnp.sum(x**3))),
        lambda jit: jax.vmap(jax.grad(jit(lambda row: row @ row))),
        lambda jit: lambda x: jax.jvp(jit(jnp.cos), (x,), (x,)),
        lambda jit: lambda x: jax.vjp(jit(jnp.cos), x)[1](x),
        lambda jit: jit(jax.grad(jit(lambda x: jnp.sum(x * x)))),
        lambda jit: jax.grad(jit(jax.checkpoint(lambda x: jnp.sum(jnp.sin(jnp.sin(x)))))),
        lambda jit: jax.grad(jit(lambda x: clipped(x).sum())),
        lambda jit: lambda x: jax.vmap(jit(lambda a, b: a @ b.T), in_axes=(0, None))(x, x),
        lambda jit: lambda x: jax.grad(jit(lambda x, *, scale: jnp.sum(scale * x * x)))(x, scale=3.0),
    ],
)
@pytest.mark.parametrize("put", [np.asarray, jnp.asarray, lambda x: jax.device_put(x, devices()[0])])
def test_transformations_of_it_run_here(transformed: Callable[[Jit], Any], put: Callable[[Any], Any]) -> None:
    got, wanted = transformed(xdsl_xla.jit)(put(X)), transformed(jax.jit)(X)
    assert platforms(got) == {"xdsl_xla"}
    for mine, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_within_another_compiled_function() -> None:
    cosine = xdsl_xla.jit(jnp.cos)
    for function in (
        lambda x: jax.jit(lambda x: cosine(x) + 1)(x),
        lambda x: lax.scan(lambda total, row: (total + cosine(row), row), jnp.zeros(4), x)[0],
    ):
        result = function(X)
        assert platforms(result) == {"xdsl_xla"}
        assert result.shape in ((3, 4), (4,))


def test_results_are_on_its_devices_and_mix_with_arrays_that_may_move() -> None:
    result = xdsl_xla.jit(jnp.sin)(X)
    assert result.devices() == {devices()[0]}
    assert platforms(result + jnp.ones(4)) == {"xdsl_xla"}
    assert jax.device_put(result, jax.devices("cpu")[0]).devices() == {jax.devices("cpu")[0]}
    assert jax.devices("xdsl_xla") == devices()


def test_arrays_that_were_put_elsewhere() -> None:
    there = jax.device_put(X, jax.devices("cpu")[0])
    assert platforms(xdsl_xla.jit(lambda x, *, y: x + y)(there, y=there)) == {"xdsl_xla"}
    with pytest.raises(ValueError, match="incompatible devices"):
        jax.jit(lambda x: xdsl_xla.jit(jnp.sin)(x))(there)


def test_without_results_and_without_arguments() -> None:
    seen: list[float] = []

    def note(x: Any = 3.0, *, y: Any = 1.0) -> None:
        jax.debug.callback(lambda value: seen.append(float(value)), x + y)

    jitted = xdsl_xla.jit(note)
    jitted()
    jitted(1.0)
    jitted(y=2.0)
    jax.effects_barrier()
    assert sorted(seen) == [2, 4, 5]
    assert platforms(xdsl_xla.jit(lambda: jnp.arange(3))()) == {"xdsl_xla"}


def test_options_are_for_the_whole_of_a_program() -> None:
    function = xdsl_xla.jit(lambda x: jnp.sum(x * x), threads=1, cost_model=CostModel())
    assert function(X) == pytest.approx((X * X).sum())
    with pytest.raises(ValueError, match="xdsl_xla_threads"):
        jax.grad(function)(X)


def test_inside_of_a_trace_it_is_inlined() -> None:
    cube = xdsl_xla.jit(lambda x: x**3)
    assert jax.grad(cube)(2.0) == 12
    np.testing.assert_allclose(jax.vmap(cube)(X), X**3, rtol=1e-6)
    np.testing.assert_allclose(xdsl_xla.jit(lambda x: cube(x) + cube(2 * x))(X), 9 * X**3, rtol=1e-5)


def test_static_arguments_are_part_of_the_program() -> None:
    traced: list[Any] = []

    @xdsl_xla.jit(static_argnames=("power", "mode"))
    def function(x, power, *, mode="sum"):
        traced.append((power, mode))
        return (x**power).sum() if mode == "sum" else x**power

    assert function(jnp.arange(3.0), 2) == 5
    assert function(jnp.arange(3.0), power=2) == 5
    assert function(jnp.ones(3), 2) == 3
    assert function(jnp.ones(3), 3, mode="all").shape == (3,)
    assert traced.count((2, "sum")) <= 2
    assert xdsl_xla.jit(lambda x, n: x * n, static_argnums=1)(2, 3) == 6
    with pytest.raises(ValueError, match="Non-hashable static arguments"):
        function(jnp.ones(3), [2])


def test_one_program_per_shape_and_type() -> None:
    traced: list[Any] = []

    @xdsl_xla.jit
    def function(x):
        traced.append(x.shape)
        return x + 1

    for argument in (X, X + 1, jnp.asarray(X), X[0], 1, 2, 1.5, np.int32(3)):
        np.testing.assert_allclose(function(argument), argument + 1)
    assert len(traced) == 5
    function.clear_cache()
    np.testing.assert_allclose(function(X), X + 1)


def test_donated_arrays_are_gone() -> None:
    function = xdsl_xla.jit(lambda x, y: (x + y, y), donate_argnums=0)
    x, y = (jax.device_put(np.ones(3, np.float32), devices()[0]) for _ in range(2))
    assert function(x, y)[0].tolist() == [2, 2, 2]
    assert x.is_deleted()
    assert not y.is_deleted()
    elsewhere = jnp.ones(3)
    assert function(elsewhere, y)[0].tolist() == [2, 2, 2]
    assert not elsewhere.is_deleted()


def test_unused_arguments_and_constants() -> None:
    table = np.arange(1000, dtype=np.float32)
    agree(lambda x, unused: (jnp.asarray(table)[x], 7, table.sum()), np.array([3, 1]), X)


def test_methods() -> None:
    class Model:
        scale = 3.0

        @xdsl_xla.jit(static_argnums=0)
        def apply(self, x):
            return self.scale * x

    np.testing.assert_allclose(Model().apply(X), 3 * X)


def test_calls_back_into_python() -> None:
    seen: list[float] = []

    def function(x):
        jax.debug.callback(lambda total: seen.append(float(total)), x.sum())
        return jax.pure_callback(np.cbrt, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1

    np.testing.assert_allclose(xdsl_xla.jit(function)(X), np.cbrt(X) + 1, rtol=1e-6)
    assert seen == [pytest.approx(X.sum(), abs=1e-5)]


def test_ordered_calls_back_into_python(capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []

    def note(text: str, array: Any) -> Any:
        seen.append(text)
        return 2 * array

    def function(x):
        kind = jax.ShapeDtypeStruct(x.shape, x.dtype)
        doubled = io_callback(lambda a: note("first", a), kind, x, ordered=True)
        io_callback(lambda a: seen.append("second"), None, x, ordered=True)
        jax.debug.print("total {}", doubled.sum(), ordered=True)
        return io_callback(lambda a: note("third", a), kind, doubled, ordered=True)

    jitted = xdsl_xla.jit(function)
    for _ in range(2):
        np.testing.assert_allclose(jitted(np.abs(X)), 4 * np.abs(X))
    assert seen == ["first", "second", "third"] * 2
    assert capfd.readouterr().out.count("total") == 2


def test_lower_gives_the_program() -> None:
    module = lower(lambda x: jnp.sin(x) + 1, jax.ShapeDtypeStruct((2, 3), jnp.float32))
    assert "stablehlo.sine" in str(module)
    (result,) = xdsl_xla.compile(module)(np.zeros((2, 3), np.float32))
    np.testing.assert_array_equal(result, np.ones((2, 3)))
    assert "stablehlo.sine" in str(lower(xdsl_xla.jit(jnp.sin), X))
    assert "stablehlo.sine" in str(lower(jax.jit(jnp.sin), X))


def test_errors_are_those_of_jax() -> None:
    with pytest.raises(ValueError, match="Incompatible shapes"):
        xdsl_xla.jit(lambda x, y: x + y)(X, np.ones(5, np.float32))
    with pytest.raises(TypeError):
        xdsl_xla.jit(jnp.sin)("text")
    with pytest.raises(TypeError, match="unexpected keyword"):
        xdsl_xla.jit(jnp.sin, no_such_option=1)


@pytest.mark.slow
def test_the_example_learns() -> None:
    result = subprocess.run([sys.executable, ROOT / "examples/train_network.py"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "accuracy" in result.stdout


@pytest.mark.slow
def test_lax_primitives() -> None:
    """One of JAX's own cases of each primitive; `lax_primitives.py` runs more of them."""
    pytest.importorskip("absl")
    from lax_primitives import harnesses, run

    with jax.enable_x64(True):
        outcomes = {harness.fullname: run(harness) for harness in harnesses(1)}
    assert len(outcomes) > 120
    assert not {name: outcome for name, outcome in outcomes.items() if outcome.kind not in ("ok", "not run")}


def test_what_looks_alike_is_told_apart() -> None:
    """A call with arguments of kinds seen before goes a shorter way; kinds are data types, shapes, weak types."""

    @xdsl_xla.jit
    def double(x: Any) -> Any:
        return jnp.add(x, x)

    arguments = [
        np.arange(3, dtype=np.float32),
        np.arange(3, dtype=np.float64),
        np.arange(3, dtype=np.int32),
        np.arange(4, dtype=np.int32),
        np.float32(1.5),
        np.float64(1.5),
        1,
        1.5,
        True,
        2j,
        jnp.arange(3),
        jnp.asarray(1.5),
        jnp.zeros(3, jnp.bfloat16),
        [np.arange(3)],
        {"a": 1},
    ]
    for argument in [*arguments[:-2], *arguments[:-2]]:
        result, wanted = double(argument), jax.jit(lambda x: jnp.add(x, x))(argument)
        assert result.aval == wanted.aval
        np.testing.assert_array_equal(result, wanted)

    @xdsl_xla.jit
    def structure(x: Any) -> Any:
        return jax.tree.map(lambda leaf: leaf + 1, x)

    for argument in [*arguments, *arguments]:
        assert jax.tree.structure(structure(argument)) == jax.tree.structure(argument)
    with jax.enable_x64(True):
        assert double(np.arange(3, dtype=np.float64)).dtype == np.float64
    assert double(np.arange(3, dtype=np.float64)).dtype == np.float32
    assert jax.grad(lambda x: double(x))(3.0) == 2
    deleted = jnp.arange(3)
    double(deleted)
    deleted.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        double(deleted)


def test_errors_name_the_user_s_line() -> None:
    def unknown(x: Any) -> Any:
        return jax.ffi.ffi_call("nothing.of.the.kind", jax.ShapeDtypeStruct((4,), np.float32))(x)

    line = unknown.__code__.co_firstlineno + 1
    with pytest.raises(UnsupportedError, match=rf"test_jax\.py:{line}:\d+: .*unknown target @nothing\.of\.the\.kind"):
        xdsl_xla.jit(lambda x: unknown(x + 1))(np.ones(4, np.float32))


def test_profiles_name_the_user_s_lines() -> None:
    def layer(x: Any) -> Any:
        y = jnp.sin(x) @ x
        return jnp.exp(y)

    function = xdsl_xla.jit(layer, profile=True, threads=1)
    x = np.ones((64, 64), np.float32)
    np.testing.assert_array_equal(function(x), xdsl_xla.jit(layer, threads=1)(x))
    profile = function.executable(x).profile(x)
    first = layer.__code__.co_firstlineno
    lines = {int(each.site.line.rpartition(":")[2]) for each in profile.sites}
    assert lines and lines <= {first + 1, first + 2}
    assert all(each.site.line.startswith(__file__) for each in profile.sites)
