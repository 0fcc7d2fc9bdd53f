"""`dialects/editing.py` makes what xDSL's own methods make."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects import affine, arith, cf, func, llvm, scf
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, StringAttr, i1, i32, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.core import SSAValues
from xdsl_xla.dialects import editing
from xdsl_xla.dialects.editing import (
    append,
    become,
    clone,
    discard_block,
    drain,
    erase,
    inline_block,
    insert_before,
    new_block,
    new_op,
    new_region,
    ops_of,
    replace_all_uses,
    replace_uses,
    walk,
)
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @f(%x: index, %m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %x step %x iter_args(%s = %zero) -> (f32) {
    %v = memref.load %m[%i] : memref<4xf32>
    %t = arith.addf %s, %v fastmath<reassoc> : f32
    scf.yield %t : f32
  }
  return %sum : f32
}
func.func @g(%x: i1) -> i32 {
  %a = arith.constant 1 : i32
  cf.cond_br %x, ^one(%a : i32), ^two
^one(%y: i32):
  return %y : i32
^two:
  return %a : i32
}
"""


def users(value: SSAValue) -> list[tuple[Operation, int]]:
    return [(use.operation, use.index) for use in value.uses]


@pytest.mark.parametrize(
    "op_class", [arith.AddiOp, arith.ConstantOp, affine.ForOp, scf.ForOp, llvm.LoadOp, llvm.CallOp, cf.BranchOp]
)
def test_new_op_sets_every_field(op_class: type[Operation]) -> None:
    made: list[Operation] = []
    makers: list[Callable[..., Operation]] = [op_class.create, partial(new_op, op_class)]
    for make in makers:
        block = Block(arg_types=[i32, i64])
        target = Block()
        op = make(
            operands=[*block.args, block.args[0]],
            result_types=[i1, i32],
            properties={"value": IntegerAttr(1, i32)},
            attributes={"note": StringAttr("x")},
            regions=[Region(Block())],
            successors=[target],
        )
        assert users(block.args[0]) == [(op, 2), (op, 0)] and users(block.args[1]) == [(op, 1)]
        assert [use.operation for use in target.uses] == [op] and op.successors[0] is target
        assert list(op.operands) == [*block.args, block.args[0]]
        assert [(result.op, result.index, result.type) for result in op.results] == [(op, 0, i1), (op, 1, i32)]
        assert op.regions[0].parent is op and op.parent is None and op.next_op is None and op.prev_op is None
        made.append(op)
    theirs, ours = made
    assert set(vars(ours)) <= set(vars(theirs))
    for name in ("properties", "attributes", "location"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert list(ours.properties) == list(theirs.properties)


def test_a_region_has_one_parent() -> None:
    region = Region(Block())
    new_op(scf.ForOp, regions=[region])
    with pytest.raises(ValueError):
        new_op(scf.ForOp, regions=[region])


def test_append_and_insert() -> None:
    block = Block()
    ops = [new_op(arith.ConstantOp, result_types=[i32], attributes={"n": IntegerAttr(n, i32)}) for n in range(5)]
    append(block, ops[1])
    append(block, ops[4])
    insert_before(ops[0], ops[1])
    insert_before(ops[2], ops[4])
    insert_before(ops[3], ops[4])
    assert list(block.ops) == ops and list(reversed(block.ops)) == ops[::-1]
    assert all(op.parent is block for op in ops) and block.first_op is ops[0] and block.last_op is ops[4]


def test_walk_is_xdsls() -> None:
    module = parse_module(PROGRAM)
    assert list(walk(module)) == list(module.walk())
    for function in module.ops:
        assert isinstance(function, func.FuncOp)
        assert list(walk(function.body)) == list(function.body.walk())


def test_walk_while_erasing() -> None:
    module = parse_module(PROGRAM)
    seen = 0
    for op in walk(module):
        seen += 1
        if isinstance(op, arith.AddfOp):
            replace_uses(op.result, op.lhs)
            erase(op)
    assert seen == 1 + sum(1 for _ in module.walk())
    module.verify()


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_drained_ops_go_elsewhere(kept: int) -> None:
    ops = [new_op(arith.ConstantOp, (), (i32,), {"value": IntegerAttr(n, i32)}) for n in range(4)]
    source, target = Block(ops), new_block()
    for op in drain(source, ops[kept]):
        assert op.parent is op.next_op is op.prev_op is None
        append(target, op)
    assert list(source.ops) == ops[:kept] and list(target.ops) == ops[kept:]
    assert source.last_op is (ops[kept - 1] if kept else None) and list(drain(new_block())) == []


def test_clone_is_xdsls() -> None:
    module = parse_module(PROGRAM)
    copy = clone(module)
    assert copy is not module and copy.is_structurally_equivalent(module) and str(copy) == str(module.clone())
    copy.verify()
    loop = next(op for op in walk(module) if isinstance(op, scf.ForOp))
    other = Block(arg_types=[value.type for value in loop.operands])
    values: dict[SSAValue, SSAValue] = {**dict(zip(loop.operands, other.args, strict=True))}
    copied = clone(loop, values)
    assert all(operand is values[old] for operand, old in zip(copied.operands, loop.operands, strict=True))
    assert values[loop.results[0]] is copied.results[0]
    assert copied.results[0].name_hint == "sum" and copied.body.block.args[1].name_hint == "s"
    assert values[loop.body.block.args[0]] is copied.body.block.args[0]


def test_an_op_becomes_another_one_in_its_place() -> None:
    module = parse_module(PROGRAM)
    op = next(op for op in module.walk() if isinstance(op, arith.AddfOp))
    result, (sum, value) = op.results[0], op.operands
    reader = users(result)
    become(op, arith.MulfOp, {"fastmath": op.properties["fastmath"]}, [value, value])
    assert isinstance(op, arith.MulfOp) and op.results == (result,) and users(result) == reader
    assert not users(sum) and sorted(index for _, index in users(value)) == [0, 1]
    expected = arith.MulfOp.create(operands=[value, value], result_types=[result.type])
    become(op, arith.MulfOp)
    assert op.properties == expected.properties and tuple(op.operands) == (value, value)
    module.verify()


def test_replace_uses_and_erase() -> None:
    block = Block(arg_types=[i32, i32])
    old, new = block.args
    old.name_hint = "old"
    adds = [new_op(arith.AddiOp, [old, old], [i32]), new_op(arith.AddiOp, [new, old], [i32])]
    for add in adds:
        append(block, add)
    replace_uses(old, new)
    assert users(old) == [] and set(users(new)) == {(add, index) for add in adds for index in (0, 1)}
    assert new.name_hint == "old" and all(tuple(add.operands) == (new, new) for add in adds)
    append(block, new_op(func.ReturnOp, adds[0].results))
    with pytest.raises(ValueError):
        erase(adds[0])
    function = new_op(
        func.FuncOp,
        properties={"sym_name": StringAttr("f"), "function_type": FunctionType.from_lists([i32, i32], [i32])},
        regions=[Region(block)],
    )
    ModuleOp([function]).verify()
    erase(adds[1])
    assert len(block.ops) == 2 and len(users(new)) == 2


def test_replace_all_uses_in_several_ops() -> None:
    block = Block(arg_types=[i32, i32, i32])
    first, second, third = block.args
    add = new_op(arith.AddiOp, [first, second], [i32])
    end = new_op(func.ReturnOp, [first, add.results[0], second, first])
    for op in (add, end):
        append(block, op)
    replace_all_uses({first: third, second: third, third: third})
    assert users(first) == users(second) == []
    assert set(users(third)) == {(add, 0), (add, 1), (end, 0), (end, 2), (end, 3)}
    assert tuple(add.operands) == (third, third) and tuple(end.operands) == (third, add.results[0], third, third)


def test_wide_operands_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Counted(SSAValues[SSAValue]):
        def __new__(cls, values: Sequence[SSAValue]) -> Counted:
            made.append(len(values))
            return super().__new__(cls, values)

    block = Block(arg_types=[i32] * 20)
    append(block, new_op(func.ReturnOp, block.args[:10] * 2))
    monkeypatch.setattr(editing, "SSAValues", Counted)
    replace_all_uses(dict(zip(block.args[:10], block.args[10:], strict=True)))
    assert made == [20]


def constants(count: int) -> list[arith.ConstantOp]:
    return [new_op(arith.ConstantOp, (), [i32], {"value": IntegerAttr(n, i32)}) for n in range(count)]


def test_ops_may_be_removed_while_they_are_visited() -> None:
    ops = constants(4)
    block = Block(ops)
    seen: list[Operation] = []
    for op in ops_of(block):
        seen.append(op)
        erase(op)
    assert seen == ops and list(ops_of(block)) == [] == list(block.ops)


def test_a_new_region_is_as_xdsl_makes_it() -> None:
    ours, theirs = new_region(new_block()), Region(Block())
    assert (ours.parent, ours.block.parent is ours) == (theirs.parent, theirs.block.parent is theirs)
    assert [*ours.blocks] == [ours.block] and ours.first_block is ours.last_block
    assert vars(ours).keys() == vars(theirs).keys()


def test_a_new_block_is_as_xdsl_makes_it() -> None:
    ours, theirs = new_block([i1, i64]), Block(arg_types=[i1, i64])
    assert vars(ours).keys() == vars(theirs).keys()
    for block in (ours, theirs):
        assert [(argument.type, argument.index) for argument in block.args] == [(i1, 0), (i64, 1)]
        assert all(argument.block is block and argument.first_use is None for argument in block.args)
        assert block.first_op is block.last_op is block.parent is None and block.name_hint is None
    assert [argument.location for argument in ours.args] == [argument.location for argument in theirs.args]
    ours.add_ops(ops := constants(2))
    assert list(ours.ops) == ops and Region([new_block(), ours]).blocks[1] is ours


def test_erasing_drops_the_uses_of_ops_inside() -> None:
    block = Block(arg_types=[i32, i1])
    value, condition = block.args
    inner = [new_op(arith.AddiOp, [value, value], [i32]), new_op(scf.YieldOp)]
    choice = new_op(scf.IfOp, [condition], regions=[Region(Block(inner)), Region()])
    kept = new_op(arith.AddiOp, [value, value], [i32])
    block.add_ops([choice, kept])
    erase(choice)
    assert users(condition) == [] and users(value) == [(kept, 1), (kept, 0)]
    assert list(block.ops) == [kept]


DOCUMENT = (Path(__file__).parents[2] / "docs" / "editing.md").read_text()


def test_document_names_every_function() -> None:
    functions = [name for name, value in vars(editing).items() if isfunction(value) and name[0] != "_"]
    own = {name for name in functions if getattr(editing, name).__module__ == editing.__name__}
    rows = set(re.findall(r"^\| `(\w+)\(", DOCUMENT, re.M))
    assert rows == own - {"clone_region", "noting_new_ops"}


def test_document_names_files() -> None:
    rows = re.findall(r"^\| `(\w+/\w+\.py)`", DOCUMENT, re.M)
    assert rows and all((Path(__file__).parents[2] / row).exists() for row in rows)


def test_rewrite_of_the_document() -> None:
    names: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", DOCUMENT, re.S)[0], names)
    module = parse_module("""func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> {
      %y = stablehlo.add %x, %x : tensor<3xi32>
      %z = stablehlo.add %y, %x : tensor<3xi32>
      return %z : tensor<3xi32>
    }""")
    names["double"](module)
    module.verify()
    computed = [op.name for op in walk(module) if op.name.startswith("stablehlo.")]
    assert computed == ["stablehlo.constant", "stablehlo.multiply", "stablehlo.add"]


def test_discard_block_lets_go_of_all_in_it() -> None:
    gc.collect()
    gc.disable()
    try:
        block = new_block([i32, i32])
        inner = new_block([i32])
        append(inner, new_op(arith.AddiOp, [inner.args[0], block.args[1]], [i32]))
        append(block, new_op(arith.AddiOp, list(block.args), [i32]))
        append(block, new_op(scf.ExecuteRegionOp, regions=[Region(inner)]))
        kept = [weakref.ref(value) for value in (block, inner, *block.ops, *inner.ops)]
        discard_block(block)
        del block, inner
        assert all(reference() is None for reference in kept)
    finally:
        gc.enable()


def test_a_block_takes_the_place_of_an_op() -> None:
    block = parse_module("func.func @f(%x: i32, %y: i32) -> i32 { %0 = arith.addi %x, %y : i32 return %0 : i32 }")
    caller = parse_module("func.func @g(%a: i32) -> i32 { %0 = arith.muli %a, %a : i32 return %0 : i32 }")
    (source,), (function,) = block.body.block.ops, caller.body.block.ops
    multiply = function.regions[0].block.first_op
    assert multiply is not None
    argument = multiply.operands[0]
    returned = inline_block(source.regions[0].block, multiply, [argument, argument])
    first = function.regions[0].block.first_op
    assert first is not None and first.name == "arith.addi" and first.next_op is multiply
    assert list(first.operands) == [argument, argument] and list(returned) == list(first.results)
    assert source.regions[0].block.first_op is None
