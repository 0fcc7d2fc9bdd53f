"""Libraries for other CPUs: AArch64 under an emulator, and x86-64 without what this one has."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.errors import ArgumentError, UnsupportedError
from xdsl_xla.runtime.ahead_of_time.library import Library, LibraryOptions, compile_library
from xdsl_xla.runtime.ahead_of_time.processors import cost_model, processor
from xdsl_xla.runtime.target_machines import host_processor

from .building import build, large, library_of, needs_compilers, run

CORPUS = Path(__file__).parents[2] / "corpus"

IS_X86 = host_processor().triple.startswith("x86_64")

EMULATOR, CROSS = shutil.which("qemu-aarch64"), shutil.which("aarch64-linux-gnu-gcc")

PROGRAMS = (
    "mlp_train_step",
    "transformer_block",
    "sorts",
    "ffts",
    "half_types",
    "unary_f32",
    "reductions",
    "control_flow",
)

TOLERANCES = {
    "float32": 2e-5,
    "float64": 1e-12,
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "complex64": 2e-5,
    "complex128": 1e-12,
}


def check(name: str, results: Sequence[bytes], library: Library) -> None:
    """The results are those that are stored."""
    with np.load(CORPUS / f"{name}.npz") as data:
        for index, (result, spec) in enumerate(zip(results, library.tables.outputs, strict=True)):
            got = np.frombuffer(result, spec.dtype).reshape(spec.shape)
            wanted = data[f"out{index}"].view(spec.dtype) if spec.dtype.name == "bfloat16" else data[f"out{index}"]
            if wanted.dtype.kind in "iub":
                np.testing.assert_array_equal(got, wanted)
                continue
            wide = np.complex128 if wanted.dtype.kind == "c" else np.float64
            got, wanted, rtol = got.astype(wide), wanted.astype(wide), TOLERANCES[wanted.dtype.name]
            scale = float(np.max(np.abs(wanted), where=np.isfinite(wanted), initial=0.0))
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol * 0.1 * scale)


def inputs_of(name: str, library: Library) -> list[np.ndarray]:
    with np.load(CORPUS / f"{name}.npz") as data:
        return [data[f"in{index}"] for index, _ in enumerate(library.tables.inputs)]


@pytest.mark.sample(2)
@pytest.mark.skipif(
    EMULATOR is None or CROSS is None, reason="no emulator and compiler (qemu-user, gcc-aarch64-linux-gnu)"
)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_aarch64(name: str, threads: int, tmp_path: Path) -> None:
    assert EMULATOR is not None and CROSS is not None
    library = library_of(CORPUS / f"{name}.mlir", triple="aarch64-linux-gnu", threads=threads)
    drivers = build(library, tmp_path, compiler=CROSS, cpp=False)
    arrays = inputs_of(name, library)
    results = run([EMULATOR, "-L", "/usr/aarch64-linux-gnu", str(drivers["C"])], library, arrays, tmp_path, threads)
    check(name, results, library)


@pytest.mark.skipif(
    EMULATOR is None or CROSS is None, reason="no emulator and compiler (qemu-user, gcc-aarch64-linux-gnu)"
)
def test_constants_on_aarch64(tmp_path: Path) -> None:
    assert EMULATOR is not None and CROSS is not None
    library = library_of(large(), triple="aarch64-linux-gnu")
    assert library.program.constants
    drivers = build(library, tmp_path, compiler=CROSS, cpp=False)
    x = np.ones((300, 40), np.float32)
    results = run([EMULATOR, "-L", "/usr/aarch64-linux-gnu", str(drivers["C"])], library, [x], tmp_path, 1)
    assert results == [(np.arange(12000, dtype=np.float32) + 1).tobytes(), np.arange(700).tobytes()]


@pytest.mark.sample(1)
@needs_compilers
@pytest.mark.skipif(not IS_X86, reason="x86-64")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_other_cpus_of_this_kind(cpu: str, tmp_path: Path) -> None:
    name = "transformer_block"
    library = library_of(CORPUS / f"{name}.mlir", cpu=cpu, threads=1)
    drivers = build(library, tmp_path)
    arrays = inputs_of(name, library)
    check(name, run([str(drivers["C"])], library, arrays, tmp_path, 1), library)


@pytest.mark.parametrize(
    ("triple", "cpu", "features", "bits", "registers", "fma"),
    [
        ("x86_64-linux-gnu", None, None, 128, 16, False),
        ("x86_64-linux-gnu", "haswell", None, 256, 16, True),
        ("x86_64-linux-gnu", "sandybridge", None, 256, 16, False),
        ("x86_64-linux-gnu", "x86-64-v4", None, 512, 32, True),
        ("x86_64-linux-gnu", "x86-64", "+avx2,+fma", 256, 16, True),
        ("aarch64-linux-gnu", None, None, 128, 32, True),
        ("aarch64-linux-gnu", "neoverse-v1", None, 128, 32, True),
    ],
)
def test_what_decisions_know(
    triple: str, cpu: str | None, features: str | None, bits: int, registers: int, fma: bool
) -> None:
    model = cost_model(processor(triple, cpu, features), 3)
    assert model is not None
    target = model.target
    assert (target.vector_bits, target.vector_registers, target.fma, target.cores) == (bits, registers, fma, 3)


@pytest.mark.parametrize(
    ("triple", "cpu", "expected"),
    [
        ("x86_64-linux-gnu", "skylake-avx512", ""),
        ("x86_64-linux-gnu", "cascadelake", "vpdpbusd vpdpwssd"),
        ("x86_64-linux-gnu", "znver5", "vdpbf16ps vpdpbusd vpdpwssd"),
        ("x86_64-linux-gnu", "alderlake", "vpdpbusd vpdpwssd"),
        ("aarch64-linux-gnu", "generic", ""),
        ("aarch64-linux-gnu", "neoverse-n1", "sdot udot"),
        ("aarch64-linux-gnu", "neoverse-v2", "bfdot sdot udot usdot"),
    ],
)
def test_dot_products(triple: str, cpu: str, expected: str) -> None:
    model = cost_model(processor(triple, cpu), 1)
    assert model is not None
    assert model.target.dot_products == tuple(expected.split())


@pytest.mark.skipif(
    EMULATOR is None or CROSS is None, reason="no emulator and compiler (qemu-user, gcc-aarch64-linux-gnu)"
)
@pytest.mark.parametrize("kind", ["bf16 bf16 f32", "i8 i8 i32", "ui8 ui8 i32", "ui8 i8 i32"])
@pytest.mark.parametrize("features", ["+dotprod", "+dotprod,+i8mm,+bf16"])
def test_dot_products_on_aarch64(kind: str, features: str, tmp_path: Path) -> None:
    assert EMULATOR is not None and CROSS is not None
    left, right, out = kind.split()
    text = f"""
