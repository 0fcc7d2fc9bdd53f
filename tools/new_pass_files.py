"""The files that `xla-opt --new-pass` writes. In the texts `@NAME@` is the pass, `@MODULE@` the Python package and its
module, `@CLASS@` the class, `@VERSION@` that of this package.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

PYPROJECT = """\
[build-system]
requires = ["setuptools>=70.1"]
build-backend = "setuptools.build_meta"

[project]
name = "@NAME@"
version = "0.1.0"
description = "The pass @NAME@ for xdsl-xla"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["xdsl-xla@VERSION@"]

[project.optional-dependencies]
test = ["pytest>=8", "filecheck>=1.0.6,<2", "lit>=18"]

# xla-opt, xla-run, xdsl_xla.compile and xdsl-opt find passes, dialects and targets here.
[project.entry-points."xdsl.universe"]
@MODULE@ = "@MODULE@.universe:UNIVERSE"

# The tools of xdsl-xla find pipelines here; the name is that of the pipeline.
[project.entry-points."xdsl_xla.pipelines"]
@NAME@-xla-cpu = "@MODULE@.universe:PIPELINE"

[tool.setuptools]
packages = ["@MODULE@"]

[tool.pytest.ini_options]
testpaths = ["tests"]
"""

README = """\
# @NAME@

A pass for [xdsl-xla](https://pypi.org/project/xdsl-xla/) in a package of its own: `x - (-y)` becomes `x + y`.

    pip install -e '.[test]'
    xla-opt tests/@MODULE@.mlir -p @NAME@
    xdsl-opt tests/@MODULE@.mlir -p @NAME@

| file | what it holds |
| --- | --- |
| `@MODULE@/@MODULE@.py` | the pass: patterns, each a function from an op to what takes its place |
| `@MODULE@/universe.py` | what the tools see: names of passes, and a pipeline |
| `tests/@MODULE@.mlir` | what the pass does to a program, checked by FileCheck |
| `tests/test_@MODULE@.py` | the same under pytest, and that programs still compute the same |

## Write

Change the pattern; add others below it, and to `patterns()`. A second pass is a second file like `@MODULE@.py`, with
a line in `universe.py`.

## See what it does

    xla-opt tests/@MODULE@.mlir -p @NAME@ --trace-patterns
    xla-opt tests/@MODULE@.mlir -p @NAME@,xla-cpu --count-patterns
    xla-run tests/@MODULE@.mlir --pipeline @NAME@-xla-cpu --time-passes
    xla-run tests/@MODULE@.mlir --pipeline @NAME@-xla-cpu --dump-dir dumps
    xla-run tests/@MODULE@.mlir --pipeline @NAME@-xla-cpu --check-passes

From Python, where `program` is a StableHLO program and `function` one that JAX can trace:

    xdsl_xla.compile(program, pipeline="@NAME@-xla-cpu")
    xdsl_xla.jit(function, pipeline="@NAME@-xla-cpu")

## Test

    lit -v tests
    pytest
"""

INIT = '''\
"""The pass `@NAME@`."""
'''

PASS = '''\
"""`@NAME@`: subtracting a negated value becomes adding it.

Needs: StableHLO. Leaves: StableHLO; the negation goes where nothing else reads it.

    %0 = stablehlo.negate %y : tensor<4xf32>
    %1 = stablehlo.subtract %x, %0 : tensor<4xf32>

becomes

    %1 = stablehlo.add %x, %y : tensor<4xf32>
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl_xla.dialects import stablehlo
from xdsl_xla.ir.pattern_pass import WorklistPass
from xdsl_xla.ir.patterns import Pattern, Replacement, pattern
from xdsl_xla.ir.rewriter import Rewriter


@pattern
def difference_of_negated(op: stablehlo.SubtractOp, rewriter: Rewriter) -> Replacement:
    """`x - (-y)` is `x + y`."""
    negated = op.rhs.owner
    if not isinstance(negated, stablehlo.NegOp):
        return None
    return rewriter.emit(stablehlo.AddOp, (op.lhs, negated.operand), op.result.type)


@dataclass(frozen=True)
class @CLASS@(WorklistPass):
    """See the module's documentation."""

    name = "@NAME@"

    def patterns(self) -> Sequence[Pattern]:
        return [difference_of_negated]
'''

UNIVERSE = '''\
"""What this package has for xdsl-xla and xDSL. A pass is imported when it is used."""

from __future__ import annotations

from xdsl.passes import ModulePass
from xdsl.universe import Universe


def load_@MODULE@() -> type[ModulePass]:
    from .@MODULE@ import @CLASS@

    return @CLASS@


UNIVERSE = Universe(all_passes={"@NAME@": load_@MODULE@})

PIPELINE = [
    ("@NAME@", "while the program is StableHLO"),
    ("xla-cpu", "the compiler as it is"),
]
'''

LIT_TEST = """\
// RUN: xla-opt %s -p @NAME@ | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: negate
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]]
  // CHECK-NEXT: return %[[SUM]]
  %0 = stablehlo.negate %y : tensor<4xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func private @stays
func.func private @stays(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.negate
  // CHECK-NEXT: stablehlo.subtract
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.subtract %0, %y : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""

LIT_CONFIG = '''\
"""`lit -v tests`: each `.mlir` file here is a test; the commands are those of the Python that runs lit."""

import os
import sys
from pathlib import Path
from typing import Any

import lit.formats

config: Any = globals()["config"]  # of lit
config.name = "@NAME@"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(__file__), "Output")
path = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
if "PYTHONPATH" in os.environ:
    config.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
'''

PYTHON_TEST = '''\
"""The pass `@NAME@`: what it does to programs, and that they compute the same with it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import xdsl_xla

TESTS = Path(__file__).parent


def test_filecheck() -> None:
    command = [sys.executable, "-c", "from lit.main import main; main()", "-v", str(TESTS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_values_stay() -> None:
    program = TESTS / "@MODULE@.mlir"
    x, y = np.array([1.5, -2, 0, np.inf], np.float32), np.array([4, -0.25, -0.0, 1], np.float32)
    (expected,) = xdsl_xla.compile(program)(x, y)
    (result,) = xdsl_xla.compile(program, pipeline="@NAME@-xla-cpu")(x, y)
    np.testing.assert_array_equal(result, expected)
'''

IGNORED = """\
__pycache__/
*.egg-info/
Output/
.lit_test_times.txt
build/
"""


def files(name: str, module: str, pass_class: str) -> dict[str, str]:
    """The texts by their paths in the package."""
    texts = {
        "pyproject.toml": PYPROJECT,
        "README.md": README,
        ".gitignore": IGNORED,
        f"{module}/__init__.py": INIT,
        f"{module}/{module}.py": PASS,
        f"{module}/universe.py": UNIVERSE,
        f"tests/{module}.mlir": LIT_TEST,
        "tests/lit.cfg.py": LIT_CONFIG,
        f"tests/test_{module}.py": PYTHON_TEST,
    }
    values = {"@NAME@": name, "@MODULE@": module, "@CLASS@": pass_class, "@VERSION@": _least_version()}
    for placeholder, value in values.items():
        texts = {path: text.replace(placeholder, value) for path, text in texts.items()}
    return texts


def _least_version() -> str:
    """`>=0.1.0`, as a requirement has it."""
    try:
        return f">={version('xdsl-xla')}"
    except PackageNotFoundError:
        return ""
