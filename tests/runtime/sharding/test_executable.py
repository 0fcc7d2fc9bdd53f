"""`compile(..., devices=N)`: whole arrays in, whole arrays out."""

import pickle
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, ProgramTimeoutError, UnsupportedError
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.values import TOKEN
from xdsl_xla.runtime.compile_cache.stored_header import DamagedError
from xdsl_xla.runtime.compile_cache.stored_spread import sharding_as_json, spread_of
from xdsl_xla.runtime.sharding.executable import ShardedExecutable

MATMUL = """
module @jit_f attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>) -> tensor<8x4xf32> {
    %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>]
        out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%c: tensor<4x3xf32>, %d: tensor<3x4xf32>) {
      %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x4xf32>)
          -> tensor<4x4xf32>
      %2 = "stablehlo.all_reduce"(%1) <{
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
        replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%e: tensor<f32>, %f: tensor<f32>):
        %3 = stablehlo.add %e, %f : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      sdy.return %2 : tensor<4x4xf32>
    } : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
"""

ANNOTATED = """
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.negate %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
"""


@pytest.fixture(scope="module")
def matmul() -> ShardedExecutable:
    return xdsl_xla.compile(MATMUL, devices=4)


def operands() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    return generator.standard_normal((8, 6), np.float32), generator.standard_normal((6, 4), np.float32)


def test_whole_arrays_in_and_out(matmul: ShardedExecutable) -> None:
    a, b = operands()
    (result,) = matmul(a, b)
    np.testing.assert_allclose(result, a @ b, rtol=1e-5)
    assert matmul.signature.inputs[0].shape == (8, 6)
    assert matmul.local.signature.inputs[0].shape == (4, 3)


def test_parts_in_and_out(matmul: ShardedExecutable) -> None:
    arrays = operands()
    columns = [splitting.split(array) for splitting, array in zip(matmul.input_splittings, arrays, strict=True)]
    rows = matmul.run_sharded([list(row) for row in zip(*columns, strict=True)])
    assert [row[0].shape for row in rows] == [(4, 4)] * 4
    (splitting,) = matmul.output_splittings
    np.testing.assert_allclose(splitting.join([row[0] for row in rows]), arrays[0] @ arrays[1], rtol=1e-5)
    with pytest.raises(ArgumentError, match="arguments of each of 4 devices"):
        matmul.run_sharded([list(arrays)])


def test_on_one_device_annotations_are_erased() -> None:
    assert xdsl_xla.compile(ANNOTATED, devices=1)(np.ones(4, np.float32))[0].tolist() == [-1] * 4
    assert xdsl_xla.compile(ANNOTATED)(np.ones(4, np.float32))[0].tolist() == [-1] * 4


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ArgumentError, match="meshes of the program have 4 devices, not 8"):
        xdsl_xla.compile(MATMUL, devices=8)
    with pytest.raises(ArgumentError, match="give no replicas or partitions"):
        xdsl_xla.compile(MATMUL, devices=4, partitions=4)
    with pytest.raises(UnsupportedError, match=r"compile it with devices="):
        xdsl_xla.compile(MATMUL)
    with pytest.raises(ArgumentError, match="takes 2 arguments, got 1"):
        xdsl_xla.compile(MATMUL, devices=4)(np.ones((8, 6), np.float32))
    with pytest.raises(ArgumentError, match="argument 0"):
        xdsl_xla.compile(MATMUL, devices=4)(np.ones((4, 3), np.float32), np.ones((6, 4), np.float32))


MAXIMAL = """
  sdy.mesh @mesh = <["x"=2]>
  sdy.mesh @last = <[], device_ids=[1]>
  func.func @main(%a: tensor<4xf32>{ARGUMENT}, %b: tensor<4xf32>{SPLIT}) -> (tensor<4xf32>{RESULT}) {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
"""


@pytest.mark.parametrize("split", ["", ' {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}'])
@pytest.mark.parametrize("place", ["ARGUMENT", "RESULT"])
def test_what_one_device_has_all_have(place: str, split: str) -> None:
    text = MAXIMAL.replace("{SPLIT}", split).replace(f"{{{place}}}", " {sdy.sharding = #sdy.sharding<@last, []>}")
    text = text.replace("{ARGUMENT}", "").replace("{RESULT}", "")
    if not split:
        text = text.replace('  sdy.mesh @mesh = <["x"=2]>\n', "")
    program = xdsl_xla.compile(text, devices=2)
    a = np.arange(4, dtype=np.float32)
    assert program(a, a)[0].tolist() == [0, 2, 4, 6]
    assert (program.input_shardings[0] if place == "ARGUMENT" else program.output_shardings[0]) is None
    with pytest.raises(ArgumentError, match="the program names device 2, counted from 0, of 2"):
        xdsl_xla.compile(text.replace("device_ids=[1]", "device_ids=[2]"), devices=2)


