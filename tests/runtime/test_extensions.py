"""What files, objects and installed packages define: found, used in every tool, and refused in words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import xdsl_xla
from xdsl.passes import ModulePass
from xdsl_xla.errors import ArgumentError, XlaError
from xdsl_xla.runtime.compile_cache import plugins
from xdsl_xla.runtime.extensions import entry_points
from xdsl_xla.runtime.extensions.cost_models import NoCostModelError, cost_model_named
from xdsl_xla.runtime.extensions.definitions import definitions_of_files, definitions_of_objects
from xdsl_xla.runtime.extensions.installed import installed
from xdsl_xla.runtime.extensions.schedules import schedules_named
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import PipelineError, parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools import xla_opt, xla_run
from xdsl_xla.user_code import UserCodeError

PROGRAM = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""

SQUARE = """
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl_xla.dialects import stablehlo


@dataclass(frozen=True)
class SquarePass(ModulePass):
    name = "NAME"
    times: int = 1
    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        assert self.times != 13, "unlucky"
        for add in [add for add in op.walk() if isinstance(add, stablehlo.AddOp)]:
            product = add
            for _ in range(self.times):
                product = stablehlo.MulOp(product.results[0] if product is not add else add.lhs, add.rhs)
                add.parent.insert_op_before(product, add)
            Rewriter.replace_op(add, [], product.results)
"""

UNIVERSE = """
from xdsl.universe import Universe

