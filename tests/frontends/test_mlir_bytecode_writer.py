"""Bytecode that is written is read back to the same module, by this package and by mlir-opt."""

from __future__ import annotations

import base64
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    ArrayAttr,
    Builtin,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    i8,
)
from xdsl_xla.errors import InvalidProgramError, UnsupportedError, XlaError
from xdsl_xla.frontends.mlir_bytecode import read_bytecode, write_bytecode
from xdsl_xla.frontends.mlir_bytecode.stream import Stream
from xdsl_xla.frontends.mlir_bytecode.tables import varint
from xdsl_xla.pipelines import PIPELINES, expand
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.driver.printing import Form

CORPUS = Path(__file__).parents[1] / "corpus"
SLOW = ("complex_arith", "mlp_train_step", "resnet_grad", "sorts", "transformer_block", "transformer_block_grad")
PROGRAMS = [
    pytest.param(path.stem, marks=pytest.mark.slow if path.stem in SLOW else ())
    for path in sorted(CORPUS.glob("*.mlir"))
]
MLIR_OPT = shutil.which("mlir-opt-22")
GENERIC = Form(generic=True, value_names=False)
MERGED = Form(generic=True, value_names=False, properties_as_attributes=True)
"""With properties among the attributes, where bytecode of version 4 has them."""


def levels_of(name: str) -> list[ModuleOp]:
    """The program, and what each pass that changes it makes of it."""
    context = new_context()
    module = parse_module((CORPUS / f"{name}.mlir").read_text(), name, context)
    levels = [module.clone()]
    text = GENERIC.text(module)
    for module_pass in parse_passes(expand(PIPELINES["xla-cpu"]), defaults={"threads": (2,)}):
        module_pass.apply(context, module)
        if (after := GENERIC.text(module)) != text:
            levels.append(module.clone())
            text = after
    return levels


