"""A group of ops becomes a kernel function, and a call of it takes their place.

The function takes the tensors the group reads, then one destination per result. What only prepares a destination,
computes an offset or what is inserted is cloned into it. Kernels that are equal up to names share one function, and so
do those that differ in constants (`sharing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import cast

from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IntegerAttr, StringAttr, TensorType
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from ....dialects import fourier, linalg_ext
from ....dialects.editing import append, clone, discard, discard_block, new_block, new_op, replace_all_uses, walk
from ....dialects.shared_attributes import UNIT, function_type, i64_attribute, symbol
from ....dialects.xrt_names import KERNEL, ROW_DIMS
from ....ir import structured
from ....ir.captures import captured
from ....ir.equality import Structures
from .group import Group
from .nodes import destinations, prepares_destination, prepares_source
from .sharing import kernel_form, kernel_key

_PRIVATE = StringAttr("private")


class KernelTable:
    """The kernels of a module: equal ones are emitted once."""

    def __init__(self) -> None:
        self.structures = Structures()
        self.kernels: list[func.FuncOp] = []
        self.counts: Counter[str] = Counter()
        self._alone: dict[Hashable, func.FuncOp | None] = {}
        """By form the only kernel that has it; None where there are several."""
        self._others: dict[Hashable, func.FuncOp] = {}
        """By key those that are not the only ones of their form."""

    def name_of(self, kernel: func.FuncOp, group: Group) -> str:
        """The symbol of the kernel of `group`; a new one is named after the kind of group and kept."""
        known = self._equal(kernel)
        if known is kernel:
            self.kernels.append(kernel)
            kind = _kind(group)
            kernel.properties["sym_name"] = StringAttr(f"{kind}_{self.counts[kind]}")
            self.counts[kind] += 1
        else:
            discard(kernel)
        return known.sym_name.data

    def _equal(self, kernel: func.FuncOp) -> func.FuncOp:
        """The kernel there is that does the same, or this one."""
        form = kernel_form(kernel)
        if form not in self._alone:
            self._alone[form] = kernel
            return kernel
        if (first := self._alone[form]) is not None:
            self._alone[form] = None
            self._others[kernel_key(first, self.structures)] = first
        return self._others.setdefault(kernel_key(kernel, self.structures), kernel)


class Outliner:
    """Turns one group into a kernel and a call."""

    def __init__(self, group: Group, table: KernelTable):
        self.group = group
        self.table = table
        self.members = set(group.members)
        self.inside = {inner for op in group.members for inner in walk(op)}
        self.inputs: list[SSAValue] = []
        self.mapping: dict[SSAValue, SSAValue] = {}
        self.body: list[Operation] = []
        self.block = new_block()

    def run(self) -> tuple[list[Operation], func.CallOp]:
        """The ops to put in the place of the group (fresh destinations), and the call, last."""
        escaping = [result for op in self.group.members for result in op.results if self._escapes(result)]
        self.destination_arguments: dict[SSAValue, SSAValue] = {}
        destinations: list[SSAValue] = []
        before: list[Operation] = []
        outputs = new_block([result.type for result in escaping])
        for result, argument in zip(escaping, outputs.args, strict=True):
            self.destination_arguments[result] = argument
            root = self._destination_root(result)
            if root is None:
                empty = new_op(tensor.EmptyOp, result_types=[result.type])
                before.append(empty)
                root = empty.results[0]
            destinations.append(root)
        for op in self.group.members:
            self._emit(op)
        replace_all_uses(
            {argument: self.block.insert_arg(argument.type, len(self.block.args)) for argument in outputs.args}
        )
        discard_block(outputs)
        self.body.append(new_op(func.ReturnOp, [self.mapping[r] for r in escaping]))
        for op in self.body:
            append(self.block, op)
        results = [result.type for result in escaping]
        kernel = new_op(
            func.FuncOp,
            properties={
                "sym_name": StringAttr("kernel"),
                "function_type": function_type(tuple(self.block.arg_types), tuple(results)),
                "sym_visibility": _PRIVATE,
            },
            regions=[Region(self.block)],
        )
        kernel.attributes[KERNEL] = UNIT
        if len(self.group.members) > 1:
            kernel.attributes[ROW_DIMS] = i64_attribute(self.group.row_dims)
        name = self.table.name_of(kernel, self.group)
        call = new_op(func.CallOp, [*self.inputs, *destinations], results, {"callee": symbol(name)})
        for result, new in zip(escaping, call.results, strict=True):
            new.name_hint = result.name_hint
        replace_all_uses(dict(zip(escaping, call.results, strict=True)))
        return before, call

    def _escapes(self, result: SSAValue) -> bool:
        """Whether `result` is read outside the group, or is an update of a tensor that others may still read."""
        if any(use.operation not in self.inside for use in result.uses):
            return True
        root = self._destination_root(result) if isinstance(result.type, TensorType) else None
        return root is not None and root.owner not in self.members

    def _destination_root(self, result: SSAValue) -> SSAValue | None:
        """The existing tensor that `result` updates, None where its destination is fresh."""
        destination = _destination_of(result)
        while isinstance(producer := destination.owner, Operation) and prepares_destination(producer):
            if isinstance(producer, tensor.EmptyOp):
                return None
            destination = _destination_of(destination)
        return destination

    def _emit(self, op: Operation) -> None:
        inserts = isinstance(op, tensor.InsertSliceOp)
        if not inserts:
            self._values(_read_values(op))
        into = {
            place: self._destination(op.operands[place], self.destination_arguments.get(result))
            for place, result in zip(destinations(op), op.results, strict=True)
            if isinstance(result.type, TensorType)
        }
        if inserts:
            # What it inserts is written in place, so behind what is in that place before.
            self._values(_read_values(op))
        copy = self._clone(op, into)
        if isinstance(op, GenericOp) and op in self.group.walks and len(self.group.members) > 1:
            move_rows_first(cast(GenericOp, copy), self.group.order_of(op))

    def _clone(self, op: Operation, into: Mapping[int, SSAValue]) -> Operation:
        """A copy of `op` that reads what stands in the kernel for what `op` reads, and writes `into` operands."""
        copy = clone(op, self.mapping)
        for place, destination in into.items():
            copy.operands[place] = destination
        for result in copy.results:
            result.name_hint = None
        self.body.append(copy)
        return copy

    def _destination(self, value: SSAValue, argument: SSAValue | None) -> SSAValue:
        """The destination `value` inside the kernel, rooted at the kernel's `argument` where the result leaves it."""
        preparing: list[Operation] = []
        while (
            isinstance(producer := value.owner, Operation)
            and not isinstance(producer, tensor.EmptyOp)
            and prepares_destination(producer)
        ):
            preparing.append(producer)
            value = _destination_of(value)
        if argument is not None:
            local = argument
        elif isinstance(producer, tensor.EmptyOp):
            copy = clone(producer)
            self.body.append(copy)
            local = copy.results[0]
        else:
            local = self._value(value)
        for op in reversed(preparing):
            self._values(_read_values(op))
            local = self._clone(op, {destinations(op)[0]: local}).results[0]
        return local

    def _values(self, values: Iterable[SSAValue]) -> None:
        for value in dict.fromkeys(values):
            self._value(value)

    def _value(self, value: SSAValue) -> SSAValue:
        """`value` inside the kernel: computed there, cloned (scalars), or an argument."""
        known = self.mapping.get(value)
        if known is not None:
            return known
        owner = value.owner
        type: Attribute = value.type
        if isinstance(owner, Operation) and prepares_source(owner):
            self._emit(owner)
            new = self.mapping[value]
        elif isinstance(type, TensorType) and not isinstance(owner, tensor.EmptyOp):
            new = self.block.insert_arg(cast(Attribute, type), len(self.block.args))
            self.inputs.append(value)
        else:
            assert isinstance(owner, Operation), "a kernel captures tensors and scalar computations only"
            self._values(owner.operands)
            new = self._clone(owner, {}).results[owner.results.index(value)]
        self.mapping[value] = new
        return new


