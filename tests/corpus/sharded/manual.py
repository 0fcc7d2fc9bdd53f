"""Programs of one device each, which exchange values themselves: `shard_map` and `pmap`."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from cases import Case, Function, case, normal, spread
from jax import lax
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P


def _mapped(function: Function, mesh: Mesh, inputs: Any, outputs: Any, **options: Any) -> Any:
    return jax.shard_map(function, mesh=mesh, in_specs=inputs, out_specs=outputs, **options)


def _softmax_attention(q: Any, k: Any, v: Any) -> Any:
    return jax.nn.softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v


@case(ring=4)
def ring_attention(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Keys and values go around a ring; each device keeps a running maximum and sum of its queries."""

    def local(q: Any, k: Any, v: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            k, v, greatest, total, out = carry
            scores = q @ k.T / np.sqrt(q.shape[-1])
            new = jnp.maximum(greatest, scores.max(-1))
            p, factor = jnp.exp(scores - new[:, None]), jnp.exp(greatest - new)
            total, out = total * factor + p.sum(-1), out * factor[:, None] + p @ v
            k, v = lax.ppermute((k, v), "ring", [(i, (i + 1) % 4) for i in range(4)])
            return (k, v, new, total, out), None

        rows = jnp.zeros_like(q[:, 0])
        (_, _, _, total, out), _ = lax.scan(step, (k, v, rows - jnp.inf, rows, jnp.zeros_like(q)), length=4)
        return out / total[:, None]

    sharded = jax.jit(_mapped(local, mesh, (P("ring"),) * 3, P("ring")))
    return Case(sharded, _softmax_attention, tuple(normal(rng, 3, 16, 8)))


@case(stage=4)
def pipeline(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A layer on each device; microbatches move on by one device a step, with gradients (GPipe)."""

    def local(w: Any, xs: Any) -> Any:
        stage = lax.axis_index("stage")

        def step(carry: Any, t: Any) -> Any:
            state, outputs = carry
            state = jnp.where(stage == 0, xs[jnp.minimum(t, 5)], state)
            state = jnp.tanh(state @ w[0])
            done = (stage == 3) & (t >= 3)
            outputs = jnp.where(done, outputs.at[jnp.maximum(t - 3, 0)].set(state), outputs)
            return (lax.ppermute(state, "stage", [(0, 1), (1, 2), (2, 3)]), outputs), None

        start = (
            lax.pcast(jnp.zeros_like(xs[0]), "stage", to="varying"),
            lax.pcast(jnp.zeros_like(xs), "stage", to="varying"),
        )
        (_, outputs), _ = lax.scan(step, start, jnp.arange(9))
        return lax.psum(jnp.where(stage == 3, outputs, 0), "stage")

    forward = _mapped(local, mesh, (P("stage"), P()), P())

    def plain(w: Any, xs: Any) -> Any:
        for layer in w:
            xs = jnp.tanh(xs @ layer)
        return xs

    def step(function: Function) -> Function:
        return jax.value_and_grad(lambda w, xs: jnp.mean(function(w, xs) ** 2))

    sharded = jax.jit(step(forward), in_shardings=(spread(mesh, "stage"), spread(mesh)))
    return Case(sharded, step(plain), (normal(rng, 4, 6, 6, scale=0.4), normal(rng, 6, 2, 6)))


@case(expert=4)
def expert_parallel(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Each token goes to the device of its expert and back by `all_to_all`."""

    def routed(x: Any, router: Any, up: Any, exchange: Function, back: Function) -> Any:
        gates = jax.nn.softmax(x @ router)
        choice = jnp.argmax(gates, -1)
        mask = jax.nn.one_hot(choice, 4, dtype=x.dtype)
        place = jnp.sum((jnp.cumsum(mask, 0) - 1) * mask, -1).astype(int)
        sent = jnp.zeros((4, x.shape[0], x.shape[1])).at[choice, place].set(x)
        worked = jax.nn.relu(jnp.einsum("escw,ewh->esch", exchange(sent), up))
        return back(worked)[choice, place] * jnp.max(gates, -1)[:, None]

    def local(x: Any, router: Any, up: Any) -> Any:
        return routed(
            x,
            router,
            up,
            lambda sent: lax.all_to_all(sent, "expert", 0, 0).reshape(1, 4, *sent.shape[1:]),
            lambda worked: lax.all_to_all(worked[0], "expert", 0, 0),
        )

    def plain(x: Any, router: Any, up: Any) -> Any:
        return routed(x, router, up, lambda sent: sent[:, None], lambda worked: worked[:, 0])

    sharded = jax.jit(_mapped(local, mesh, (P("expert"), P(), P("expert")), P("expert")))
    return Case(sharded, plain, (normal(rng, 16, 6), normal(rng, 6, 4), normal(rng, 4, 6, 6)))


@case(data=8)
def zero_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """ZeRO by hand: gradients by `psum_scatter`, a slice of the state each, weights by `all_gather`."""

    def loss(w: Any, x: Any, y: Any) -> Any:
        return jnp.sum((jnp.tanh(x @ w) - y) ** 2)

    def local(w: Any, momentum: Any, x: Any, y: Any) -> Any:
        gradient = jax.grad(loss)(lax.pcast(w, "data", to="varying"), x, y)
        momentum = 0.9 * momentum + lax.psum_scatter(gradient, "data", tiled=True)
        rows = w.shape[0] // 8
        part = lax.dynamic_slice_in_dim(w, lax.axis_index("data") * rows, rows) - 0.01 * momentum
        return lax.all_gather(part, "data", tiled=True), momentum

    def plain(w: Any, momentum: Any, x: Any, y: Any) -> Any:
        momentum = 0.9 * momentum + jax.grad(loss)(w, x, y)
        return w - 0.01 * momentum, momentum

    specs = (P(), P("data"), P("data"), P("data"))
    sharded = jax.jit(_mapped(local, mesh, specs, (P(), P("data")), check_vma=False))
    arguments = (normal(rng, 16, 4, scale=0.2), normal(rng, 16, 4), normal(rng, 16, 16), normal(rng, 16, 4))
    return Case(sharded, plain, arguments)


@case(vocabulary=2)
def vocabulary_loss(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Cross entropy over logits of which each device has a part: a maximum and two sums."""

    def local(hidden: Any, table: Any, targets: Any) -> Any:
        logits = hidden @ table.T
        greatest = lax.pmax(lax.stop_gradient(logits).max(-1), "vocabulary")
        total = lax.psum(jnp.exp(logits - greatest[:, None]).sum(-1), "vocabulary")
        place = targets - lax.axis_index("vocabulary") * table.shape[0]
        is_mine = (place >= 0) & (place < table.shape[0])
        chosen = jnp.take_along_axis(logits, jnp.where(is_mine, place, 0)[:, None], 1)[:, 0]
        return jnp.log(total) + greatest - lax.psum(jnp.where(is_mine, chosen, 0), "vocabulary")

    def plain(hidden: Any, table: Any, targets: Any) -> Any:
        logits = hidden @ table.T
        return jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, targets[:, None], 1)[:, 0]

    def step(function: Function) -> Function:
        return jax.value_and_grad(lambda h, t, y: jnp.mean(function(h, t, y)), (0, 1))

    mapped = _mapped(local, mesh, (P(), P("vocabulary"), P()), P())
    targets = rng.integers(0, 20, 6).astype(np.int32)
    return Case(jax.jit(step(mapped)), step(plain), (normal(rng, 6, 8), normal(rng, 20, 8), targets))


@case(x=4)
def collectives(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Each collective that JAX has, on floats, integers, booleans and complex numbers."""

    def local(x: Any, n: Any, z: Any) -> Any:
        index = lax.axis_index("x")
        return (
            lax.psum(x, "x"),
            lax.pmax(n, "x"),
            lax.pmin(x, "x"),
            lax.pmean(z, "x"),
            lax.all_gather(n, "x"),
            lax.all_gather(x, "x", axis=1, tiled=True),
            lax.psum_scatter(lax.all_gather(x, "x", tiled=True) * (index + 1), "x", tiled=True),
            lax.all_to_all(jnp.tile(x, (1, 2)), "x", 1, 0, tiled=True),
            lax.ppermute(z, "x", [(0, 2), (2, 1), (1, 3)]),
            lax.psum((n > 0).astype(np.int32), "x"),
            jnp.full((1,), index),
        )

    def plain(x: Any, n: Any, z: Any) -> Any:
        parts, counts, waves = x.reshape(4, 2, 2), n.reshape(4, 3), z.reshape(4, 2)
        gathered = jnp.concatenate(list(parts), 1)
        tiled = jnp.tile(parts, (1, 1, 2))
        moved = jnp.zeros_like(waves).at[jnp.array([2, 1, 3])].set(waves[jnp.array([0, 2, 1])])
        return (
            parts.sum(0),
            counts.max(0),
            parts.min(0),
            waves.mean(0),
            jnp.tile(counts, (4, 1)),
            jnp.tile(gathered, (4, 1)),
            x * 10,
            jnp.concatenate([tiled[:, :, i].reshape(8, 1) for i in range(4)]),
            moved.reshape(8),
            (counts > 0).sum(0).astype(np.int32),
            jnp.arange(4),
        )

    s, whole = P("x"), P()
    outputs = (whole, whole, whole, whole, s, s, s, s, s, whole, s)
    sharded = jax.jit(_mapped(local, mesh, (s, s, s), outputs, check_vma=False))
    waves = (normal(rng, 8) + 1j * normal(rng, 8)).astype(np.complex64)
    return Case(sharded, plain, (normal(rng, 8, 2), rng.integers(-9, 9, 12).astype(np.int32), waves))


@case(data=2, model=4)
def nested_maps(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A map over one axis, in it a map over the other."""

    def inner(x: Any, w: Any) -> Any:
        return lax.psum(x @ w, "model")

    def outer(x: Any, w: Any) -> Any:
        mapped = jax.shard_map(inner, in_specs=(P(None, "model"), P("model")), out_specs=P(), axis_names={"model"})
        y = jnp.sin(mapped(x, w))
        return y - lax.pmean(jnp.mean(y), "data")

    def plain(x: Any, w: Any) -> Any:
        y = jnp.sin(x @ w)
        return y - jnp.mean(y)

    mapped = _mapped(outer, mesh, (P("data"), P()), P("data"), axis_names={"data"})
    shardings = (spread(mesh, "data", "model"), spread(mesh, "model"))
    return Case(jax.jit(mapped, in_shardings=shardings), plain, (normal(rng, 4, 8), normal(rng, 8, 3)))


@case(x=2, y=2, z=2)
def several_maps(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Two maps with automatic sharding before, between and after."""

    def shifted(x: Any) -> Any:
        return lax.ppermute(x, ("x", "y"), [(i, (i + 1) % 4) for i in range(4)])

    def scaled(x: Any) -> Any:
        return x * (1 + lax.axis_index("z")) + lax.psum(x, "y")

    def program(first: Function, second: Function) -> Function:
        def apply(x: Any, w: Any) -> Any:
            return jnp.cos(second(first(x @ w).T * 0.5)) @ w

        return apply

    def plain_scaled(x: Any) -> Any:
        halves = x.reshape(4, 2, 4)
        sums = jnp.broadcast_to(halves.sum(1, keepdims=True), halves.shape).reshape(4, 8)
        return x * jnp.repeat(jnp.array([1.0, 2.0]), 2)[:, None] + sums

    first = _mapped(shifted, mesh, P(("x", "y")), P(("x", "y")))
    second = _mapped(scaled, mesh, P("z", "y"), P("z", "y"))
    sharded = jax.jit(program(first, second), in_shardings=(spread(mesh, "x", "z"), spread(mesh)))
    plain = program(lambda x: jnp.roll(x, 2, 0), plain_scaled)
    return Case(sharded, plain, (normal(rng, 8, 8), normal(rng, 8, 4)))


@case(data=2, model=4)
def free_axes(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A map over one axis; along the other its body is partitioned automatically."""

    def local(x: Any, w1: Any, w2: Any) -> Any:
        hidden = jax.nn.relu(x @ w1)
        hidden = lax.with_sharding_constraint(hidden, P(None, "model"))
        y = hidden @ w2
        return y - lax.pmax(jnp.max(y), "data")

    def plain(x: Any, w1: Any, w2: Any) -> Any:
        y = jax.nn.relu(x @ w1) @ w2
        return y - jnp.max(y)

    mapped = _mapped(local, mesh, (P("data"), P(), P()), P("data"), axis_names={"data"})
    shardings = (spread(mesh, "data"), spread(mesh, None, "model"), spread(mesh, "model"))
    arguments = (normal(rng, 4, 6), normal(rng, 6, 8), normal(rng, 8, 6))
    return Case(jax.jit(mapped, in_shardings=shardings), plain, arguments)


@case(x=8)
def jacobi_halo(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A stencil whose border rows come from the neighbours, until it changes little."""

    def relaxed(grid: Any) -> Any:
        return (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]) / 4

    def local(grid: Any) -> Any:
        up, down = [(i, i + 1) for i in range(7)], [(i + 1, i) for i in range(7)]

        def step(state: Any) -> Any:
            grid, _, count = state
            above, below = lax.ppermute(grid[-1:], "x", up), lax.ppermute(grid[:1], "x", down)
            new = relaxed(jnp.pad(jnp.concatenate([above, grid, below]), ((0, 0), (1, 1))))
            return new, lax.pmax(jnp.max(jnp.abs(new - grid)), "x"), count + 1

        return lax.while_loop(lambda s: (s[1] > 0.01) & (s[2] < 25), step, (grid, jnp.float32(1), 0))

    def plain(grid: Any) -> Any:
        def step(state: Any) -> Any:
            new = relaxed(jnp.pad(state[0], 1))
            return new, jnp.max(jnp.abs(new - state[0])), state[2] + 1

        return lax.while_loop(lambda s: (s[1] > 0.01) & (s[2] < 25), step, (grid, jnp.float32(1), 0))

    mapped = _mapped(local, mesh, P("x"), (P("x"), P(), P()))
    return Case(jax.jit(mapped), plain, (normal(rng, 16, 12),))


@case(row=2, column=2)
def cannon(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Cannon's product: tiles of both matrices move along rows and columns."""

    def local(a: Any, b: Any) -> Any:
        a = lax.ppermute(a, ("row", "column"), [(0, 0), (1, 1), (2, 3), (3, 2)])
        b = lax.ppermute(b, ("row", "column"), [(0, 0), (2, 2), (1, 3), (3, 1)])
        c = a @ b
        swap = [(0, 1), (1, 0)]
        return c + lax.ppermute(a, "column", swap) @ lax.ppermute(b, "row", swap)

    tiles = P("row", "column")
    sharded = jax.jit(_mapped(local, mesh, (tiles, tiles), tiles))
    return Case(sharded, lambda a, b: a @ b, (normal(rng, 6, 8), normal(rng, 8, 4)))


@case(x=2, y=4)
def groups(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Collectives along one axis of two, along both, in either order."""

    def local(x: Any) -> Any:
        return (
            lax.psum(x, "x"),
            lax.psum(x, "y"),
            lax.psum(x, ("y", "x")),
            lax.all_gather(x, ("y", "x"), tiled=True),
            lax.all_to_all(jnp.tile(x, (2, 1)), "x", 0, 1, tiled=True),
            lax.psum_scatter(jnp.tile(x, (4, 1)), "y", tiled=True),
            10 * lax.axis_index("y") + lax.axis_index(("x", "y")) + x * 0,
        )

    def plain(x: Any) -> Any:
        tiles = x.reshape(2, 2, 4, 3).transpose(0, 2, 1, 3)
        everything = tiles.transpose(1, 0, 2, 3).reshape(16, 3)
        over_x, over_y = tiles.sum(0), tiles.sum(1)
        numbers = 10 * jnp.arange(4)[None] + jnp.arange(8).reshape(2, 4)
        return (
            over_x.transpose(1, 0, 2).reshape(2, 12),
            over_y.reshape(4, 3),
            tiles.sum((0, 1)),
            jnp.tile(everything, (2, 4)),
            jnp.tile(jnp.concatenate([tiles[0], tiles[1]], 2).transpose(1, 0, 2).reshape(2, 24), (2, 1)),
            jnp.tile(over_y.reshape(4, 3), (1, 4)),
            jnp.repeat(jnp.repeat(numbers, 2, 0), 3, 1).astype(x.dtype),
        )

    tiles = P("x", "y")
    outputs = (P(None, "y"), P("x"), P(), tiles, tiles, tiles, tiles)
    mapped = _mapped(local, mesh, tiles, outputs, check_vma=False)
    return Case(jax.jit(mapped), plain, (normal(rng, 4, 12),))


@case(i=4)
def pmap_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A training step by `pmap`, the batch along a leading dimension of devices."""

    def loss(w: Any, x: Any, y: Any) -> Any:
        return jnp.mean((jnp.tanh(x @ w) - y) ** 2)

    @partial(jax.pmap, axis_name="i", devices=list(mesh.devices.flat))
    def step(w: Any, x: Any, y: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(w, x, y)
        return lax.pmean(value, "i"), w - 0.1 * lax.pmean(gradient, "i")

    def plain(w: Any, x: Any, y: Any) -> Any:
        values, gradients = jax.vmap(jax.value_and_grad(loss))(w, x, y)
        return jnp.tile(values.mean(), 4), w - 0.1 * gradients.mean(0)

    w = np.tile(normal(rng, 6, 3), (4, 1, 1))
    return Case(step, plain, (w, normal(rng, 4, 5, 6), normal(rng, 4, 5, 3)))


@case(x=2)
def pmap_collectives(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Collectives by `pmap`."""

    @partial(jax.pmap, axis_name="x", devices=list(mesh.devices.flat))
    def program(x: Any) -> Any:
        return lax.psum(x, "x"), lax.all_gather(x, "x"), lax.ppermute(x, "x", [(0, 1), (1, 0)]), lax.axis_index("x") + x

    def plain(x: Any) -> Any:
        return jnp.tile(x.sum(0), (2, 1)), jnp.tile(x, (2, 1, 1)), x[::-1], x + jnp.arange(2)[:, None]

    return Case(program, plain, (normal(rng, 2, 5),))
