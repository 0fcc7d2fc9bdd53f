"""The shardings that stand on the values of a program, read and written as plain data.

On arguments and results of functions they are attributes of those, on results of ops the attribute `sdy.sharding` of
the op, and the ops of this dialect have theirs as properties. Meshes are looked up in the module.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, ShapedType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ...errors import InvalidProgramError
from .axis_attributes import ManualAxesAttr
from .mesh_attributes import MeshAttr
from .sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from .shardings import Mesh, Sharding, open_sharding

SHARDING = "sdy.sharding"
SHARDING_RULE = "sdy.sharding_rule"

MESH_OP = "sdy.mesh"
IN_SHARDINGS, OUT_SHARDINGS, MANUAL_AXES = "in_shardings", "out_shardings", "manual_axes"
OWN_SHARDINGS = ("sharding", "out_sharding")
"""The properties of ops of this dialect that are the sharding of their one result."""

Meshes = Mapping[str, Mesh]


def meshes_of(module: ModuleOp) -> dict[str, Mesh]:
    """The meshes that a module declares, by symbol."""
    meshes: dict[str, Mesh] = {}
    for op in module.body.block.ops:
        if op.name != MESH_OP:
            continue
        symbol, mesh = op.properties.get("sym_name"), op.properties.get("mesh")
        if isinstance(symbol, StringAttr) and isinstance(mesh, MeshAttr):
            meshes[symbol.data] = mesh.data
    return meshes


def module_of(op: Operation) -> ModuleOp:
    """The module around `op`."""
    place: Operation | None = op
    while place is not None and not isinstance(place, ModuleOp):
        place = place.parent_op()
    if place is None:
        raise InvalidProgramError(f"'{op.name}' op: is in no module, where its mesh would be", op)
    return place


def resolve(attribute: TensorShardingAttr, op: Operation, meshes: Meshes | None = None) -> Sharding:
    """The plain data of an attribute that stands on `op`; raises InvalidProgramError for a mesh that there is not."""
    name = attribute.mesh_name
    if name is None:
        return attribute.resolve(cast(Mesh, attribute.data.mesh))
    if meshes is None:
        meshes = meshes_of(module_of(op))
    mesh = meshes.get(name)
    if mesh is None:
        raise InvalidProgramError(f"'{op.name}' op: unknown mesh: @{name}", op)
    return attribute.resolve(mesh)


def sharding_of(value: SSAValue, meshes: Meshes | None = None) -> Sharding | None:
    """The sharding of `value`, None if there is none: of an argument of a function, or of the region of a
    `sdy.manual_computation` (there without its manual axes) or `sdy.named_computation`, or of a result of an op.
    `meshes` (`meshes_of`) saves looking for them.
    """
    if isinstance(value, BlockArgument):
        return _sharding_of_argument(value, meshes)
    assert isinstance(value, OpResult)
    return _resolve_optional(_attribute_of_result(value.op, value.index), value.op, meshes)


def set_sharding(value: SSAValue, sharding: Sharding | None) -> None:
    """Makes `sharding` that of an argument of a function, or of a result of an op; None takes it away. Other results of
    an op that had none get open shardings on the same mesh, which means the same.
    """
    attribute = None if sharding is None else TensorShardingAttr.of(sharding)
    if isinstance(value, BlockArgument):
        _set_on_argument(value, attribute)
        return
    assert isinstance(value, OpResult)
    place = _place_of_result(value.op)
    if place is None:
        _replace(value.op, value.op.attributes, SHARDING, value.index, attribute)
    elif attribute is None:
        raise ValueError(f"'{value.op.name}' has a sharding of its own, which cannot be taken away")
    elif place == OUT_SHARDINGS:
        _replace(value.op, value.op.properties, OUT_SHARDINGS, value.index, attribute)
    else:
        value.op.properties[place] = attribute


def result_shardings(function: FuncOp, meshes: Meshes | None = None) -> tuple[Sharding | None, ...]:
    """The shardings of the results of a function."""
    return tuple(
        _resolve_optional(_entry_of(function.res_attrs, index), function, meshes)
        for index in range(len(function.function_type.outputs))
    )


def set_result_sharding(function: FuncOp, index: int, sharding: Sharding | None) -> None:
    """Makes `sharding` that of a result of a function; None takes it away."""
    attribute = None if sharding is None else TensorShardingAttr.of(sharding)
    function.res_attrs = _with_entry(function.res_attrs, len(function.function_type.outputs), index, attribute)


def manual_axes_of(op: Operation) -> tuple[str, ...]:
    """The axes over which the region of `op` is local; none, unless it is a `sdy.manual_computation`."""
    axes = op.properties.get(MANUAL_AXES)
    return axes.data if isinstance(axes, ManualAxesAttr) else ()


def manual_axes_around(op: Operation) -> tuple[str, ...]:
    """The axes over which the program is local where `op` stands."""
    axes: tuple[str, ...] = ()
    place = op.parent_op()
    while place is not None:
        axes = (*manual_axes_of(place), *axes)
        place = place.parent_op()
    return axes


def _resolve_optional(attribute: TensorShardingAttr | None, op: Operation, meshes: Meshes | None) -> Sharding | None:
    return None if attribute is None else resolve(attribute, op, meshes)


def _place_of_result(op: Operation) -> str | None:
    """The property of an op of this dialect that has the shardings of its results."""
    if not op.name.startswith("sdy."):
        return None
    return next((name for name in (*OWN_SHARDINGS, OUT_SHARDINGS) if name in op.properties), None)


def _attribute_of_result(op: Operation, index: int) -> TensorShardingAttr | None:
    place = _place_of_result(op)
    found = op.attributes.get(SHARDING) if place is None else op.properties[place]
    if isinstance(found, TensorShardingPerValueAttr):
        return found.data[index] if index < len(found.data) else None
    return found if isinstance(found, TensorShardingAttr) and place is not None else None


def _replace(
    op: Operation, attributes: dict[str, Attribute], name: str, index: int, attribute: TensorShardingAttr | None
) -> None:
    """Makes `attribute` the one of result `index` in the list that `attributes[name]` is."""
    present = attributes.get(name)
    if isinstance(present, TensorShardingPerValueAttr) and len(present.data) == len(op.results):
        shardings = list(present.data)
    elif attribute is not None:
        shardings = [_open_on_mesh_of(attribute, result) for result in op.results]
    else:
        return
    if attribute is None and len(shardings) == 1:
        del attributes[name]
        return
    shardings[index] = _open_on_mesh_of(shardings[index], op.results[index]) if attribute is None else attribute
    attributes[name] = TensorShardingPerValueAttr(tuple(shardings))


def _open_on_mesh_of(attribute: TensorShardingAttr, value: SSAValue) -> TensorShardingAttr:
    rank = value.type.get_num_dims() if isinstance(value.type, ShapedType) else 0
    mesh = attribute.data.mesh
    named = (Mesh(()), rank, mesh) if isinstance(mesh, str) else (mesh, rank, None)
    return TensorShardingAttr.of(open_sharding(*named))


def _sharding_of_argument(value: BlockArgument, meshes: Meshes | None) -> Sharding | None:
    op = value.block.parent_op()
    if op is None or value.block.prev_block is not None:
        return None
    if isinstance(op, FuncOp):
        return _resolve_optional(_entry_of(op.arg_attrs, value.index), op, meshes)
    shardings = op.properties.get(IN_SHARDINGS)
    if not isinstance(shardings, TensorShardingPerValueAttr) or value.index >= len(shardings.data):
        return None
    return resolve(shardings.data[value.index], op, meshes).inside(manual_axes_of(op))


def _set_on_argument(value: BlockArgument, attribute: TensorShardingAttr | None) -> None:
    function = value.block.parent_op()
    if not isinstance(function, FuncOp) or value.block.prev_block is not None:
        raise ValueError("only arguments of functions have shardings of their own")
    function.arg_attrs = _with_entry(function.arg_attrs, len(function.function_type.inputs), value.index, attribute)


def _entry_of(dictionaries: ArrayAttr[DictionaryAttr] | None, index: int) -> TensorShardingAttr | None:
    if dictionaries is None or index >= len(dictionaries.data):
        return None
    found = dictionaries.data[index].data.get(SHARDING)
    return found if isinstance(found, TensorShardingAttr) else None


def _with_entry(
    dictionaries: ArrayAttr[DictionaryAttr] | None, count: int, index: int, attribute: TensorShardingAttr | None
) -> ArrayAttr[DictionaryAttr] | None:
    """The dictionaries of `count` arguments or results with the sharding of one of them replaced."""
    entries: list[dict[str, Attribute]] = [{} for _ in range(count)]
    if dictionaries is not None:
        entries = [dict(entry.data) for entry in dictionaries]
    if attribute is None:
        entries[index].pop(SHARDING, None)
    else:
        entries[index][SHARDING] = attribute
    return ArrayAttr(map(DictionaryAttr, entries)) if any(entries) else None
