"""Convolutions and pooling. PyTorch gets its images with the channels last, which is its fast form."""

from __future__ import annotations

from typing import Any

from ..more_programs.jax_program import f32, jnp, lax
from .pair import channels_last, images, kernels, pair

NHWC = ("NHWC", "HWIO", "NHWC")


def _conv(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=NHWC)


def _torch_conv(torch: Any, x: Any, kernel: Any) -> Any:
    x, kernel = images(x), kernels(torch, kernel)
    return lambda: torch.nn.functional.conv2d(x, kernel, padding="same").permute(0, 2, 3, 1)


pair("conv3x3_nhwc", _conv, f32(8, 56, 56, 64), f32(3, 3, 64, 64), library=_torch_conv)
pair("conv1x1_nhwc", _conv, f32(8, 28, 28, 256), f32(1, 1, 256, 128), library=_torch_conv)


def _conv_nchw(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))


def _torch_conv_nchw(torch: Any, x: Any, kernel: Any) -> Any:
    x, kernel = channels_last(torch, x), channels_last(torch, kernel)
    return lambda: torch.nn.functional.conv2d(x, kernel, padding="same")


pair("conv3x3_nchw", _conv_nchw, f32(8, 64, 56, 56), f32(64, 64, 3, 3), library=_torch_conv_nchw)


def _depthwise(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=NHWC, feature_group_count=x.shape[-1])


def _torch_depthwise(torch: Any, x: Any, kernel: Any) -> Any:
    x, kernel = images(x), kernel.permute(3, 2, 0, 1).contiguous()
    return lambda: torch.nn.functional.conv2d(x, kernel, padding="same", groups=x.shape[1]).permute(0, 2, 3, 1)


pair("depthwise3x3", _depthwise, f32(8, 56, 56, 128), f32(3, 3, 1, 128), library=_torch_depthwise)


def _transposed(x: Any, kernel: Any) -> Any:
    return lax.conv_transpose(x, kernel, (2, 2), "VALID", dimension_numbers=NHWC, transpose_kernel=True)


def _torch_transposed(torch: Any, x: Any, kernel: Any) -> Any:
    x, kernel = images(x), kernels(torch, kernel)
    return lambda: torch.nn.functional.conv_transpose2d(x, kernel, stride=2).permute(0, 2, 3, 1)


pair("transposed_conv", _transposed, f32(4, 28, 28, 128), f32(4, 4, 64, 128), library=_torch_transposed)


def _max_pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "VALID")


def _torch_max_pool(torch: Any, x: Any) -> Any:
    x = images(x)
    return lambda: torch.nn.functional.max_pool2d(x, 3, 2).permute(0, 2, 3, 1)


pair("max_pool", _max_pool, f32(8, 112, 112, 64), library=_torch_max_pool)
