"""What only passes may say: declared in one table, refused in programs from outside however they come in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from test_every_level import BOUNDED, NETWORK, printed
from xdsl_xla.dialects.xrt import XRT
from xdsl_xla.dialects.xrt_attributes import ATTRIBUTES
from xdsl_xla.dialects.xrt_names import ROUTINE, SYMBOLS, TARGETS
from xdsl_xla.errors import InvalidProgramError, XlaError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.passes.stablehlo.stablehlo_refuse_internals import HARMLESS
from xdsl_xla.pipelines import PASSES
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.xla_opt import main as xla_opt
from xdsl_xla.tools.xla_run import main as xla_run

ROOT = Path(xdsl_xla.__file__).parent
FOLDERS = ("dialects", "passes", "lowering", "reference", "runtime", "frontends", "tools")

# -- the table -------------------------------------------------------------------------------------------------------

FILES = {"xrt.py"}
"""Not names, but files that comments mention."""


def declared() -> set[str]:
    ops = {op.name for op in XRT.operations}
    return {*ATTRIBUTES, *SYMBOLS, *TARGETS, ROUTINE.rstrip("."), *ops, *FILES}


def test_every_name_in_the_sources_is_declared() -> None:
    found: dict[str, set[str]] = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for name in re.findall(r"\bxrt\.[a-z]\w*", _strings(path.read_text(encoding="utf-8"))):
                found.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    assert len(found) > 25
    internal_functions = {"xrt.fork_function", "xrt.task_function", "xrt.call_target_table"}
    assert {name: files for name, files in found.items() if name not in declared() | internal_functions} == {}


def _strings(text: str) -> str:
    """Literals and comments: what is not an access to an attribute of a Python module."""
    return "\n".join(re.findall(r'"""(?:.|\n)*?"""|"[^"\n]*"|#[^\n]*', text))


def test_the_table_names_passes_and_files_that_are_there() -> None:
    for name, declaration in ATTRIBUTES.items():
        for writer in declaration.writers:
            assert writer in PASSES, name
        for reader in declaration.readers:
            assert reader in PASSES or reader.startswith("every pass") or (ROOT / reader).exists(), name


# -- text ------------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "xrt.profile": '[["main", "add", "a.py:1", "0"]]',
    "xrt.schedule": "#schedule.kernel<{}>",
    "xrt.interface": '{type = (tensor<4xf32>) -> tensor<4xf32>, arguments = ["x"], results = ["y"]}',
    "xrt.donated": "array<i64: 0, 0>",
    "xrt.denormals": '"flush"',
    "xrt.signature": "(tensor<4xf32>) -> tensor<4xf32>",
    "xrt.parameters": "[0 : index]",
    "xrt.call_targets": "[]",
    "xrt.streamed": "array<i64: 0>",
    **dict.fromkeys(
        (
            "xrt.num_inputs",
            "xrt.num_outputs",
            "xrt.threads",
            "xrt.thread_scratch_bytes",
            "xrt.arena_bytes",
            "xrt.row_dims",
            "xrt.batch",
            "xrt.spaces",
            "xrt.constant_index",
        ),
        "1 : i64",
    ),
}
"""A value of the form that the attribute has; those that are not here have none."""

PLACES: dict[str, str] = {
    "func.func": """module {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {{{0}}} {{
    return %x : tensor<4xf32>
  }}
}}""",
    "argument": """module {{
  func.func @main(%x: tensor<4xf32> {{{0}}}) -> tensor<4xf32> {{
    return %x : tensor<4xf32>
  }}
}}""",
    "result": """module {{
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {{{0}}}) {{
    return %x : tensor<4xf32>
  }}
}}""",
    "private": """module {{
  func.func private @dead() attributes {{{0}}}
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    return %x : tensor<4xf32>
  }}
}}""",
    "stablehlo.add": """module {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.add %x, %x {{{0}}} : tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
}}""",
    "region": """module {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = "stablehlo.map"(%x) <{{dimensions = array<i64: 0>}}> ({{
    ^bb0(%a: tensor<f32>):
      %1 = stablehlo.add %a, %a {{{0}}} : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }}) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
}}""",
    "stablehlo.custom_call": """module {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.custom_call @Sharding(%x) {{{0}}} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
}}""",
    "builtin.module": """module attributes {{{0}}} {{
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    return %x : tensor<4xf32>
  }}
}}""",
}

REFUSED = r"(programs from outside have no|stands? on|stands? beside|there is no attribute)"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", [*(name for name in ATTRIBUTES if name not in HARMLESS), "xrt.anything"])
def test_an_attribute_is_refused_wherever_it_stands(name: str, place: str) -> None:
    attribute = f"{name} = {EXAMPLES[name]}" if name in EXAMPLES else name
    text = PLACES[place].format(attribute)
    for pipeline in ("xla-cpu", "xla-cpu-O0"):
        with pytest.raises(InvalidProgramError, match=REFUSED) as caught:
            xdsl_xla.compile(text, pipeline=pipeline, filename="outside.mlir", cache=False)
        assert name in str(caught.value)
        assert re.fullmatch(r"outside\.mlir:\d+:\d+", caught.value.location or "")


def test_at_their_own_place_attributes_are_valid_and_refused() -> None:
    """So that the test above does not pass because of the verifier alone."""
    refused: set[str] = set()
    for name, declaration in ATTRIBUTES.items():
        for place in declaration.on:
            if place in PLACES:
                attribute = f"{name} = {EXAMPLES[name]}" if name in EXAMPLES else name
                try:
                    xdsl_xla.compile(PLACES[place].format(attribute), cache=False)
                except InvalidProgramError as error:
                    if "programs from outside" in error.message:
                        refused.add(name)
    assert {"xrt.kernel", "xrt.entry", "xrt.interface", "xrt.contract", "xrt.signature", "xrt.call_targets"} <= refused


OPS = {
    "xrt.parallel": '"xrt.parallel"() <{callee = @main, trip_count = 4 : index}> : () -> ()',
    "xrt.thread_id": '%0 = "xrt.thread_id"() : () -> index',
    "xrt.call_target": '%0 = "xrt.call_target"(%x, %x) <{target = "f", signature = (tensor<4xf32>) -> tensor<4xf32>,'
    " options = {direct}, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
    "xrt.safepoint": '"xrt.safepoint"() <{work = 1 : i64}> : () -> ()',
    "xrt.dot": "%v = arith.constant dense<1.0> : vector<32xbf16>\n    %s = arith.constant dense<1.0> : vector<16xf32>\n"
    '    %0 = "xrt.dot"(%v, %v, %s) <{instruction = "vdpbf16ps"}> : (vector<32xbf16>, vector<32xbf16>, vector<16xf32>)'
    " -> vector<16xf32>",
    "xrt.has_failed": '%0 = "xrt.has_failed"() : () -> i1',
    "xrt.prefetch": '%m = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f32>\n'
    '    "xrt.prefetch"(%m) : (memref<f32>) -> ()',
    "xrt.part": '%m = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>\n'
    "    %i = arith.constant 1 : index\n"
    '    %0 = "xrt.part"(%m, %i) : (memref<4xf32>, index) -> memref<2xf32>',
    "xrt.tile": '%m = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<64xf32>\n'
    "    %i = arith.constant 0 : index\n"
    '    "xrt.tile"(%m, %i, %m, %i, %m, %i) <{trips = array<i64: 4>, lhs_steps = array<i64: 1>,'
    " rhs_steps = array<i64: 8>, rows = 2 : i64, lhs_row = 8 : i64, out_row = 8 : i64, columns = array<i64: 0>,"
    " at = array<i64: 0>, lanes = 8 : i64, chains = array<i64>}> :"
    " (memref<64xf32>, index, memref<64xf32>, index, memref<64xf32>, index) -> ()",
    "fourier.transform": '%r = arith.constant dense<0.0> : tensor<4x2xf32>\n    %0 = "xrt.thread_id"() : () -> index',
}


@pytest.mark.parametrize("name", [op.name for op in XRT.operations])
def test_an_op_is_refused(name: str) -> None:
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
    {OPS[name]}
    return %x : tensor<4xf32>
}}"""
    if name == "xrt.parallel":  # of a callee that it can have
        text = text.replace("@main, trip", "@body, trip") + "\nfunc.func private @body(%a: index, %b: index, %c: index)"
    with pytest.raises(InvalidProgramError, match=f"'{name}' op: programs from outside have no such op") as caught:
        xdsl_xla.compile(text, filename="outside.mlir", cache=False)
    assert (caught.value.location or "").startswith("outside.mlir:")


