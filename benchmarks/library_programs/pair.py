"""What pairs of a program and a function of PyTorch are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..measure import Run
from ..more_programs.jax_program import Function, JaxProgram, Programs

Library = (
    Callable[[Any, Any], Run]
    | Callable[[Any, Any, Any], Run]
    | Callable[[Any, Any, Any, Any], Run]
    | Callable[[Any, Any, Any, Any, Any], Run]
)
"""Makes a run of the module of PyTorch and one to four tensors."""


PROGRAMS: Programs = {}
LIBRARIES: dict[str, Library] = {}
"""The same computation twice, of one name."""


def pair(name: str, function: Function, *arguments: Any, library: Library) -> None:
    """Enters `function` of JAX for these arguments, and what makes a run of PyTorch's module and tensors of them."""
    PROGRAMS[name], LIBRARIES[name] = JaxProgram(function, arguments), library


def images(tensor: Any) -> Any:
    """A tensor of NHWC as PyTorch sees images: NCHW in shape, with the channels last in memory."""
    return tensor.permute(0, 3, 1, 2)


def kernels(torch: Any, tensor: Any) -> Any:
    """A kernel of HWIO as PyTorch has it for images with the channels last."""
    return tensor.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)


def channels_last(torch: Any, tensor: Any) -> Any:
    """A copy of an NCHW tensor with the channels last in memory."""
    return tensor.contiguous(memory_format=torch.channels_last)