@pytest.mark.parametrize("result", ["", ', unreduced={"y"}'])
def test_an_argument_that_is_still_to_be_added(result: str) -> None:
    text = f"""
      sdy.mesh @mesh = <["x"=2, "y"=2]>
      func.func @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}], unreduced={{"y"}}>}})
          -> (tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]{result}>}}) {{
        %0 = stablehlo.negate %a : tensor<4xf32>
        return %0 : tensor<4xf32>
      }}
    """
    assert xdsl_xla.compile(text, devices=4)(np.arange(4, dtype=np.float32))[0].tolist() == [0, -1, -2, -3]


def test_sizes_inside_that_follow_from_constants_or_have_a_bound() -> None:
    text = """
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32>)
          -> (tensor<8xf32>, tensor<f32>) {
        %shape = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
        %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        %1 = stablehlo.negate %0 : tensor<?x?xf32>
        %2 = stablehlo.reshape %1 : (tensor<?x?xf32>) -> tensor<8xf32>
        %3 = stablehlo.set_dimension_size %a, %n, dim = 0
          : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<f32>) -> tensor<f32>
        return %2, %4 : tensor<8xf32>, tensor<f32>
      }
    """
    negated, total = xdsl_xla.compile(text, devices=2)(np.arange(8, dtype=np.float32), np.int32(3))
    assert negated.tolist() == [-i for i in range(8)] and total == 3


def test_errors_of_a_device_say_which_one_it_is(matmul: ShardedExecutable) -> None:
    parts = [np.ones((4, 3), np.float32), np.ones((3, 4), np.float32)]
    for wrong in (parts[:1], [parts[0], parts[0]]):
        with pytest.raises(ArgumentError) as info:
            matmul.run_sharded([parts, parts, wrong, parts])
        assert info.value.__notes__ == ["in process (0, 2)"]


def test_a_program_of_one_device_may_be_given() -> None:
    text = """
      module attributes {mhlo.num_partitions = 2 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = "stablehlo.all_reduce"(%x) <{
            replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }) : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }
      }"""
    program = xdsl_xla.compile(text, devices=2)
    assert program(np.ones(2, np.float32))[0].tolist() == [2, 2]
    rows = program.run_sharded([[np.array([1, 2], np.float32)], [np.array([10, 20], np.float32)]])
    assert [row[0].tolist() for row in rows] == [[11, 22]] * 2
    with pytest.raises(InvalidProgramError, match="compiled with devices="):
        xdsl_xla.compile(text)(np.ones(2, np.float32))


def test_older_annotations_are_read() -> None:
    text = """
      module attributes {mhlo.num_partitions = 4 : i32} {
        func.func @main(%x: tensor<6x5xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}) -> tensor<5xf32> {
          %0 = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [0]
              : (tensor<6x5xf32>, tensor<f32>) -> tensor<5xf32>
          return %1 : tensor<5xf32>
        }
      }"""
    array = np.arange(30, dtype=np.float32).reshape(6, 5)
    program = xdsl_xla.compile(text, devices=4)
    assert program.local.signature.inputs[0].shape == (3, 3)
    np.testing.assert_array_equal(program(array)[0], array.sum(0))


def test_names_of_axes_and_shapes_are_shown() -> None:
    program = xdsl_xla.compile(ANNOTATED, devices=2)
    (sharding,) = program.input_shardings
    assert sharding is not None
    assert [axis.name for dimension in sharding.dimensions for axis in dimension.axes] == ["x"]
    assert "2 devices" in repr(program)


