"""`stablehlo-flatten-tuples`: a tuple is its elements, a token is nothing.

Functions, loops, branches, barriers and calls take and return the elements of tuples, nested ones too, in order. No
value is a token any more but that of one `create_token` a function, which is the operand of every op that needs one:
from here on the order of ops in a block is the order of their effects, and no pass may change it. So ops whose tokens
leave their order open, such as two infeeds of one token, happen in the order of the program.

Needs: nothing; calls need not be inlined. Leaves: no tuple types; `custom_call` has the attribute `xrt.signature`, its
type before, where it had tuples, and layouts for their elements. Any other op with tuples among its operands or results
is an `UnsupportedError`.

    func.func @main(%t: !stablehlo.token, %p: tuple<tensor<f32>, tuple<tensor<i32>>>) -> tuple<tensor<f32>> {
      %0 = stablehlo.get_tuple_element %p[0] : (tuple<tensor<f32>, tuple<tensor<i32>>>) -> tensor<f32>
      %1 = "stablehlo.outfeed"(%0, %t) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
      %2 = stablehlo.tuple %0 : tuple<tensor<f32>>
      return %2 : tuple<tensor<f32>>
    }

becomes

    func.func @main(%0: tensor<f32>, %1: tensor<i32>) -> tensor<f32> {
      %2 = stablehlo.create_token : !stablehlo.token
      %3 = "stablehlo.outfeed"(%0, %2) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
      return %0 : tensor<f32>
    }

Not a pattern pass: a value becomes several in functions, loops and branches at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, TupleType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects import stablehlo
from ...dialects.editing import erase, insert_before, new_op, replace_uses, walk
from ...dialects.stablehlo.attributes import TokenType
from ...dialects.stablehlo.layouts import layouts_of_leaves
from ...dialects.stablehlo.tuples import flat, is_flat, leaves, result_elements
from ...dialects.xrt_names import SIGNATURE
from ...errors import UnsupportedError

PASSED_ON: frozenset[type[Operation]] = frozenset(
    {
        stablehlo.WhileOp,
        stablehlo.IfOp,
        stablehlo.CaseOp,
        stablehlo.OptimizationBarrierOp,
        stablehlo.ReturnOp,
        func.CallOp,
        func.ReturnOp,
    }
)
"""Ops that pass values on: without their tokens, with the elements of tuples, they mean the same."""

WITH_TOKENS: frozenset[type[Operation]] = frozenset(
    {stablehlo.InfeedOp, stablehlo.OutfeedOp, stablehlo.SendOp, stablehlo.RecvOp, stablehlo.CustomCallOp}
)
"""Ops whose definition has tokens, which they keep."""


class _Flattening:
    """The rewriting of one function."""

    def __init__(self, function: func.FuncOp) -> None:
        self._function = function
        self._leaves: dict[SSAValue, Sequence[SSAValue]] = {}
        self._token: SSAValue | None = None
        self._dead: list[Operation] = []
        self._dead_arguments: list[BlockArgument] = []

    def run(self) -> None:
        for block in self._function.body.blocks:
            self._block(block)
        for op in reversed(self._dead):
            erase(op)
        for argument in self._dead_arguments:
            argument.block.erase_arg(argument)
        _flatten_signature(self._function)

    def _block(self, block: Block) -> None:
        for argument in tuple(block.args):
            if is_flat((argument.type,)):
                continue
            place = block.args.index(argument)
            elements = enumerate(leaves(argument.type), place + 1)
            self._leaves[argument] = [block.insert_arg(type, index) for index, type in elements]
            self._dead_arguments.append(argument)
        for op in tuple(block.ops):
            flat_types = is_flat(op.operand_types) and is_flat(op.result_types)
            for region in op.regions:
                for inner in region.blocks:
                    self._block(inner)
            if not flat_types:
                self._op(op)

    def _op(self, op: Operation) -> None:
        if isinstance(op, stablehlo.TupleOp):
            self._leaves[op.results[0]] = self._flat(op.operands)
        elif isinstance(op, stablehlo.GetTupleElementOp):
            index, types = op.index.value.data, cast(TupleType, op.operand.type).types.data
            start, end = (len(flat(types[:limit])) for limit in (index, index + 1))
            self._replace(op.result, self._leaves[op.operand][start:end])
        elif type(op) in PASSED_ON:
            self._rebuild(op, self._flat(op.operands))
        elif isinstance(op, stablehlo.CustomCallOp) and any(
            isinstance(type, TupleType) for type in (*op.operand_types, *op.result_types)
        ):
            self._custom_call(op)
        elif type(op) in WITH_TOKENS:
            op.operands = self._flat(op.operands, with_tokens=True)
            return
        elif not isinstance(op, stablehlo.CreateTokenOp | stablehlo.AfterAllOp):
            types = ", ".join(map(str, (*op.operand_types, *op.result_types)))
            raise UnsupportedError(f"{op.name} on tuples or tokens: {types}", op)
        self._dead.append(op)

    def _flat(self, values: Iterable[SSAValue], *, with_tokens: bool = False) -> list[SSAValue]:
        """The elements of `values`; `with_tokens` each token is that of the function, else tokens have none."""
        found: list[SSAValue] = []
        for value in values:
            if not isinstance(value.type, TokenType):
                found += self._leaves.get(value, (value,))
            elif with_tokens:
                found.append(self._function_token())
        return found

    def _function_token(self) -> SSAValue:
        if self._token is None:
            op = stablehlo.CreateTokenOp()
            op.location = self._function.location
            first = self._function.body.block.first_op
            assert first is not None
            insert_before(op, first)
            self._token = op.output
        return self._token

    def _rebuild(self, op: Operation, operands: Sequence[SSAValue]) -> Operation:
        """The op again, with other operands, and the elements of its results as results."""
        regions = [op.detach_region(region) for region in tuple(op.regions)]
        types = flat(op.result_types)
        new = new_op(type(op), operands, types, op.properties, op.attributes, regions=regions, location=op.location)
        insert_before(new, op)
        results = iter(new.results)
        for old in op.results:
            self._replace(old, [next(results) for _ in leaves(old.type)])
        return new

    def _replace(self, old: SSAValue, elements: Sequence[SSAValue]) -> None:
        """`elements` in the place of `old`, at once where that is one value."""
        if is_flat((old.type,)):
            replace_uses(old, elements[0])
        else:
            self._leaves[old] = elements

    def _custom_call(self, op: stablehlo.CustomCallOp) -> None:
        new = self._rebuild(op, self._flat(op.operands, with_tokens=True))
        new.attributes[SIGNATURE] = FunctionType.from_lists(op.operand_types, op.result_types)
        new.properties.pop("result_tilings", None)
        if op.operand_layouts is not None and op.result_layouts is not None:
            # Operands are the elements of tuples, and the tokens that are in none.
            operands = [
                leaf
                for layout, type in zip(op.operand_layouts, op.operand_types, strict=True)
                for leaf in ((layout,) if isinstance(type, TokenType) else layouts_of_leaves((layout,), (type,)))
            ]
            results = layouts_of_leaves(op.result_layouts, result_elements(op.result_types))
            new.properties["result_layouts"] = ArrayAttr(results)
            new.properties["operand_layouts"] = ArrayAttr(operands)


def _flatten_signature(function: func.FuncOp) -> None:
    types = function.function_type
    if is_flat((*types.inputs, *types.outputs)):
        return
    function.function_type = FunctionType.from_lists(flat(types.inputs), flat(types.outputs))
    for name, old in (("arg_attrs", types.inputs), ("res_attrs", types.outputs)):
        attributes = function.properties.get(name)
        if isinstance(attributes, ArrayAttr):
            pairs = zip(old, cast("ArrayAttr[DictionaryAttr]", attributes), strict=True)
            own = ((type, attribute if is_flat((type,)) else DictionaryAttr({})) for type, attribute in pairs)
            function.properties[name] = ArrayAttr([attribute for type, attribute in own for _ in leaves(type)])


def _has_work(function: func.FuncOp) -> bool:
    """Whether a tuple or a token comes in, or is the result of an op."""
    for op in walk(function):
        for result in op.results:
            if result.type.__class__ is TokenType or result.type.__class__ is TupleType:
                return True
    return not is_flat((*function.function_type.inputs, *function.function_type.outputs))


class StablehloFlattenTuplesPass(ModulePass):
    """Flatten every function. See the module's documentation."""

    name = "stablehlo-flatten-tuples"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and _has_work(function):
                _Flattening(function).run()
