"""HLO text as people write it by hand: what it leaves out, instructions inside others, and what XLA means by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.frontends.hlo_text import parse_hlo
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.formats import format_of
from xdsl_xla.runtime.grid import run_grid
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.xla_run import main

Array = NDArray[Any]
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def run(text: str, *arguments: Array) -> list[Array]:
    """The results of both engines, which must be the same bits."""
    module = parse_hlo(text)
    verify_module(module)
    expected = [np.asarray(result) for result in interpreter.run(module, "main", list(arguments))]
    results = xdsl_xla.compile(parse_hlo(text), threads=1, cache=False)(*arguments)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, value)
    return expected


def entry(body: str) -> str:
    return f"HloModule m\nENTRY e {{\n{body}\n}}\n"


@pytest.mark.parametrize(
    "text",
    [
        entry("y = f32[2,3] parameter(1)\nROOT r = add(f32[2,3] parameter(0), multiply(y, y))"),
        entry("x = f32[2,3] parameter(0)\ny = f32[2,3] parameter(1)\nROOT r = add(x, f32[2,3] multiply(y, y))"),
        "HloModule m:\nmain { x = f32[2,3] parameter(0) y = f32[2,3] parameter(1) z = multiply(y, y) w = add(x, z) }",
        "ENTRY main { x = f32[2,3] parameter(0) y = f32[2,3] parameter(1) ROOT w = add(x, multiply(y, y)) }",
        "square { y = f32[2,3] parameter(0) ROOT z = multiply(y, y) }\n"
        "last { x = f32[2,3] parameter(0) y = f32[2,3] parameter(1) z = call(y), to_apply=square ROOT w = add(x, z) }",
    ],
    ids=["nested", "nested with a shape", "no entry", "no header", "the last computation"],
)
def test_what_may_be_left_out(text: str) -> None:
    (result,) = run(text, X, X + 1)
    np.testing.assert_array_equal(result, X + (X + 1) ** 2)


@pytest.mark.parametrize(
    "text",
    [
        "%sum = f32[2,3]{1,0} add(f32[2,3]{1,0} %a, f32[2,3]{1,0} %b)",
        "f32[2,3]{1,0} add(f32[2,3]{1,0}, f32[2,3]{1,0})",
    ],
)
def test_a_single_instruction_is_a_program_of_its_operands(text: str) -> None:
    (result,) = run(text, X, X)
    np.testing.assert_array_equal(result, X + X)


def test_a_single_instruction_with_computations_in_braces() -> None:
    text = """f32[2,3] conditional(s32[], f32[2,3], f32[2,3]), branch_computations={
      { p = f32[2,3] parameter(0) ROOT r = negate(p) },
      { p = f32[2,3] parameter(0) ROOT r = add(p, p) } }"""
    for index, expected in ((0, -X), (1, X + X), (7, X + X)):
        np.testing.assert_array_equal(run(text, np.int32(index), X, X)[0], expected)


def test_shapes_follow_from_operands() -> None:
    text = """HloModule m
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = add(a, b) }
    less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = compare(a, b), direction=LT }
    ENTRY e {
      x = f32[2,3] parameter(0)
      zero = f32[] constant(0)
      one = s32[] constant(1)
      rows = reduce(x, zero), dimensions={1}, to_apply=add
      pairs = reduce-window(x, zero), window={size=1x2}, to_apply=add
      sorted = sort(x), dimensions={1}, to_apply=less
      padded = pad(x, zero), padding=0_1x1_0_1
      slice = slice(x), slice={[0:2],[0:3:2]}
      turned = transpose(slice), dimensions={1,0}
      taken = dynamic-slice(x, one, one), dynamic_slice_sizes={1,2}
      joined = concatenate(x, x), dimensions={0}
      mapped = map(x, x), dimensions={0,1}, to_apply=add
      equal = compare(x, x), direction=EQ
      size = abs(complex(x, x))
      waves = fft(x), fft_type=RFFT, fft_length={3}
      product = dot(x, turned), lhs_contracting_dims={0}, rhs_contracting_dims={1}
      chosen = conditional(one, x, x), branch_computations={
        { p = f32[2,3] parameter(0) ROOT r = negate(p) }, { p = f32[2,3] parameter(0) ROOT r = copy(p) } }
      pair = tuple(rows, pairs)
      ROOT t = tuple(pair, sorted, padded, turned, taken, joined, mapped, equal, size, waves, product, chosen)
    }"""
    shapes = [result.shape for result in run(text, X)]
    assert shapes == [
        (2,), (2, 2), (2, 3), (3, 6), (2, 2), (1, 2), (4, 3), (2, 3), (2, 3), (2, 3), (2, 2), (3, 2), (2, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (entry("x = f32[4] parameter(0)\nROOT y = convert(x)"), "does not follow from the operands"),
        (entry("x = f32[4] parameter(0)\nROOT y = transpose(x), dimensions={3}"), "does not follow from the operands"),
        (entry("ROOT y = iota(), iota_dimension=0"), "does not follow from the operands"),
        (entry("x = parameter(0)\nROOT y = f32[4] negate(x)"), "the shape of a parameter may not be left out"),
        (entry("x = f32[4] parameter(0)\nROOT y = f32[4] negate(f32[5] x)"), r"'x' is of shape f32\[4\], not f32\[5\]"),
        ("HloModule m\nENTRY e () -> f32[1] { ROOT y = f32[2] constant({1, 2}) }", "not of the shape of its root 'y'"),
        ("y = f32[4] negate(x)", "the shape of operand 'x' of a single instruction may not be left out"),
        ("y = f32[4] negate(f32[4] x)\nz = f32[4] negate(f32[4] y)", "a text that is a single instruction"),
        (entry("/* open\nROOT y = f32[] parameter(0)"), "a comment that is never closed"),
        (entry("ROOT y = f64[] constant(1.8e308)"), "1.8e308 is out of range for f64"),
        (entry("ROOT y = f32[] " + "negate(" * 300 + "f32[] constant(1)" + ")" * 300), "operands nest deeper than"),
        (entry("x = f32[2] parameter(0)\ns = (f32[2], f32[2], u32[]) negate-start(x)"), r"\(\(operands\), results"),
    ],
)
def test_what_is_wrong_has_a_name_and_a_place(text: str, message: str) -> None:
    with pytest.raises(InvalidProgramError, match=message) as caught:
        verify_module(parse_hlo(text, "a.hlo"))
    assert str(caught.value).startswith("a.hlo:")


@pytest.mark.parametrize(
    "text",
    [
        "ENTRY e { ROOT x = f32[] constant(1) }",
        "add {\n  // of two\n  %a = f32[] parameter(0)",
        "%f.2 (p: (f32[2], s32[])) -> f32[2] {\n  ROOT %p = (f32[2]{0}, s32[]) parameter(0)",
        "x = f32[] constant(1)",
    ],
)
def test_a_text_without_a_header_is_told_from_mlir(text: str) -> None:
    form = format_of(f" // a comment\n{text}".encode(), "program")
    assert form is not None and form.name == "HLO text"


@pytest.mark.parametrize(
    "text", ["module { %x = stablehlo.constant dense<1> : tensor<i8> }", "#f32 = 1", '"f"() {} : ()']
)
def test_mlir_is_no_hlo_text(text: str) -> None:
    assert format_of(text.encode(), "program") is None


def test_all_numbers_of_64_bits() -> None:
    (result,) = run(entry("ROOT c = u64[3] constant({-1, 9223372036854775808, 18446744073709551615})"))
    np.testing.assert_array_equal(result, np.array([2**64 - 1, 2**63, 2**64 - 1], np.uint64))


SCATTER = """HloModule m
add {{ a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }}
ENTRY e {{
  operand = s32[4,5] parameter(0)
  indices = {element}[{sizes}] parameter(1)
  updates = s32[{windows}] parameter(2)
  ROOT s = s32[4,5] scatter(operand, indices, updates), update_window_dims={{{dims}}}, inserted_window_dims={{}},
    scatter_dims_to_operand_dims={{{places}}}, index_vector_dim={axis}, to_apply=add
}}"""


@pytest.mark.parametrize("element", ["s32", "s64", "u8", "s8", "u32"])
def test_a_window_that_is_partly_outside_is_dropped_whole(element: str) -> None:
    text = SCATTER.format(element=element, sizes="6,2", windows="6,2,3", dims="1,2", places="1,0", axis=1)
    indices = np.array([[0, 0], [3, 0], [2, 3], [2, 2], [100, 1], [1, 1]])
    if element.startswith("s"):
        indices[1] = -1, 1
    updates = np.arange(36, dtype=np.int32).reshape(6, 2, 3)
    expected = np.zeros((4, 5), np.int32)
    for (column, row), window in zip(indices, updates, strict=True):
        if 0 <= row <= 2 and 0 <= column <= 2:
            expected[row : row + 2, column : column + 3] += window
    dtype = np.dtype(f"{'u' if element[0] == 'u' else ''}int{element[1:]}")
    (result,) = run(text, np.zeros((4, 5), np.int32), indices.astype(dtype), updates)
    np.testing.assert_array_equal(result, expected)


def test_indices_without_a_dimension_for_their_vectors() -> None:
    text = SCATTER.format(element="s32", sizes="3", windows="3,2,5", dims="1,2", places="0", axis=1)
    updates = np.ones((3, 2, 5), np.int32)
    (result,) = run(text, np.zeros((4, 5), np.int32), np.array([3, -1, 1], np.int32), updates)
    np.testing.assert_array_equal(result[:, 0], [0, 1, 1, 0])


def test_a_choice_between_tuples() -> None:
    text = entry("""p = pred[] parameter(0)
      x = (f32[2,3], s32[]) parameter(1)
      y = (f32[2,3], s32[]) parameter(2)
      ROOT r = (f32[2,3], s32[]) select(p, x, y)""")
    results = run(text, np.bool_(False), X, np.int32(1), X + 1, np.int32(2))
    np.testing.assert_array_equal(results[0], X + 1)
    assert results[1] == 2


def test_collectives_of_several_operands() -> None:
    text = """HloModule m
    add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ENTRY e {
      x = f32[2,3] parameter(0)
      y = f32[2] parameter(1)
      a = (f32[2,3], f32[2]) reduce-scatter(x, y), replica_groups={{0}}, dimensions={0}, to_apply=add
      b = f32[2,3] get-tuple-element(a), index=0
      c = f32[2] get-tuple-element(a), index=1
      d = ((f32[2,3], f32[2]), (f32[2,3], f32[2])) collective-permute-start(b, c), source_target_pairs={{0,0}}
      ROOT r = (f32[2,3], f32[2]) collective-permute-done(d)
    }"""
    y = np.array([7, 8], np.float32)
    results = run(text, X, y)
    np.testing.assert_array_equal(results[0], X)
    np.testing.assert_array_equal(results[1], y)


def test_a_computation_of_narrower_integers_than_the_operands() -> None:
    """XLA:CPU's final text has bytes in place of `s4`, but not in computations."""
    text = """HloModule m, replica_count=2
    add { a = s4[] parameter(0) b = s4[] parameter(1) ROOT c = s4[] add(a, b) }
    ENTRY e {
      x = s8[4] parameter(0)
      a = s8[4] all-reduce(x), replica_groups={{0,1}}, to_apply=add
      b = s8[2] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0}, to_apply=add
      ROOT r = (s8[4], s8[2]) tuple(a, b)
    }"""
    x = np.array([1, -3, 4, -8], np.int8)
    program = xdsl_xla.compile(text, replicas=2, threads=1, cache=False)
    (first,), (second,) = run_grid(program, [[[x]], [[x]]])
    np.testing.assert_array_equal(first[0], [2, -6, 8, -16])
    np.testing.assert_array_equal(np.concatenate([first[1], second[1]]), first[0])


