"""Where ops come from: each way in which it is known, and that a log of it changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import FusedLoc, ModuleOp, NoneAttr
from xdsl.ir import Operation
from xdsl_xla.dialects.editing import insert_before, new_op, replace_uses
from xdsl_xla.ir.pattern_log import recording
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools.html.origins import Kind, Level, OriginLog, Origins

TEXT = """
func.func @f(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32 loc("model.py":3:1)
  %b = arith.muli %a, %y : i32 loc("model.py":4:1)
  func.return %b : i32
}
"""


def origins_behind(text: str, change: Callable[[ModuleOp], None]) -> tuple[list[Operation], ModuleOp, Origins]:
    """The ops of `text` before, the module behind `change`, and where its ops come from."""
    module = parse_module(text, "test", new_context())
    before, log = list(module.walk()), OriginLog()
    level = Level(module, log)
    with recording(log):
        change(module)
    return before, module, level.origins_of(module)


def body(module: ModuleOp) -> list[Operation]:
    return list(module.body.block.first_op.regions[0].block.ops)  # pyright: ignore[reportOptionalMemberAccess]


def subtraction(module: ModuleOp, **fields: object) -> Operation:
    """A new op in front of the product, in its place."""
    _, product, _ = body(module)
    op = new_op(arith.SubiOp, product.operands, (product.results[0].type,), **fields)  # pyright: ignore[reportArgumentType]
    insert_before(op, product)
    return op


def test_the_same_op() -> None:
    _, module, origins = origins_behind(TEXT, lambda module: None)
    assert {op: [(op, Kind.SAME)] for op in module.walk()} == {op: list(of_op) for op, of_op in origins.items()}


def test_the_location_of_an_op() -> None:
    made: list[Operation] = []
    before, _, origins = origins_behind(
        TEXT, lambda module: made.append(subtraction(module, location=body(module)[0].location))
    )
    assert origins[made[0]] == ((before[2], Kind.LOCATION),)


def test_an_equal_location_that_is_another_object() -> None:
    made: list[Operation] = []
    copy = parse_module(TEXT, "test", new_context())
    before, _, origins = origins_behind(
        TEXT, lambda module: made.append(subtraction(module, location=body(copy)[0].location))
    )
    assert origins[made[0]] == ((before[2], Kind.LOCATION),)


def test_fused_locations() -> None:
    made: list[Operation] = []

    def change(module: ModuleOp) -> None:
        fused = FusedLoc([op.location for op in body(module)[:2]], NoneAttr())
        made.append(subtraction(module, location=fused))

    before, _, origins = origins_behind(TEXT, change)
    assert origins[made[0]] == ((before[2], Kind.LOCATION), (before[3], Kind.LOCATION))


def test_what_takes_the_place_of_an_op() -> None:
    def change(module: ModuleOp) -> None:
        addition, product, _ = body(module)
        replace_uses(product.results[0], addition.results[0])
        product.detach()
        product.erase()

    before, module, origins = origins_behind(TEXT, change)
    assert origins[body(module)[0]] == ((before[2], Kind.SAME), (before[3], Kind.REWRITE))


def test_an_op_of_which_nothing_is_known_is_guessed_from_its_users() -> None:
    made: list[Operation] = []

    def change(module: ModuleOp) -> None:
        made.append(subtraction(module))
        body(module)[2].operands[0] = made[0].results[0]

    before, _, origins = origins_behind(TEXT, change)
    assert origins[made[0]] == ((before[3], Kind.GUESS),)


def test_patterns_say_what_they_rewrite() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %x : tensor<4xf32>
      %1 = stablehlo.negate %0 : tensor<4xf32>
      %2 = stablehlo.exponential %1 : tensor<4xf32>
      %3 = stablehlo.reshape %2 : (tensor<4xf32>) -> tensor<4x1xf32>
      %4 = stablehlo.reshape %3 : (tensor<4x1xf32>) -> tensor<2x2xf32>
      %5 = stablehlo.reshape %4 : (tensor<2x2xf32>) -> tensor<4xf32>
      func.return %5 : tensor<4xf32>
    }"""
    (simplify,) = parse_passes("stablehlo-simplify")
    before, module, origins = origins_behind(text, lambda module: simplify.apply(new_context(), module))
    exponential, _ = body(module)
    assert exponential.name == "stablehlo.exponential"
    assert (before[4], Kind.SAME) in origins[exponential]
    assert {origin.op for origin in origins[exponential]} >= {before[4], before[7]}


@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
def test_watching_changes_nothing(pipeline: str) -> None:
    from pages import PROGRAM, recorded, request
    from xdsl_xla.runtime.compilation import prepare
    from xdsl_xla.runtime.pass_manager import run_passes
    from xdsl_xla.tools.html.naming import Names
    from xdsl_xla.tools.html.printed import printed

    prepared = prepare(PROGRAM, "program.mlir", request(pipeline))
    run_passes(prepared.context, prepared.module, prepared.passes)
    names = Names()
    names.assign(prepared.module, {})
    plain = printed(prepared.module, names.of, {}).lines
    stage = next(stage for stage in recorded(pipeline=pipeline).stages if stage.name == "LLVM IR")
    assert stage.lines == emitted(prepared.module)
    assert len(plain) == recorded(pipeline=pipeline).stages[-4].lines.__len__()


def emitted(module: ModuleOp) -> list[str]:
    from xdsl_xla.lowering.llvm_to_text import emit

    return emit(module).split("\n")
