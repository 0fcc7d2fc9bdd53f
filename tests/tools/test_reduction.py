"""Reducing modules: what is left, what is kept, and `xla-opt --reduce`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools import xla_opt
from xdsl_xla.tools.reduction.drafts import Draft
from xdsl_xla.tools.reduction.engine import Reduction, count_ops, reduce_module

ROOT = Path(xdsl_xla.__file__).parent
CORPUS = ROOT / "tests" / "corpus"
DOCUMENT = ROOT / "docs" / "reducing.md"


def module_of(name: str) -> ModuleOp:
    return parse_module((CORPUS / f"{name}.mlir").read_text())


def reduced_to(module: ModuleOp, *names: str) -> Reduction:
    """What is left of a module if it has to have ops of these names."""

    def has_all(draft: Draft) -> bool:
        verify_module(draft.module)
        return {op.name for op in draft.module.walk()} >= set(names)

    reduction = reduce_module(module, has_all)
    verify_module(reduction.module)
    assert has_all(Draft(reduction.module, {}))
    return reduction


@pytest.mark.parametrize(
    ("program", "names", "most"),
    [
        ("transformer_block", ["stablehlo.dot_general"], 1),
        ("control_flow", ["stablehlo.while"], 1),
        ("control_flow", ["stablehlo.case", "stablehlo.clamp"], 2),
        ("sorts", ["stablehlo.sort"], 1),
        ("reductions", ["stablehlo.reduce", "stablehlo.maximum"], 2),
        ("scatters", ["stablehlo.scatter"], 1),
        ("kmeans", ["stablehlo.iota", "stablehlo.compare"], 2),
    ],
)
def test_only_what_is_looked_for_is_left(program: str, names: list[str], most: int) -> None:
    module = module_of(program)
    before = str(module)
    reduction = reduced_to(module, *names)
    assert count_ops(reduction.module) <= most
    assert reduction.ended == "least"
    assert str(module) == before


def test_sizes_shrink() -> None:
    reduction = reduced_to(module_of("transformer_block"), "stablehlo.tanh")
    sizes = re.findall(r"tensor<([\dx]+)f32>", str(reduction.module))
    assert sizes and all(set(size.split("x")) <= {"1", ""} for size in sizes)


PADDED = """
func.func @main(%x: tensor<24x100xf32>, %y: tensor<24x13xf32>) -> tensor<24x130xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 7], high = [0, 10], interior = [0, 0]
    : (tensor<24x100xf32>, tensor<f32>) -> tensor<24x117xf32>
  %1 = stablehlo.concatenate %0, %y, dim = 1 : (tensor<24x117xf32>, tensor<24x13xf32>) -> tensor<24x130xf32>
  %2 = stablehlo.tanh %1 : tensor<24x130xf32>
  return %2 : tensor<24x130xf32>
}"""


def test_sizes_that_are_sums_shrink() -> None:
    reduction = reduced_to(parse_module(PADDED), "stablehlo.pad", "stablehlo.concatenate")
    sizes = re.findall(r"tensor<([\dx]+)f32>", str(reduction.module))
    assert sizes and max(int(size) for shape in sizes for size in shape.split("x") if size) <= 3
    assert "high = [0, 0]" in str(reduction.module)


def test_branches_of_lowered_code() -> None:
    module = parse_module("""func.func @f(%c: i1, %x: f32) -> f32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      %0 = arith.mulf %x, %x : f32
      cf.br ^c(%0 : f32)
    ^b:
      %1 = arith.addf %x, %x : f32
      cf.br ^c(%1 : f32)
    ^c(%y: f32):
      %2 = arith.negf %y : f32
      func.return %2 : f32
    }""")
    names = Counter(op.name for op in reduced_to(module, "arith.addf").module.walk())
    assert names["cf.cond_br"] == 0 and names["arith.mulf"] == 0 and names["arith.negf"] == 0


def test_signatures_may_be_kept() -> None:
    module = module_of("kmeans")
    reduction = reduce_module(
        module, lambda draft: "stablehlo.iota" in str(draft.module), may_change_signatures=False, seconds=20
    )
    types = [str(op.properties["function_type"]) for m in (module, reduction.module) for op in m.ops]
    assert types[0] == types[-1]


def test_time_ends_it_with_the_best_so_far() -> None:
    def slow(draft: Draft) -> bool:
        time.sleep(0.02)
        return "stablehlo.tanh" in str(draft.module)

    module = module_of("transformer_block")
    reduction = reduce_module(module, slow, seconds=0.5)
    assert reduction.ended == "time"
    assert count_ops(reduction.module) < count_ops(module)


def test_an_interruption_keeps_the_best_so_far() -> None:
    calls = 0

    def interrupted(draft: Draft) -> bool:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return "stablehlo.dot_general" in str(draft.module)

    module = module_of("transformer_block")
    reduction = reduce_module(module, interrupted)
    assert reduction.ended == "interrupted"
    assert count_ops(reduction.module) < count_ops(module)


# -- the command -------------------------------------------------------------------------------------------------


def test_the_conventions_of_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(CORPUS / "kmeans.mlir")
    results: list[str] = []
    for words in (
        ["--test", "! grep -q stablehlo.iota"],  # mlir-reduce's: not 0
        ["--test", "grep -q stablehlo.iota {}", "--interesting", "zero"],
        ["--test", "grep -q stablehlo.iota {} && exit 7; exit 1", "--interesting", "7"],
    ):
        assert xla_opt.main([file, "--reduce", *words]) == 0
        captured = capsys.readouterr()
        assert "warning" not in captured.err
        assert re.fullmatch(r"reduced from \d+ to 1 ops, \d+ programs tried\n", captured.err)
        results.append(captured.out)
    assert results[0] == results[1] == results[2]
    assert "stablehlo.iota" in results[0]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--reduce"], 2, "--reduce needs --test COMMAND"),
        (["--test", "true"], 2, "--test is an option of --reduce"),
        (["--interesting", "zero"], 2, "--interesting is an option of --reduce"),
        (["--test-timeout", "60"], 2, "--test-timeout is an option of --reduce"),
        (["--reduce", "--test", "false", "--html", "x.html"], 2, "--reduce does not take --html"),
        (["--reduce", "--test", "kill -SEGV $$;", "--interesting", "0"], 1, "ended with code 139"),
        (["--reduce", "--test", "false", "-o", "/no/such/file"], 1, "/no/such/file: No such file or directory"),
        (
            ["--reduce", "--test", "true {}"],
            1,
            "it is is not interesting: the command ended with code 0",
        ),
        (["--reduce", "--test", "sleep 9;", "--test-timeout", "0.1"], 1, "did not end within 0.1 seconds"),
        (["--reduce", "--test", "/no/such/command"], 1, "--test: the shell cannot run '/no/such/command' (code 127)"),
        (["--reduce", "--test", "false", "-p", "cse"], 2, "--reduce does not take -p"),
        (["--reduce", "--test", "false", "-t", "llvm"], 2, "--reduce prints MLIR, without -t"),
        (["--reduce", "--test", "false", "--interesting", "maybe"], 2, "--interesting maybe: nonzero, zero, or a code"),
        (["--reduce", "--test", "false", "--reduce-timeout", "-1"], 2, "--reduce-timeout -1: expected seconds"),
        (["--reduction-tree", "traversal-mode=0"], 2, "expected 'traversal-mode=0 test=SCRIPT'"),
        (["--reduction-tree", "traversal-mode=2 test=x"], 2, "traversal-mode=2 is not known, only 0"),
    ],
)
def test_wrong_usage(words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert xla_opt.main([str(CORPUS / "kmeans.mlir"), *words]) == code
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""


def test_a_command_that_answers_by_chance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every other time a program is interesting."""
    command = f": {{}}; echo >> {tmp_path}/calls; test $(($(wc -l < {tmp_path}/calls) % 2)) = 1"
    words = ["--reduce", "--test", command, "--interesting", "zero"]
    assert xla_opt.main([str(CORPUS / "kmeans.mlir"), *words]) == 0
    assert "warning: the command does not always find this program interesting" in capsys.readouterr().err


