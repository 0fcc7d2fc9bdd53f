"""`stablehlo-lay-out-interface`: arguments and results in other orders of dimensions than row-major are transposed.

A caller says by `mhlo.layout_mode` how an argument or a result of a public function lies in memory: `"{0,1}"` lists
its dimensions from minor to major, and `"{0,1:E(4)}"` the bits of an element, too. Its type becomes that of the same
memory read row-major, and a transpose makes of it what the program computes with. The order `"auto"` is the program's
choice: of a result that is a transpose, the order that makes the transpose free; row-major of all others. `"default"`
is row-major.

Needs: level 0, static shapes where the order is another one. Leaves: no `mhlo.layout_mode` at public functions;
shardings of arguments and results go with their dimensions; an argument whose memory a result of another type was to
take may give it to any result. `interface_layouts` says which orders the pass takes. Raises `InvalidProgramError` for
an order that is none, and `UnsupportedError` for tiles and for shardings in texts of HLO.

    func.func @main(%x: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<2x3xf32> {
      %0 = stablehlo.negate %x : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }

becomes

    func.func @main(%x: tensor<3x2xf32>) -> tensor<2x3xf32> {
      %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
      %0 = stablehlo.negate %1 : tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }

Not a pattern pass: it rewrites the types of functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from ...dialects.element_sizes import element_bits
from ...dialects.sdy.sharding_attributes import TensorShardingAttr
from ...dialects.stablehlo import TransposeOp
from ...dialects.stablehlo.shapes import is_tensor, shape_of
from ...errors import InvalidProgramError, UnsupportedError

LAYOUT_MODE = "mhlo.layout_mode"
"""Of an argument or result: its order, `auto` or `default`."""

SHARDING, HLO_SHARDING, ALIAS, DONOR = "sdy.sharding", "mhlo.sharding", "tf.aliasing_output", "jax.buffer_donor"

Order = tuple[int, ...]
"""The dimensions of a tensor from major to minor."""


class Layouts(NamedTuple):
    """The orders of arguments and results; None is row-major."""

    arguments: tuple[Order | None, ...]
    results: tuple[Order | None, ...]


class StablehloLayOutInterfacePass(ModulePass):
    """See the module's documentation."""

    name = "stablehlo-lay-out-interface"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration and _is_public(function):
                lay_out(function)


def _is_public(function: FuncOp) -> bool:
    return function.sym_visibility is None or function.sym_visibility.data == "public"


def interface_layouts(function: FuncOp) -> Layouts:
    """The orders that the pass takes for a function. Raises as the pass does."""
    arguments = zip(function.args, _modes(function.arg_attrs, len(function.args)), strict=True)
    returned = _returned(function).operands
    results = zip(returned, _modes(function.res_attrs, len(returned)), strict=True)
    return Layouts(
        tuple(None if mode == "auto" else _order(mode, value, function) for value, mode in arguments),
        tuple(_free_order(value) if mode == "auto" else _order(mode, value, function) for value, mode in results),
    )


def _returned(function: FuncOp) -> ReturnOp:
    last = function.body.blocks[-1].last_op
    assert isinstance(last, ReturnOp)
    return last