func.func @main(%x: tensor<49x131x{left}>, %y: tensor<131x50x{right}>) -> tensor<49x50x{out}> {{
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<49x131x{left}>, tensor<131x50x{right}>) -> tensor<49x50x{out}>
  return %z : tensor<49x50x{out}>
}}"""  # noqa: E501
    library = library_of(text, triple="aarch64-linux-gnu", features=features)
    drivers = build(library, tmp_path, compiler=CROSS, cpp=False)
    random_numbers = np.random.default_rng(0)
    arrays = [
        random_numbers.integers(0 if type.startswith("u") else -9, 10, shape)
        for type, shape in ((left, (49, 131)), (right, (131, 50)))
    ]
    given = [array.astype(spec.dtype) for array, spec in zip(arrays, library.tables.inputs, strict=True)]
    emulator = [EMULATOR, "-cpu", "max", "-L", "/usr/aarch64-linux-gnu", str(drivers["C"])]
    (result,) = run(emulator, library, given, tmp_path, 1)
    found = np.frombuffer(result, library.tables.outputs[0].dtype).reshape(49, 50)
    np.testing.assert_array_equal(found, (arrays[0] @ arrays[1]).astype(found.dtype))


def test_this_cpu() -> None:
    assert processor() == host_processor()
    assert cost_model(processor(), 2) is None


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"triple": "riscv64-linux-gnu"}, UnsupportedError, "no libraries for 'riscv64-linux-gnu'"),
        ({"triple": "aarch64-apple-darwin"}, UnsupportedError, "they can be made for Linux"),
        ({"triple": "aarch64_be-linux-gnu"}, UnsupportedError, "no libraries"),
        ({"triple": "x86_64-linux-gnu", "cpu": "haswel"}, ArgumentError, "did you mean haswell"),
        ({"triple": "x86_64-linux-gnu", "features": "+avx3"}, ArgumentError, "no feature 'avx3'"),
        ({"features": "avx2"}, ArgumentError, r"expected '\+NAME,-NAME"),
        ({"triple": "aarch64-linux-gnu" if IS_X86 else "x86_64-linux-gnu", "cpu": "native"}, ArgumentError, "native"),
    ],
)
def test_unknown_cpus(given: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        processor(given.get("triple"), given.get("cpu"), given.get("features"))


def test_code_has_only_instructions_of_its_cpu() -> None:
    """LLVM says of each function for which CPU it is; a wider vector would be split into narrow ones, and slow."""
    source = CORPUS / "mlp_train_step.mlir"
    plain = compile_library(source, LibraryOptions("m", triple="x86_64-linux-gnu", threads=1))
    wide = compile_library(source, LibraryOptions("m", triple="x86_64-linux-gnu", cpu="x86-64-v4", threads=1))
    sizes = [sum(len(each.data) for each in library.objects) for library in (plain, wide)]
    assert sizes[0] != sizes[1]
    evex = b"\x62"
    counts = [b"".join(each.data for each in library.objects).count(evex) for library in (plain, wide)]
    assert counts[0] * 2 < counts[1]