def test_a_loop_carries_an_instruction_that_has_started() -> None:
    text = """HloModule m
    cond { p = (s32[], (f32[2,3], f32[2,3], u32[], u32[])) parameter(0)
      i = get-tuple-element(p), index=0
      n = s32[] constant(3)
      ROOT r = compare(i, n), direction=LT }
    body { p = (s32[], (f32[2,3], f32[2,3], u32[], u32[])) parameter(0)
      i = get-tuple-element(p), index=0
      started = get-tuple-element(p), index=1
      x = f32[2,3] collective-permute-done(started)
      y = add(x, x)
      next = (f32[2,3], f32[2,3], u32[], u32[]) collective-permute-start(y), source_target_pairs={{0,0}}
      one = s32[] constant(1)
      ROOT t = tuple(add(i, one), next) }
    ENTRY e { x = f32[2,3] parameter(0)
      zero = s32[] constant(0)
      first = (f32[2,3], f32[2,3], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,0}}
      w = while(tuple(zero, first)), condition=cond, body=body
      last = get-tuple-element(w), index=1
      ROOT r = f32[2,3] collective-permute-done(last) }"""
    np.testing.assert_array_equal(run(text, X)[0], 8 * X)


def test_padding_of_a_dynamic_dimension_is_zero() -> None:
    text = entry("""x = f32[2,3] parameter(0)
      n = s32[] parameter(1)
      y = f32[2,<=3] set-dimension-size(x, n), dimensions={1}
      ROOT r = (f32[2,3], s32[], s32[]) custom-call(y), custom_call_target="PadToStatic" """)
    padded, rows, columns = run(text, X + 1, np.int32(2))
    np.testing.assert_array_equal(padded, [[1, 2, 0], [4, 5, 0]])
    assert (rows, columns) == (2, 2)


