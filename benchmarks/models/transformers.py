"""Transformers: GPT-2 small, a vision transformer, and decoding with a cache as Llama does it."""

from __future__ import annotations

from typing import Any

from .model import (
    Tree,
    affine,
    dense,
    descend,
    f32,
    i32,
    jax,
    jnp,
    lax,
    layer_norm,
    model,
    norm,
    ones,
    small,
    weights,
)


def _block(width: int) -> Tree:
    """Of a block with attention and a perceptron of four times the width."""
    return {
        "norm1": norm(width),
        "qkv": dense(width, 3 * width),
        "out": dense(width, width),
        "norm2": norm(width),
        "up": dense(width, 4 * width),
        "down": dense(4 * width, width),
    }


def _attend(x: Any, block: Tree, heads: int, mask: Any | None) -> Any:
    batch, length, width = x.shape
    q, k, v = jnp.moveaxis(affine(x, block["qkv"]).reshape(batch, length, 3, heads, width // heads), 2, 0)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / (width // heads) ** 0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -1e10)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return affine(mixed.reshape(batch, length, width), block["out"])


def _through(x: Any, block: Tree, heads: int, mask: Any | None = None) -> Any:
    x = x + _attend(layer_norm(x, block["norm1"]), block, heads, mask)
    return x + affine(jax.nn.gelu(affine(layer_norm(x, block["norm2"]), block["up"])), block["down"])


GPT2: Tree = {
    "tokens": f32(50257, 768, low=-0.05, high=0.05),
    "positions": small(1024, 768),
    "blocks": [_block(768) for _ in range(12)],
    "norm": norm(768),
}
"""The 124 million parameters of GPT-2 small (Radford et al., 2019)."""

TEXT = i32(2, 128, high=50257)


def _gpt2(parameters: Tree, tokens: Any) -> Any:
    length = tokens.shape[1]
    x = parameters["tokens"][tokens] + parameters["positions"][:length]
    mask = jnp.tril(jnp.ones((length, length), bool))
    for block in parameters["blocks"]:
        x = _through(x, block, 12, mask)
    return layer_norm(x, parameters["norm"]) @ parameters["tokens"].T


@model(GPT2, TEXT)
def gpt2_forward(parameters: Tree, tokens: Any) -> Any:
    return _gpt2(parameters, tokens)


@model(GPT2, TEXT, TEXT)
def gpt2_train(parameters: Tree, tokens: Any, targets: Any) -> Any:
    def loss(parameters: Tree) -> Any:
        chances = jax.nn.log_softmax(_gpt2(parameters, tokens))
        return -jnp.mean(jnp.take_along_axis(chances, targets[..., None], -1))

    value, gradient = jax.value_and_grad(loss)(parameters)
    return value, descend(parameters, gradient, 1e-3)


VIT: Tree = {
    "patches": dense(16 * 16 * 3, 384),
    "class": small(384),
    "positions": small(197, 384),
    "blocks": [_block(384) for _ in range(12)],
    "norm": norm(384),
    "head": dense(384, 1000),
}
"""ViT-S/16 (Dosovitskiy et al., 2021; Touvron et al., 2021)."""


@model(VIT, f32(4, 224, 224, 3))
def vision_transformer(parameters: Tree, images: Any) -> Any:
    batch = images.shape[0]
    patches = images.reshape(batch, 14, 16, 14, 16, 3).transpose(0, 1, 3, 2, 4, 5).reshape(batch, 196, 768)
    first = jnp.broadcast_to(parameters["class"], (batch, 1, 384))
    x = jnp.concatenate([first, affine(patches, parameters["patches"])], 1) + parameters["positions"]
    for block in parameters["blocks"]:
        x = _through(x, block, 6)
    return affine(layer_norm(x[:, 0], parameters["norm"]), parameters["head"])


HEADS, GROUPS, HEAD_SIZE, CACHE = 8, 2, 64, 256
"""Of the decoder: heads of queries, of keys and values, and how many positions are kept."""
WIDTH, HIDDEN, WORDS, STEPS = 512, 1408, 8192, 64


def _decoder_layer() -> Tree:
    return {
        "norm1": ones(WIDTH),
        "q": weights(WIDTH, HEADS * HEAD_SIZE),
        "k": weights(WIDTH, GROUPS * HEAD_SIZE),
        "v": weights(WIDTH, GROUPS * HEAD_SIZE),
        "out": weights(HEADS * HEAD_SIZE, WIDTH),
        "norm2": ones(WIDTH),
        "gate": weights(WIDTH, HIDDEN),
        "up": weights(WIDTH, HIDDEN),
        "down": weights(HIDDEN, WIDTH),
    }


DECODER: Tree = {
    "tokens": f32(WORDS, WIDTH),
    "layers": [_decoder_layer() for _ in range(8)],
    "norm": ones(WIDTH),
    "head": weights(WIDTH, WORDS),
}


def _rms_norm(x: Any, scale: Any) -> Any:
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def _rotate(x: Any, position: Any) -> Any:
    angles = position * 10_000.0 ** (-jnp.arange(HEAD_SIZE // 2) / (HEAD_SIZE // 2))
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * jnp.cos(angles) - b * jnp.sin(angles), b * jnp.cos(angles) + a * jnp.sin(angles)], -1)


def _decode(x: Any, layer: Tree, keys: Any, values: Any, position: Any) -> Any:
    """One layer for one position, and its cache with that position."""
    normal = _rms_norm(x, layer["norm1"])
    q = _rotate((normal @ layer["q"]).reshape(GROUPS, HEADS // GROUPS, HEAD_SIZE), position)
    k = _rotate((normal @ layer["k"]).reshape(GROUPS, HEAD_SIZE), position)
    keys = lax.dynamic_update_slice(keys, k[None], (position, 0, 0))
    values = lax.dynamic_update_slice(values, (normal @ layer["v"]).reshape(1, GROUPS, HEAD_SIZE), (position, 0, 0))
    scores = jnp.einsum("ghd,tgd->ght", q, keys) / HEAD_SIZE**0.5
    chances = jax.nn.softmax(jnp.where(jnp.arange(CACHE) <= position, scores, -jnp.inf))
    x = x + jnp.einsum("ght,tgd->ghd", chances, values).reshape(-1) @ layer["out"]
    normal = _rms_norm(x, layer["norm2"])
    return x + (jax.nn.silu(normal @ layer["gate"]) * (normal @ layer["up"])) @ layer["down"], keys, values


@model(DECODER, i32(high=WORDS))
def llama_decode(parameters: Tree, token: Any) -> Any:
    """64 tokens, each the most likely one after those before it (Touvron et al., 2023)."""

    def step(state: Any, position: Any) -> Any:
        token, caches = state
        x, kept = parameters["tokens"][token], list[Any]()
        for layer, (keys, values) in zip(parameters["layers"], caches, strict=True):
            x, keys, values = _decode(x, layer, keys, values, position)
            kept.append((keys, values))
        token = jnp.argmax(_rms_norm(x, parameters["norm"]) @ parameters["head"]).astype(jnp.int32)
        return (token, kept), token

    caches = [(jnp.zeros((CACHE, GROUPS, HEAD_SIZE)),) * 2 for _ in parameters["layers"]]
    return lax.scan(step, (token, caches), jnp.arange(STEPS))[1]
