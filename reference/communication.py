"""Tokens, transfers to and from other processes and the host, asynchronous ops (sections of those names)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from ..errors import InvalidProgramError, place_of
from .arrays import Array, dense_array
from .environment import Batch
from .processes import Process, ProcessId, Terms, at_place
from .registry import Call, reference
from .values import TOKEN, Future, Token, Value


@reference("stablehlo.after_all", "stablehlo.create_token")
def after_all(call: Call, *inputs: Token) -> Token:
    return TOKEN


def _received(call: Call, values: tuple[Array, ...], sent: str = "") -> tuple[Value, ...]:
    """`values` and a token, checked against the results of the op; `sent` is the place of the send."""
    expected = [call.result(i) for i in range(len(call.op.results) - 1)]
    got = [(value.shape, value.dtype) for value in values]
    if got != expected:
        text = ", ".join(f"{dtype.name}{list(shape)}" for shape, dtype in got)
        wanted = ", ".join(f"{dtype.name}{list(shape)}" for shape, dtype in expected)
        raise InvalidProgramError(f"'{call.op.name}' op: received ({text}){sent}, expected ({wanted})", call.op)
    return (*values, TOKEN)


def _next(queue: deque[Batch | Callable[[], Batch]]) -> Batch:
    batch = queue.popleft()
    return batch() if callable(batch) else batch


@reference("stablehlo.infeed")
def infeed(call: Call, token: Token) -> tuple[Value, ...]:
    """The next entry of the infeed queue; without results, nothing is read."""
    queue = call.interpreter.environment.host.infeed
    if len(call.op.results) == 1:
        return (TOKEN,)
    if not queue:
        raise InvalidProgramError(f"'{call.op.name}' op: the infeed queue is empty", call.op)
    return _received(call, _next(queue))


@reference("stablehlo.outfeed")
def outfeed(call: Call, *inputs: Any) -> Token:
    """Appends the operands to the outfeed queue."""
    call.interpreter.environment.host.write(tuple(inputs[:-1]))
    return TOKEN


def _channel(call: Call) -> int:
    return call.get("channel_handle").handle


def _is_host_transfer(call: Call) -> bool:
    return bool(call.int("is_host_transfer", 0))


def _pairs(call: Call) -> list[list[ProcessId]] | None:
    """Who sends to whom, partitions of one replica; None where the op does not say."""
    if call.attribute("source_target_pairs") is None:
        return None
    rows = [[int(id) for id in row] for row in dense_array(call.get("source_target_pairs"))]
    return call.process.grid.cross_partition(rows) if rows else None


def _address(call: Call, receiver: ProcessId | None = None) -> Hashable:
    return "send", _channel(call), receiver


@reference("stablehlo.send")
def send(call: Call, *inputs: Any) -> Token:
    """To the host, to the processes that are its targets, or to whoever receives from the channel."""
    values, host = tuple(inputs[:-1]), call.interpreter.environment.host
    if _is_host_transfer(call):
        host.send(_channel(call), values)
        return TOKEN
    pairs, grid, terms = _pairs(call), call.process.grid, Terms(call.op.name, {}, place_of(call.op))
    if pairs is None:
        grid.post(_address(call), values, terms)
    for source, target in pairs or ():
        if source == call.process.id:
            grid.post(_address(call, target), values, terms)
    return TOKEN


@reference("stablehlo.recv")
def recv(call: Call, token: Token) -> tuple[Value, ...]:
    """Waits for a value of the channel; a process that is no target of it receives zeros."""
    channel, host = _channel(call), call.interpreter.environment.host
    if _is_host_transfer(call):
        if not host.from_host[channel]:
            raise InvalidProgramError(f"'{call.op.name}' op: the host sent nothing on channel {channel}", call.op)
        return _received(call, _next(host.from_host[channel]))
    pairs, receiver = _pairs(call), call.process.id
    if pairs is not None and all(target != receiver for _, target in pairs):
        results = [call.result(i) for i in range(len(call.op.results) - 1)]
        return (*(np.zeros(shape, dtype) for shape, dtype in results), TOKEN)
    address = _address(call, receiver if pairs is not None else None)
    terms, values = call.process.receive(address, f"a value on channel {channel}", place_of(call.op))
    return _received(call, values, at_place(terms.place))


@reference("stablehlo.async_start")
def async_start(call: Call, *operands: Array) -> Future:
    """Runs the body beside the process."""
    future = Future()

    def run(process: Process, values: tuple[Array, ...]) -> None:
        interpreter = call.interpreter.fork()
        interpreter.environment = interpreter.environment.of_process(process)
        future.results = interpreter.run_region(call.op.regions[0], values)

    call.process.start(run, operands)
    return future


@reference("stablehlo.async_done")
def async_done(call: Call, future: Future) -> tuple[Value, ...]:
    """Waits for the results of the `async_start`."""
    call.process.wait(lambda: future.results is not None, "an asynchronous op", place_of(call.op))
    assert future.results is not None
    return future.results
