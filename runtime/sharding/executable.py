"""A compiled program on whole arrays that runs on several devices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from ...dialects.sdy.shardings import Sharding
from ...errors import ArgumentError
from ...tracebacks import short_tracebacks
from ..arguments import check_timeout, convert_argument
from ..devices.local import TIMEOUT
from ..grid import run_grid
from ..options import refuse
from ..signature import TOKEN_TYPE, Signature, tensors_of
from .splitting import Splitting

if TYPE_CHECKING:
    from ...reference.environment import Environment
    from ..executable import Executable, Statistics


class ShardedExecutable:
    """A program for several devices of this process: `outputs = executable(*inputs)`, on whole arrays.

    A call splits the arguments, runs the program of a device on each part, and joins the results. `run_sharded` takes
    and gives parts. A token is anything as an argument and `TOKEN` of `reference/values.py` as a result.
    """

    signature: Signature
    """That of the program on whole arrays."""
    local: Executable
    """The program of a device."""
    devices: int

    def __init__(self, local: Executable) -> None:
        """`local` is compiled from the program of a device, and says what it is of (`Executable.spread`)."""
        spread = local.spread
        assert spread is not None
        self.local, self.devices, self.signature = local, spread.devices, spread.signature
        self._inputs, self._outputs = spread.splittings()
        self._environment: Environment | None = None
        self._timeout = TIMEOUT

    @property
    def input_shardings(self) -> tuple[Sharding | None, ...]:
        """How each argument is split; None for one that every device has all of."""
        return tuple(splitting.sharding for splitting in self._inputs)

    @property
    def output_shardings(self) -> tuple[Sharding | None, ...]:
        """How each result is split."""
        return tuple(splitting.sharding for splitting in self._outputs)

    @property
    def input_splittings(self) -> tuple[Splitting, ...]:
        """What splits and joins arrays as the program wants its arguments."""
        return self._inputs

    @property
    def output_splittings(self) -> tuple[Splitting, ...]:
        """The same for its results."""
        return self._outputs

    @property
    def timings(self) -> dict[str, float]:
        """Seconds per step of the compilation of the program of a device."""
        return self.local.timings

    @property
    def statistics(self) -> Statistics:
        """What the program of a device takes."""
        return self.local.statistics

    @property
    def environment(self) -> Environment:
        """The surroundings of the program: queues and channels of the host, the seed. Calls one after the other go on
        with the same queues and random numbers.
        """
        from ...reference.environment import Environment

        if self._environment is None:
            self._environment = Environment(seed=self.local.seed)
        return self._environment

    def with_environment(self, environment: Environment) -> ShardedExecutable:
        """The same program with these surroundings: queues of the host, channels, the seed."""
        other = copy(self)
        other._environment = environment
        return other

    def with_collective_timeout(self, seconds: float) -> ShardedExecutable:
        """The same program, whose devices wait for each other for at most so many seconds (60 by default): after that
        a call raises `ProgramTimeoutError`. Raises `ArgumentError`.
        """
        check_timeout(seconds)
        other = copy(self)
        other._timeout = seconds
        return other

    @short_tracebacks
    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        """The results on whole arrays. Raises `ArgumentError` and what the program raises."""
        specs, signature = self.signature.inputs, self.signature
        count = len(specs if signature.argument_types is None else signature.argument_types)
        if len(arrays) != count:
            raise ArgumentError(f"'@{signature.entry}' takes {count} arguments, got {len(arrays)}")
        if signature.argument_types is not None:
            pairs = zip(arrays, signature.argument_types, strict=True)
            arrays = tuple(array for array, type in pairs if type != TOKEN_TYPE)
        columns = [
            splitting.split(convert_argument(array, spec, index))
            for index, (array, spec, splitting) in enumerate(zip(arrays, specs, self._inputs, strict=True))
        ]
        rows = [signature.arguments([column[device] for column in columns]) for device in range(self.devices)]
        results = [list(tensors_of(row)) for row in self._run(rows)]
        whole = [splitting.join([row[index] for row in results]) for index, splitting in enumerate(self._outputs)]
        return signature.results(whole)

    @short_tracebacks
    def run_sharded(self, arguments: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        """The results of each device, in the order of their numbers, on the parts that each of them has.

        `input_splittings` and `output_splittings` split and join whole arrays in the same way. Raises `ArgumentError`
        for another number of devices, and for parts of other shapes.
        """
        if not isinstance(arguments, list | tuple) or len(arguments) != self.devices:
            refuse("arguments", f"the arguments of each of {self.devices} devices", arguments)
        return self._run(arguments)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the compiled program to a file, from which `xdsl_xla.load` reads it on machines with the same CPU
        features. What lies in queues, and how many random numbers were drawn, is not saved. Raises `XlaError`.
        """
        from ..saved_executables import save

        save(self.local, path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold what `save` writes; the time that devices wait for each other is that of a new program."""
        from ..saved_executables import executable_bytes, from_bytes

        name = f"<pickle of @{self.signature.entry}>"
        return from_bytes, (executable_bytes(self.local.program, self.local.seed), name)

    def __copy__(self) -> ShardedExecutable:
        """The same code and surroundings."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __repr__(self) -> str:
        inputs, outputs = (
            ", ".join(f"{spec.name}: {spec}" for spec in specs)
            for specs in (self.signature.inputs, self.signature.outputs)
        )
        return f"<ShardedExecutable @{self.signature.entry}({inputs}) -> ({outputs}) on {self.devices} devices>"

    def _run(self, rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
        environment = None if self.local.acts_on_devices_only else self.environment
        (results,) = run_grid(self.local, [rows], environment, collective_timeout=self._timeout)
        return results
