"""JAX with `JAX_PLATFORMS=xdsl_xla`: each test runs a program in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import pytest

jax = pytest.importorskip("jax")

START = """
import jax
from xdsl_xla.frontends.pjrt import jax_plugin
jax_plugin.register()
import jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
assert jax.default_backend() == "xdsl_xla", jax.default_backend()
cpu = jax.devices("cpu")[0]

def on_cpu(function, *args):
    with jax.default_device(cpu):
        return jax.jit(function)(*jax.tree.map(lambda x: jax.device_put(np.asarray(x), cpu), args))

def agree(function, *args, rtol=2e-5):
    wanted = jax.tree.leaves(on_cpu(function, *args))
    got = jax.tree.leaves(jax.jit(function)(*args))
    assert len(got) == len(wanted) > 0
    for mine, theirs in zip(got, wanted):
        assert (mine.shape, mine.dtype, mine.weak_type) == (theirs.shape, theirs.dtype, theirs.weak_type)
        np.testing.assert_allclose(np.asarray(mine), np.asarray(theirs), rtol=rtol, atol=1e-5)
"""


def run(
    program: str, *, devices: int = 1, code: int = 0, variables: dict[str, str] | None = None, start: str = START
) -> subprocess.CompletedProcess[str]:
    """Run a program on the plugin; its outcome."""
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "xdsl_xla,cpu",
        "XDSL_XLA_DEVICES": str(devices),
        **(variables or {}),
    }
    text = start + textwrap.dedent(program)
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, env=environment, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr[-3000:]
    return done


def test_programs_agree_with_the_backend_for_cpus() -> None:
    run("""
    x = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
    assert (str(jax.devices()[0]), repr(jax.devices()[0])) == ("xdsl_xla:0", "XdslXlaDevice(id=0)")
    agree(lambda x: jnp.sin(x) @ x.T, x)
    agree(jax.grad(lambda x: jax.nn.softmax(x @ x.T).max()), x)
    agree(jax.vmap(jnp.linalg.inv), np.stack([np.eye(3, dtype=np.float32) * n for n in (1, 2, 4)]))
    agree(lambda x: jnp.fft.fft(x).real, x)
    agree(lambda k: jax.random.normal(jax.random.wrap_key_data(k), (5,)), np.array([1, 2], np.uint32))
    agree(lambda x: jax.lax.scan(lambda c, y: (c + y, c * y), x[0], x), x)
    agree(lambda x: jax.lax.cond(x[0, 0] > 0, jnp.cos, jnp.sin, x), x)
    agree(lambda x: {"a": x.astype(jnp.bfloat16), "b": (x > 0, x.astype(jnp.complex64))}, x)
    agree(lambda x: jnp.sort(x, axis=0)[::-1], x)
    assert jnp.zeros((0, 3)).sum() == 0 and jax.jit(lambda: ())() == ()
    """)


def test_what_is_written_for_cpus_is_taken() -> None:
    run("""
    x = np.arange(3, dtype=np.float32)
    choose = lambda x: jax.lax.platform_dependent(x, cpu=jnp.sin, tpu=jnp.cos)
    agree(choose, x)
    agree(jax.vmap(jax.grad(choose)), x)
    other = lambda x: jax.lax.platform_dependent(x, tpu=jnp.sin, default=jnp.cos)
    agree(other, x)

    from jax.extend.core import Primitive
    from jax.interpreters import mlir
    late = Primitive("late")
    late.def_abstract_eval(lambda x: x)
    mlir.register_lowering(late, mlir.lower_fun(jnp.exp, multiple_results=False), platform="cpu")
    agree(late.bind, x)

    from jax.experimental import sparse
    from jax.experimental.sparse.linalg import spsolve
    matrix = np.diag(np.float32([1, 2, 3]))
    solve = lambda b: spsolve(np.float32([1, 2, 3]), np.arange(3), np.arange(4), b)
    np.testing.assert_allclose(jax.jit(solve)(x), x / np.float32([1, 2, 3]), rtol=1e-6)
    agree(lambda m, b: sparse.BCSR.fromdense(m, nse=5) @ b, matrix, x)
    """)


def test_pallas_is_interpreted_as_on_cpus() -> None:
    run("""
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=2)

    def doubled(x):
        def run(refs):
            @pl.core_map(mesh, interpret=pltpu.InterpretParams())
            def _():
                rows = pl.ds(jax.lax.axis_index("core") * 4, 4)

                def body(part):
                    pltpu.sync_copy(refs[0].at[rows], part)
                    part[...] = part[...] * 2
                    pltpu.sync_copy(part, refs[1].at[rows])
                pl.run_scoped(body, pltpu.VMEM((4, 128), x.dtype))
        return pl.run_state(run)((x, jnp.zeros_like(x)))[1]

    x = np.arange(8 * 128, dtype=np.float32).reshape(8, 128)
    np.testing.assert_array_equal(jax.jit(doubled)(x), x * 2)
    """)


def test_functions_that_were_exported_for_cpus_run() -> None:
    run("""
    from jax import export
    x = np.arange(9, dtype=np.float32).reshape(3, 3) + np.eye(3, dtype=np.float32)
    choose = lambda x: jax.lax.platform_dependent(x, tpu=jnp.cos, default=jnp.sin)
    for function, platforms in ((jnp.linalg.inv, ["cpu"]), (choose, ["tpu", "cpu"])):
        exported = export.export(jax.jit(function), platforms=platforms)(x)
        agree(export.deserialize(exported.serialize()).call, x)
    try:
        export.export(jax.jit(choose), platforms=["tpu"])(x).call(x)
    except ValueError as error:
        assert "was exported for platforms" in str(error), error
    else:
        raise AssertionError("a function for other platforms ran")
    """)


def test_python_is_called_back() -> None:
    done = run("""
    from jax.experimental import io_callback
    x = jnp.arange(6.0).reshape(2, 3)
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    np.testing.assert_allclose(jax.jit(lambda x: jax.pure_callback(np.sin, shape, x) + 1)(x), np.sin(x) + 1, rtol=1e-6)
    seen = []
    def note(x):
        seen.append(float(x))
        return x
    @jax.jit
    def f(x):
        for n in range(3):
            x = io_callback(note, jax.ShapeDtypeStruct((), np.float32), x + n, ordered=True)
        jax.debug.print("got {x}", x=x, ordered=True)
        return x
    f(jnp.float32(1)).block_until_ready()
    jax.effects_barrier()
    assert seen == [1, 2, 4], seen
    """)
    assert "got 4.0" in done.stdout


def test_python_is_called_back_in_order_from_several_devices() -> None:
    run(
        """
    from jax.experimental import io_callback
    mesh = Mesh(np.array(jax.devices()), ("x",))
    split, seen = NamedSharding(mesh, P("x")), []

    def f(x):
        for number in range(3):
            io_callback(lambda x: seen.append(int(x.sum())), None, x + number, ordered=True)
        return x

    jax.jit(f, in_shardings=split, out_shardings=NamedSharding(mesh, P()))(np.arange(4, dtype=np.int32))
    jax.effects_barrier()
    assert seen == [6, 10, 14], seen
    seen.clear()
    jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x")))(np.array([0, 10], np.int32))
    jax.effects_barrier()
    assert [x for x in seen if x < 10] == [0, 1, 2] and [x for x in seen if x >= 10] == [10, 11, 12], seen
    """,
        devices=2,
    )


def test_a_callback_that_raises_is_an_error() -> None:
    run("""
    def fail(x):
        raise ValueError("on purpose")
    try:
        jax.jit(lambda x: jax.pure_callback(fail, x, x))(jnp.ones(3)).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        assert "on purpose" in str(error), error
    else:
        raise AssertionError("no error")
    """)


def test_python_writes_into_buffers() -> None:
    run("""
    from jax.experimental.buffer_callback import ExecutionStage, buffer_callback
    x = jnp.arange(6, dtype=jnp.float32).reshape(2, 3)
    def add_one(ctx, out, x, *, by):
        assert ctx.stage == ExecutionStage.EXECUTE and out.writeable and not x.writeable
        assert (out.shape, out.dtype, out.ndim) == (x.shape, x.dtype, x.ndim)
        np.asarray(out)[...] = np.from_dlpack(x) + np.asarray(by)
    f = buffer_callback(add_one, jax.ShapeDtypeStruct(x.shape, x.dtype))
    np.testing.assert_array_equal(jax.jit(lambda x: f(x, by=x) * 2)(x), x * 4)
    def first(ctx, outs, x):
        assert np.shares_memory(np.asarray(x), np.asarray(outs[0]))
        np.asarray(outs[0])[0] = 7
        np.asarray(outs[1])[...] = 1
    same = jax.ShapeDtypeStruct(x.shape, x.dtype)
    a, b = buffer_callback(first, (same, same), input_output_aliases={0: 0})(x)
    np.testing.assert_array_equal(a, [[7, 7, 7], [3, 4, 5]])
    assert (b == 1).all() and x[0, 1] == 1
    try:
        buffer_callback(lambda ctx, out, x: 1, same)(x).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        assert "must not return any values" in str(error)
    else:
        raise AssertionError("no error")
    """)


def test_donated_arrays_are_gone_and_their_memory_is_used() -> None:
    run("""
    f = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = f(jnp.zeros(1 << 16))
    place = x.unsafe_buffer_pointer()
    y = f(x)
    assert x.is_deleted() and y.unsafe_buffer_pointer() == place and float(y[0]) == 2
    try:
        x + 1
    except RuntimeError as error:
        assert "deleted" in str(error)
    else:
        raise AssertionError("no error")
    lent = jnp.ones(1 << 16)
    seen = np.asarray(lent)
    lent.delete()
    assert lent.is_deleted() and (seen == 1).all()
    z = jnp.ones(1 << 16)
    host = np.asarray(z)
    f(z)
    assert host[0] == 1, "an array that NumPy sees was overwritten"
    a = jnp.ones(8)
    try:
        jax.jit(lambda x, y: (x + 1, y + 1), donate_argnums=(0, 1))(a, a)
    except (ValueError, jax.errors.JaxRuntimeError) as error:
        assert "donate" in str(error)
    else:
        raise AssertionError("no error")
    """)


def test_what_no_result_can_replace_stays() -> None:
    run(
        """
    mesh = Mesh(np.array(jax.devices()), ("x",))
    rows = NamedSharding(mesh, P("x"))
    x, y, z = (jax.device_put(np.ones((8, 2), np.float32), rows) for _ in range(3))
    grown = jax.jit(lambda x: x @ x.T, donate_argnums=0)
    assert grown(x)[0, 0] == 2 and not x.is_deleted()
    one = jax.jit(lambda y, z: (y + z, y.sum()), donate_argnums=(0, 1))
    assert one(y, z)[0][0, 0] == 2
    assert y.is_deleted() and not z.is_deleted() and z[0, 0] == 1
    """,
        devices=2,
    )


def test_long_programs_run_beside_their_caller() -> None:
    run("""
    f = jax.jit(lambda x: x @ x / 500)
    g = jax.jit(lambda x: x[:4, :4].sum())
    step = jax.jit(lambda w: jnp.sin(w).at[0].add(w @ w[0] / 500), donate_argnums=0)
    x = jnp.ones((500, 500))
    for n in range(12):
        y = x
        for _ in range(4):
            y = f(y)
        total = g(y)
        if n % 3 == 0:
            y.delete()
        elif n % 3 == 1:
            del y
        assert abs(float(total) - 16) < 1e-3, total
    w, wanted = jnp.ones((500, 500)), np.ones((500, 500))
    for _ in range(6):
        w = step(w)
        change = wanted @ wanted[0] / 500
        wanted = np.sin(wanted)
        wanted[0] += change
    np.testing.assert_allclose(np.asarray(w), wanted, rtol=1e-4)
    """)


def test_memory_is_shared_where_it_may_be() -> None:
    run("""
    import gc
    host = np.zeros(1 << 18, np.float32)
    host = host[(-host.ctypes.data % 64) // 4:][: 1 << 17]
    x = jnp.asarray(host)
    assert np.asarray(x).ctypes.data == x.unsafe_buffer_pointer()
    y = jax.device_put(np.arange(12.0, dtype=np.float32).reshape(3, 4)[::-1, ::2])
    np.testing.assert_array_equal(y, np.arange(12.0).reshape(3, 4)[::-1, ::2])
    t = jax.device_put(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    np.testing.assert_array_equal(t, np.arange(6.0).reshape(2, 3))
    view = np.from_dlpack(x)
    assert view.ctypes.data == x.unsafe_buffer_pointer()
    back = jax.dlpack.from_dlpack(jnp.arange(4.0))
    assert back.tolist() == [0, 1, 2, 3]
    for _ in range(100):
        z = jax.device_put(np.ones(1 << 12, np.float32)) + 1
        assert z[0] == 2
        gc.collect()
    """)


def test_several_devices() -> None:
    run(
        """
    assert len(jax.devices()) == 4
    mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
    x = np.arange(32.0, dtype=np.float32).reshape(8, 4)
    split = jax.device_put(x, NamedSharding(mesh, P("a", "b")))
    np.testing.assert_allclose(jax.jit(lambda x: (x @ x.T).sum(0))(split), (x @ x.T).sum(0), rtol=1e-6)
    add = jax.shard_map(lambda x: jax.lax.psum(x, "a"), mesh=mesh, in_specs=P("a", "b"), out_specs=P(None, "b"))
    summed = jax.jit(add)
    got = summed(split)
    np.testing.assert_allclose(got, x[:4] + x[4:])
    assert got.sharding.spec == P(None, "b")
    mapped = jax.pmap(lambda x: x + jax.lax.axis_index("i") + jax.lax.psum(x, "i"), axis_name="i")(jnp.arange(4.0))
    assert mapped.tolist() == [6, 8, 10, 12]
    given = jax.device_put(x, NamedSharding(mesh, P("a")))
    step = jax.jit(lambda x: x * 2, donate_argnums=0)
    np.testing.assert_array_equal(step(given), x * 2)
    assert given.is_deleted()
    three = jax.device_put(1.0, jax.devices()[3]) + 1
    assert three.devices() == {jax.devices()[3]}
    moved = jax.device_put(three, jax.devices()[1])
    assert moved.devices() == {jax.devices()[1]} and float(moved) == 2
    loss = jax.jit(jax.grad(lambda x: (jax.nn.softmax(x @ x.T) ** 2).sum()))
    np.testing.assert_allclose(loss(split), loss(jnp.asarray(x)), rtol=1e-5, atol=1e-6)
    reverse = Mesh(np.array(jax.devices())[::-1], ("i",))
    np.testing.assert_allclose(jax.jit(lambda x: x * 2)(jax.device_put(x, NamedSharding(reverse, P("i")))), x * 2)
    """,
        devices=4,
    )


def test_spread_programs_without_results() -> None:
    run(
        """
    mesh = jax.make_mesh((4,), ("a",), axis_types=(jax.sharding.AxisType.Explicit,))
    with jax.set_mesh(mesh):
        x = jnp.arange(8.0, out_sharding=P("a"))
        assert jax.jit(lambda x: ())(x) == ()
        seen = []
        jax.jit(lambda x: jax.debug.callback(lambda x: seen.append(float(x)), x.sum()))(x)
        jax.effects_barrier()
        assert seen == [28.0]
    assert jax.pmap(lambda x: ())(np.zeros((4, 2))) == ()
    """,
        devices=4,
    )


def test_there_are_the_memories_of_the_backend_for_cpus() -> None:
    run("""
    place, of_cpu = jax.devices()[0], jax.devices("cpu")[0]
    kinds = [memory.kind for memory in place.addressable_memories()]
    assert kinds == [memory.kind for memory in of_cpu.addressable_memories()]
    assert place.default_memory().kind == of_cpu.default_memory().kind
    x = np.arange(6.0, dtype=np.float32)
    for kind in kinds:
        there = jax.sharding.SingleDeviceSharding(place, memory_kind=kind)
        y = jax.device_put(x, there)
        assert y.sharding.memory_kind == kind
        z = jax.jit(lambda x: x + 1, out_shardings=there)(y)
        assert z.sharding.memory_kind == kind
        np.testing.assert_array_equal(z, x + 1)
        back = jax.device_put(z, jax.sharding.SingleDeviceSharding(place))
        assert back.sharding.memory_kind == "device"
        np.testing.assert_array_equal(back, x + 1)
    f = jax.jit(lambda x: (jax.device_put(x * 2, jax.memory.Space.Host), x + 1))
    host, device = f(x)
    assert (host.sharding.memory_kind, device.sharding.memory_kind) == ("pinned_host", "device")
    np.testing.assert_array_equal(host, x * 2)
    """)


def test_arrays_have_layouts() -> None:
    run("""
    from jax.experimental.layout import Format, Layout
    x = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    columns = Format(Layout((1, 0)), jax.sharding.SingleDeviceSharding(jax.devices()[0]))
    y = jax.device_put(x, columns)
    assert y.format.layout.major_to_minor == (1, 0)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(y + 1, x + 1)
    np.testing.assert_array_equal(np.from_dlpack(y), x)
    np.testing.assert_allclose(jax.jit(lambda x: x @ x.T, in_shardings=columns)(y), x @ x.T)
    turned = jax.jit(lambda x: x.T, out_shardings=Format(Layout.AUTO)).lower(x).compile()
    assert turned.output_formats.layout.major_to_minor == (1, 0)
    np.testing.assert_array_equal(turned(x), x.T)
    square = jax.device_put(np.arange(9.0).reshape(3, 3), columns)
    np.testing.assert_allclose(square.T @ square, np.arange(9.0).reshape(3, 3).T @ np.arange(9.0).reshape(3, 3))
    step = jax.jit(lambda x: x * 2, donate_argnums=0, in_shardings=columns, out_shardings=columns)
    place = square.unsafe_buffer_pointer()
    again = step(square)
    assert square.is_deleted() and again.unsafe_buffer_pointer() == place
    np.testing.assert_array_equal(again, np.arange(9.0).reshape(3, 3) * 2)
    """)


def test_layouts_of_what_is_spread() -> None:
    run(
        """
    from jax.experimental.layout import Format, Layout
    mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b"))
    x = np.arange(32.0, dtype=np.float32).reshape(4, 8)
    split = NamedSharding(mesh, P("a", "b"))
    y = jax.device_put(x, Format(Layout((1, 0)), split))
    assert y.format.layout.major_to_minor == (1, 0) and y.sharding == split
    np.testing.assert_array_equal(y, x)
    turned = jax.jit(lambda x: x.T, out_shardings=Format(Layout.AUTO)).lower(y).compile()(y)
    assert turned.sharding.spec == P("b", "a")
    shape = jax.ShapeDtypeStruct((4, 4), np.float32, sharding=split)
    columns = Format(Layout((1, 0)), split)
    there = jax.jit(lambda x: x + 1, in_shardings=columns, out_shardings=columns).lower(shape).compile()
    for made in (there.input_formats[0][0], there.output_formats):
        assert made.layout.major_to_minor == (1, 0) and made.sharding == split, made
    """,
        devices=4,
    )


def test_programs_say_what_they_cost() -> None:
    run("""
    def f(x):
        return (jnp.sin(x) @ x).sum()
    x = np.ones((32, 32), np.float32)
    mine = jax.jit(f).lower(x).compile()
    theirs = jax.jit(f).lower(jax.device_put(x, cpu)).compile()
    costs, wanted = mine.cost_analysis(), theirs.cost_analysis()
    assert costs["transcendentals"] == wanted["transcendentals"] == 1024
    for name in ("flops", "bytes accessed"):
        assert 0.9 < costs[name] / wanted[name] < 1.1, (name, costs[name], wanted[name])
    step = jax.jit(lambda x: x + 1, donate_argnums=0).lower(x).compile().memory_analysis()
    assert step.argument_size_in_bytes == step.output_size_in_bytes == step.alias_size_in_bytes == x.nbytes
    loop = jax.jit(lambda x: jax.lax.fori_loop(0, jnp.int32(x[0, 0]), lambda _, y: jnp.cos(y), x)).lower(x).compile()
    assert loop.cost_analysis()["transcendentals"] == 1024
    """)


def test_the_text_of_a_program_is_that_of_a_device() -> None:
    run(
        """
    mesh = Mesh(np.array(jax.devices()), ("a",))
    x = jax.device_put(np.ones((8, 6), np.float32), NamedSharding(mesh, P("a")))
    text = jax.jit(lambda x: x.sum()).lower(x).compile().as_text()
    assert "f32[2,6]" in text and "f32[8,6]" not in text and "all-reduce" in text
    one = Mesh(np.array(jax.devices()[:1]), ("a",))
    add = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "a"), mesh=one, in_specs=P("a"), out_specs=P()))
    assert "f32[3]" in add.lower(np.ones(3, np.float32)).compile().as_text()
    """,
        devices=4,
    )


def test_errors_name_the_users_line() -> None:
    done = run(
        """
    def bad(x):
        return jax.ffi.ffi_call("nobody_has_this", x)(x)
    jax.jit(bad)(jnp.ones(3))
    """,
        code=1,
    )
    assert "nobody_has_this" in done.stderr
    assert "JaxRuntimeError" in done.stderr


def test_profiles_have_what_ran_on_each_device(tmp_path: Path) -> None:
    run(
        f"""
    @jax.jit
    def short(x): return x + 1
    @jax.jit
    def long(x): return jax.lax.fori_loop(0, 1000, lambda i, y: jnp.sin(y) + i, x)
    mesh = Mesh(np.array(jax.devices()), ("x",))
    both = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))
    x, split = jnp.ones(1000), jax.device_put(np.ones(2), NamedSharding(mesh, P("x")))
    jax.block_until_ready((short(x), long(x), long(x), both(split)))
    with jax.profiler.trace({str(tmp_path)!r}):
        for _ in range(3):
            jax.block_until_ready((short(x), long(x), both(split)))
    short(x)
    with jax.profiler.trace({str(tmp_path / "second")!r}):
        pass
    """,
        devices=2,
    )
    (first,) = tmp_path.glob("plugins/**/*.xplane.pb")
    data = jax.profiler.ProfileData.from_file(str(first))
    found = {plane.name: list(plane.lines) for plane in data.planes if plane.name.startswith("/device:CUSTOM:xdsl_xla")}
    events = {name: [event for line in lines for event in line.events] for name, lines in found.items()}
    names = {name: Counter(event.name for event in listed) for name, listed in events.items()}
    assert names["/device:CUSTOM:xdsl_xla:0"] == {"jit_short": 3, "jit_long": 3, "jit__lambda": 3}
    assert names["/device:CUSTOM:xdsl_xla:1"] == {"jit__lambda": 3}
    longest = max(event.duration_ns for event in events["/device:CUSTOM:xdsl_xla:0"] if event.name == "jit_long")
    assert 1e5 < longest < 60e9
    (second,) = (tmp_path / "second").glob("plugins/**/*.xplane.pb")
    assert not [p for p in jax.profiler.ProfileData.from_file(str(second)).planes if "xdsl_xla" in p.name]


def test_jax_keeps_compiled_programs(tmp_path: Path) -> None:
    program = """
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    hits = []
    jax.monitoring.register_event_listener(lambda name, **_: hits.append(name))
    assert jax.jit(lambda x: jnp.cos(x) * 2)(jnp.zeros(3)).tolist() == [2, 2, 2]
    print(sum("cache_hits" in name for name in hits))
    """
    variables = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path)}
    assert run(program, variables=variables).stdout.split()[-1] == "0"
    assert int(run(program, variables=variables).stdout.split()[-1]) > 0


def test_jax_keeps_no_programs_with_callbacks(tmp_path: Path) -> None:
    program = """
    import logging
    said = []
    logger = logging.getLogger("jax._src.compiler")
    logger.addFilter(lambda record: said.append(record.getMessage()) or False)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_explain_cache_misses", True)
    jax.config.update("jax_raise_persistent_cache_errors", True)
    f = jax.jit(lambda x: jax.pure_callback(lambda x: x + 1, x, x))
    assert f(np.zeros(3, np.float32)).tolist() == [1, 1, 1]
    print(sum("host callbacks" in line for line in said))
    """
    assert run(program, variables={"JAX_COMPILATION_CACHE_DIR": str(tmp_path)}).stdout.split()[-1] == "1"
    assert not [path for path in tmp_path.iterdir() if "lambda" in path.name]


def test_jax_keeps_programs_by_their_options(tmp_path: Path) -> None:
    program = """
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    jax.jit(lambda x: x * 2)(np.zeros(3, np.float32))
    """
    for threads, entries in ("", 1), ("1", 2), ("1", 2):
        run(program, variables={"JAX_COMPILATION_CACHE_DIR": str(tmp_path), "XDSL_XLA_THREADS": threads})
        assert len([path for path in tmp_path.iterdir() if path.name.endswith("-cache")]) == entries


def test_nothing_is_registered_unless_it_is_asked_for() -> None:
    run(
        """
    import jax
    from xdsl_xla.frontends.pjrt import jax_plugin
    jax_plugin.initialize()
    assert jax.default_backend() == "cpu"
    """,
        start="",
        variables={"JAX_PLATFORMS": ""},
    )


@pytest.mark.parametrize(
    "ending",
    [
        "pass",
        "import threading; t = threading.Thread(target=lambda: jnp.ones(4).sum()); t.start(); t.join()",
        "keep = [f(x) for _ in range(50)]; import builtins; builtins.keep = keep",
    ],
)
def test_processes_end(ending: str) -> None:
    done = run(f"f = jax.jit(lambda x: x + 1)\nx = f(jnp.ones(1000))\n{ending}")
    assert "Fatal" not in done.stderr


def test_an_exception_ends_a_process() -> None:
    done = run("x = jnp.ones(3)\nraise ValueError('on purpose')", code=1)
    assert "on purpose" in done.stderr
