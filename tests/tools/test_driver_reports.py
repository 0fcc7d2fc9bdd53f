"""What `xla-opt` prints beside the program: IR between passes, times, statistics, reproducers, lists."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms import get_all_passes
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.ir.statistics import count
from xdsl_xla.pipelines import PASSES, PIPELINE_SUMMARIES, PIPELINES
from xdsl_xla.tools import xla_opt, xla_run
from xdsl_xla.tools.driver.lists import first_sentence, own_passes
from xdsl_xla.tools.driver.names import UPSTREAM

PROGRAM = """
module @outer {
  func.func @f(%x: i32) -> i32 {
    %0 = arith.addi %x, %x : i32
    %1 = arith.addi %x, %x : i32
    %2 = arith.muli %0, %1 : i32
    return %2 : i32
  }
  func.func @g(%x: i32) -> i32 {
    return %x : i32
  }
}
"""
NESTED = "--pass-pipeline=builtin.module(func.func(cse,canonicalize),cse)"


class FailingPass(ModulePass):
    """Counts, and fails on functions called g."""

    name = "fail"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        count("num-calls", "Number of times it was called")
        for function in op.body.block.ops:
            if "@g" in str(function):
                raise UnsupportedError("no g here", function)


class Driver(xla_opt.XlaOptMain):
    """`xla-opt` with that pass."""

    def register_all_passes(self) -> None:
        super().register_all_passes()
        self.register_pass("fail", lambda: FailingPass)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "f.mlir"
    path.write_text(PROGRAM)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> tuple[str, str]:
    assert xla_opt.main(list(map(str, arguments)), Driver) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def titles(text: str) -> list[str]:
    return re.findall(r"^// -----// IR Dump (.*) //----- //$", text, re.MULTILINE)


CSE, CANONICALIZE = "CSE (cse)", "Canonicalizer (canonicalize)"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--mlir-print-ir-before=cse"], [f"Before {CSE}"] * 3),
        (["--mlir-print-ir-after", "canonicalize"], [f"After {CANONICALIZE}"] * 2),
        (["-mlir-print-ir-before-all"], [f"Before {CSE}", f"Before {CANONICALIZE}"] * 2 + [f"Before {CSE}"]),
        (["-mlir-print-ir-after-all", "-mlir-print-ir-after-change"], [f"After {CSE}"]),
        (["-mlir-print-ir-after-change"], [f"After {CSE}"]),
        (["-mlir-print-ir-after-failure"], []),
        (
            ["--mlir-print-ir-after=canonicalize", "--mlir-print-ir-module-scope"],
            [f"After {CANONICALIZE} ('func.func' operation: @{name})" for name in "fg"],
        ),
        (
            ["--mlir-print-ir-before=cse", "--mlir-print-ir-module-scope"],
            [
                *(f"Before {CSE} ('func.func' operation: @{name})" for name in "fg"),
                f"Before {CSE} ('builtin.module' operation: @outer)",
            ],
        ),
    ],
)
def test_ir_between_passes(
    flags: list[str], expected: list[str], program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, error = run(capsys, program, NESTED, *flags)
    assert titles(error) == expected
    if "--mlir-print-ir-module-scope" in flags:
        assert error.count("builtin.module @outer") == len(expected)
    for text, title in zip(error.split("// -----// IR Dump ")[1:], expected, strict=True):
        is_whole = "func.func" in title or "builtin.module @outer" in text
        assert text.endswith("\n}\n\n\n" if is_whole else "\n}\n\n") and not text.endswith("\n\n\n\n")


def test_ir_after_a_failure(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = "--pass-pipeline=builtin.module(func.func(cse,fail))"
    _, error = run(capsys, program, pipeline, "--mlir-print-ir-after-failure", code=1)
    assert titles(error) == ["After FailingPass Failed (fail)"]
    assert "func.func @g" in error and "func.func @f" not in error
    assert error.endswith(f"{program}:9:3: error: no g here\n")


def test_a_tree_of_files(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = tmp_path / "tree"
    run(capsys, program, NESTED, "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tree}")
    assert sorted(path.relative_to(tree).as_posix() for path in tree.rglob("*.mlir")) == [
        "builtin_module_outer/0_cse.mlir",
        *(
            f"builtin_module_outer/func_func_{name}/0_{number}_{done}.mlir"
            for name in "fg"
            for number, done in enumerate(("cse", "canonicalize"))
        ),
    ]
    assert "arith.muli" in (tree / "builtin_module_outer/func_func_f/0_0_cse.mlir").read_text()
    tree_file = tmp_path / "file"
    tree_file.write_text("")
    _, error = run(
        capsys, program, "--cse", "--mlir-print-ir-after-all", f"--mlir-print-ir-tree-dir={tree_file}", code=1
    )
    assert error.count("\n") == 1 and str(tree_file) in error


FORMS = """
func.func @f(%value: i32 loc("x")) -> i32 {
  %named = arith.addi %value, %value : i32 loc("sum")
  %c = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %s = arith.constant dense<1> : tensor<5xi32>
  return %named : i32
}
"""


@pytest.mark.parametrize(
    ("flag", "present", "absent"),
    [
        ("--mlir-print-op-generic", ['"func.func"()'], ["func.func @f"]),
        ("--mlir-print-debuginfo", ['%value : i32 loc("sum")', 'i32 loc("x")', 'f.mlir":5:3)'], []),
        ("--mlir-use-nameloc-as-prefix", ["%sum = arith.addi %x, %x"], ["%named"]),
        ("--mlir-print-value-names=false", ["%0 = arith.addi %arg0, %arg0", "return %0"], ["%named"]),
        ("--mlir-print-skip-regions", ["builtin.module {...}"], ["func.func"]),
        (
            "--mlir-elide-elementsattrs-if-larger=4",
            ["dense_resource<__elided__> : tensor<5xi32>", "dense<1>"],
            ["[1, 2"],
        ),
        ("--mlir-elide-elementsattrs-if-larger=5", ["[1, 2"], ["__elided__"]),
        ("--mlir-print-local-scope", ["%named"], []),
        ("--verify-roundtrip", ["%named"], []),
    ],
)
def test_forms(
    flag: str, present: list[str], absent: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(FORMS)
    text, _ = run(capsys, path, flag)
    assert all(part in text for part in present) and not any(part in text for part in absent), text


def test_elided_resources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(
        "func.func @f() attributes {a = dense_resource<blob> : tensor<2xi32>} { return }\n"
        '{-# dialect_resources: { builtin: { blob: "0x040000000100000002000000" } } #-}\n'
    )
    kept, _ = run(capsys, path)
    shortened, _ = run(capsys, path, "--mlir-elide-resource-strings-if-larger=4")
    assert len(shortened) <= len(kept) and "dialect_resources" not in shortened


def test_locations_between_passes(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, error = run(capsys, program, "-p", "cse", "--print-ir-after-all", "--mlir-print-debuginfo")
    assert f'loc("{program}":4:5)' in error
    model = tmp_path / "model.mlir"
    model.write_text("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    for flags, is_located in ((["--mlir-print-debuginfo"], True), ([], False)):
        levels = tmp_path / f"levels{is_located}"
        assert xla_run.main([str(model), "--dump-dir", str(levels), *flags]) == 0
        assert ("loc(" in next(levels.glob("*convert-tensor-to-memref.mlir")).read_text()) == is_located


def test_timing(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, error = run(capsys, program, NESTED, "--mlir-timing")
    assert "... Execution time report ..." in error
    names = [line.split(")  ", 1)[1] for line in error.splitlines() if "%)" in line]
    passes = ["  CSE", "  Canonicalizer"]
    assert names == ["Parser", "'func.func' Pipeline", *passes, "CSE", "Output", "Rest", "Total"]
    shares = [float(share) for share in re.findall(r"\( *([\d.]+)%\)  (?! )", error)]
    assert abs(sum(shares) - 200) < 1
    _, error = run(capsys, program, NESTED, "--mlir-timing", "--mlir-timing-display=list")
    assert len(re.findall(r"\)  CSE$", error, re.MULTILINE)) == 1
    _, error = run(capsys, program, NESTED, "--mlir-timing", "--mlir-output-format=json")
    entries = json.loads(error)
    assert [entry["name"] for entry in entries] == ["Parser", "'func.func' Pipeline", "CSE", "Output", "Rest", "Total"]
    assert [entry["name"] for entry in entries[1]["passes"]] == ["CSE", "Canonicalizer"]


def test_statistics(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, error = run(capsys, program, "--cse", "--mlir-pass-statistics")
    assert "CSE\n  (S) 1 num-cse'd - Number of operations CSE'd\n  (S) 0 num-dce'd - " in error
    pipeline = "--pass-pipeline=builtin.module(func.func(cse),cse)"
    _, error = run(capsys, program, pipeline, "--mlir-pass-statistics", "--mlir-pass-statistics-display=list")
    assert error.count("CSE\n") == 1 and "(S) 1 num-cse'd" in error
    path = program.with_name("g.mlir")
    path.write_text("func.func private @f()\n")
    _, error = run(capsys, path, "--fail", "--mlir-pass-statistics")
    assert "FailingPass\n  (S) 1 num-calls - Number of times it was called\n" in error
    path.write_text(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n %0 = stablehlo.reshape %x : (tensor<2xf32>) ->"
        " tensor<2xf32>\n return %0 : tensor<2xf32>\n}\n"
    )
    _, error = run(capsys, path, "--stablehlo-simplify", "--mlir-pass-statistics")
    assert "(S) 1 num-ops-erased" in error


def test_dump_pass_pipeline(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, error = run(capsys, program, NESTED, "--dump-pass-pipeline")
    text = "builtin.module(\n  func.func(\n    cse,\n    canonicalize\n  ),\n  cse\n)\n"
    assert error == f"Pass Manager with 2 passes:\n{text}\n"


def test_reproducers(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reproducer = tmp_path / "r.mlir"
    pipeline = "--pass-pipeline=builtin.module(func.func(cse,fail))"
    flag = f"--mlir-pass-pipeline-crash-reproducer={reproducer}"
    _, error = run(capsys, program, pipeline, flag, code=1)
    assert error == (
        f"{program}:9:3: error: no g here\nnote: Pipeline failed while executing [`FailingPass` on 'func.func'"
        f" operation]: reproducer generated at `{reproducer}`\n"
    )
    text = reproducer.read_text()
    assert 'pipeline: "builtin.module(func.func(cse,fail))"' in text and text.count("arith.addi") == 2
    _, error = run(capsys, reproducer, "--run-reproducer", "--dump-pass-pipeline", code=1)
    assert "fail\n  )\n)" in error and error.endswith("no g here\n")
    run(capsys, program, pipeline, flag, "--mlir-pass-pipeline-local-reproducer", code=1)
    text = reproducer.read_text()
    assert 'pipeline: "builtin.module(func.func(fail))"' in text and text.count("arith.addi") == 1
    run(capsys, program, "--cse", f"--mlir-generate-reproducer={reproducer}")
    out, _ = run(capsys, reproducer, "--run-reproducer")
    assert out.count("arith.addi") == 1
    out, _ = run(capsys, reproducer)  # a file like any other
    assert out.count("arith.addi") == 2


def test_print_op_stats(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, error = run(capsys, program, "--print-op-stats")
    assert "  arith.addi     , 2\n" in error
    _, error = run(capsys, program, "--print-op-stats=json")
    assert json.loads(error) == {
        "arith.addi": 2, "arith.muli": 1, "builtin.module": 1, "func.func": 2, "func.return": 2
    }  # fmt: skip


def exits(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        xla_opt.main(list(arguments), Driver)
    assert not stop.value.code
    return capsys.readouterr().out


def test_help_shows_our_passes(capsys: pytest.CaptureFixture[str]) -> None:
    text = exits(capsys, "--help")
    for name in (*PASSES, *PIPELINES):
        assert re.search(rf"^  {re.escape(name)}  +\S", text, re.MULTILINE), name
    assert max(map(len, text.splitlines())) <= 120
    assert "linalg-to-csl" not in text
    everything = exits(capsys, "--help-all")
    assert everything.count("\n") > text.count("\n") + len(get_all_passes()) - 10


def test_summaries() -> None:
    assert PIPELINE_SUMMARIES.keys() == PIPELINES.keys()
    assert all(own_passes().values())
    assert first_sentence("`a-b`: does this\nand that. More.\n\nThen.") == "does this and that"


def test_lists(capsys: pytest.CaptureFixture[str]) -> None:
    text = exits(capsys, "--list-passes")
    assert re.search(r"^  --cse +- +Equal ops", text, re.MULTILINE) and re.search(
        r"Pass pipelines:\n(  --.*\n)*  --xla-cpu ", text
    )
    dialects = exits(capsys, "--show-dialects").removeprefix("Available Dialects: ").strip().split(",")
    assert {"stablehlo", "chlo", "xrt", "func"} <= set(dialects) and dialects == sorted(dialects)
    assert re.match(r"xdsl-xla \S+.*\n  xDSL \d+\.\S+\n  LLVM \d+\.\S+ \(llvmlite \S+\)\n", exits(capsys, "--version"))


def test_lists_with_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from xdsl.passes import ModulePass\n\n\nclass MinePass(ModulePass):\n    name = 'mine-listed'\n\n"
        "    def apply(self, ctx, op):\n        pass\n\n\n"
        "PIPELINES = {'mine-way': ['mine-listed']}\n"
    )
    text = exits(capsys, "--list-passes", "--load-pass", str(file))
    assert text.startswith("Passes and pipelines of --load-pass:\n  --mine-listed") and "\n  --mine-way" in text
    assert xla_opt.main(["--list-patterns", "mine-unheard", "--load-pass", str(file)]) == 2
    assert "unknown pass 'mine-unheard'" in capsys.readouterr().err


def test_upstream_names_are_names_of_passes() -> None:
    assert UPSTREAM.keys() <= get_all_passes().keys()


COMPLETE = """
eval "$(cat {script})"
COMP_WORDS=(xla-opt {words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
compopt() {{ :; }}
_xla_opt
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--stablehlo-simp", ["--stablehlo-simplify"]),
        ("--mlir-timing-display tr", ["tree"]),
        ("-p cse,stablehlo-simp", ["cse,stablehlo-simplify"]),
        ("--pass-pipeline = 'builtin.module(stablehlo-simp'", ["builtin.module(stablehlo-simplify"]),
    ],
)
def test_completion(words: str, expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    script = tmp_path / "completion.bash"
    script.write_text(exits(capsys, "--print-completion", "bash"))
    done = subprocess.run(
        [bash, "-c", COMPLETE.format(script=script, words=words)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == expected


def test_completion_for_other_shells(capsys: pytest.CaptureFixture[str]) -> None:
    fish = exits(capsys, "--print-completion", "fish")
    assert "complete -c xla-opt -l stablehlo-simplify\n" in fish
    assert "complete -c xla-opt -l mlir-timing-display -x -a 'tree list'" in fish
    assert "complete -c xla-opt -s p -x -a '" in fish
    assert exits(capsys, "--print-completion", "zsh").startswith("autoload -U +X bashcompinit && bashcompinit\n")


def test_a_command_ends_without_a_search_for_garbage() -> None:
    script = """
import atexit, gc
from xdsl_xla.tools.reporting import guarded
atexit.register(lambda: print(gc.get_freeze_count() > 1000))
assert guarded(lambda: 3) == 3 and gc.get_freeze_count() == 0 and gc.isenabled()
"""
    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert result.stdout == "True\n"
