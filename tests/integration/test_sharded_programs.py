"""Sharded JAX programs as JAX hands them over, of global shapes with Shardy's annotations: partitioned here for 2, 4
and 8 devices they give the results of one."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

from .sharded_corpus import PROGRAMS, SHARDED, arrays, assert_close, partitions

NOT_YET: dict[str, str] = {}
"""Programs that are refused, with part of the reason."""

OLDER = sorted(path.name.partition(".")[0] for path in SHARDED.glob("*.gspmd.mlir"))
"""Programs that are there with the annotations of before Shardy, too."""

OLDER_NOT_YET: dict[str, str] = {}


def read(name: str, ending: str = "mlir") -> ModuleOp:
    """A program of the corpus, verified."""
    module = parse_module((SHARDED / f"{name}.{ending}").read_text(), f"{name}.{ending}")
    verify_module(module)
    return module


def printed(module: ModuleOp) -> str:
    text = StringIO()
    ExactPrinter(stream=text).print_op(module)
    return text.getvalue()


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", PROGRAMS)
def test_read_and_printed(name: str) -> None:
    text = printed(read(name))
    assert "sdy.mesh" in text
    assert printed(parse_module(text, name)) == text


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_devices(name: str) -> None:
    check(name, read(name), NOT_YET)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", OLDER)
def test_older_annotations_on_devices(name: str) -> None:
    check(name, read(name, "gspmd.mlir"), OLDER_NOT_YET)


def check(name: str, module: ModuleOp, refused: dict[str, str]) -> None:
    """A program gives the results of one device, or is refused for the reason that is known."""
    devices = partitions(module)
    if name in refused:
        with pytest.raises(XlaError, match=refused[name]):
            xdsl_xla.compile(module, devices=devices, threads=1)
        return
    results = xdsl_xla.compile(module, devices=devices, threads=1)(*arrays(name, "in"))
    assert_close(name, [np.asarray(result) for result in results], arrays(name, "out"))
