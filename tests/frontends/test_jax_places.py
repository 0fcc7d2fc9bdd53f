"""`xdsl_xla.jit` on several devices of JAX, in a process that has them (`sharded_jax.py`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")

SCRIPT = Path(__file__).with_name("sharded_jax.py")
CASES = (
    "a_mesh_in_the_context callbacks_run_on_one_device_or_on_each_part devices_in_another_order in_and_out_shardings "
    "maps programs_are_read_and_printed_as_by_mlir random_numbers_and_keys results_stay_where_the_arguments_are "
    "sharded_arguments shardings_are_part_of_the_key training_steps uneven_results"
).split()


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("case", CASES)
def test_sharded_jax(case: str, outcomes: dict[str, str]) -> None:
    assert set(outcomes) == set(CASES)
    assert not outcomes[case], outcomes[case]