RAGGED = """HloModule m, replica_count=2
ENTRY e {
  input = f32[4] parameter(0)
  output = f32[6] parameter(1)
  starts = s32[2] parameter(2)
  sizes = s32[2] parameter(3)
  targets = s32[2] parameter(4)
  received = s32[2] parameter(5)
  ROOT r = f32[6] ragged-all-to-all(input, output, starts, sizes, targets, received), replica_groups={{0,1}}
}"""


def ragged_arguments(received: list[list[int]]) -> list[list[list[Array]]]:
    def numbers(*values: int) -> Array:
        return np.array(values, np.int32)

    output = np.zeros(6, np.float32)
    return [
        [[np.float32([1, 2, 3, 4]), output, numbers(0, 1), numbers(1, 3), numbers(0, 2), numbers(*received[0])]],
        [[np.float32([5, 6, 7, 8]), output, numbers(0, 2), numbers(2, 1), numbers(3, 5), numbers(*received[1])]],
    ]


def test_ragged_all_to_all() -> None:
    arguments = ragged_arguments([[1, 2], [3, 1]])
    expected = interpreter.run_grid(parse_hlo(RAGGED), [["main"], ["main"]], arguments)
    results = run_grid(xdsl_xla.compile(RAGGED, replicas=2, threads=1, cache=False), arguments)
    for values in (expected, results):
        np.testing.assert_array_equal(values[0][0][0], [1, 0, 0, 5, 6, 0])
        np.testing.assert_array_equal(values[1][0][0], [0, 0, 2, 3, 4, 7])


