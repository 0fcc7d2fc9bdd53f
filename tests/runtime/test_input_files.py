"""Files and streams that are read whole."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.runtime.input_files import read_file, read_stream
from xdsl_xla.tools import xla_opt, xla_run

ENDLESS = pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero")


def test_files_and_streams(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert read_file(tmp_path / "x") == b"abc"
    assert read_stream(io.BytesIO(b"abc")) == b"abc"
    assert read_file(os.devnull) == b""
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "y")


@ENDLESS
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full"])
def test_a_device_without_end(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(xdsl_xla.XlaError, match=f"{name}: it is a device that has no end"):
        xdsl_xla.compile(name)
    with pytest.raises(xdsl_xla.XlaError, match=f"{name}: it is a device that has no end"):
        xdsl_xla.load(name)
    for main in (xla_opt.main, xla_run.main):
        assert main([name]) == 1
        assert capsys.readouterr().err == f"error: {name}: it is a device that has no end\n"


@ENDLESS
def test_standard_input_without_end() -> None:
    with open("/dev/zero", "rb") as zeros:
        process = subprocess.run(
            [sys.executable, "-m", "xdsl_xla.tools.xla_opt"], stdin=zeros, capture_output=True, timeout=300
        )
    assert process.returncode == 1
    assert b"it is a device that has no end" in process.stderr