def _check_upstream(module: ModuleOp) -> None:
    """mlir-opt reads text and bytecode of `module` as the same. Schedules are printed as deep as their ops are, and
    are words to it: what is compared is all but blanks.
    """
    if MLIR_OPT is None:
        return
    forms = (MERGED.text(module).encode(), write_bytecode(module))
    command = [MLIR_OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic"]
    text, bytecode = (subprocess.run(command, input=form, capture_output=True, check=False) for form in forms)
    assert (bytecode.returncode, text.returncode) == (0, 0), (bytecode.stderr[:500], text.stderr[:500])
    assert bytecode.stdout.split() == text.stdout.split()


def _check(module: ModuleOp) -> None:
    got = read_bytecode(write_bytecode(module))
    verify_module(got)
    if GENERIC.text(got) != (text := GENERIC.text(module)):
        assert "llvm." in text  # Where passes set attributes that the ops have as properties.
        assert got.is_structurally_equivalent(parse_module(MERGED.text(module)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_level(name: str) -> None:
    levels = levels_of(name)
    assert len(levels) > 5
    for level in levels:
        _check(level)
    _check_upstream(ModuleOp([ModuleOp([level]) for level in levels]))


FORWARD = """
func.func @f(%x: i32) -> i32 {
  cf.br ^define
^use:
  %1 = arith.addi %0, %x : i32
  "test.region"() ({
    %2 = arith.addi %1, %0 : i32
  }) : () -> ()
  return %1 : i32
^define:
  %0 = arith.constant 1 : i32
  cf.br ^use
}
"""


def test_values_of_later_blocks() -> None:
    module = parse_module(
        FORWARD.replace('"test.region"', '"scf.execute_region"').replace(
            "%1, %0 : i32\n", "%1, %0 : i32\n    scf.yield\n"
        )
    )
    _check(module)
    _check_upstream(module)


def test_a_value_used_before_its_definition_in_a_block() -> None:
    module = parse_module(
        FORWARD.split("^use")[0].replace(
            "cf.br ^define", "%0 = arith.addi %x, %x : i32\n %1 = arith.addi %0, %x : i32\n return %1 : i32"
        )
        + "}"
    )
    function = module.body.block.first_op
    assert function is not None
    first = function.regions[0].block.first_op
    assert first is not None and first.next_op is not None
    second = first.next_op
    first.detach()
    function.regions[0].block.insert_op_after(first, second)
    with pytest.raises(InvalidProgramError, match=r"value number 2 is not defined where 'arith.addi' uses it"):
        read_bytecode(write_bytecode(module))


def test_locations_are_kept() -> None:
    module = parse_module('func.func private @f() loc(fused["a", "b.py":2:3])')
    got = read_bytecode(write_bytecode(module))
    form = Form(locations=True)
    assert form.text(got) == form.text(module)


WITH_RESOURCES = base64.b64decode(
    "TUzvUglNTElSMjIuMS44AAEfBwEFCQkBAwcDBQMJBQMLAy0XCwEXBwsbCwsLCxMPEw8BCxMXFwcLAmEfBQ0DBQcJCw0FDw0FBREF"
    "EwMDAxEhAQEDAwMVIQMDGwMJBxsFCQkJBQEFAQMLAUEETQUBEAEHBD8DAQUDEQEFBwQrAwUNBwMBDwMBBwMBEwMDBQQBBQEDBikD"
    "FwcZAwEbAwEdAwIBBR8bACENAIUtCQEAFQkRy8vLAACAPwAAAEADCQECAwQAlgIjDRELJRkhDQsTHQ0TDw8NCxFidWlsdGluAGZ1"
    "bmMAYXJpdGgAbW9kdWxlAHJldHVybgBjb25zdGFudAB2YWx1ZQBmdW5jdGlvbl90eXBlAHN5bV9uYW1lAG1haW4AaGVsbG8AbWxp"
    "cl9yZXByb2R1Y2VyAHZlcmlmeV9lYWNoAGRpc2FibGVfdGhyZWFkaW5nAG5vdGUAd2VpZ2h0cwBieXRlcwA="
)
"""By mlir-opt of LLVM 22, `--emit-bytecode --emit-bytecode-version=4`, of

    func.func @main() -> (tensor<2xf32>, tensor<2x2xi8>) {
      %0 = arith.constant dense_resource<weights> : tensor<2xf32>
      %1 = arith.constant dense_resource<bytes> : tensor<2x2xi8>
      return %0, %1 : tensor<2xf32>, tensor<2x2xi8>
    }
    {-#
      dialect_resources: { builtin: { weights: "0x040000000000803F00000040", bytes: "0x0100000001020304" } },
      external_resources: { mlir_reproducer: { verify_each: true, disable_threading: false, note: "hello" } }
    #-}
"""


def test_resources_are_constants() -> None:
    text = str(read_bytecode(WITH_RESOURCES))
    assert "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>" in text
    assert "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>" in text


def test_a_resource_of_another_size() -> None:
    before = b"\x11\xcb\xcb\xcb\x00\x00\x80\x3f"
    assert WITH_RESOURCES.count(before) == 1
    with pytest.raises(InvalidProgramError, match=r"'weights' has 4 bytes, tensor<2xf32> takes 8"):
        read_bytecode(WITH_RESOURCES.replace(before, b"\x09" + before[1:]))


def test_every_damaged_byte_is_an_error_or_a_program() -> None:
    for place in range(len(WITH_RESOURCES)):
        for value in (0, 0xFF, WITH_RESOURCES[place] ^ 2):
            damaged = WITH_RESOURCES[:place] + bytes([value]) + WITH_RESOURCES[place + 1 :]
            with suppress(XlaError):
                read_bytecode(damaged)


def test_resources_are_written() -> None:
    """Those that xDSL's own parser has read."""
    storage = Builtin.get_interface(OpAsmDialectInterface)
    assert storage is not None
    key = storage.declare_resource("written")
    storage.parse_resource(key, "0x" + "04000000" + "0000803F00000040")
    resource = DenseResourceAttr.from_params(key, TensorType(f32, [2]))
    module = ModuleOp([], {"n.a": ArrayAttr([resource, StringAttr("b")]), "n.c": resource})
    got = read_bytecode(write_bytecode(module))
    assert got.attributes["n.c"] == DenseIntOrFPElementsAttr.from_list(TensorType(f32, [2]), [1.0, 2.0])
    assert got.attributes["n.a"] == ArrayAttr([got.attributes["n.c"], StringAttr("b")])
    if MLIR_OPT is not None:
        done = subprocess.run(
            [MLIR_OPT, "--allow-unregistered-dialect"], input=write_bytecode(module), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr[:500]
        assert b'written: "0x' in done.stdout and b"0000803F00000040" in done.stdout


def test_what_is_refused() -> None:
    module = ModuleOp([])
    module.attributes["a"] = DenseResourceAttr.from_params("key", TensorType(i8, [1]))
    with pytest.raises(UnsupportedError, match=r"dense_resource<key>"):
        write_bytecode(module)
    module.attributes = {"sym_name": StringAttr("a")}
    module.properties = {"sym_name": StringAttr("b")}
    with pytest.raises(UnsupportedError, match=r"'builtin.module' has 'sym_name' as an attribute and as a property"):
        write_bytecode(module)


@pytest.mark.parametrize("value", [0, 1, 127, 128, *(1 << 7 * n for n in range(2, 10)), (1 << 56) - 1, (1 << 64) - 1])
def test_numbers(value: int) -> None:
    stream = Stream(varint(value), "number")
    assert stream.varint() == value and not stream.left
