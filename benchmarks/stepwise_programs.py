"""Recurrences of a thousand small steps, written in JAX: a good part of their time goes into the beginnings and ends of
parallel loops. Needs the extra `jax`.
"""

from __future__ import annotations

from typing import Any

from .more_programs.jax_program import JaxProgram, f32, jax, jnp, lax, load_from
from .suite import Program

STEPS = 1000


def gru(x: Any, w: Any, u: Any) -> Any:
    """A gated recurrent unit over `STEPS` steps of a batch."""

    def step(h: Any, x: Any) -> Any:
        a, b = jnp.split(x @ w, 3, -1), jnp.split(h @ u, 3, -1)
        reset, update = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
        h = update * h + (1 - update) * jnp.tanh(a[2] + reset * b[2])
        return h, h[:, 0]

    return lax.scan(step, jnp.zeros((x.shape[1], u.shape[0]), x.dtype), x)


def lstm_one(x: Any, w: Any, u: Any) -> Any:
    """A long short-term memory over `STEPS` steps of one sequence: products of matrices and vectors."""

    def step(state: Any, x: Any) -> Any:
        h, c = state
        i, f, g, o = jnp.split(x @ w + h @ u, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h[0]

    zeros = jnp.zeros(u.shape[0], x.dtype)
    return lax.scan(step, (zeros, zeros), x)


def rnn_train(x: Any, w: Any, u: Any) -> Any:
    """Gradients through `STEPS` steps of a plain recurrence."""

    def loss(w: Any, u: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            return jnp.tanh(x @ w + h @ u), None

        return jnp.sum(lax.scan(step, jnp.zeros((x.shape[1], u.shape[0]), x.dtype), x)[0] ** 2)

    return jax.grad(loss, (0, 1))(w, u)


def _weights(*shape: int) -> Any:
    bound = shape[-2] ** -0.5
    return f32(*shape, low=-bound, high=bound)


PROGRAMS = {
    "gru": JaxProgram(gru, (f32(STEPS, 16, 256), _weights(256, 1536), _weights(512, 1536))),
    "lstm_one": JaxProgram(lstm_one, (f32(STEPS, 256), _weights(256, 2048), _weights(512, 2048))),
    "rnn_train": JaxProgram(rnn_train, (f32(STEPS, 16, 256), _weights(256, 384), _weights(384, 384))),
}
"""By name, with how arguments are drawn."""


def names() -> list[str]:
    return list(PROGRAMS)


def load(name: str, seed: int = 0) -> Program:
    """The program `name`, as `load_from` has it."""
    return load_from(PROGRAMS, name, seed)
