"""`mpiexec xla-run --transport mpi`: what the processes of a job print, store, and say of what is wrong."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.tools.xla_run import main

sys.path.append(str(Path(__file__).parents[1] / "runtime" / "devices"))

from mpi.conftest import Job, job

assert job  # the fixture

PROGRAM = """module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    %p = stablehlo.partition_id : tensor<ui32>
    return %0, %p : tensor<3xf32>, tensor<ui32>
  }
}
"""
COMMAND = ["-m", "xdsl_xla.tools.xla_run", "--transport", "mpi"]


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return str(path)


def test_the_first_process_prints(job: Job, program: str) -> None:
    done = job(2, [*COMMAND, program, "--input", "3xf32=1 2 3"])
    assert done.code == 0
    assert done.output == "".join(
        f"process (0, {i}):\nout0: tensor<3xf32> = [2. 4. 6.]\nout1: tensor<ui32> = {i}\n" for i in range(2)
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_files_of_devices(processes: int, job: Job, program: str, tmp_path: Path) -> None:
    for device in range(2):
        np.savez(tmp_path / f"in{device}.npz", in0=np.full(3, device + 1, np.float32))
    files = ["--input", f"{tmp_path}/in{{device}}.npz", "--output", f"{tmp_path}/out{{device}}.npz"]
    assert job(processes, [*COMMAND, program, *files]).code == 0
    for device in range(2):
        with np.load(tmp_path / f"out{device}.npz") as results:
            assert results["out0"].tolist() == [3, 3, 3] and results["out1"] == device
    files[2] = "--expect"
    assert job(processes, [*COMMAND, program, *files]).output.count("2 outputs as expected") == 2
    np.savez(tmp_path / "in1.npz", in0=np.full(3, 5, np.float32))
    assert job(processes, [*COMMAND, program, *files]).code == 1


def test_runs_are_timed(job: Job, program: str) -> None:
    done = job(2, [*COMMAND, program, "--benchmark", "10"])
    assert done.code == 0 and "(10 runs on 2 devices in 2 processes)" in done.output


def test_a_program_that_only_one_process_has(job: Job, program: str, tmp_path: Path) -> None:
    """Each process reads its own file."""
    (tmp_path / "other.mlir").write_text(PROGRAM.replace("add", "multiply"))
    script = tmp_path / "script.py"
    script.write_text(f"""
import os, sys
from xdsl_xla.tools.xla_run import main
from xdsl_xla.runtime.devices.mpi.library import mpi_library
library = mpi_library()
os.chdir({str(tmp_path)!r})
names = ["program.mlir", sys.argv[1]]
sys.exit(main(["--transport", "mpi", names[library.rank(library.world)], "--collective-timeout", "5"]))
""")
    done = job(2, [str(script), "other.mlir"])
    assert done.code == 1 and done.seconds < 20
    assert done.output.count("with other program: ") == 2, done.output
    done = job(2, [str(script), "missing.mlir"])
    assert done.code == 1 and done.seconds < 20
    assert "missing.mlir: No such file or directory" in done.output
    assert re.search(r"did not come: \(0, 1\), which has failed: .*No such file", done.output), done.output


def test_a_program_that_has_ended_when_another_process_fails(job: Job, program: str, tmp_path: Path) -> None:
    """It has run well, and the job has not."""
    (tmp_path / "one.mlir").write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    )
    script = tmp_path / "script.py"
    script.write_text(f"""