def test_devices_wait_for_a_limited_time() -> None:
    @xdsl_xla.custom_call("tests.late_part")
    def late(x: np.ndarray) -> np.ndarray:
        time.sleep(1.0 if x[0, 0] > 0 else 0.0)
        return x

    assert late is not None
    call = "%c = stablehlo.custom_call @tests.late_part(%c0) : (tensor<4x3xf32>) -> tensor<4x3xf32>"
    text = MATMUL.replace("(%c: tensor<4x3xf32>,", "(%c0: tensor<4x3xf32>,")
    exe = xdsl_xla.compile(text.replace("%1 = stablehlo.dot", f"{call}\n%1 = stablehlo.dot"), devices=4)
    a, b = operands()
    a[...] = -1
    a[:4, :3] = 1
    with pytest.raises(ProgramTimeoutError, match=r"waited 0\.2 seconds"):
        exe.with_collective_timeout(0.2)(a, b)
    assert exe(a, b)[0].shape == (8, 4)
    with pytest.raises(ArgumentError):
        exe.with_collective_timeout(0)


def test_functions_that_custom_calls_name_are_of_the_program_of_a_device() -> None:
    text = (
        ANNOTATED.replace(
            "stablehlo.negate %a",
            'stablehlo.custom_call @Sharding(%a) {called_computations = [@compared], mhlo.sharding = "{replicated}"}',
        )
        .replace(": tensor<4xf32>\n", ": (tensor<4xf32>) -> tensor<4xf32>\n", 1)
        .replace(
            "  func.func @main",
            """  func.func @compared(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main""",
        )
    )
    values = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(xdsl_xla.compile(text, devices=2, entry="main")(values)[0], values)


def test_a_program_in_which_nothing_says_how_it_is_split_runs_whole_on_every_device() -> None:
    text = """module @jit_f attributes {mhlo.num_partitions = 4 : i32} {
      sdy.mesh @mesh = <["x"=4]>
      func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.add %a, %a : tensor<3xf32>
        return %0 : tensor<3xf32>
      }
    }"""
    executable = xdsl_xla.compile(text, devices=4)
    assert executable(np.ones(3, np.float32))[0].tolist() == [2, 2, 2]
    assert [row[0].tolist() for row in executable.run_sharded([[np.full(3, n, np.float32)] for n in range(4)])] == [
        [2 * n] * 3 for n in range(4)
    ]


def test_from_files_and_pickles(matmul: ShardedExecutable, tmp_path: Path) -> None:
    matmul.save(tmp_path / "saved")
    (expected,) = matmul(*operands())
    for again in (xdsl_xla.load(tmp_path / "saved"), pickle.loads(pickle.dumps(matmul))):
        assert isinstance(again, ShardedExecutable)
        assert again.input_shardings == matmul.input_shardings
        assert again.output_shardings == matmul.output_shardings
        assert (again.signature, again.devices) == (matmul.signature, matmul.devices)
        np.testing.assert_array_equal(again(*operands())[0], expected)


@pytest.mark.parametrize(
    "damage",
    [
        lambda fields: fields.pop(),
        lambda fields: fields.__setitem__(0, [[["x", 3]], None]),
        lambda fields: fields.__setitem__(0, [[["x", 2], ["y", 2]], [0, 0, 1, 2]]),
        lambda fields: fields.__setitem__(1, []),
        lambda fields: fields.__setitem__(1, [[[["z", None, None]], True, None]] * 2),
        lambda fields: fields.__setitem__(1, [[[["x", 2, 2]], True, None]] * 2),
        lambda fields: fields.__setitem__(5, "product"),
    ],
)
def test_damaged_shardings_are_found(matmul: ShardedExecutable, damage: Any) -> None:
    def as_json(value: Any) -> Any:
        return list(map(as_json, value)) if isinstance(value, list | tuple) else value

    given, returned = (
        [as_json(sharding_as_json(sharding)) for sharding in side]
        for side in (matmul.input_shardings, matmul.output_shardings)
    )
    spread = spread_of(matmul.signature, 4, given, returned)
    assert (spread.inputs, spread.outputs) == (matmul.input_shardings, matmul.output_shardings)
    damage(given[0])
    with pytest.raises(DamagedError):
        spread_of(matmul.signature, 4, given, returned)


def test_from_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDSL_XLA_CACHE_DIR", str(tmp_path))
    first = xdsl_xla.compile(MATMUL, devices=4, cache=True)
    second = xdsl_xla.compile(MATMUL, devices=4, cache=True)
    assert not first.local.is_from_cache and second.local.is_from_cache
    np.testing.assert_array_equal(first(*operands())[0], second(*operands())[0])
    assert not xdsl_xla.compile(ANNOTATED, devices=2, cache=True).local.is_from_cache
    assert not xdsl_xla.compile(ANNOTATED, devices=1, cache=True).local.is_from_cache


