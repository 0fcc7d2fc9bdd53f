"""What is said where a library cannot be loaded."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest
from xdsl_xla.tools.loading_failures import loading_failure
from xdsl_xla.tools.reporting import describe

COMMAND = "from xdsl_xla.tools.commands import xla_run; raise SystemExit(xla_run())"


def _raised(inner: Exception, outer: Exception) -> Exception:
    try:
        try:
            raise inner
        except Exception:
            raise outer  # noqa: B904
    except Exception as error:
        return error


def test_what_the_loader_said_counts() -> None:
    error = _raised(
        OSError("x.so: failed to map segment from shared object"), OSError("Could not find x.so. This could")
    )
    assert loading_failure(error) == (
        "not enough memory to load a library: x.so: failed to map segment from shared object"
    )
    assert loading_failure(_raised(ImportError("y.so: no symbol f"), ImportError("IMPORTANT: PLEASE READ"))) == (
        "a library cannot be loaded: y.so: no symbol f"
    )
    assert loading_failure(ImportError("No module named 'numpy'")) == (
        "a library cannot be loaded: No module named 'numpy'"
    )
    assert loading_failure(MemoryError()) == "not enough memory to load what it is made of"


def test_other_errors_are_not_of_this_kind() -> None:
    assert loading_failure(ValueError("x")) is None
    assert loading_failure(FileNotFoundError(2, "No such file or directory", "x")) is None


def test_a_late_import() -> None:
    error = _raised(ImportError("z.so: cannot allocate memory in static TLS block"), ImportError("IMPORTANT"))
    assert describe(error) == (
        "error: not enough memory to load a library: z.so: cannot allocate memory in static TLS block"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's")
@pytest.mark.parametrize("mebibytes", [200, 260])
def test_a_process_with_little_memory(mebibytes: int) -> None:
    size = mebibytes << 20
    process = subprocess.run(
        [sys.executable, "-c", COMMAND, "-"],
        input=b"func.func @main() { return }",
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
    )
    assert process.returncode == 1
    assert b"Traceback" not in process.stderr
    assert b"memory" in process.stderr.lower()
