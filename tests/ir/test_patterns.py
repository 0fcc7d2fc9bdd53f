"""Patterns run in any driver: xDSL's in our passes, ours in xDSL's walker; and they go by their names."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl_xla.decisions.model import cost_model_of
from xdsl_xla.dialects import stablehlo
from xdsl_xla.errors import XlaError
from xdsl_xla.ir.pattern_log import PatternLog, recording
from xdsl_xla.ir.pattern_pass import PatternPass, patterns_of_file
from xdsl_xla.ir.patterns import Pattern, UnknownPatternError, rewrites_of
from xdsl_xla.ir.rewriter import Rewriter
from xdsl_xla.pipelines import PASSES, load_pass
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.pattern_lists import described, listed, patterns_by_name
from xdsl_xla.tools.xla_opt import main as xla_opt

HERE = Path(__file__).parent
LIT = HERE.parent / "lit"
XDSL_PATTERNS = HERE / "xdsl_patterns.py"
PATTERN_PASSES = [name for name in PASSES if name != "apply-patterns" and issubclass(load_pass(name), PatternPass)]


def function(body: str, arguments: str = "%x: tensor<8xf32>", result: str = "tensor<8xf32>") -> str:
    return f"func.func @main({arguments}) -> {result} {{\n{body}\nfunc.return %r : {result}\n}}"


def parsed(text: str) -> ModuleOp:
    return parse_module(text, "test", new_context())


def after(text: str, pipeline: str, log: PatternLog | None = None) -> str:
    context = new_context()
    module = parse_module(text, "test", context)
    with recording(log) if log is not None else contextlib.nullcontext():
        run_passes(context, module, parse_passes(pipeline), verify=True)
    return str(module)


# xDSL's patterns in our passes

OF_XDSL = {
    "sum-to-product": ("%r = stablehlo.add %x, %x : tensor<8xf32>", "stablehlo.multiply %x, %x"),
    "operand-itself": ("%r = stablehlo.abs %x : tensor<8xf32>", "func.return %x"),
    "two-new-ops": ("%r = stablehlo.subtract %x, %x : tensor<8xf32>", "stablehlo.negate %x"),
    "either-rounding": ("%r = stablehlo.floor %x : tensor<8xf32>", "stablehlo.round_nearest_afz %x"),
    "insert-then-erase": ("%r = stablehlo.sine %x : tensor<8xf32>", "stablehlo.cosine %x"),
    "in-place": ("%r = stablehlo.tanh %x : tensor<8xf32>", 'seen = "yes"'),
    "behind-the-op": ("%r = stablehlo.exponential %x : tensor<8xf32>", "guard = 1 : i32"),
    "any-op": ("%r = stablehlo.logistic %x : tensor<8xf32>", "stablehlo.tanh %x"),
    "inlined-branch": (
        """%p = stablehlo.compare LT, %s, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %r = "stablehlo.if"(%p) ({
          %a = stablehlo.cbrt %x : tensor<8xf32>
          stablehlo.return %a : tensor<8xf32>
        }, {
          stablehlo.return %x : tensor<8xf32>
        }) : (tensor<i1>) -> tensor<8xf32>""",
        "func.return %a",
    ),
    "wider-constants": (
        """%l = stablehlo.log_plus_one %x : tensor<8xf32>
        %r = stablehlo.convert %l : tensor<8xf32>""",
        "(tensor<8xf64>) -> tensor<8xf32>",
    ),
}
"""By name of a pattern an op of `@main` that it rewrites, and what is found afterwards."""


@pytest.mark.parametrize("name", OF_XDSL)
def test_patterns_of_xdsl_run_in_our_driver(name: str) -> None:
    body, expected = OF_XDSL[name]
    module = parsed(function(body, "%x: tensor<8xf32>, %s: tensor<f32>"))
    (chosen,) = [pattern for pattern in patterns_of_file(str(XDSL_PATTERNS)) if pattern.name == name]
    (main,) = module.ops
    Rewriter(rewrites_of([chosen])).run(main.walk())
    assert expected in str(module)


@pytest.mark.parametrize("pipeline", ["apply-patterns{file=FILE}", "stablehlo-simplify{add=FILE}"])
@pytest.mark.parametrize("name", [name for name in OF_XDSL if name != "wider-constants"])
def test_patterns_of_xdsl_run_in_passes(name: str, pipeline: str) -> None:
    """But for the change of types, which is valid with the ops around only."""
    body, _ = OF_XDSL[name]
    log = PatternLog()
    text = function(body, "%x: tensor<8xf32>, %s: tensor<f32>")
    after(text, pipeline.replace("FILE", f'"{XDSL_PATTERNS}"'), log)
    assert name in {pattern for _, pattern in log.counts}


def test_a_pattern_of_xdsl_meets_those_of_the_pass() -> None:
    """What the user's pattern makes is simplified, and the other way round."""
    text = function(
        "%0 = stablehlo.reverse %x, dims = [0] : tensor<8xf32>\n%1 = stablehlo.reverse %0, dims = [0] : "
        "tensor<8xf32>\n%r = stablehlo.add %x, %1 : tensor<8xf32>"
    )
    assert "stablehlo.multiply %x, %x" in after(text, f'stablehlo-simplify{{add="{XDSL_PATTERNS}"}}')