def test_an_empty_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.mlir").write_text("module {\n}\n")
    assert xla_opt.main([str(tmp_path / "empty.mlir"), "--reduce", "--test", "false"]) == 0
    assert capsys.readouterr().out.split() == ["builtin.module", "{", "}"]


def _heed_ctrl_c() -> None:
    """Shells have what they run in the background ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_prints_the_best_so_far(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "xdsl_xla.tools.xla_opt", str(CORPUS / "transformer_block.mlir"), "--reduce"]
    command += ["--test", "sleep 0.1; grep -q stablehlo.tanh {}", "--interesting", "zero"]
    command[-3] = f"touch {tmp_path}/started; {command[-3]}"
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_ctrl_c
    )
    while not (tmp_path / "started").exists():
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "; interrupted" in errors
    assert "stablehlo.tanh" in output


@pytest.mark.slow
def test_the_commands_of_the_document(tmp_path: Path) -> None:
    text = DOCUMENT.read_text()
    files = {name: body for name, body in re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", text, re.DOTALL)}
    for name in ("model.mlir", "interesting.sh"):
        (tmp_path / name).write_text(files[name])
    (tmp_path / "interesting.sh").chmod(0o700)
    (tmp_path / "xla-opt").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m xdsl_xla.tools.xla_opt "$@"\n')
    (tmp_path / "xla-opt").chmod(0o700)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    commands = re.findall(r"^    \$ (.*)$", text, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, env=environment, capture_output=True, timeout=200)
    assert (tmp_path / "least.mlir").read_text() == files["least.mlir"]
    assert "stablehlo.tanh" in (tmp_path / "script.mlir").read_text()
    refused = (tmp_path / "refused.mlir").read_text()
    assert len(refused) < len(files["model.mlir"])
    (code,) = [body for body in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
