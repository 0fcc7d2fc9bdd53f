"""Where new ops come from."""

from __future__ import annotations

import threading

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import FileLineColLoc, FusedLoc, IntAttr, ModuleOp, NameLoc, StringAttr, UnknownLoc, i32
from xdsl.ir import Operation
from xdsl_xla.dialects import locating
from xdsl_xla.dialects.editing import new_op
from xdsl_xla.runtime.mlir_text import parse_module


def at_line(line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr("model.mlir"), IntAttr(line), IntAttr(1))


def op_at(line: int | None) -> Operation:
    op = new_op(arith.ConstantOp, result_types=[i32])
    op.location = UnknownLoc() if line is None else at_line(line)
    return op


def new_location() -> object:
    return new_op(arith.ConstantOp, result_types=[i32]).location


def test_new_ops_come_from_the_op_that_is_rewritten_while_somebody_wants_to_know() -> None:
    with locating.locating():
        locating.at(op_at(3))
        assert new_location() == at_line(3)
        locating.at(op_at(None))
        assert new_location() == at_line(3)
        with locating.inside_any([op_at(None), op_at(5), op_at(6)]):
            assert new_location() == at_line(5)
        assert new_location() == at_line(3)
        assert new_op(arith.ConstantOp, result_types=[i32], location=at_line(9)).location == at_line(9)
        locating.forget()
        assert new_location() == UnknownLoc()
    assert not locating.is_on


def test_nothing_is_noted_otherwise() -> None:
    locating.at(op_at(3))
    locating.back(at_line(3))
    with locating.locating(False):
        locating.at(op_at(4))
        assert new_location() == UnknownLoc()


def test_after_an_error_all_is_as_before() -> None:
    with pytest.raises(KeyError), locating.locating():
        locating.at(op_at(3))
        raise KeyError
    assert not locating.is_on
    assert new_location() == UnknownLoc()


def test_what_another_thread_rewrites_is_not_what_new_ops_come_from() -> None:
    with locating.locating():
        locating.at(op_at(3))
        other = threading.Thread(target=lambda: locating.at(op_at(8)))
        other.start()
        other.join()
        assert new_location() == at_line(3)


def test_ops_that_others_have_made_are_marked() -> None:
    with locating.locating():
        locating.at(op_at(3))
        made, known = arith.ConstantOp.from_int_and_width(1, 32), op_at(7)
        for op in (made, known):
            locating.mark(op)
        assert (made.location, known.location) == (at_line(3), at_line(7))
        locating.come_to(known)
        assert new_location() == at_line(7)


def test_what_says_nothing_gets_what_is_in_front_of_it_or_around_it() -> None:
    ops = [op_at(None), op_at(4), op_at(None)]
    module = ModuleOp(ops)
    module.location = at_line(1)
    locating.fill(module)
    assert [op.location for op in ops] == [at_line(1), at_line(4), at_line(4)]


def test_a_location_of_the_text_is_kept_beside_the_one_that_the_text_gives() -> None:
    given = NameLoc(StringAttr("jit(f)/add"), at_line(12))
    both = locating.in_text(given, at_line(2))
    assert both == FusedLoc((given, at_line(2)), locating.IN_TEXT)
    assert locating.in_text(UnknownLoc(), at_line(2)) == at_line(2)
    assert locating.in_text(both, at_line(70)) == both


def test_the_parser_notes_both() -> None:
    text = 'func.func @main(%x: tensor<i32>) -> tensor<i32> {\n  return %x : tensor<i32> loc("user.py":7:3)\n}'
    with locating.locating():
        module = parse_module(text, "model.mlir")
    last = list(module.walk())[-1].location
    assert isinstance(last, FusedLoc) and last.metadata == locating.IN_TEXT
    assert isinstance(list(parse_module(text, "model.mlir").walk())[-1].location, FileLineColLoc)