def test_an_op_that_a_conversion_lacks_is_converted_by_a_user(tmp_path: Path) -> None:
    """The user's patterns come before a conversion."""
    text = function("%r = stablehlo.reverse %x, dims = [0] : tensor<8xf32>")
    file = tmp_path / "mine.py"
    file.write_text(
        "from xdsl_xla.dialects import stablehlo\n"
        "from xdsl_xla.ir.patterns import pattern\n"
        "@pattern\n"
        "def reverse_to_negate(op: stablehlo.ReverseOp, rewriter):\n"
        "    return rewriter.emit(stablehlo.NegOp, op.operands, op.results[0].type)\n"
    )
    with pytest.raises(XlaError, match="no lowering to linalg"):
        after(text, "convert-stablehlo-to-linalg{disable=stablehlo-reverse}")
    pipeline = f'convert-stablehlo-to-linalg{{disable=stablehlo-reverse add="{file}"}}'
    assert "arith.negf" in after(text, pipeline)


# Our patterns in xDSL's walker

OURS = {
    ("stablehlo-simplify", "reshape-of-reshape"): """
        %0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<2x4xf32>
        %1 = stablehlo.reshape %0 : (tensor<2x4xf32>) -> tensor<4x2xf32>
        %r = stablehlo.reshape %1 : (tensor<4x2xf32>) -> tensor<8xf32>""",
    ("stablehlo-simplify", "transpose-of-transpose"): """
        %0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<2x2x2xf32>
        %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
        %2 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
        %r = stablehlo.reshape %2 : (tensor<2x2x2xf32>) -> tensor<8xf32>""",
    ("stablehlo-simplify", "slice-of-slice"): """
        %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
        %1 = stablehlo.slice %0 [1:13] : (tensor<16xf32>) -> tensor<12xf32>
        %r = stablehlo.slice %1 [2:10] : (tensor<12xf32>) -> tensor<8xf32>""",
    ("stablehlo-simplify", "divide-by-power-of-two"): """
        %c = stablehlo.constant dense<4.0> : tensor<8xf32>
        %r = stablehlo.divide %x, %c : tensor<8xf32>""",
    ("stablehlo-simplify", "power-by-constant"): """
        %c = stablehlo.constant dense<3.0> : tensor<8xf32>
        %r = stablehlo.power %x, %c : tensor<8xf32>""",
    ("stablehlo-simplify", "multiply-by-minus-one"): """
        %c = stablehlo.constant dense<-1.0> : tensor<8xf32>
        %r = stablehlo.multiply %x, %c : tensor<8xf32>""",
    ("stablehlo-simplify", "fold-involution"): """
        %0 = stablehlo.negate %x : tensor<8xf32>
        %r = stablehlo.negate %0 : tensor<8xf32>""",
    ("stablehlo-simplify", "reverse-of-reverse"): """
        %0 = stablehlo.reshape %x : (tensor<8xf32>) -> tensor<2x4xf32>
        %1 = stablehlo.reverse %0, dims = [0] : tensor<2x4xf32>
        %2 = stablehlo.reverse %1, dims = [1] : tensor<2x4xf32>
        %r = stablehlo.reshape %2 : (tensor<2x4xf32>) -> tensor<8xf32>""",
    ("stablehlo-simplify", "known-branch"): """
        %p = stablehlo.constant dense<true> : tensor<i1>
        %r = "stablehlo.if"(%p) ({
          %a = stablehlo.cbrt %x : tensor<8xf32>
          stablehlo.return %a : tensor<8xf32>
        }, {
          stablehlo.return %x : tensor<8xf32>
        }) : (tensor<i1>) -> tensor<8xf32>""",
    ("stablehlo-fold-constants", "fold-stablehlo-add"): """
        %c = stablehlo.constant dense<2.0> : tensor<8xf32>
        %0 = stablehlo.add %c, %c : tensor<8xf32>
        %r = stablehlo.add %0, %0 : tensor<8xf32>""",
    ("chlo-legalize-to-stablehlo", "chlo-square"): "%r = chlo.square %x : tensor<8xf32> -> tensor<8xf32>",
    ("stablehlo-expand-deprecated", "stablehlo-dot"): """
        %0 = stablehlo.dot %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
        %r = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>""",
}
"""By pass and pattern what the pattern rewrites."""


