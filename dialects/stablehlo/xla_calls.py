"""The forms of custom calls whose targets XLA, its front ends and its partitioner define: what they take and give.

LAPACK's routines and the factorisations of XLA are in `lapack_calls.py`, the collective in `ragged_calls.py`. What is
compiled, and the reference, rely on these forms; they are checked where a program comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, IntegerType, TensorType, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from ..symbol_lookup import lookup_symbol
from .custom_call import CustomCallOp, called_functions
from .lapack_calls import options_of

Tensor = TensorType[Attribute]
Types = Sequence[Attribute]


class CallForm:
    """What is asked of one call; methods raise `VerifyException` that names the target and the place."""

    def __init__(self, op: CustomCallOp) -> None:
        self.op = op
        self.operands: Types = op.inputs.types
        self.results: Types = op.result.types

    def fail(self, place: str, wanted: str, got: object) -> NoReturn:
        raise VerifyException(f"call of @{self.op.call_target_name.data}, {place}: expected {wanted}, got {got}")

    def count(self, side: str, types: Types, wanted: int) -> None:
        if len(types) != wanted:
            self.fail(f"{side}s", str(wanted), len(types))

    def tensor(self, place: str, type: Attribute) -> Tensor:
        if not isinstance(type, TensorType):
            self.fail(place, "a tensor", type)
        return cast(Tensor, type)

    def same(self, place: str, type: Attribute, wanted: Attribute) -> None:
        if type != wanted:
            self.fail(place, str(wanted), type)

    def like(self, place: str, type: Attribute, other: Tensor) -> Tensor:
        """A tensor of the element type and the rank of another."""
        tensor = self.tensor(place, type)
        rank = len(other.get_shape())
        if tensor.element_type != other.element_type or len(tensor.get_shape()) != rank:
            self.fail(place, f"a tensor of {rank} dimensions of {other.element_type}", type)
        return tensor

    def number(self, place: str, type: Attribute) -> None:
        """One integer."""
        tensor = self.tensor(place, type)
        if tensor.get_shape() or not isinstance(tensor.element_type, IntegerType):
            self.fail(place, "an integer, a tensor of rank 0", type)


def _annotation(form: CallForm) -> None:
    """Each result is an operand, perhaps of another shape where the call changes from the shape of a whole to that of
    a part.
    """
    if len(form.results) > len(form.operands):
        form.fail("results", f"at most {len(form.operands)}, one for each operand", len(form.results))
    for index, (operand, result) in enumerate(zip(form.operands, form.results, strict=False)):
        if isinstance(operand, TensorType):
            form.like(f"result {index}", result, cast(Tensor, operand))
        else:
            form.same(f"result {index}", result, operand)


def _pad_to_static(form: CallForm) -> None:
    """`T -> padded T, the size of each dimension`"""
    form.count("operand", form.operands, 1)
    operand = form.tensor("operand 0", form.operands[0])
    form.count("result", form.results, 1 + len(operand.get_shape()))
    padded = form.like("result 0", form.results[0], operand)
    bounds = getattr(operand.encoding, "bounds", operand.get_shape())
    shape = tuple(b if s == DYNAMIC_INDEX else s for s, b in zip(operand.get_shape(), bounds, strict=True))
    if padded.get_shape() != shape:
        form.fail("result 0", f"the operand padded to {list(shape)}", padded)
    for index, size in enumerate(form.results[1:], 1):
        form.number(f"result {index}", size)


def _slice_to_dynamic(form: CallForm) -> None:
    """`padded T, the size of each dimension -> T`"""
    if not form.operands:
        form.fail("operands", "a tensor and its sizes", "none")
    operand = form.tensor("operand 0", form.operands[0])
    form.count("operand", form.operands, 1 + len(operand.get_shape()))
    for index, size in enumerate(form.operands[1:], 1):
        form.number(f"operand {index}", size)
    form.count("result", form.results, 1)
    result = form.like("result 0", form.results[0], operand)
    bounds = getattr(result.encoding, "bounds", result.get_shape())
    for size, bound, whole in zip(result.get_shape(), bounds, operand.get_shape(), strict=True):
        if whole == DYNAMIC_INDEX or size not in (DYNAMIC_INDEX, whole) or bound not in (DYNAMIC_INDEX, whole):
            form.fail("result 0", f"a tensor whose bounds are the sizes of {operand}", result)


def _allocate_buffer(form: CallForm) -> None:
    form.count("operand", form.operands, 0)
    form.count("result", form.results, 1)
    if DYNAMIC_INDEX in form.tensor("result 0", form.results[0]).get_shape():
        form.fail("result 0", "a tensor of static shape", form.results[0])


def _state(form: CallForm) -> None:
    """Nothing but a result: the state of a generator."""
    form.count("operand", form.operands, 0)
    form.count("result", form.results, 1)
    form.tensor("result 0", form.results[0])


def _approximate_top_k(form: CallForm) -> None:
    """`inputs, a number for each -> the greatest of them along a dimension`, by a function of two numbers of each."""
    count = len(form.operands) // 2
    if not count or len(form.operands) % 2:
        form.fail("operands", "tensors and as many initial values", f"{len(form.operands)} operands")
    form.count("result", form.results, count)
    first = form.tensor("operand 0", form.operands[0])
    rank = len(first.get_shape())
    pairs: list[Attribute] = []
    for index, (type, initial) in enumerate(zip(form.operands[:count], form.operands[count:], strict=True)):
        tensor = form.tensor(f"operand {index}", type)
        if tensor.get_shape() != first.get_shape():
            form.fail(f"operand {index}", f"a tensor of the shape of {first}", type)
        scalar = TensorType(tensor.element_type, ())
        form.same(f"operand {count + index}", initial, scalar)
        form.like(f"result {index}", form.results[index], tensor)
        pairs += [scalar, scalar]
    options = options_of(form.op)
    numbers: list[int] = []
    for name, limit in (("reduction_dim", rank - 1), ("top_k", None)):
        value = options.get(name)
        number: int | None = cast(Any, value).value.data if isinstance(value, IntegerAttr) else None
        if limit is None and numbers:
            limit = first.get_shape()[numbers[0]]
        if number is None or number < 0 or (limit is not None and limit != DYNAMIC_INDEX and number > limit):
            form.fail(f"option {name}", f"a number from 0 to {limit}", cast(object, value))
        numbers.append(number)
    _comparator(form, pairs)


def _is_in_a_module(op: Operation) -> bool:
    """Whether symbols can be looked up: passes verify ops in blocks that are not in a function yet."""
    while (outer := op.parent_op()) is not None:
        if outer.has_trait(SymbolTable):
            return True
        op = outer
    return False


def _comparator(form: CallForm, arguments: Types) -> None:
    """The only function that the call names: of two numbers of each operand, whether the first ones go before."""
    functions = called_functions(form.op)
    if len(functions) != 1:
        form.fail("called_computations", "one function", len(functions))
    function = lookup_symbol(form.op, functions[0]) if _is_in_a_module(form.op) else None
    if not isinstance(function, FuncOp):
        return  # who looks for it says so
    types = function.function_type
    if tuple(types.inputs) != tuple(arguments) or tuple(types.outputs) != (TensorType(i1, ()),):
        wanted = f"({', '.join(map(str, arguments))}) -> tensor<i1>"
        form.fail(f"computation {functions[0]}", wanted, types)


def _comparison(form: CallForm) -> None:
    """`T, T -> nothing, or whether they are equal`"""
    form.count("operand", form.operands, 2)
    first = form.tensor("operand 0", form.operands[0])
    form.like("operand 1", form.operands[1], first)
    for index, result in enumerate(form.results):
        form.same(f"result {index}", result, TensorType(i1, ()))


ANNOTATIONS = (
    "AssumeGatherIndicesInBound",
    "InspectSharding",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "PinToDevice",
    "PinToDeviceSram",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "Sharding",
    "annotate_device_placement",
    "control_dep",
    "dce_sink",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.ShardingGroup",
)
"""Calls that mark their operands for a partitioner, as values that are wanted, or as computed one after the other."""

FORMS: dict[str, Callable[[CallForm], None]] = {
    **dict.fromkeys(ANNOTATIONS, _annotation),
    "PadToStatic": _pad_to_static,
    "SliceToDynamic": _slice_to_dynamic,
    "AllocateBuffer": _allocate_buffer,
    "ApproxTopK": _approximate_top_k,
    "rng_get_and_update_state": _state,
    **dict.fromkeys(
        ("check.expect_eq", "check.eq", "check.expect_almost_eq", "check.almost_eq", "check.expect_close"), _comparison
    ),
}
"""What checks the calls of each target."""


def verify_known_call(op: CustomCallOp) -> None:
    """Raises `VerifyException` if `op` calls a target of `FORMS` in another form than there is."""
    if "indices_of_shape_operands" in op.attributes:  # it has operands besides
        return
    if (check := FORMS.get(op.call_target_name.data)) is not None:
        check(CallForm(op))
