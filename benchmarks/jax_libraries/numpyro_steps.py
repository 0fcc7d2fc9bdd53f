"""NumPyro: transitions of NUTS and of HMC, a step of variational inference for a VAE."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, library, normal, step

numpyro, distributions, infer = map(library, ("numpyro", "numpyro.distributions", "numpyro.infer"))


def _schools(sigma: Any, y: Any = None) -> Any:
    mu = numpyro.sample("mu", distributions.Normal(0, 5))
    tau = numpyro.sample("tau", distributions.HalfCauchy(5))
    with numpyro.plate("schools", 8):
        theta = numpyro.sample("theta", distributions.Normal(mu, tau))
        numpyro.sample("obs", distributions.Normal(theta, sigma), obs=y)


def _regression(x: Any, y: Any = None) -> Any:
    weights = numpyro.sample("weights", distributions.Normal(0, 1).expand([x.shape[1]]).to_event(1))
    numpyro.sample("obs", distributions.Bernoulli(logits=x @ weights), obs=y)


def _transition(kernel: Any, *data: Any) -> Made:
    """One transition from a state after the warm-up's first step."""
    state = kernel.init(jax.random.key(0), 10, None, model_args=data, model_kwargs={})
    sample = jax.jit(lambda state, *data: kernel.sample(state, data, {}))
    return lambda state, *data: _compared(sample(state, *data)), (state, *data)


def _compared(state: Any) -> Any:
    """The position and its energy."""
    return state.z, state.potential_energy


@step("numpyro: NUTS, eight schools", tolerance=1e-2)
def schools() -> Made:
    """Rubin's example."""
    sigma = jnp.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])
    y = jnp.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
    return _transition(infer.NUTS(_schools, max_tree_depth=4), sigma, y)


@step("numpyro: HMC, regression", tolerance=1e-2)
def regression() -> Made:
    """1,000 points of 16 features."""
    x = normal(1, 1000, 16)
    y = (x @ normal(2, 16) > 0).astype(jnp.int32)
    return _transition(infer.HMC(_regression, trajectory_length=0.5, step_size=0.05, adapt_step_size=False), x, y)


@step("numpyro: SVI, regression")
def variational() -> Made:
    """An update with Adam."""
    x = normal(3, 1000, 16)
    y = (x @ normal(4, 16) > 0).astype(jnp.int32)
    guide = infer.autoguide.AutoMultivariateNormal(_regression)
    svi = infer.SVI(_regression, guide, numpyro.optim.Adam(0.01), infer.Trace_ELBO())
    state = svi.init(jax.random.key(5), x, y)
    return jax.jit(svi.update), (state, x, y)