EFFECTS = """
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<f32>, %b: tensor<f32>, %x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %shape = stablehlo.constant dense<6> : tensor<1xi64>
    %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>
    %t = stablehlo.create_token : !stablehlo.token
    %y = stablehlo.add %x, %0 : tensor<6xf32>
    %end = "stablehlo.outfeed"(%y, %t) <{outfeed_config = ""}> : (tensor<6xf32>, !stablehlo.token) -> !stablehlo.token
    %i:2 = "stablehlo.infeed"(%end) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<6xf32>, !stablehlo.token)
    %z = stablehlo.add %y, %i#0 : tensor<6xf32>
    return %z : tensor<6xf32>
  }"""


def test_effects_are_those_of_one_device() -> None:
    values = np.arange(6, dtype=np.float32)
    seen: list[Any] = []
    for options in ({"seed": 5}, {"seed": 5, "devices": 4}):
        executable: Any = xdsl_xla.compile(EFFECTS, **options)
        executable = executable.with_environment(Environment(seed=5, infeed=[(values,), (2 * values,)]))
        results = [executable(0.0, 1.0, values)[0] for _ in range(2)]
        seen.append([*results, *(batch[0] for batch in executable.environment.host.outfeed)])
    np.testing.assert_array_equal(*seen)
    assert not np.array_equal(seen[0][2], seen[0][3])


def test_effects_happen_on_the_first_device_wherever_it_stands_in_the_mesh() -> None:
    text = EFFECTS[: EFFECTS.index("%t =")] + "return %0 : tensor<6xf32> }"
    text = text.replace('<["x"=4]>', '<["x"=4], device_ids=[2, 3, 0, 1]>')
    arguments = np.float32(0), np.float32(1), np.zeros(6, np.float32)
    one, several = xdsl_xla.compile(text, seed=3), xdsl_xla.compile(text, seed=3, devices=4)
    np.testing.assert_array_equal(several(*arguments)[0], one(*arguments)[0])


SLICE = "%0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8x{0}>, tensor<i32>) -> tensor<3x{0}>"
GATHER = """
    %d = stablehlo.constant dense<[[0], [1], [2]]> : tensor<3x1xi32>
    %k = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3x1xi32>
    %j = stablehlo.add %d, %k : tensor<3x1xi32>
    %0 = "stablehlo.gather"(%x, %j) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}>
      : (tensor<8x{0}>, tensor<3x1xi32>) -> tensor<3x{0}>"""


@pytest.mark.parametrize(
    ("type", "dtype", "smallest"),
    [
        ("f32", np.float32, 2.0**-149),
        ("complex<f32>", np.complex64, 2.0**-149),
        ("bf16", ml_dtypes.bfloat16, 2.0**-133),
    ],
)
@pytest.mark.parametrize("op", [SLICE, GATHER], ids=["slice", "gather"])
@pytest.mark.parametrize("denormals", ["flush", "preserve"])
def test_what_is_taken_from_devices_has_the_bits_that_it_has_there(
    op: str, type: str, dtype: Any, smallest: float, denormals: str
) -> None:
    text = f"""
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<8x{type}> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}, %i: tensor<i32>)
      -> tensor<3x{type}> {{
    {op.format(type)}
    return %0 : tensor<3x{type}>
  }}"""
    x = np.array([0, 1, 2, -smallest, -0.0, 5, 6, 7], dtype)
    (result,) = xdsl_xla.compile(text, devices=4, denormals=denormals)(x, np.int32(3))
    assert result.tobytes() == x[3:6].tobytes()


WITHOUT_SHARDINGS = """
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<6xf32> {
    %shape = stablehlo.constant dense<6> : tensor<1xi64>
    %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>
    %t = stablehlo.create_token : !stablehlo.token
    %end = "stablehlo.outfeed"(%0, %t) <{outfeed_config = ""}> : (tensor<6xf32>, !stablehlo.token) -> !stablehlo.token
    return %0 : tensor<6xf32>
  }"""


def test_effects_of_a_program_with_a_mesh_and_no_shardings_happen_once() -> None:
    seen: list[Any] = []
    for options in ({}, {"devices": 4}):
        executable: Any = xdsl_xla.compile(WITHOUT_SHARDINGS, seed=5, **options)
        results = [executable(0.0, 1.0)[0] for _ in range(2)]
        outfeed = executable.environment.host.outfeed
        assert len(outfeed) == 2
        seen.append([*results, *(batch[0] for batch in outfeed)])
    np.testing.assert_array_equal(*seen)


