"""The programs of `tests/corpus/sharded`: their arrays, and what their results have to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

Arrays = list[NDArray[Any]]

SHARDED = Path(__file__).parents[1] / "corpus/sharded"
PROGRAMS = sorted(path.stem for path in SHARDED.glob("*.npz"))

TOLERANCE = 1e-5
"""Relative to the largest element."""


def tolerance(name: str) -> float:
    """That of a program; it is stored for one that is ill-conditioned, or rounds to bfloat16."""
    with np.load(SHARDED / f"{name}.npz") as data:
        return float(data["rtol"]) if "rtol" in data else TOLERANCE


def partitions(module: ModuleOp) -> int:
    """For how many devices the module is."""
    return module.attributes["mhlo.num_partitions"].value.data  # pyright: ignore


def arrays(name: str, prefix: str) -> Arrays:
    """The stored global arrays `in0`, ... or `out0`, ..."""
    with np.load(SHARDED / f"{name}.npz") as data:
        names = sorted((key for key in data if key.startswith(prefix)), key=lambda key: int(key[len(prefix) :]))
        return [data[key] for key in names]


def assert_close(name: str, results: Sequence[NDArray[Any]], expected: Sequence[NDArray[Any]], what: str = "") -> None:
    """Equal integers; floats within the tolerance of the program."""
    assert len(results) == len(expected)
    for index, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype), f"result {index} {what}"
        if wanted.dtype.kind in "iub":
            np.testing.assert_array_equal(result, wanted, f"result {index} {what}")
            continue
        allowed = tolerance(name)
        if wanted.dtype == ml_dtypes.bfloat16:
            result, wanted = result.astype(np.float32), wanted.astype(np.float32)
        largest = float(np.max(np.abs(wanted), initial=0, where=np.isfinite(wanted)))
        np.testing.assert_allclose(result, wanted, allowed, allowed * largest, err_msg=f"result {index} {what}")


def result_shardings(text: str) -> list[str]:
    """The shardings of the results, from the first line of HLO text."""
    return re.findall(r"\{[^}]*\}", text.split("\n", 1)[0])
