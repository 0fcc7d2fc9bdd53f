"""Brax: steps of environments, many at once, under each of its engines."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, library, normal, step

envs = library("brax.envs")

BATCH = 32


def _stepping(name: str, backend: str) -> Made:
    environment = envs.get_environment(name, backend=backend)
    state = jax.jit(jax.vmap(environment.reset))(jax.random.split(jax.random.key(0), BATCH))
    advance = jax.jit(jax.vmap(environment.step))

    def moved(state: Any, action: Any) -> Any:
        after = advance(state, action)
        return after.obs, after.reward, after.done

    return moved, (state, 0.5 * normal(1, BATCH, environment.action_size))


@step("brax: ants, spring")
def ant_spring() -> Made:
    """Joints as springs."""
    return _stepping("ant", "spring")


@step("brax: cheetahs, positional", tolerance=1e-2)
def cheetah_positional() -> Made:
    """Position based dynamics."""
    return _stepping("halfcheetah", "positional")


@step("brax: pendulums, generalized", tolerance=1e-2)
def pendulum_generalized() -> Made:
    """Generalized coordinates."""
    return _stepping("inverted_pendulum", "generalized")
