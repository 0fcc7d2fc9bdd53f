"""`llvm-choose-tiers`: how much work of LLVM's each function is worth.

LLVM takes the most time of a compilation, and the passes of this compiler have already done much of what its pipelines
are for. Functions are not inlined into each other, so each of them is given a `Tier` (`dialects/llvm_parts.py`): what
it is made of, whether it loops, and what over.

    llvm.func internal @softmax(%x: !llvm.ptr, %out: !llvm.ptr) { ... }

to

    llvm.func internal @softmax(%x: !llvm.ptr, %out: !llvm.ptr) attributes {xrt.tier = "loops"} { ... }

Needs blocks in an order in which only loops jump backwards, as `convert-to-llvm` leaves them, and the marks of
`llvm-hide-counters` and `llvm-mark-short-loops` where these have run. Leaves everything else as it is.

Not a pattern pass: what it does is decided for a function as a whole.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import StringAttr, VectorType
from xdsl.ir import Block

from ...decisions.llvm import LlvmTiers
from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...dialects.llvm_extras import ExtractElementOp, FCmpOp
from ...dialects.llvm_parts import Tier
from ...dialects.xrt_names import BODY, REPEATED, TIER, UNROLL
from ...ir.function_passes import BlocksPass
from ...ir.llvm_loops import HIDDEN_COUNTER, NO_INSTRUCTION, SPLIT_LANES, is_in_order, loops_of, step_count
from ...ir.vectors import is_copy, is_tile, lanes

_ARITHMETIC = {
    *(llvm.FAddOp, llvm.FSubOp, llvm.FMulOp, llvm.FDivOp, llvm.FRemOp, llvm.FNegOp, FCmpOp, llvm.FMAOp, llvm.FAbsOp),
    *(llvm.FFloorOp, llvm.FSqrtOp, llvm.FExpOp, llvm.FExp2Op, llvm.FLogOp, llvm.FLog2Op, llvm.FPowOp, llvm.FSinOp),
    llvm.FCosOp,
}
_INTRINSICS = ("llvm.f", "llvm.exp", "llvm.log", "llvm.pow", "llvm.sin", "llvm.cos", "llvm.sqrt")
"""How the names of intrinsics begin that compute, or rotate."""


class _Contents(NamedTuple):
    """What a function is made of."""

    lines: int
    """Its instructions and blocks."""
    nested: int
    """How many of its loops are in each other."""
    scalar: bool
    """Whether its loops are over elements, not over vectors or calls."""
    hidden: bool
    """Whether all its innermost loops count in vectors of one lane and are vector code: it needs no optimiser."""
    computes: bool
    """Whether it does arithmetic on floats or vectors."""
    calls: bool


_OTHER_OPERANDS = {
    *(llvm.StoreOp, llvm.CallOp, llvm.CallIntrinsicOp, llvm.BitcastOp, llvm.ReturnOp, llvm.MaskedStoreOp),
    *(ExtractElementOp, llvm.ShuffleVectorOp, llvm.ExtractValueOp, llvm.InsertValueOp),
    *(llvm.VectorReduceFAddOp, llvm.VectorReduceFMulOp),
}
"""Ops that may take vectors of other lanes than they give."""


def _contents(blocks: Sequence[Block]) -> _Contents:
    """A loop is a jump backwards. Loops over elements that matter are those of one block; in vector code there may be
    branches, and the head of a loop whose bound is not known is a block of its own.
    """
    lines = 0
    stores = computes = calls = counters = False
    widest_of: list[int] = []
    """By block the lanes of the widest vector in an instruction; 0 if there is none."""
    copying = set[int]()
    """The blocks that copy a row."""
    for block in blocks:
        arguments = block.args if widest_of else ()
        widest = max(map(lanes, arguments), default=0)
        counters = counters or any(argument.type == HIDDEN_COUNTER for argument in arguments)
        lines += 1 + len(arguments)
        for op in ops_of(block):
            cls = op.__class__
            if cls in NO_INSTRUCTION:
                continue
            lines += 1
            if cls is llvm.GEPOp or op._successors:
                continue
            for value in op.results:
                if value._type.__class__ is VectorType and (count := lanes(value)) > widest:
                    widest = count
            if cls in _OTHER_OPERANDS:
                for value in op._operands:
                    if value._type.__class__ is VectorType and (count := lanes(value)) > widest:
                        widest = count
                stores = stores or cls is llvm.StoreOp
                if cls is llvm.CallOp:
                    calls = True
                    widest = max(widest, SPLIT_LANES if is_tile(op) else 0)
                if cls is llvm.CallIntrinsicOp:
                    computes |= cast(StringAttr, op.properties["intrin"]).data.startswith(_INTRINSICS)
                    copying |= {len(widest_of)} if is_copy(op) else set()
            elif cls in _ARITHMETIC:
                computes = True
        widest_of.append(widest)
    scalar = vector = gathers = unrolled = False
    inside = 0
    """Where a loop has to start to have none of those before in it."""
    loops = loops_of(blocks)
    for start, end, branch in loops:
        unrolled = unrolled or UNROLL in branch.attributes
        if start >= inside:
            is_vector = any(widest_of[start : end + 1]) or not copying.isdisjoint(range(start, end + 1))
            vector = vector or is_vector
            scalar = scalar or (start == end and not is_vector and not is_in_order(blocks[end]))
            gathers = gathers or (start == end and widest_of[end] == 1 and end not in copying)
        inside = start + 1
    return _Contents(
        lines,
        _depth([loop.start for loop in loops]),
        scalar or unrolled or (bool(loops) and not vector and stores),
        counters and not gathers,
        computes or any(widest_of),
        calls,
    )


def _depth(begins: Sequence[int]) -> int:
    """How many loops are in each other, which begin there, in the order of their ends.

    >>> _depth([]), _depth([1, 4]), _depth([2, 4, 1])
    (0, 1, 2)
    """
    inner: list[tuple[int, int]] = []
    """Where the loops so far begin that are in no other, and how many are in each other there."""
    for begin in begins:
        nested = 0
        while inner and inner[-1][0] >= begin:
            nested = max(nested, inner.pop()[1])
        inner.append((begin, nested + 1))
    return max((nested for _, nested in inner), default=0)


def _tier(function: llvm.FuncOp, blocks: Sequence[Block], model: LlvmTiers) -> Tier:
    contents = _contents(blocks)
    repeated = REPEATED in function.attributes
    internal = function.linkage.linkage.data == "internal"
    is_program = not internal or function.sym_name.data.endswith(BODY)
    steps = step_count(blocks) if internal and not repeated and not contents.calls else None
    if steps is not None and model.is_brief(steps):
        # It is over after some hundred steps, and not worth LLVM's time.
        return Tier.PROGRAM
    if contents.nested > model.most_nested_loops:
        return Tier.PROGRAM if is_program else Tier.TILES
    if contents.scalar and not (is_program and contents.lines > model.most_lines_of_loops):
        return Tier.LOOPS
    if contents.hidden:
        return Tier.TILES
    return Tier.VECTORS if contents.nested or repeated or contents.computes else Tier.PROGRAM


_NAMES = {tier: StringAttr(tier.value) for tier in Tier}


class LlvmChooseTiersPass(BlocksPass):
    """See the module docstring."""

    name = "llvm-choose-tiers"

    def rewrite_blocks(self, function: llvm.FuncOp, blocks: Sequence[Block], model: CostModel) -> None:
        # In front of the others, as in a module that has been printed and parsed.
        function.attributes = {TIER: _NAMES[_tier(function, blocks, model.llvm)], **function.attributes}