import os, sys, time
from xdsl_xla.tools.xla_run import main
from xdsl_xla.runtime.devices.mpi.library import mpi_library
library = mpi_library()
rank = library.rank(library.world)
file = ({str(tmp_path / "one.mlir")!r}, {program!r})[rank]
code = main(["--transport", "mpi", file, "--collective-timeout", "3"])
""")
    done = job(2, [str(script)])
    assert done.code == 1 and "did not come: (0, 0), whose program has ended" in done.output, done.output


def test_errors_of_the_command_line(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([program, "--collective-timeout", "3"]) == 2
    assert "--collective-timeout is for several devices: with --devices or --transport" in capsys.readouterr().err
    assert main([program, "--transport", "mpi", "--collective-timeout", "0"]) == 2
    assert main([program, "--transport", "mpi", "--stats"]) == 2
    assert main([program, "--transport", "mpi", "--engine", "reference"]) == 2


def test_results_of_several_devices_need_several_files(job: Job, program: str) -> None:
    done = job(2, [*COMMAND, program, "--output", "out.npz"])
    assert done.code == 2 and "of which of 2 devices? such as out{device}.npz" in done.output


@pytest.mark.parametrize("seconds", [0.3, 2, 8])
def test_ctrl_c(seconds: float, job: Job, program: str) -> None:
    """While MPI starts, while the program is compiled, while it runs."""
    done = job(2, [*COMMAND, program, "--benchmark", "100000000"], interrupt_after=seconds)
    assert done.code != 0 and done.seconds < seconds + 15, done.output
    assert "Traceback" not in done.output.replace('Traceback (most recent call last):\n  File "<frozen', "")


PROCESS = """
import os, sys, threading, time
rank = int(os.environ.get("PMI_RANK") or os.environ.get("OMPI_COMM_WORLD_RANK"))
"""
MAIN = """
from xdsl_xla.tools.xla_run import main
start = time.monotonic()
arguments = ["--transport", "mpi", sys.argv[1], "--collective-timeout", "4", "--benchmark", sys.argv[2]]
threading.Timer(30, lambda: os._exit(77)).start()
sys.exit(main(arguments))
"""


def test_a_process_that_does_not_start(job: Job, program: str, tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    script.write_text(f"{PROCESS}if rank: time.sleep(60)\n{MAIN}")
    done = job(2, [str(script), program, "1"])
    assert done.code not in (0, 77) and done.seconds < 25
    message = "MPI has not started within 4 seconds: not all processes of the job have come"
    assert f"error: {message}" in done.output, done.output


def test_a_process_that_stops_for_long(job: Job, program: str, tmp_path: Path) -> None:
    """The other one says so within the limit, and ends the job, though the one that has stopped never answers."""
    script = tmp_path / "stopped.py"
    stop = "if rank: threading.Timer(8, lambda: os.kill(os.getpid(), 19)).start()"
    script.write_text(f"{PROCESS}{stop}\n{MAIN}")
    done = job(2, [str(script), program, "100000000"])
    assert done.code not in (0, 77) and done.seconds < 30, done.output
    assert re.search(
        r"process \(0, 0\) has waited 4 seconds in .*did not come: \(0, 1\), of which nothing", done.output
    )


def test_a_process_that_is_killed(job: Job, program: str, tmp_path: Path) -> None:
    """The launcher ends the others, or they say so."""
    script = tmp_path / "killed.py"
    stop = "if rank: threading.Timer(8, lambda: os.kill(os.getpid(), 9)).start()"
    script.write_text(f"{PROCESS}{stop}\n{MAIN}")
    done = job(2, [str(script), program, "100000000"])
    assert done.code not in (0, 77) and done.seconds < 30, done.output


@pytest.mark.parametrize("processes", [2, 3])
def test_a_program_on_whole_arrays(processes: int, job: Job, tmp_path: Path) -> None:
    corpus = Path(__file__).parents[1] / "corpus/sharded"
    program, arrays = str(corpus / "uneven_sizes.mlir"), str(corpus / "uneven_sizes.npz")
    command = [*COMMAND, program, "--devices", "4", "--input", arrays]
    done = job(processes, [*command, "--expect", arrays])
    assert done.code == 0 and done.output.count("outputs as expected") == 1, done.output
    done = job(processes, command)
    assert done.code == 0 and done.output.count("out0: ") == 1, done.output
    stored = str(tmp_path / "out.npz")
    assert job(processes, [*command, "--output", stored]).code == 0
    with np.load(stored) as got, np.load(arrays) as wanted:
        np.testing.assert_allclose(got["out0"], wanted["out0"], 1e-5, 1e-5)
    done = job(processes, [*COMMAND, program, "--devices", "3"])
    assert done.code == 1 and "meshes of the program have 4 devices, not 3" in done.output
