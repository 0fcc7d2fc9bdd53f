"""What a process reads before its first program runs on the platform `xdsl_xla`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs JAX")

PROGRAM = """
import sys
import jax
import numpy as np
from xdsl_xla.frontends.pjrt.jax_plugin import initialize

initialize()
print(jax.jit(lambda x: x * 2 + 1)(np.ones(3, np.float32)))
given = jax.numpy.zeros(3)
print(jax.jit(lambda x: x + 1, donate_argnums=0)(given), given.is_deleted())
print(sorted(name for name in sys.modules if name == "xdsl" or name.startswith(("xdsl.", "xdsl_xla.passes."))))
"""


def printed(cache: Path) -> list[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "XDSL_XLA_CACHE": "1", "JAX_PLATFORMS": "xdsl_xla"}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_programs_from_the_cache_need_neither_xdsl_nor_passes(tmp_path: Path) -> None:
    *results, modules = printed(tmp_path)
    assert results == ["[3. 3. 3.]", "[1. 1. 1.] True"]
    assert "xdsl.ir" in modules
    assert printed(tmp_path) == [*results, "[]"]
