"""From a program on whole arrays to that of a device, and what is known of its arguments and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.dialects.func import FuncOp

from ...dialects.editing import walk
from ...dialects.sdy.sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from ...dialects.sdy.shardings import Mesh, Sharding
from ...dialects.sdy.values import meshes_of, result_shardings, sharding_of
from ...dialects.stablehlo.shapes import is_tensor
from ...dialects.xrt_names import GLOBAL_TYPE
from ...errors import ArgumentError, UnsupportedError
from ...pipelines import SPMD, Step, expand
from ..compiler import Request
from ..entry import read_signature, select_entry
from ..extensions.definitions import NOTHING
from ..pass_manager import parse_passes, run_passes
from ..program_context import new_context
from ..signature import Signature
from ..verifying import verify_module
from .partitioned import partitioned, refuse_partitioned, refuse_replicas
from .spread import Spread

PARTITIONS = "mhlo.num_partitions"

IMPORTED = next(number for number, step in enumerate(SPMD, 1) if step.spec == "stablehlo-import-shardings")
"""After so many steps the program says in the words of one dialect how values are spread."""


class DeviceProgram(NamedTuple):
    """The program of a device."""

    module: ModuleOp
    entry: str
    spread: Spread


def program_of_device(
    contents: str | bytes | ModuleOp,
    filename: str,
    devices: int,
    request: Request,
    *,
    verify: bool = False,
    takes_partitioned: bool = False,
) -> DeviceProgram:
    """The program of one of `devices` devices; one in which nothing is spread is that already. Raises `ArgumentError`
    for a program that is for another number of them, `InvalidProgramError`, and `UnsupportedError` for one that cannot
    be partitioned.

    takes_partitioned: one that is that of one device already, or of one replica, stays as it is, instead of an error
    """
    from ..compilation import load_program

    context = new_context(definitions=request.definitions or NOTHING)
    context.cost_model = request.cost_model
    module = load_program(contents, filename, context)
    verify_module(module)
    if not takes_partitioned:
        refuse_replicas(module)
    entry = select_entry(module, request.entry)
    signature = read_signature(entry)
    if signature.is_bounded or _has_tuples(signature):
        raise UnsupportedError(
            f"'@{signature.entry}' has arguments or results other than tensors of one size and tokens; with devices="
            " all are",
            entry,
        )
    if devices > 1:
        _run(SPMD[:IMPORTED], context, module, request, verify)
        found = partitioned(module)
        if found is not None and not takes_partitioned:
            refuse_partitioned(found, devices)
        sizes = _mesh_sizes(module, devices)
        if sizes and found is None:
            _run(SPMD[IMPORTED:], context, module, request, verify)
    for op in module.ops:
        op.attributes.pop(GLOBAL_TYPE, None)
    entry = select_entry(module, signature.entry)
    program = _described(module, entry, signature, devices)
    module.attributes[PARTITIONS] = IntegerAttr(devices, i32)
    return program


def _has_tuples(signature: Signature) -> bool:
    return any(isinstance(type, tuple) for type in (*(signature.argument_types or ()), *(signature.result_types or ())))


def _mesh_sizes(module: ModuleOp, devices: int) -> set[int]:
    """Those of more than one device. Raises `ArgumentError` where the meshes are not of `devices`."""
    meshes = list(_meshes(module))
    sizes = {mesh.size for mesh in meshes} - {1}
    if sizes - {devices}:
        raise ArgumentError(
            f"argument devices: the meshes of the program have {', '.join(map(str, sorted(sizes)))} devices, not"
            f" {devices}"
        )
    named = {mesh.device_ids[0] for mesh in meshes if mesh.is_maximal and mesh.device_ids}
    if named and max(named) >= devices:
        raise ArgumentError(f"argument devices: the program names device {max(named)}, counted from 0, of {devices}")
    return sizes


def _meshes(module: ModuleOp) -> Iterator[Mesh]:
    """Those that the module declares, and those that stand in shardings."""
    yield from meshes_of(module).values()
    for op in walk(module):
        attributes = [*op.attributes.values(), *op.properties.values()]
        if isinstance(op, FuncOp):
            attributes += [
                each for entry in (*(op.arg_attrs or ()), *(op.res_attrs or ())) for each in entry.data.values()
            ]
        for attribute in attributes:
            if isinstance(attribute, TensorShardingPerValueAttr | TensorShardingAttr):
                shardings = attribute.data if isinstance(attribute, TensorShardingPerValueAttr) else (attribute,)
                yield from (each.data.mesh for each in shardings if isinstance(each.data.mesh, Mesh))


def _run(steps: Sequence[Step], context: Context, module: ModuleOp, request: Request, verify: bool) -> None:
    passes = parse_passes(expand(steps), None, {}, request.definitions or NOTHING)
    run_passes(context, module, passes, verify=verify)


def _described(module: ModuleOp, entry: FuncOp, signature: Signature, devices: int) -> DeviceProgram:
    meshes = meshes_of(module)
    types = entry.function_type.outputs
    shardings = [sharding_of(argument, meshes) for argument in entry.body.block.args if is_tensor(argument.type)]
    found = zip(result_shardings(entry, meshes), types, strict=True)
    results = [sharding for sharding, type in found if is_tensor(type)]
    spread = Spread(devices, signature, _split(shardings, devices), _split(results, devices))
    return DeviceProgram(module, signature.entry, spread)


def _split(shardings: Sequence[Sharding | None], devices: int) -> tuple[Sharding | None, ...]:
    """None for what every device has all of, also where the program names one that has it (a maximal sharding)."""
    return tuple(
        None if devices == 1 or sharding is None or sharding.mesh.is_maximal else sharding for sharding in shardings
    )
