"""What simulations and samplers run: many small steps in loops."""

from __future__ import annotations

from typing import Any

from .model import Tree, affine, dense, f32, jax, jnp, lax, model

LINKS, WORLDS = 8, 256


@model(f32(WORLDS, LINKS, 3, low=0.0, high=2.0), f32(WORLDS, LINKS, 3), f32(200, WORLDS, LINKS - 1))
def rigid_bodies(places: Any, speeds: Any, controls: Any) -> Any:
    """200 steps of chains of bodies on springs that hit the ground, in 256 worlds side by side, as Brax computes them
    (Freeman et al., 2021)."""

    def forces(place: Any, speed: Any, control: Any) -> Any:
        arm, relative = place[1:] - place[:-1], speed[1:] - speed[:-1]
        length = jnp.sqrt(jnp.sum(arm**2, -1, keepdims=True) + 1e-6)
        axis = arm / length
        pull = 80 * (length - 0.5) + 2 * jnp.sum(relative * axis, -1, keepdims=True) + control[:, None]
        inner = jnp.zeros_like(place).at[:-1].add(pull * axis).at[1:].add(-pull * axis)
        depth = jnp.maximum(0.1 - place[:, 2], 0)
        push = jnp.where(depth > 0, 500 * depth - 5 * speed[:, 2], 0)
        slide = -0.8 * push[:, None] * jnp.tanh(10 * speed[:, :2])
        return inner + jnp.concatenate([slide, push[:, None] - 9.81], -1)

    def step(state: Any, control: Any) -> Any:
        place, speed = state
        speed = speed + 0.002 * jax.vmap(forces)(place, speed, control)
        place = place + 0.002 * speed
        return (place, speed), jnp.mean(place[:, :, 0])

    return lax.scan(step, (places, speeds), controls)


END = 100
FIELD: Tree = {"first": dense(32, 64), "second": dense(64, 64), "last": dense(64, 32)}

TABLEAU = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
"""Of Dormand and Prince's method of order 5 (1980)."""


@model(FIELD, f32(16, 32))
def neural_ode(field: Tree, start: Any) -> Any:
    """A neural differential equation from 0 to 100 with steps of adaptive size, as Diffrax solves it (Kidger, 2022)."""

    def slope(y: Any) -> Any:
        hidden = jnp.tanh(affine(jnp.tanh(affine(y, field["first"])), field["second"]))
        return affine(hidden, field["last"]) - 0.1 * y

    def step(state: Any) -> Any:
        time, size, y, count = state
        size = jnp.minimum(size, END - time)
        slopes = [slope(y)]
        for row in TABLEAU:
            slopes.append(slope(y + size * sum(a * k for a, k in zip(row, slopes, strict=True))))
        following = y + size * sum(a * k for a, k in zip(TABLEAU[-1], slopes[:-1], strict=True))
        error = size * sum(e * k for e, k in zip(ERROR, slopes, strict=True))
        scaled = jnp.sqrt(jnp.mean((error / (1e-4 + 1e-4 * jnp.maximum(jnp.abs(y), jnp.abs(following)))) ** 2))
        good = scaled <= 1
        factor = jnp.clip(0.9 * (scaled + 1e-10) ** -0.2, 0.2, 5)
        return jnp.where(good, time + size, time), size * factor, jnp.where(good, following, y), count + 1

    initial = jnp.float32(0), jnp.float32(0.1), start, jnp.int32(0)

    def goes_on(state: Any) -> Any:
        return (state[0] < END - 1e-3) & (state[3] < 1000)

    return lax.while_loop(goes_on, step, initial)[2]


POINTS, FEATURES, STEP = 200, 10, 0.004


@model(f32(FEATURES), f32(FEATURES), f32(POINTS, FEATURES), f32(POINTS, low=0.0, high=1.0), f32(10, low=0.0))
def nuts_step(place: Any, momentum: Any, points: Any, labels: Any, directions: Any) -> Any:
    """One transition of a no-U-turn sampler (Hoffman and Gelman, 2014) for a logistic regression: a trajectory that is
    doubled, forwards or backwards, until it turns."""

    def energy(place: Any) -> Any:
        logits = points @ place
        return jnp.sum(jnp.logaddexp(0, logits) - labels * logits) + jnp.sum(place**2) / 2

    force = jax.grad(energy)

    def leap(end: Any, sign: Any) -> Any:
        place, momentum = end
        momentum = momentum - sign * STEP / 2 * force(place)
        place = place + sign * STEP * momentum
        return place, momentum - sign * STEP / 2 * force(place)

    def choose(condition: Any, one: Any, other: Any) -> Any:
        """Of two ends."""
        return jnp.where(condition, one[0], other[0]), jnp.where(condition, one[1], other[1])

    def double(state: Any) -> Any:
        left, right, chosen, weight, depth, _ = state
        sign = jnp.where(directions[depth] < 0.5, -1.0, 1.0)
        end = choose(sign < 0, left, right)

        def advance(_: Any, carried: Any) -> Any:
            end, chosen, weight = carried
            end = leap(end, sign)
            own = jnp.exp(-energy(end[0]) - jnp.sum(end[1] ** 2) / 2 + start)
            weight = weight + own
            chosen = jnp.where(own > directions[depth] * weight, end[0], chosen)
            return end, chosen, weight

        end, chosen, weight = lax.fori_loop(0, 2**depth, advance, (end, chosen, weight))
        left, right = choose(sign < 0, end, left), choose(sign < 0, right, end)
        apart = right[0] - left[0]
        turned = (jnp.vdot(apart, left[1]) < 0) | (jnp.vdot(apart, right[1]) < 0)
        return left, right, chosen, weight, depth + 1, turned

    end = place, momentum
    start = energy(place) + jnp.sum(momentum**2) / 2
    initial = end, end, place, jnp.float32(1), jnp.int32(0), jnp.bool_(False)

    def goes_on(state: Any) -> Any:
        return ~state[5] & (state[4] < 6)

    return lax.while_loop(goes_on, double, initial)[2]