UNIVERSE = Universe(all_passes={"NAME": lambda: SquarePass})
"""


class Site:
    """A folder with installed packages, in front of all others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, package: str, text: str, groups: Mapping[str, Mapping[str, str]]) -> None:
        """A package of one module, `package.py`, with entry points by group and name."""
        (self.folder / f"{package}.py").write_text(text)
        info = self.folder / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines: list[str] = []
        for group, entries in groups.items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
        (info / "entry_points.txt").write_text("\n".join(lines))

    def install_pass(self, package: str, name: str) -> None:
        """A package with the pass `name`, which makes products of sums."""
        text = (SQUARE + UNIVERSE).replace("NAME", name)
        self.install(package, text, {"xdsl.universe": {package: f"{package}:UNIVERSE"}})


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))

    def forget() -> None:
        entry_points.plugins.cache_clear()
        installed.cache_clear()

    forget()
    before = set(sys.modules)
    yield Site(folder)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
    forget()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    def write_file(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write_file


def values(pipeline: str, **options: object) -> list[float]:
    (result,) = xdsl_xla.compile(PROGRAM, pipeline=pipeline, **options)([1, 2, 3])  # pyright: ignore[reportArgumentType]
    return result.tolist()


def test_a_pass_of_a_package(site: Site) -> None:
    site.install_pass("square_one", "square-one")
    assert values("square-one,xla-cpu") == [1, 4, 9]
    assert values("square-one{times=2},xla-cpu") == [1, 8, 27]
    (found,) = parse_passes("square-one", defaults={"threads": (7,), "replicas": (1,)})
    assert getattr(found, "threads") == 7  # noqa: B009


def test_names_of_packages_are_looked_for_only_if_they_are_nobody_elses(site: Site) -> None:
    site.install("never_used", "raise SystemError('imported')", {"xdsl.universe": {"never": "never_used:UNIVERSE"}})
    assert values("cse,xla-cpu") == [2, 4, 6]
    assert installed.cache_info().currsize == 0
    assert not plugins.is_foreign('xla-cpu{threads=2},stablehlo-simplify{add="a,b{}.py"}, xla-cpu')
    assert plugins.is_foreign("cse") and plugins.is_foreign("square-one,xla-cpu{threads=1}")


def test_a_package_that_cannot_be_imported(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are found; what is not found may have been of that one."""
    site.install("broken", "import nothing_of_this_name", {"xdsl.universe": {"broken": "broken:UNIVERSE"}})
    site.install("ended", "raise SystemExit(3)", {"xdsl.universe": {"ended": "ended:UNIVERSE"}})
    site.install("number", "UNIVERSE = 3", {"xdsl.universe": {"number": "number:UNIVERSE"}})
    site.install_pass("square_two", "square-two")
    assert values("square-two,xla-cpu") == [1, 4, 9]
    with pytest.raises(PipelineError, match="unknown pass 'square-too'; did you mean square-two") as raised:
        parse_passes("square-too")
    message = str(raised.value)
    assert "note that 'broken' (xdsl.universe) of the package broken 1.0 cannot be loaded: " in message
    assert "broken.py:1: ModuleNotFoundError: No module named 'nothing_of_this_name'" in message
    assert "ended.py:1: SystemExit: 3" in message and "number:UNIVERSE is no Universe of xDSL but 3" in message
    with pytest.raises(XlaError, match=r"operation broken.op is not registered.*of the package broken 1.0 cannot"):
        parse_module('"broken.op"() : () -> ()')
    with pytest.raises(SystemExit):
        xla_opt.main(["--list-extensions"])
    listed = capsys.readouterr().out.splitlines()
    assert listed[0].split() == ["pass", "square-two", "the", "package", "square_two", "1.0"]
    assert [line.split()[1] for line in listed if line.startswith("error: ")] == ["'broken'", "'ended'", "'number'"]


def test_one_name_twice(site: Site) -> None:
    site.install_pass("square_left", "square-both")
    site.install_pass("square_right", "square-both")
    site.install_pass("square_other", "square-other")
    assert values("square-other,xla-cpu") == [1, 4, 9]
    with pytest.raises(XlaError, match=r"'square-both' is defined by the package square_left 1.0 and the package squ"):
        values("square-both,xla-cpu")


def test_a_name_of_ours(site: Site, capsys: pytest.CaptureFixture[str], write: Callable[[str, str], str]) -> None:
    """A package does not get it, a file does, in the pipelines too."""
    site.install_pass("simple", "stablehlo-simplify")
    assert values("stablehlo-simplify,xla-cpu") == [2, 4, 6]
    with pytest.raises(SystemExit):
        xla_opt.main(["--list-extensions"])
    assert capsys.readouterr().out.strip().endswith("simple 1.0: not used, the name is taken")
    file = write("simple_file.py", SQUARE.replace("NAME", "stablehlo-simplify"))
    assert values("xla-cpu", passes=[file]) == [1, 4, 9]


def test_pipelines_of_packages(site: Site) -> None:
    text = """
GOOD = ["cse", ("xla-cpu", "the rest")]
def made(): return "dce,good-one"
BAD = [3]
TURNING = ["turning-one"]
"""
    names = {"good-one": "GOOD", "made-one": "made", "bad-one": "BAD", "turning-one": "TURNING", "gone-one": "gone"}
    entries = {name: f"pipes:{value}" for name, value in names.items()}
    site.install("pipes", text, {"xdsl_xla.pipelines": entries})
    assert values("good-one") == values("made-one{threads=1}") == [2, 4, 6]
    for name, message in {
        "bad-one": "pipeline 'bad-one' of the package pipes 1.0: expected a list of passes",
        "turning-one": "a pipeline contains itself: turning-one > turning-one",
        "gone-one": "pipeline 'gone-one' of the package pipes 1.0 cannot be loaded: .*AttributeError",
        "good-one{wings=2}": "no pass of the pipeline 'good-one' has an option 'wings'",
    }.items():
        with pytest.raises(XlaError, match=message):
            values(name)


DIALECT = """
from xdsl.ir import Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, result_def
from xdsl.universe import Universe

@irdl_attr_definition
class Unit(ParametrizedAttribute, TypeAttribute):
    name = "new.unit"

@irdl_op_definition
class MakeOp(IRDLOperation):
    name = "new.make"
    unit = result_def(Unit)
    assembly_format = "attr-dict `:` type($unit)"

def broken():
    raise KeyError("of the dialect")

UNIVERSE = Universe(all_dialects={"new": lambda: Dialect("new", [MakeOp], [Unit]), "torn": broken, "odd": lambda: 3})
"""


def test_dialects(site: Site, write: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]) -> None:
    file = write("make.mlir", "%0 = new.make : !new.unit\n")
    extension = write("dialect_file.py", DIALECT)
    assert xla_opt.main([file]) == 1
    assert "operation new.make is not registered" in capsys.readouterr().err
    assert xla_opt.main([file, "--load-pass", extension]) == 0
    assert "%0 = new.make : !new.unit" in capsys.readouterr().out
    site.install("dialects_of_others", DIALECT, {"xdsl.universe": {"new": "dialects_of_others:UNIVERSE"}})
    entry_points.plugins.cache_clear()
    installed.cache_clear()
    assert xla_opt.main([file]) == 0
    assert "%0 = new.make : !new.unit" in capsys.readouterr().out
    for text, message in {
        '"torn.op"() : () -> ()': "dialect 'torn' of the package dialects_of_others 1.0 cannot be loaded: KeyError",
        '"odd.op"() : () -> ()': "dialect 'odd' of the package dialects_of_others 1.0 is no Dialect of this name but 3",
    }.items():
        with pytest.raises(XlaError, match=message):
            parse_module(text, "text", new_context())


def test_targets(site: Site, write: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]) -> None:
    text = """
from dataclasses import dataclass
from xdsl.universe import Universe
from xdsl.utils.target import Target

@dataclass(frozen=True)
class Count(Target):
    name = "count-ops"
    def emit(self, ctx, module, output):
        output.write(str(len(list(module.walk()))))

UNIVERSE = Universe(all_targets={"count-ops": lambda: Count})
"""
    file, extension = write("program.mlir", PROGRAM), write("target_file.py", text)
    assert xla_opt.main([file, "--load-pass", extension, "-t", "count-ops"]) == 0
    assert capsys.readouterr().out == "4"
    assert xla_opt.main([file, "-t", "count-ops"]) == 2
    site.install("targets_of_others", text, {"xdsl.universe": {"count": "targets_of_others:UNIVERSE"}})
    entry_points.plugins.cache_clear()
    installed.cache_clear()
    assert xla_opt.main([file, "-t", "count-ops"]) == 0


MODEL = """
from xdsl_xla.decisions.fusion import Fusion
from xdsl_xla.decisions.model import CostModel

class Wrong(Fusion):
    def fuse(self, candidate):
        return candidate.no_such_thing

def wrong(): return CostModel(fusion=Wrong())
MODEL = CostModel()
def failing(): return 1 // 0
NUMBER = 3
"""


def test_cost_models(site: Site, write: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]) -> None:
    names = {"wrong-model": "models:wrong", "no-model": "models:NUMBER", "failing-model": "models:failing"}
    site.install("models", MODEL, {"xdsl_xla.cost_models": names})
    program = write("program.mlir", PROGRAM.replace("return %0", "%1 = stablehlo.negate %0 : tensor<3xf32>\nreturn %1"))
    assert values("xla-cpu", cost_model="models:MODEL") == [2, 4, 6]
    for model in ("wrong-model", "models:wrong", f"{site.folder / 'models.py'}:wrong"):
        assert xla_run.main([program, "--cost-model", model]) == 1
        error = capsys.readouterr().err
        assert "models.py:7: error: pass linalg-fuse-elementwise: AttributeError: " in error
        assert "\n  in Wrong.fuse: return candidate.no_such_thing\n" in error
    for model, message in {
        "no-model": "the package models 1.0: expected a CostModel, got int",
        "wrong-modle": "no installed package has a cost model 'wrong-modle'; did you mean wrong-model",
        "models:MODLE": "module models has no 'MODLE'; did you mean MODEL",
        "no.such.module:MODEL": "there is no file and no module 'no.such.module'",
        "nothing.py:MODEL": "there is no file 'nothing.py'",
        "models:1": "expected FILE.py:NAME, module:NAME",
    }.items():
        with pytest.raises(NoCostModelError, match=message):
            cost_model_named(model)
        assert xla_run.main([program, "--cost-model", model]) == 2
        assert "error: --cost-model: " in capsys.readouterr().err
        with pytest.raises(ArgumentError, match=rf"argument cost_model: {message}"):
            values("xla-cpu", cost_model=model)
    with pytest.raises(XlaError, match=r"models.py:11: ZeroDivisionError"):
        cost_model_named("failing-model")


def test_schedules(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = """
from pathlib import Path
TEXT = "kernel @elementwise_0 { for i = 0 to 3 { compute addf at (i) } }"
FILE = Path(__file__).with_name("some.schedules")
def wrong(): return "kernel @elementwise_0 { }"
NUMBER = 3
"""
    names = {name: f"times:{value}" for name, value in zip("abcd", ("TEXT", "FILE", "wrong", "NUMBER"), strict=True)}
    site.install("times", text, {"xdsl_xla.schedules": names})
    (site.folder / "some.schedules").write_text("kernel @elementwise_0 as decided")
    assert values("xla-cpu", schedules="a") == values("xla-cpu", schedules="b") == [2, 4, 6]
    with pytest.raises(XlaError, match=r"<c of the package times 1.0>:1:1: .*points of 'addf' are not computed"):
        values("xla-cpu", schedules="c")
    with pytest.raises(XlaError, match=r"schedules 'd' of the package times 1.0: expected a text or a path, got 3"):
        values("xla-cpu", schedules="d")
    with pytest.raises(XlaError, match="e: No such file or directory"):
        values("xla-cpu", schedules="e")
    (tmp_path / "c").write_text("kernel @elementwise_0 as decided")  # a file comes first
    assert values("xla-cpu", schedules="c") == [2, 4, 6]
    assert schedules_named("e") is None


def test_files(write: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]) -> None:
    square = write(
        "square.py", SQUARE.replace("NAME", "square-file") + 'PIPELINES = {"squares": "square-file,xla-cpu"}'
    )
    program = write("program.mlir", PROGRAM)
    assert values("squares", passes=[square]) == values("squares", passes=(Path(square),)) == [1, 4, 9]
    for arguments in (["--pipeline", "squares"], ["--pipeline", "squares", "--time-passes", "--verify"]):
        assert xla_run.main([program, "--load-pass", square, *arguments, "--input", "3xf32=1 2 3"]) == 0
        assert "[1. 4. 9.]" in capsys.readouterr().out
    assert xla_run.main([program, "--load-pass", square, "--pipeline", "squares", "--check-passes"]) == 1
    assert "wrong after pass 1, square-file (" in capsys.readouterr().err
    assert xla_run.main([program, "--load-pass", square, "--pipeline", "squares", "--compare", "reference"]) == 1
    assert "WRONG" in capsys.readouterr().out
    unlucky = ["-p", "square-file{times=13}", program, "--load-pass", square]
    assert xla_opt.main(unlucky) == 1
    assert "square.py:18: error: pass square-file: AssertionError: unlucky" in capsys.readouterr().err
    assert xla_opt.main([*unlucky, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "file.py defines nothing: no class of ModulePass with a name"),
        ("x = (", r"file.py:1: SyntaxError: '\(' was never closed"),
        (
            "y = 2\nx = y + nothing",
            r"(?s)file.py:2: NameError: name 'nothing' is not defined.*in <module>: x = y",
        ),
        ("PIPELINES = 3", "file.py: PIPELINES: expected a dict from names to lists of passes, got 3"),
        ("\0", "file.py.*null byte"),
        ("import sys\nsys.exit(0)", r"(?s)file.py:2: SystemExit: 0.*in <module>: sys.exit\(0\)"),
        ("from xdsl.passes import ModulePass\nclass A(ModulePass): name = 'a'", "defines nothing"),
    ],
)
def test_files_that_are_refused(write: Callable[[str, str], str], text: str, message: str) -> None:
    with pytest.raises(XlaError, match=message):
        definitions_of_files([write("file.py", text)])


LEAVING = """
import sys
from dataclasses import dataclass
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class LeavingPass(ModulePass):
    name = "leaving"
    early: bool = False

    def __post_init__(self):
        if self.early:
            sys.exit(0)

    def apply(self, ctx, op):
        sys.exit(0)
"""


@pytest.mark.parametrize("pipeline", ["leaving,xla-cpu", "leaving{early=true},xla-cpu"])
def test_a_pass_that_ends_the_process(
    pipeline: str, write: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """An exit code of 0 would say that all went well."""
    file, program = write("leaving.py", LEAVING), write("program.mlir", PROGRAM)
    with pytest.raises(UserCodeError, match="pass leaving: SystemExit: 0"):
        xdsl_xla.compile(PROGRAM, pipeline=pipeline, passes=[file])
    for command in (
        lambda: xla_opt.main([program, "--load-pass", file, "-p", pipeline]),
        lambda: xla_run.main([program, "--load-pass", file, "--pipeline", pipeline]),
        lambda: xla_run.main([program, "--load-pass", file, "--pipeline", pipeline, "--check-passes"]),
    ):
        assert command() == 1
        assert "pass leaving: SystemExit: 0\n  in LeavingPass." in capsys.readouterr().err


def test_two_names_for_one_object(write: Callable[[str, str], str]) -> None:
    more = """
from xdsl.universe import Universe
MINE = SquarePass
BOTH = OTHER = Universe(all_passes={"square-more": lambda: SquarePass})
"""
    file = write("a.py", SQUARE.replace("NAME", "square-again") + more)
    definitions = definitions_of_files([file])
    assert sorted(definitions.passes) == ["square-again", "square-more"]


def test_two_files_with_one_name(write: Callable[[str, str], str]) -> None:
    files = [write(name, SQUARE.replace("NAME", "square-again")) for name in ("a.py", "b.py")]
    with pytest.raises(XlaError, match=r"pass 'square-again' is defined twice, by .*a\.py and .*b\.py"):
        definitions_of_files(files)
    with pytest.raises(XlaError, match=r"c\.py: no such file of Python"):
        definitions_of_files([*files[:1], "c.py"])


def square_pass(write: Callable[[str, str], str]) -> type[ModulePass]:
    definitions = definitions_of_files([write("objects.py", SQUARE.replace("NAME", "square-object"))])
    return definitions.passes["square-object"].load()


def test_objects(write: Callable[[str, str], str]) -> None:
    """Options of an instance hold where the pipeline says nothing."""
    square = square_pass(write)
    assert values("square-object,xla-cpu", passes=[square]) == [1, 4, 9]
    assert values("square-object,xla-cpu", passes=[square(times=2)]) == [1, 8, 27]  # pyright: ignore[reportCallIssue]
    assert values("square-object{times=3},xla-cpu", passes=[square(times=2)]) == [1, 16, 81]  # pyright: ignore[reportCallIssue]
    for wrong, message in ((["a", 3], r"a: no such file"), ([int], r"passes\[0\]: expected"), ("a", "expected a list")):
        with pytest.raises(XlaError, match=message):
            definitions_of_objects(wrong)


def test_what_comes_of_objects_is_not_cached(
    write: Callable[[str, str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDSL_XLA_CACHE_DIR", str(tmp_path / "cache"))
    square = square_pass(write)
    for _ in range(2):
        compiled = xdsl_xla.compile(PROGRAM, pipeline="square-object,xla-cpu", passes=[square], cache=True)
        assert not compiled.is_from_cache


def test_a_file_that_was_edited_within_a_second(write: Callable[[str, str], str]) -> None:
    text = SQUARE.replace("NAME", "square-quick")
    assert values("square-quick,xla-cpu", passes=[write("quick.py", text)]) == [1, 4, 9]
    edited = text.replace("times: int = 1", "times: int = 2")
    assert values("square-quick,xla-cpu", passes=[write("quick.py", edited)]) == [1, 8, 27]


def test_modules_beside_a_file(write: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    write("beside_square.py", SQUARE.replace("NAME", "square-beside"))
    file = write("square_beside.py", "from beside_square import SquarePass\nclass Mine(SquarePass): name = 'beside'\n")
    assert values("beside,xla-cpu", passes=[file]) == [1, 4, 9]
    assert definitions_of_files([file]).passes.keys() == {"beside"}


def test_a_jax_program(write: Callable[[str, str], str]) -> None:
    jnp = pytest.importorskip("jax.numpy")
    jitted = xdsl_xla.jit(lambda x: x + x, pipeline="square-object,xla-cpu", passes=[square_pass(write)])
    assert jitted(jnp.arange(3.0)).tolist() == [0, 1, 4]


def test_a_pass_typed_at_a_prompt() -> None:
    code = f"""
import xdsl_xla
{SQUARE.replace("NAME", "square-prompt")}
try:
    xdsl_xla.compile('''{PROGRAM}''', pipeline="square-prompt{{times=13}}", passes=[SquarePass])
except xdsl_xla.InternalError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("<string>:") and "pass square-prompt: AssertionError: unlucky" in done.stdout
