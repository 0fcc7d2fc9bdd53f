"""`linalg-block-row-chains`: contractions, and what happens row by row between them, run by blocks of rows.

Calls of kernels that stand one after the other and share leading dimensions (the batch and the rows of a contraction's
left operand) become a call of one kernel with a loop over blocks of rows. What is between the contractions, and nobody
else reads, is then a buffer of one block, in the cache of the thread that works on it: attention without its matrix of
scores in memory.

Needs level 4 in front of `linalg-tile-contractions`: kernels of fills and generics alone. Leaves kernels for one block
with the attribute `xrt.serial`: they are called by the threads of a parallel loop, so that their own loops are not
parallel. `RowChains.chain_block` decides.

    func.call @contraction_0(%q, %k, %s) : (memref<8x512x64xf32>, memref<8x512x64xf32>, memref<8x512x512xf32>) -> ()
    func.call @rows_0(%s, %p) : (memref<8x512x512xf32>, memref<8x512x512xf32>) -> ()
    func.call @contraction_1(%p, %v, %out) : (memref<8x512x512xf32>, ...) -> ()
to
    func.call @chain_0(%q, %k, %v, %out) : (memref<8x512x64xf32>, ...) -> ()
    func.func private @chain_0(...) attributes {xrt.kernel} {
      affine.parallel (%i, %j) = (0, 0) to (8, 4) {
        %s = memref.alloc() : memref<65536xf32>
        %rows = xrt.part %q[%i * 32768 + %j * 8192] : memref<8x512x64xf32> -> memref<1x128x64xf32>
        ...
        func.call @contraction_0_block_0(%rows, %keys, %scores)
        func.call @rows_0_block_0(%scores, %weights)
        func.call @contraction_1_block_0(%weights, %values, %result)

This is the tiling of attention by rows of Rabe and Staats ("Self-attention does not need O(n^2) memory", 2021), for any
chain, with whole rows of scores instead of a running maximum.

Not a pattern pass: a chain is found, and its block size chosen, in the program around the kernels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IndexType, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...decisions.model import CostModel, cost_model_of
from ...dialects import xrt
from ...dialects.editing import append, erase, insert_before, new_op, walk
from ...dialects.shared_attributes import function_type, i32_array, memref_type, symbol
from ...dialects.xrt_names import ENTRY, KERNEL, SERIAL
from ...ir import structured
from ...ir.affine_builder import AffineBuilder
from ...ir.views import RESHAPES, whole_buffer_of
from .row_chains.chain import Chain, Link
from .row_chains.parts import ROW
from .row_chains.windows import Kernels, Windows

INDEX = IndexType()
_WRAPPING: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


@dataclass(frozen=True)
class LinalgBlockRowChainsPass(ModulePass):
    """See the module docstring. `threads` 1 leaves no parallel loops."""

    name = "linalg-block-row-chains"

    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = [inner for inner in op.body.block.ops if isinstance(inner, func.FuncOp) and inner.body.blocks]
        kernels = {f.sym_name.data: f for f in functions if KERNEL in f.attributes}
        blocking = _Blocking(op, kernels, self.threads, model)
        known = Kernels(kernels)
        for function in functions:
            if ENTRY in function.attributes:
                windows: dict[Block, Windows] = defaultdict(lambda: Windows(known, self.threads, model))
                for call in [inner for inner in walk(function) if isinstance(inner, func.CallOp)]:
                    block = call.parent
                    if block is not None and (chain := windows[block].chain_at(call)) is not None:
                        blocking.rewrite(chain)
                        windows[block].forget()
        blocking.drop_uncalled()


@dataclass
class _Blocking:
    """Rewrites chains of one module."""

    module: ModuleOp
    kernels: dict[str, func.FuncOp]
    threads: int
    model: CostModel
    known: dict[Hashable, str] = field(default_factory=dict[Hashable, str])
    """The kernels of chains so far: equal ones are there once."""

    def rewrite(self, chain: Chain) -> None:
        """Replaces the calls of `chain` by one."""
        private = chain.private()
        buffers = [value for value in chain.roots() if value not in private]
        numbers = {value: number for number, value in enumerate([*buffers, *private])}
        calls = tuple(
            (link.kernel.sym_name.data, tuple(numbers[whole_buffer_of(operand)] for operand in link.call.operands))
            for link in chain.links
        )
        key = (calls, tuple(value.type for value in numbers))
        if key not in self.known:
            self.known[key] = _ChainKernel(self, chain, buffers, private, len(self.known)).write()
        last = chain.links[-1].call
        insert_before(new_op(func.CallOp, buffers, [], {"callee": symbol(self.known[key])}), last)
        operands = dict.fromkeys(operand for link in chain.links for operand in link.call.operands)
        for link in chain.links:
            erase(link.call)
        for operand in operands:
            _erase_unused(operand)

    def drop_uncalled(self) -> None:
        """Erases the kernels that only chains called."""
        if not self.known:
            return
        called = {op.callee.string_value() for op in walk(self.module) if type(op) is func.CallOp}
        for name, kernel in self.kernels.items():
            if name not in called:
                erase(kernel)


def _erase_unused(value: SSAValue) -> None:
    """Erases the view or allocation that `value` is, and what it shows, if nothing uses them."""
    owner = value.owner
    if not isinstance(owner, Operation) or not isinstance(owner, (memref.AllocOp, *RESHAPES)):
        return
    if value.first_use is None and owner.parent is not None:
        source = whole_buffer_of(value)
        erase(owner)
        if source is not value:
            _erase_unused(source)


class _ChainKernel:
    """The kernel of one chain."""

    def __init__(
        self,
        blocking: _Blocking,
        chain: Chain,
        buffers: list[SSAValue],
        private: list[SSAValue],
        number: int,
    ) -> None:
        self.module, self.threads, self.model = blocking.module, blocking.threads, blocking.model
        self.chain, self.rows, self.number = chain, chain.block_rows, number
        self.private = private
        self.block = Block(arg_types=[value.type for value in buffers])
        self.arguments: dict[SSAValue, SSAValue] = dict(zip(buffers, self.block.args, strict=True))
        self.blocks: dict[Hashable, func.FuncOp] = {}

    def write(self) -> str:
        """Adds the kernel, and those for one block, to the module; its name."""
        space, builder = self.chain.space, AffineBuilder(self.block)
        sizes = [space.batch, space.rows // self.rows]
        if self.model.parallelism.worth_a_parallel_region(0, 2 * self.chain.multiply_adds(), self.threads):
            with builder.parallel(sizes) as variables:
                self._calls(builder, variables)
        else:
            with builder.loop(sizes[0]) as matrix, builder.loop(sizes[1]) as block:
                self._calls(builder, [matrix, block])
        append(self.block, new_op(func.ReturnOp))
        name = f"chain_{self.number}"
        kernel = new_op(
            func.FuncOp,
            properties={
                "sym_name": StringAttr(name),
                "function_type": function_type(tuple(self.block.arg_types)),
                "sym_visibility": StringAttr("private"),
            },
            attributes={KERNEL: UnitAttr()},
            regions=[Region(self.block)],
        )
        append(self.module.body.block, kernel)
        return name

    def _calls(self, builder: AffineBuilder, variables: list[SSAValue | None]) -> None:
        zero = AffineExpr.constant(0)
        values = [value for value in variables if value is not None]
        places = iter(range(len(values)))
        matrix, block = (zero if value is None else AffineExpr.dimension(next(places)) for value in variables)
        row = block * self.rows
        total = self.chain.space.batch * self.chain.space.rows
        scratch: dict[SSAValue, SSAValue] = {}
        for value in self.private:
            elements = prod(structured.shape_of(value)) // total * self.rows
            scratch[value] = builder.add(
                new_op(
                    memref.AllocOp,
                    result_types=[memref_type(structured.element_type(value), elements)],
                    properties={"operandSegmentSizes": i32_array(0, 0)},
                )
            )

        def index(expr: AffineExpr) -> SSAValue:
            return builder.evaluate(expr, values)

        for link in self.chain.links:
            kernel = self._block_kernel(link)
            operands: list[SSAValue] = []
            for operand, argument, type in zip(
                link.call.operands, link.kernel.body.block.args, kernel.body.block.arg_types, strict=False
            ):
                buffer = whole_buffer_of(operand)
                part, shape = link.parts[argument], structured.shape_of(argument)
                start = zero if buffer in scratch else self.chain.space.start(part, shape, matrix, row)
                source = scratch.get(buffer) or self.arguments[buffer]
                operands.append(builder.add(new_op(xrt.PartOp, operands=[source, index(start)], result_types=[type])))
            if len(kernel.body.block.args) > len(operands):
                operands.append(index(row))
            append(builder.block, new_op(func.CallOp, operands, [], {"callee": symbol(kernel.sym_name.data)}))

    def _block_kernel(self, link: Link) -> func.FuncOp:
        """The kernel of `link` for a block of rows; the first of these is its last argument, if the kernel asks."""
        name = f"{link.kernel.sym_name.data}_block_{self.number}"
        if name in self.blocks:
            return self.blocks[name]
        mapping: dict[SSAValue, SSAValue] = {}
        kernel = link.kernel.clone(mapping)
        kernel.properties["sym_name"] = StringAttr(name)
        kernel.attributes[SERIAL] = UnitAttr()
        block = kernel.body.block
        first: SSAValue | None = None
        for op in [inner for inner in walk(link.kernel) if isinstance(inner, IndexOp) and _counts_rows(inner, link)]:
            index = mapping[op.result]
            first = first or block.insert_arg(INDEX, len(block.args))
            total = new_op(arith.AddiOp, operands=[index, first], result_types=[INDEX], properties=dict(_WRAPPING))
            index.replace_uses_with_if(total.result, lambda use, total=total: use.operation is not total)
            copy = index.owner
            assert isinstance(copy, Operation) and copy.parent is not None
            copy.parent.insert_op_after(total, copy)
        for old, part in link.parts.items():
            shape = self.chain.space.block_shape(part, structured.shape_of(old), self.rows)
            Rewriter.replace_value_with_new_type(mapping[old], memref_type(structured.element_type(old), *shape))
        kernel.properties["function_type"] = function_type(tuple(block.arg_types))
        self.blocks[name] = kernel
        append(self.module.body.block, kernel)
        return kernel


def _counts_rows(op: IndexOp, link: Link) -> bool:
    """Whether `op`, in the kernel of `link`, is the number of a row."""
    generic = op.parent_op()
    assert isinstance(generic, GenericOp)
    number = structured.number_of_inputs(generic)
    out, part = structured.indexing_maps(generic)[number], link.parts[generic.operands[number]]
    return AffineExpr.dimension(op.dim.value.data) in {
        expr for expr, step in zip(out.results, part, strict=True) if step == ROW
    }