@pytest.mark.parametrize("pass_name, name", OURS)
def test_our_patterns_run_in_the_walker_of_xdsl(pass_name: str, name: str) -> None:
    patterns = patterns_by_name(pass_name)
    assert patterns is not None
    program = parsed(function(OURS[pass_name, name]))
    before = str(program)
    walker = PatternRewriteWalker(GreedyRewritePatternApplier(list(patterns[name])))
    assert walker.rewrite_module(program)
    verify_module(program)
    assert str(program) != before
    ours = parsed(function(OURS[pass_name, name]))
    run_passes(new_context(), ours, [load_pass(pass_name)(enable=(name,))])
    assert program.is_structurally_equivalent(ours)


def test_a_conversion_says_that_it_does_not_run_in_the_walker_of_xdsl() -> None:
    patterns = patterns_by_name("convert-stablehlo-to-linalg")
    assert patterns is not None
    walker = PatternRewriteWalker(patterns["stablehlo-abs"][0])
    with pytest.raises(Exception, match="does not run without it"):
        walker.rewrite_module(parsed(function("%r = stablehlo.abs %x : tensor<8xf32>")))


# By name, in every pass


def chunks(pass_name: str) -> Iterator[str]:
    """Programs of the FileCheck tests that run the pass first."""
    for path in sorted(LIT.rglob("*.mlir")):
        text = path.read_text()
        if re.search(rf"""RUN: xla-opt .*-p ['"]?{pass_name}(?![a-z-])""", text):
            yield from re.split(r"^// -----$", text, flags=re.MULTILINE)


def applied(pass_name: str, options: str = "") -> PatternLog:
    """What the patterns of a pass do to these programs; those that are errors count as far as they come."""
    log = PatternLog()
    for text in chunks(pass_name):
        with contextlib.suppress(XlaError):
            context = new_context()
            module = parse_module(text, "test", context)
            with recording(log):
                run_passes(context, module, parse_passes(pass_name + options))
    return log