def test_ragged_all_to_all_between_partitions() -> None:
    text = RAGGED.replace("replica_count=2", "num_partitions=2").replace("{{0,1}}", "{{0,1}}, channel_id=3")
    rows = [[row[0] for row in ragged_arguments([[1, 2], [3, 1]])]]
    (results,) = run_grid(xdsl_xla.compile(text, threads=1, cache=False), rows)
    np.testing.assert_array_equal([values[0] for values in results], [[1, 0, 0, 5, 6, 0], [0, 0, 2, 3, 4, 7]])


def test_ragged_all_to_all_of_other_sizes_than_expected() -> None:
    with pytest.raises(InvalidProgramError, match="recv_sizes: 2 rows come from member 1, not 1"):
        interpreter.run_grid(parse_hlo(RAGGED), [["main"], ["main"]], ragged_arguments([[1, 1], [3, 1]]))


def test_an_empty_iota_of_any_size() -> None:
    assert run(entry("ROOT i = f32[1000000000000,0] iota(), iota_dimension=0"))[0].shape == (10**12, 0)


def test_a_reducer_that_takes_one_element_after_the_other() -> None:
    text = """HloModule m
    squares { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, f32[] multiply(b, b)) }
    ENTRY e { x = f32[2,3] parameter(0)
      zero = f32[] constant(0)
      rows = f32[2] reduce(x, zero), dimensions={1}, to_apply=squares
      windows = f32[2,2] reduce-window(x, zero), window={size=1x2}, to_apply=squares
      ROOT t = tuple(rows, windows) }"""
    rows, windows = run(text, X)
    np.testing.assert_array_equal(rows, [5, 50])
    np.testing.assert_array_equal(windows, [[1, 5], [25, 41]])