def _modes(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> Iterator[str]:
    for number in range(count):
        mode = None if attributes is None else attributes.data[number].data.get(LAYOUT_MODE)
        yield mode.data if isinstance(mode, StringAttr) else "default"


def _order(mode: str, value: SSAValue, function: FuncOp) -> Order | None:
    if mode == "default":
        return None
    if is_tensor(value.type):
        mode = mode.replace(f":E({element_bits(value.type.get_element_type())})", "")
    if ":" in mode:
        raise UnsupportedError(f"{LAYOUT_MODE} = {mode!r}: tiles and other properties of memory", function)
    if not re.fullmatch(r"\{(\d+(,\d+)*)?\}", mode):
        raise InvalidProgramError(f"{LAYOUT_MODE} = {mode!r}: an order is like {{1,0}}", function)
    order = tuple(map(int, reversed(re.findall(r"\d+", mode))))
    rank = len(shape_of(value)) if is_tensor(value.type) else 0
    if sorted(order) != list(range(rank)):
        raise InvalidProgramError(f"{LAYOUT_MODE} = {mode!r}: not an order of {rank} dimensions", function)
    return _unless_row_major(order)


def _unless_row_major(order: Order) -> Order | None:
    return None if order == tuple(range(len(order))) else order


def _free_order(value: SSAValue) -> Order | None:
    """The order in which a result is what a transpose has as operand."""
    if not isinstance(value.owner, TransposeOp):
        return None
    permutation: tuple[int, ...] = value.owner.permutation.get_values()
    return _unless_row_major(inverse(permutation))


def inverse(order: Sequence[int]) -> Order:
    """The order that undoes another one."""
    return tuple(order.index(dim) for dim in range(len(order)))


def lay_out(function: FuncOp) -> Layouts:
    """Rewrite a function; its orders, as they were before."""
    layouts = interface_layouts(function)
    types = function.function_type
    inputs = [_laid_out(type, order) for type, order in zip(types.inputs, layouts.arguments, strict=True)]
    outputs = [_laid_out(type, order) for type, order in zip(types.outputs, layouts.results, strict=True)]
    last = _returned(function)
    for number, order in enumerate(layouts.arguments):
        if order is not None:
            _take_in_order(function, number, inputs[number], order)
    for number, order in enumerate(layouts.results):
        if order is not None:
            transposed = _transpose(last.operands[number], outputs[number], order)
            function.body.blocks[-1].insert_op_before(transposed, last)
            last.operands[number] = transposed.results[0]
    function.properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    shared = _shared(function, layouts, inputs, outputs)
    sides = (function.arg_attrs, layouts.arguments), (function.res_attrs, layouts.results)
    for property, (attributes, orders) in zip(("arg_attrs", "res_attrs"), sides, strict=True):
        if attributes is not None:
            changed = (_changed(each, order, function) for each, order in zip(attributes.data, orders, strict=True))
            function.properties[property] = ArrayAttr(changed)
    _note_donors(function, shared)
    return layouts


def _laid_out(type: Attribute, order: Order | None) -> Attribute:
    if order is None:
        return type
    tensor = cast("TensorType[Attribute]", type)
    shape = tensor.get_shape()
    return TensorType(tensor.element_type, [shape[dim] for dim in order], tensor.encoding)


def _transpose(value: SSAValue, type: Attribute, order: Sequence[int]) -> TransposeOp:
    permutation = DenseArrayBase.from_list(i64, list(order))
    return TransposeOp.create(operands=[value], result_types=[type], properties={"permutation": permutation})


def _take_in_order(function: FuncOp, number: int, type: Attribute, order: Order) -> None:
    block = function.body.blocks[0]
    old = block.args[number]
    new = block.insert_arg(type, number)
    new.name_hint = old.name_hint
    transposed = _transpose(new, old.type, inverse(order))
    old.replace_all_uses_with(transposed.results[0])
    block.erase_arg(old)
    if block.first_op is None:
        block.add_op(transposed)
    else:
        block.insert_op_before(transposed, block.first_op)


def _changed(attributes: DictionaryAttr, order: Order | None, function: FuncOp) -> DictionaryAttr:
    """The attributes of an argument or result: no order, and a sharding of the new dimensions."""
    kept = {name: value for name, value in attributes.data.items() if name != LAYOUT_MODE}
    if order is not None and HLO_SHARDING in kept:
        raise UnsupportedError(f"an order of dimensions beside the attribute {HLO_SHARDING}", function)
    sharding = kept.get(SHARDING)
    if order is not None and isinstance(sharding, TensorShardingAttr):
        dimensions = tuple(sharding.data.dimensions[dim] for dim in order)
        kept[SHARDING] = TensorShardingAttr(sharding.data._replace(dimensions=dimensions))
    return DictionaryAttr(kept)


def _shared(
    function: FuncOp, layouts: Layouts, inputs: Sequence[Attribute], outputs: Sequence[Attribute]
) -> dict[int, bool]:
    """The arguments whose memory is a result's, and whether it is still of one type and order with it."""
    found: dict[int, bool] = {}
    for number, attributes in enumerate(() if function.arg_attrs is None else function.arg_attrs.data):
        alias = attributes.data.get(ALIAS)
        if isinstance(alias, IntegerAttr) and 0 <= (result := alias.value.data) < len(outputs):
            found[number] = inputs[number] == outputs[result] and layouts.arguments[number] == layouts.results[result]
    return found


def _note_donors(function: FuncOp, shared: Mapping[int, bool]) -> None:
    if all(shared.values()):
        return
    attributes = [] if function.arg_attrs is None else list(function.arg_attrs.data)
    for number, is_alike in shared.items():
        if not is_alike:
            kept = {name: value for name, value in attributes[number].data.items() if name != ALIAS}
            attributes[number] = DictionaryAttr({**kept, DONOR: BoolAttr.from_bool(True)})
    function.properties["arg_attrs"] = ArrayAttr(attributes)
