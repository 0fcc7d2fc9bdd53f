"""Kernels that differ in scalar constants alone become one, to which the constants are passed.

    func.func private @elementwise_0(%x, %out) { %c = arith.constant 1.5 ... }
    func.func private @elementwise_1(%x, %out) { %c = arith.constant 2.5 ... }
to
    func.func private @elementwise_0(%x, %c: tensor<f32>, %out) ...

LLVM's time grows with the number of functions, and a layer often has numbers of its own. Only constants that say
nothing but a value are passed: none that makes an op simpler (-1, 0, 1, a divisor that is a power of two), that is part
of an index, or from which single elements are computed: kernels of these become part of the program.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import frexp, isfinite
from typing import cast

from xdsl.dialects import arith, func, math, memref, tensor
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, ArrayAttr, FloatAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ....decisions.kernels import Kernels
from ....dialects.dense import pack_element, splat_attribute
from ....dialects.editing import discard, erase, insert_before, new_op, ops_of, walk
from ....dialects.shared_attributes import function_type, i32_array, symbol, tensor_type
from ....dialects.xrt_names import ENTRY, ROW_DIMS
from ....ir import structured
from ....ir.equality import Structures
from .nodes import is_scalar

_FLOAT_OPS = {
    arith.AddfOp,
    arith.SubfOp,
    arith.MulfOp,
    arith.DivfOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.CmpfOp,
    arith.SelectOp,
    math.FmaOp,
}
_INTEGER_OPS = {
    arith.AddiOp,
    arith.SubiOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.CmpiOp,
    arith.SelectOp,
}
"""What does the same work for any value of its operands."""


def share_kernels(
    module: ModuleOp, kernels: Sequence[func.FuncOp], structures: Structures, model: Kernels
) -> list[func.FuncOp]:
    """`kernels`, which functions of `module` call, without those that another one stands for now."""
    families: dict[Hashable, list[_Member]] = {}
    forms = [kernel_form(kernel) for kernel in kernels]
    counts = Counter(forms)
    for kernel in [kernel for kernel, form in zip(kernels, forms, strict=True) if counts[form] > 1]:
        if constants := [op for op in kernel.body.block.ops if isinstance(op, arith.ConstantOp) and _is_a_value(op)]:
            families.setdefault(kernel_key(kernel, structures, constants), []).append((kernel, constants))
    callers: _Callers | None = None
    gone: set[Operation] = set()
    for family in families.values():
        columns = zip(*(constants for _, constants in family), strict=True)
        values = (tuple(constant.value for constant in column) for column in columns)
        differing = {number: column for number, column in enumerate(values) if len(set(column)) > 1}
        if 0 < len(set(differing.values())) <= model.passed_constants:
            callers = callers or _Callers(module)
            _merge(family, differing, callers)
            gone.update(kernel for kernel, _ in family[1:])
    for kernel in gone:
        discard(kernel)
    return [kernel for kernel in kernels if kernel not in gone]


_Member = tuple[func.FuncOp, list[arith.ConstantOp]]
"""A kernel and those of its constants that may be passed to it."""
_Values = tuple[Attribute, ...]
"""Those of one constant in the members of a family."""


def kernel_form(kernel: func.FuncOp) -> Hashable:
    """Equal for kernels whose keys may be equal, and found sooner."""
    ops = tuple([op.__class__ for op in ops_of(kernel.body.block)])
    return kernel.function_type, kernel.attributes.get(ROW_DIMS), ops


def kernel_key(kernel: func.FuncOp, structures: Structures, differing: Iterable[Operation] = ()) -> Hashable:
    """Equal for kernels that do the same, but for the values of the constants `differing`."""
    inside = structures.inside(kernel, {}, lambda _: None, frozenset(differing))
    return kernel.function_type, kernel.attributes.get(ROW_DIMS), inside


def _is_a_value(constant: arith.ConstantOp) -> bool:
    """Whether `constant` is a number that loops compute with, and that no other number would make simpler."""
    value = constant.value
    if isinstance(value, FloatAttr):
        number, ops = value.value.data, _FLOAT_OPS
        if not isfinite(number):
            return False
    elif isinstance(value, IntegerAttr) and isinstance(value.type, IntegerType) and value.type.width.data > 1:
        number, ops = value.value.data, _INTEGER_OPS
    else:
        return False
    uses = list(constant.result.uses)
    return (
        number not in (-1, 0, 1)
        and bool(uses)
        and all(
            type(use.operation) in ops
            and not (type(use.operation) is arith.DivfOp and use.index == 1 and abs(frexp(number)[0]) == 0.5)
            and _is_in_a_loop(use.operation, constant)
            for use in uses
        )
    )


def _is_in_a_loop(op: Operation, constant: arith.ConstantOp) -> bool:
    """Whether `op` is in the body of a generic that can take `constant` as an operand and be what it is."""
    generic = op.parent_op()
    if not isinstance(generic, GenericOp) or generic.parent is not constant.parent or is_scalar(generic):
        return False
    type = constant.result.type
    if all(structured.element_type(operand) != type for operand in generic.operands):
        return False
    return isinstance(type, AnyFloat) or not any(
        isinstance(inner, IndexOp | tensor.ExtractOp | memref.LoadOp) for inner in generic.body.block.ops
    )


class _Callers:
    """The calls of kernels, and constants in front of them."""

    def __init__(self, module: ModuleOp) -> None:
        self.calls: dict[str, list[tuple[func.CallOp, Block]]] = {}
        """By name of the kernel, with the block that the program begins with."""
        self._constants: dict[tuple[Block, Attribute], SSAValue] = {}
        self._beginnings: dict[Block, Operation] = {}
        for function in module.body.block.ops:
            if isinstance(function, func.FuncOp) and ENTRY in function.attributes:
                block = function.body.block
                assert block.first_op is not None
                self._beginnings[block] = block.first_op
                for op in walk(function):
                    if isinstance(op, func.CallOp):
                        self.calls.setdefault(op.callee.string_value(), []).append((op, block))

    def constant(self, block: Block, value: Attribute) -> SSAValue:
        """`value` as a tensor, made where the program begins: no loop makes it again."""
        known = self._constants.get((block, value))
        if known is None:
            scalar = cast("FloatAttr[AnyFloat] | IntegerAttr[IntegerType]", value)
            type = tensor_type(scalar.type)
            dense = splat_attribute(type, pack_element(scalar.type, scalar.value.data))
            op = new_op(arith.ConstantOp, (), [type], {"value": dense})
            insert_before(op, self._beginnings[block])
            known = self._constants[block, value] = op.results[0]
        return known


def _merge(family: Sequence[_Member], differing: Mapping[int, _Values], callers: _Callers) -> None:
    """Makes the first kernel of `family` stand for all."""
    kernel, constants = family[0]
    block, results = kernel.body.block, kernel.function_type.outputs.data
    place = len(block.args) - len(results)
    arguments: dict[_Values, BlockArgument] = {}
    for number, values in differing.items():
        if values not in arguments:
            type = tensor_type(constants[number].result.type)
            arguments[values] = block.insert_arg(type, place + len(arguments))
        _read(constants[number], arguments[values])
    kernel.properties["function_type"] = function_type(tuple(block.arg_types), results)
    callee = symbol(kernel.sym_name.data)
    for number, (member, _) in enumerate(family):
        for call, beginning in callers.calls.get(member.sym_name.data, ()):
            passed = [callers.constant(beginning, values[number]) for values in arguments]
            call.operands = [*call.operands[:place], *passed, *call.operands[place:]]
            call.properties["callee"] = callee


def _read(constant: arith.ConstantOp, argument: BlockArgument) -> None:
    """Lets the generics that use `constant` read `argument` instead."""
    generics = dict.fromkeys(use.operation.parent_op() for use in constant.result.uses)
    for generic in generics:
        assert isinstance(generic, GenericOp)
        count = structured.number_of_inputs(generic)
        maps = structured.indexing_maps(generic)
        maps.insert(count, AffineMap(maps[0].num_dims, 0, ()))
        generic.operands = [*generic.operands[:count], argument, *generic.operands[count:]]
        generic.properties["indexing_maps"] = ArrayAttr(map(AffineMapAttr, maps))
        generic.properties["operandSegmentSizes"] = i32_array(count + 1, len(generic.operands) - count - 1)
        body = generic.body.block
        element = body.insert_arg(constant.result.type, count)
        constant.result.replace_uses_with_if(element, lambda use, body=body: use.operation.parent is body)
    erase(constant)