CALLED = ["xrt.members", "xrt.random_state", "xrt.lapack.sgesdd", "xrt.anything"]


@pytest.mark.parametrize("target", CALLED)
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_target_is_refused(target: str, engine: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "outside.mlir"
    path.write_text(f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @{target}(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}""")
    assert xla_run([str(path), "--engine", engine, "--no-cache"]) == 1
    error = capsys.readouterr().err
    assert "outside.mlir:2:3: error: 'stablehlo.custom_call' op: programs from outside have no" in error
    assert f"'{target}'" in error


def test_files_of_tests_are_refused_too(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "tests.mlir"
    path.write_text("""func.func @case() attributes {xrt.kernel} {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %0, dense<1> : tensor<i32>
  return
}""")
    for engine in ("native", "reference"):
        assert xla_run([str(path), "--engine", engine]) == 1
        assert "tests.mlir:1:1: error: 'func.func' op: programs from outside" in capsys.readouterr().err


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_symbol_is_refused(symbol: str) -> None:
    with pytest.raises(InvalidProgramError, match=f"no symbol '{symbol}'"):
        xdsl_xla.compile(f"func.func @{symbol}(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}")


# -- other forms of programs -----------------------------------------------------------------------------------------


def hlo(call: str = 'custom-call(x), custom_call_target="Sharding"', extra: str = "") -> bytes:
    return f"""HloModule m{extra}

ENTRY main {{
  x = f32[4]{{0}} parameter(0)
  ROOT y = f32[4]{{0}} {call}
}}
""".encode()


@pytest.mark.parametrize("target", CALLED)
def test_hlo_text(target: str) -> None:
    with pytest.raises(InvalidProgramError, match="programs from outside have no target") as caught:
        xdsl_xla.compile(hlo(f'custom-call(x), custom_call_target="{target}"'), filename="outside.hlo", cache=False)
    assert caught.value.location == "outside.hlo:5:8"


def test_frontend_attributes_of_hlo_are_data() -> None:
    """Names in them are keys of a dictionary, which no pass looks at."""
    internals = ", ".join(f'{name}="1"' for name in ATTRIBUTES)
    marked = hlo(f"add(x, x), frontend_attributes={{{internals}}}", f", frontend_attributes={{{internals}}}")
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(xdsl_xla.compile(marked, cache=False)(x)[0], 2 * x)
    assert lowered(marked) == lowered(hlo("add(x, x)"))


def lowered(program: str | bytes) -> str:
    """What is compiled, but for the names in messages."""
    from xdsl_xla.lowering.llvm_to_text import emit
    from xdsl_xla.runtime.compilation import prepare
    from xdsl_xla.runtime.compiler import Request
    from xdsl_xla.runtime.pass_manager import run_passes

    prepared = prepare(program, "program", Request(2, "xla-cpu", None, None, 2, None, None, True))
    run_passes(prepared.context, prepared.module, prepared.passes)
    return emit(prepared.module)


@pytest.mark.parametrize(
    "attribute",
    [
        "llvm.noalias",
        "llvm.align = 4096 : i64",
        "llvm.dereferenceable = 1048576 : i64",
        "llvm.readonly",
        'mhlo.frontend_attributes = {xrt.kernel = ""}',
        "mhlo.backend_config = {xrt.batch = 7 : i64}",
        "noinline",
        'passthrough = ["alwaysinline"]',
        "direct",
        'computations = ""',
        "fastmathFlags = #arith.fastmath<fast>",
        "fastmath = #arith.fastmath<fast>",
        "options = {direct}",
        'location = "elsewhere"',
        'body = ""',
    ],
)
@pytest.mark.parametrize("place", [place for place in PLACES if place != "private"])
def test_attributes_without_the_prefix_change_nothing(attribute: str, place: str) -> None:
    """Words that mean something on lower levels, on ops of level 0."""
    assert lowered(PLACES[place].format(attribute)) == lowered(PLACES[place].format(""))


def portable(text: str) -> bytes:
    """As StableHLO's own tools write it."""
    mlir: Any = pytest.importorskip("jax._src.interpreters.mlir")
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    context = mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    with context:
        return stablehlo.serialize_portable_artifact(ir.Module.parse(text), "1.9.0")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PLACES["builtin.module"].format("xrt.call_targets = []"), "xrt.call_targets"),
        (PLACES["builtin.module"].format("xrt.anything"), "xrt.anything"),
        (PLACES["stablehlo.custom_call"].format("").replace("@Sharding", "@xrt.members"), "xrt.members"),
        (PLACES["func.func"].format("").replace("@main", "@xrt.fork"), "xrt.fork"),
        (PLACES["func.func"].format("").replace("return", '"xrt.thread_id"() : () -> index\n return'), "xrt.thread_id"),
    ],
)  # fmt: skip
def test_bytecode(text: str, name: str) -> None:
    with pytest.raises(InvalidProgramError, match=re.escape(name)) as caught:
        xdsl_xla.compile(portable(text), cache=False)
    assert re.search(REFUSED, str(caught.value))
    assert caught.value.location is not None


