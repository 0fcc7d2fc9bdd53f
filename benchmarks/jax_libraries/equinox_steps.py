"""Equinox: the RNN and the CNN of its examples, training steps."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, lax, library, normal, step

eqx, optax = library("equinox"), library("optax")


class Recurrent(eqx.Module):
    """A GRU whose last state tells the class of a sequence."""

    cell: Any
    linear: Any

    def __init__(self, inputs: int, hidden: int, key: Any) -> None:
        first, second = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(inputs, hidden, key=first)
        self.linear = eqx.nn.Linear(hidden, 1, key=second)

    def __call__(self, sequence: Any) -> Any:
        start = jnp.zeros((self.cell.hidden_size,))
        last, _ = lax.scan(lambda state, x: (self.cell(x, state), None), start, sequence)
        return jax.nn.sigmoid(self.linear(last))[0]


def _training(model: Any, loss: Any, optimizer: Any, *data: Any) -> Made:
    arrays, rest = eqx.partition((model, optimizer.init(eqx.filter(model, eqx.is_inexact_array))), eqx.is_array)

    @jax.jit
    def train(arrays: Any, *data: Any) -> Any:
        model, state = eqx.combine(arrays, rest)
        value, gradients = eqx.filter_value_and_grad(loss)(model, *data)
        updates, state = optimizer.update(gradients, state, eqx.filter(model, eqx.is_inexact_array))
        return eqx.filter((eqx.apply_updates(model, updates), state), eqx.is_array), value

    return train, (arrays, *data)


@step("equinox: RNN")
def recurrent() -> Made:
    """A batch of 32 spirals of 16 points."""

    def loss(model: Any, x: Any, y: Any) -> Any:
        predicted = jax.vmap(model)(x)
        return -jnp.mean(y * jnp.log(predicted) + (1 - y) * jnp.log(1 - predicted))

    data = normal(3, 32, 16, 2), (jnp.arange(32) % 2).astype(jnp.float32)
    return _training(Recurrent(2, 16, jax.random.key(4)), loss, optax.adam(3e-3), *data)


@step("equinox: CNN")
def convolutional() -> Made:
    """A batch of 64 MNIST images."""
    keys = jax.random.split(jax.random.key(5), 4)
    layers = [
        eqx.nn.Conv2d(1, 3, kernel_size=4, key=keys[0]),
        eqx.nn.MaxPool2d(kernel_size=2),
        jax.nn.relu,
        jnp.ravel,
        eqx.nn.Linear(1728, 512, key=keys[1]),
        jax.nn.sigmoid,
        eqx.nn.Linear(512, 64, key=keys[2]),
        jax.nn.relu,
        eqx.nn.Linear(64, 10, key=keys[3]),
        jax.nn.log_softmax,
    ]

    def loss(model: Any, x: Any, y: Any) -> Any:
        return -jnp.mean(jnp.take_along_axis(jax.vmap(model)(x), y[:, None], axis=1))

    data = normal(6, 64, 1, 28, 28), jnp.arange(64) % 10
    return _training(eqx.nn.Sequential([_layer(each) for each in layers]), loss, optax.adamw(3e-4), *data)


def _layer(function: Any) -> Any:
    return function if isinstance(function, eqx.Module) else eqx.nn.Lambda(function)