def test_the_state_of_random_numbers_goes_on() -> None:
    text = entry("""a = u64[2] rng-get-and-update-state(), delta=5
      b = u64[2] rng-get-and-update-state(), delta=1
      ROOT d = u64[2] subtract(b, a)""")
    np.testing.assert_array_equal(run(text)[0], [5, 0])


def test_quotes_of_both_kinds() -> None:
    text = entry("""x = f32[2,3] parameter(0), metadata={op_type='a' op_name='b"{'}
      ROOT y = f32[2,3] negate(x), backend_config='{"a": "}"}', metadata={op_name="it's"}""")
    np.testing.assert_array_equal(run(text, X)[0], -X)


@pytest.mark.parametrize("shape", ["f32[2,2]", "s32[3]", "pred[3]", "bf16[1000,1000,1000,8]"])
def test_one_zero_is_an_array_of_zeros(shape: str) -> None:
    """As XLA reads it."""
    module = parse_hlo(f"HloModule m\nENTRY e {{\n  ROOT c = {shape} constant(0)\n}}")
    (constant,) = [op for op in module.walk() if op.name == "stablehlo.constant"]
    assert "dense<0" in str(constant) or "false" in str(constant)


@pytest.mark.parametrize("shape", ["f32[2,2]", "s32[3]", "u4[4]", "bf16[1]"])
def test_one_number_is_the_first_element(shape: str) -> None:
    """As XLA reads it."""
    (result,) = run(entry(f"ROOT c = {shape} constant(1)"))
    flat = result.reshape(-1).astype(int)
    assert flat.tolist() == [1] + [0] * (flat.size - 1)


def test_one_number_for_too_large_an_array() -> None:
    with pytest.raises(InvalidProgramError, match=r"one number for the 8000000000 elements of bf16\[1000, 1000"):
        parse_hlo(entry("ROOT c = bf16[1000,1000,1000,8] constant(1)"))


def test_elided_constants_can_be_made_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = entry("""a = f32[2,3] constant({...})
      b = s4[4] constant({...})
      c = (bf16[2], pred[3], c64[2]) constant(({...}, {...}, {...}))
      ROOT t = (f32[2,3], s4[4]) tuple(a, b)""")
    with pytest.raises(InvalidProgramError, match="--fill-elided"):
        parse_hlo(text)
    module = parse_hlo(text, fill_elided=True)
    verify_module(module)
    first, again = (interpreter.run(module, "main", []) for _ in range(2))
    np.testing.assert_array_equal(first[0], again[0])
    assert np.ptp(np.asarray(first[0])) > 0
    path = tmp_path / "elided.hlo"
    path.write_text(text)
    assert main([str(path), "--fill-elided"]) == 0
    assert "tensor<2x3xf32>" in capsys.readouterr().out


def test_buffers_are_arrays() -> None:
    text = entry("""x = f32[2,3] parameter(0)
      a = b(f32[2,3]) custom-call(x), custom_call_target="Pin", output_to_operand_aliasing={{}:(0, {})}
      t = (b(f32[2,3]), f32[2,3]{1,0}) tuple(a, x)
      b = b(f32[2,3]{1,0}) get-tuple-element(t), index=0
      ROOT c = f32[2,3] custom-call(b), custom_call_target="Unpin", output_to_operand_aliasing={{}:(0, {})}""")
    np.testing.assert_array_equal(run(text, X)[0], X)


