"""The MPI library of a process: which one is taken, and what is said where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Job

LOAD = "from xdsl_xla.runtime.devices.mpi.library import mpi_library; library = mpi_library()"


def refused(**variables: str) -> str:
    """What a process says that finds no library."""
    code = "import sys; sys.modules['mpi4py'] = None\n" if not variables else ""
    done = subprocess.run(
        [sys.executable, "-c", code + LOAD],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | variables,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 1
    return done.stderr


def test_a_file_that_does_not_exist_is_named() -> None:
    message = refused(XDSL_XLA_MPI="/nowhere/libmpi.so")
    assert "no MPI library found" in message and "/nowhere/libmpi.so" in message
    assert "pip install 'xdsl-xla[mpi]'" in message


def test_a_library_that_is_not_of_mpi_is_named() -> None:
    assert "libm.so.6 is no MPI library" in refused(XDSL_XLA_MPI="libm.so.6")


def test_processes_number_each_other(script: Job) -> None:
    code = f"{LOAD}\nassert library.size(library.world) == 2\nsay(library.rank(library.world))"
    done = script(2, code)
    assert done.code == 0 and sorted(done.said.split()) == ["0", "1"]


@pytest.mark.parametrize("name", ["libmpi_abi.so.1", "libmpi.so.12", "libmpi.so.40"])
def test_every_interface_works(name: str, job: Job) -> None:
    """Without mpi4py, programs find libraries by name; a notice goes from one process to the other."""
    path = Path(sys.prefix, "lib", name)
    if not path.exists():
        pytest.skip(f"there is no {path}")
    code = f"""{LOAD}
comm = library.own_world(10)
if library.rank(comm) == 0:
    import ctypes
    data = ctypes.create_string_buffer(b"hello", 5)
    request = library.start_send(comm, data, 1, 7)
    while not library.is_done(request):
        pass
else:
    while (found := library.receive_if_any(comm, 7)) is None:
        pass
    print(library.abi.name, found)
"""
    done = job(2, ["-c", code], variables={"XDSL_XLA_MPI": str(path)})
    assert done.code == 0 and "(0, b'hello')" in done.output, done.output


def test_the_limit_is_that_of_both_waits(script: Job) -> None:
    """For MPI's start and for a communicator; who waits leaves its core to the others."""
    code = """
import os, time
from xdsl_xla.runtime.devices.mpi.library import mpi_library
rank = os.environ.get("PMI_RANK") or os.environ.get("OMPI_COMM_WORLD_RANK")
if rank == "1":
    time.sleep(4)
    mpi_library(50)
    time.sleep(90)
start = time.monotonic()
comm = mpi_library(6).own_world(6)
say(comm, time.monotonic() - start)
start, used = time.monotonic(), time.process_time()
assert mpi_library(6).own_world(3) is None
say((time.process_time() - used) / (time.monotonic() - start))
os._exit(1)
"""
    done = script(2, code)
    comm, seconds, share = done.said.split()
    assert comm == "None" and float(seconds) < 8 and float(share) < 0.5, done.output
