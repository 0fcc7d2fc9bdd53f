"""How compiled programs reach the runtime: the table of pointers behind `xrt.call_target`.

A target is a function registered for custom calls, or the name of an op on the surroundings of a program (infeed,
collectives, ...), which does what the reference says. A C function is called directly; anything else is a C callback
that wraps the buffers as arrays. What a callback raises is kept until the entry function has returned; calls after it
fill their results with zeros, and loops with such calls end.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import numpy as np
from xdsl.dialects.builtin import FunctionType, NameLoc, StringAttr, TensorType, TupleType, UnknownLoc
from xdsl.ir import Attribute, Block, Operation
from xdsl.irdl import IRDLOperation

from ..dialects import interpreter as instruments
from ..dialects import stablehlo
from ..dialects.stablehlo.attributes import FutureType, TokenType
from ..dialects.stablehlo.tuples import flat, is_result_table
from ..dialects.xrt import COMPUTATIONS, DIRECT
from ..dialects.xrt_names import EXCHANGES, ROUTINE
from ..errors import UnsupportedError
from ..lowering.to_llvm.module_tables import CallTarget
from ..pipelines import ASYNCHRONOUS, expand
from ..reference.arrays import shape_and_dtype
from ..reference.c_targets import NativeTarget
from ..reference.custom_calls import TARGETS, like_target, require_result, require_results
from ..reference.environment import Environment
from ..reference.interpreter import Interpreter
from ..reference.lapack_addresses import address_of
from ..reference.processes import Process, ProcessGrid
from ..reference.registry import REFERENCE, Call
from ..reference.values import TOKEN, Future, Token
from .devices.closures import DeviceClosure, ForwardingClosure, LocalDevice, Transport
from .devices.exchanges import IDS, meaning
from .function_addresses import function_address
from .guarded_callbacks import guarded
from .mlir_text import parse_module
from .native_call import Exchanging
from .run_state import RunState

if TYPE_CHECKING:
    from .executable import Executable

OPS: dict[str, type[Operation]] = {
    op.name: op
    for op in (
        instruments.PrintOp,
        instruments.ProbeOp,
        stablehlo.AsyncDoneOp,
        stablehlo.AsyncStartOp,
        stablehlo.CollectiveBroadcastOp,
        stablehlo.CollectivePermuteOp,
        stablehlo.InfeedOp,
        stablehlo.OutfeedOp,
        stablehlo.PartitionIdOp,
        stablehlo.RecvOp,
        stablehlo.ReplicaIdOp,
        stablehlo.SendOp,
    )
}
"""The ops that are targets themselves."""

WITH_TOKENS = frozenset({"stablehlo.infeed", "stablehlo.outfeed", "stablehlo.recv", "stablehlo.send"})
"""Those that have a token as last operand and as last result, which a call has not."""

_ON_HOST = WITH_TOKENS | {instruments.PrintOp.name, instruments.ProbeOp.name}
"""Those whose order among the devices of a grid can be seen."""

_TARGET_TYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))

_ENTRY_TYPE = Callable[[int, int, int, int], None]


class _Run:
    """One execution of the program, and what has failed in it."""

    def __init__(self, state: RunState) -> None:
        self.failure: BaseException | None = None
        self._state = state

    def fail(self, error: BaseException) -> None:
        self.failure = error
        self._state.stop()


class CallTargetTable:
    """The pointers to the call targets of one program. `address` is valid as long as this object lives."""

    address: int

    def __init__(self, targets: Sequence[CallTarget], environment: Environment) -> None:
        """Raises `UnsupportedError` for a target that is not registered."""
        self._closures: list[DeviceClosure] = []
        self._device: LocalDevice | None = None
        self._runs: dict[int, _Run] = {}
        self._futures: dict[int, Future] = {}
        self._future_numbers = itertools.count()
        self._interpreter = Interpreter(None, environment)
        self._kept: list[Any] = []
        pointers = [self._pointer(target) for target in targets]
        self._table = (ctypes.c_void_p * len(pointers))(*pointers)
        self.address = ctypes.addressof(self._table)

    def _pointer(self, target: CallTarget) -> int | None:
        if target.name.startswith(ROUTINE):
            return address_of(target.name.removeprefix(ROUTINE))
        if target.name in EXCHANGES:
            return self._closure(target)
        function = REFERENCE[target.name] if target.name in OPS else TARGETS.get(target.name)
        if function is None:
            raise UnsupportedError(f"unknown custom call target @{target.name}{like_target(target.name)}")
        if DIRECT in target.options.data:
            if not isinstance(function, NativeTarget):
                raise UnsupportedError(f"custom call target @{target.name} was a C function when this was compiled")
            self._kept.append(function)
            return function.address
        if target.name == stablehlo.AsyncStartOp.name:
            function = _async_start(target, self._interpreter.environment.process.grid)
        called = _Callback(target, function, self)
        callback = _TARGET_TYPE(guarded(called, called.fail))
        self._kept.append(callback)
        return function_address(callback)

    def _closure(self, target: CallTarget) -> int:
        """The address of what generated code calls for a collective."""
        process, op = self._interpreter.environment.process, _operation(target)
        transport: Transport | None = getattr(process.grid, "transport", None)
        if (transport is None and target.name not in IDS) or "has_dynamic_root" in target.options.data:
            function = REFERENCE[target.name] if target.name in OPS else TARGETS[target.name]
            called = _Callback(target, function, self, has_result_table=True)
            callback = _TARGET_TYPE(guarded(called, called.fail))
            forwarding = ForwardingClosure(function_address(callback))
            self._kept += callback, forwarding
            return forwarding.address
        closure = DeviceClosure(meaning(target, op, process), process.lane, transport)
        self._closures.append(closure)
        self._device = transport.lanes[process.lane] if transport else None
        return closure.address

    def run(self, entry: _ENTRY_TYPE, inputs: int, outputs: int, arena: int, state: RunState) -> None:
        """Run the entry function; raises what a target has raised, unless a handler of a signal has raised something,
        which `RunState.conclude` raises.
        """
        thread, run = threading.get_ident(), _Run(state)
        device, outer_run = self._device, (0, 0)
        if device is not None:
            outer_run = device.run
            device.run_in(state.address, state.context)
        outer = self._runs.get(thread)
        self._runs[thread] = run
        try:
            entry(inputs, outputs, arena, state.context)
        finally:
            if device is not None:
                device.run_in(*outer_run)
            if outer is None:
                del self._runs[thread]
            else:
                self._runs[thread] = outer
        self._raise_failure(state, run.failure)

    def _raise_failure(self, state: RunState, failure: BaseException | None) -> None:
        for closure in self._closures:
            if (error := closure.take_failure()) is not None and failure is None:
                failure = error
        if failure is not None and not state.is_interrupted:
            state.clear()
            raise failure

    def exchanging(self, state: RunState, program: str) -> Exchanging | None:
        """What machine code needs that makes the calls; None where they take more than the device of this thread."""
        if self._device is None or self._kept or not self._device.is_on_caller:
            return None

        def conclude() -> None:
            self._raise_failure(state, None)
            state.conclude(program)
            raise AssertionError("a run that was stopped says why")

        return Exchanging(self._device.address, conclude)

    def current_run(self) -> _Run:
        """That of this thread, on which generated code makes its calls."""
        return self._runs[threading.get_ident()]

    def interpreter(self, target: CallTarget) -> Interpreter:
        """In the surroundings of the program, with the functions that the call names."""
        text = target.options.data.get(COMPUTATIONS)
        if not isinstance(text, StringAttr):
            return self._interpreter
        return Interpreter(parse_module(text.data, "<called computations>"), self._interpreter.environment)

    def number_of(self, future: Future) -> np.ndarray:
        number = next(self._future_numbers)
        self._futures[number] = future
        return np.array(number, np.int64)

    def future(self, number: np.ndarray) -> Future:
        return self._futures.pop(int(number))


@cache
def _asynchronous(text: str, replicas: int, partitions: int) -> Executable:
    from .compiler import compile

    source, pipeline = text.encode(), expand(ASYNCHRONOUS)
    return compile(source, filename="<asynchronous op>", pipeline=pipeline, replicas=replicas, partitions=partitions)


def _async_start(target: CallTarget, grid: ProcessGrid) -> Callable[..., Future]:
    """Runs the compiled body beside the process."""
    body = target.options.data["body"]
    assert isinstance(body, StringAttr)
    executable = _asynchronous(body.data, grid.replicas, grid.partitions)
    idle: dict[int, list[Executable]] = {}  # by lane, whose plans they have

    def start(call: Call, *operands: np.ndarray) -> Future:
        future, environment = Future(), call.interpreter.environment

        def run(process: Process, values: Sequence[np.ndarray]) -> None:
            ready = idle.setdefault(process.lane, [])
            entered = ready.pop() if ready else executable.with_environment(environment.of_process(process))
            results = entered(*values)
            ready.append(entered)
            future.results = results

        call.process.start(run, operands)
        return future

    return start


class _Callback:
    """What generated code calls for a target in Python."""

    def __init__(
        self, target: CallTarget, function: Callable[..., Any], table: CallTargetTable, has_result_table: bool = False
    ) -> None:
        self._name = target.name
        self._function = function
        self._table = table
        self._types = target.signature
        self._inputs = [_Memory(type) for type in flat(target.signature.inputs)]
        self._outputs = [_Memory(type) for type in flat(target.signature.outputs)]
        self._has_result_table = has_result_table or is_result_table(target.signature.outputs.data)
        types = (*target.signature.inputs, *target.signature.outputs)
        self._takes_arrays = target.name not in OPS and all(isinstance(type, TensorType) for type in types)
        self._operation = _operation(target)
        self._call = Call(self._operation, table.interpreter(target))

    def __call__(self, out: int, operands: Any) -> None:
        """Fill the outputs; with zeros after a failure, so that the rest of the program has defined values."""
        if self._table.current_run().failure is not None:
            self._clear(out)
            return
        inputs = [memory.array(operands[i], writeable=False) for i, memory in enumerate(self._inputs)]
        self._store(self._evaluate(inputs), self._arrays(out))

    def fail(self, error: BaseException, out: int, operands: Any) -> None:
        """Note what a call has raised, which cannot pass through generated code."""
        run = self._table.current_run()
        if run.failure is None:
            if self._name not in OPS:
                error.add_note(f"in custom call target @{self._name}")
            run.fail(error)
        self._clear(out)

    def _clear(self, out: int) -> None:
        for output in self._arrays(out):
            output[...] = 0

    def _arrays(self, out: int) -> list[np.ndarray]:
        """The outputs."""
        addresses = ctypes.cast(out, ctypes.POINTER(ctypes.c_void_p)) if self._has_result_table else [out]
        return [memory.array(addresses[i] or 0) for i, memory in enumerate(self._outputs)]

    def _evaluate(self, inputs: Sequence[np.ndarray]) -> Sequence[Any]:
        """What the function returns: the elements of tuples, without tokens."""
        if self._takes_arrays:
            with np.errstate(all="ignore"):
                results = self._function(self._call, *inputs)
            return results if _is_flat(results) else list(self._leaves(results))
        arrays = iter(inputs)
        values = [self._value(type, arrays) for type in self._types.inputs]
        if self._name in _ON_HOST:
            self._call.process.await_turn()
        if self._name in WITH_TOKENS:
            values.append(TOKEN)
        with np.errstate(all="ignore"):
            results = self._function(self._call, *values)
        return list(self._leaves(results))

    def _value(self, type: Attribute, arrays: Iterator[np.ndarray]) -> Any:
        if isinstance(type, TupleType):
            return tuple(self._value(inner, arrays) for inner in type.types.data)
        if isinstance(type, TokenType):
            return TOKEN
        return self._table.future(next(arrays)) if isinstance(type, FutureType) else next(arrays)

    def _leaves(self, value: Any) -> Iterator[Any]:
        if isinstance(value, tuple | list):
            for inner in cast(Sequence[Any], value):
                yield from self._leaves(inner)
        elif isinstance(value, Future):
            yield self._table.number_of(value)
        elif value is not None and not isinstance(value, Token):
            yield value

    def _store(self, results: Sequence[Any], outputs: Sequence[np.ndarray]) -> None:
        values = [np.asarray(value) for value in results]
        require_results(self._operation, len(values), len(outputs))
        for index, (value, output) in enumerate(zip(values, outputs, strict=True)):
            require_result(self._operation, index, value, output.shape, output.dtype)
            output[...] = value


class _Memory:
    """Arrays of one type at addresses that generated code passes."""

    def __init__(self, type: Attribute) -> None:
        self._shape, self._dtype = ((), np.dtype(np.int64)) if isinstance(type, FutureType) else shape_and_dtype(type)
        self._size = prod(self._shape) * self._dtype.itemsize
        self._bytes = ctypes.c_char * self._size

    def array(self, address: int, writeable: bool = True) -> np.ndarray:
        if not self._size:
            return np.empty(self._shape, self._dtype)
        array = np.ndarray(self._shape, self._dtype, cast(Any, self._bytes.from_address(address)))
        array.flags.writeable = writeable
        return array


def _is_flat(results: Any) -> TypeGuard[Sequence[np.ndarray]]:
    """Whether these are arrays in a tuple or list."""
    return type(results) in (tuple, list) and all(type(value) is np.ndarray for value in results)


def _operation(target: CallTarget) -> Operation:
    """An op like that of the program, by itself."""
    signature: FunctionType = target.signature
    tokens = [TokenType()] if target.name in WITH_TOKENS else []
    operands = Block(arg_types=[*signature.inputs, *tokens]).args
    results = [*signature.outputs, *tokens]
    options = dict(target.options.data)
    place = options.pop("location", None)
    if target.name in OPS:
        op_type, name = OPS[target.name], options.pop("name", None)
        if isinstance(name, StringAttr) and operands:
            operands[0].name_hint = name.data
        op = op_type.create(operands=operands, result_types=results)
    else:
        op_type, op = stablehlo.CustomCallOp, stablehlo.CustomCallOp(target.name, operands, results)
    for key, value in options.items():
        (op.properties if key in _properties(op_type) else op.attributes)[key] = value
    if isinstance(place, StringAttr):
        op.location = NameLoc(place, UnknownLoc())
    return op


@cache
def _properties(op_type: type[Operation]) -> frozenset[str]:
    """The names of the attributes that are part of the op itself."""
    assert issubclass(op_type, IRDLOperation)
    return frozenset(op_type.get_irdl_definition().properties)