def test_ops_of_bytecode_carry_no_attributes_of_other_dialects() -> None:
    """VHLO has none for them, so that there is no way in by bytecode."""
    for place in ("func.func", "stablehlo.add", "argument"):
        with pytest.raises(Exception, match="serialize"):
            portable(PLACES[place].format("xrt.kernel"))


def test_the_builder() -> None:
    for target in CALLED:
        builder = xla.XlaBuilder("outside")
        x = builder.parameter(0, xla.Shape.array(xla.F32, (4,)), "x")
        xla.custom_call(builder, target, [x], xla.Shape.array(xla.F32, (4,)))
        with pytest.raises(XlaError, match="programs from outside have no target"):
            builder.build().compile()


def test_a_module_of_python() -> None:
    module = parse_module(PLACES["stablehlo.add"].format("xrt.contract"))
    with pytest.raises(InvalidProgramError, match=r"no attribute 'xrt\.contract'"):
        xdsl_xla.compile(module)


# -- lower levels ----------------------------------------------------------------------------------------------------


def test_a_lowered_program_goes_on_when_told_to(tmp_path: Path, capsys: Any) -> None:
    source, middle = tmp_path / "source.mlir", tmp_path / "lowered.mlir"
    source.write_text(PLACES["stablehlo.add"].format(""))
    upper, rest = "xla-cpu-O0", "llvm-hide-counters"
    assert xla_opt([str(source), "-p", upper, "-o", str(middle)]) == 0
    assert xla_run([str(middle)]) == 1
    error = capsys.readouterr().err
    assert "programs from outside have no attribute" in error and "xla-run --pipeline" in error
    assert xla_opt([str(middle), "-p", "xla-cpu"]) == 1
    assert "xla-opt -p" in capsys.readouterr().err
    assert xla_run([str(middle), "--pipeline", rest, "--input", "4xf32=1 2 3 4"]) == 0
    assert "2. 4. 6. 8." in capsys.readouterr().out
    assert xla_opt([str(middle), "-p", rest]) == 0