@pytest.mark.sample(8)
@pytest.mark.parametrize("pass_name", PATTERN_PASSES)
def test_patterns_go_by_their_names(pass_name: str, tmp_path: Path) -> None:
    known = patterns_by_name(pass_name)
    assert known
    assert [line.split()[0] for line in described(pass_name)] == [f"{pass_name}:", *known]
    log = applied(pass_name)
    names = {name for _, name in log.counts}
    assert {owner for owner, _ in log.counts} == {pass_name}
    assert names and names <= set(known)
    assert set(log.makers.values()) <= {f"{pass_name}: {name}" for name in names}

    chosen = max(names, key=lambda name: (log.counts[pass_name, name], name))
    without = applied(pass_name, f"{{disable={chosen}}}")
    assert (pass_name, chosen) not in without.counts
    alone = applied(pass_name, f"{{enable={chosen}}}")
    assert set(alone.counts) == {(pass_name, chosen)}
    for option in ("disable", "enable"):
        with pytest.raises(UnknownPatternError, match=f"has no pattern '{chosen}x'; did you mean .*{chosen}"):
            parse_passes(f"{pass_name}{{{option}={chosen}x}}")

    file = tmp_path / "marking.py"
    file.write_text(MARKING)
    assert applied(pass_name, f'{{add="{file}"}}').counts[pass_name, "mark-ops"] > 0


MARKING = """
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

class MarkOps(RewritePattern):
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if "test.mark" not in op.attributes:
            op.attributes["test.mark"] = UnitAttr()
            rewriter.notify_op_modified(op)
"""


def test_most_passes_trace_the_ops_they_make() -> None:
    """All but those whose patterns only move and delete ops."""
    silent = [name for name in PATTERN_PASSES if not applied(name).makers]
    assert set(silent) <= {"stablehlo-erase-sharding"}


def test_a_pass_has_patterns_or_says_why_not() -> None:
    for name in PASSES:
        documentation = sys.modules[load_pass(name).__module__].__doc__ or ""
        says_so = re.search(r"^Not a pattern pass: \S", documentation, re.MULTILINE) is not None
        assert issubclass(load_pass(name), PatternPass) != says_so, name


def test_every_pattern_pass_is_listed() -> None:
    lines = list(listed())
    assert [line[:-1] for line in lines if not line.startswith(" ")] == ["apply-patterns", *PATTERN_PASSES]


def test_a_greater_benefit_comes_first() -> None:
    def first(op: object, rewriter: object) -> None: ...
    def second(op: object, rewriter: object) -> None: ...

    patterns = [Pattern(second, (stablehlo.AbsOp,), "second"), Pattern(first, (), "first", benefit=2)]
    rewrites = rewrites_of(patterns)
    assert rewrites.by_class[stablehlo.AbsOp] == (first, second)
    assert rewrites.others == (first,)


def test_a_pattern_asks_for_the_op_behind_the_operand(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        """
from xdsl_xla.dialects.stablehlo import AbsOp, CosineOp, NegOp, SineOp
from xdsl_xla.ir.patterns import pattern

@pattern
def even(op: AbsOp | CosineOp, source: NegOp | AbsOp, rewriter):
    return rewriter.emit(type(op), source.operands, op.results[0].type)
"""
    )
    (even,) = patterns_of_file(str(path))
    assert (even.name, even.ops) == ("even", (stablehlo.AbsOp, stablehlo.CosineOp))
    ops = "%a = stablehlo.negate %x : tensor<8xf32>\n%b = stablehlo.sine %a : tensor<8xf32>\n"
    for operand, is_changed in (("%x", False), ("%a", True), ("%b", False)):
        program = parsed(function(f"{ops}%r = stablehlo.cosine {operand} : tensor<8xf32>"))
        rewrites = rewrites_of([even])
        (cosine,) = (op for op in program.walk() if isinstance(op, stablehlo.CosineOp))
        Rewriter(rewrites).run([cosine])
        (cosine,) = (op for op in program.walk() if isinstance(op, stablehlo.CosineOp))
        assert (is_changed or operand == "%x") == (cosine.operands[0].name_hint == "x")


