"""What a file expects to be told, compared with what it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl_xla.diagnostics import Diagnostic, Severity, emit, handled_by, remark, warning
from xdsl_xla.errors import Note, XlaError, place_of
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools import xla_opt
from xdsl_xla.tools.driver.diagnostic_checks import DiagnosticCheck
from xdsl_xla.tools.driver.expectations import Count, expectations
from xdsl_xla.tools.reporting import describe

ERROR, WARNING, REMARK, NOTE = Severity.ERROR, Severity.WARNING, Severity.REMARK, Severity.NOTE


@pytest.mark.parametrize(
    ("line", "kind", "at", "text"),
    [
        ("// expected-error {{a}}", ERROR, 3, "a"),
        ("// expected-error@+1 {{a}}", ERROR, 4, "a"),
        ("foo // expected-warning @-2 {{a {b}}}", WARNING, 1, "a {b}"),
        ("// expected-note@above {{a}}", NOTE, 2, "a"),
        ("// expected-remark @below {{a}}", REMARK, 4, "a"),
        ("// expected-error@unknown {{a}}", ERROR, None, "a"),
    ],
)
def test_directives(line: str, kind: Severity, at: int | None, text: str) -> None:
    (found,), malformed = expectations(f"one\ntwo\n{line}\nfour\n")
    assert not malformed
    assert (found.kind, found.line, found.text, found.directive) == (kind, at, text, (3, 1 + line.index("expected")))


def test_above_and_below_skip_directives() -> None:
    lines = ["op", "// expected-error@above {{a}}", "// expected-error@above {{b}}"]
    lines += ["// expected-error@below {{c}}", "// expected-error@below {{d}}", "op"]
    found, _ = expectations("\n".join(lines), line_offset=10)
    assert [(each.text, each.line) for each in found] == [("a", 11), ("b", 11), ("c", 16), ("d", 16)]


def test_several_on_a_line_and_counts() -> None:
    text = "op // expected-error 2 {{a}} // expected-note@+1 0-1 {{b}} expected-remark 3+ {{c}}"
    found, malformed = expectations(text)
    assert not malformed
    assert [(each.text, each.count) for each in found] == [
        ("a", Count(2, 2)),
        ("b", Count(0, 1)),
        ("c", Count(3, None)),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("// expected-eror {{a}}", "not a directive: 'expected-eror {{a}}'"),
        ("// expected-error @belw {{a}}", "not a directive"),
        ("// expected-error {a}", "not a directive"),
        ("// expected-error a", "not a directive"),
        ("op // expected-error @+1 {{a}} as it should", "not a directive"),
        ("// expected_error {{a}}", "not a directive"),
        ("// expected-error-re {{a {{b}}", "found start of regex with no end '}}'"),
        ("// expected-error-re {{ {{(}} }}", "invalid regex: parentheses not balanced"),
        ("// expected-error 3-1 {{a}}", "invalid range: '3-1'"),
    ],
)
def test_misspelt_directives_are_refused(line: str, message: str) -> None:
    found, malformed = expectations(line)
    assert not found
    assert len(malformed) == 1 and message in malformed[0].message


def test_prose_is_no_directive() -> None:
    assert expectations("// the expected-value of this, an unexpected-error; `expected-error` is checked\n") == ([], [])


def check(text: str, *diagnostics: Diagnostic) -> list[str]:
    checked = DiagnosticCheck(text, "f.mlir")
    for diagnostic in diagnostics:
        checked.note(diagnostic)
    return checked.result()


def said(message: str, line: int | None = 1, kind: Severity = ERROR, *notes: Note) -> Diagnostic:
    return Diagnostic(kind, message, None if line is None else f"f.mlir:{line}:5", notes)


@pytest.mark.parametrize(
    ("text", "diagnostics", "complaints"),
    [
        ("op", [], []),
        ("op", [said("wrong")], ["f.mlir:1:5: error: unexpected error: wrong"]),
        ("op // expected-error {{wr}}", [said("wrong")], []),
        ("op // expected-error {{wr}}", [], ['f.mlir:1:7: error: expected error "wr" was not produced']),
        (
            "op // expected-error {{wr}}",
            [said("wrong", 2)],
            ["f.mlir:2:5: error: unexpected error: wrong", 'f.mlir:1:7: error: expected error "wr" was not produced'],
        ),
        (
            "op // expected-warning {{wr}}",
            [said("wrong")],
            [
                "f.mlir:1:7: error: 'error' diagnostic emitted when expecting a 'warning'",
                'f.mlir:1:7: error: expected warning "wr" was not produced',
            ],
        ),
        ("op // expected-error-re {{w{{.*}}g [x]}}", [said("wrong [x]")], []),
        ("op // expected-error-re {{w{{[[:digit:]]+}}}}", [said("wrong")], ["unexpected", "not produced"]),
        ("op // expected-error {{w}}", [said("wrong"), said("w")], []),
        ("op // expected-error 1 {{w}}", [said("wrong"), said("w")], ["unexpected error: w"]),
        ("op // expected-error 2 {{w}}", [said("wrong")], ['"w" 2 times, was produced 1 times']),
        ("op // expected-error {{w}} // expected-error {{w}}", [said("w")], ["not produced"]),
        ("op // expected-error@unknown {{w}}", [said("w", None)], []),
        ("op // expected-error@unknown {{w}}", [said("w")], ["unexpected", "not produced"]),
        (
            "op // expected-error {{w}}\n// expected-note@+1 {{here}}",
            [said("w", 1, ERROR, Note("look here", "f.mlir:3:1"))],
            [],
        ),
        ("op // expected-error {{w}}", [said("w", 1, ERROR, Note("look here", "f.mlir:3:1"))], ["unexpected note"]),
    ],
)
def test_one_for_one(text: str, diagnostics: list[Diagnostic], complaints: list[str]) -> None:
    found = check(text, *diagnostics)
    assert len(found) == len(complaints), found
    assert all(wanted in got for wanted, got in zip(complaints, found, strict=True)), found


MODULE = "func.func @f() {\n  return\n}\n"


def test_the_channel(capsys: pytest.CaptureFixture[str]) -> None:
    op = parse_module(MODULE, "f.mlir").body.block.first_op
    note = Note("here", place_of(op))
    warning(op, "odd", note)
    assert capsys.readouterr().err == "f.mlir:1:1: warning: odd\nf.mlir:1:1: note: here\n"
    heard: list[Diagnostic] = []
    with handled_by(heard.append):
        remark(op, "done")
        emit(Diagnostic(ERROR, "nowhere"))
    assert [str(each) for each in heard] == ["f.mlir:1:1: remark: done", "error: nowhere"]
    assert capsys.readouterr().err == ""


def test_notes_of_errors() -> None:
    error = XlaError("wrong", location="f:1:1", notes=[Note("here", "f:2:1"), Note("somewhere")])
    assert describe(error) == "f:1:1: error: wrong\nf:2:1: note: here\nnote: somewhere"


class TalkativePass(ModulePass):
    """Says something about each function."""

    name = "talk"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            remark(function, "seen", Note("in this module", place_of(op)))
            warning(function, "looks odd")


def run(tmp_path: Path, text: str, *flags: str) -> int:
    path = tmp_path / "f.mlir"
    path.write_text(text)

    class Driver(xla_opt.XlaOptMain):
        def register_all_passes(self) -> None:
            super().register_all_passes()
            self.register_pass("talk", lambda: TalkativePass)

    return xla_opt.main([str(path), "--verify-diagnostics", *flags], Driver)


def test_of_a_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, MODULE, "--talk") == 1
    error = capsys.readouterr().err
    assert "f.mlir:1:1: error: unexpected remark: seen" in error
    assert "error: unexpected warning: looks odd" in error and "unexpected note: in this module" in error
    expected = (
        "// expected-remark@below {{seen}}\n// expected-warning@below {{odd}}\n"
        + MODULE
        + "// expected-note@unknown {{in this module}}\n"
    )
    assert run(tmp_path, expected, "--talk") == 0
    assert run(tmp_path, expected) == 1


def test_all_invalid_ops_of_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    invalid = "  %{0} = \"arith.addi\"(%x, %y) : (i32, i64) -> i32  // expected-error {{{{operand 'rhs'}}}}\n"
    text = "func.func @f(%x: i32, %y: i64) {\n" + invalid.format(1) + invalid.format(2) + "  return\n}\n"
    assert run(tmp_path, text) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert xla_opt.main([str(tmp_path / "f.mlir")]) == 1
    assert [line.split(": ")[0].split(":")[-2:] for line in capsys.readouterr().err.splitlines()] == [
        ["2", "3"],
        ["3", "3"],
    ]


def test_a_symbol_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "// expected-note@below {{see existing symbol definition here}}\nfunc.func @f() {\n  return\n}\n"
        "// expected-error@below {{redefinition of symbol named 'f'}}\nfunc.func @f() {\n  return\n}\n"
    )
    assert run(tmp_path, text) == 0, capsys.readouterr().err


def test_misspelt_directives_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "// expected-eror@below {{x}}\n" + MODULE) == 1
    assert "f.mlir:1: error: not a directive: 'expected-eror@below {{x}}'" in capsys.readouterr().err
