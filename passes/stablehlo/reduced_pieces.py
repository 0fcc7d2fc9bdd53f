"""The function by which devices reduce a large value, a piece at a time.

    func.func private @reduced_pieces_0(%0: tensor<65536xf32>, %1: tensor<65536xf32>) -> tensor<65536xf32> {
      %2 = "stablehlo.map"(%0, %1) ({ the computation of the collective }) ...
      return %2
    }

It takes the pieces of all members. What a call of `xrt.reduced` does with it is in `runtime/devices/`.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import stablehlo
from ...dialects.editing import append, clone
from ...dialects.stablehlo.traits import Elementwise, ops_with
from ...ir.captures import are_closed

Reduction = (
    stablehlo.AllReduceOp | stablehlo.CollectiveReduceOp | stablehlo.ReduceScatterOp | stablehlo.CrossReplicaSumOp
)

_NAME = "reduced_pieces_"
_IN_ONE_LOOP = frozenset((*ops_with(Elementwise, stablehlo.OPS), stablehlo.ConstantOp, stablehlo.ReturnOp))
"""What a computation may hold that needs no memory of its own."""


def is_in_pieces(op: Reduction) -> bool:
    """Whether the computation can be a function of its own that is one loop: it uses nothing from outside, and does not
    stand in an asynchronous op, whose body is a program by itself.
    """
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, stablehlo.AsyncStartOp):
            return False
        parent = parent.parent_op()
    if isinstance(op, stablehlo.CrossReplicaSumOp):
        return True
    if any(type(inner) not in _IN_ONE_LOOP or inner.regions for inner in op.computation.block.ops):
        return False
    return are_closed([op.computation])


def reducing_function(op: Reduction, type: TensorType[Attribute], size: int) -> str:
    """The name of the function, in the module of `op`, that reduces pieces of `type` of `size` members."""
    function = _function(op, type, size)
    module: Operation = op
    while (parent := module.parent_op()) is not None:
        module = parent
    functions = {each.sym_name.data: each for each in cast(ModuleOp, module).ops if isinstance(each, func.FuncOp)}
    number = 0
    while (other := functions.get(f"{_NAME}{number}")) is not None:
        function.properties["sym_name"] = other.sym_name
        if other.is_structurally_equivalent(function):
            return other.sym_name.data
        number += 1
    function.properties["sym_name"] = StringAttr(f"{_NAME}{number}")
    append(cast(ModuleOp, module).body.block, function)
    return function.sym_name.data


def _function(op: Reduction, type: TensorType[Attribute], size: int) -> func.FuncOp:
    scalar = TensorType(type.element_type, [])
    inner = Block(arg_types=[scalar] * size)
    values: list[SSAValue] = list(inner.args)
    while len(values) > 1:  # in pairs and in order, as the reference combines them
        pairs = zip(values[0::2], values[1::2], strict=False)
        values = [*(_combined(op, *pair, inner) for pair in pairs), *values[len(values) // 2 * 2 :]]
    append(inner, stablehlo.ReturnOp(values[0]))
    block = Block(arg_types=[type] * size)
    mapped = stablehlo.MapOp(block.args, Region(inner), type)
    append(block, mapped)
    append(block, func.ReturnOp(mapped.result))
    function = func.FuncOp(_NAME, ([type] * size, [type]), Region(block), visibility="private")
    for each in function.walk():
        each.location = op.location
    return function


def _combined(op: Reduction, first: SSAValue, second: SSAValue, block: Block) -> SSAValue:
    """What the computation of `op` makes of two values, by ops at the end of `block`."""
    if isinstance(op, stablehlo.CrossReplicaSumOp):
        added = stablehlo.AddOp(first, second)
        append(block, added)
        return added.result
    computation = op.computation.block
    values: dict[SSAValue, SSAValue] = dict(zip(computation.args, (first, second), strict=True))
    for each in computation.ops:
        if isinstance(each, stablehlo.ReturnOp):
            return values.get(each.operands[0], each.operands[0])
        append(block, clone(each, values))
    raise AssertionError("a computation ends in a return")
