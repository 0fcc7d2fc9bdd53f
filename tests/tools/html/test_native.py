"""Below the llvm dialect: debug information leads back to the lines and changes nothing."""

from __future__ import annotations

import re

import pytest
from pages import PROGRAM, request
from xdsl_xla.decisions.model import cost_model_of
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.lowering.llvm_to_text.parts import emit_parts
from xdsl_xla.runtime.compilation import Preparation, prepare
from xdsl_xla.runtime.engine import llvm as binding
from xdsl_xla.runtime.engine import parse
from xdsl_xla.runtime.llvm_pipeline import Options, optimizer
from xdsl_xla.runtime.pass_manager import run_passes
from xdsl_xla.runtime.target_machines import target_machine
from xdsl_xla.tools.html.naming import Names
from xdsl_xla.tools.html.native import NativeTexts, native_texts
from xdsl_xla.tools.html.printed import Printed, printed

OPTIONS = Options()


@pytest.fixture(scope="module")
def lowered() -> Preparation:
    prepared = prepare(PROGRAM, "program.mlir", request())
    run_passes(prepared.context, prepared.module, prepared.passes)
    return prepared


@pytest.fixture(scope="module")
def shown(lowered: Preparation) -> Printed:
    names = Names()
    names.assign(lowered.module, {})
    return printed(lowered.module, names.of, {})


@pytest.fixture(scope="module")
def texts(lowered: Preparation, shown: Printed) -> NativeTexts:
    return native_texts(lowered.module, shown.line_of, cost_model_of(lowered.context), OPTIONS)


def test_each_instruction_comes_from_its_op(shown: Printed, texts: NativeTexts) -> None:
    words = {"fdiv": "llvm.fdiv", "getelementptr": "llvm.getelementptr", "store": "llvm.store", "ret": "llvm.return"}
    seen = set[str]()
    for line, sources in zip(texts.llvm.lines, texts.llvm.sources, strict=True):
        match = re.match(r"  (?:%\d+ = )?(\w+)", line)
        if match and match[1] in words:
            assert [words[match[1]] in shown.lines[source] for source in sources] == [True], line
            seen.add(match[1])
    assert seen == words.keys()


def test_debug_information_changes_no_code(lowered: Preparation, texts: NativeTexts) -> None:
    def instructions(lines: list[str]) -> list[str]:
        kept = (re.sub(r"\s*#.*", "", line).split() for line in lines if line.startswith("\t") and line[1] != ".")
        return [re.sub(r"\.L\w+", ".L", " ".join(words)) for words in kept]

    plain: list[str] = []
    for part in emit_parts(lowered.module, 1, cost_model_of(lowered.context).llvm):
        module = parse(part.text, binding.create_context())
        with target_machine(OPTIONS.codegen_level(part.tier)) as machine:
            if (passes := optimizer(machine, part.tier, OPTIONS)) is not None:
                passes.manager.run(module, passes.builder)
            plain += machine.emit_assembly(module).split("\n")
    assert instructions(texts.assembly.lines) == instructions(plain)


def test_nothing_of_it_is_shown(lowered: Preparation, texts: NativeTexts) -> None:
    assert texts.llvm.lines == emit(lowered.module).split("\n")
    assert not re.search(r"!dbg|DILocation|DISub|llvm\.dbg", "\n".join(texts.optimized.lines))
    assert not re.search(r"\.loc\s|\.debug_|\.file\s", "\n".join(texts.assembly.lines))


def test_most_instructions_are_traced(texts: NativeTexts) -> None:
    for text, before in ((texts.optimized, texts.llvm), (texts.assembly, texts.optimized)):
        code = [n for n, line in enumerate(text.lines) if line[:1].isspace() and not line.strip().startswith(".")]
        traced = [n for n in code if text.sources[n]]
        assert len(traced) > 0.7 * len(code)
        assert all(0 <= source < len(before.lines) for n in traced for source in text.sources[n])
