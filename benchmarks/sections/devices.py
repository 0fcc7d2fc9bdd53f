"""Programs on two devices of one thread each, beside XLA's two devices and beside one device of one thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import compile as compile_program
from ..agreement import difference
from ..measure import alternate
from ..peers import XlaCpu
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

DEVICES = 2
STEPS = 1000
LARGE = 16 << 18
"""Elements of f32 in 16 MiB."""

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours", ".3f", 1e3),
    Column("xla_seconds", "XLA", ".3f", 1e3),
    Column("ratio", "ours/XLA", ".2f"),
    Column("single_seconds", "one device", ".3f", 1e3),
    Column("of_single", "two/one", ".2f"),
    Column("difference", "differ", ".0e"),
)


class _Sharded(NamedTuple):
    """A JAX function of arrays, those of the first `split` of which are split along the first dimension."""

    function: Callable[..., Any]
    arguments: Sequence[np.ndarray[Any, Any]]
    split: int
    has_single: bool = True
    """Whether it computes the same on one device."""


def measure(settings: Settings) -> Result:
    """Median milliseconds; `two/one` compares with the same program on whole arrays on one device of one thread."""
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{flags} --xla_force_host_platform_device_count={DEVICES}"
    xla = XlaCpu()
    table = Table("devices", f"Programs on {DEVICES} devices, one thread each, milliseconds", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    for name, program in _programs(xla.jax).items():
        _measure(name, program, xla.jax, settings, printer, failures)
    return Result([printer.finish({"largest ratio": max(table.values("ratio"))})], failures)


def _measure(
    name: str, program: _Sharded, jax: Any, settings: Settings, printer: TablePrinter, failures: list[str]
) -> None:
    mesh = jax.make_mesh((DEVICES,), ("d",))
    sharding = jax.sharding
    places = [
        sharding.NamedSharding(mesh, sharding.PartitionSpec("d") if index < program.split else sharding.PartitionSpec())
        for index in range(len(program.arguments))
    ]
    jitted = jax.jit(program.function, in_shardings=tuple(places))
    arrays = [jax.device_put(x, place) for x, place in zip(program.arguments, places, strict=True)]
    text = jitted.lower(*arrays).as_text()
    ours = compile_program(text, devices=DEVICES, threads=1)
    columns = [split.split(x) for split, x in zip(ours.input_splittings, program.arguments, strict=True)]
    rows = [[column[device] for column in columns] for device in range(DEVICES)]

    def run_ours() -> Any:
        return ours.run_sharded(rows)

    def run_xla() -> Any:
        return jax.block_until_ready(jitted(*arrays))

    expected = [np.asarray(x) for x in jax.tree.leaves(run_xla())]
    differs = difference(list(ours(*program.arguments)), expected)
    sides = [run_ours, run_xla]
    if program.has_single:
        single = compile_program(text, devices=1, threads=1)
        sides.append(lambda: single(*program.arguments))
    mine, theirs, *alone = alternate(sides, settings.blocks)
    row: dict[str, Any] = {
        "program": name,
        "ours_seconds": mine.median,
        "xla_seconds": theirs.median,
        "ratio": mine.ratio_to(theirs),
        "difference": differs,
    }
    if alone:
        row |= {"single_seconds": alone[0].median, "of_single": mine.ratio_to(alone[0])}
    printer.add(row)
    if not differs <= 1e-3:
        failures.append(f"{name}: results differ by {differs:.1e}")


def _programs(jax: Any) -> dict[str, _Sharded]:
    jnp, lax, part = jax.numpy, jax.lax, jax.sharding.PartitionSpec
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray[Any, Any]:
        return rng.standard_normal(shape, np.float32)

    def on_each(function: Callable[..., Any]) -> Callable[..., Any]:
        def mapped(x: Any) -> Any:
            mesh = jax.make_mesh((DEVICES,), ("d",))
            return jax.shard_map(function, mesh=mesh, in_specs=part("d"), out_specs=part("d"))(x)

        return mapped

    def sum_once(x: Any) -> Any:
        return lax.psum(x, "d") + 0 * x

    def sum_often(x: Any) -> Any:
        def step(_: Any, y: Any) -> Any:
            return lax.psum(y, "d") * 0.5 + 0 * x

        return lax.fori_loop(0, STEPS, step, x)

    def mlp_step(x: Any, y: Any, first: Any, second: Any) -> Any:
        def loss(weights: Any) -> Any:
            return jnp.mean((jax.nn.relu(x @ weights[0]) @ weights[1] - y) ** 2)

        gradients = jax.grad(loss)((first, second))
        return first - 1e-3 * gradients[0], second - 1e-3 * gradients[1]

    def transformer_step(x: Any, queries: Any, first: Any, second: Any) -> Any:
        def loss(weights: Any) -> Any:
            qkv, up, down = weights
            q, k, v = jnp.split(x @ qkv, 3, axis=-1)
            scores = jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k) * q.shape[-1] ** -0.5)
            y = x + jnp.einsum("bqk,bkd->bqd", scores, v)
            return jnp.mean((y + jax.nn.gelu(y @ up) @ down) ** 2)

        weights = (queries, first, second)
        return tuple(w - 1e-3 * g for w, g in zip(weights, jax.grad(loss)(weights), strict=True))

    return {
        "all_reduce, 16 MiB": _Sharded(on_each(sum_once), [normal(DEVICES * LARGE)], 1, False),
        f"all_reduce, 8 floats, {STEPS} times": _Sharded(on_each(sum_often), [normal(DEVICES * 8)], 1, False),
        "MLP step": _Sharded(
            mlp_step, [normal(512, 256), normal(512, 256), normal(256, 1024) * 0.05, normal(1024, 256) * 0.05], 2
        ),
        "transformer step": _Sharded(
            transformer_step,
            [normal(16, 128, 256), normal(256, 768) * 0.05, normal(256, 1024) * 0.05, normal(1024, 256) * 0.05],
            1,
        ),
    }
