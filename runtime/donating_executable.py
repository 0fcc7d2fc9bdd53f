"""A compiled program whose caller gives arguments away: results are in their memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..tracebacks import short_tracebacks
from .arguments import check_timeout, convert_argument
from .buffers import data_address, empty_aligned
from .compiled_program import CompiledProgram
from .engine import NativeCode
from .executable import Executable


class DonatingExecutable(Executable):
    """`outputs = executable(*inputs)`, where some of the outputs are the arrays that were passed as inputs.

    What an array held that is given away is gone after the call. One that cannot be written (it is read-only, or not
    dense) or shares its memory with another argument is copied first and stays as it is.
    """

    donated: tuple[tuple[int, int], ...]
    """Pairs of an argument and the result that takes its memory."""

    def __init__(self, code: NativeCode, program: CompiledProgram, **details: Any) -> None:
        """`details` are those of `Executable`."""
        super().__init__(code, program, **details)
        self.donated = tuple(program.donated)
        shared = sum(program.signature.outputs[result].byte_size for _, result in self.donated)
        statistics = self.statistics
        self.statistics = replace(
            statistics, output_bytes=statistics.output_bytes - shared, peak_bytes=statistics.peak_bytes - shared
        )

    @short_tracebacks
    def __call__(self, *arrays: Any, timeout: float | None = None) -> tuple[np.ndarray, ...]:
        """Run the program. Raises as other programs; of one that was stopped, arrays given away hold anything."""
        if timeout is not None:
            check_timeout(timeout)
        if len(arrays) != len(self._inputs):
            raise self._wrong_count(len(arrays))
        inputs = [convert_argument(*pair, index) for index, pair in enumerate(zip(arrays, self._inputs, strict=True))]
        results: dict[int, np.ndarray] = {}
        for argument, result in self.donated:
            array = inputs[argument]
            others = (*inputs[:argument], *inputs[argument + 1 :])
            if not array.flags.writeable or any(np.may_share_memory(array, other) for other in others):
                spec = self._inputs[argument]
                inputs[argument] = empty_aligned(spec.shape, spec.dtype, spec.byte_size)
                inputs[argument][...] = array
            dtype = self.signature.outputs[result].dtype
            array = inputs[argument]
            results[result] = array if array.dtype == dtype else array.view(dtype)
        outputs = [
            results[number] if number in results else self._new_output(*details)
            for number, details in enumerate(self._outputs)
        ]
        self._run([data_address(array) for array in (*inputs, *outputs)], timeout)
        return tuple(outputs)
