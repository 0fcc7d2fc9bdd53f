"""JAX MD: simulation of soft spheres and of a Lennard-Jones fluid, minimisation of energy."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, lax, library, step

energy, minimize, simulate, space = map(
    library, ("jax_md.energy", "jax_md.minimize", "jax_md.simulate", "jax_md.space")
)


@step("jax_md: FIRE minimisation")
def fire() -> Made:
    """All pairs."""
    size = 8.0
    displacement, shift = space.periodic(size)
    init, apply = minimize.fire_descent(energy.soft_sphere_pair(displacement), shift)
    state = init(size * jax.random.uniform(jax.random.key(0), (128, 2)))
    run = jax.jit(lambda state: lax.fori_loop(0, 20, lambda _, s: apply(s), state))
    return lambda state: run(state).position, (state,)


@step("jax_md: NVE, all pairs")
def nve() -> Made:
    """All pairs, on a lattice at first."""
    side = 8
    displacement, shift = space.periodic(1.2 * side * 2)
    grid = jnp.stack(jnp.meshgrid(*[jnp.arange(2 * side)] * 2, indexing="ij"), -1).reshape(-1, 2) * 1.2
    init, apply = simulate.nve(energy.lennard_jones_pair(displacement), shift, 1e-3)
    state = init(jax.random.key(1), grid, kT=0.5)
    run = jax.jit(lambda state: lax.fori_loop(0, 10, lambda _, s: apply(s), state))

    def moved(state: Any) -> Any:
        after = run(state)
        return after.position, after.momentum

    return moved, (state,)


@step("jax_md: NVT, neighbor list")
def nvt() -> Made:
    """Nose-Hoover chains; cells."""
    size = 25.0
    displacement, shift = space.periodic(size)
    neighbors, potential = energy.lennard_jones_neighbor_list(displacement, size, r_cutoff=2.5, dr_threshold=0.5)
    grid = jnp.stack(jnp.meshgrid(jnp.arange(20), jnp.arange(25), indexing="ij"), -1).reshape(-1, 2) * 1.0
    grid = grid * jnp.array([1.25, 1.0]) + 0.1
    init, apply = simulate.nvt_nose_hoover(potential, shift, 1e-3, 0.5)
    found = neighbors.allocate(grid, extra_capacity=6)
    state = init(jax.random.key(2), grid, neighbor=found)

    def advance(_: int, carry: Any) -> Any:
        state, found = carry
        found = found.update(state.position)
        return apply(state, neighbor=found), found

    run = jax.jit(lambda state, found: lax.fori_loop(0, 10, advance, (state, found)))

    def moved(state: Any, found: Any) -> Any:
        after, found = run(state, found)
        return after.position, after.momentum, found.did_buffer_overflow

    return moved, (state, found)
