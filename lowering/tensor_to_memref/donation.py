"""Results of the entry function in the memory of arguments that the caller gives away.

An argument says so by `tf.aliasing_output = N : i32`, for result N, or `jax.buffer_donor = true`, for any result of its
type. Where the program computes such a result in the argument's buffer without a copy, it stays there: the entry has
the pairs of argument and result in `xrt.donated`, and does not use the output argument. Else the result has a buffer of
its own, as without donation. That is so where the argument's last reader comes before the op that computes the result,
is a loop that carries it or an update of it, or is a kernel in which one `linalg.generic` alone reads it, and writes
the result at the same point. Such a kernel has one parameter for both, so that LLVM sees that they are the same. A loop
whose values change places may leave the result in another of its buffers; then it is copied, once, behind the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.ir.affine import AffineMap

from ...dialects.editing import walk
from ...dialects.xrt_names import DONATED, KERNEL
from ...ir.views import whole_buffer_of

Donations = dict[int, int]
"""The number of a result to that of the argument in whose memory it is."""

Pair = tuple[int, int]
"""The numbers of an operand and of a result of a kernel."""


def requested(function: func.FuncOp) -> Donations:
    """What the attributes of the arguments of `function`, on level 3, ask for and their types allow."""
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    found: Donations = {}
    donors: list[int] = []
    for number, attributes in enumerate(function.arg_attrs or ()):
        alias, donor = attributes.data.get("tf.aliasing_output"), attributes.data.get("jax.buffer_donor")
        if isinstance(alias, IntegerAttr):
            result = alias.value.data
            if 0 <= result < len(outputs) and result not in found and inputs[number] == outputs[result]:
                found[result] = number
        elif isinstance(donor, IntegerAttr) and donor == BoolAttr.from_bool(True):
            donors.append(number)
    for number in donors:
        fitting = (i for i, type in enumerate(outputs) if i not in found and type == inputs[number])
        if (result := next(fitting, None)) is not None:
            found[result] = number
    return found


def note(function: func.FuncOp, donations: Donations) -> None:
    """Says which results are in the memory of which arguments, if any are."""
    if donations:
        numbers = [number for result, argument in sorted(donations.items()) for number in (argument, result)]
        function.attributes[DONATED] = DenseArrayBase.from_list(i64, numbers)


def pointwise_pairs(block: Block) -> Iterator[Pair]:
    """Which operands of the kernel with the body `block`, on level 3, may be in the memory of which results.

    A result is at such a pair if an elementwise op computes it that reads the operand, which nothing else does, element
    by element where it writes the result, and not what the result's buffer held before.
    """
    last = block.last_op
    if isinstance(last, func.ReturnOp):
        for op in block.ops:
            if isinstance(op, GenericOp) and all(kind.data is IteratorType.PARALLEL for kind in op.iterator_types):
                yield from _pairs_of(op, block, list(last.operands))


def _pairs_of(op: GenericOp, block: Block, returned: list[SSAValue]) -> Iterator[Pair]:
    maps = [attribute.data for attribute in op.indexing_maps]
    identity = AffineMap.identity(len(op.iterator_types))
    body = op.body.block.args
    for number, value in enumerate(op.results):
        place = len(op.inputs) + number
        if maps[place] != identity or body[place].first_use is not None or returned.count(value) != 1:
            continue
        result = returned.index(value)
        if op.outputs[number] is not block.args[len(block.args) - len(returned) + result]:
            continue
        for source, operand in enumerate(op.inputs):
            if maps[source] == identity and isinstance(operand, BlockArgument) and operand.has_one_use():
                yield operand.index, result


def merge_parameters(module: ModuleOp) -> None:
    """Gives kernels that are called with one buffer for an operand and a result one parameter for both, on level 4.

    A kernel that is called both ways is there twice.
    """
    functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
    calls: dict[str, dict[tuple[Pair, ...], list[func.CallOp]]] = {}
    for function in functions.values():
        for op in () if KERNEL in function.attributes else walk(function):
            if type(op) is func.CallOp:
                callers = calls.setdefault(op.callee.string_value(), {})
                callers.setdefault(_shared(op.operands), []).append(op)
    for name, shared in calls.items():
        for number, (pairs, sharing) in enumerate(shared.items()):
            if not pairs:
                continue
            kernel = functions[name]
            if len(shared) > 1:
                kernel = kernel.clone()
                kernel.properties["sym_name"] = StringAttr(f"{name}_in_place_{number}")
                module.body.block.insert_op_after(kernel, functions[name])
                for call in sharing:
                    call.properties["callee"] = type(call.callee)(kernel.sym_name)
            for operand, result in pairs:
                arguments = kernel.body.block.args
                arguments[result].replace_all_uses_with(arguments[operand])


def _shared(operands: Sequence[SSAValue]) -> tuple[Pair, ...]:
    """The positions at which the same buffer is passed twice, whatever it has been reshaped to before."""
    first: dict[SSAValue, list[int]] = {}
    pairs: list[Pair] = []
    for position, operand in enumerate(operands):
        places = first.setdefault(whole_buffer_of(operand), [])
        same = next((place for place in places if operands[place].type == operand.type), None)
        if same is None:
            places.append(position)
        else:
            pairs.append((same, position))
    return tuple(pairs)
