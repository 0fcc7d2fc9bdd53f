"""Train a small network with JAX on xdsl-xla: two spirals, told apart by a multilayer perceptron.

    pip install -e '.[jax]' && python examples/train_network.py

`xdsl_xla.jit` takes the place of `jax.jit`; nothing else differs from a JAX program.
"""

# %% Data: points on two spirals
import jax
import jax.numpy as jnp
import numpy as np
import xdsl_xla

generator = np.random.default_rng(0)
angle = generator.uniform(0.5, 3 * np.pi, 400)
label = generator.integers(0, 2, 400)
radius = angle / (3 * np.pi)
points = np.stack([radius * np.cos(angle + np.pi * label), radius * np.sin(angle + np.pi * label)], 1)
points = (points + generator.normal(0, 0.01, points.shape)).astype(np.float32)


# %% Model: three hidden layers
def initialize(key, sizes=(2, 32, 32, 32, 2)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"weights": jax.random.normal(k, (m, n)) / jnp.sqrt(m), "bias": jnp.zeros(n)}
        for k, m, n in zip(keys, sizes[:-1], sizes[1:], strict=True)
    ]


def predict(params, x):
    for layer in params[:-1]:
        x = jax.nn.gelu(x @ layer["weights"] + layer["bias"])
    return x @ params[-1]["weights"] + params[-1]["bias"]


def loss(params, x, y):
    return -jnp.mean(jax.nn.log_softmax(predict(params, x))[jnp.arange(len(y)), y])


# %% One step of Adam, compiled
@xdsl_xla.jit
def step(params, first, second, count, x, y):
    value, gradients = jax.value_and_grad(loss)(params, x, y)
    count = count + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, second, gradients)

    def update(p, m, v):
        return p - 0.01 * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.99**count)) + 1e-8)

    return jax.tree.map(update, params, first, second), first, second, count, value


# %% Training
params = xdsl_xla.jit(initialize, static_argnames="sizes")(jax.random.key(0))
first = second = jax.tree.map(jnp.zeros_like, params)
count = jnp.float32(0)
for number in range(401):
    params, first, second, count, value = step(params, first, second, count, points, label)
    if number % 100 == 0:
        print(f"step {number:3}: loss {value:.4f}")

# %% How well it does
accuracy = xdsl_xla.jit(lambda p, x, y: jnp.mean(jnp.argmax(predict(p, x), 1) == y))(params, points, label)
print(f"accuracy {accuracy:.3f}")
if accuracy < 0.95:
    raise SystemExit("the network did not learn")
