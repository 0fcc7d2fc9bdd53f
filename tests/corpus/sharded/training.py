"""Models and their training steps, partitioned by their annotations."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from cases import Case, Function, case, constrained, normal, spread
from jax import lax
from jax.sharding import Mesh


def _mlp_weights(rng: np.random.Generator, *sizes: int) -> list[Any]:
    weights: list[Any] = []
    for rows, columns in pairwise(sizes):
        weights += [normal(rng, rows, columns, scale=rows**-0.5), normal(rng, columns, scale=0.1)]
    return weights


def _mlp(weights: list[Any], x: Any) -> Any:
    for w, b in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        x = jax.nn.gelu(x @ w + b)
    return x @ weights[-2] + weights[-1]


def _squared_error(weights: list[Any], x: Any, y: Any) -> Any:
    return jnp.mean((_mlp(weights, x) - y) ** 2)


def _descent(weights: list[Any], x: Any, y: Any) -> Any:
    loss, gradients = jax.value_and_grad(_squared_error)(weights, x, y)
    return loss, [w - 0.1 * g for w, g in zip(weights, gradients, strict=True)]


@case(data=8)
def data_parallel_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """The batch is split; gradients are summed over all devices."""
    weights = _mlp_weights(rng, 6, 16, 16, 4)
    rows, whole = spread(mesh, "data"), spread(mesh)
    step = jax.jit(_descent, in_shardings=(whole, rows, rows), out_shardings=whole)
    return Case(step, _descent, (weights, normal(rng, 16, 6), normal(rng, 16, 4)))


@case(model=4)
def tensor_parallel_mlp(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Columns of the first weights, rows of the second: one sum at the end (Megatron)."""
    shardings = [spread(mesh, None, "model"), spread(mesh, "model"), spread(mesh, "model", None), spread(mesh)]
    whole = spread(mesh)
    forward = jax.jit(_mlp, in_shardings=(shardings, whole), out_shardings=whole)
    return Case(forward, _mlp, (_mlp_weights(rng, 8, 32, 8), normal(rng, 5, 8)))


@case(data=2, model=4)
def tensor_parallel_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Batch and model are split, with gradients."""
    columns, rows = spread(mesh, None, "model"), spread(mesh, "model", None)
    weights = [columns, spread(mesh, "model"), rows, spread(mesh), columns, spread(mesh, "model")]
    batch = spread(mesh, "data")
    step = jax.jit(_descent, in_shardings=(weights, batch, batch), out_shardings=(spread(mesh), weights))
    return Case(step, _descent, (_mlp_weights(rng, 8, 16, 8, 12), normal(rng, 6, 8), normal(rng, 6, 12)))


@case(data=8)
def fully_sharded_adam(mesh: Mesh, rng: np.random.Generator) -> Case:
    """FSDP: weights and moments are split over the devices that split the batch."""

    def step(weights: list[Any], means: list[Any], squares: list[Any], x: Any, y: Any) -> Any:
        loss, gradients = jax.value_and_grad(_squared_error)(weights, x, y)
        means = [0.9 * m + 0.1 * g for m, g in zip(means, gradients, strict=True)]
        squares = [0.99 * s + 0.01 * g * g for s, g in zip(squares, gradients, strict=True)]
        new = [w - 0.01 * m / (jnp.sqrt(s) + 1e-3) for w, m, s in zip(weights, means, squares, strict=True)]
        return loss, new, means, squares

    weights = _mlp_weights(rng, 8, 16, 8)
    zeros = [np.zeros_like(w) for w in weights]
    parts = [spread(mesh, "data")] * len(weights)
    batch = spread(mesh, "data")
    sharded = jax.jit(
        step,
        in_shardings=(parts, parts, parts, batch, batch),
        out_shardings=(spread(mesh), parts, parts, parts),
        donate_argnums=(0, 1, 2),
    )
    return Case(sharded, step, (weights, zeros, zeros, normal(rng, 16, 8), normal(rng, 16, 8)))


@case(data=4)
def zero_momentum(mesh: Mesh, rng: np.random.Generator) -> Case:
    """ZeRO 1: only the state of the optimizer is split."""

    def step(weights: list[Any], momentum: list[Any], x: Any, y: Any) -> Any:
        gradients = jax.grad(_squared_error)(weights, x, y)
        momentum = [0.9 * m + g for m, g in zip(momentum, gradients, strict=True)]
        return [w - 0.1 * m for w, m in zip(weights, momentum, strict=True)], momentum

    weights = _mlp_weights(rng, 8, 12, 4)
    momentum = [normal(rng, *w.shape, scale=0.1) for w in weights]
    whole, batch = spread(mesh), spread(mesh, "data")
    sharded = jax.jit(step, in_shardings=(whole, batch, batch, batch), out_shardings=(whole, batch))
    return Case(sharded, step, (weights, momentum, normal(rng, 8, 8), normal(rng, 8, 4)))


def _normalized(x: Any) -> Any:
    mean = jnp.mean(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(jnp.mean((x - mean) ** 2, -1, keepdims=True) + 1e-5)


def _attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(causal, scores, -1e9)), v)


def _block_weights(rng: np.random.Generator, width: int, heads: int, hidden: int) -> dict[str, Any]:
    depth = width // heads
    return {
        "qkv": normal(rng, width, 3, heads, depth, scale=width**-0.5),
        "out": normal(rng, heads, depth, width, scale=width**-0.5),
        "up": normal(rng, width, hidden, scale=width**-0.5),
        "down": normal(rng, hidden, width, scale=hidden**-0.5),
    }


def _block(weights: dict[str, Any], x: Any, c: Function) -> Any:
    """A transformer block on [batch, position, width]; `c` constrains shardings."""
    q, k, v = jnp.unstack(jnp.einsum("bsw,wthd->tbshd", c(_normalized(x), "data", None, None), weights["qkv"]))
    mixed = _attention(*(c(part, "data", None, "model", None) for part in (q, k, v)))
    x = c(x + jnp.einsum("bshd,hdw->bsw", mixed, weights["out"]), "data", "model", None)
    hidden = c(jax.nn.gelu(_normalized(x) @ weights["up"]), "data", None, "model")
    return c(x + hidden @ weights["down"], "data", "model", None)


@case(data=2, model=2)
def transformer_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Heads and hidden units are split, norms by position (sequence parallel), with gradients."""

    def step(c: Function) -> Function:
        def loss(weights: dict[str, Any], x: Any) -> Any:
            return jnp.mean(_block(weights, x, c) ** 2)

        def descend(weights: dict[str, Any], x: Any) -> Any:
            value, gradients = jax.value_and_grad(loss)(weights, x)
            return value, jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)

        return descend

    weights = {
        "qkv": spread(mesh, None, None, "model", None),
        "out": spread(mesh, "model", None, None),
        "up": spread(mesh, None, "model"),
        "down": spread(mesh, "model", None),
    }
    sharded = jax.jit(
        step(constrained(mesh)), in_shardings=(weights, spread(mesh, "data")), out_shardings=(spread(mesh), weights)
    )
    return Case(sharded, step(constrained(None)), (_block_weights(rng, 8, 4, 16), normal(rng, 4, 6, 8)))


