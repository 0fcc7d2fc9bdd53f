"""Sharded JAX programs as JAX hands them over, of global shapes with Shardy's annotations: partitioned here for 2, 4
and 8 devices they give the results of one."""

from __future__ import annotations

import inspect
from io import StringIO

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.runtime.mlir_text import parse_module, verify_module

from .sharded_corpus import PROGRAMS, SHARDED, arrays, assert_close, partitions

NOT_YET: dict[str, str] = {}
"""Programs that are refused, with part of the reason."""

runs_on_devices = pytest.mark.skipif(
    "devices" not in inspect.signature(xdsl_xla.compile).parameters, reason="programs are not partitioned yet"
)


def read(name: str) -> ModuleOp:
    """A program of the corpus, verified."""
    module = parse_module((SHARDED / f"{name}.mlir").read_text(), f"{name}.mlir")
    verify_module(module)
    return module


def printed(module: ModuleOp) -> str:
    text = StringIO()
    ExactPrinter(stream=text).print_op(module)
    return text.getvalue()


@pytest.mark.parametrize("name", PROGRAMS)
def test_read_and_printed(name: str) -> None:
    text = printed(read(name))
    assert "sdy.mesh" in text
    assert printed(parse_module(text, name)) == text


@runs_on_devices
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_devices(name: str) -> None:
    module = read(name)
    devices = partitions(module)
    if name in NOT_YET:
        with pytest.raises(UnsupportedError, match=NOT_YET[name]):
            xdsl_xla.compile(module, devices=devices, threads=1)
        return
    results = xdsl_xla.compile(module, devices=devices, threads=1)(*arrays(name, "in"))
    assert_close(name, [np.asarray(result) for result in results], arrays(name, "out"))
