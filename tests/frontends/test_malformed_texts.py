"""Texts that are no programs are refused in a time linear in their length, each with a located error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.formats import read_program
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.cpu_time import cpu_time_limit

SIZES = (1 << 10, 1 << 13, 1 << 16)
SECONDS = 8.0
"""What any size may take of CPU time, ten times what it takes. A quadratic reader takes minutes for the last size, an
exponential one for ever."""

FUNC = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
END = "  return %x : tensor<f32>\n}\n"
CALL = FUNC + "  %0 = stablehlo.custom_call @f() "
CONSTANT = FUNC + "  %0 = stablehlo.constant "
ADD = FUNC + "  %0 = stablehlo.add %x, %x : "
LOCATED = FUNC + "  return %x : tensor<f32> loc("
MAP = CALL + "{a = affine_map<(d0) -> ("
EINSUM = (
    '  %0 = "stablehlo.einsum"(%x, %x) {{einsum_config = "EQUATION"} : (tensor<f32>, tensor<f32>) -> tensor<f32>\n'
    + END
)


def doubled(count: int, sigil: str, one: str, two: str) -> str:
    """Aliases of which each contains the one before twice."""
    lines = [f"{sigil}a0 = {one}"]
    lines += [f"{sigil}a{i} = {two.format(f'{sigil}a{i - 1}', f'{sigil}a{i - 1}')}" for i in range(1, count)]
    return "\n".join(lines) + "\n"


MLIR: dict[str, Callable[[int], str]] = {
    "string": lambda n: CALL + '{a = "' + "a" * n,
    "string of words": lambda n: CALL + '{a = "' + "ab " * n,
    "string of escapes": lambda n: CALL + '{a = "' + "\\n" * n,
    "string with an unknown escape": lambda n: CALL + '{a = "' + "a" * n + '\\q"',
    "string over a line": lambda n: CALL + '{a = "' + "a" * n + '\n"',
    "op in quotes": lambda n: '"' + "ab " * n,
    "symbol in quotes": lambda n: 'func.func @"' + "a" * n,
    "location in quotes": lambda n: LOCATED + '"' + "a" * n,
    "attribute in quotes": lambda n: CALL + '{a = #foo<"' + "a" * n,
    "hexadecimal in quotes": lambda n: CONSTANT + 'dense<"0x' + "0" * n + "> : tensor<f32>",
    "resource in quotes": lambda n: CONSTANT + 'dense_resource<"' + "a" * n,
    "blanks": lambda n: FUNC + " " * n + "!",
    "comments": lambda n: FUNC + " //\n" * n + "&",
    "comment": lambda n: FUNC + "//" + "/ " * n,
    "type of x": lambda n: ADD + "tensor<" + "x" * n,
    "types of x": lambda n: FUNC + '%0 = "stablehlo.add"(%x, %x) : (tensor<' + "x" * n + "!",
    "many dimensions": lambda n: ADD + "tensor<" + "1x" * n + "f32>",
    "long size": lambda n: ADD + "tensor<" + "9" * n + "xf32>",
    "long width": lambda n: ADD + "tensor<4xi" + "9" * n + ">",
    "long size in an alias": lambda n: "!a = tensor<" + "9" * n + "xf32>\n" + FUNC + END,
    "long integer in an alias": lambda n: "#a = " + "9" * n + " : i32\n" + FUNC + END,
    "long hexadecimal in an alias": lambda n: "#a = 0x" + "9" * n + " : i32\n" + FUNC + END,
    "long value": lambda n: FUNC + "%0 = stablehlo.add %" + "x" * n + ' "\n',
    "operands": lambda n: FUNC + "%0 = stablehlo.add " + "%x, " * n + '%x "\n',
    "long constant": lambda n: CONSTANT + "dense<" + "1" * n + "> : tensor<i32>",
    "numbers": lambda n: CONSTANT + "dense<[" + "1, " * (n // 4),
    "brackets of a constant": lambda n: CONSTANT + "dense<" + "[" * n,
    "resources": lambda n: CONSTANT + "dense_resource<a> : tensor<f32>\n" + END + "{-# " + "a" * n + " #-}",
    "names of resources": lambda n: CONSTANT + "dense_resource<a> : tensor<f32>\n" + END + "{-# " + "a : " * n + " #-}",
    "locations from last to first": lambda n: (
        "".join(f'#loc{i} = loc("a"(#loc{i + 1}))\n' for i in range(n // 32)) + FUNC + "!"
    ),
    "locations without end": lambda n: "".join(f"#loc{i} = loc(fused[\n" for i in range(n // 32)) + FUNC + END,
    "locations in one another": lambda n: LOCATED + "callsite(" * n,
    "fused locations": lambda n: LOCATED + "fused[" * n,
    "brackets of a map": lambda n: MAP + "(" * n,
    "signs in a map": lambda n: MAP + "-" * n,
    "sums in a map": lambda n: (
        "module attributes {a.b = affine_map<(d0) -> (" + "d0 + " * max(300, n // 8) + "d0)>} {}"
    ),
    "arrays in arrays": lambda n: CALL + "{a = " + "[" * n,
    "closed arrays in arrays": lambda n: CALL + "{a = " + "[" * n + "]" * n + "} : () -> ()\n" + END,
    "dictionaries in dictionaries": lambda n: CALL + "{a = " * n,
    "tuples in tuples": lambda n: ADD + "tuple<" * n,
    "complex of complex": lambda n: ADD + "complex<" * n,
    "vectors of vectors": lambda n: ADD + "vector<2x" * n,
    "modules in modules": lambda n: "module {" * n,
    "types of an unknown dialect": lambda n: CALL + "{a = #foo.bar" + "<" * n,
    "types twice as large": lambda n: (
        doubled(min(n // 20, 60), "!", "i32", "tuple<{}, {}>")
        + f"func.func private @f(!a{min(n // 20, 60) - 1})\n"
    ),
    "attributes twice as large": lambda n: (
        doubled(min(n // 20, 60), "#", "[1]", "[{}, {}]")
        + f"module attributes {{b.a = #a{min(n // 20, 60) - 1}}} {{}}"
    ),
    "einsum": lambda n: FUNC + EINSUM.replace("EQUATION", "a" * n + "!"),
}  # fmt: skip

PARAMETER = "HloModule m\nENTRY e {\n  x = f32[] parameter(0)\n"
HLO = PARAMETER + "  ROOT r = f32[] negate(x)"
VALUE = "HloModule m\nENTRY e { ROOT x = "


def colliding(n: int) -> str:
    """Computations whose names are the same symbol."""
    names = [f"c{i:016b}".replace("0", ".").replace("1", "-") for i in range(n // 128)]
    computations = "".join(f"{name} {{ p = f32[] parameter(0) }}\n" for name in names)
    calls = "".join(f"  y{i} = f32[] call(x), to_apply={name}\n" for i, name in enumerate(names))
    return computations.join(("HloModule m\n", PARAMETER.removeprefix("HloModule m\n") + calls + "!"))


HLO_TEXTS: dict[str, Callable[[int], str]] = {
    "string": lambda n: HLO + ', metadata={op_name="' + "a" * n,
    "single quotes": lambda n: HLO + ", metadata={op_name='" + "\\'" * n,
    "single quote": lambda n: HLO + ", a={'\\" + "\\'" * n,
    "comments in attributes": lambda n: HLO + ", a=/*" * n,
    "comments": lambda n: HLO + " /*" * n,
    "brackets": lambda n: HLO + ", a=" + "{[(" * n,
    "tuples in tuples": lambda n: VALUE + "(" * n,
    "operands in operands": lambda n: PARAMETER + "  y = f32[] " + "negate(" * n,
    "computations in computations": lambda n: HLO + ", to_apply={ ROOT r = f32[] call(x)" * n,
    "long size": lambda n: VALUE + "f32[" + "1" * n + "] parameter(0) }",
    "long constant": lambda n: VALUE + "s32[] constant(" + "1" * n + ") }",
    "long part of a complex number": lambda n: VALUE + "c64[] constant((" + "1" * n + ")) }",
    "blanks in a complex number": lambda n: VALUE + "c64[2] constant({(1" + " " * n + ")}) }",
    "one long number of many": lambda n: VALUE + f"f32[{n + 2}] constant({{1." + "1" * n + ", 1" * n + "}) }",
    "comments in a constant": lambda n: VALUE + "f32[1] constant({" + "/* " * n + "}) }",
    "nothing of a trillion": lambda n: VALUE + f"f32[0,{n}000000000] constant({{{{}}}}) }}",
    "names for one symbol": colliding,
}  # fmt: skip

TEXTS = {
    **{f"mlir {name}": (text, "a.mlir") for name, text in MLIR.items()},
    **{f"hlo {name}": (text, "a.hlo") for name, text in HLO_TEXTS.items()},
}


@pytest.mark.sample(8)
@pytest.mark.skipif(sys.platform == "win32", reason="interval timers")
@pytest.mark.parametrize("name", TEXTS)
def test_a_malformed_text_is_refused_in_linear_time(name: str) -> None:
    text, filename = TEXTS[name]
    for size in SIZES:
        data = text(size).encode()
        start = time.process_time()
        with cpu_time_limit(SECONDS), pytest.raises(XlaError) as caught:
            verify_module(read_program(data, filename))
        assert time.process_time() - start < SECONDS
        assert caught.value.location is not None and caught.value.location.startswith(filename)
