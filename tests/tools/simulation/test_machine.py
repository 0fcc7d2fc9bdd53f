"""Files that describe machines, right and wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError
from xdsl_xla.tools.simulation.machine import read_machine

FILE = """devices_per_host = 8
flops = 100e12
memory_bandwidth = 2e12
[within_host]
latency = 1e-6
bandwidth = 1e9
"""


def read(text: str, folder: Path) -> object:
    path = folder / "m.toml"
    path.write_text(text)
    return read_machine(str(path))


def test_the_example_is_read() -> None:
    machine = read_machine(str(Path(xdsl_xla.__file__).parent / "examples" / "cluster.toml"))
    assert machine.between_hosts is not None
    assert (machine.devices_per_host, machine.between_hosts.bandwidth) == (8, 25e9)
    assert machine.flops_of(64) == machine.flops / 2
    assert machine.flops_of(16) == 400e12
    assert machine.flops_of(8, is_float=False) == machine.flops


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("flops =", "flop =", "unknown key 'flop'; did you mean flops"),
        ("latency", "latncy", r"\[within_host\]: unknown key 'latncy'; did you mean latency"),
        ("flops = 100e12\n", "", "key 'flops' is missing: operations on f32"),
        ("flops = 100e12", "flops = 0", "key 'flops': expected a number above 0, got 0"),
        ("flops = 100e12", "flops = true", "key 'flops': expected a number of at least 0, got True"),
        ("= 8", "= 0.5", "'devices_per_host': expected a whole number"),
        ("bandwidth = 1e9", 'bandwidth = 1e9\nalgorithms = ["tree"]', "expected some of ring, doubling, direct"),
        ("latency = 1e-6\n", "", "key 'latency' is missing"),
        ("flops = 100e12", "flops 100e12", "not TOML"),
    ],
)
def test_wrong_files_are_errors(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in FILE
    with pytest.raises(ArgumentError, match=message):
        read(FILE.replace(old, new, 1), tmp_path)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="No such file"):
        read_machine(str(tmp_path / "none.toml"))
