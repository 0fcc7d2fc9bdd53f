"""`dialects/verification.py` accepts what xDSL's own verifier accepts, and raises its errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, f32, i1, i32, i64
from xdsl.ir import Block, ErasedSSAValue, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import DiagnosticException, VerifyException
from xdsl_xla.dialects.editing import new_op
from xdsl_xla.dialects.shared_attributes import i64_array, tensor_type
from xdsl_xla.dialects.stablehlo import AddOp, BroadcastInDimOp, ConcatenateOp
from xdsl_xla.dialects.verification import verify, verify_op
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

CORPUS = Path(__file__).parents[1] / "corpus"


def _invalid() -> Iterator[Operation]:
    tensor = tensor_type(f32, 4)
    x, y, number = Block(arg_types=[tensor, tensor, i32]).args
    dimensions = {"broadcast_dimensions": i64_array(0)}
    yield new_op(AddOp, [x], [tensor])
    yield new_op(AddOp, [x, y], [])
    yield new_op(AddOp, [x, number], [tensor])
    yield new_op(AddOp, [x, y], [i32])
    yield new_op(AddOp, [x, y], [tensor], {"other": i64_array(0)})
    yield new_op(AddOp, [x, y], [tensor], regions=[Region()])
    yield new_op(AddOp, [x, y], [tensor], successors=[Block()])
    yield new_op(BroadcastInDimOp, [x], [tensor])
    yield new_op(BroadcastInDimOp, [x], [tensor], {"broadcast_dimensions": StringAttr("0")})
    yield new_op(BroadcastInDimOp, [x], [tensor], {**dimensions, "other": StringAttr("0")})
    yield new_op(arith.AddiOp, [number, number], [i64])
    yield new_op(ConcatenateOp, [x, y, number], [tensor], {"dimension": IntegerAttr(0, i64)})
    yield new_op(scf.IfOp, [number], regions=[Region(Block()), Region()])
    yield new_op(func.CallOp, [x], [], {"callee": StringAttr("f")})


def _valid() -> Iterator[Operation]:
    tensor = tensor_type(f32, 4)
    x, y, number, condition = Block(arg_types=[tensor, tensor, i32, i1]).args
    yield new_op(AddOp, [x, y], [tensor])
    yield new_op(AddOp, [x, y], [tensor], {}, {"note": StringAttr("x")})
    yield new_op(BroadcastInDimOp, [x], [tensor], {"broadcast_dimensions": i64_array(0)})
    yield new_op(arith.AddiOp, [number, number], [i32])
    yield new_op(ConcatenateOp, [x, y], [tensor_type(f32, 8)], {"dimension": IntegerAttr(0, i64)})
    yield new_op(scf.IfOp, [condition], regions=[Region(Block([new_op(scf.YieldOp)])), Region()])


def _error(verify: Callable[[], None]) -> str | None:
    try:
        verify()
    except (DiagnosticException, ValueError) as error:
        return str(error)
    return None


@pytest.mark.parametrize("make, is_valid", [(_valid, True), (_invalid, False)])
def test_definitions(make: Callable[[], Iterator[Operation]], is_valid: bool) -> None:
    for op in make():
        assert isinstance(op, IRDLOperation)
        theirs, ours = _error(op.verify_), _error(partial(verify_op, op))
        assert (theirs is None) == is_valid and ours == theirs, op


PROGRAM = """
func.func @main(%x: i32, %c: i1) -> i32 {
  %0 = func.call @callee(%x) : (i32) -> i32
  %1 = scf.if %c -> (i32) {
    %2 = arith.addi %0, %x : i32
    scf.yield %2 : i32
  } else {
    scf.yield %x : i32
  }
  func.return %1 : i32
}
func.func private @callee(%y: i32) -> i32 {
  cf.br ^end(%y : i32)
^end(%z: i32):
  func.return %z : i32
}
"""


class Parts:
    """The parts of `PROGRAM`."""

    def __init__(self) -> None:
        self.module = parse_module(PROGRAM, "<text>", new_context())
        self.main, self.callee = self.module.ops
        self.body = self.main.regions[0].block
        self.call, self.choice, self.leave = self.body.ops
        self.add = next(op for op in self.module.walk() if isinstance(op, arith.AddiOp))
        self.entry, self.end = self.callee.regions[0].blocks


def _rename_callee(p: Parts) -> None:
    p.callee.properties["sym_name"] = StringAttr("other")


def _call_with_a_bool(p: Parts) -> None:
    p.call.operands = [p.body.args[1]]


def _call_an_op(p: Parts) -> None:
    p.call.properties["callee"] = SymbolRefAttr("nowhere")


def _call_inside(p: Parts) -> None:
    p.call.properties["callee"] = SymbolRefAttr("callee", ["inside"])


def _same_names(p: Parts) -> None:
    p.callee.properties["sym_name"] = StringAttr("main")


def _use_of_another_function(p: Parts) -> None:
    p.add.operands[0] = p.entry.args[0]


def _use_of_an_op_around(p: Parts) -> None:
    p.module.body.block.insert_op_before(
        outer := new_op(arith.ConstantOp, (), [i32], {"value": IntegerAttr(0, i32)}), p.main
    )
    p.add.operands[0] = outer.results[0]


def _use_before_definition(p: Parts) -> None:
    p.add.operands[0] = p.choice.results[0]


def _erased_value(p: Parts) -> None:
    p.add.operands[1] = ErasedSSAValue(i32, p.body.args[0])


def _no_terminator(p: Parts) -> None:
    p.leave.detach()


def _no_terminator_inside(p: Parts) -> None:
    inner = p.add.next_op
    assert inner is not None
    inner.detach()


def _op_behind_a_branch(p: Parts) -> None:
    p.entry.add_op(new_op(arith.ConstantOp, (), [i32], {"value": IntegerAttr(0, i32)}))


def _branch_into_another_function(p: Parts) -> None:
    branch = p.entry.first_op
    assert branch is not None
    branch.successors[0] = p.body


def _empty_block(p: Parts) -> None:
    for op in reversed(p.body.ops):
        op.detach()


def _empty_block_of_several(p: Parts) -> None:
    p.callee.regions[0].add_block(Block())


def _wrong_parent(p: Parts) -> None:
    p.add.parent = p.body


def _wrong_parent_of_a_block(p: Parts) -> None:
    p.end.parent = p.main.regions[0]


def _wrong_type(p: Parts) -> None:
    p.callee.properties["function_type"] = FunctionType.from_lists([i64], [i32])


def _nothing(p: Parts) -> None:
    """The program as it is."""


ACCEPTED = [_nothing, _use_before_definition, _empty_block_of_several]
REFUSED = [
    _rename_callee,
    _call_with_a_bool,
    _call_an_op,
    _call_inside,
    _same_names,
    _use_of_another_function,
    _use_of_an_op_around,
    _erased_value,
    _no_terminator,
    _no_terminator_inside,
    _op_behind_a_branch,
    _branch_into_another_function,
    _empty_block,
    _wrong_parent,
    _wrong_parent_of_a_block,
    _wrong_type,
]


@pytest.mark.parametrize(
    "change, is_valid", [*((each, True) for each in ACCEPTED), *((each, False) for each in REFUSED)]
)
def test_modules(change: Callable[[Parts], None], is_valid: bool) -> None:
    parts = Parts()
    change(parts)
    theirs = _error(parts.module.verify)
    assert (theirs is None) == is_valid
    assert (_error(partial(verify, parts.module)) is None) == is_valid


def test_a_module_in_another_one() -> None:
    """Also where it stands is verified."""
    inner = ModuleOp([])
    outer = func.FuncOp("f", ([], []), Region(Block([inner])))
    assert outer.body.block.first_op is inner
    theirs = _error(inner.verify)
    assert theirs is not None and _error(partial(verify, inner)) == theirs


def test_what_is_inside_uses_nothing_from_outside() -> None:
    """Also where several ops that are isolated are in each other."""

    def module_of(*used: SSAValue) -> ModuleOp:
        users = [new_op(arith.AddiOp, [value, value], [i32]) for value in used]
        inner = func.FuncOp("inner", ([], []), Region(Block([*users, func.ReturnOp()])))
        deep = scf.ExecuteRegionOp.create(regions=[Region(Block([inner, new_op(scf.YieldOp)]))])
        return ModuleOp([func.FuncOp("outer", ([], []), Region(Block([deep, func.ReturnOp()])))])

    verify(module_of())
    with pytest.raises(VerifyException, match="IsolatedFromAbove parent"):
        verify(module_of(Block(arg_types=[i32]).args[0]))


@pytest.mark.parametrize("name", ["mlp_train_step", "kv_cache_decode"])
def test_modules_of_every_level_are_valid(name: str) -> None:
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    for step in parse_passes("xla-cpu", defaults={"threads": (2,)}):
        step.apply(context, module)
        verify(module)
    module.verify()