def test_random_numbers_go_on_from_call_to_call() -> None:
    text = EFFECTS[: EFFECTS.index("%t =")] + "return %0 : tensor<6xf32> }"
    arguments = np.float32(0), np.float32(1), np.zeros(6, np.float32)
    one, several = xdsl_xla.compile(text, seed=3), xdsl_xla.compile(text, seed=3, devices=4)
    for _ in range(3):
        np.testing.assert_array_equal(several(*arguments)[0], one(*arguments)[0])


LOCAL_HLO = """HloModule f, num_partitions=4
ENTRY main.3_spmd {
  p = f32[4] parameter(0), sharding={devices=[4]<=[4]}
  ROOT r = f32[4] negate(p)
}"""


def test_what_is_partitioned_is_not_partitioned_again() -> None:
    with pytest.raises(ArgumentError, match=r"one device already.*partitions=4.*XLA's partitioner has made it"):
        xdsl_xla.compile(LOCAL_HLO, devices=4)
    reduced = LOCAL_HLO.replace("main.3_spmd", "main").replace("negate(p)", "collective-permute(p), channel_id=1")
    with pytest.raises(ArgumentError, match=r"'stablehlo.collective_permute' op: depends on the partition"):
        xdsl_xla.compile(reduced.replace("channel_id", "source_target_pairs={{0,1}}, channel_id"), devices=4)
    local = ANNOTATED.replace("-> tensor<4xf32> {", "-> tensor<4xf32> attributes {xrt.global_type = () -> ()} {")
    with pytest.raises(ArgumentError, match="stablehlo-partition-spmd has made it"):
        xdsl_xla.compile(local, devices=2)
    replicated = MATMUL.replace("num_partitions = 4", "num_replicas = 4")
    for devices in 1, 4:
        with pytest.raises(ArgumentError, match=r"is for 4 replicas \(mhlo.num_replicas\).* run it with run_grid"):
            xdsl_xla.compile(replicated, devices=devices)


@pytest.mark.parametrize("size", [8, 12])
@pytest.mark.parametrize("states", ["both", "only the constraint"])
def test_free_axes_that_do_not_divide_what_manual_ones_leave(size: int, states: str) -> None:
    """They split a dimension alike on both sides of a manual computation, or on one of them only."""
    axes = '"x", "y"' if states == "both" else '"x", ?'
    text = f"""
      sdy.mesh @mesh = <["x"=4, "y"=2]>
      func.func @main(%a: tensor<{size}xf32>) -> tensor<4xf32> {{
        %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{{axes}}}]>]
            out_shardings=[<@mesh, [{{{axes}}}]>] manual_axes={{"x"}} (%b: tensor<{size // 4}xf32>) {{
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0]
              : (tensor<{size // 4}xf32>, tensor<f32>) -> tensor<f32>
          %2 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
          sdy.return %2 : tensor<1xf32>
        }} : (tensor<{size}xf32>) -> tensor<4xf32>
        %3 = sdy.sharding_constraint %0 <@mesh, [{{"x", "y"}}]> : tensor<4xf32>
        return %3 : tensor<4xf32>
      }}"""
    array = np.arange(size, dtype=np.float32)
    (result,) = xdsl_xla.compile(text, devices=8)(array)
    np.testing.assert_array_equal(result, array.reshape(4, -1).sum(1))


def test_a_manual_axis_over_which_a_result_is_whole() -> None:
    """Nobody outside splits the result of the computation over it there: that is another sharding, which comes next."""
    text = """
      sdy.mesh @mesh = <["x"=2, "y"=2]>
      func.func @main(%a: tensor<4x4xf32>)
          -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}) {
        %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{}, {?}]>]
            manual_axes={"x"} (%b: tensor<2x4xf32>) {
          %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
            replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
          sdy.return %1 : tensor<4x4xf32>
        } : (tensor<4x4xf32>) -> tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
      }"""
    array = np.arange(16, dtype=np.float32).reshape(4, 4)
    (result,) = xdsl_xla.compile(text, devices=4)(array)
    np.testing.assert_array_equal(result, array)


