"""Wrong arguments of every public function of `XlaBuilder`: the call works, or is an error that names the argument."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xla_calls import ADD, NEG, Kwargs, Values, calls_of

HERE = Path(__file__).name
BUILT = Values("built")
BUILT.builder.build(BUILT.f)
OTHER = Values("other")

NEVER: dict[str, Any] = {
    "object": object(),
    "bytes": b"x",
    "dict": {1: 2},
    "function": len,
    "class": int,
    "other_builder": OTHER.f,
    "built": BUILT.f,
    "slice": slice(1),
}
"""What no argument may be."""
WRONG: dict[str, Any] = {
    "None": None,
    "text": "x",
    "rng_three_fry": "rng_three_fry",
    "surrogate": "\ud800",
    "minus_one": -1,
    "zero": 0,
    "seven": 7,
    "2**70": 2**70,
    "10**5000": 10**5000,
    "true": True,
    "1.5": 1.5,
    "nan": float("nan"),
    "1j": 1j,
    "empty": [],
    "nested": [[]],
    "ragged": [[1], [1, 2]],
    "none_inside": [None],
    "text_inside": ["x"],
    "large_inside": [2**70, 2**62],
    "long": [0] * 1000,
    "pairs": [(1, 2), (3, 4)],
    "array": np.zeros((2, 2)),
    "objects": np.array([None, "x"], dtype=object),
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
    "shape": xla.Shape.tuple_of([xla.Shape(xla.F32)]),
    "type": xla.TUPLE,
    "enumeration": xla.FftType.FFT,
    "computation": ADD,
    "negation": NEG,
    "numbers": xla.DotDimensionNumbers([9], [9]),
    "builder": OTHER.builder,
}
"""What most arguments may not be."""
OPERANDS: dict[str, Callable[[Values], Any]] = {
    "integers": lambda v: v.i,
    "tuple": lambda v: v.pair,
    "token": lambda v: v.token,
    "scalar": lambda v: v.scalar,
    "row": lambda v: v.row,
    "flag": lambda v: v.flag,
    "listed": lambda v: [v.f, v.i],
}
"""Values of the program in place of others."""

NAMES = list(xla.OPERATORS)
WITHOUT_RESULT = {"outfeed", "send"}


def call(name: str, v: Values, arguments: Kwargs) -> Any:
    return getattr(v.builder, name)(**arguments)


def attack(name: str, v: Values, arguments: Kwargs, argument: str, value: Any) -> xdsl_xla.XlaError | None:
    """The error of the call with `value` for the argument, or None where it works."""
    try:
        call(name, v, {**arguments, argument: value})
    except xdsl_xla.XlaError as error:
        assert error.location is not None and HERE in error.location, error
        assert str(error).isascii() and len(str(error)) < 2000
        return error
    return None


def optional(name: str, argument: str) -> bool:
    """Whether a form takes None for the argument."""
    forms = xla.OPERATORS[name].door.forms
    return any("None" in form.parameters[argument].check.expected for form in forms if argument in form.parameters)


@pytest.mark.parametrize("name", NAMES)
def test_valid_calls(name: str) -> None:
    for make in calls_of(name):
        v = Values()
        result = call(name, v, make(v))
        assert isinstance(result, xla.XlaOp) or name in WITHOUT_RESULT


@pytest.mark.parametrize("name", NAMES)
def test_what_no_argument_may_be(name: str) -> None:
    for make in calls_of(name):
        v = Values()
        arguments = make(v)
        for argument in arguments:
            for value in NEVER.values():
                error = attack(name, v, arguments, argument, value)
                assert isinstance(error, xdsl_xla.ArgumentError), (argument, value, error)
                assert re.search(rf": {name}: {argument}: .*expected .*got ", str(error)), str(error)


@pytest.mark.sample(60)
@pytest.mark.parametrize("name", NAMES)
def test_wrong_arguments(name: str) -> None:
    """An error names the argument, another one that it does not fit, or all where only a rule of the op is broken."""
    for make in calls_of(name):
        v = Values()
        arguments = make(v)
        blamed = "|".join(parameter for form in xla.OPERATORS[name].door.forms for parameter in form.parameters)
        values = {**WRONG, **{label: operand(v) for label, operand in OPERANDS.items()}}
        for argument, original in arguments.items():
            for label, value in values.items():
                error = attack(name, v, arguments, argument, value)
                if error is not None:
                    text = str(error)
                    assert "do not fit together" not in text, text
                    is_named = re.search(rf": {name}: ({blamed}): ", text)
                    is_listed = isinstance(error, xdsl_xla.InvalidProgramError) and f"{argument}: " in text
                    assert is_named or is_listed, text
                    continue
                if value is None:
                    assert optional(name, argument), (argument, "None")
                if isinstance(value, str):
                    assert isinstance(original, str), (argument, label)
                if isinstance(value, bool):
                    assert isinstance(original, bool) or takes_numbers(name, argument), (argument, label)


def takes_numbers(name: str, argument: str) -> bool:
    """Whether numbers may stand for the operand, which take the element type of others."""
    forms = xla.OPERATORS[name].door.forms
    return any("numbers" in form.parameters[argument].check.expected for form in forms if argument in form.parameters)


def test_calls_of_no_form() -> None:
    v = Values()
    for wrong, message in (
        (lambda: xla.neg(), "neg: operand: expected an array, got nothing"),
        (lambda: xla.neg(v.f, v.f), r"neg: takes at most 1 arguments \(operand\), got 2"),
        (lambda: xla.neg(v.f, operand=v.f), "neg: operand: given twice"),
        (lambda: xla.fft(v.f, fft_typ=1, fft_length=[3]), "fft: fft_typ: .*did you mean fft_type"),
        (lambda: xla.reduce_precision(v.f, 5, 10), "reduce_precision: .*exponent_bits, mantissa_bits: by name only"),
        (lambda: xla.reshape(v.f), r"reshape: new_sizes: .*takes \(operand, new_sizes\) or \(operand, dimensions"),
        (lambda: xla.iota(xla.Shape(xla.F32), 0), "iota: builder: expected an XlaBuilder, or an XlaOp"),
        (lambda: xla.iota(None, xla.Shape(xla.F32), 0), "iota: builder: expected an XlaBuilder.*got None"),
        (lambda: xla.call(v.scalar, v.scalar), "call: computation: expected an XlaComputation"),
        (lambda: v.builder.neg(OTHER.f), "neg: operand: expected an operation of builder 'calls'"),
        (lambda: v.builder.iota(xla.Shape(xla.F32)), "iota: iota_dimension: .*got nothing"),
        (lambda: v.builder.concat_in_dim([OTHER.f], 0), "concat_in_dim: operands: element 0: expected an operation"),
        (lambda: v.builder.transpos(v.f), "transpos.*did you mean transpose"),
    ):
        with pytest.raises(xdsl_xla.ArgumentError, match=message):
            wrong()


def test_operators_of_python() -> None:
    v = Values()
    for wrong, message in (
        (lambda: v.f + None, "add: rhs: expected an array or numbers, got None"),
        (lambda: "x" * v.f, "mul: lhs: expected an array or numbers, got 'x'"),
        (lambda: v.i + 1.5, "add: rhs: expected numbers that fit s32, got a float of float64"),
        (lambda: v.f @ 2.0, "dot: rhs: expected an array, got 2.0"),
        (lambda: v.pair + 1, r"add: lhs: expected an array, got XlaOp\(\(f32\[2,3\], s32\[2,3\]\)\)"),
        (lambda: v.pair["x"], "get_tuple_element: index: expected an integer of 64 bits, got 'x'"),
        (lambda: v.pair[2], "get_tuple_element: index: 2 of a tuple of 2"),
        (lambda: list(v.f), "operand: expected a tuple"),
        (lambda: bool(v.f < 1.0), "operand: expected True or False"),
        (lambda: ~v.f, "not_: operand: expected a tensor of i1 or integer type"),
        (lambda: v.f >> 1, "shift_right_logical: (lhs|operand)"),
        (lambda: -BUILT.f, "neg: operand: expected an operation of a builder that goes on"),
    ):
        with pytest.raises(xdsl_xla.ArgumentError, match=message) as caught:
            wrong()
        assert caught.value.location is not None and HERE in caught.value.location


def test_arrays_of_numpy_beside_operands() -> None:
    """They leave the operator to the operand, instead of making an array of operations."""
    v = Values()
    assert str((np.ones(3, np.float32) + v.row).shape) == "f32[3]"
    assert str((np.float32(2) * v.f).shape) == "f32[2,3]"
    with pytest.raises(xdsl_xla.ArgumentError, match="lhs: expected numbers that fit s32"):
        np.ones(3) + v.i


def test_nothing_is_added_after_building() -> None:
    v = Values()
    computation = v.builder.build(v.f + 1.0)
    before = str(computation.module)
    for late in (
        lambda: v.f + 1.0,
        lambda: v.builder.constant(1.0),
        lambda: v.builder.parameter(20, xla.Shape(xla.F32)),
        lambda: xla.iota(v.builder, xla.Shape.array(xla.F32, [2]), 0),
        lambda: v.builder.create_token(),
        lambda: v.builder.token,
        lambda: xla.tuple(v.builder, [v.f]),
        lambda: v.builder.build(),
    ):
        with pytest.raises(xdsl_xla.ArgumentError, match="has been built"):
            late()
    assert str(computation.module) == before


PUBLIC: list[tuple[str, Callable[..., Any], Kwargs]] = [
    ("XlaBuilder", xla.XlaBuilder, {"name": "b"}),
    ("parameter", lambda **k: xla.XlaBuilder("p").parameter(**k), {"parameter_number": 0, "shape": xla.Shape(xla.F32)}),
    ("constant_literal", lambda **k: xla.XlaBuilder("c").constant_literal(**k), {"literal": 1, "element_type": xla.S8}),
    ("constant", lambda **k: xla.XlaBuilder("c").constant(**k), {"literal": 1, "element_type": xla.S8}),
    ("build", lambda **k: Values().builder.build(**k), {"root": None}),
    ("Shape", xla.Shape, {"element_type": xla.F32, "dimensions": (2,), "dynamic": (True,)}),
    ("Shape", xla.Shape, {"element_type": xla.TUPLE, "tuple_shapes": (xla.Shape(xla.F32),)}),
    ("array|Shape", xla.Shape.array, {"element_type": xla.F32, "dimensions": [2], "dynamic": [True]}),
    ("of", xla.Shape.of, {"array": [1]}),
    ("PaddingConfigDimension", xla.PaddingConfigDimension, {"edge_padding_low": 0, "interior_padding": 0}),
    ("PaddingConfig", xla.PaddingConfig, {"dimensions": []}),
    ("of|PaddingConfig", xla.PaddingConfig.of, {"dimensions": [(1, 2)]}),
    (
        "DotDimensionNumbers",
        xla.DotDimensionNumbers,
        {"lhs_contracting_dimensions": [0], "rhs_batch_dimensions": [0]},
    ),
    (
        "ConvolutionDimensionNumbers",
        xla.ConvolutionDimensionNumbers,
        {"input_batch_dimension": 0, "kernel_spatial_dimensions": [0]},
    ),
    ("GatherDimensionNumbers", xla.GatherDimensionNumbers, {"offset_dims": [0], "index_vector_dim": 0}),
    ("ScatterDimensionNumbers", xla.ScatterDimensionNumbers, {"update_window_dims": [0], "index_vector_dim": 0}),
    ("ReplicaGroup", xla.ReplicaGroup, {"replica_ids": [0]}),
    ("ChannelHandle", xla.ChannelHandle, {"handle": 1, "type": xla.ChannelType.DEVICE_TO_HOST}),
    (
        "default_convolution_dimension_numbers",
        xla.default_convolution_dimension_numbers,
        {"spatial_dimensions": 2},
    ),
]


@pytest.mark.parametrize("number", range(len(PUBLIC)), ids=[name for name, _, _ in PUBLIC])
def test_other_public_functions(number: int) -> None:
    name, function, arguments = PUBLIC[number]
    function(**arguments)
    with pytest.raises(xdsl_xla.ArgumentError, match=rf"({name}): no_such: expected one of the arguments"):
        function(**arguments, no_such=1)
    for argument, original in arguments.items():
        for label, value in {**NEVER, **WRONG}.items():
            try:
                function(**{**arguments, argument: value})
            except xdsl_xla.ArgumentError as error:
                assert HERE in str(error) and len(str(error)) < 2000
                blamed = "|".join(arguments)
                assert re.search(rf": ({name}): .*\b({blamed}): ", str(error)), str(error)
                continue
            assert label not in ("object", "bytes", "function", "class"), (argument, label)
            if isinstance(value, str):
                assert isinstance(original, str), (argument, label)


def test_arrays_that_cannot_be() -> None:
    v = Values()
    for wrong, message in (
        (lambda: xla.broadcast(v.f, [2**40, 2**40]), "broadcast: a result of type tensor<1099511627776x"),
        (lambda: xla.broadcast(v.f, [1] * 64), "broadcast: a result of type tensor<1x"),
        (lambda: xla.pad_in_dim(v.f, 0.0, 0, 2**62, 2**62), r"pad_in_dim: .*\(operand: .*pad_lo: 4611686018427387904"),
        (lambda: xla.Shape.array(xla.F32, [2**62]), "Shape: dimensions: expected at most 64 sizes"),
        (lambda: xla.Shape.array(xla.F32, [1] * 65), "Shape: dimensions: expected at most 64 sizes"),
    ):
        with pytest.raises(xdsl_xla.XlaError, match=message):
            wrong()
