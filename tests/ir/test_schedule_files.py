"""Schedules in files: what is written reads back, what is wrong is named where it stands, and who is asked first."""

from __future__ import annotations

import re
import warnings

import pytest
from xdsl.dialects import func
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.ir.schedule_files import Entry, Key, Schedules, digest_of, parse_entries, schedules_of, text_of_entries
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import ProgramContext

TEXT = """\
// two
// lines
kernel "0a" cpu "znver4" threads 2 {
  parallel i = 0 to 8 {
    compute exp at (i)
  }
}

kernel "0a" threads 1 as decided

// mine
kernel @rows_0 {
  compute exp at (3)
}
"""


def test_a_round_trip() -> None:
    entries = parse_entries("\n" + TEXT, "a.schedules")
    assert list(entries) == [Key("0a", "znver4", 2), Key("0a", "", 1), Key("@rows_0")]
    assert [entry.comment for entry in entries.values()] == ["two\nlines", "", "mine"]
    assert [entry.place for entry in entries.values()] == [f"a.schedules:{line}:1" for line in (4, 10, 13)]
    again = text_of_entries(entries.values())
    assert parse_entries(again, "b") == entries
    assert text_of_entries(parse_entries(again, "b").values()) == again
    assert again.splitlines()[0] == 'kernel "0a" threads 1 as decided' and "// two\n// lines\nkernel" in again


def test_entries_are_sorted() -> None:
    """Two files with other entries merge line by line: what is written does not depend on who came first."""
    entries = list(parse_entries(TEXT, "a").values())
    assert text_of_entries(entries) == text_of_entries(reversed(entries))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("kernal @a { }", "1:1", "at the start of an entry"),
        ("// fine\nkernel a { }", "2:8", "a symbol or a digest"),
        ("kernel @a cpu zen { }", "1:15", "[Ss]tring"),
        ("kernel @a threads -1 { }", "1:19", "integer"),
        ("kernel @a as chosen", "1:14", "decided"),
        ("kernel @a {\n  compute exp\n}", "3:1", "at"),
        ("kernel @a { compute exp at (", "1:29", "a number or the variable"),
        ("kernel @a { }\nkernel @a { }", "2:1", "x:1:1 has this entry already"),
        ("kernel @a threads 0 { }", "1:21", "a number of threads"),
        ("kernel @a {" + "for i = 0 to 1 {" * 64, "1:1035", "more than 64 deep"),
        ("kernel @a { compute a at (" + "(" * 65, "1:91", "more than 64 deep"),
    ],
)
def test_a_broken_file(text: str, place: str, message: str) -> None:
    with pytest.raises(InvalidProgramError, match=message) as error:
        parse_entries(text, "x")
    assert error.value.location == f"x:{place}"


def test_a_mark_of_byte_order() -> None:
    assert [entry.key.kernel for entry in parse_entries("\ufeffkernel @a as decided", "x").values()] == ["@a"]


KERNEL = """
func.func private @{name}(%{x}: memref<8xf32>, %y: memref<8xf32>) attributes {{xrt.kernel}} {{
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
    ins(%{x} : memref<8xf32>) outs(%y : memref<8xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %e = math.{op} %a : f32
    linalg.yield %e : f32
  }}
  return
}}"""


def kernel(name: str = "a", x: str = "x", op: str = "exp") -> func.FuncOp:
    function = parse_module(KERNEL.format(name=name, x=x, op=op)).body.block.first_op
    assert isinstance(function, func.FuncOp)
    return function


def test_the_digest_is_of_what_is_computed() -> None:
    assert digest_of(kernel()) == digest_of(kernel("other", "input")) == "0a240d9a4ca4ccc7aa45d586"
    assert digest_of(kernel()) != digest_of(kernel(op="log"))


def test_who_is_asked_first() -> None:
    function = kernel()
    digest = digest_of(function)

    def named(key: Key) -> Entry:
        return Entry(key, None, place=str(key))

    keys = [Key("@a"), Key("@a", "cpu", 2), Key("@a", "", 2), Key("@a", "cpu"), Key("@a", "cpu", 1), Key(digest)]
    found = [Key(digest, "cpu", 2), Key(digest, "other", 2), Key("@a", "cpu", 2)]
    schedules = Schedules({key: named(key) for key in keys}, {key: named(key) for key in found})
    wanted = [(keys[1], True), (keys[2], True), (keys[3], True), (keys[0], True), (keys[5], True), (found[0], False)]
    assert [(entry.key, obeyed) for entry, obeyed in schedules.of(function, "cpu", 2)] == wanted


def test_names_of_no_kernel() -> None:
    schedules = Schedules(parse_entries("kernel @b as decided", "x"))
    schedules.check_names([kernel("b"), kernel("c")])
    with pytest.raises(InvalidProgramError, match=r"@b is no kernel .* those are @a, @c") as error:
        schedules.check_names([kernel("c"), kernel("a")])
    assert error.value.location == "x:1:1"


def test_digests_of_no_kernel() -> None:
    known = digest_of(kernel())
    text = f'kernel "{known}" as decided kernel "0a" as decided kernel "0b" cpu "other" as decided'
    with pytest.warns(UserWarning, match=r'^x:1:\d+: ignored, for no kernel .* the digest "0a", and 1 more$'):
        Schedules(parse_entries(text, "x")).check_names([kernel()])
    with warnings.catch_warnings(action="error"):
        Schedules(parse_entries(text[: text.index('kernel "0a"')], "x")).check_names([kernel()])
        Schedules(found=parse_entries(text, "x")).check_names([kernel()])


def test_without_a_driver_there_is_nothing() -> None:
    assert schedules_of(ProgramContext()) == Schedules()


@pytest.mark.parametrize("text", ["# Title", "% of", "! x", "^ y", "@ z"])
def test_text_that_is_no_schedule(text: str) -> None:
    with pytest.raises(
        InvalidProgramError, match=f"x:1:1: (expected a name after '{re.escape(text[0])}'|.*identifier)"
    ) as error:
        parse_entries(text, "x")
    assert "{" not in str(error.value)
