"""Memory of results that is used again."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from xdsl_xla.runtime import buffers
from xdsl_xla.runtime.buffers import OutputPool


def test_memory_is_used_again_when_nobody_refers_to_it() -> None:
    pool = OutputPool(1 << 20)
    first = pool.empty((1 << 18,), np.dtype(np.float32))
    address, view = first.ctypes.data, first[1:]
    del first
    assert pool.empty((1 << 20,), np.dtype(np.uint8)).ctypes.data != address
    del view
    assert address in [pool.empty((1 << 20,), np.dtype(np.uint8)).ctypes.data for _ in range(OutputPool.KEPT)]


def test_a_result_may_outlive_this_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the interpreter ends, names of modules may be gone before the last results are."""
    complaints: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    result = OutputPool(1 << 20).empty((1 << 18,), np.dtype(np.float32))
    monkeypatch.delattr(buffers, "OutputPool")
    del result
    assert complaints == []