def test_bounded_arguments_of_the_last_level(tmp_path: Path, capsys: Any) -> None:
    """`?` stands in the text for a size that the caller gives, not one to be refined."""
    path = tmp_path / "lowered.mlir"
    path.write_text(printed(BOUNDED, 1)[-1])
    np.save(tmp_path / "x.npy", np.zeros((5, 3), np.float32))
    assert xla_run([str(path), "--pipeline", "", "--input", str(tmp_path / "x.npy")]) == 0
    assert "out1" in capsys.readouterr().out


def tampered(change: Callable[[str], str], steps: int) -> str:
    text = printed(NETWORK, 2)[steps]
    changed = change(text)
    assert changed != text
    return changed


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: re.sub(r"xrt.arena_bytes = \d+", "xrt.arena_bytes = 64", t), "has 64 bytes, the code relies on"),
        (lambda t: t.replace("{type = (tensor<64x96xf32>,", "{type = (tensor<64x9xf32>,"), "buffer 0 has 2304 bytes"),
        (lambda t: t.replace('(tensor<64x512xf32>, tensor<3xui8>), arg', '(tensor<64x512xf32>, tensor<1xui8>), arg'),
         "buffer 4 has 1 bytes, the code relies on 3"),
        (lambda t: re.sub(r", xrt.arena_bytes = \d+ : i64", "", t), "no 'xrt.arena_bytes'"),
        (lambda t: t.replace("xrt.threads = 2", "xrt.threads = 0"), "'xrt.threads' is an i64 of at least 1"),
        (lambda t: t.replace("xrt.threads = 2 : i64", "xrt.donated = array<i64: 0, 0>"), "not of the size of its"),
    ],
)  # fmt: skip
def test_what_the_last_level_trusts_is_verified(change: Callable[[str], str], message: str) -> None:
    with pytest.raises(InvalidProgramError, match=message):
        xdsl_xla.compile(tampered(change, -1), pipeline="", cache=False)


