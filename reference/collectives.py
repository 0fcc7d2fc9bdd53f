"""Ops in which several processes take part (StableHLO specification, sections of those names)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..dialects.stablehlo.ragged_calls import RAGGED_ALL_TO_ALL
from ..dialects.xrt_names import MEMBERS, PARTS, PIECE, REDUCED
from ..errors import InvalidProgramError
from .arrays import Array
from .custom_calls import custom_call_target
from .process_groups import Collective, collective
from .processes import PairAddress
from .reduction import reduce_axis
from .registry import Call, reference


def _collective(call: Call) -> Collective:
    return collective(call.op, call.process.grid)


def _exchange(call: Call, value: Any) -> tuple[int, list[Any]]:
    """The own place in the group, and the values of all members."""
    found = call.process.exchange(_collective(call), value)
    assert found is not None, "groups without this process are an error of their own"
    return found


@custom_call_target(MEMBERS)
def members(call: Call, *operands: Array) -> tuple[Array, ...]:
    """For each operand those of all members of the group, filled up with zeros; how many they are, the own place.

    A process in no group, where the op allows that, gets zeros and has the place -1. With the attribute `parts`, member
    i gets part i of the operands, along their first dimension.
    """
    is_in_parts = call.attribute(PARTS) is not None
    stacks = [np.zeros(*call.result(index)) for index in range(len(operands))]
    place, values = call.process.exchange(_collective(call), operands) or (-1, [])
    for member, arrays in enumerate(values):
        for stack, array in zip(stacks, arrays, strict=True):
            stack[member] = array[place] if is_in_parts else array
    return (*stacks, np.array(max(1, len(values)), np.int32), np.array(place, np.int32))


@custom_call_target(REDUCED)
def reduced(call: Call, operand: Array) -> Array:
    """The reduction of the operands of all members, or, with the attribute `parts`, the part of it that is of the place
    of the process, along the first dimension. The function that the call names reduces a piece.
    """
    place, values = _exchange(call, operand)
    if call.attribute(PARTS) is not None:
        values = [value[place] for value in values]
    (symbol,) = call.get("called_computations").data
    flat, result = [value.reshape(-1) for value in values], np.empty(*call.result())
    count, piece = result.size, call.int(PIECE) // result.itemsize
    for start in range(0, count, piece):
        own = slice(min(start, count - piece), min(start, count - piece) + piece)
        (result.reshape(-1)[own],) = call.interpreter.call(symbol.string_value(), [x[own] for x in flat], call.op)
    return result


def _reduced(call: Call, values: Sequence[Array]) -> Array:
    return reduce_axis(call, [np.stack(values)])[0]


@reference("stablehlo.all_gather")
def all_gather(call: Call, *operands: Array) -> tuple[Array, ...]:
    _, members = _exchange(call, operands)
    dimension = call.int("all_gather_dim")
    return tuple(np.concatenate(values, dimension) for values in zip(*members, strict=True))


@reference("stablehlo.all_reduce")
def all_reduce(call: Call, *operands: Array) -> tuple[Array, ...]:
    _, members = _exchange(call, call.promoted(*operands))
    return tuple(_reduced(call, values) for values in zip(*members, strict=True))


@reference("stablehlo.reduce_scatter")
def reduce_scatter(call: Call, operand: Array) -> Array:
    """The part of the reduction that has the place of the process in its group."""
    place, members = _exchange(call, call.promoted(operand)[0])
    return np.split(_reduced(call, members), len(members), call.int("scatter_dimension"))[place]


def _data_and_roots(call: Call, operands: Sequence[Array]) -> tuple[Sequence[Array], Sequence[int]]:
    """What is sent, and for each result the place of the root in the group."""
    if call.attribute("has_dynamic_root") is None:
        return operands, [0] * len(operands)
    return operands[:-1], [int(root) for root in operands[-1]]


@reference("stablehlo.collective_reduce")
def collective_reduce(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The reduction for the root of a group; zeros for the others and for a process in no group."""
    data, roots = _data_and_roots(call, operands)
    values = call.promoted(*data)
    found = call.process.exchange(_collective(call), values)
    if found is None:
        return tuple(np.zeros_like(value) for value in values)
    place, members = found
    return tuple(
        _reduced(call, parts) if place == root else np.zeros_like(parts[place])
        for root, parts in zip(roots, zip(*members, strict=True), strict=True)
    )


