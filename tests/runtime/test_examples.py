"""The examples in docstrings of the public interface."""

from __future__ import annotations

import doctest

import xdsl_xla
import xdsl_xla.runtime.compiler
import xdsl_xla.runtime.saved_executables


def test_docstrings() -> None:
    for module in (xdsl_xla, xdsl_xla.runtime.compiler, xdsl_xla.runtime.saved_executables):
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0
