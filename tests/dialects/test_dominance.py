"""Values that are used where they are not defined, in regions of one block and of several."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, Region
from xdsl_xla.dialects.dominance import children_in_dominator_tree, early_uses
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module


@pytest.mark.parametrize(
    ("edges", "wanted"),
    [
        ({0: [1, 2], 1: [3], 2: [3]}, {0: [1, 2, 3]}),
        ({0: [1], 1: [2, 4], 2: [3], 3: [1]}, {0: [1], 1: [2, 4], 2: [3]}),
        ({0: [1, 2], 1: [2], 2: [1]}, {0: [1, 2]}),
        ({0: [], 1: [0]}, {}),
        ({0: [1], 1: [2], 2: [3, 1], 3: [4, 2], 4: [1]}, {0: [1], 1: [2], 2: [3], 3: [4]}),
    ],
)
def test_dominators(edges: dict[int, list[int]], wanted: dict[int, list[int]]) -> None:
    count = 1 + max(map(max, [list(edges), *[each or [0] for each in edges.values()]]))
    blocks = [Block() for _ in range(count)]
    region = Region(blocks)
    for source, targets in edges.items():
        branch = UnregisteredOp.with_name("t.br")(successors=[blocks[target] for target in targets])
        blocks[source].add_op(branch)
    children = children_in_dominator_tree(blocks[0])
    found = {blocks.index(block): sorted(map(blocks.index, below)) for block, below in children.items() if below}
    assert region.blocks.first is blocks[0] and found == wanted


BLOCKS = """
func.func @main(%c: i1, %x: i32) -> i32 {{
  cf.cond_br %c, ^left, ^right
^left:
  %l = arith.addi %x, %x : i32
  cf.br ^end(%l : i32)
^right:
  %r = arith.muli %x, %x : i32
  cf.br ^end(%{right} : i32)
^end(%e: i32):
  %0 = arith.addi %e, %{end} : i32
  return %0 : i32
^never:
  return %r : i32
}}
"""


@pytest.mark.parametrize(
    ("right", "end", "wrong"),
    [
        ("r", "x", None),
        ("r", "e", None),
        ("l", "x", "cf.br"),
        ("r", "l", "arith.addi"),
        ("e", "x", "cf.br"),
    ],
)
def test_blocks(right: str, end: str, wrong: str | None) -> None:
    """What a block uses is in blocks that dominate it; a block that nothing reaches may use anything."""
    module = parse_module(BLOCKS.format(right=right, end=end), "<text>")
    assert [use.user.name for use in early_uses(module)] == ([wrong] if wrong else [])


PROGRAM = """
func.func @main(%c: i1, %x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = scf.if %c -> (i32) {
    %2 = arith.muli %0, %x : i32
    scf.yield %2 : i32
  } else {
    scf.yield %x : i32
  }
  %3 = arith.subi %1, %1 : i32
  return %3 : i32
}
"""


@pytest.mark.parametrize(
    ("user", "value", "where"),
    [
        ("arith.addi", "arith.subi", "here (op in the same block)"),
        ("arith.muli", "arith.subi", "here (op in a parent region)"),
        ("arith.muli", "scf.if", "here (op in a parent region)"),
        ("arith.subi", "arith.muli", "here (op in a child region)"),
        ("arith.addi", "arith.addi", "here (op in the same block)"),
    ],
)
def test_what_a_pass_has_left(user: str, value: str, where: str) -> None:
    module = parse_module(PROGRAM, "<text>")
    verify_module(module)
    ops = {op.name: op for op in module.walk()}
    ops[user].operands[1] = ops[value].results[0]
    with pytest.raises(InvalidProgramError, match="operand #1 does not dominate this use") as error:
        verify_module(module)
    assert [note.message for note in error.value.notes] == [f"operand defined {where}"]


def test_arguments_of_another_block() -> None:
    module = parse_module(BLOCKS.format(right="r", end="x"), "<text>")
    left = next(op for op in module.walk() if op.name == "arith.addi")
    left.operands[0] = next(op for op in module.walk() if op.name == "func.func").regions[0].blocks[3].args[0]
    with pytest.raises(InvalidProgramError, match="operand #0 does not dominate this use") as error:
        verify_module(module)
    assert error.value.notes[0].message == "operand defined as a block argument (block #3 in the same region)"
