"""The tiers of functions: what decides between them, and their limits."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.llvm import FuncOp
from xdsl_xla.dialects.llvm_parts import Tier
from xdsl_xla.ir.llvm_loops import NO_INSTRUCTION
from xdsl_xla.lowering.llvm_to_text.instructions import INLINE
from xdsl_xla.passes.llvm.llvm_choose_tiers import LlvmChooseTiersPass
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

LOOP = """
llvm.func internal @loop(%n: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0) : i64
  %one = llvm.mlir.constant(1) : i64
  %v = llvm.mlir.constant(dense<1> : vector<2xi64>) : vector<2xi64>
  %poison = llvm.mlir.poison : vector<1xi64>
  llvm.br ^loop(%zero, %poison : i64, vector<1xi64>)
^loop(%i: i64, %lane: COUNTER):
  BODY
  %j = llvm.add %i, %one : i64
  %c = llvm.icmp "slt" %j, %n : i64
  llvm.cond_br %c, ^loop(%j, %poison : i64, vector<1xi64>), ^end HINT
^end:
  llvm.return
}
llvm.func internal @inner(%n: i64) REPEATED{
  llvm.return
}
llvm.func @main(%n: i64, %p: !llvm.ptr) {
  llvm.call @loop(%n, %p) : (i64, !llvm.ptr) -> ()
  llvm.return
}
"""
VECTORS = "%w = llvm.add %v, %v : vector<2xi64>"


def tiers(text: str) -> dict[str, Tier]:
    context = new_context()
    module = parse_module(text, "<text>", context)
    LlvmChooseTiersPass().apply(context, module)
    module.verify()
    found: dict[str, Tier] = {}
    for op in module.ops:
        assert isinstance(op, FuncOp)
        tier = op.attributes["xrt.tier"]
        assert isinstance(tier, StringAttr)
        found[op.sym_name.data] = Tier(tier.data)
    return found


def loop(body: str, hint: str = "", hidden: bool = False) -> str:
    """`convert-to-llvm` notes which functions the loops of others call."""
    repeated = "attributes {xrt.repeated} " if "llvm.call @inner" in body else ""
    text = LOOP.replace("BODY", body).replace("HINT", hint).replace("REPEATED", repeated)
    if not hidden:
        text = text.replace(", %poison : i64, vector<1xi64>", " : i64").replace(", %lane: COUNTER", "")
    return text.replace("COUNTER", "vector<1xi64>")


@pytest.mark.parametrize(
    ("text", "expected", "inner"),
    [
        (loop("llvm.call @inner(%i) : (i64) -> ()"), Tier.LOOPS, Tier.VECTORS),
        (loop("%f = llvm.mlir.addressof @inner : !llvm.ptr"), Tier.LOOPS, Tier.PROGRAM),
        (loop("%w = llvm.add %i, %one : i64"), Tier.LOOPS, Tier.PROGRAM),
        (loop(VECTORS, hidden=True), Tier.TILES, Tier.PROGRAM),
        (loop("%w = llvm.add %i, %one : i64", hidden=True), Tier.VECTORS, Tier.PROGRAM),
        (loop(VECTORS), Tier.VECTORS, Tier.PROGRAM),
        (loop(VECTORS, "{xrt.unroll}"), Tier.LOOPS, Tier.PROGRAM),
        # the head of a vector loop is a block of its own
        (loop(f"llvm.br ^body\n^body:\n{VECTORS}"), Tier.VECTORS, Tier.PROGRAM),
        # a vector loop branches
        (
            loop(
                '%b = llvm.icmp "slt" %i, %one : i64\nllvm.cond_br %b, ^then, ^else\n'
                f"^then:\n{VECTORS}\nllvm.br ^more\n^else:\nllvm.br ^more\n^more:"
            ),
            Tier.VECTORS,
            Tier.PROGRAM,
        ),
    ],
)
def test_what_a_loop_holds_decides(text: str, expected: Tier, inner: Tier) -> None:
    assert tiers(text) == {"loop": expected, "inner": inner, "main": Tier.PROGRAM}


@pytest.mark.brief
def test_what_is_soon_over_is_not_optimised_unless_a_loop_calls_it() -> None:
    text = loop("llvm.call @inner(%i) : (i64) -> ()")
    assert tiers(text) == {"loop": Tier.LOOPS, "inner": Tier.VECTORS, "main": Tier.PROGRAM}
    short = loop("%w = llvm.add %i, %one : i64").replace('"slt" %j, %n', '"slt" %j, %one')
    assert tiers(short) == {"loop": Tier.PROGRAM, "inner": Tier.PROGRAM, "main": Tier.PROGRAM}


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "steps", "tier"),
    [
        ("main.body", 10, Tier.LOOPS),
        ("main.body", 1100, Tier.VECTORS),
        ("odd name.body", 1100, Tier.VECTORS),
        ("kernel", 1100, Tier.LOOPS),
    ],
)
def test_a_long_program_is_spared_what_takes_the_square_of_its_length(name: str, steps: int, tier: Tier) -> None:
    step = """^b{n}:
  %x{n} = llvm.load %p : !llvm.ptr -> f32
  %y{n} = llvm.fadd %x{n}, %x{n} : f32
  llvm.store %y{n}, %p : f32, !llvm.ptr
  llvm.cond_br %c, ^b{n}, ^b{following}
"""
    text = f'llvm.func internal @"{name}"(%p: !llvm.ptr, %c: i1) {{\n  llvm.br ^b0\n'
    text += "".join(step.format(n=n, following=n + 1) for n in range(steps))
    assert tiers(text + f"^b{steps}:\n  llvm.return\n}}\n") == {name: tier}


@pytest.mark.parametrize(
    ("name", "loops", "tier"),
    [
        ("main.body", 32, Tier.LOOPS),
        ("main.body", 33, Tier.PROGRAM),
        ("kernel", 32, Tier.LOOPS),
        ("kernel", 33, Tier.TILES),
    ],
)
def test_many_loops_in_each_other_are_left_to_the_code_generator(name: str, loops: int, tier: Tier) -> None:
    text = f"llvm.func internal @{name}(%p: !llvm.ptr, %c: i1) {{\n  llvm.br ^b1\n"
    text += "".join(f"^b{n}:\n  llvm.br ^b{n + 1}\n" for n in range(1, loops))
    text += f"^b{loops}:\n  llvm.store %c, %p : i1, !llvm.ptr\n  llvm.cond_br %c, ^b{loops}, ^e{loops - 1}\n"
    text += "".join(f"^e{n}:\n  llvm.cond_br %c, ^b{n}, ^e{n - 1}\n" for n in reversed(range(1, loops)))
    assert tiers(text + "^e0:\n  llvm.return\n}\n") == {name: tier}


def test_constants_are_no_instructions() -> None:
    assert INLINE.keys() == NO_INSTRUCTION
