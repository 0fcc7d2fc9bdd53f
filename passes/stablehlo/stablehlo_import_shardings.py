"""`stablehlo-import-shardings`: shardings in the text of HLO become those of the `sdy` dialect.

Programs of JAX before it used Shardy, and HLO, say in texts how values are spread: `mhlo.sharding` of arguments,
results and ops, custom calls of `@Sharding`, and the attributes `mhlo.spmd_parameters_shardings` and
`mhlo.spmd_output_sharding` of a module. All are read on one mesh, whose axes are what they divide devices by; one that
does not fit has its own mesh in place. What stands between calls of `@SPMDFullToShardShape` and
`@SPMDShardToFullShape` becomes the region of a `sdy.manual_computation`.

Needs: no calls of functions between these (`func-inline-calls`). A text that is no sharding raises
`InvalidProgramError`; local values that leave a computation, or global ones in it, `UnsupportedError`. Leaves: none of
these attributes and calls, but `sdy.sharding`, `sdy.sharding_constraint` and `sdy.manual_computation`. A value that has
an `sdy.sharding` already keeps it.

    func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> ... {
      %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,2]<=[4]}"} : ...

becomes

    sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2]>
    func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>}) -> ... {
      %0 = sdy.sharding_constraint %x <@mesh, [{"axis_0"}, {"axis_1"}]> : tensor<8x4xf32>

Source: openxla/xla, xla/service/spmd/shardy/stablehlo_round_trip and stablehlo_import, do the same in several passes.

Not a pattern pass: the mesh follows from all shardings of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ...dialects.editing import erase, insert_before, new_op, replace_uses, walk
from ...dialects.sdy.annotations import MeshOp, ShardingConstraintOp
from ...dialects.sdy.mesh_attributes import MeshAttr
from ...dialects.sdy.sharding_attributes import TensorShardingAttr, TensorShardingPerValueAttr
from ...dialects.sdy.shardings import Sharding
from ...dialects.sdy.values import SHARDING as SDY_SHARDING
from ...dialects.stablehlo.shapes import is_tensor
from ...errors import InvalidProgramError
from .imported_shardings.calls import CONSTRAINT, SHARDING, is_call, open_dimensions, sharding_of_call, shardings_in
from .imported_shardings.manual_regions import make_regions
from .imported_shardings.meshes import Axes
from .imported_shardings.text import HloSharding, TileSharding

PARTITIONS = "mhlo.num_partitions"
PARAMETERS, OUTPUT = "mhlo.spmd_parameters_shardings", "mhlo.spmd_output_sharding"


class StablehloImportShardingsPass(ModulePass):
    """Reads the shardings of HLO."""

    name = "stablehlo-import-shardings"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _give_to_entry(op)
        places = list(_all_shardings(op))
        if not places:
            return
        axes = Axes([sharding for _, sharding in places], _devices(op, places))
        _declare_mesh(op, axes)
        for function in op.body.block.ops:
            if isinstance(function, func.FuncOp):
                make_regions(function.body, axes)
        program = _Program(axes)
        for nested in list(walk(op)):
            program.rewrite(nested)


def _give_to_entry(module: ModuleOp) -> None:
    """What the module says of arguments and results of its entry becomes what those say."""
    parameters, output = module.attributes.pop(PARAMETERS, None), module.attributes.pop(OUTPUT, None)
    functions = [op for op in module.body.block.ops if isinstance(op, func.FuncOp)]
    entry = next((op for op in functions if op.sym_name.data == "main"), functions[0] if functions else None)
    if entry is None:
        return
    if isinstance(parameters, ArrayAttr):
        given = cast("ArrayAttr[Attribute]", parameters).data
        if len(given) == len(entry.function_type.inputs):
            entry.arg_attrs = _with_defaults(entry.arg_attrs, given)
    if isinstance(output, StringAttr):
        texts = _texts(output.data)
        if len(texts) == len(entry.function_type.outputs):
            entry.res_attrs = _with_defaults(entry.res_attrs, [StringAttr(text) for text in texts])


def _texts(text: str) -> list[str]:
    """The texts of the shardings of a tuple, or the one of a tensor."""
    return _ELEMENT.findall(text[1:]) if text.startswith("{{") else [text]


_ELEMENT = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
"""Braces, and those in them."""


def _with_defaults(
    dictionaries: ArrayAttr[DictionaryAttr] | None, texts: Sequence[Attribute]
) -> ArrayAttr[DictionaryAttr]:
    """The attributes of arguments or results, each with a sharding unless it has one."""
    entries: list[dict[str, Attribute]] = [{} for _ in texts]
    if dictionaries is not None:
        entries = [dict(entry.data) for entry in dictionaries]
    for entry, text in zip(entries, texts, strict=True):
        entry.setdefault(SHARDING, text)
    return ArrayAttr(map(DictionaryAttr, entries))


def _all_shardings(module: ModuleOp) -> Iterator[tuple[Operation, HloSharding]]:
    """Those of the program, each with the op on which it stands."""
    for op in walk(module):
        dictionaries = [op.attributes]
        if isinstance(op, func.FuncOp):
            dictionaries += [entry.data for entry in (*(op.arg_attrs or ()), *(op.res_attrs or ()))]
        for attributes in dictionaries:
            yield from ((op, sharding) for sharding in shardings_in(attributes, op) or ())


def _devices(module: ModuleOp, places: Sequence[tuple[Operation, HloSharding]]) -> int:
    """Of how many devices the program speaks. Raises `InvalidProgramError` where it contradicts itself."""
    declared = module.attributes.get(PARTITIONS)
    found = declared.value.data if isinstance(declared, IntegerAttr) and declared.value.data > 1 else None
    for op, sharding in places:
        size = int(sharding.devices.size) if isinstance(sharding, TileSharding) else found
        if found is not None and size != found:
            raise InvalidProgramError(f"'{op.name}' op: a sharding over {size} devices in a program for {found}", op)
        found = size
    return found or 1


def _declare_mesh(module: ModuleOp, axes: Axes) -> None:
    """Gives the mesh a symbol."""
    names = {op.properties["sym_name"] for op in module.body.block.ops if "sym_name" in op.properties}
    name = "mesh"
    while StringAttr(name) in names:
        name = f"{name}_of_hlo"
    mesh = new_op(MeshOp, properties={"sym_name": StringAttr(name), "mesh": MeshAttr(axes.mesh)})
    first = module.body.block.first_op
    assert first is not None
    insert_before(mesh, first)
    axes.mesh_name = name


class _Program:
    """The ops of a program, with shardings on the mesh."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes

    def rewrite(self, op: Operation) -> None:
        """What `op` says of shardings is in the words of the `sdy` dialect from here on."""
        if is_call(op, CONSTRAINT):
            self._rewrite_constraint(op)
            return
        if SHARDING in op.attributes:
            shardings = shardings_in(op.attributes, op) or ()
            del op.attributes[SHARDING]
            self._annotate(op, shardings)
        if isinstance(op, func.FuncOp):
            op.arg_attrs = self._entries(op.arg_attrs, op.function_type.inputs.data, op)
            op.res_attrs = self._entries(op.res_attrs, op.function_type.outputs.data, op)

    def _sharding(self, sharding: HloSharding, type: Attribute, op: Operation, is_open: Sequence[int] = ()) -> Sharding:
        rank = len(type.get_shape()) if is_tensor(type) else 0
        if isinstance(sharding, TileSharding) and sharding.rank != rank:
            raise InvalidProgramError(f"a sharding of {sharding.rank} dimensions for a value of type {type}", op)
        return self.axes.sharding(sharding, rank, is_open)

    def _rewrite_constraint(self, op: Operation) -> None:
        """A constraint that says nothing is its operand; one that nothing uses is in the shardings of a region now."""
        if op.results[0].first_use is None:
            erase(op)
            return
        sharding = self._sharding(sharding_of_call(op), op.results[0].type, op, open_dimensions(op))
        operand = op.operands[0]
        is_open = all(not dimension.axes and not dimension.is_closed for dimension in sharding.dimensions)
        is_whole = all(not dimension.axes for dimension in sharding.dimensions)
        is_local = set(self.axes.manual_axes(sharding_of_call(op))) == set(self.axes.names)
        if not sharding.unreduced and (is_open or (is_whole and is_local)):
            replace_uses(op.results[0], operand)
        else:
            properties = {"sharding": TensorShardingAttr.of(sharding)}
            constraint = new_op(ShardingConstraintOp, [operand], [op.results[0].type], properties, location=op.location)
            insert_before(constraint, op)
            replace_uses(op.results[0], constraint.results[0])
        erase(op)

    def _annotate(self, op: Operation, shardings: Sequence[HloSharding]) -> None:
        types = list(op.result_types)
        if not types or SDY_SHARDING in op.attributes or any(map(self.axes.manual_axes, shardings)):
            return
        if len(shardings) == 1 and len(types) > 1:
            shardings = list(shardings) * len(types)
        if len(shardings) != len(types):
            raise InvalidProgramError(f"'{op.name}' op: {len(shardings)} shardings for {len(types)} results", op)
        found = [self._sharding(sharding, type, op) for sharding, type in zip(shardings, types, strict=True)]
        op.attributes[SDY_SHARDING] = TensorShardingPerValueAttr.of(found)

    def _entries(
        self, dictionaries: ArrayAttr[DictionaryAttr] | None, types: Sequence[Attribute], op: Operation
    ) -> ArrayAttr[DictionaryAttr] | None:
        """The attributes of arguments or results."""
        if dictionaries is None:
            return None
        entries: list[DictionaryAttr] = []
        for dictionary, type in zip(dictionaries, types, strict=True):
            entry = dict(dictionary.data)
            shardings = shardings_in(entry, op)
            entry.pop(SHARDING, None)
            if shardings is not None and len(shardings) == 1:
                entry.setdefault(SDY_SHARDING, TensorShardingAttr.of(self._sharding(shardings[0], type, op)))
            entries.append(DictionaryAttr(entry))
        return ArrayAttr(entries) if any(entry.data for entry in entries) else None
