"""What is too large, or nests too deeply: located errors within a moment, and programs up to the limits run."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects.limits import LARGEST_STEP, MOST_NESTED, checked_depth
from xdsl_xla.dialects.stablehlo.lapack_calls import FORMS as LAPACK_FORMS
from xdsl_xla.dialects.stablehlo.sparse_calls import CSR_TIMES_DENSE
from xdsl_xla.dialects.stablehlo.xla_calls import FORMS
from xdsl_xla.errors import InvalidProgramError, UnsupportedError, XlaError
from xdsl_xla.nesting import at_depth, in_deep_thread, is_deep, with_deep_stack
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.formats import read_program
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools import xla_opt, xla_run

X = np.float32(3)


def checked(text: str, filename: str = "a.mlir") -> ModuleOp:
    module = read_program(text.encode(), filename)
    verify_module(module)
    return module


def both(text: str, *arguments: Any) -> list[np.ndarray]:
    """The first result of native code and of the reference."""
    native = xdsl_xla.compile(text, cache=False)(*arguments)[0]
    return [np.asarray(native), interpreter.run(checked(text), "main", [np.asarray(a) for a in arguments])[0]]


# Nesting


def conditionals(depth: int) -> str:
    begin = "".join(f'%r{i} = "stablehlo.if"(%p) ({{\n' for i in range(depth))
    end = ""
    for i in reversed(range(depth)):
        end += "}, { stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>\n"
        end += f"stablehlo.return %r{i} : tensor<f32>\n" if i else "return %r0 : tensor<f32>\n"
    body = "%c = stablehlo.add %x, %x : tensor<f32>\nstablehlo.return %c : tensor<f32>\n"
    return f"func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {{\n{begin}{body}{end}}}"


def test_conditionals_in_one_another_run() -> None:
    for result in both(conditionals(200), X, np.True_):
        assert result == 6


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 1000, 3000])
def test_deeper_ones_are_told_so(depth: int) -> None:
    with pytest.raises(XlaError, match=r"nest|in one another") as caught:
        xdsl_xla.compile(conditionals(depth), cache=False)
    assert caught.value.location is not None


def test_tuples_in_one_another_run() -> None:
    depth = 200
    type = "tuple<" * depth + "tensor<f32>" + ">" * depth
    value: Any = X
    for _ in range(depth):
        value = (value,)
    (result,) = xdsl_xla.compile(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}", cache=False)(value)
    for _ in range(depth):
        (result,) = result
    assert result == X


def attributes(opening: str, closing: str, depth: int) -> str:
    attribute = opening * depth + ("" if opening == "[" else "1") + closing * depth
    return (
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> attributes {{a.b = {attribute}}} {{\n"
        "  return %x : tensor<f32>\n}"
    )


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a = ", "}")])
def test_brackets_in_one_another(opening: str, closing: str) -> None:
    for result in both(attributes(opening, closing, 200), X):
        assert result == X
    for depth in (MOST_NESTED + 10, 5000, 100_000):
        with pytest.raises(InvalidProgramError, match="nest") as caught:
            checked(attributes(opening, closing, depth))
        assert caught.value.location is not None and caught.value.location.startswith("a.mlir:1:")


def hlo_conditionals(depth: int) -> str:
    text = "HloModule m\nf0 { x = f32[] parameter(0)\n ROOT r = f32[] add(x, x) }\n"
    for i in range(1, depth):
        text += (
            f"f{i} {{ x = f32[] parameter(0)\n p = pred[] constant(true)\n"
            f" ROOT r = f32[] conditional(p, x, x), true_computation=f{i - 1}, false_computation=id }}\n"
        )
    return (
        text.replace("f0 {", "id { ROOT x = f32[] parameter(0) }\nf0 {", 1)
        + f"ENTRY e {{ x = f32[] parameter(0)\n ROOT r = f32[] call(x), to_apply=f{depth - 1} }}"
    )


def test_computations_of_hlo_in_one_another() -> None:
    module = read_program(hlo_conditionals(200).encode(), "a.hlo")
    verify_module(module)
    assert interpreter.run(module, "main", [np.asarray(X)])[0] == 6
    with pytest.raises(XlaError, match="nest deeper") as caught:
        read_program(hlo_conditionals(400).encode(), "a.hlo")
    assert caught.value.location is not None


def test_xla_opt_prints_what_is_deep(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deep.mlir"
    path.write_text(conditionals(200))
    assert xla_opt.main([str(path)]) == 0
    assert capsys.readouterr().out.count("stablehlo.if") == 200
    path.write_text(attributes("[", "]", 3000))
    assert xla_opt.main([str(path)]) == 1
    assert "nest" in capsys.readouterr().err


def test_the_deep_stack() -> None:
    def down(count: int) -> int:
        return count and 1 + down(count - 1)

    assert not is_deep()
    assert with_deep_stack(lambda: down(10_000)) == 10_000
    assert in_deep_thread(is_deep) and at_depth(1000, is_deep) and not at_depth(1, is_deep)
    with pytest.raises(UnsupportedError, match="nests too deeply"):
        with_deep_stack(lambda: down(1_000_000))
    with pytest.raises(RecursionError):
        down(10_000)
    with pytest.raises(KeyError):
        in_deep_thread(lambda: dict[int, int]()[1])


# Calls


def doubling(levels: int) -> str:
    text = f"""
    func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %0 = call @f{levels}(%x) : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }}
    func.func private @f0(%x: tensor<f32>) -> tensor<f32> {{
      %0 = stablehlo.negate %x : tensor<f32>
      return %0 : tensor<f32>
    }}"""
    for i in range(1, levels + 1):
        text += f"""
        func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{
          %0 = call @f{i - 1}(%x) : (tensor<f32>) -> tensor<f32>
          %1 = call @f{i - 1}(%0) : (tensor<f32>) -> tensor<f32>
          return %1 : tensor<f32>
        }}"""
    return text


def test_calls_that_double() -> None:
    for result in both(doubling(6), X):
        assert result == X
    text = doubling(30)
    with pytest.raises(UnsupportedError, match="more than 1000000 ops") as caught:
        xdsl_xla.compile(text, cache=False)
    assert caught.value.location is not None
    with pytest.raises(UnsupportedError, match="more than 1000000 ops"):
        interpreter.run(checked(text), "main", [np.asarray(X)])


def chain(length: int) -> str:
    text = ""
    for i in range(length):
        op = (
            f"call @f{i + 1}(%x) : (tensor<f32>) -> tensor<f32>"
            if i < length - 1
            else "stablehlo.add %x, %x : tensor<f32>"
        )
        text += f"func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{ %0 = {op}\n return %0 : tensor<f32> }}\n"
    return text.replace("private @f0", "@main", 1)


def test_calls_in_one_another_run() -> None:
    for result in both(chain(500), X):
        assert result == 6


def test_recursion_is_told() -> None:
    text = program("%0 = call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>")
    for run in (
        lambda: xdsl_xla.compile(text, cache=False),
        lambda: interpreter.run(checked(text), "main", [np.ones(4, np.float32)]),
    ):
        with pytest.raises(UnsupportedError, match="@main -> @main"):
            run()


# Names


@pytest.mark.parametrize(
    "name",
    ["llvm.sin.f32", "llvm", "llvm.memcpy.p0.p0.i64", "memcpy", "malloc", "sin", "a b", "a\\00b", "é", "main"],
)
def test_the_name_of_the_entry_is_free(name: str) -> None:
    text = f"""
    func.func @"{name}"(%x: tensor<3000xf32>) -> tensor<3000xf32> {{
      %0 = stablehlo.reverse %x, dims = [0] : tensor<3000xf32>
      %1 = stablehlo.sine %0 : tensor<3000xf32>
      return %1 : tensor<3000xf32>
    }}"""
    x = np.arange(3000, dtype=np.float32)
    np.testing.assert_allclose(xdsl_xla.compile(text, cache=False)(x)[0], np.sin(x[::-1]), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("target", ["llvm", "asm"])
def test_xla_opt_refuses_names_that_llvm_keeps(target: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("llvm.sin.f32", "llvm.x"):
        path = tmp_path / "name.mlir"
        path.write_text(f'func.func @"{name}"(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}')
        assert xla_opt.main([str(path), "-p", "xla-cpu", "-t", target]) == 1
        assert "cannot be called" in capsys.readouterr().err


# Sizes and numbers

ARGUMENT = "%x: tensor<4xf32>"
HUGE = (2**62, 2**63 - 1, 2**63, 2**64, -(2**63), 2**127, 10**12 * 10**12)


def program(body: str, result: str = "tensor<4xf32>", argument: str = ARGUMENT) -> str:
    return f"func.func @main({argument}) -> {result} {{\n{body}\nreturn %0 : {result}\n}}"


WINDOW = """
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: {size}>, {name} = {value}}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>): %d = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }}) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"""
PAD = """
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %c, low = [{}], high = [{}], interior = [{}] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"""
CONVOLUTION = """
  %0 = "stablehlo.convolution"(%x, %x) <{{batch_group_count = 1 : i64, feature_group_count = 1 : i64, {}
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = {}, input_feature_dimension = 2,
    input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2,
    kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2,
    output_spatial_dimensions = [1]>}}> : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>"""

NUMBERS: dict[str, Callable[[int], str]] = {
    "size": lambda n: program("%0 = stablehlo.negate %x : T", "T", "%x: T").replace("T", f"tensor<{n}x4xf32>"),
    "size beside nothing": lambda n: program("%0 = stablehlo.negate %x : T", "T", "%x: T").replace(
        "T", f"tensor<0x{n}x4xf32>"
    ),
    "bound": lambda n: program("%0 = stablehlo.negate %x : T", "T", "%x: T").replace(
        "T", f"tensor<?x4xf32, #stablehlo.bounds<{n}, ?>>"
    ),
    "constant": lambda n: program(f"%1 = stablehlo.constant dense<0.0> : tensor<{n}x4xf32>\n%0 = stablehlo.negate %x : tensor<4xf32>"),  # noqa: E501
    "iota": lambda n: program(f"%0 = stablehlo.iota dim = {n} : tensor<4xf32>"),
    "dynamic iota": lambda n: program(
        f"%s = stablehlo.constant dense<{n}> : tensor<1xi64>\n%1 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>)"
        " -> tensor<?xi64>\n%0 = stablehlo.dynamic_reshape %1, %s : (tensor<?xi64>, tensor<1xi64>) -> tensor<?xi64>",
        "tensor<?xi64>",
    ),
    "low": lambda n: program(PAD.format(n, 0, 0)),
    "low and high": lambda n: program(PAD.format(n, -n, 0)),
    "interior": lambda n: program(PAD.format(0, 0, n)),
    "transpose": lambda n: program(f"%0 = stablehlo.transpose %x, dims = [{n}] : (tensor<4xf32>) -> tensor<4xf32>"),
    "limit": lambda n: program(f"%0 = stablehlo.slice %x [0:{n}:1] : (tensor<4xf32>) -> tensor<4xf32>"),
    "window": lambda n: program(WINDOW.format(size=n, name="window_strides", value="array<i64: 1>")),
    "window padding": lambda n: program(WINDOW.format(size=1, name="padding", value=f"dense<[[{n}, -{abs(n)}]]> : tensor<1x2xi64>")),  # noqa: E501
    "convolution dimension": lambda n: program(CONVOLUTION.format("", n), "tensor<1x1x1xf32>", "%x: tensor<1x1x1xf32>"),
    "convolution padding": lambda n: program(
        CONVOLUTION.format(f"padding = dense<[[{n}, -{abs(n)}]]> : tensor<1x2xi64>,", 0), "tensor<1x1x1xf32>", "%x: tensor<1x1x1xf32>"  # noqa: E501
    ),
    "mantissa_bits": lambda n: program(
        f'%0 = "stablehlo.reduce_precision"(%x) <{{exponent_bits = 8 : i32, mantissa_bits = {n} : i32}}>'
        " : (tensor<4xf32>) -> tensor<4xf32>"
    ),
    "all_to_all": lambda n: program(
        f'%0 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {n} : i64,'  # noqa: E501
        " replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>"
    ),
}  # fmt: skip
BEYOND = {"window padding", "low and high", "convolution padding"}
"""Those of which an amount that is large is an error for itself: the result has its size all the same."""


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_beyond_all_sizes(name: str) -> None:
    for number in HUGE:
        with pytest.raises(XlaError) as caught:
            xdsl_xla.compile(NUMBERS[name](number), filename="a.mlir", cache=False)
        assert caught.value.location is not None, number
        with pytest.raises(XlaError):
            interpreter.run(checked(NUMBERS[name](number)), "main", [np.ones(4, np.float32)])


@pytest.mark.parametrize("name", sorted(BEYOND))
def test_steps_are_checked_at_level_0(name: str) -> None:
    checked(NUMBERS[name](LARGEST_STEP))
    with pytest.raises(InvalidProgramError, match=r"2\^48"):
        checked(NUMBERS[name](LARGEST_STEP + 1))


def test_padding_that_is_cut_off_takes_no_memory() -> None:
    text = program(PAD.format(10**12, -(10**12), 0))
    (result,) = interpreter.run(checked(text), "main", [np.ones(4, np.float32)])
    assert result.tolist() == [0, 0, 0, 0]


def test_ranks() -> None:
    def negated(rank: int) -> str:
        return program("%0 = stablehlo.negate %x : T", "T", "%x: T").replace("T", f"tensor<{'1x' * rank}f32>")

    for result in both(negated(64), np.ones((1,) * 64, np.float32)):
        assert result.shape == (1,) * 64
    for rank in (65, 100, 1000):
        with pytest.raises(InvalidProgramError, match=f"{rank} dimensions"):
            checked(negated(rank))
    with pytest.raises(InvalidProgramError, match=r"tensor<2x2.*bytes"):
        checked(negated(64).replace("1x", "2x"))


def test_what_does_not_fit_the_memory_is_an_error_of_the_reference() -> None:
    text = program(
        "%1 = stablehlo.iota dim = 0 : tensor<1000000000000000xf32>\n%0 = stablehlo.negate %x : tensor<4xf32>"
    )
    with pytest.raises(UnsupportedError, match="not enough memory"):
        interpreter.run(checked(text), "main", [np.ones(4, np.float32)])


def test_aliases_that_double() -> None:
    lines = [
        "#a0 = [1]",
        *(f"#a{i} = [#a{i - 1}, #a{i - 1}]" for i in range(1, 60)),
        "module attributes {a.b = #a59} {}",
    ]
    with pytest.raises(InvalidProgramError, match="parts"):
        checked("\n".join(lines))


def test_depth_is_measured() -> None:
    assert checked_depth(parse_module(conditionals(7))) == 9
    assert checked_depth(parse_module(attributes("[", "]", 50))) == 50


# Calls that are known

TYPES = (
    "tensor<4xf32>", "tensor<f32>", "tensor<i32>", "tensor<2x3xf32>", "tensor<?xf32, #stablehlo.bounds<4>>",
    "tensor<2xi64>", "tuple<tensor<f32>>", "!stablehlo.token", "tensor<0xf32>", "tensor<2x2xcomplex<f32>>",
    "tensor<?x3xi32, #stablehlo.bounds<2, ?>>",
)  # fmt: skip
CONFIGURATIONS = (
    "", ", backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}", ", called_computations = [@less]",
    ", called_computations = [@less], backend_config = {reduction_dim = 5 : i64, top_k = 20 : i64}",
    ", called_computations = [@less], backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}",
    ", mhlo.attributes = {k = 2 : i64, largest = true}",
    ", backend_config = {replica_groups = dense<[[0]]> : tensor<1x1xi64>}",
)  # fmt: skip
LESS = """
func.func private @less(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %c : tensor<i1>
}"""
KNOWN = sorted(
    {
        *FORMS,
        *(name for name in LAPACK_FORMS if not name.startswith("lapack_")),
        "ragged_all_to_all",
        "mhlo.erf",
        "mhlo.topk",
        CSR_TIMES_DENSE,
    }
)


def random_call(target: str, draw: random.Random) -> str:
    operands = draw.choices(TYPES, k=draw.choice([0, 1, 1, 2, 2, 3, 4, 6]))
    results = draw.choices(TYPES, k=draw.choice([0, 1, 1, 1, 2, 2, 3]))
    if operands and results and draw.random() < 0.4:
        results[0] = operands[0]
    parameters = ", ".join(f"%a{i}: {type}" for i, type in enumerate(operands))
    values = ", ".join(f"%a{i}" for i in range(len(operands)))
    returned = ", ".join(f"%0#{i}" for i in range(len(results)))
    return (
        f"func.func @main({parameters}) -> ({', '.join(results)}) {{\n"
        + (f"%0:{len(results)} = " if results else "")
        + f"stablehlo.custom_call @{target}({values}) {{api_version = 4 : i32{draw.choice(CONFIGURATIONS)}}}"
        + f" : ({', '.join(operands)}) -> ({', '.join(results)})\n"
        + (f"return {returned} : {', '.join(results)}" if results else "return")
        + "\n}"
        + LESS
    )


def test_every_target_of_the_reference_has_a_form() -> None:
    # In a process of its own: other tests register targets.
    command = (
        "import xdsl_xla.reference.interpreter; from xdsl_xla.reference.custom_calls import TARGETS; print(*TARGETS)"
    )
    own = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.split()
    assert "xrt.members" in own
    assert {name for name in own if not name.startswith(("xrt.", "mhlo.", "lapack_"))} <= {
        *KNOWN,
        "shape_violation",  # says itself what is wrong
    }


@pytest.mark.sample(12)
@pytest.mark.parametrize("target", KNOWN)
def test_calls_of_known_targets_in_any_form(target: str) -> None:
    """They compile, or are errors with a location."""
    draw = random.Random(target)
    for _ in range(30):
        text = random_call(target, draw)
        try:
            xdsl_xla.compile(text, opt_level=0, cache=False)
        except XlaError as error:
            assert error.location is not None, text


@pytest.mark.parametrize(
    ("target", "types", "message"),
    [
        ("PadToStatic", "() -> ()", "expected 1, got 0"),
        ("PadToStatic", "(tensor<4xf32>) -> tensor<4xf32>", "results: expected 2, got 1"),
        ("PadToStatic", "(tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)", "result 1: expected an integer"),
        ("PadToStatic", "(tensor<4xf32>) -> (tensor<5xf32>, tensor<i32>)", r"padded to \[4\]"),
        ("SliceToDynamic", "(tensor<4xf32>) -> tensor<4xf32>", "operands: expected 2, got 1"),
        ("SliceToDynamic", "(tensor<4xf32>, tensor<i32>) -> tensor<4xi32>", "result 0: expected"),
        ("AllocateBuffer", "(tensor<4xf32>) -> tensor<4xf32>", "operands: expected 0, got 1"),
        ("Sharding", "() -> tensor<4xf32>", "at most 0"),
        ("mhlo.erf", "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>", "operands: expected 1, got 2"),
        ("mhlo.topk", "(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>)", "the integer k"),
        ("ApproxTopK", "(tensor<4xf32>, tensor<f32>) -> tensor<2xf32>", "option reduction_dim"),
    ],
)
def test_calls_in_a_wrong_form(target: str, types: str, message: str) -> None:
    count = types.split(" -> ")[0].count("tensor")
    text = f"""
    func.func @main(%x: tensor<4xf32>, %i: tensor<i32>, %f: tensor<f32>) {{
      "stablehlo.custom_call"({
        ", ".join(["%x", "%i" if "Slice" in target else "%f" if "Top" in target else "%x"][:count])
    }) <{{call_target_name = "{target}"}}> : {types}
      return
    }}"""
    with pytest.raises(InvalidProgramError, match=message):
        checked(text)


@pytest.mark.parametrize("size", [sys.maxsize, sys.maxsize - 1])
def test_arrays_as_large_as_addresses_are_no_internal_errors(
    size: int, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """NumPy raises a `ValueError` for them, and a `MemoryError` for smaller ones."""
    array = f"tensor<{size}xi8>"
    result = f"func.func @main() -> {array} {{ %0 = stablehlo.iota dim = 0 : {array} return %0 : {array} }}"
    with pytest.raises(MemoryError):
        xdsl_xla.compile(result)()
    program = tmp_path / "large.mlir"
    argument = f"func.func @main(%x: {array}) -> {array} {{ return %x : {array} }}"
    for text in (result, argument):
        program.write_text(text)
        assert xla_run.main([str(program)]) == 1
        assert "error: not enough memory: " in capsys.readouterr().err


def test_there_is_a_bound_for_each_dimension() -> None:
    with pytest.raises(InvalidProgramError, match=r"bounds<3>>: 1 bounds for 2 dimensions"):
        checked("func.func @main(%x: tensor<?x?xf32, #stablehlo.bounds<3>>) { return }")
