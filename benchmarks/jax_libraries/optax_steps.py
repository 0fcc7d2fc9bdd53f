"""Optax: optimisers on a network of two layers, L-BFGS with its line search, the assignment problem."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, library, normal, step

optax = library("optax")


def _loss(params: Any, x: Any, y: Any) -> Any:
    hidden = jax.nn.relu(x @ params["first"] + params["bias"])
    return optax.l2_loss(hidden @ params["second"], y).mean()


def _network() -> Any:
    return {"first": 0.1 * normal(0, 64, 256), "bias": jnp.zeros(256), "second": 0.1 * normal(1, 256, 8)}


def _training(optimizer: Any) -> Made:
    params = _network()

    @jax.jit
    def train(params: Any, state: Any, x: Any, y: Any) -> Any:
        value, gradients = jax.value_and_grad(_loss)(params, x, y)
        updates, state = optimizer.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value

    return train, (params, optimizer.init(params), normal(2, 128, 64), normal(3, 128, 8))


@step("optax: AdamW step")
def adamw() -> Made:
    """Warm-up and cosine decay."""
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 100, 1000)
    return _training(optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule)))


@step("optax: LAMB step")
def lamb() -> Made:
    """Layerwise adaptive rates."""
    return _training(optax.lamb(1e-3))


@step("optax: L-BFGS")
def lbfgs() -> Made:
    """With the zoom line search."""
    optimizer = optax.lbfgs()

    def rosenbrock(x: Any) -> Any:
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    value_and_grad = optax.value_and_grad_from_state(rosenbrock)

    @jax.jit
    def minimise(x: Any) -> Any:
        def iteration(carry: Any, _: Any) -> Any:
            x, state = carry
            value, gradient = value_and_grad(x, state=state)
            updates, state = optimizer.update(gradient, state, x, value=value, grad=gradient, value_fn=rosenbrock)
            return (optax.apply_updates(x, updates), state), value

        (x, _), values = jax.lax.scan(iteration, (x, optimizer.init(x)), length=5)
        return x, values

    return minimise, (0.5 * normal(4, 16),)


@step("optax: assignment")
def assignment() -> Made:
    """The Hungarian algorithm."""
    return jax.jit(optax.assignment.hungarian_algorithm), (normal(5, 32, 32),)