def test_tokens_come_and_go() -> None:
    text = """
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%t: !stablehlo.token, %a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
          -> (tensor<4xf32>, !stablehlo.token) {
        %0:2 = sdy.manual_computation(%a, %t) in_shardings=[<@mesh, [{"x"}]>, <@mesh, []>]
            out_shardings=[<@mesh, [{"x"}]>, <@mesh, []>] manual_axes={"x"}
            (%b: tensor<2xf32>, %u: !stablehlo.token) {
          %1 = stablehlo.negate %b : tensor<2xf32>
          %2 = "stablehlo.outfeed"(%1, %u) <{outfeed_config = ""}> : (tensor<2xf32>, !stablehlo.token)
              -> !stablehlo.token
          sdy.return %1, %2 : tensor<2xf32>, !stablehlo.token
        } : (tensor<4xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
        return %0#0, %0#1 : tensor<4xf32>, !stablehlo.token
      }"""
    program = xdsl_xla.compile(text, devices=2)
    array = np.arange(4, dtype=np.float32)
    values, token = program(None, array)
    assert values.tolist() == [0, -1, -2, -3]
    assert token is TOKEN
    assert [row[1] for row in program.run_sharded([[None, array[:2]], [None, array[2:]]])] == [TOKEN, TOKEN]
    with pytest.raises(ArgumentError, match="takes 2 arguments, got 1"):
        program(array)


def test_tuples_are_refused() -> None:
    text = "func.func @main(%a: tuple<tensor<f32>>) -> tuple<tensor<f32>> { return %a : tuple<tensor<f32>> }"
    with pytest.raises(UnsupportedError, match="other than tensors of one size and tokens"):
        xdsl_xla.compile(text, devices=2)


@pytest.mark.parametrize("size", [4, 3, 5])
def test_parts_become_terms_of_a_sum_where_they_are(size: int) -> None:
    text = f"""
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%a: tensor<{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}})
          -> (tensor<{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}], unreduced={{"x"}}>}}) {{
        return %a : tensor<{size}xf32>
      }}"""
    program = xdsl_xla.compile(text, devices=2)
    array = np.arange(1, size + 1, dtype=np.float32)
    (splitting,) = program.input_splittings
    terms = [row[0] for row in program.run_sharded([[part] for part in splitting.split(array)])]
    half = -(-size // 2)
    assert terms[0].tolist() == [*array[:half].tolist(), *[0] * (size - half)]
    assert (terms[0] + terms[1]).tolist() == array.tolist()
    assert program(array)[0].tolist() == array.tolist()


@pytest.mark.parametrize("combiner", ["add", "maximum"])
def test_what_nothing_is_scattered_to_keeps_its_bits(combiner: str) -> None:
    """Subnormal numbers too, of an operand that every device has, while updates are split."""
    text = f"""
      sdy.mesh @mesh = <["x"=2]>
      func.func @main(%x: tensor<6xf32>, %i: tensor<4x1xi32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}},
                      %u: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}]>}}) -> tensor<6xf32> {{
        %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
            inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.{combiner} %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }}) : (tensor<6xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<6xf32>
        return %0 : tensor<6xf32>
      }}"""
    x = np.array([1e-40, 1, -1e-40, 2, -0.0, 3], np.float32)
    arguments = x, np.array([[1], [3], [3], [5]], np.int32), np.array([4, 5, 6, 7], np.float32)
    expected = xdsl_xla.compile(text, devices=1)(*arguments)[0]
    program = xdsl_xla.compile(text, devices=2)
    assert program.local.signature.inputs[2].shape == (2,)
    assert program(*arguments)[0].tobytes() == np.asarray(expected).tobytes()
    assert expected[0] == x[0] != 0


def test_constant_places_in_a_split_array() -> None:
    """Where a device looks for them depends on its number."""
    text = """
    sdy.mesh @mesh = <["x"=8]>
    func.func @main(%x: tensor<27x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<3x3xf32> {
      %places = stablehlo.constant dense<[[3], [99], [26]]> : tensor<3x1xi32>
      %0 = "stablehlo.gather"(%x, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
        : (tensor<27x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
      return %0 : tensor<3x3xf32>
    }"""
    x = np.arange(1, 82, dtype=np.float32).reshape(27, 3)
    (result,) = xdsl_xla.compile(text, devices=8, threads=1)(x)
    np.testing.assert_array_equal(result, x[[3, 26, 26]])