@case(data=2, sequence=2, model=2)
def transformer_on_three_axes(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Batch, positions and heads are split; only the arguments say so."""

    def forward(weights: dict[str, Any], x: Any) -> Any:
        return _block(weights, x, constrained(None))

    weights = {
        "qkv": spread(mesh, None, None, "model", None),
        "out": spread(mesh, "model", None, None),
        "up": spread(mesh, None, "model"),
        "down": spread(mesh, "model", None),
    }
    tokens = spread(mesh, "data", "sequence", None)
    sharded = jax.jit(forward, in_shardings=(weights, tokens), out_shardings=tokens)
    return Case(sharded, forward, (_block_weights(rng, 8, 4, 16), normal(rng, 4, 6, 8)))


@case(data=2, model=2)
def vocabulary_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Embedding and logits are split by vocabulary: a gather, a softmax over shards, and their gradients."""

    def step(table: Any, tokens: Any, targets: Any) -> Any:
        def loss(table: Any) -> Any:
            logits = _normalized(table[tokens]) @ table.T
            chosen = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
            return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - chosen)

        value, gradient = jax.value_and_grad(loss)(table)
        return value, table - 0.1 * gradient

    table, batch = spread(mesh, "model", None), spread(mesh, "data")
    sharded = jax.jit(step, in_shardings=(table, batch, batch), out_shardings=(spread(mesh), table))
    tokens, targets = rng.integers(0, 24, (2, 4, 5)).astype(np.int32)
    return Case(sharded, step, (normal(rng, 24, 8), tokens, targets))


