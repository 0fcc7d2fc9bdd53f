"""Diffrax: solving differential equations, and training a neural one."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, library, normal, step

diffrax, eqx, optax = library("diffrax"), library("equinox"), library("optax")


@step("diffrax: Lorenz, Tsit5")
def lorenz() -> Made:
    """Up to t = 2 from 64 points at once."""

    def field(t: Any, y: Any, args: Any) -> Any:
        x, y, z = y
        return jnp.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])

    def solve(start: Any) -> Any:
        controller = diffrax.PIDController(rtol=1e-5, atol=1e-6)
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            diffrax.Tsit5(),
            0.0,
            2.0,
            0.01,
            start,
            saveat=diffrax.SaveAt(ts=jnp.linspace(0, 2, 16)),
            stepsize_controller=controller,
        )
        return solution.ys

    return jax.jit(jax.vmap(solve)), (1 + 0.1 * normal(0, 64, 3),)


@step("diffrax: stiff, Kvaerno5", tolerance=1e-2)
def robertson() -> Made:
    """Implicit, with Newton's method."""

    def field(t: Any, y: Any, args: Any) -> Any:
        x, y, z = y
        first, second, third = 0.04 * x, 3e7 * y * y, 1e4 * y * z
        return jnp.stack([-first + third, first - second - third, second])

    def solve(start: Any) -> Any:
        controller = diffrax.PIDController(rtol=1e-3, atol=1e-5)
        return diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Kvaerno5(), 0.0, 100.0, 2e-4, start, stepsize_controller=controller
        ).ys

    return jax.jit(solve), (jnp.array([1.0, 0.0, 0.0]),)


@step("diffrax: neural ODE")
def neural() -> Made:
    """32 curves of 16 points through a network of width 64."""
    model = eqx.nn.MLP(2, 2, 64, 2, activation=jax.nn.softplus, key=jax.random.key(1))
    optimizer = optax.adabelief(3e-3)
    arrays, rest = eqx.partition(model, eqx.is_array)
    times = jnp.linspace(0.0, 1.0, 16)

    def solve(model: Any, start: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, args: model(y)),
            diffrax.Tsit5(),
            0.0,
            1.0,
            0.06,
            start,
            saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-6),
        ).ys

    def loss(arrays: Any, curves: Any) -> Any:
        predicted = jax.vmap(lambda start: solve(eqx.combine(arrays, rest), start))(curves[:, 0])
        return jnp.mean((predicted - curves) ** 2)

    @jax.jit
    def train(arrays: Any, state: Any, curves: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(arrays, curves)
        updates, state = optimizer.update(gradients, state)
        return optax.apply_updates(arrays, updates), state, value

    return train, (arrays, optimizer.init(arrays), normal(2, 32, 16, 2))
