"""HLO text between this package and XLA: for every program of corpus and benchmark, what is printed here XLA parses
and runs to the same values, and what XLA prints, optimised or not, is read here and runs to the same values.

The values of the benchmark programs, which are larger, are compared with `XDSL_XLA_ALL_PROGRAMS=1` in the environment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jaxlib")

import xla
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla import compile
from xdsl_xla.benchmarks import suite
from xdsl_xla.frontends.hlo_text import parse_hlo, print_hlo
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.entry import read_signature, select_entry
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.comparison import compare, default_tolerance
from xdsl_xla.tools.tensor_io import load_archive

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.mlir"))
BENCHMARKS = suite.names()
SHARDED = sorted((Path(__file__).parents[1] / "corpus/sharded").glob("*.hlo"))
SLOW_ON_THE_REFERENCE = {"sorts"}
"""XLA replaces `top_k` by sorts with comparators of a dozen ops."""

SHARDINGS = re.compile(r"parameter\(\d+\), (sharding=\{.*?\})(?:,|\n)")

PRINTERS = {"unoptimized": xla.unoptimized, "optimized": xla.optimized}

SCALES = {"lstm": 0.2}
"""Factors for inputs. The recurrence is chaotic on those of the benchmark: an ulp in them changes results by 0.06."""

all_programs = pytest.mark.skipif(
    "XDSL_XLA_ALL_PROGRAMS" not in os.environ, reason="minutes; set XDSL_XLA_ALL_PROGRAMS=1"
)


def corpus_values(path: Path, module: ModuleOp) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """The arguments and XLA's results of a corpus program."""
    signature = read_signature(select_entry(module))
    archive = str(path.with_suffix(".npz"))
    return load_archive(archive, "in", signature.inputs), load_archive(archive, "out", signature.outputs)


def assert_close(results: Sequence[Any], expected: Sequence[NDArray[Any]], long_sums: bool = False) -> None:
    """Within the tolerances of `xla-run --expect`.

    The rounding errors of `long_sums`, in another order, go with the size of the terms and not with that of the
    result: there the absolute tolerance is that of the largest element, or of 30 (gradients of weights are sums of
    8,192 terms and more; an ulp in the arguments changes those of XLA by 3e-5, the order of its threads by 1e-4).
    """
    assert len(results) == len(expected)
    for index, (result, want) in enumerate(zip(results, expected, strict=True)):
        array = np.asarray(result)
        assert array.dtype == want.dtype and array.shape == want.shape
        tolerance = default_tolerance(want.dtype)
        if long_sums and want.size:
            tolerance = tolerance._replace(absolute=tolerance.absolute * max(30, float(np.abs(want).max())))
        mismatch = compare(array, want, tolerance)
        assert mismatch is None, f"out{index}: {mismatch}"


@pytest.mark.sample(5)
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_printed_text_runs_on_xla(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    arguments, expected = corpus_values(path, module)
    assert_close(xla.run(print_hlo(module), arguments), expected)


@pytest.mark.sample(8)
@pytest.mark.parametrize("form", PRINTERS)
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_text_of_xla_runs_here(path: Path, form: str) -> None:
    module = parse_hlo(PRINTERS[form](path.read_text()), path.name)
    verify_module(module)
    arguments, expected = corpus_values(path, module)
    if path.stem in SLOW_ON_THE_REFERENCE:
        results = compile(module)(*arguments)
    else:
        results = interpreter.run(module, "main", arguments)
    assert_close(results, expected)


@pytest.mark.parametrize("path", SHARDED, ids=lambda path: path.stem)
def test_sharded_programs_both_ways(path: Path) -> None:
    """XLA parses what is printed of its text, in which arguments are spread and devices exchange values as before."""
    text = path.read_text()
    module = parse_hlo(text, path.name)
    printed = print_hlo(module)
    assert sorted(SHARDINGS.findall(printed)) == sorted(SHARDINGS.findall(text))
    xla.parse(printed)
    again = parse_hlo(printed, path.name)
    verify_module(again)
    assert again.attributes == module.attributes
    exchanges = [[dict(op.properties) for op in m.walk() if "channel_handle" in op.properties] for m in (module, again)]
    assert exchanges[0] == exchanges[1]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmark_programs_both_ways(name: str) -> None:
    text = suite.load(name).text
    module = parse_module(text, name)
    printed = print_hlo(module)
    xla.parse(printed)
    for hlo in (printed, xla.unoptimized(text)):
        read = parse_hlo(hlo, name)
        verify_module(read)
        types = [select_entry(program).function_type for program in (module, read)]
        assert types[0] == types[1]


@all_programs
@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmark_programs_give_the_same_values(name: str) -> None:
    program = suite.load(name)
    module = parse_module(program.text, name)
    inputs = [(array * SCALES.get(name, 1)).astype(array.dtype) for array in program.inputs]
    expected = xla.run(xla.unoptimized(program.text), inputs)
    assert_close(xla.run(print_hlo(module), inputs), expected)
    for form, printer in PRINTERS.items():
        read = parse_hlo(printer(program.text), f"{name}.{form}.hlo")
        assert_close(compile(read)(*inputs), expected, long_sums=True)