@pytest.mark.parametrize("name", ["convert-tensor-to-memref", "memref-assign-arena", "convert-stablehlo-to-linalg"])
def test_what_other_levels_trust_is_verified(name: str) -> None:
    from xdsl_xla.pipelines import XLA_CPU, expand

    done = [step.spec for step in XLA_CPU].index(name) + 1
    text = tampered(lambda t: t.replace("{type = (tensor<64x96xf32>,", "{type = (tensor<64x9xf32>,"), done)
    with pytest.raises(InvalidProgramError, match=r"but 'xrt\.interface' says"):
        xdsl_xla.compile(text, pipeline=expand(XLA_CPU[done:]), cache=False)


def test_a_kernel_is_no_entry() -> None:
    from xdsl_xla.pipelines import XLA_CPU, expand

    done = [step.spec for step in XLA_CPU].index("memref-assign-arena") + 1
    text = tampered(lambda t: t + "\n", done)
    kernel = re.findall(r"func.func private @(\w+)[^{]*attributes \{xrt.kernel", text)[0]
    with pytest.raises(XlaError):
        xdsl_xla.compile(text, pipeline=expand(XLA_CPU[done:]), entry=kernel, cache=False)


# -- marks without the prefix ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("indices", ["", " = []", " = dense<1> : tensor<1xi64>", " = dense<0> : tensor<4xi64>"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_shape_operands_do_not_hide_a_wrong_form(indices: str, engine: str, tmp_path: Path, capsys: Any) -> None:
    """LAPACK would write 80 numbers where there is room for two."""
    path = tmp_path / "outside.mlir"
    path.write_text(f"""func.func @main(%a: tensor<80x80xf32>) -> tensor<2xf32> {{
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {{indices_of_shape_operands{indices},
      mhlo.backend_config = {{mode = 86 : ui8, uplo = 76 : ui8}}}}
      : (tensor<80x80xf32>) -> (tensor<80x80xf32>, tensor<2xf32>, tensor<i32>)
  return %0#1 : tensor<2xf32>
}}""")
    assert xla_run([str(path), "--engine", engine, "--no-cache"]) == 1
    assert "outside.mlir:2:3: error:" in capsys.readouterr().err
