"""The forms of the custom calls that JAX writes for symbolic shapes, whose sizes are operands.

`stablehlo-refine-shapes` relies on these forms; they are checked where a program comes in.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, i1

from .attributes import RngAlgorithmAttr
from .custom_call import CustomCallOp, called_functions
from .lapack_calls import SHAPE_OPERANDS
from .xla_calls import CallForm

WINDOW_OPERANDS = ("window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")
"""The last operands of `dynamic_reduce_window`."""


def _sizes(form: CallForm, index: int, count: int | None = None) -> None:
    """Operand `index` is a list of so many integers, or of any number."""
    place, type = f"operand {index}", form.operands[index]
    tensor = form.tensor(place, type)
    shape = tensor.get_shape()
    known = len(shape) == 1 and count in (None, shape[0])
    if not known or not isinstance(tensor.element_type, IntegerType | IndexType):
        form.fail(place, "integers" if count is None else f"{count} integers", type)


def _top_k(form: CallForm) -> None:
    """`T, k -> the greatest of T, where these are`"""
    form.count("operand", form.operands, 2)
    operand = form.tensor("operand 0", form.operands[0])
    form.number("operand 1", form.operands[1])
    form.count("result", form.results, 2)
    form.like("result 0", form.results[0], operand)


def _rng_bit_generator(form: CallForm) -> None:
    """`state, shape -> state, bits`"""
    form.count("operand", form.operands, 2)
    state = form.tensor("operand 0", form.operands[0])
    _sizes(form, 1)
    form.count("result", form.results, 2)
    form.like("result 0", form.results[0], state)
    form.tensor("result 1", form.results[1])
    algorithm = form.op.attributes.get("rng_algorithm")
    if not isinstance(algorithm, RngAlgorithmAttr):
        form.fail("attribute rng_algorithm", "an algorithm", algorithm)


def _reduce_window(form: CallForm) -> None:
    """`tensors, a number for each, five lists that describe the window -> tensors`, by a function."""
    count, odd = divmod(len(form.operands) - len(WINDOW_OPERANDS), 2)
    if count < 1 or odd:
        wanted = f"tensors, as many initial values, and {len(WINDOW_OPERANDS)} operands for the window"
        form.fail("operands", wanted, f"{len(form.operands)} operands")
    form.count("result", form.results, count)
    rank = len(form.tensor("operand 0", form.operands[0]).get_shape())
    first = 2 * count
    for index in range(first, first + 4):
        _sizes(form, index, rank)
    padding = form.tensor(f"operand {first + 4}", form.operands[first + 4])
    if padding.get_shape() != (rank, 2) or not isinstance(padding.element_type, IntegerType | IndexType):
        form.fail(f"operand {first + 4}", f"{rank} pairs of integers", padding)
    if (functions := len(called_functions(form.op))) != 1:
        form.fail("called_computations", "one function", functions)


def _approximate_top_k(form: CallForm) -> None:
    """`tensors, a number for each, k, shapes -> the greatest of them`; the rest is what `ApproxTopK` asks for."""
    if not form.operands:
        form.fail("operands", "tensors, as many initial values and a number", "none")
    shapes = len(form.results) if SHAPE_OPERANDS in form.op.attributes else 0
    form.count("operand", form.operands, 2 * len(form.results) + 1 + shapes)
    form.number(f"operand {2 * len(form.results)}", form.operands[2 * len(form.results)])


def _wrapper(form: CallForm) -> None:
    """`T, shape -> T`"""
    if not form.operands:
        form.fail("operands", "a tensor and its shape", "none")
    form.count("result", form.results, 1)
    form.like("result 0", form.results[0], form.tensor("operand 0", form.operands[0]))


def _assertion(form: CallForm) -> None:
    """`whether it holds, numbers for the message -> nothing`"""
    if not form.operands:
        form.fail("operands", "a condition", "none")
    condition = form.tensor("operand 0", form.operands[0])
    if condition.element_type != i1 or DYNAMIC_INDEX in condition.get_shape():
        form.fail("operand 0", "a condition, i1", condition)
    form.count("result", form.results, 0)


FORMS: dict[str, Callable[[CallForm], None]] = {
    "shape_assertion": _assertion,
    "stablehlo.dynamic_approx_top_k": _approximate_top_k,
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _rng_bit_generator,
    "stablehlo.dynamic_top_k": _top_k,
    "stablehlo.shape_refinement_operand_wrapper": _wrapper,
}
"""What checks the calls of each target."""


def verify_dynamic_call(op: CustomCallOp) -> None:
    """Raises `VerifyException` if `op` calls a target of `FORMS` in another form than there is."""
    if (check := FORMS.get(op.call_target_name.data)) is not None:
        check(CallForm(op))
