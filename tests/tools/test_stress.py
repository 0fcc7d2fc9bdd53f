"""`python -m xdsl_xla.tools.stress`: sharded programs many times in a row."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.stress.__main__ import main
from xdsl_xla.tools.stress.meshes import devices_of, resize

sys.path.append(str(Path(__file__).parents[1] / "runtime" / "devices"))

from mpi.conftest import Job, job

assert job  # the fixture

CORPUS = Path(__file__).parents[1] / "corpus/sharded"
ALL = sorted(path for path in CORPUS.glob("*.mlir") if ".gspmd." not in path.name)


def test_on_several_numbers_of_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(CORPUS / "reshardings.mlir"), "--times", "5", "--devices", "2", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == [f"reshardings on {n} devices" for n in (2, 4)]
    assert "5 times" in lines[0] and lines[-1] == "2 programs, 10 runs, 0 failed"


def test_a_wrong_value_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cannon.mlir").write_text((CORPUS / "cannon.mlir").read_text())
    with np.load(CORPUS / "cannon.npz") as data:
        arrays = dict(data)
    arrays["out0"][-1, -1] += 1
    np.savez(tmp_path / "cannon.npz", **arrays)
    assert main([str(tmp_path / "cannon.mlir"), "--times", "3"]) == 1
    output = capsys.readouterr().out
    assert "cannon on 4 devices FAILED in run 1 with --seed 0: device 3, out0" in output
    assert output.endswith("1 programs, 1 runs, 1 failed\n")


def test_what_says_its_devices_in_its_text_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(CORPUS / "cannon.mlir"), "--times", "1", "--devices", "2"]) == 0
    assert "is for 4 devices" in capsys.readouterr().out


def test_older_annotations_say_the_number_of_devices(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(CORPUS / "free_axes.gspmd.mlir")
    assert main([path, "--times", "3"]) == 0
    assert capsys.readouterr().out.startswith("free_axes on 8 devices")
    assert main([path, "--times", "1", "--devices", "2"]) == 0
    assert "is for 8 devices" in capsys.readouterr().out


@pytest.mark.parametrize(("devices", "axes"), [(2, (1, 2)), (4, (2, 2)), (16, (4, 4)), (6, (6, 1))])
def test_meshes_of_other_sizes(devices: int, axes: tuple[int, int]) -> None:
    module = parse_module('sdy.mesh @mesh = <["x"=2, "y"=4]>')
    resize(module, devices)
    assert devices_of(module) == devices
    assert f'["x"={axes[0]}, "y"={axes[1]}]' in str(module)


@pytest.mark.slow
@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_corpus_under_delays(path: Path) -> None:
    assert main([str(path), "--times", "200", "--seconds", "20", "--devices", "2", "4", "8"]) == 0


def test_in_a_job(job: Job) -> None:
    files = [str(CORPUS / f"{name}.mlir") for name in ("several_maps", "branches")]
    done = job(4, ["-m", "xdsl_xla.tools.stress", *files, "--transport", "mpi", "--times", "3"])
    assert done.code == 0 and "2 programs, 6 runs, 0 failed" in done.output, done.output


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_the_corpus_in_a_job(processes: int, job: Job) -> None:
    command = ["-m", "xdsl_xla.tools.stress", *map(str, ALL), "--transport", "mpi", "--times", "2"]
    done = job(processes, command, timeout=900)
    assert done.code == 0 and f"{len(ALL)} programs, {2 * len(ALL)} runs, 0 failed" in done.output, done.output
