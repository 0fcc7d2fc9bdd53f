"""The routines of a LAPACK library, where there is one, as custom calls.

A routine takes addresses only. Matrices lie by columns; letters and numbers are read where they lie, too.
`xrt.lapack.<routine>` is the custom call of a routine for each matrix of a batch, which generated code makes without
Python in between (`passes/stablehlo/stablehlo_call_lapack.py`): the results are the arrays of the routine, the first
of which begin as copies of the operands. The last operands may be arrays that it only reads (`dialects/routines.py`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute

from ..dialects.routines import array_number, count_of_copied
from ..dialects.xrt_names import BATCH, PARAMETERS, ROUTINE, SPACES
from .arrays import Array
from .custom_calls import custom_call_target
from .lapack_addresses import NAMES, address_of
from .registry import Call


class Matrix(NamedTuple):
    """A parameter that is this one of the results of the call."""

    result: int


class Space(NamedTuple):
    """A parameter that is an array to work in. Without a size the routine is asked for it, and told it next."""

    dtype: np.dtype[Any]
    size: int | None = None


Parameter = str | int | Matrix | Space
"""A letter or number, or an array."""


def _function(routine: str, parameters: int) -> Callable[..., None]:
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * parameters)(address_of(routine))


def _scalar(value: str | int) -> ctypes.c_char | ctypes.c_int:
    return ctypes.c_char(value.encode()) if isinstance(value, str) else ctypes.c_int(value)


@cache
def sizes_of_spaces(routine: str, parameters: tuple[Parameter, ...]) -> list[int]:
    """The number of elements of each array to work in, the best one where the routine is asked.

    With a size of -1 a routine only says how much space is best, in the first element of each.
    """
    asked: list[Any] = []
    answers: list[Array] = []
    for parameter in parameters:
        if isinstance(parameter, Space):
            answers.append(np.zeros(1, parameter.dtype))
            asked.append(answers[-1])
            if parameter.size is None:
                asked.append(_scalar(-1))
        else:
            asked.append(np.zeros(16, np.uint8) if isinstance(parameter, Matrix) else _scalar(parameter))
    spaces = [parameter for parameter in parameters if isinstance(parameter, Space)]
    if any(space.size is None for space in spaces):
        _function(routine, len(asked))(*(_address(value) for value in asked))
    return [
        space_size(np.real(answer)[0]) if space.size is None else space.size
        for space, answer in zip(spaces, answers, strict=True)
    ]


def space_size(answer: np.number[Any]) -> int:
    """The number of elements that `answer` stands for: older libraries round down what f32 does not hold."""
    if isinstance(answer, np.floating) and answer >= 2 ** (np.finfo(answer.dtype).nmant + 1):
        answer = np.nextafter(answer, answer.dtype.type(np.inf))
    return int(answer)


def _address(value: Any) -> int:
    return value.ctypes.data if isinstance(value, np.ndarray) else ctypes.addressof(value)


@custom_call_target(*(ROUTINE + name for name in NAMES))
def call_routine(call: Call, *operands: Array) -> Sequence[Array]:
    """What the routine leaves in its arrays."""
    results = [np.empty(*call.result(i)) for i in range(len(call.op.results))]
    batch, spaces = call.int(BATCH), call.int(SPACES)
    parameters = cast("ArrayAttr[Attribute]", call.get(PARAMETERS)).data
    copied = count_of_copied(parameters, len(results), len(operands))
    for result, operand in zip(results, operands[:copied], strict=False):
        result[...] = operand
    read = [np.ascontiguousarray(operand) for operand in operands[copied:]]
    first_space = len(results) - spaces
    scalars: list[Any] = []
    values: list[tuple[int, int]] = []
    for parameter in parameters:
        if (number := array_number(parameter)) is not None:
            array = [*results, *read][number]
            is_space = first_space <= number < len(results)
            values.append((_address(array), 0 if is_space else array.nbytes // batch))
            continue
        value = parameter.data if isinstance(parameter, StringAttr) else cast("IntegerAttr[Any]", parameter).value.data
        scalars.append(_scalar(value))
        values.append((_address(scalars[-1]), 0))
    function = _function(call.string("call_target_name").removeprefix(ROUTINE), len(values))
    for matrix in range(batch):
        function(*(address + matrix * step for address, step in values))
    return results
