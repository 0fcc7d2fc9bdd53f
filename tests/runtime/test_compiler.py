"""`compile`: sources, entry functions, options, files, errors."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import xdsl.builder
import xdsl_xla
from xdsl_xla.benchmarks.growing_programs import PROGRAMS
from xdsl_xla.errors import InvalidProgramError, UnsupportedError, XlaError
from xdsl_xla.pipelines import PIPELINES
from xdsl_xla.runtime.cpus import available_cpus
from xdsl_xla.runtime.entry import read_signature, select_entry
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import PipelineError, parse_passes
from xdsl_xla.runtime.threads import default_threads

DOUBLE = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""

X = np.float32([1, 2, 3])


def test_every_source(tmp_path: Path) -> None:
    path = tmp_path / "double.mlir"
    path.write_text(DOUBLE)
    module = parse_module(DOUBLE)
    before = str(module)
    for source in (DOUBLE, DOUBLE.encode(), str(path), path, module):
        np.testing.assert_array_equal(xdsl_xla.compile(source)(X)[0], 2 * X)
    assert str(module) == before


def test_signature() -> None:
    text = """
    func.func public @f(%a: tensor<2xui32>, %b: tensor<i1>, %c: tensor<1x2xbf16>) ->
        (tensor<2xui32> {jax.result_info = "['grad']"}, tensor<complex<f32>>) {
      %z = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
      return %a, %z : tensor<2xui32>, tensor<complex<f32>>
    }"""
    signature = read_signature(select_entry(parse_module(text)))
    assert signature.entry == "f"
    assert [(spec.name, spec.shape, spec.dtype) for spec in signature.inputs] == [
        ("a", (2,), np.uint32),
        ("b", (), np.bool_),
        ("c", (1, 2), ml_dtypes.bfloat16),
    ]
    assert [(spec.name, spec.dtype) for spec in signature.outputs] == [
        ("['grad']", np.uint32),
        ("result1", np.complex64),
    ]


def test_entry_selection() -> None:
    body = "(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }\n"
    two = f"func.func @a{body}func.func public @b{body}func.func private @c{body}"
    module = parse_module(two)
    assert select_entry(module, "b").sym_name.data == "b"
    with pytest.raises(InvalidProgramError, match=r"2 public functions .*: @a, @b"):
        select_entry(module)
    with pytest.raises(XlaError, match="no function '@d' to execute; public functions: @a, @b"):
        select_entry(module, "d")
    with_main = parse_module(f"{two}func.func @main{body}")
    assert select_entry(with_main).sym_name.data == "main"
    assert select_entry(parse_module(f"func.func @only{body}")).sym_name.data == "only"
    with pytest.raises(InvalidProgramError, match="none is public"):
        select_entry(parse_module(f"func.func private @c{body}"))
    executable = xdsl_xla.compile(two, entry="b")
    assert executable.signature.entry == "b"
    np.testing.assert_array_equal(executable(X[:2])[0], X[:2])


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("tensor<?xf32>", r"argument 0 of '@main' is tensor<\?xf32>; shapes must be static, as the pass refine-shapes"),
        ("f32", "argument 0 of '@main' is f32; tensors, tuples and tokens can be passed"),
        ("tensor<2xi3>", "argument 0 of '@main' is tensor<2xi3>: element type i3 has no NumPy"),
    ],
)
def test_types_that_cannot_be_passed(type: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message) as caught:
        xdsl_xla.compile(f"\nfunc.func @main(%x: {type}) {{ return }}")
    assert caught.value.location == "<text>:2:1"


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(InvalidProgramError, match=r"^<text>:1:30: "):
        xdsl_xla.compile("func.func @main(%x: tensor<2xf>) { return }")
    with pytest.raises(XlaError, match=r"missing\.mlir: No such file or directory"):
        xdsl_xla.compile(tmp_path / "missing.mlir")
    with pytest.raises(InvalidProgramError, match="the bytecode is truncated"):
        xdsl_xla.compile(b"ML\xefR\0\0")
    with pytest.raises(PipelineError, match="unknown pass 'convert-stablehlo-to-lianlg'; did you mean"):
        xdsl_xla.compile(DOUBLE, pipeline="convert-stablehlo-to-lianlg")
    with pytest.raises(PipelineError, match="does not lower '@main'"):
        xdsl_xla.compile(DOUBLE, pipeline="stablehlo-simplify")


def test_dump_and_timings(tmp_path: Path) -> None:
    executable = xdsl_xla.compile(DOUBLE, dump_dir=tmp_path / "ir", verify=True)
    files = sorted(path.name for path in (tmp_path / "ir").iterdir())
    assert files[0] == f"01_{PIPELINES['xla-cpu'][0].spec}.mlir"
    assert [name.partition("_")[2] for name in files[-3:]] == ["llvm.ll", "llvm-opt.ll", "native.s"]
    assert "stablehlo.add" in (tmp_path / "ir" / files[0]).read_text()
    steps = list(executable.timings)
    assert steps[0] == "parse" and steps[-1] == "load"
    assert "stablehlo-simplify" in steps and "stablehlo-simplify #2" in steps
    assert steps[-4:-1] == ["llvm-parse", "llvm-optimize", "llvm-generate-code"]
    assert all(seconds >= 0 for seconds in executable.timings.values())


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 2}, {"vector_bits": 128}, {"opt_level": 0}])
def test_options_do_not_change_results(options: dict[str, int]) -> None:
    np.testing.assert_array_equal(xdsl_xla.compile(DOUBLE, **options)(X)[0], 2 * X)


def test_options_reach_the_passes() -> None:
    passes = parse_passes("xla-cpu{threads=3}", defaults={"vector_bits": (128,)})
    with_threads = [step for step in passes if hasattr(step, "threads")]
    assert with_threads and all(step.threads == 3 for step in with_threads)
    with_width = [step for step in passes if hasattr(step, "vector_bits")]
    assert with_width and all(step.vector_bits == 128 for step in with_width)
    again = parse_passes("cse,xla-cpu,cse")
    assert (again[0].name, again[-1].name, len(again)) == ("cse", "cse", len(passes) + 2)
    with pytest.raises(PipelineError, match="no pass of the pipeline 'xla-cpu' has an option 'nonsense'"):
        parse_passes("xla-cpu{nonsense=1}")


def test_collector_is_on_again_after_an_error() -> None:
    with pytest.raises(XlaError):
        xdsl_xla.compile("nonsense(")
    assert gc.isenabled()


def test_thread_count_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert default_threads() == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "")
    assert default_threads() == available_cpus()


def test_without_threads_programs_run_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_PARALLEL", "openmp")
    monkeypatch.setattr("xdsl_xla.runtime.threads.openmp", lambda: None)
    executable = xdsl_xla.compile(DOUBLE, threads=4)
    assert executable.statistics.threads == 1
    np.testing.assert_array_equal(executable(X)[0], 2 * X)


def test_importing_the_package_is_cheap_and_exit_is_clean() -> None:
    script = (
        "import sys, xdsl_xla\n"
        "assert not {'numpy', 'llvmlite', 'xdsl'} & set(sys.modules), sorted(sys.modules)\n"
        f"exe = xdsl_xla.compile({DOUBLE!r})\n"
        "print(exe([1, 2, 3])[0].tolist(), exe)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[2.0, 4.0, 6.0] <Executable @main(x: tensor<3xf32>) -> (result0: tensor<3xf32>)>\n"
    assert done.stderr == ""


@pytest.mark.parametrize("vector_bits", [-8, 7, 96])
def test_a_width_that_no_vector_has(vector_bits: int) -> None:
    with pytest.raises(XlaError, match=f"vectors of {vector_bits} bits: a power of two"):
        xdsl_xla.compile(DOUBLE, vector_bits=vector_bits)


NORMALIZED = """
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x1000xf32>
  %y = stablehlo.divide %x, %b : tensor<64x1000xf32>
  return %y : tensor<64x1000xf32>
}
"""


def left_to_the_collector(program: str) -> int:
    """How many objects of a compilation are circles that nothing refers to, the executable's among them."""
    xdsl_xla.compile(program, cache=False)
    gc.collect()
    gc.disable()
    try:
        xdsl_xla.compile(program, cache=False)
        return gc.collect()
    finally:
        gc.enable()


