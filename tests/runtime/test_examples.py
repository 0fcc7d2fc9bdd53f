"""The examples in docstrings of the public interface."""

from __future__ import annotations

import doctest

import xdsl_xla
import xdsl_xla.runtime.compiler


def test_docstrings() -> None:
    for module in (xdsl_xla, xdsl_xla.runtime.compiler):
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0
