"""`dialects/faster_xdsl.py` does what xDSL's own methods do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, f32, i1, i32, i64
from xdsl.ir import Block, Operation, Region
from xdsl.ir.core import SSAValues
from xdsl_xla.dialects.editing import erase, new_op
from xdsl_xla.dialects.faster_xdsl import REPLACED, faster_xdsl
from xdsl_xla.dialects.shared_attributes import i64_array


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with faster_xdsl():
        yield


def test_xdsl_is_as_it_was_afterwards() -> None:
    """Also after nested uses, and where what runs inside fails."""
    with pytest.raises(ZeroDivisionError), faster_xdsl():
        assert Block.add_op is REPLACED[Block, "add_op"]
        raise ZeroDivisionError
    assert Block.add_op is REPLACED[Block, "add_op"]  # of the fixture
    faster = {key: key[0].__dict__[key[1]] for key in REPLACED}
    assert faster == REPLACED
    check = """
import xdsl_xla
from xdsl.ir import Block
add_op = Block.add_op
xdsl_xla.compile("func.func @main() { return }")
assert Block.add_op is add_op
"""
    subprocess.run([sys.executable, "-c", check], check=True)


def test_elements_of_values() -> None:
    values = SSAValues(Block(arg_types=[i1, i32, i64]).args)
    assert values[1].type == i32 and values[-1].type == i64 and values[True].type == i32
    assert isinstance(values[1:], SSAValues) and values[1:].types == (i32, i64)
    with pytest.raises(IndexError):
        values[3]


def test_ops_may_be_removed_while_they_are_visited() -> None:
    ops = [new_op(arith.ConstantOp, (), [i32], {"value": IntegerAttr(n, i32)}) for n in range(4)]
    block = Block(ops)
    seen: list[Operation] = []
    for op in block.ops:
        seen.append(op)
        erase(op)
    assert seen == ops and list(block.ops) == [] and len(block.ops) == 0


def test_blocks_may_be_removed_while_they_are_visited() -> None:
    region = Region([Block(), Block(), Block()])
    blocks = [region.blocks[0], region.blocks[1], region.blocks[2]]
    seen: list[Block] = []
    for block in region.blocks:
        seen.append(block)
        region.detach_block(block)
    assert seen == blocks and len(region.blocks) == 0


def test_a_new_block() -> None:
    ops = [new_op(arith.ConstantOp, (), [i32], {"value": IntegerAttr(n, i32)}) for n in range(3)]
    block = Block(ops, arg_types=[i1, i64])
    assert [argument.type for argument in block.args] == [i1, i64] and [a.index for a in block.args] == [0, 1]
    assert all(argument.block is block and argument.first_use is None for argument in block.args)
    assert list(block.ops) == ops and all(op.parent is block for op in ops) and block.parent is None
    with pytest.raises(ValueError, match="already attached"):
        Block(ops)
    inside = Block()
    with pytest.raises(ValueError, match="contained in the operation"):
        inside.add_op(ModuleOp(Region(inside)))


def test_operands_results_and_regions_by_name() -> None:
    lower, upper, step, start = Block(arg_types=[IndexType()] * 3 + [f32]).args
    body = Block(arg_types=[IndexType(), f32])
    body.add_op(scf.YieldOp(body.args[1]))
    loop = scf.ForOp(lower, upper, step, [start], body)
    assert (loop.lb, loop.ub, loop.step) == (lower, upper, step) and tuple(loop.iter_args) == (start,)
    assert isinstance(loop.iter_args, SSAValues) and loop.body.block is body and len(loop.res) == 1
    branch = cf.ConditionalBranchOp(lower, Block(), [upper, step], Block(), [start])
    assert branch.cond is lower and tuple(branch.then_arguments) == (upper, step)
    assert tuple(branch.else_arguments) == (start,) and branch.then_block is branch.successors[0]
    del branch.properties["operandSegmentSizes"]
    with pytest.raises(KeyError):
        branch.cond  # noqa: B018


def test_numbers_of_an_array() -> None:
    sizes = i64_array(3, -1, 4)
    assert sizes.get_values() == (3, -1, 4) and sizes.get_values() is sizes.get_values()
    assert DenseArrayBase.from_list(f32, [0.5]).get_values() == (0.5,)