@case(data=2, expert=4)
def expert_parallel_einsum(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Tokens go to the experts through products with one-hot masks; the partitioner finds the exchange."""

    def layer(c: Function) -> Function:
        def apply(router: Any, up: Any, down: Any, x: Any) -> Any:
            gates = jax.nn.softmax(x @ router)
            choice = jax.nn.one_hot(jnp.argmax(gates, -1), 4)
            place = jnp.cumsum(choice, 1) * choice - choice
            mask = choice[..., None] * jax.nn.one_hot(place.sum(-1).astype(int), 4)[:, :, None, :]
            inputs = c(jnp.einsum("gsec,gsw->egcw", mask, x), "expert", "data", None, None)
            outputs = jnp.einsum("egch,ehw->egcw", jax.nn.relu(jnp.einsum("egcw,ewh->egch", inputs, up)), down)
            combined = jnp.einsum("gsec,egcw->gsw", mask * gates[..., None], c(outputs, "expert", "data", None, None))
            return c(combined, ("data", "expert"), None, None)

        return apply

    experts = spread(mesh, "expert", None, None)
    tokens = spread(mesh, ("data", "expert"), None, None)
    sharded = jax.jit(
        layer(constrained(mesh)), in_shardings=(spread(mesh), experts, experts, tokens), out_shardings=tokens
    )
    arguments = (normal(rng, 6, 4), normal(rng, 4, 6, 8), normal(rng, 4, 8, 6), normal(rng, 8, 5, 6))
    return Case(sharded, layer(constrained(None)), arguments)


@case(data=4)
def batch_norm_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Convolution, statistics over a batch that is split, and gradients."""

    def loss(kernel: Any, scale: Any, x: Any) -> Any:
        y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, variance = jnp.mean(y, (0, 1, 2)), jnp.var(y, (0, 1, 2))
        return jnp.mean(jax.nn.relu((y - mean) * lax.rsqrt(variance + 1e-5) * scale) ** 3), (mean, variance)

    def step(kernel: Any, scale: Any, x: Any) -> Any:
        return jax.value_and_grad(loss, (0, 1), has_aux=True)(kernel, scale, x)

    whole = spread(mesh)
    sharded = jax.jit(step, in_shardings=(whole, whole, spread(mesh, "data")), out_shardings=whole)
    return Case(sharded, step, (normal(rng, 3, 3, 3, 4), normal(rng, 4), normal(rng, 8, 6, 6, 3)))


@case(data=8)
def dropout_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Random bits of a batch that is split are those of one device."""

    def step(key: Any, w: Any, x: Any) -> Any:
        keep = jax.random.bernoulli(jax.random.wrap_key_data(key), 0.75, (16, 12))

        def loss(w: Any) -> Any:
            return jnp.mean(jnp.where(keep, jnp.tanh(x @ w) / 0.75, 0) ** 2)

        return (*jax.value_and_grad(loss)(w), keep)

    whole, rows = spread(mesh), spread(mesh, "data")
    sharded = jax.jit(step, in_shardings=(whole, whole, rows), out_shardings=(whole, whole, rows))
    key = np.array([7, 42], np.uint32)
    return Case(sharded, step, (key, normal(rng, 6, 12), normal(rng, 16, 6)))


@case(data=2, model=2)
def mixed_precision_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Products in bfloat16, weights in float32."""

    def step(w1: Any, w2: Any, x: Any) -> Any:
        def loss(weights: Any) -> Any:
            w1, w2 = (w.astype(jnp.bfloat16) for w in weights)
            return jnp.mean((jax.nn.relu(x.astype(jnp.bfloat16) @ w1) @ w2).astype(jnp.float32) ** 2)

        return jax.value_and_grad(loss)((w1, w2))

    first, second = spread(mesh, None, "model"), spread(mesh, "model", None)
    whole = spread(mesh)
    sharded = jax.jit(step, in_shardings=(first, second, spread(mesh, "data")), out_shardings=(whole, (first, second)))
    return Case(sharded, step, (normal(rng, 8, 16, scale=0.3), normal(rng, 16, 8, scale=0.3), normal(rng, 8, 8)))


@case(data=2)
def recurrent_scan(mesh: Mesh, rng: np.random.Generator) -> Case:
    """A recurrent network over time, the batch split, with gradients through the loop."""

    def loss(w: Any, u: Any, xs: Any) -> Any:
        def cell(h: Any, x: Any) -> Any:
            h = jnp.tanh(h @ w + x @ u)
            return h, jnp.sum(h**2)

        h, sums = lax.scan(cell, jnp.zeros((xs.shape[1], w.shape[0])), xs)
        return jnp.sum(sums) / xs.shape[1] + jnp.mean(h)

    step = jax.value_and_grad(loss, (0, 1))
    whole = spread(mesh)
    sharded = jax.jit(step, in_shardings=(whole, whole, spread(mesh, None, "data")), out_shardings=whole)
    return Case(sharded, step, (normal(rng, 6, 6, scale=0.3), normal(rng, 4, 6, scale=0.3), normal(rng, 5, 4, 4)))


@case(model=4)
def decoding_step(mesh: Mesh, rng: np.random.Generator) -> Case:
    """Attention to a cache whose heads are split; the new key and value go to a position that is data."""

    def step(cache: Any, q: Any, new: Any, position: Any) -> Any:
        cache = lax.dynamic_update_slice(cache, new[:, :, None], (0, 0, position, 0, 0))
        keys, values = cache
        scores = jnp.einsum("bhd,bshd->bhs", q, keys)
        scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e9)
        return jnp.einsum("bhs,bshd->bhd", jax.nn.softmax(scores), values), cache

    heads = spread(mesh, None, None, None, "model", None)
    query = spread(mesh, None, "model", None)
    sharded = jax.jit(
        step,
        in_shardings=(heads, query, spread(mesh, None, None, "model", None), spread(mesh)),
        out_shardings=(query, heads),
        donate_argnums=0,
    )
    arguments = (normal(rng, 2, 2, 8, 4, 4), normal(rng, 2, 4, 4), normal(rng, 2, 2, 4, 4), np.int32(5))
    return Case(sharded, step, arguments)
