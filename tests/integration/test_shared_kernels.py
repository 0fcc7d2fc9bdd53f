"""Kernels that differ in scalar constants alone share one function, and compute what each of them did, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl_xla.benchmarks import growing_programs
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

from .programs import random_inputs

OUTLINE = "stablehlo-simplify,convert-stablehlo-to-linalg,linalg-fuse-elementwise,linalg-outline-kernels"

FLOATS = {
    "added": ("%y{n} = stablehlo.add %x{n}, %c{n} : {t}", (2.5, 3.5, -7.25), "AAA"),
    "factors": ("%y{n} = stablehlo.multiply %x{n}, %c{n} : {t}", (2.5, 3.5, 0.125), "AAA"),
    "used twice": (
        "%s{n} = stablehlo.multiply %x{n}, %c{n} : {t}\n%y{n} = stablehlo.subtract %s{n}, %c{n} : {t}",
        (2.5, 3.5, 0.125),
        "AAA",
    ),
    "compared and selected": (
        "%p{n} = stablehlo.compare GT, %x{n}, %c{n} : ({t}, {t}) -> {b}\n"
        "%y{n} = stablehlo.select %p{n}, %c{n}, %x{n} : {b}, {t}",
        (0.25, 0.75, -0.5),
        "AAA",
    ),
    "divisors": ("%y{n} = stablehlo.divide %x{n}, %c{n} : {t}", (3.0, 7.0, 5.5), "AAA"),
    "dividends": ("%y{n} = stablehlo.divide %c{n}, %x{n} : {t}", (3.0, 4.0, 5.5), "AAA"),
    "exact divisors, which are factors": ("%y{n} = stablehlo.divide %x{n}, %c{n} : {t}", (2.0, 4.0, 0.125), "AAA"),
    "exponents": ("%y{n} = stablehlo.power %x{n}, %c{n} : {t}", (2.5, 3.5, 4.5), "ABC"),
    "zero and one": ("%y{n} = stablehlo.maximum %x{n}, %c{n} : {t}", (0.0, 1.0, -1.0), "ABC"),
    "one of them zero": ("%y{n} = stablehlo.maximum %x{n}, %c{n} : {t}", (0.0, 2.0, 3.0), "ABB"),
}
"""What is computed of an argument and a constant, the constants, and a letter for the kernel of each of them."""

INTEGERS = {
    "added": ("%y{n} = stablehlo.add %x{n}, %c{n} : {t}", (5, 7, -3), "AAA"),
    "masks": ("%y{n} = stablehlo.and %x{n}, %c{n} : {t}", (5, 7, 12), "AAA"),
    "greatest": ("%y{n} = stablehlo.maximum %x{n}, %c{n} : {t}", (5, 7, 12), "AAA"),
    "factors": ("%y{n} = stablehlo.multiply %x{n}, %c{n} : {t}", (5, 8, 12), "ABC"),
    "shifts": ("%y{n} = stablehlo.shift_left %x{n}, %c{n} : {t}", (2, 3, 4), "ABC"),
    "places": (
        "%j{n} = stablehlo.iota dim = 0 : {t}\n%p{n} = stablehlo.compare LT, %j{n}, %c{n} : ({t}, {t}) -> {b}\n"
        "%y{n} = stablehlo.select %p{n}, %j{n}, %x{n} : {b}, {t}",
        (5, 8, 12),
        "ABC",
    ),
}


def program(body: str, constants: Sequence[float], element: str) -> str:
    """`body` of an argument of its own for each of the constants."""
    tensor, flags = f"tensor<33x{element}>", "tensor<33xi1>"
    lines: list[str] = []
    for n, constant in enumerate(constants):
        lines.append(f"%c{n} = stablehlo.constant dense<{constant}> : {tensor}")
        lines.append(body.format(n=n, t=tensor, b=flags))
    count = range(len(constants))
    return growing_programs.main(
        [f"%x{n}: {tensor}" for n in count],
        [tensor] * len(constants),
        [*lines, f"return {', '.join(f'%y{n}' for n in count)} : {', '.join([tensor] * len(constants))}"],
    )


def outlined(text: str) -> ModuleOp:
    context = new_context()
    module = parse_module(text, "<text>", context)
    for each in parse_passes(OUTLINE):
        each.apply(context, module)
    module.verify()
    return module


def kernels(text: str) -> tuple[str, list[str]]:
    """A letter for the kernel of each call in the program that `text` becomes, and the arithmetic in each kernel."""
    module = outlined(text)
    called = [op.callee.string_value() for op in module.walk() if isinstance(op, CallOp)]
    names = [*dict.fromkeys(called)]
    arithmetic: dict[str, str] = {}
    for kernel in module.ops:
        if isinstance(kernel, FuncOp) and "xrt.kernel" in kernel.attributes:
            ops = [op.name for op in kernel.walk() if op.name.startswith(("arith.", "math."))]
            arithmetic[kernel.sym_name.data] = " ".join(op for op in ops if op != "arith.constant")
    assert arithmetic.keys() == set(names)
    return "".join("ABCDEFGH"[names.index(name)] for name in called), [arithmetic[name] for name in names]


@pytest.mark.sample(14)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str, element: str, decide: Callable[..., object]) -> None:
    check(program(*FLOATS[name][:2], element), FLOATS[name][2], decide)


@pytest.mark.parametrize("element", ["i8", "i32", "ui16", "i64"])
@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name: str, element: str, decide: Callable[..., object]) -> None:
    body, constants, letters = INTEGERS[name]
    check(program(body, [abs(c) if element[0] == "u" else c for c in constants], element), letters, decide)


def check(text: str, letters: str, decide: Callable[..., object], arithmetic: Sequence[str] = ()) -> None:
    """The kernels of `text` are those of the calls in `letters`, and compute what kernels of their own compute. They
    hold `arithmetic`, by default all the same.
    """
    found, held = kernels(text)
    assert found == letters
    assert held == list(arithmetic) if arithmetic else len(set(held)) == 1
    executable = xdsl_xla.compile(text, cache=False, threads=1)
    inputs = random_inputs(text)
    shared = executable(*inputs)
    decide(kernels={"passed_constants": 0})
    for one, other in zip(shared, xdsl_xla.compile(text, cache=False, threads=1)(*inputs), strict=True):
        assert one.tobytes() == other.tobytes()


def test_layers_share_a_product_and_what_is_applied_to_it(decide: Callable[..., object]) -> None:
    epilogue = "math.tanh arith.mulf arith.addf"
    check(growing_programs.layers(5), "AAAAA", decide, [f"arith.mulf arith.addf {epilogue}"])


def test_calls_in_branches(decide: Callable[..., object]) -> None:
    check(growing_programs.conditionals(4), "ABABABAB", decide, ["math.sin", "arith.mulf"])


def test_calls_in_loops(decide: Callable[..., object]) -> None:
    body = [f"%y1 = stablehlo.multiply %m0, %m0 : {growing_programs.ROW}"]
    loop = growing_programs.looped(
        1,
        [
            "%c0 = stablehlo.constant dense<2.5> : tensor<16xf32>",
            "%m0 = stablehlo.multiply %v1, %c0 : tensor<16xf32>",
            *body,
        ],
        "%x0",
    )
    text = growing_programs.main(
        ["%x0: tensor<16xf32>", "%z: tensor<16xf32>"],
        ["tensor<16xf32>"] * 2,
        [
            *loop,
            "%c = stablehlo.constant dense<3.5> : tensor<16xf32>",
            "%m = stablehlo.multiply %z, %c : tensor<16xf32>",
            "%r = stablehlo.multiply %m, %m : tensor<16xf32>",
            "return %x2, %r : tensor<16xf32>, tensor<16xf32>",
        ],
    )
    check(text, "ABCC", decide, ["arith.cmpi", "arith.addi", "arith.mulf arith.mulf"])


def test_too_many_constants_are_no_arguments() -> None:
    def chain(constants: Sequence[float], n: int) -> str:
        lines = [f"%v{n}_0 = stablehlo.sine %x{n} : tensor<33xf32>"]
        for k, constant in enumerate(constants):
            lines.append(f"%c{n}_{k} = stablehlo.constant dense<{constant}> : tensor<33xf32>")
            lines.append(f"%s{n}_{k} = stablehlo.multiply %v{n}_{k}, %c{n}_{k} : tensor<33xf32>")
            lines.append(f"%v{n}_{k + 1} = stablehlo.sine %s{n}_{k} : tensor<33xf32>")
        return "\n".join(lines)

    for count, letters in ((4, "AA"), (5, "AB")):
        text = growing_programs.main(
            ["%x0: tensor<33xf32>", "%x1: tensor<33xf32>"],
            ["tensor<33xf32>"] * 2,
            [
                chain([2.5 + k for k in range(count)], 0),
                chain([9.5 - k / 4 for k in range(count)], 1),
                f"return %v0_{count}, %v1_{count} : tensor<33xf32>, tensor<33xf32>",
            ],
        )
        arithmetic = "math.sin" + " arith.mulf math.sin" * count
        assert kernels(text) == (letters, [arithmetic] * len(set(letters)))
