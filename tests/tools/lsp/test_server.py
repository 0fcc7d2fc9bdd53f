"""`xla-lsp`, asked by a client over pipes."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdsl_xla.tools import xla_lsp
from xdsl_xla.tools.lsp import analysis, recording

from .client import Client, range_of, running

TEXT = """\
// RUN: xla-opt %s
func.func @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // added to itself
  %sum = stablehlo.add %x, %x : tensor<2x3xf32>
  return %sum : tensor<2x3xf32>
}

func.func @main(%y: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = func.call @twice(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  cf.br ^end(%1 : tensor<3x2xf32>)
^end(%z: tensor<3x2xf32>):
  return %z : tensor<3x2xf32>
}
// -----
func.func @twice(%x: i32) -> i32 {
  return %x : i32
}
"""


@pytest.fixture(scope="module")
def session() -> Iterator[Client]:
    with running() as client:
        yield client


@pytest.fixture
def client(session: Client) -> Client:
    assert session.open(TEXT) == []
    return session


def test_what_the_server_can_do(session: Client) -> None:
    able = session.server["capabilities"]
    assert able["textDocumentSync"]["change"] == 2  # incremental
    for name in ("hover", "definition", "references", "documentSymbol", "documentFormatting", "completion"):
        assert able[f"{name}Provider"]


def test_errors_in_all_functions_and_chunks(client: Client) -> None:
    """An op that does not exist, one that does not verify, and a text that ends in the midst of a function."""
    broken = TEXT.replace("stablehlo.add", "stablehlo.ad").replace("return %x : i32\n}", "return %y : i32\n}")
    broken += "// -----\nfunc.func @verified(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : tensor<2xf32>\n}\n"
    broken += "// -----\nfunc.func @unfinished(%x: tens"
    found = client.open(broken)
    assert [range_of(each) for each in found][:3] == [(3, 9, 3, 21), (16, 9, 16, 11), (20, 2, 20, 8)]
    assert found[0]["message"].startswith("operation stablehlo.ad is not registered; did you mean")
    assert "value %y is used but not defined" in found[1]["message"]
    assert "'func.return' op: " in found[2]["message"]
    assert found[3]["range"]["start"]["line"] == 23 and len(found) == 4
    assert all(each["severity"] == 1 and each["source"] == "xla-lsp" for each in found)


def test_two_broken_functions_of_a_chunk(client: Client) -> None:
    found = client.open(TEXT.replace("stablehlo.add", "stablehlo.ad").replace("dims = [1, 0]", "dims = 1, 0]"))
    assert [range_of(each)[0] for each in found] == [3, 9]


def test_all_ops_that_do_not_verify(client: Client) -> None:
    found = client.open(TEXT.replace("dims = [1, 0]", "dims = [1, 1]").replace("(%x: i32) -> i32", "(%x: i32) -> i64"))
    assert [range_of(each) for each in found] == [(9, 7, 9, 26), (16, 2, 16, 8)]
    assert "(C2)" in found[0]["message"]


def test_incremental_edits(client: Client) -> None:
    (error,) = client.edit((3, 9), (3, 22), "stablehlo.mul")
    assert "stablehlo.mul is not registered" in error["message"] and range_of(error) == (3, 9, 3, 22)
    assert client.edit((3, 22), (3, 22), "tiply") == []
    (error,) = client.edit((0, 0), (0, 0), "\n\n func.func @\n")
    assert range_of(error)[0] == 2
    assert client.edit((0, 0), (3, 0), "") == []


def test_columns_count_what_the_client_counts() -> None:
    line = '  %0 = stablehlo.custom_call @f(%x) {a = "\N{MUSICAL SYMBOL G CLEF}é"} : (i32) -> i31 : oops\n'
    text = f"func.func @main(%x: i32) {{\n{line}  return\n}}\n"
    before = line[: line.index(": oops")]
    for encodings, column in (((), len(before) + 1), (("utf-8",), len(before.encode())), (("utf-32",), len(before))):
        with running(*encodings) as client:
            (error,) = client.open(text)
            assert range_of(error)[:2] == (1, column)
            assert client.edit((1, column), (1, column + len(": oops")), "")[0]["range"]["start"]["line"] == 1


def test_hover_on_ops(client: Client) -> None:
    found = client.at("hover", 9, 15)
    text = found["contents"]["value"]
    assert found["contents"]["kind"] == "markdown" and range_of(found) == (9, 7, 9, 26)
    assert text.startswith("**stablehlo.transpose**") and "- constraints: C1 to C4" in text
    assert "- operands: `operand`" in text and "- attributes: `permutation`" in text
    assert "- here: `(tensor<2x3xf32>) -> (tensor<3x2xf32>)`" in text and "spec.md#transpose" in text


def test_hover_on_values_symbols_blocks_and_attributes(client: Client) -> None:
    value = client.at("hover", 4, 11)["contents"]["value"]
    assert "%sum : tensor<2x3xf32>" in value and "result 0 of `stablehlo.add`" in value
    assert "rank 2, 6 elements, 24 bytes" in value and "used once" in value
    assert "argument 0 of `func.func` `@main`" in client.at("hover", 7, 17)["contents"]["value"]
    assert "@twice : (tensor<2x3xf32>)" in client.at("hover", 8, 19)["contents"]["value"]
    assert "^end(tensor<3x2xf32>)" in client.at("hover", 10, 10)["contents"]["value"]
    assert client.at("hover", 2, 6) is client.at("hover", 5, 0) is None
    generic = TEXT.replace("stablehlo.transpose %0, dims =", '"stablehlo.transpose"(%0) {permutation =')
    assert client.open(generic.replace("[1, 0] :", "array<i64: 1, 0>} :")) == []
    assert "`permutation` of `stablehlo.transpose`: " in client.at("hover", 9, 40)["contents"]["value"]


def test_definitions_and_references(client: Client) -> None:
    def places(request: str, line: int, column: int, **more: object) -> list[tuple[int, int, int, int]]:
        return [range_of(found) for found in client.at(request, line, column, **more)]

    assert places("definition", 4, 10) == [(3, 2, 3, 6)]
    assert places("definition", 8, 20) == [(1, 10, 1, 16)]  # and not that of the other chunk
    assert places("definition", 10, 9) == [(11, 0, 11, 4)]
    with_declaration = {"includeDeclaration": True}
    assert places("references", 1, 17, context=with_declaration) == [(1, 17, 1, 19), (3, 23, 3, 25), (3, 27, 3, 29)]
    assert places("references", 1, 12, context={"includeDeclaration": False}) == [(8, 17, 8, 23)]
    assert places("documentHighlight", 12, 10) == [(11, 5, 11, 7), (12, 9, 12, 11)]
    assert places("definition", 0, 3) == places("definition", 99, 99) == []


def test_definitions_in_what_can_be_read_of_a_broken_file(client: Client) -> None:
    assert len(client.edit((8, 7), (8, 16), "func.cal")) == 1
    assert [range_of(found) for found in client.at("definition", 4, 10)] == [(3, 2, 3, 6)]
    assert [range_of(found) for found in client.at("definition", 8, 19)] == [(1, 10, 1, 16)]


def test_aliases(client: Client) -> None:
    text = "#map = affine_map<(d0) -> (d0)>\n!t = tensor<2xf32>\n"
    text += "func.func @f(%x: !t) attributes {a = #map} {\n  return\n}\n"
    assert client.open(text) == []
    assert [range_of(found) for found in client.at("definition", 2, 18)] == [(1, 0, 1, 2)]
    assert [range_of(found) for found in client.at("definition", 2, 39)] == [(0, 0, 0, 4)]


def test_symbols(client: Client) -> None:
    found = client.of_file("documentSymbol")
    assert [symbol["name"] for symbol in found] == ["@twice", "@main", "@twice"]
    assert found[1]["detail"] == "(tensor<2x3xf32>) -> tensor<3x2xf32>" and range_of(found[1]) == (7, 0, 13, 1)
    client.open("module @outer {\n  func.func @inner() {\n    return\n  }\n}\n")
    (outer,) = client.of_file("documentSymbol")
    assert outer["name"] == "@outer" and [child["name"] for child in outer["children"]] == ["@inner"]


def test_completion(client: Client) -> None:
    def labels(line: int, column: int) -> list[str]:
        return [item["label"] for item in client.at("completion", line, column)]

    client.edit((8, 2), (8, 2), "%new = stablehlo.tra\n  ")
    items = client.at("completion", 8, 22)
    (item,) = (item for item in items if item["label"] == "stablehlo.transpose")
    assert item["textEdit"]["range"] == {"start": {"line": 8, "character": 9}, "end": {"line": 8, "character": 22}}
    resolved = client.request("completionItem/resolve", item)
    assert "**stablehlo.transpose**" in resolved["documentation"]["value"]
    client.edit((8, 2), (8, 22), "arit")
    assert {"arith.", "func.", "stablehlo.add", "func.return"} <= set(labels(8, 6))
    client.edit((8, 2), (8, 6), "return %")
    assert "%y" in labels(8, 10) and "%sum" not in labels(8, 10)
    client.edit((8, 2), (8, 10), "call @")
    assert "@twice" in labels(8, 8)
    client.edit((8, 2), (8, 8), '%0 = "stablehlo.transpose"(%y) <{')
    assert labels(8, 35) == ["permutation"]
    client.edit((8, 2), (8, 35), "%0 = stablehlo.abs %y : ten")
    assert "tensor<" in labels(8, 29)
    client.edit((8, 2), (8, 29), "// tensor")
    assert labels(8, 11) == []


def test_formatting(client: Client) -> None:
    options = {"tabSize": 2, "insertSpaces": True}
    client.open(
        TEXT.replace("  %sum", "\t  %sum")
        .replace("\n  // added", "\n\n\n        // added")
        .replace("%x, %x :", "%x,%x:")
    )
    (edit,) = client.of_file("formatting", options=options)
    want = TEXT.replace("  return", "  func.return")
    assert edit["newText"] == want.replace("{\n  // added", "{\n\n  // added") and edit["range"]["start"]["line"] == 0
    assert client.open(edit["newText"]) == [] and client.of_file("formatting", options=options) == []
    client.open("func.func @f( // a comment within\n  %x: i32) {\n    return\n}\n")
    assert client.of_file("formatting", options=options) == []
    assert client.message() == "xla-lsp: not formatted: line 1: comments would be lost"
    client.open("func.func @f() {\n  retur\n}\n// -----\nfunc.func @g() {return}\n")
    (edit,) = client.of_file("formatting", options=options)
    assert edit["newText"].startswith("func.func @f() {\n  retur\n}\n// -----\nfunc.func @g() {\n  func.return\n}\n")
    assert client.message() == "xla-lsp: not formatted: line 1: it has errors"


def test_other_files(session: Client) -> None:
    hlo = "HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] nonsense(x)\n}\n"
    (error,) = session.open(hlo, "file:///tmp/m.hlo")
    assert range_of(error)[0] == 4 and "nonsense" in error["message"]
    assert session.edit((4, 18), (4, 26), "negate") == []
    assert session.at("hover", 4, 20) is None and session.of_file("documentSymbol") == []
    (error,) = session.open("kernel @a {\n  comput exp at (i)\n}\n", "file:///tmp/m.schedules")
    assert range_of(error)[:2] == (1, 2) and "expected one of compute" in error["message"]
    Client.uri = "file:///tmp/a%20file.mlir"
    session.uri = Client.uri


def test_typing_a_file_from_nothing(client: Client) -> None:
    """Every prefix of a file has an answer, and the server lives."""
    client.open("")
    line = column = 0
    generator = random.Random(0)
    for character in TEXT[:700]:
        client.type((line, column), (line, column), character)
        line, column = (line + 1, 0) if character == "\n" else (line, column + 1)
        if generator.random() < 0.2:
            for request in ("hover", "completion", "definition"):
                client.at(request, generator.randrange(line + 1), generator.randrange(60))
            client.of_file("documentSymbol")
    client.of_file("formatting", options={"tabSize": 2, "insertSpaces": True})
    assert client.process.poll() is None
    assert client.edit((0, 0), (line, column), TEXT) == []


@pytest.mark.parametrize(
    "text", ["{", "}", "%", '"', "(" * 5000, "module {" * 5000, "\0", "\ud83d", "#", "// -----\n" * 50]
)
def test_texts_that_are_no_programs(client: Client, text: str) -> None:
    client.open(text)
    for request in ("hover", "completion", "definition"):
        client.at(request, 0, 1)
    assert client.of_file("documentSymbol") == []
    client.of_file("formatting", options={"tabSize": 2, "insertSpaces": True})


def test_a_file_that_is_closed_has_no_diagnostics(client: Client) -> None:
    client.note("textDocument/didClose", {"textDocument": {"uri": client.uri}})
    assert client.notes.get(timeout=10)["params"]["diagnostics"] == []
    assert client.is_silent(0.5)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert xla_lsp.main(["--stdio", "--tcp", "2087"]) == 2 and "exclude each other" in capsys.readouterr().err
    assert xla_lsp.main(["--tcp", "0"]) == 2 and "expected a port from 1" in capsys.readouterr().err
    (tmp_path / "pygls").mkdir()
    (tmp_path / "pygls" / "__init__.py").write_text("raise ModuleNotFoundError('No pygls', name='pygls')")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from xdsl_xla.tools import xla_lsp; exit(xla_lsp.main([]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (2, "error: xla-lsp needs pygls: pip install 'xdsl-xla[lsp]'\n")


FUNCTION = "func.func @f{0}(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = {1}\n  return %0 : tensor<4xf32>\n}}\n"
GOOD, UNKNOWN = "stablehlo.add %x, %x : tensor<4xf32>", "stablehlo.ad %x, %x : tensor<4xf32>"


def read(monkeypatch: pytest.MonkeyPatch, bodies: list[str]) -> tuple[analysis.Chunk, list[int]]:
    """What is known of a file of functions with these bodies, and how many of them were looked at each time."""
    looks: list[int] = []

    def record(text: str, *arguments: Any) -> recording.Recording:
        looks.append(text.count("func.func"))
        return recording.record(text, *arguments)

    monkeypatch.setattr(analysis, "record", record)
    found = analysis.analyze("".join(FUNCTION.format(index, body) for index, body in enumerate(bodies)), "a.mlir")
    return found.chunks[0], looks


def test_undefined_values_are_found_in_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk, looks = read(monkeypatch, [GOOD.replace("%x, %x", "%x, %y")] * 30 + [GOOD])
    assert looks == [31]
    assert [problem.message for problem in chunk.problems] == ["value %y is used but not defined"] * 30
    assert [chunk.text[problem.start : problem.end] for problem in chunk.problems] == ["%y"] * 30
    assert len(chunk.ops) == 3 * 31


def test_functions_in_front_of_an_error_are_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk, looks = read(monkeypatch, [GOOD, GOOD, UNKNOWN, GOOD, UNKNOWN, GOOD])
    assert looks == [6, 3, 1]
    assert [chunk.text[problem.start : problem.end] for problem in chunk.problems] == ["stablehlo.ad"] * 2
    assert sum(op.op.name == "func.func" for op in chunk.ops) == 4
    assert len({op.start for op in chunk.ops}) == len(chunk.ops)
