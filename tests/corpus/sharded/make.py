"""Makes the files beside it: sharded JAX programs in the three forms they are met in.

    python tests/corpus/sharded/make.py [NAME ...]

For each program (`training.py`, `automatic.py`, `manual.py`):
- `NAME.mlir`: StableHLO of global shapes with Shardy's annotations, as JAX hands it over;
- `NAME.partitioned.hlo`: HLO text of one device, as XLA's partitioner leaves it;
- `NAME.optimized.hlo`: what XLA:CPU makes of that in the end;
- `NAME.gspmd.mlir`, of some: StableHLO with the annotations of older versions, strings and custom calls;
- `NAME.npz`: global arguments `in0`, ... and results `out0`, ..., computed without sharding on one device,
  and the tolerance `rtol` of a program that is ill-conditioned.

The first line of HLO text holds the shardings of the results, which XLA's text leaves out; those of the parameters
stand at them. Metadata is left out.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import automatic
import jax
import manual
import numpy as np
import training
from cases import CASES, make_case
from jaxlib import _hlo

HERE = Path(__file__).parent
FAMILIES = [training, automatic, manual]
OLDER = {
    "batched_linear_algebra",
    "fully_sharded_adam",
    "free_axes",
    "groups",
    "nested_maps",
    "pmap_step",
    "several_maps",
    "spatial_convolution",
    "tensor_parallel_step",
    "uneven_sizes",
}
TOLERANCES = {"mixed_precision_step": 2e-2, "matrix_linear_algebra": 1e-4}
"""Relative to the largest element: products in bfloat16, and systems that are ill-conditioned."""
DUMPED = "after_spmd-partitioning"

_TABLES = re.compile(r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d+ .*\n)*\n?", re.MULTILINE)
_METADATA = re.compile(r', metadata=\{(?:[^{}"]|"[^"]*")*\}')


def partitioned(lowered: Any) -> str:
    """HLO text after XLA's partitioner."""
    with tempfile.TemporaryDirectory() as folder:
        lowered.compile(
            compiler_options={
                "xla_dump_to": folder,
                "xla_dump_hlo_pass_re": "spmd-partition.*",
                "xla_dump_large_constants": True,
            }
        )
        (path,) = Path(folder).glob(f"*{DUMPED}*.txt")
        return path.read_text()


def optimized(compiled: Any) -> str:
    """HLO text at the end, constants included."""
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    (module,) = compiled.runtime_executable().hlo_modules()
    return module.to_string(options)


def without_sources(text: str) -> str:
    """The text without tables of source files and without metadata."""
    return _METADATA.sub("", _TABLES.sub("", text)).rstrip() + "\n"


def result_shardings(lowered: Any, compiled: Any) -> str:
    """The shardings of the results, as HLO text writes them."""
    shapes = jax.tree.leaves(lowered.out_info)
    shardings = jax.tree.leaves(compiled.output_shardings)
    written = [str(s._to_xla_hlo_sharding(len(a.shape))) for s, a in zip(shardings, shapes, strict=True)]
    return "// results: " + " ".join(written) + "\n"


def make(name: str) -> None:
    """Writes the files of one program."""
    case = make_case(name)
    inputs = [np.asarray(x) for x in jax.tree.leaves(case.arguments)]
    outputs = [np.asarray(x) for x in jax.tree.leaves(jax.jit(case.plain)(*case.arguments))]
    lowered = case.sharded.lower(*case.arguments)
    compiled = lowered.compile()
    shown = result_shardings(lowered, compiled)
    (HERE / f"{name}.mlir").write_text(lowered.as_text())
    if name in OLDER:
        (HERE / f"{name}.gspmd.mlir").write_text(with_older_annotations(name))
    (HERE / f"{name}.partitioned.hlo").write_text(shown + without_sources(partitioned(lowered)))
    (HERE / f"{name}.optimized.hlo").write_text(shown + without_sources(optimized(compiled)))
    arrays = {f"in{i}": x for i, x in enumerate(inputs)} | {f"out{i}": x for i, x in enumerate(outputs)}
    if name in TOLERANCES:
        arrays["rtol"] = np.array(TOLERANCES[name])
    np.savez_compressed(HERE / f"{name}.npz", **arrays)
    _report(name, case, outputs)


def with_older_annotations(name: str) -> str:
    """StableHLO for XLA's own partitioner of before Shardy (GSPMD)."""
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        case = make_case(name)
        return case.sharded.lower(*case.arguments).as_text()
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)


def _report(name: str, case: Any, outputs: list[Any]) -> None:
    """Prints where XLA's own sharded results differ."""
    results = [np.asarray(x) for x in jax.tree.leaves(case.sharded(*case.arguments))]
    for index, (result, wanted) in enumerate(zip(results, outputs, strict=True)):
        if result.shape != wanted.shape or result.dtype != wanted.dtype:
            print(f"{name}: result {index}: {result.shape} {result.dtype}, expected {wanted.shape} {wanted.dtype}")
        elif not np.allclose(result, wanted, rtol=1e-4, atol=1e-5):
            print(f"{name}: XLA's sharded result {index} differs by {np.abs(result - wanted).max()}")


if __name__ == "__main__":
    assert all(FAMILIES)
    for program in sys.argv[1:] or CASES:
        make(program)
