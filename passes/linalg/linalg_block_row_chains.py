"""`linalg-block-row-chains`: contractions, and what happens row by row between them, run by blocks of rows.

Calls of kernels that stand one after the other and share leading dimensions (the batch and the rows of a contraction's
left operand) become a call of one kernel with a loop over blocks of rows. What is between the contractions, and nobody
else reads, is then a buffer of one block, in the cache of the thread that works on it: attention without its matrix of
scores in memory.

Needs level 4 in front of `linalg-tile-contractions`: kernels of fills and generics alone. Leaves kernels for one block
with the attribute `xrt.serial`: they are called by the threads of a parallel loop, so that their own loops are not
parallel. `Fusion.chain_block` decides.

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
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.linalg.ops import GenericOp, IndexOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...decisions.model import CostModel, cost_model_of
from ...dialects import locating, xrt
from ...dialects.editing import append, clone, erase, insert_before, new_op, walk
from ...dialects.shared_attributes import INDEX, function_type, i32_array, memref_type, symbol
from ...dialects.xrt_names import ENTRY, KERNEL, SERIAL
from ...ir import structured
from ...ir.affine_builder import AffineBuilder
from ...ir.functions import erase_uncalled, private_function
from ...ir.views import RESHAPES, whole_buffer_of
from .row_chains.parts import ROW, Space
from .row_chains.windows import Chain, Kernels, Link, Window


@dataclass(frozen=True)
class LinalgBlockRowChainsPass(ModulePass):
    """See the module docstring. `threads` 1 leaves no parallel loops."""

    name = "linalg-block-row-chains"

    threads: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        model = cost_model_of(ctx)
        functions = [inner for inner in op.body.block.ops if type(inner) is func.FuncOp and inner.body.blocks]
        kernels = {function.sym_name.data: function for function in functions if KERNEL in function.attributes}
        known, chains = Kernels(kernels), dict[Hashable, str]()
        for function in functions:
            if ENTRY not in function.attributes:
                continue
            calls = [inner for inner in walk(function) if type(inner) is func.CallOp]
            windows: dict[Block, dict[Space, Window]] = defaultdict(dict)
            for call in calls:
                if (block := call.parent) is None or (space := known.product(call.callee.string_value())[1]) is None:
                    continue
                if (window := windows[block].get(space)) is None:
                    window = windows[block][space] = Window(space, known, model)
                if (chain := window.chain_at(call, self.threads)) is not None:
                    _rewrite(op, chain, chains, self.threads, model)
                    windows[block].clear()
        if chains:
            erase_uncalled(op, kernels)


def _rewrite(module: ModuleOp, chain: Chain, known: dict[Hashable, str], threads: int, model: CostModel) -> None:
    """Replaces the calls of `chain` by one. The kernels of chains so far are `known`: equal ones are there once."""
    locating.at_any(link.call for link in reversed(chain.links))
    private = chain.private()
    buffers = [value for value in chain.roots() if value not in private]
    numbers = {value: number for number, value in enumerate([*buffers, *private])}
    calls = tuple(
        (link.kernel.sym_name.data, tuple(numbers[whole_buffer_of(operand)] for operand in link.call.operands))
        for link in chain.links
    )
    key = (calls, tuple(value.type for value in numbers))
    if key not in known:
        known[key] = f"chain_{len(known)}"
        _ChainKernel(module, chain, buffers, private, known[key]).write(threads, model)
    insert_before(new_op(func.CallOp, buffers, [], {"callee": symbol(known[key])}), chain.links[-1].call)
    operands = dict.fromkeys(operand for link in chain.links for operand in link.call.operands)
    for link in chain.links:
        erase(link.call)
    for operand in operands:
        _erase_unused(operand)


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
    """The kernel of one chain, which works on `buffers`; `private` ones are in scratch memory."""

    def __init__(
        self, module: ModuleOp, chain: Chain, buffers: list[SSAValue], private: list[SSAValue], name: str
    ) -> None:
        self.module, self.chain, self.rows, self.name = module, chain, chain.block_rows, name
        self.private = private
        self.block = Block(arg_types=[value.type for value in buffers])
        self.arguments: dict[SSAValue, SSAValue] = dict(zip(buffers, self.block.args, strict=True))
        self.blocks: dict[str, func.FuncOp] = {}

    def write(self, threads: int, model: CostModel) -> None:
        """Adds the kernel, and those for one block, to the module."""
        space, builder = self.chain.space, AffineBuilder(self.block)
        parallel = model.parallelism.worth_a_parallel_region(0, 2 * self.chain.multiply_adds(), threads)
        with builder.loops([space.batch, space.rows // self.rows], parallel) as variables:
            self._calls(builder, variables)
        append(self.module.body.block, private_function(self.name, self.block, {KERNEL: UnitAttr()}))

    def _calls(self, builder: AffineBuilder, variables: list[SSAValue | None]) -> None:
        zero = AffineExpr.constant(0)
        values = [value for value in variables if value is not None]
        places = iter(range(len(values)))
        matrix, block = (zero if value is None else AffineExpr.dimension(next(places)) for value in variables)
        row = block * self.rows
        space = self.chain.space
        scratch: dict[SSAValue, SSAValue] = {}
        for value in self.private:
            elements = prod(structured.shape_of(value)) // (space.batch * space.rows) * self.rows
            type = memref_type(structured.element_type(value), elements)
            properties = {"operandSegmentSizes": i32_array(0, 0)}
            scratch[value] = builder.add(new_op(memref.AllocOp, (), [type], properties))
        for link in self.chain.links:
            kernel = self._block_kernel(link)
            operands: list[SSAValue] = []
            arguments, types = link.kernel.body.block.args, kernel.body.block.arg_types
            for operand, argument, type in zip(link.call.operands, arguments, types, strict=False):
                buffer = whole_buffer_of(operand)
                part, shape = link.parts[argument], structured.shape_of(argument)
                start = zero if buffer in scratch else space.start(part, shape, matrix, row)
                source = scratch.get(buffer) or self.arguments[buffer]
                operands.append(builder.add(new_op(xrt.PartOp, [source, builder.evaluate(start, values)], [type])))
            if len(types) > len(operands):
                operands.append(builder.evaluate(row, values))
            builder.insert(new_op(func.CallOp, operands, [], {"callee": symbol(kernel.sym_name.data)}))

    def _block_kernel(self, link: Link) -> func.FuncOp:
        """The kernel of `link` for a block of rows; the first of these is its last argument, if the kernel asks."""
        name = f"{link.kernel.sym_name.data}_block_{self.name.removeprefix('chain_')}"
        if name in self.blocks:
            return self.blocks[name]
        mapping: dict[SSAValue, SSAValue] = {}
        kernel = self.blocks[name] = clone(link.kernel, mapping)
        kernel.properties["sym_name"] = StringAttr(name)
        kernel.attributes[SERIAL] = UnitAttr()
        block = kernel.body.block
        first: SSAValue | None = None
        for op in [inner for inner in walk(link.kernel) if type(inner) is IndexOp and _counts_rows(inner, link)]:
            index = mapping[op.result]
            first = first or block.insert_arg(INDEX, len(block.args))
            total = new_op(arith.AddiOp, [index, first], [INDEX])
            index.replace_uses_with_if(total.result, lambda use, total=total: use.operation is not total)
            copy = index.owner
            assert isinstance(copy, Operation) and copy.parent is not None
            copy.parent.insert_op_after(total, copy)
        for old, part in link.parts.items():
            shape = self.chain.space.block_shape(part, structured.shape_of(old), self.rows)
            Rewriter.replace_value_with_new_type(mapping[old], memref_type(structured.element_type(old), *shape))
        kernel.properties["function_type"] = function_type(tuple(block.arg_types))
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
