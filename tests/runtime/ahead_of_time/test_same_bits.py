"""The same model through C, C++ and Python gives the same bits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.runtime.ahead_of_time.wheel import write_wheel
from xdsl_xla.runtime.executable import Executable

from .building import build, library_of, needs_compilers, run

CORPUS = Path(__file__).parents[2] / "corpus"

PROGRAMS = (
    "mlp_train_step",
    "transformer_block",
    "newton_solve",
    "sorts",
    "ffts",
    "half_types",
    "complex_arith",
    "random_threefry",
    "unary_f32",
    "reductions",
    "control_flow",
    "resnet",
)
"""Products of matrices, factorisations, sorts, transforms, element types that C lacks, loops, parallel regions."""


def arrays(name: str, executable: Executable) -> list[np.ndarray]:
    with np.load(CORPUS / f"{name}.npz") as data:
        return [
            data[f"in{i}"].view(spec.dtype) if spec.dtype == ml_dtypes.bfloat16 else data[f"in{i}"]
            for i, spec in enumerate(executable.signature.inputs)
        ]


RUN_WHEEL = """
import sys
from importlib.abc import MetaPathFinder
class Refused(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("xdsl", "xdsl_xla", "llvmlite"):
            raise AssertionError(f"imports {name}")
sys.meta_path.insert(0, Refused())
sys.path.insert(0, sys.argv[1])
import model
import numpy as np
loaded = model.load()
with open("in", "rb") as file:
    data = file.read()
inputs = []
for spec in loaded.library.inputs:
    inputs.append(np.frombuffer(data[: spec.size], spec.dtype).reshape(spec.shape))
    data = data[spec.size :]
with open("out", "wb") as file:
    file.writelines(result.tobytes() for result in loaded(*inputs))
"""


@pytest.mark.sample(2)
@needs_compilers
@pytest.mark.parametrize(
    ("name", "threads"), [*((name, 2) for name in PROGRAMS), *((name, 1) for name in PROGRAMS[::3])]
)
def test_bits(name: str, threads: int, tmp_path: Path) -> None:
    source = CORPUS / f"{name}.mlir"
    executable = xdsl_xla.compile(source, threads=threads)
    inputs = arrays(name, executable)
    wanted = [result.tobytes() for result in executable(*inputs)]
    library = library_of(source, threads=threads)
    for language, driver in build(library, tmp_path).items():
        assert run([str(driver)], library, inputs, tmp_path, threads) == wanted, language
    wheel = write_wheel(library, tmp_path, "1.0")
    unpacked = tmp_path / "unpacked"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(unpacked)], check=True)
    (tmp_path / "run_wheel.py").write_text(RUN_WHEEL)
    assert run([sys.executable, "run_wheel.py", str(unpacked)], library, inputs, tmp_path, threads) == wanted
