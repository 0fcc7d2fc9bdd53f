"""Flax: the MNIST network of its first guide in Linen, a transformer for language in NNX; training steps."""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

from .step import Made, jax, jnp, library, normal, step

linen, nnx, optax, train_state = map(library, ("flax.linen", "flax.nnx", "optax", "flax.training.train_state"))


class Network(linen.Module):
    """Two convolutions, two dense layers."""

    @linen.compact
    def __call__(self, x: Any) -> Any:
        for features in (32, 64):
            x = linen.relu(linen.Conv(features=features, kernel_size=(3, 3))(x))
            x = linen.avg_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = linen.relu(linen.Dense(features=256)(x.reshape(x.shape[0], -1)))
        return linen.Dense(features=10)(x)


def _losses(logits: Any, labels: Any) -> Any:
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@step("flax.linen: MNIST")
def mnist() -> Made:
    """A batch of 64 images, SGD with momentum."""
    network, images = Network(), normal(0, 64, 28, 28, 1)
    params = network.init(jax.random.key(1), images)["params"]
    state = train_state.TrainState.create(apply_fn=network.apply, params=params, tx=optax.sgd(0.1, 0.9))

    @jax.jit
    def train(state: Any, images: Any, labels: Any) -> Any:
        def loss(params: Any) -> Any:
            return _losses(state.apply_fn({"params": params}, images), labels)

        value, gradients = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=gradients), value

    return train, (state, images, jnp.arange(64) % 10)


class Block(nnx.Module):
    """A transformer block with the norm first. Its attention has no biases: the gradient of the key's is zero but for
    rounding, and AdamW makes steps of any gradient.
    """

    def __init__(self, width: int, rngs: Any) -> None:
        self.norms = nnx.List([nnx.LayerNorm(width, rngs=rngs) for _ in range(2)])
        self.attention = nnx.MultiHeadAttention(4, width, decode=False, use_bias=False, rngs=rngs)
        self.wide = nnx.Linear(width, 4 * width, rngs=rngs)
        self.narrow = nnx.Linear(4 * width, width, rngs=rngs)

    def __call__(self, x: Any) -> Any:
        mask = nnx.make_causal_mask(x[..., 0])
        x = x + self.attention(self.norms[0](x), mask=mask)
        return x + self.narrow(nnx.gelu(self.wide(self.norms[1](x))))


class Language(nnx.Module):
    """Embedding, blocks, logits."""

    def __init__(self, words: int, width: int, depth: int, rngs: Any) -> None:
        self.embedding = nnx.Embed(words, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, rngs) for _ in range(depth)])
        self.head = nnx.Linear(width, words, rngs=rngs)

    def __call__(self, tokens: Any) -> Any:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@step("flax.nnx: language model")
def language_model() -> Made:
    """8 texts of 64 words, 2 blocks of width 128, AdamW, which divides no gradient by its own rounding error."""
    model = Language(512, 128, 2, nnx.Rngs(0))
    definition, state = nnx.split((model, nnx.Optimizer(model, optax.adamw(1e-3, eps=1e-5), wrt=nnx.Param)))
    tokens = jax.random.randint(jax.random.key(2), (8, 65), 0, 512)

    @jax.jit
    def train(state: Any, tokens: Any) -> Any:
        model, optimizer = nnx.merge(definition, state)
        loss, gradients = nnx.value_and_grad(lambda model: _losses(model(tokens[:, :-1]), tokens[:, 1:]))(model)
        optimizer.update(model, gradients)
        return nnx.state((model, optimizer)), loss

    return train, (state, tokens)
