"""Sharded JAX programs as HLO text: after XLA's partitioner and at the end of XLA:CPU, run on as many devices, give the
results of one device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl_xla.frontends.hlo_text import parse_hlo
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.entry import select_entry
from xdsl_xla.runtime.verifying import verify_module

from .hlo_shardings import part, read_sharding
from .sharded_corpus import PROGRAMS, SHARDED, arrays, assert_close, partitions, result_shardings

FORMS = ("partitioned", "optimized")
ON_THE_REFERENCE = [
    "collectives",
    "expert_parallel",
    "free_axes",
    "groups",
    "matrix_products",
    "spatial_convolution",
    "uneven_sizes",
    "vocabulary_step",
]
XLA_IS_WRONG = {("running_sums", 1)}
"""XLA's partitioner lets `cummax` see the zeros with which it pads for `cumsum` of the same array."""


def local_arguments(name: str, module: ModuleOp) -> list[list[NDArray[Any]]]:
    """The arguments of each device."""
    count = partitions(module)
    attributes = select_entry(module).arg_attrs
    assert attributes is not None
    columns: list[list[NDArray[Any]]] = []
    for array, entry in zip(arrays(name, "in"), attributes, strict=True):
        text = entry.data["mhlo.sharding"]
        assert isinstance(text, StringAttr)
        sharding = read_sharding(text.data, array.ndim, count)
        columns.append([part(array, sharding, device) for device in range(count)])
    return [list(row) for row in zip(*columns, strict=True)]


def check(name: str, text: str, results: list[tuple[NDArray[Any], ...]]) -> None:
    """What each device gives is its part of what one device gives."""
    expected = arrays(name, "out")
    shardings = [
        read_sharding(text, array.ndim, len(results))
        for text, array in zip(result_shardings(text), expected, strict=True)
    ]
    for device, values in enumerate(results):
        pairs = [
            (np.asarray(value), part(array, sharding, device))
            for index, (value, array, sharding) in enumerate(zip(values, expected, shardings, strict=True))
            if (name, index) not in XLA_IS_WRONG
        ]
        assert_close(name, [value for value, _ in pairs], [wanted for _, wanted in pairs], f"of device {device}")


@pytest.mark.sample(10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled(name: str, form: str) -> None:
    text = (SHARDED / f"{name}.{form}.hlo").read_text()
    module = parse_hlo(text, f"{name}.{form}.hlo")
    verify_module(module)
    arguments = local_arguments(name, module)
    (results,) = xdsl_xla.run_grid(xdsl_xla.compile(module, threads=1), [arguments])
    check(name, text, results)


@pytest.mark.sample(4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ON_THE_REFERENCE)
def test_reference(name: str, form: str) -> None:
    text = (SHARDED / f"{name}.{form}.hlo").read_text()
    module = parse_hlo(text, f"{name}.{form}.hlo")
    entry = select_entry(module).sym_name.data
    (results,) = interpreter.run_grid(module, [[entry] * partitions(module)], [local_arguments(name, module)])
    check(name, text, results)
