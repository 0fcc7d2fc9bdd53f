"""Convolutional networks: ResNet-50 and a U-Net."""

from __future__ import annotations

from typing import Any

from .model import Tree, affine, dense, f32, i32, jax, jnp, lax, model, norm, small, weights

LAYOUT = ("NHWC", "HWIO", "NHWC")


def _convolve(x: Any, kernel: Any, stride: int = 1) -> Any:
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=LAYOUT)


def _batch_norm(x: Any, layer: Tree) -> Any:
    mean, variance = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    return (x - mean) * lax.rsqrt(variance + 1e-5) * layer["scale"] + layer["offset"]


def _bottleneck(inputs: int, width: int) -> Tree:
    """What a block adds is small, as at the start of training: gradients are those of a well-conditioned network."""
    block: Tree = {
        "narrow": weights(1, 1, inputs, width),
        "norm1": norm(width),
        "spatial": weights(3, 3, width, width),
        "norm2": norm(width),
        "wide": weights(1, 1, width, 4 * width),
        "norm3": {"scale": f32(4 * width, low=0.1, high=0.3), "offset": small(4 * width)},
    }
    shortcut: Tree = {"shortcut": weights(1, 1, inputs, 4 * width), "norm4": norm(4 * width)}
    return block | (shortcut if inputs != 4 * width else {})


STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""Width and number of blocks of ResNet-50 (He et al., 2016)."""


def _stages() -> list[list[Tree]]:
    stages, inputs = list[list[Tree]](), 64
    for width, blocks in STAGES:
        stages.append([_bottleneck(inputs if number == 0 else 4 * width, width) for number in range(blocks)])
        inputs = 4 * width
    return stages


RESNET: Tree = {
    "stem": weights(7, 7, 3, 64),
    "norm": norm(64),
    "stages": _stages(),
    "head": dense(2048, 1000),
}


def _residual(x: Any, block: Tree, stride: int) -> Any:
    y = jax.nn.relu(_batch_norm(_convolve(x, block["narrow"]), block["norm1"]))
    y = jax.nn.relu(_batch_norm(_convolve(y, block["spatial"], stride), block["norm2"]))
    y = _batch_norm(_convolve(y, block["wide"]), block["norm3"])
    if "shortcut" in block:
        x = _batch_norm(_convolve(x, block["shortcut"], stride), block["norm4"])
    return jax.nn.relu(x + y)


def _resnet(parameters: Tree, images: Any) -> Any:
    x = jax.nn.relu(_batch_norm(_convolve(images, parameters["stem"], 2), parameters["norm"]))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    for stage, blocks in enumerate(parameters["stages"]):
        for number, block in enumerate(blocks):
            x = _residual(x, block, 2 if stage > 0 and number == 0 else 1)
    return affine(jnp.mean(x, (1, 2)), parameters["head"])


@model(RESNET, f32(4, 224, 224, 3))
def resnet50_forward(parameters: Tree, images: Any) -> Any:
    return _resnet(parameters, images)


@model(RESNET, f32(4, 224, 224, 3), i32(4, high=1000))
def resnet50_gradient(parameters: Tree, images: Any, labels: Any) -> Any:
    def loss(parameters: Tree) -> Any:
        chances = jax.nn.log_softmax(_resnet(parameters, images))
        return -jnp.mean(jnp.take_along_axis(chances, labels[:, None], 1))

    return jax.value_and_grad(loss)(parameters)


WIDTHS = (64, 128, 256)
"""Of the levels of the U-Net (Ronneberger et al., 2015), with the blocks of diffusion models (Ho et al., 2020)."""


def _unet_block(inputs: int, outputs: int) -> Tree:
    return {
        "norm1": norm(inputs),
        "kernel1": weights(3, 3, inputs, outputs),
        "time": dense(128, outputs),
        "norm2": norm(outputs),
        "kernel2": weights(3, 3, outputs, outputs),
        "shortcut": weights(1, 1, inputs, outputs),
    }


UNET: Tree = {
    "first": weights(3, 3, 3, 64),
    "down": [_unet_block(64, 64), _unet_block(64, 128), _unet_block(128, 256)],
    "middle": _unet_block(256, 256),
    "up": [_unet_block(512, 128), _unet_block(256, 64), _unet_block(128, 64)],
    "norm": norm(64),
    "last": weights(3, 3, 64, 3),
}


def _group_norm(x: Any, layer: Tree, groups: int = 32) -> Any:
    parts = x.reshape(*x.shape[:-1], groups, -1)
    mean, variance = jnp.mean(parts, (1, 2, 4), keepdims=True), jnp.var(parts, (1, 2, 4), keepdims=True)
    return ((parts - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape) * layer["scale"] + layer["offset"]


def _unet_step(x: Any, block: Tree, time: Any) -> Any:
    y = _convolve(jax.nn.silu(_group_norm(x, block["norm1"])), block["kernel1"])
    y = y + affine(time, block["time"])[:, None, None]
    y = _convolve(jax.nn.silu(_group_norm(y, block["norm2"])), block["kernel2"])
    return y + _convolve(x, block["shortcut"])


@model(UNET, f32(2, 64, 64, 3), f32(2, low=0.0, high=1000.0))
def unet(parameters: Tree, images: Any, times: Any) -> Any:
    """Images of 64 x 64, halved twice, with the time embedded in sines."""
    angles = times[:, None] * 10_000.0 ** (-jnp.arange(64) / 64)
    time = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
    x, kept = _convolve(images, parameters["first"]), list[Any]()
    for level, block in enumerate(parameters["down"]):
        x = _unet_step(x, block, time)
        kept.append(x)
        if level < len(WIDTHS) - 1:
            x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    x = _unet_step(x, parameters["middle"], time)
    for level, block in enumerate(parameters["up"]):
        if level > 0:
            x = jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
        x = _unet_step(jnp.concatenate([x, kept.pop()], -1), block, time)
    return _convolve(jax.nn.silu(_group_norm(x, parameters["norm"])), parameters["last"])