def test_truth_values_are_bytes() -> None:
    text = entry("p = pred[2,4] parameter(0)\nROOT r = u32[2] bitcast-convert(p)")
    given = np.array([[True, False, False, True], [False, True, False, False]])
    np.testing.assert_array_equal(run(text, given)[0], [1 + (1 << 24), 1 << 8])
    text = entry("p = pred[2] parameter(0)\nROOT r = u8[2] bitcast-convert(p)")
    np.testing.assert_array_equal(run(text, given[0, :2])[0], [1, 0])
    text = entry("p = u32[2] parameter(0)\nROOT r = pred[2,4] bitcast-convert(p)")
    np.testing.assert_array_equal(run(text, np.array([1 + (1 << 24), 1 << 8], np.uint32))[0], given)
    text = entry("p = s8[2] parameter(0)\nROOT r = pred[2] bitcast-convert(p)")
    np.testing.assert_array_equal(run(text, np.array([1, 0], np.int8))[0], [True, False])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = f64[2,3] parameter(1)\nROOT r = f64[2,3] add(x, y)", lambda x: x.astype(np.float64) + x),
        ("y = f64[2,3] parameter(1)\nROOT r = add(x, y)", lambda x: x.astype(np.float64) + x),
        ("ROOT r = f16[2,3] negate(x)", lambda x: (-x).astype(np.float16)),
        ("ROOT r = f16[3,2] transpose(x), dimensions={1,0}", lambda x: x.T.astype(np.float16)),
        ("ROOT r = f16[2,3] copy(x)", lambda x: x.astype(np.float16)),
        ("c = f64[] constant(1.5)\nROOT r = f32[3,3] pad(x, c), padding=1_0x0_0", lambda x: np.vstack([[1.5] * 3, x])),
        ("y = f64[2,3] parameter(1)\nROOT r = pred[2,3] compare(x, y), direction=EQ", lambda x: x == x),
        (
            "p = pred[] constant(true)\ny = f16[2,3] convert(x)\nROOT r = f32[2,3] select(p, y, x)",
            lambda x: x.astype(np.float16).astype(np.float32),
        ),
    ],
    ids=["add", "shape left out", "negate", "transpose", "copy", "pad", "compare", "select"],
)
def test_floats_of_several_precisions(body: str, expected: Callable[[Array], Array]) -> None:
    """In the widest of them."""
    text = entry("x = f32[2,3] parameter(0)\n" + body)
    arguments = [X, X.astype(np.float64)][: 1 + text.count("parameter(1)")]
    (result,) = run(text, *arguments)
    np.testing.assert_array_equal(result, expected(X))


def test_a_reduction_in_other_floats_than_its_operands() -> None:
    """Those of its computation."""
    text = """HloModule m
    sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ENTRY e {
      x = bf16[300] parameter(0)
      zero = f32[] constant(0)
      ROOT r = bf16[] reduce(x, zero), dimensions={0}, to_apply=sum
    }"""
    module = parse_hlo(text)
    verify_module(module)
    (result,) = xdsl_xla.compile(module, cache=False)(np.ones(300, "bfloat16"))
    assert float(result) == 300


