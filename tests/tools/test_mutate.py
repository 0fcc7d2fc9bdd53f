"""Mutants are the same each time, defects of all kinds are seen, campaigns go on, findings become small."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.executable import Executable
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.mutate import __main__ as command
from xdsl_xla.tools.mutate import seeds, text_mutations, trial, worker
from xdsl_xla.tools.mutate.byte_mutations import mutate_bytecode, mutate_export, sections_of, varint, with_sections
from xdsl_xla.tools.mutate.campaign import Campaign, Finding
from xdsl_xla.tools.mutate.minimise import reduced
from xdsl_xla.tools.mutate.mutants import Mutant, Mutants
from xdsl_xla.tools.mutate.outcomes import Kind, Outcome, Phase
from xdsl_xla.tools.mutate.readers import BYTECODE, HLO, JAX_EXPORT, MLIR, READERS
from xdsl_xla.tools.mutate.reordered import reordered
from xdsl_xla.tools.mutate.worker import Limits, try_one

# Workers are forked; where another test has imported JAX, that warns of its threads.
pytestmark = pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")

TESTS = Path(__file__).parents[1]
ADD = b"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
HLO_ADD = b"HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] add(x, x)\n}\n"
EXPORT = (TESTS / "frontends/exported/recurrent.jaxexport").read_bytes()
ARTIFACT = seeds.inner_bytecode(EXPORT)
SEEDS = [
    seeds.Seed("add", MLIR, ADD),
    seeds.Seed("add", HLO, HLO_ADD),
    seeds.Seed("recurrent", BYTECODE, ARTIFACT),
    seeds.Seed("recurrent", JAX_EXPORT, EXPORT),
]


def mutant(data: bytes = ADD) -> Mutant:
    return Mutant(0, MLIR, "add", data)


# -- mutants -----------------------------------------------------------------------------------------------------


def test_a_number_is_a_mutant() -> None:
    first, second = Mutants(SEEDS), Mutants(SEEDS)
    assert [first.mutant(n) for n in range(200)] == [second.mutant(n) for n in reversed(range(200))][::-1]
    assert {first.mutant(n).reader.name for n in range(200)} == set(READERS)
    assert len({first.mutant(n).data for n in range(200)}) > 150


@pytest.mark.parametrize("mutate", [m for m, _ in text_mutations.MUTATIONS], ids=lambda m: m.__name__)
def test_mutations_take_any_text(mutate: Callable[[str, str, Random], str]) -> None:
    texts = ["x", '"', "((((", ">>>", "\udc80\udcff", "// only a comment", ADD.decode(), HLO_ADD.decode(), "a < 1 -> 3"]
    changed = 0
    for number in range(40):
        for text in texts:
            mutated = mutate(text, texts[number % len(texts)], Random(number))
            seeds.write_text(mutated)
            changed += mutated != text
    assert changed


@pytest.mark.parametrize("mutate", [mutate_bytecode, mutate_export])
@pytest.mark.parametrize("data", [ARTIFACT, EXPORT, b"ML\xefR", b"ML\xefR\x0d", b"\0", b"ab"])
def test_mutations_take_any_bytes(mutate: Callable[[bytes, bytes, Random], bytes], data: bytes) -> None:
    changed = [mutate(data, ARTIFACT, Random(number)) for number in range(200)]
    assert any(new != data for new in changed)


def test_sections_are_put_together_again() -> None:
    start, sections = sections_of(ARTIFACT)
    assert with_sections(ARTIFACT[:start], sections) == ARTIFACT
    assert {number for number, _, _ in sections} >= {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("value", "size"), [(0, 1), (127, 1), (128, 2), (2**14, 3), (2**56 - 1, 8), (2**64 - 1, 9)])
def test_varints(value: int, size: int) -> None:
    from xdsl_xla.frontends.mlir_bytecode.stream import Stream

    assert len(varint(value)) == size
    assert Stream(varint(value), "number").varint() == value


def test_seeds_come_in_all_forms() -> None:
    found = seeds.collect([TESTS / "corpus/int_arith.mlir", TESTS / "frontends/exported/recurrent.jaxexport"])
    assert {seed.reader.name for seed in found} == set(READERS)
    assert all(try_one(Mutant(0, s.reader, s.name, s.data), False, Limits()).kind is Kind.ACCEPTED for s in found)


# -- trials ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "run", "kind"),
    [
        (ADD, False, Kind.ACCEPTED),
        (ADD, True, Kind.AGREED),
        (ADD.replace(b"add", b"adt"), True, Kind.REFUSED),
        (ADD.replace(b"2xf32", b"2x9999999xf32"), True, Kind.ACCEPTED),
        (ADD.replace(b"stablehlo.add %x, %x", b"stablehlo.sort %x"), True, Kind.REFUSED),
    ],
)
def test_ends_without_a_defect(data: bytes, run: bool, kind: Kind) -> None:
    assert try_one(mutant(data), run, Limits()).kind is kind


ENDLESS = b"""func.func @main() -> tensor<i1> {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%x = %t) : tensor<i1>
    cond { stablehlo.return %x : tensor<i1> }
    do { stablehlo.return %x : tensor<i1> }
  return %r : tensor<i1>
}
"""


@pytest.mark.slow
def test_a_program_that_never_ends_is_not_compared() -> None:
    outcome = try_one(mutant(ENDLESS), True, Limits())
    assert (outcome.kind, outcome.phase) == (Kind.NOT_COMPARED, Phase.REFERENCE)


def _without_location(*_: Any) -> None:
    raise InvalidProgramError("something is wrong")


def _recursion(*_: Any) -> None:
    _recursion()


def _memory(*_: Any) -> bytes:
    return bytes(1 << 40)


def _spin(*_: Any) -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("read", "kind", "signature"),
    [
        (_without_location, Kind.NO_LOCATION, "NO_LOCATION READ InvalidProgramError"),
        (lambda *_: {}["x"], Kind.TRACEBACK, "TRACEBACK READ KeyError"),  # pyright: ignore
        (_recursion, Kind.TRACEBACK, "TRACEBACK READ RecursionError test_mutate.py"),
        (_memory, Kind.MEMORY, "MEMORY READ MemoryError"),
        (_spin, Kind.HANG, "HANG READ test_mutate.py:_spin"),
        (lambda *_: time.sleep(60), Kind.HANG, "HANG READ test_mutate.py:<lambda>"),  # pyright: ignore
        (lambda *_: os.abort(), Kind.CRASH, "CRASH READ SIGABRT"),  # pyright: ignore
        (lambda *_: os._exit(3), Kind.CRASH, "CRASH READ code 3"),  # pyright: ignore
    ],
)
def test_defects_are_seen(
    read: Callable[..., Any], kind: Kind, signature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "read_program", read)
    outcome = try_one(mutant(), False, Limits(seconds=0.5))
    assert outcome.kind is kind
    assert outcome.signature.startswith(signature)


def test_engines_that_differ_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Subject.native

    def wrong(subject: Subject, executable: Executable, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [array + 1 for array in right(subject, executable, inputs)]

    monkeypatch.setattr(Subject, "native", wrong)
    outcome = try_one(mutant(), True, Limits())
    assert (outcome.kind, outcome.signature) == (Kind.WRONG, "WRONG stablehlo.add")
    monkeypatch.setattr(Subject, "native", _without_location)
    assert "only native code gives an error" in try_one(mutant(), True, Limits()).detail


# -- campaigns ---------------------------------------------------------------------------------------------------


def fails_on_seven(number: int) -> Callable[..., Outcome]:
    """A trial that ends its process now and then, and finds something in a text with a 7."""

    def attempt(data: bytes, name: str, run: bool, announce: Callable[[Phase], None]) -> Outcome:
        announce(Phase.READ)
        if len(data) % 50 == number:
            os.abort()
        if b"7" in data:
            return Outcome(Kind.TRACEBACK, Phase.READ, "a seven", "")
        return Outcome(Kind.REFUSED, Phase.READ)

    return attempt


def campaign(folder: Path | None) -> Campaign:
    return Campaign(Mutants(SEEDS[:2]), Limits(batch=30), 0.0, "digest", folder)


@pytest.mark.slow
def test_a_campaign_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "attempt", fails_on_seven(0))
    found: list[Finding] = []
    whole = campaign(None)
    whole.run(0, 150, found.append)
    campaign(tmp_path).run(0, 80, lambda _: None)
    again = campaign(tmp_path)
    again.load()
    again.run(0, 150, lambda _: None)
    assert (again.counts, again.seen, again.next) == (whole.counts, whole.seen, 150)
    assert sum(whole.counts.by_kind) == 150
    assert [whole.counts.by_kind[kind] > 0 for kind in (Kind.TRACEBACK, Kind.CRASH)] == [True, True]
    (seven,) = [finding for finding in found if finding.outcome.kind is Kind.TRACEBACK]
    assert b"7" in seven.mutant.data and len(seven.mutant.data) < 40
    assert {path.suffix for path in tmp_path.iterdir()} >= {".json", ".txt"}
    with pytest.raises(ValueError, match="other seeds"):
        Campaign(Mutants(SEEDS), Limits(), 0.0, "another", tmp_path).load()


def test_reduced_keeps_what_shows() -> None:
    kept = reduced(range(100), lambda part: {3, 50, 97} <= set(part), time.monotonic() + 60)
    assert list(kept) == [3, 50, 97]
    assert list(reduced(range(100), lambda part: True, 0.0)) == list(range(100))


# -- the command -------------------------------------------------------------------------------------------------


def test_the_command_counts_and_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "add.mlir").write_bytes(ADD)
    arguments = ["--seeds", str(tmp_path), "--count", "20", "--reader", "mlir", "--state", str(tmp_path / "state")]
    assert command.main(arguments) == 0
    assert "20 mutants:" in capsys.readouterr().out
    assert command.main([*arguments, "--count", "25"]) == 0
    assert "25 mutants:" in capsys.readouterr().out


def test_the_command_wants_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--seeds", str(tmp_path)]) == 2
    assert "--seeds: no programs there" in capsys.readouterr().err
    assert command.main(["--check", str(tmp_path / "x.txt")]) == 2


def test_check_says_how_files_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "add.mlir"
    path.write_bytes(ADD)
    assert command.main(["--check", str(path)]) == 0
    assert "add.mlir: AGREED" in capsys.readouterr().out
    monkeypatch.setattr(trial, "read_program", _without_location)
    assert command.main(["--check", str(path)]) == 1
    assert "something is wrong" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "same"),
    [("stablehlo.add %a, %b", True), ("stablehlo.add %a, %a", False), ("stablehlo.subtract %a, %b", False)],
)
def test_reductions_in_another_order(body: str, same: bool) -> None:
    text = f"""func.func @main(%x: tensor<5xi32>, %z: tensor<i32>) -> tensor<i32> {{
      %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
        reducer(%a: tensor<i32>, %b: tensor<i32>) {{
          %1 = {body} : tensor<i32>
          stablehlo.return %1 : tensor<i32>
        }}
      return %0 : tensor<i32>
    }}"""
    module = parse_module(text)
    other = reordered(module)
    assert other is not None
    arguments = np.arange(1, 6, dtype=np.int32), np.asarray(0, np.int32)
    assert (run(module, "main", arguments) == run(other, "main", arguments)) == same


def test_a_program_without_reductions_has_one_order() -> None:
    assert reordered(parse_module(ADD.decode())) is None