@pytest.mark.parametrize(
    "content, message",
    [("", "has no patterns"), ("import nowhere", "ModuleNotFoundError"), ("x = (", "SyntaxError")],
)
def test_a_file_without_patterns_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "patterns.py"
    file.write_text(content)
    with pytest.raises(XlaError, match=message):
        patterns_of_file(str(file))


def test_patterns_are_not_observed_without_a_log() -> None:
    simplify = load_pass("stablehlo-simplify")()
    assert isinstance(simplify, PatternPass)
    plain = {pattern.rewrite for pattern in simplify.patterns()}
    context = new_context()
    assert all(rewrite in plain for rewrites in simplify.rewrites(context).by_class.values() for rewrite in rewrites)
    with recording(PatternLog()):
        observed = simplify.rewrites(context)
    assert not any(rewrite in plain for rewrites in observed.by_class.values() for rewrite in rewrites)


def test_the_example_of_the_documentation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = (HERE.parents[1] / "docs" / "patterns.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", document, re.DOTALL)
    (printed,) = re.findall(r"```mlir\n(.*?)```", document, re.DOTALL)
    file, program = tmp_path / "mine.py", tmp_path / "program.mlir"
    file.write_text(code)
    program.write_text(
        function(
            "%a = stablehlo.negate %x : tensor<8xf32>\n%b = stablehlo.add %x, %x : tensor<8xf32>\n"
            "%c = stablehlo.negate %b : tensor<8xf32>\n%r = stablehlo.divide %a, %c : tensor<8xf32>"
        )
    )
    for pipeline in (f'apply-patterns{{file="{file}"}}', f'stablehlo-simplify{{add="{file}"}}'):
        assert xla_opt([str(program), "-p", pipeline, "--trace-patterns", "--count-patterns"]) == 0
        output, errors = capsys.readouterr()
        line = printed.strip().replace("stablehlo-simplify", pipeline.split("{")[0])
        assert line in output.replace("%b", "%0")
        assert "stablehlo.divide %x, " in output
        assert re.search(r"^ *1  \S+  quotient-of-sign$", errors, re.MULTILINE)
        assert re.search(r"^ *1  \S+  sum-to-product$", errors, re.MULTILINE)


@pytest.mark.parametrize("name", ["stablehlo-simplify", "stablehlo-expand-fft", "stablehlo-erase-sharding"])
def test_patterns_decide_by_the_model_of_the_context(name: str) -> None:
    context = new_context()
    model = cost_model_of(None, 128)
    setattr(context, "cost_model", model)  # noqa: B010 (as the drivers do)
    each = load_pass(name)()
    assert isinstance(each, PatternPass)
    assert Rewriter(each.rewrites(context)).model is model
    assert Rewriter(each.rewrites(context).only()).model is model
    assert Rewriter(each.rewrites(new_context())).model is cost_model_of(None)


def test_a_reduction_in_a_pattern_has_its_body(tmp_path: Path) -> None:
    """`tensor(...).sum` emits an op with a region: the ops in that stand in it, not in front of the op rewritten."""
    file = tmp_path / "mine.py"
    file.write_text(
        """
from xdsl_xla.dialects import stablehlo
from xdsl_xla.ir.patterns import Replacement, pattern
from xdsl_xla.ir.rewriter import Rewriter
from xdsl_xla.ir.tensor_builder import tensor

@pattern
def tanh_to_sum(op: stablehlo.TanhOp, rewriter: Rewriter) -> Replacement:
    x = tensor(op.operand, rewriter)
    return x.sum([0]).broadcast(x.shape, []).value
"""
    )
    text = after(function("%r = stablehlo.tanh %x : tensor<8xf32>"), f'apply-patterns{{file="{file}"}}')
    names = [line.split()[2] for line in text.splitlines() if " = stablehlo." in line]
    assert names == ["stablehlo.constant", "stablehlo.reduce(%x", "stablehlo.broadcast_in_dim"]
    assert "applies stablehlo.add across dimensions = [0]" in text
