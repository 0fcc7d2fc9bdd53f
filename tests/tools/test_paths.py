"""Names of files and folders with any characters are paths, wherever a command or a function takes one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.pass_manager import PipelineError, parse_passes
from xdsl_xla.tools import xla_opt, xla_run

ADD = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
HLO = "HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n  ROOT r = f32[2] add(x, x)\n}\n"
MULTIPLY = """from xdsl.pattern_rewriter import RewritePattern
from xdsl_xla.dialects.stablehlo import AddOp, MulOp


class Multiply(RewritePattern):
    def match_and_rewrite(self, op, rewriter):
        if isinstance(op, AddOp):
            rewriter.replace(op, MulOp.create(operands=op.operands, result_types=[op.results[0].type]))
"""
MODEL = "from xdsl_xla.decisions.model import CostModel\n\nMODEL = CostModel()\n"

NAMES = ("a (1)", "b{c}", "d, e", "f[0]", "g=h", "i:j", "k'l", 'm"n', "o\\p", "-q", "#r %s $t", "ü ö", "@u", "f32=2")
X = np.array([3, 4], np.float32)


@pytest.fixture(params=NAMES)
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """From an extension to a path, relative to the working directory, of a folder and a file of the odd name."""
    name: str = request.param
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / name
    folder.mkdir()
    for extension, text in {".mlir": ADD, ".hlo": HLO, ".py": MULTIPLY, ".cost.py": MODEL}.items():
        (folder / f"{name}{extension}").write_text(text)
    (folder / f"{name}.bad.mlir").write_text(ADD.replace("add", "nonsense"))
    (folder / f"{name}.args").write_text("[dense<1.0> : tensor<2xf32>]")
    np.savez(folder / f"{name}.npz", in0=X, out0=X + X)
    np.save(folder / f"{name}.npy", X)
    return lambda extension: f"{name}/{name}{extension}"


def test_xla_opt(place: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    for extension in (".mlir", ".hlo"):
        model = f"--cost-model={place('.cost.py')}:MODEL"
        assert xla_opt.main([model, f"--output-file={place('.out')}", "--", place(extension)]) == 0
        assert "stablehlo.add" in Path(place(".out")).read_text()
    assert xla_opt.main(["--", place(".bad.mlir")]) == 1
    assert capsys.readouterr().err.startswith(f"{place('.bad.mlir')}:2:8: error: ")


@pytest.mark.parametrize("spec", ["apply-patterns{file=%s}", "stablehlo-simplify{add=%s}"])
def test_options_of_passes(place: Callable[[str], str], spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    quoted = json.dumps(place(".py"), ensure_ascii=False)
    assert xla_opt.main(["-p", spec % quoted, "--", place(".mlir")]) == 0
    assert "stablehlo.multiply" in capsys.readouterr().out


def test_xla_run(place: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = f"apply-patterns{{file={json.dumps(place('.py'), ensure_ascii=False)}}},xla-cpu-O0"
    multiplied = [f"--pipeline={pipeline}", f"--input={place('.npy')}", f"--output={place('.out.npz')}"]
    assert xla_run.main([*multiplied, f"--dump-dir={place('.dump')}", "--", place(".mlir")]) == 0
    np.testing.assert_array_equal(np.load(place(".out.npz"))["out0"], X * X)
    assert any("apply-patterns" in path.name for path in Path(place(".dump")).iterdir())
    model = f"--cost-model={place('.cost.py')}:MODEL"
    for option in ("--threads=1", "--engine=reference"):
        data = [f"--input={place('.npz')}", f"--expect={place('.npz')}"]
        assert xla_run.main([option, model, *data, "--", place(".mlir")]) == 0
        assert "1 outputs as expected" in capsys.readouterr().out
    for extension in (".npy", ".args"):
        assert xla_run.main(["--engine=reference", f"--args=@{place(extension)}", "--", place(".mlir")]) == 0


def test_compile(place: Callable[[str], str]) -> None:
    for source in (place(".mlir"), Path(place(".hlo"))):
        (result,) = xdsl_xla.compile(source, threads=1, dump_dir=place(".dump"))(X)
        np.testing.assert_array_equal(result, X + X)
    with pytest.raises(XlaError) as error:
        xdsl_xla.compile(place(".missing.mlir"))
    assert str(error.value) == f"{place('.missing.mlir')}: No such file or directory"


def test_text_on_one_line_is_no_path() -> None:
    (result,) = xdsl_xla.compile("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")(X)
    np.testing.assert_array_equal(result, X)


def test_several_arrays_have_paths_with_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("a, b.npy", X)
    np.save("c,d.npy", X)
    Path("two.mlir").write_text(ADD.replace("%x: tensor<2xf32>", "%x: tensor<2xf32>, %y: tensor<2xf32>"))
    assert xla_run.main(["--engine=reference", "--args=@a, b.npy, @c,d.npy", "two.mlir"]) == 0


def _patterns(spec: str) -> tuple[str, ...]:
    (named,) = parse_passes(f"cse,apply-patterns{{{spec}}},cse")[1:2]
    return getattr(named, "file")  # noqa: B009 (of a class imported on demand)


def test_plain_paths_need_no_quotes() -> None:
    assert _patterns("file=mine.py") == ("mine.py",)
    assert _patterns('file=../a/(b).py,~/c:d.py,"e f.py"') == ("../a/(b).py", "~/c:d.py", "e f.py")
    assert _patterns(r"file=a\b.py") == (r"a\b.py",)
    assert parse_passes("xla-cpu{threads=2}") and parse_passes("xla-cpu{vector-bits=256 threads=2}")
    with pytest.raises(PipelineError, match=r'; a path with blanks, commas, braces or "=" stands in quotes'):
        parse_passes("apply-patterns{file=a (1).py}")


def test_blanks_around_names_and_options_mean_nothing() -> None:
    assert parse_passes(" cse , xla-cpu{ vector-bits=256 threads=2 } ") == parse_passes(
        "cse,xla-cpu{vector-bits=256 threads=2}"
    )
    assert _patterns(' file="a , b { c }.py" ') == ("a , b { c }.py",)
