"""Convolutions of all kinds."""

from __future__ import annotations

from typing import Any

from .jax_program import f32, gradients, lax, program


def _conv(x: Any, kernel: Any, stride: int = 1, **options: Any) -> Any:
    return lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), **options
    )


@program(f32(8, 56, 56, 128), f32(3, 3, 1, 128))
def depthwise_conv(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, feature_group_count=128)


@program(f32(4, 28, 28, 128), f32(3, 3, 1, 128))
def depthwise_conv_grad(x: Any, kernel: Any) -> Any:
    return gradients(depthwise_conv, x, kernel)


@program(f32(8, 28, 28, 128), f32(3, 3, 16, 128))
def grouped_conv(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, feature_group_count=8)


@program(f32(8, 28, 28, 64), f32(4, 4, 64, 32))
def conv_transpose(x: Any, kernel: Any) -> Any:
    return lax.conv_transpose(x, kernel, (2, 2), "SAME")


@program(f32(4, 224, 224, 3), f32(7, 7, 3, 64))
def conv7x7_stride2(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, 2)


@program(f32(8, 28, 28, 256), f32(1, 1, 256, 128))
def conv1x1(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel)


@program(f32(4, 64, 28, 28), f32(64, 64, 3, 3))
def conv_nchw(x: Any, kernel: Any) -> Any:
    return lax.conv(x, kernel, (1, 1), "SAME")


@program(f32(16, 1000, 64), f32(5, 64, 64))
def conv1d(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"))