def _destination_of(result: SSAValue) -> SSAValue:
    """The destination operand that `result` is a new version of."""
    op = cast(OpResult, result).op
    return op.operands[destinations(op)[op.results.index(result)]]


def _read_values(op: Operation) -> list[SSAValue]:
    """What `op` and its regions read, other than as a destination."""
    places, operands = destinations(op), op.operands
    read = [v for place, v in enumerate(operands) if place not in places or not isinstance(v.type, TensorType)]
    return [*read, *captured(op.regions)]


_KINDS: dict[type[Operation], str] = {
    FillOp: "fill",
    fourier.TransformOp: "fourier",
    linalg_ext.ScanOp: "scan",
    linalg_ext.SortOp: "sort",
    scf.ForOp: "scatter",
}


def _kind(group: Group) -> str:
    """The family name of a kernel: what its main op is."""
    generics = [op for op in group.members if isinstance(op, GenericOp)]
    if any(structured.is_contraction(op) for op in generics):
        rank = len(generics[0].iterator_types.data)
        return "convolution" if rank > 4 else "contraction"
    if any(any(structured.iterators(op)) for op in generics):
        return "rows" if len(generics) > 1 else "reduction"
    if generics:
        return "scalar" if group.scalar else "elementwise"
    return _KINDS.get(type(group.members[0]), "update")


def move_rows_first(op: GenericOp, order: list[int]) -> None:
    """Renumbers the loop dimensions of `op` in place: they are in `order`, those over the rows in front."""
    if order == list(range(len(order))):
        return
    renumbered: list[AffineExpr] = [AffineDimExpr(0)] * len(order)
    for new, old in enumerate(order):
        renumbered[old] = AffineDimExpr(new)
    op.properties["indexing_maps"] = ArrayAttr(
        AffineMapAttr(AffineMap(m.num_dims, 0, tuple(e.replace_dims_and_symbols(renumbered, ()) for e in m.results)))
        for m in structured.indexing_maps(op)
    )
    types = op.iterator_types.data
    op.properties["iterator_types"] = ArrayAttr(types[d] for d in order)
    for inner in walk(op.body):
        if isinstance(inner, IndexOp):
            inner.properties["dim"] = IntegerAttr(order.index(inner.dim.value.data), inner.dim.type)