def test_a_collective_in_other_floats_than_its_operands() -> None:
    text = """HloModule m
    sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
    ENTRY e { x = bf16[2] parameter(0) ROOT r = bf16[2] all-reduce(x), replica_groups={}, to_apply=sum }"""
    module = parse_hlo(text)
    verify_module(module)
    (result,) = xdsl_xla.compile(module, cache=False)(np.array([1, 2], "bfloat16"))
    np.testing.assert_array_equal(result.astype(np.float32), [1, 2])


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("x = f32[2] parameter(0)\nROOT r = f32[8] all-gather(x), replica_groups={}, dimensions={0}", 4),
        ("x = f32[8] parameter(0)\nROOT r = f32[2] reduce-scatter(x), dimensions={0}, to_apply=sum", 4),
        (
            "x = f32[8] parameter(0)\ns = ((f32[8]), f32[2]) reduce-scatter-start(x), dimensions={0}, to_apply=sum\n"
            "ROOT r = f32[2] reduce-scatter-done(s)",
            4,
        ),
        ("x = f32[2] parameter(0)\nROOT r = (f32[2], f32[2]) all-to-all(x, x), replica_groups={}", 2),
        ("x = f32[2] parameter(0)\nROOT r = f32[2] all-reduce(x), replica_groups={}, to_apply=sum", 1),
    ],
    ids=["all-gather", "reduce-scatter", "start", "all-to-all", "all-reduce"],
)
def test_the_number_of_devices_follows_from_shapes(body: str, count: int) -> None:
    """Where the header does not say it, and the groups are all devices."""
    sum = "sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }"
    module = parse_hlo(f"HloModule m\n{sum}\nENTRY e {{\n{body}\n}}")
    verify_module(module)
    text = str(module)
    assert ("mhlo.num_replicas" in text) == (count > 1)
    assert f"tensor<1x{count}xi64>" in text


def test_an_outfeed_without_a_token() -> None:
    module = parse_hlo(entry("x = f32[] constant(1)\nt = token[] after-all()\nROOT o = () outfeed(x, t)"))
    verify_module(module)
    assert "stablehlo.outfeed" in str(module)


def test_tiles_mean_nothing_where_dimensions_stay() -> None:
    text = entry("""x = f32[2,3]{1,0:T(2,128)} parameter(0)
      ROOT y = f32[3,1,2]{0,2,1:T(2,128)} bitcast(x)""")
    np.testing.assert_array_equal(run(text, X)[0], X.T[:, None])


def test_a_second_module_is_named() -> None:
    with pytest.raises(InvalidProgramError, match=r":5:1: a second module: xla-opt --split-input-file"):
        parse_hlo(entry("ROOT c = f32[] constant(1)") + entry("ROOT c = f32[] constant(1)"))


def test_scaled_dot_multiplies_blocks_by_their_factors() -> None:
    text = entry("""x = f8e4m3fn[2,6,8] parameter(0)
      y = bf16[2,8,4] parameter(1)
      f = f8e8m0fnu[2,3,2] parameter(2)
      one = f32[] constant(1)
      ROOT r = f32[2,6,4] scaled-dot(x, y, f, one), lhs_batch_dims={0}, rhs_batch_dims={0},
        lhs_contracting_dims={2}, rhs_contracting_dims={1}""")
    numbers = np.random.default_rng(0)
    x = numbers.integers(-4, 4, (2, 6, 8)).astype(ml_dtypes.float8_e4m3fn)
    y = numbers.integers(-4, 4, (2, 8, 4)).astype(ml_dtypes.bfloat16)
    factors = np.exp2(numbers.integers(-3, 3, (2, 3, 2))).astype(ml_dtypes.float8_e8m0fnu)
    scaled = x.astype(np.float32) * factors.astype(np.float32).repeat(2, 1).repeat(4, 2)
    np.testing.assert_array_equal(run(text, x, y, factors)[0], scaled @ y.astype(np.float32))
    with pytest.raises(InvalidProgramError, match=r"factors of shape \[2, 4, 2\] for a left operand of shape"):
        parse_hlo(text.replace("f8e8m0fnu[2,3,2]", "f8e8m0fnu[2,4,2]"))


@pytest.mark.parametrize("groups", ["[1,2]<=[2]", "[1, 2]<=[1,2]T(1,0)", "{{0,1}}", "mesh['x'=2] {'x'}"])
def test_groups_may_be_the_last_words_of_an_instruction(groups: str) -> None:
    module = parse_hlo(f"""HloModule m, num_partitions=2
ENTRY e {{
  x = f32[2] parameter(0)
  y = f32[4] all-gather(x), dimensions={{0}}, channel_id=1, use_global_device_ids=true, replica_groups={groups}
  T = f32[4] negate(y)
}}""")
    assert "dense<[[0, 1]]>" in str(module)
