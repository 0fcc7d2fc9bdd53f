"""`jax.distributed` on this platform: programs on devices of several processes, which are a job of MPI."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "runtime" / "devices"))

from mpi.conftest import Job, job, script

assert job and script  # the fixtures

jax = pytest.importorskip("jax")

START = """
import os, sys
import numpy as np
import jax, jax.numpy as jnp
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
rank = int(next(os.environ[name] for name in ("PMI_RANK", "OMPI_COMM_WORLD_RANK") if name in os.environ))
number = int(sys.argv[2]) - 1 - rank if sys.argv[3:] else rank
os.environ["JAX_PLATFORMS"] = "xdsl_xla"
os.environ["XDSL_XLA_DEVICES"] = "2"
from xdsl_xla.frontends.pjrt import jax_plugin
jax.config.update("jax_platforms", "xdsl_xla")
jax_plugin.register()
jax.distributed.initialize(f"127.0.0.1:{sys.argv[1]}", int(sys.argv[2]), number)
devices = np.array(jax.devices())
mesh = Mesh(devices, ("x",))
split = NamedSharding(mesh, P("x"))
whole = np.arange(96, dtype=np.float32).reshape(24, 4)
x = jax.make_array_from_callback(whole.shape, split, lambda index: whole[index])
"""


def port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def test_programs_on_devices_of_all_processes(script: Job) -> None:
    done = script(
        2,
        START
        + """
assert [device.process_index for device in devices] == [0, 0, 1, 1]
assert [device.id for device in jax.local_devices()] == [2 * rank, 2 * rank + 1]
assert [device.local_hardware_id for device in jax.local_devices()] == [0, 1]
sums = jax.jit(lambda x: (x @ x.T).sum(1))(x)
np.testing.assert_allclose(multihost_utils.process_allgather(sums, tiled=True), (whole @ whole.T).sum(1))
add = jax.jit(jax.shard_map(lambda part: jax.lax.psum(part, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
np.testing.assert_allclose(add(x).addressable_data(0), whole.reshape(4, 6, 4).sum(0))
step = jax.jit(lambda x: x + 1, donate_argnums=0)
for _ in range(3):
    x = step(x)
np.testing.assert_array_equal(x.addressable_data(1), whole[12 * rank + 6 :][:6] + 3)
assert multihost_utils.broadcast_one_to_all(np.float32(7 + rank)) == 7
backwards = NamedSharding(Mesh(devices[[3, 0, 2, 1]], ("x",)), P("x"))
y = jax.jit(lambda y: y[::-1] * 2)(jax.device_put(np.arange(8, dtype=np.float32), backwards))
np.testing.assert_array_equal(multihost_utils.process_allgather(y, tiled=True), np.arange(8)[::-1] * 2)
own = jax.jit(lambda a: a @ a)(jnp.ones((3, 3)))
assert own.devices() == {jax.local_devices()[0]} and own[0, 0] == 3
here = NamedSharding(Mesh(jax.local_devices(), ("x",)), P("x"))
assert jax.jit(jnp.sum)(jax.device_put(np.ones(4, np.float32), here)) == 4
say("done", rank)
""",
        port(),
        "2",
    )
    assert done.code == 0, done.output
    assert sorted(done.said.splitlines()) == ["done 0", "done 1"], done.output


def test_some_processes_only_are_refused(script: Job) -> None:
    done = script(
        3,
        START
        + """
if rank < 2:
    part = NamedSharding(Mesh(devices[:4], ("x",)), P("x"))
    x = jax.make_array_from_callback(whole.shape, part, lambda index: whole[index])
    try:
        jax.jit(jnp.sum)(x)
    except jax.errors.JaxRuntimeError as error:
        say(str(error))
""",
        port(),
        "3",
    )
    assert done.code == 0, done.output
    assert done.said.count("a program on devices of processes 0, 1 of a job of 3: of one or of all") == 2


def test_a_program_that_another_process_runs(script: Job) -> None:
    done = script(
        2,
        START
        + """
there = NamedSharding(Mesh(devices[2:], ("x",)), P("x"))
x = jax.make_array_from_callback(whole.shape, there, lambda index: whole[index], dtype=np.float32)
step = jax.jit(lambda x: x * 2 + x.sum())
for _ in range(2):
    y = step(x)
assert len(y.addressable_shards) == (2 if rank else 0)
for shard in y.addressable_shards:
    np.testing.assert_allclose(shard.data, (whole * 2 + whole.sum())[shard.index])
first = jax.sharding.SingleDeviceSharding(devices[0])
one = jax.make_array_from_callback((3,), first, lambda index: whole[0, :3], dtype=np.float32)
ones = jax.jit(jnp.cumsum)(one + 1)
assert [shard.data.tolist() for shard in ones.addressable_shards] == ([] if rank else [[1, 3, 6]])
say("done", rank)
""",
        port(),
        "2",
    )
    assert done.code == 0, done.output
    assert sorted(done.said.splitlines()) == ["done 0", "done 1"], done.output


def test_numbers_that_are_no_ranks_are_refused(script: Job) -> None:
    done = script(
        2,
        START
        + """
try:
    jax.jit(jnp.sum)(x)
except jax.errors.JaxRuntimeError as error:
    say(str(error))
""",
        port(),
        "2",
        "turned",
    )
    assert "process 0 of 2 of jax.distributed is process 1 of 2 of MPI: start it by mpiexec" in done.said
