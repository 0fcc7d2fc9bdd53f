"""From a program on whole arrays to that of a device, and what is known of its arguments and results."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.dialects.func import FuncOp

from ...dialects.sdy.shardings import Sharding
from ...dialects.sdy.values import meshes_of, result_shardings, sharding_of
from ...dialects.xrt_names import GLOBAL_TYPE
from ...errors import ArgumentError, UnsupportedError
from ...pipelines import SPMD, expand
from ..compiler import Request
from ..entry import read_signature, select_entry
from ..extensions.definitions import NOTHING
from ..mlir_text import new_context, verify_module
from ..pass_manager import parse_passes, run_passes
from ..signature import Signature
from .splitting import Splitting

PARTITIONS = "mhlo.num_partitions"


class DeviceProgram(NamedTuple):
    """The program of a device."""

    module: ModuleOp
    entry: str
    signature: Signature
    """That of the program on whole arrays."""
    inputs: tuple[Splitting, ...]
    outputs: tuple[Splitting, ...]


def program_of_device(
    contents: str | bytes | ModuleOp, filename: str, devices: int, request: Request, *, verify: bool = False
) -> DeviceProgram:
    """The program of one of `devices` devices. Raises `ArgumentError` for a program that is for another number of them,
    `InvalidProgramError`, and `UnsupportedError` for one that cannot be partitioned.
    """
    from ..compilation import load_program

    context = new_context(definitions=request.definitions or NOTHING)
    context.cost_model = request.cost_model
    module = load_program(contents, filename, context)
    verify_module(module)
    entry = select_entry(module, request.entry)
    signature = read_signature(entry)
    if not signature.is_plain or signature.is_bounded:
        raise UnsupportedError(
            f"'@{signature.entry}' has arguments or results other than tensors of one size; with devices= all are",
            entry,
        )
    _check_meshes(module, devices)
    if devices > 1:
        _partition(context, module, request, verify)
    entry = select_entry(module, signature.entry)
    entry.attributes.pop(GLOBAL_TYPE, None)
    program = _described(module, entry, signature, devices)
    module.attributes[PARTITIONS] = IntegerAttr(devices, i32)
    return program


def _check_meshes(module: ModuleOp, devices: int) -> None:
    """Raises `ArgumentError` for meshes of another size. On one device all programs run."""
    for name, mesh in meshes_of(module).items():
        if devices > 1 and mesh.axes and mesh.size not in (1, devices):
            raise ArgumentError(f"argument devices: the mesh @{name} has {mesh.size} devices, not {devices}")


def _partition(context: Context, module: ModuleOp, request: Request, verify: bool) -> None:
    passes = parse_passes(expand(SPMD), None, {}, request.definitions or NOTHING)
    run_passes(context, module, passes, verify=verify)


def _described(module: ModuleOp, entry: FuncOp, signature: Signature, devices: int) -> DeviceProgram:
    meshes = meshes_of(module)
    shardings = [sharding_of(argument, meshes) for argument in entry.body.block.args]
    given: list[Sharding | None] = [None] * len(shardings) if devices == 1 else shardings
    results: list[Sharding | None] = list(result_shardings(entry, meshes))
    returned = [None] * len(results) if devices == 1 else results
    return DeviceProgram(
        module,
        signature.entry,
        signature,
        tuple(Splitting(spec.shape, each, devices) for spec, each in zip(signature.inputs, given, strict=True)),
        tuple(Splitting(spec.shape, each, devices) for spec, each in zip(signature.outputs, returned, strict=True)),
    )
