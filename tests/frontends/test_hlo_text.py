"""HLO text without XLA: round trips, layouts, limits, and damaged text."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl_xla import XlaError
from xdsl_xla.errors import InvalidProgramError, UnsupportedError
from xdsl_xla.frontends.hlo_text import parse_hlo, print_hlo
from xdsl_xla.frontends.hlo_text.cursor import Cursor
from xdsl_xla.frontends.hlo_text.literals import parse_literal, print_literal
from xdsl_xla.frontends.hlo_text.shapes import ELEMENT_TYPES, from_type, parse_shape, show, to_type
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.arrays import dense_array, dtype_of
from xdsl_xla.runtime.entry import read_signature, select_entry
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.tensor_io import random_inputs

TESTS = Path(__file__).parents[1]
TEXTS = sorted((TESTS / "lit" / "frontends" / "hlo_text").glob("*.hlo"))
CORPUS = sorted((TESTS / "corpus").glob("*.mlir"))
DAMAGES = int(os.environ.get("XDSL_XLA_DAMAGES", "250"))
SECONDS = 1.0


def run(text: str, *arguments: NDArray[Any]) -> list[NDArray[Any]]:
    module = parse_hlo(text)
    verify_module(module)
    return [np.asarray(result) for result in interpreter.run(module, "main", list(arguments))]


def entry(body: str) -> str:
    return f"HloModule m\nENTRY e {{\n{body}\n}}\n"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_printed_text_is_read_again(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    again = parse_hlo(print_hlo(module), path.name)
    verify_module(again)
    signature, read = (read_signature(select_entry(program)) for program in (module, again))
    assert [spec[1:] for spec in signature.inputs] == [spec[1:] for spec in read.inputs]
    assert [spec[1:] for spec in signature.outputs] == [spec[1:] for spec in read.outputs]


@pytest.mark.parametrize("name", ["control_flow", "scatters", "windows", "shapes", "int_arith", "converts", "kmeans"])
def test_printed_and_read_again_it_computes_the_same_bits(name: str) -> None:
    module = parse_module((TESTS / "corpus" / f"{name}.mlir").read_text(), name)
    again = parse_hlo(print_hlo(module), name)
    arguments = random_inputs(read_signature(select_entry(module)).inputs, 0)
    expected = interpreter.run(module, "main", arguments)
    results = interpreter.run(again, "main", arguments)
    for result, want in zip(results, expected, strict=True):
        assert np.asarray(result).tobytes() == np.asarray(want).tobytes()


# Values


@pytest.mark.parametrize("name", ELEMENT_TYPES)
@pytest.mark.parametrize("shape", [(), (7,), (2, 3), (0, 3), (2, 0), (1, 1, 1)])
def test_constants_keep_every_bit(name: str, shape: tuple[int, ...]) -> None:
    dtype = dtype_of(ELEMENT_TYPES[name])
    generator = np.random.default_rng(0)
    count = int(np.prod(shape))
    if dtype == np.bool_:
        array = generator.integers(0, 2, shape).astype(np.bool_)
    elif re.fullmatch("[su][24]", name):
        low, high = {"s2": (-2, 2), "u2": (0, 4), "s4": (-8, 8), "u4": (0, 16)}[name]
        array = generator.integers(low, high, shape).astype(dtype)
    elif name == "f4e2m1fn":
        array = generator.integers(0, 16, shape).astype(np.uint8).view(dtype)
    else:
        array = np.frombuffer(generator.bytes(count * dtype.itemsize), dtype).reshape(shape)
        if name.startswith("f8") or name.startswith("c"):
            # NaNs of eight bits have no payload in the text; both parts of a complex NaN share one in XLA.
            array = np.where(array == array, array, np.zeros((), dtype)).astype(dtype)
    text = print_literal(array)
    parsed_shape = parse_shape(Cursor(f"{name}[{','.join(map(str, shape))}]", "t"))
    value = parse_literal(Cursor(text, "t"), len(text), parsed_shape)  # pyright: ignore[reportArgumentType]
    read = dense_array(value)
    assert read.dtype == dtype and read.shape == shape
    assert read.tobytes() == array.tobytes()


def test_special_values() -> None:
    values = [np.inf, -np.inf, -0.0, np.float32(np.nan), 1e-45, 3.4028235e38]
    (result,) = run(entry("ROOT c = f32[6] constant({inf, -inf, -0, nan, 1e-45, 3.4028235e+38})"))
    assert result.tobytes() == np.array(values, np.float32).tobytes()
    (result,) = run(entry("ROOT c = bf16[2] constant({-nan, nan(0x1)})"))
    assert result.view(np.uint16).tolist() == [0xFFC0, 0x7F81]
    assert result.dtype == ml_dtypes.bfloat16


@pytest.mark.parametrize("text", ["f32[2,<=3]", "pred[]", "(f32[2], (token[], s8[0,4]))", "c128[?,7]"])
def test_shapes_and_types(text: str) -> None:
    shape = parse_shape(Cursor(text, "t"))
    assert show(shape) == text
    assert show(from_type(to_type(shape))) == text


# Layouts


@pytest.mark.parametrize("seed", range(30))
def test_bitcast_keeps_the_memory(seed: int) -> None:
    """The result, laid out as its layout says, has the bytes of the operand, laid out as its layout says."""
    generator = random.Random(seed)
    sizes = generator.choice([(2, 3, 4), (6, 4), (24,), (1, 24, 1), (3, 1, 8)])
    other = generator.choice([(4, 6), (2, 2, 6), (24, 1), (8, 3), (1, 2, 3, 4)])
    before = generator.sample(range(len(sizes)), len(sizes))
    after = generator.sample(range(len(other)), len(other))
    text = entry(
        f"p = f32{list(sizes)}{{{','.join(map(str, before))}}} parameter(0)\n"
        f"ROOT b = s32{list(other)}{{{','.join(map(str, after))}}} bitcast(p)"
    )
    operand = np.arange(24, dtype=np.float32).reshape(sizes)
    (result,) = run(text, operand)
    assert result.shape == other and result.dtype == np.int32
    assert result.transpose(after[::-1]).tobytes() == operand.transpose(before[::-1]).tobytes()


@pytest.mark.parametrize("shapes", [("f32[6]", "u16[12]"), ("u16[12]", "f32[6]"), ("s8[2,4]", "s64[1]")])
def test_bitcast_to_another_width(shapes: tuple[str, str]) -> None:
    source, target = shapes
    shape = parse_shape(Cursor(source, "t"))
    type = to_type(shape)
    assert isinstance(type, TensorType)
    operand = np.arange(64, dtype=np.uint8)[: 24 if "f32" in source or "u16" in source else 8]
    array = operand.view(dtype_of(type.element_type)).reshape(type.get_shape())
    (result,) = run(entry(f"p = {source} parameter(0)\nROOT b = {target} bitcast(p)"), array)
    assert result.tobytes() == array.tobytes()


def test_layouts_of_the_entry_do_not_change_what_is_passed() -> None:
    text = entry("p = f32[2,3]{0,1} parameter(0)\nROOT r = f32[2,3]{0,1} negate(p)")
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(run(text, value)[0], -value)
    assert '{mhlo.layout_mode = "{0,1}"}' in str(parse_hlo(text))
    assert "entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}" in print_hlo(parse_hlo(text))


def test_tiled_layouts_have_no_bitcast() -> None:
    text = entry("p = f32[2,3]{1,0:T(8,128)} parameter(0)\nROOT r = f32[6]{0} bitcast(p)")
    with pytest.raises(UnsupportedError, match="has tiles") as caught:
        parse_hlo(text, "t.hlo")
    assert caught.value.location == "t.hlo:4:6"


# Programs


def test_a_program_compiles_by_its_extension_and_by_its_first_word(tmp_path: Path) -> None:
    text = entry("p = f32[3] parameter(0)\nROOT r = f32[3] negate(p)")
    path = tmp_path / "negate.hlo"
    path.write_text(text)
    value = np.arange(3, dtype=np.float32)
    for source in (path, text, f"// A comment.\n{text}".encode()):
        (result,) = xdsl_xla.compile(source)(value)
        np.testing.assert_array_equal(result, -value)


def test_smallest_of_each_row() -> None:
    text = entry("p = f32[2,4] parameter(0)\nROOT r = (f32[2,2], s32[2,2]) topk(p), k=2, largest=false")
    operand = np.array([[3, -1, 2, -1], [np.inf, 5, -np.inf, 5]], np.float32)
    values, indices = run(text, operand)
    np.testing.assert_array_equal(values, [[-1, -1], [-np.inf, 5]])
    np.testing.assert_array_equal(indices, [[1, 3], [2, 1]])


def test_names_of_jax_become_locations() -> None:
    text = entry(
        'p = f32[3] parameter(0)\nROOT r = f32[3] negate(p), metadata={op_name="jit(f)/\\"neg\\"" source_line=3}'
    )
    assert 'metadata={op_name="jit(f)/\\"neg\\""}' in print_hlo(parse_hlo(text))


def test_the_module_stays_as_it_is() -> None:
    module = parse_module(
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = chlo.square %x : tensor<2xf32> -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    )
    before = str(module)
    assert "multiply" in print_hlo(module)
    assert str(module) == before


# Limits


def read_within_a_second(text: str | bytes) -> XlaError | None:
    """The error that reading and verifying `text` ends with, if it does; it says where."""
    start = time.process_time()
    try:
        verify_module(parse_hlo(text, "damaged.hlo"))
        error = None
    except XlaError as caught:
        error = caught
        assert re.match(r"damaged\.hlo(:\d+:\d+)?$", caught.location or caught.message.partition(": ")[0])
    assert time.process_time() - start < SECONDS
    return error


LARGE = {
    "literal": "ROOT c = f32[999999999999] constant({1, 2})",
    "empty literal": "ROOT c = f32[999999999999,0] constant({})",
    "shape": "ROOT c = f32[999999999999,999999999999] parameter(0)",
    "size": f"ROOT c = f32[{'9' * 100_000}] parameter(0)",
    "tuples": f"ROOT c = {'(' * 100_000}f32[] parameter(0)",
    "groups": f"ROOT c = f32[] add(a), x={'{' * 100_000}",
    "braces": f"ROOT c = f32[1] constant({'{' * 100_000}1{'}' * 100_000})",
    "parentheses": f"ROOT c = f32[1] constant({'(' * 100_000}",
    "quotes": 'ROOT c = f32[] add(a), x={"' + '\\"' * 100_000,
    "comments": "/*" * 100_000,
    "rank": f"ROOT c = f32[{','.join('1' * 1000)}] parameter(0)",
    "devices": "x = f32[2] parameter(0)\nROOT c = f32[2] all-to-all(x), replica_groups=[1,99999999]<=[99999999]",
    "nan": "ROOT c = f32[] constant(nan(0xFFFFFFFFFFFFFFFF))",
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_what_is_too_large_is_an_error_at_once(text: str) -> None:
    assert isinstance(read_within_a_second(entry(text)), InvalidProgramError)


def test_computations_that_double_are_an_error_at_once() -> None:
    text = "HloModule m\nf0 { p = f32[] parameter(0) ROOT r = f32[] add(p, p) }\n"
    for number in range(1, 40):
        callee = f"f{number - 1}"
        text += (
            f"f{number} {{ p = f32[] parameter(0) c = pred[] constant(true) ROOT r = f32[] conditional(c, p, p),"
            f" true_computation={callee}, false_computation={callee} }}\n"
        )
    text += "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply=f39 }"
    error = read_within_a_second(text)
    assert error is not None and "copied" in error.message


def test_bytes_that_are_no_text() -> None:
    assert "not UTF-8" in str(read_within_a_second(b"HloModule \xff\xfe"))


# Damaged text

_WORDS = re.compile(r"\s+|[\w.%-]+|.", re.DOTALL)
_NUMBERS = ["0", "-1", "7", "999999999999", "9223372036854775807", "18446744073709551616", "9" * 5000, "1e400", "nan"]
_TYPES = ["f32", "s32", "pred", "c64", "token", "opaque", "u8", "f8e4m3fn", "s4", "bf16"]


def damaged(text: str, generator: random.Random) -> str:
    """`text` cut off, or with some of its words exchanged, repeated, removed or replaced."""
    kind = generator.randrange(8)
    if kind == 0:
        return text[: generator.randrange(len(text))]
    if kind == 1:
        characters = list(text)
        for _ in range(generator.randrange(1, 6)):
            characters[generator.randrange(len(text))] = chr(generator.randrange(1, 300))
        return "".join(characters)
    words = _WORDS.findall(text)
    for _ in range(generator.randrange(1, 4)):
        first, second = generator.randrange(len(words)), generator.randrange(len(words))
        if kind == 2:
            words[first], words[second] = words[second], words[first]
        elif kind == 3:
            del words[first]
        elif kind == 4:
            words.insert(first, words[second])
        elif kind == 5:
            words[first] += generator.choice('{(["})]%,=') * generator.choice([1, 100, 10_000])
        else:
            pattern, choices = (r"-?\d+", _NUMBERS) if kind == 6 else (r"[fsuc]\d+|bf16|pred|token", _TYPES)
            places = [place for place, word in enumerate(words) if re.fullmatch(pattern, word)]
            if places:
                words[generator.choice(places)] = generator.choice(choices)
    return "".join(words)


def sources() -> list[str]:
    """Modules of the FileCheck tests, and a few programs as they are printed here."""
    parts = [part for path in TEXTS for part in path.read_text().split("// -----") if "expected-error" not in part]
    small = ["lstm", "kmeans", "control_flow", "convs"]
    return parts + [print_hlo(parse_module((TESTS / "corpus" / f"{name}.mlir").read_text())) for name in small]


def test_damaged_text_is_an_error_with_a_position() -> None:
    generator = random.Random(0)
    texts = sources()
    errors = 0
    for _ in range(DAMAGES):
        errors += read_within_a_second(damaged(generator.choice(texts), generator)) is not None
    assert errors > DAMAGES // 2


def test_random_bytes_are_an_error() -> None:
    generator = random.Random(0)
    for length in (0, 1, 10, 1000, 100_000):
        assert read_within_a_second(generator.randbytes(length)) is not None
        assert read_within_a_second(b"HloModule m\n" + generator.randbytes(length)) is not None
