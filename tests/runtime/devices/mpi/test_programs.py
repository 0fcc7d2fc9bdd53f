"""Programs on devices in several processes: the bits of the reference, for every collective."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_exchanges import REPLICAS, loop, reference_results, send_and_recv, values

from .conftest import Job

RUN = """
import json, os, sys
import numpy as np
import xdsl_xla
from xdsl_xla.runtime.devices.mpi.run import local_devices
folder = sys.argv[1]
for number, row in enumerate(json.load(open(f"{folder}/programs.json"))):
    program = xdsl_xla.compile(row["text"], replicas=row["replicas"], partitions=row["partitions"], threads=1)
    data = np.load(f"{folder}/in{number}.npz")
    devices = local_devices(program)
    for device, results in zip(devices, xdsl_xla.run_on_mpi(program, [[data[str(device)]] for device in devices])):
        np.savez(f"{folder}/out{number}_{device}.npz", *results)
"""


def agree(script: Job, folder: Path, processes: int, programs: list[tuple[str, list[list[list[Any]]]]]) -> None:
    """Each program, with these arguments by replica and partition, gives what the reference says."""
    rows: list[dict[str, Any]] = []
    for number, (text, arguments) in enumerate(programs):
        rows.append({"text": text, "replicas": len(arguments), "partitions": len(arguments[0])})
        flat = [device[0] for row in arguments for device in row]
        np.savez(folder / f"in{number}.npz", **{str(device): array for device, array in enumerate(flat)})
    (folder / "programs.json").write_text(json.dumps(rows))
    done = script(processes, RUN, str(folder))
    assert done.code == 0, done.output
    for number, (text, arguments) in enumerate(programs):
        for device, wanted in enumerate(reference_results(text, arguments)):
            with np.load(folder / f"out{number}_{device}.npz") as got:
                assert got["arr_0"].tobytes() == np.ascontiguousarray(wanted).tobytes(), f"{number}: {text}"


@pytest.mark.parametrize(("processes", "devices"), [(2, 2), (4, 4), (2, 4), (3, 4)])
def test_every_collective(processes: int, devices: int, script: Job, tmp_path: Path) -> None:
    """In loops, with one device in each process, with several, with one here and two there."""
    programs = [(loop(collective(devices, 24), 24, 10), values(devices, 24)) for collective in REPLICAS]
    partitions = [[device for row in values(devices, 24) for device in row]]
    agree(script, tmp_path, processes, [*programs, (loop(send_and_recv(devices, 24), 24, 10), partitions)])


@pytest.mark.parametrize("processes", [2, 4])
def test_large_operands(processes: int, script: Job, tmp_path: Path) -> None:
    """Which travel without copies, behind a header."""
    size = 300_000
    programs = [(loop(collective(4, size), size, 2), values(4, size)) for collective in REPLICAS[:3]]
    agree(script, tmp_path, processes, programs)


def test_groups_of_a_grid(script: Job, tmp_path: Path) -> None:
    """Each replica in a process, or half of each: replicas, partitions, both, and flattened ids."""
    channel = "channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>"
    body = """({
      ^bb0(%l: tensor<i32>, %r: tensor<i32>):
        %most = stablehlo.maximum %l, %r : tensor<i32>
        stablehlo.return %most : tensor<i32>
      }) : (tensor<6xi32>) -> tensor<6xi32>"""

    def reduced(name: str, attributes: str) -> str:
        return f'%{name} = "stablehlo.all_reduce"(%x) <{{{attributes}}}> {body}'

    text = f"""func.func @main(%x: tensor<6xi32>) -> tensor<24xi32> {{
      {reduced("a", "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>")}
      {reduced("b", f"replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, {channel.format(1)}")}
      {
        reduced(
            "c",
            "replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids, " + channel.format(2),
        )
    }
      {
        reduced(
            "d",
            "replica_groups = dense<[[0, -1, -1], [1, 2, 3]]> : tensor<2x3xi64>, use_global_device_ids, "
            + channel.format(3),
        )
    }
      %r = stablehlo.concatenate %a, %b, %c, %d, dim = 0
        : (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) -> tensor<24xi32>
      return %r : tensor<24xi32>
    }}"""
    flat = [np.roll(np.arange(6, dtype=np.int32) * (i + 3), i) for i in range(4)]
    agree(script, tmp_path, 2, [(text, [[[flat[0]], [flat[1]]], [[flat[2]], [flat[3]]]])])


def test_what_is_no_program_or_has_no_place_is_said(script: Job) -> None:
    """And the job goes on."""
    done = script(
        1,
        """
        import numpy as np
        import xdsl_xla
        from xdsl_xla.errors import ArgumentError

        text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
        program, x = xdsl_xla.compile(text), np.ones(2, np.float32)
        whole = xdsl_xla.compile(text, devices=1)
        for arguments in (
            (whole, [[x]]), (5, [[x]]), ([program, 5], [[x]]), (program, None), (program, [5]), ([], []),
            (program, [[x]], None, 60, (1,)), (program, [[x]], None, 60, [0, 0]), (program, [[x]], None, 60, ("0",)),
        ):
            try:
                xdsl_xla.run_on_mpi(*arguments)
            except ArgumentError as error:
                print(error, flush=True)
        print(xdsl_xla.run_on_mpi(program, [[x]], ranks=[0]), flush=True)
        """,
    )
    assert done.code == 0, done.output
    *refused, result = done.output.splitlines()
    assert result == "[(array([1., 1.], dtype=float32),)]"
    assert [line.split(":")[0] for line in refused] == [
        *["argument program"] * 3,
        *["argument arguments"] * 2,
        "expected a program for each device of this process, compiled for one grid",
        *["argument ranks"] * 3,
    ]
