"""The notation that makes StableHLO: which ops it emits, and which it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import Signedness, bf16, f32, i1, i32, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl_xla.dialects import stablehlo
from xdsl_xla.dialects.shared_attributes import tensor_type
from xdsl_xla.dialects.stablehlo.attributes import ComparisonType
from xdsl_xla.ir.tensor_builder import Tensor, TensorBuilder
from xdsl_xla.ir.tensors import UI64, ints
from xdsl_xla.runtime.mlir_text import parse_module


def emitted(function: Callable[..., Tensor], *types: str) -> list[str]:
    """The ops that `function` of arguments of these types emits, without the constants' and results' names."""
    arguments = ", ".join(f"%{index}: tensor<{type}>" for index, type in enumerate(types))
    module = parse_module(f"func.func @main({arguments}) {{ func.return }}")
    (main,) = (op for op in module.ops if isinstance(op, FuncOp))
    *_, end = main.body.block.ops
    function(*TensorBuilder(end).wrap(*main.body.block.args))
    module.verify()
    return [op.name.removeprefix("stablehlo.") for op in main.body.block.ops if op is not end]


def test_numbers_are_constants_of_the_other_operand_on_either_side() -> None:
    assert emitted(lambda x: (1.0 - x) / x, "4xf32") == ["constant", "subtract", "divide"]
    assert emitted(lambda x: (x < 0.0).select(1.0, x), "4xf32") == ["constant", "compare", "constant", "select"]


def test_a_constant_is_made_once_in_a_region() -> None:
    assert emitted(lambda x: (x + 1.0) * 1.0, "4xf32") == ["constant", "add", "multiply"]

    def loop(x: Tensor) -> Tensor:
        one = x + 1
        (result,) = x.builder.loop(3, [one], lambda index, state: [state[0] + 1])
        body = result.value.owner.regions[1].block  # pyright: ignore
        assert sum(isinstance(op, stablehlo.ConstantOp) for op in body.ops) == 1
        return result + 1

    assert emitted(loop, "i32") == ["constant", "add", "constant", "while", "add"]


@pytest.mark.parametrize(
    "unchanged",
    [
        lambda x: x.reshape((2, 3)),
        lambda x: x.reshape((-1, 3)),
        lambda x: x.broadcast((2, 3), (0, 1)),
        lambda x: x.transpose((0, 1)),
        lambda x: x.slice({1: (0, 3)}),
        lambda x: x.reverse(()),
        lambda x: x.pad({0: 0}),
        lambda x: x.sum([]),
        lambda x: x.convert(f32),
        lambda x: x.bitcast(f32),
        lambda x: x.widened(),
        lambda x: x.real(),
        lambda x: x.conjugate(),
    ],
)
def test_what_changes_nothing_is_no_op(unchanged: Callable[[Tensor], Tensor]) -> None:
    assert emitted(unchanged, "2x3xf32") == []


def test_a_broadcast_may_exchange_dimensions_of_one_size() -> None:
    assert emitted(lambda x: x.broadcast((3, 3), (1, 0)), "3x3xf32") == ["broadcast_in_dim"]


def test_slices() -> None:
    def check(x: Tensor) -> Tensor:
        some, none = x.window((1, 0), (2, 3), (2, 1)), x.window((4, 0), (0, 3))
        for value, starts, limits in ((some, (1, 0), (4, 3)), (none, (0, 0), (0, 3))):
            op = value.value.owner
            assert isinstance(op, stablehlo.SliceOp)
            assert (ints(op, "start_indices"), ints(op, "limit_indices")) == (starts, limits)
        assert x.at(1).shape == (3,)
        return x.dynamic_slice({1: x.builder.splat(i64, (), 1)}, {1: 2})

    names = emitted(check, "4x3xf32")
    assert names == ["slice", "slice", "slice", "reshape", "constant", "constant", "dynamic_slice"]


def test_padding_elements_at_places_and_running_sums() -> None:
    shapes: list[tuple[int, ...]] = []

    def all_of_them(x: Tensor, places: Tensor) -> Tensor:
        padded = x.pad({1: -1}, {0: 1}, {1: 2})
        sums = x.scan(stablehlo.AddOp, 0, 1, is_reverse=True)
        taken = x.take(places, 1), x.take(places, 1, batch=1), x.take(places, 0)
        shapes.extend(each.shape for each in (padded, sums, *taken))
        return padded

    names = ["constant", "pad", "reduce_window", "gather", "gather", "gather"]
    assert emitted(all_of_them, "2x3xf32", "2x5xi32") == names
    assert shapes == [(3, 6), (2, 3), (2, 2, 5), (2, 5), (2, 5, 3)]


def test_starts_that_are_not_given_have_the_type_of_the_others() -> None:
    def check(x: Tensor, start: Tensor) -> Tensor:
        result = x.updated(x.slice({1: (0, 1)}), {1: start})
        assert [operand.type for operand in result.value.owner.operands[2:]] == [start.type] * 2  # pyright: ignore
        return result

    assert emitted(check, "4x3xf32", "ui64") == ["slice", "constant", "dynamic_update_slice"]


@pytest.mark.parametrize(
    ("element", "kind"),
    [(f32, "FLOAT"), (bf16, "FLOAT"), (i32, "SIGNED"), (UI64, "UNSIGNED"), (i1, "UNSIGNED")],
)
def test_comparisons_are_those_of_the_elements(element: Attribute, kind: str) -> None:
    def check(x: Tensor) -> Tensor:
        result = x >= x
        assert result.type == tensor_type(i1, 2)
        op = result.value.owner
        assert isinstance(op, stablehlo.CompareOp) and op.compare_type is not None
        assert op.compare_type.data == ComparisonType[kind]
        return result

    emitted(check, f"2x{element}")


def test_shifts_to_the_right() -> None:
    assert emitted(lambda x: x >> 1, "2xi32")[-1] == "shift_right_logical"
    assert emitted(lambda x: x.shift_right(1), "2xi32")[-1] == "shift_right_arithmetic"
    assert emitted(lambda x: x.shift_right(1), "2xui32")[-1] == "shift_right_logical"
    assert UI64.signedness.data == Signedness.UNSIGNED


def test_complex_numbers_and_linear_algebra() -> None:
    assert emitted(lambda z: z.conjugate(), "2xcomplex<f32>") == ["real", "imag", "negate", "complex"]
    factor = ["transpose", "cholesky", "triangular_solve"]
    assert emitted(lambda a, b: a.swapped().cholesky(False).solve(b), "2x3x3xf32", "2x3x1xf32") == factor
