"""The schedule of a contraction, from its plan; `from_trees.py` reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr

from ...decisions.register_tiles import EpilogueForm
from ...dialects.records import changed
from ...dialects.schedule import tree
from ...dialects.schedule.tree import CHAIN, DOT, FOR, PARALLEL, TILE, Compute, Index, Keep, Range, pieces, variable
from ...ir.structured import indexing_maps
from .analysis import LHS, OUT, RHS, LoopDim, Words
from .fetching import Fetch
from .nest import Axis, Hold, Loop, Loops, Sums, Tile, View
from .packing import Pack, Panels
from .plan import Plan

_Digits = tuple[tuple[int, int], ...]


def nodes_of_plan(plan: Plan, name: str, finish: str) -> tuple[tree.Node, ...]:
    """The loops of `plan` with the op called `name` in them, and the elementwise op `finish` that is applied to it."""
    return _Writer(plan, name, finish).nodes(0)


class _Writer:
    """Names the loops of a plan, and notes where they lead."""

    def __init__(self, plan: Plan, name: str, finish: str) -> None:
        self.plan, self.contraction, self.tile = plan, plan.contraction, plan.tile
        self.name, self.finish = name, finish
        self.taken: Counter[str] = Counter()
        self.walked: dict[_Digits, Index] = {}
        """By the dimensions of the op that are walked as one: where the loops around are."""
        self.chunks = ""
        """The loop of the reduction between the trips of which sums are held."""

    def nodes(self, number: int) -> tuple[tree.Node, ...]:
        """The nodes of the plan from this number on."""
        node = self.plan.nest[number]
        if isinstance(node, Tile):
            return self._tile(node)
        if isinstance(node, Loops):
            ranges = [self._range(loop) for loop in node.loops if loop.count > 1]
            if not ranges and self.tile.columns in node.loops and self._needs_loop():
                # Inside it sums are in registers.
                ranges = [self._range(self.tile.columns)]
            if ranges and self.tile.sums is Sums.SCRATCH and not node.loops[0].dim.strides[OUT]:
                self.chunks = ranges[0].name
            inside = self.nodes(number + 1)
            if node.parallel:
                return (tree.Loop(PARALLEL, tuple(ranges), inside),) if ranges else inside
            return _around([(FOR, range) for range in ranges], inside)
        inside = self.nodes(number + 1)
        if isinstance(node, Pack):
            inputs = self.contraction.inputs
            form = tree.PANELS if isinstance(node, Panels) else tree.ROWS
            hoisted, parallel = isinstance(node, Panels) and node.hoisted, isinstance(node, Panels) and node.parallel
            parts = node.splits if isinstance(node, Panels) and parallel else 0
            return (tree.Pack(self.name, inputs[node.side], form, node.prefetched, parts, hoisted), *inside)
        if isinstance(node, Fetch):
            return (tree.Fetch(self.name, self.contraction.inputs[RHS]), *inside)
        if isinstance(node, Hold) and (node.sums or node.errors):
            return (tree.Hold(self.name, node.sums, node.errors, node.sums and node.fetched), *inside)
        assert isinstance(node, Hold | View)
        return inside

    def _needs_loop(self) -> bool:
        """Whether sums stay in registers for less than all of the kernel, also if there is one tile only."""
        is_finished = self.contraction.epilogue is not None
        return self.tile.sums is not Sums.WHOLE or (is_finished and not self.taken)

    def _tile(self, node: Tile) -> tuple[tree.Node, ...]:
        inputs, shape = self.contraction.inputs, node.shape
        fetches: list[tree.Node] = []
        if node.next_rows is not None:
            fetches.append(tree.Fetch(self.name, inputs[LHS], rows=node.next_rows.share))
        if node.streamed_bytes:
            fetches.append(tree.Fetch(self.name, inputs[RHS], bytes=node.streamed_bytes))
        loops: list[tuple[str, Range]] = []
        words = self.contraction.words
        exact = words is None and node.factor_type != self.contraction.element_type
        chains = node.chains or ((0,) if exact else ())
        for level, dim in enumerate(node.reduction):
            range = self._dim_range(dim, dim.size, 1, "k")
            loops.append((CHAIN if level in chains else FOR, range))
        word = None if words is None else self._word(node.reduction[-1], words)
        row, column = node.rows.dim, node.columns.dim
        rows = [self._dim_range(row, shape.rows, 1, "i")] if shape.rows > 1 else []
        columns = self._dim_range(column, shape.columns, shape.lanes, "j")
        at = self._places(indexing_maps(self.contraction.op)[0].num_dims)
        tile = tree.Loop(TILE, (*rows, columns), (Compute(self.name, at),))
        if word is not None and words is not None:
            tile = tree.Loop(DOT, (word,), (tile,), instruction=words.dot.name)
        element = str(f32) if exact else ""
        nodes = (*fetches, *_around(loops, (tile,), element))
        if self.contraction.epilogue is None:
            return nodes
        finish = Compute(self.finish, self._places_of_epilogue(at), self.chunks)
        keep = () if self.chunks else (Keep(self.name),)
        in_registers = node.epilogue_form is EpilogueForm.REGISTERS
        tile = tree.Loop(TILE, (*(rows if in_registers else ()), columns), (finish,))
        last = _around([(FOR, range) for range in ([] if in_registers else rows)], (tile,))
        return (*keep, *nodes, *last)

    # Ranges

    def _word(self, dim: LoopDim, words: Words) -> Range:
        """The range of the factors of a word."""
        return self._dim_range(changed(dim, unit=1), words.dot.group, 1, "k")

    def _range(self, loop: Loop) -> Range:
        letter = {Axis.ROWS: "i", Axis.COLUMNS: "j"}.get(loop.axis) or self._letter(loop.dim)
        return self._dim_range(loop.dim, loop.parts.size, loop.parts.span, letter)

    def _letter(self, dim: LoopDim) -> str:
        if not dim.strides[OUT]:
            return "k"
        return "b" if dim.strides[LHS] and dim.strides[RHS] else "i" if dim.strides[LHS] else "j"

    def _dim_range(self, dim: LoopDim, size: int, span: int, letter: str) -> Range:
        """The range of a loop over `size` steps of `dim`, which is walked by a new variable."""
        number = self.taken[letter]
        self.taken[letter] += 1
        name = f"{letter}{number}" if number else letter
        self.walked[dim.digits] = self.walked.get(dim.digits, Index()) + variable(name)
        return pieces(name, size * dim.unit, span * dim.unit)

    # Places

    def _places(self, count: int) -> tuple[Index, ...]:
        """Where the loops are along each of `count` dimensions of the op."""
        found = [Index()] * count
        for digits, whole in self.walked.items():
            sizes = [size for _, size in digits]
            for number, (dim, size) in enumerate(digits):
                divisor = prod(sizes[number + 1 :])
                is_whole = divisor == 1 and not number
                found[dim] = whole if is_whole else whole.divided(divisor, size if number else 0)
        return tuple(found)

    def _places_of_epilogue(self, at: tuple[Index, ...]) -> tuple[Index, ...]:
        """The same for the dimensions of the elementwise op, whose input is the output of the contraction."""
        epilogue = self.contraction.epilogue
        assert epilogue is not None
        maps, product = indexing_maps(epilogue.op), indexing_maps(self.contraction.op)[-1].results
        found: dict[int, Index] = {}
        for expr, index in zip(maps[epilogue.place].results, product, strict=True):
            assert isinstance(expr, AffineDimExpr)
            found[expr.position] = _index(index, at)
        return tuple(found.get(dim, Index()) for dim in range(maps[0].num_dims))


def _index(expr: AffineExpr, at: tuple[Index, ...]) -> Index:
    if isinstance(expr, AffineConstantExpr):
        return Index((), expr.value)
    assert isinstance(expr, AffineDimExpr)
    return at[expr.position]


def _around(
    loops: Iterable[tuple[str, Range]], body: tuple[tree.Node, ...], element: str = ""
) -> tuple[tree.Node, ...]:
    """Loops in each other around `body`; sums of the outermost chain are of the type `element`."""
    found = list(loops)
    outermost = next((number for number, (kind, _) in enumerate(found) if kind == CHAIN), None)
    for number, (kind, range) in reversed(list(enumerate(found))):
        body = (tree.Loop(kind, (range,), body, element=element if number == outermost else ""),)
    return body