def test_what_a_pass_is_through_with_is_freed_at_once() -> None:
    layer = """
      %a{0} = stablehlo.dot_general %d{1}, %w, contracting_dims = [1] x [0]
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %b{0} = stablehlo.tanh %a{0} : tensor<8x8xf32>
      %c{0} = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
      %d{0} = stablehlo.multiply %b{0}, %c{0} : tensor<8x8xf32>"""
    layers = "".join(layer.format(number + 1, number) for number in range(40))
    program = f"""func.func @main(%d0: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {{
      %half = stablehlo.constant dense<0.5> : tensor<f32> {layers}
      return %d40 : tensor<8x8xf32>
    }}"""
    assert left_to_the_collector(program) < 2000
    assert left_to_the_collector(NORMALIZED) < 300


SPLATS = """
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<4xi32>) {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  %1 = stablehlo.constant dense<7> : tensor<4xi32>
  return %0, %1 : tensor<3xf32>, tensor<4xi32>
}
"""


def test_nothing_is_replaced_that_other_threads_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """xDSL's implicit builders replace a method of all ops for a while; two threads leave it replaced."""

    def refused(_: object) -> None:
        raise AssertionError("an implicit builder")

    monkeypatch.setattr(xdsl.builder, "ImplicitBuilder", refused)
    for text in (SPLATS, *(program(3) for programs in PROGRAMS.values() for program in programs)):
        xdsl_xla.compile(text)