@reference("stablehlo.cross-replica-sum")
def cross_replica_sum(call: Call, operand: Array) -> Array:
    """`all_reduce` with addition."""
    _, members = _exchange(call, operand)
    total = members[0]
    for member in members[1:]:
        total = total + member
    return total


@reference("stablehlo.all_to_all")
def all_to_all(call: Call, *operands: Array) -> tuple[Array, ...]:
    """Part i of every member goes to member i."""
    split, concat, count = call.int("split_dimension"), call.int("concat_dimension"), call.int("split_count")
    place, members = _exchange(call, operands)
    return tuple(
        np.concatenate([np.split(value, count, split)[place] for value in values], concat)
        for values in zip(*members, strict=True)
    )


@custom_call_target(RAGGED_ALL_TO_ALL)
def ragged_all_to_all(
    call: Call,
    operand: Array,
    output: Array,
    input_offsets: Array,
    send_sizes: Array,
    output_offsets: Array,
    recv_sizes: Array,
) -> Array:
    """Rows of `operand` go into `output` of the members of the group: `send_sizes[i]` from `input_offsets[i]` on, to
    row `output_offsets[i]` of the member that part i is for. Each member has as many parts as the others. What members
    receive follows from what is sent, so `recv_sizes` is only checked (`jax.lax.ragged_all_to_all`)."""
    place, members = _exchange(call, (operand, input_offsets, send_sizes, output_offsets))
    result = np.array(output)
    parts = len(send_sizes) // len(members)
    for sender, (rows, starts, sizes, targets) in enumerate(members):
        for part in range(parts):
            index = place * parts + part
            start, size, target = int(starts[index]), int(sizes[index]), int(targets[index])
            expected = int(recv_sizes[sender * parts + part])
            if size != expected:
                message = f"recv_sizes: {size} rows come from member {sender}, not {expected}"
                raise InvalidProgramError(f"'{call.string('call_target_name')}' op: {message}", call.op)
            if size < 0 or start < 0 or start + size > len(rows) or target < 0 or target + size > len(result):
                message = f"{size} rows from row {start} of {len(rows)} to row {target} of {len(result)}"
                raise InvalidProgramError(f"'{call.string('call_target_name')}' op: {message}", call.op)
            result[target : target + size] = rows[start : start + size]
    return result


@reference("stablehlo.collective_broadcast")
def collective_broadcast(call: Call, *operands: Array) -> tuple[Array, ...]:
    """The values of the root of the group; zeros for a process in no group."""
    data, roots = _data_and_roots(call, operands)
    found = call.process.exchange(_collective(call), data)
    if found is None:
        return tuple(np.zeros_like(value) for value in data)
    _, members = found
    if any(not 0 <= root < len(members) for root in roots):
        raise InvalidProgramError(f"'{call.op.name}' op: roots {list(roots)} of a group of {len(members)}", call.op)
    return tuple(members[root][index].copy() for index, root in enumerate(roots))


@reference("stablehlo.collective_permute")
def collective_permute(call: Call, operand: Array) -> Array:
    """The value of the source whose target the process is; zeros if there is none."""
    process, (key, pairs, terms) = call.process, _collective(call)
    for source, target in pairs:
        if source == process.id:
            process.grid.post(PairAddress(key, source, target), operand, terms)
    sender = next((source for source, target in pairs if target == process.id), None)
    if sender is None:
        return np.zeros_like(operand)
    address = PairAddress(key, sender, process.id)
    their_terms, value = process.receive(address, f"process {sender} in {key}", terms.place)
    terms.check(process.id, their_terms, sender)
    return value


@reference("stablehlo.partition_id")
def partition_id(call: Call) -> Array:
    return np.array(call.process.partition, np.uint32)


@reference("stablehlo.replica_id")
def replica_id(call: Call) -> Array:
    return np.array(call.process.replica, np.uint32)
