"""The schedule of a contraction, written from the outside in; `from_trees.py` reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod

from xdsl.dialects.builtin import f32
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr

from ...decisions.register_tiles import EpilogueForm, RegisterTile
from ...dialects.records import changed
from ...dialects.schedule import tree
from ...dialects.schedule.tree import CHAIN, DOT, FOR, PARALLEL, TILE, Compute, Index, Keep, Range, pieces, variable
from ...ir.structured import indexing_maps
from .analysis import LHS, OUT, RHS, Contraction, LoopDim
from .nest import Axis, Loop, Steps

_Digits = tuple[tuple[int, int], ...]


class Writer:
    """Writes the loops around an op called `name`, a contraction, and the elementwise op `finish` that is applied to
    it: names them, and notes where they lead.
    """

    def __init__(self, contraction: Contraction, name: str, finish: str) -> None:
        self.contraction, self.name, self.finish = contraction, name, finish
        self.path: list[tree.Node] = []
        """Loops that are still empty, and what stands in front of those behind it."""
        self.taken: Counter[str] = Counter()
        self.walked: dict[_Digits, Index] = {}
        """By the dimensions of the op that are walked as one: where the loops around are."""
        self.chunks = ""
        """The loop of the reduction between the trips of which sums are held."""

    def pack(self, side: int, form: str, ahead: bool, parts: int = 0, hoisted: bool = False) -> None:
        """What the loops behind it read of an operand is copied."""
        self.path.append(tree.Pack(self.name, self.contraction.inputs[side], form, ahead, parts, hoisted))

    def fetch(self, side: int, rows: int = 0, bytes: int = 0) -> None:
        """What is read of an operand later is fetched."""
        self.path.append(tree.Fetch(self.name, self.contraction.inputs[side], rows, bytes))

    def hold(self, sums: bool, errors: bool, ahead: bool) -> None:
        """What is known of tiles is in memory between the trips of the loop behind it."""
        if sums or errors:
            self.path.append(tree.Hold(self.name, sums, errors, sums and ahead))

    def enter(self, loops: Iterable[Loop], kind: str = FOR) -> list[Range]:
        """Loops in each other, or one parallel loop, of those that take several trips; their ranges."""
        ranges = [self._range(loop) for loop in loops if loop.count > 1]
        for each in [ranges] if kind == PARALLEL and ranges else [[range] for range in ranges]:
            self.path.append(tree.Loop(kind, tuple(each), ()))
        return ranges

    def enter_chunks(self, loops: Iterable[Loop], held: bool) -> None:
        """Loops of the reduction around the tiles, whose sums are `held` in memory of their own."""
        ranges = self.enter(loops)
        if ranges and held:
            self.chunks = ranges[0].name

    def enter_tiles(self, loops: Iterable[Loop], columns: Loop, whole: bool) -> None:
        """Those of tiles. One tile has a loop too where its sums are in registers for less than all of the kernel."""
        is_inside = not whole or (self.finish and not self.taken)
        if not self.enter(loops) and is_inside:
            self.path.append(tree.Loop(FOR, (self._range(columns),), ()))

    def tile(
        self, shape: RegisterTile, rows: LoopDim, columns: LoopDim, steps: Steps, form: EpilogueForm | None, bytes: int
    ) -> tuple[tree.Node, ...]:
        """All nodes, with a tile in the loops, to which the elementwise op is applied in this `form`; the right operand
        is fetched so many `bytes` ahead."""
        if form is not None and not self.chunks:
            self.path.append(Keep(self.name))
        if steps.rows:
            self.fetch(LHS, rows=steps.rows)
        if bytes:
            self.fetch(RHS, bytes=bytes)
        words, element_type = self.contraction.words, self.contraction.element_type
        exact = words is None and steps.factor_type != element_type
        chains = steps.chains or ((0,) if exact else ())
        loops: list[tree.Node] = []
        for level, dim in enumerate(steps.reduction):
            element = str(f32) if exact and level == min(chains) else ""
            range = self._dim_range(dim, dim.size, 1, "k")
            loops.append(tree.Loop(CHAIN if level in chains else FOR, (range,), (), element=element))
        if words is not None:
            factors = self._dim_range(changed(steps.reduction[-1], unit=1), words.dot.group, 1, "k")
            loops.append(tree.Loop(DOT, (factors,), (), instruction=words.dot.name))
        row = [self._dim_range(rows, shape.rows, 1, "i")] if shape.rows > 1 else []
        column = self._dim_range(columns, shape.columns, shape.lanes, "j")
        at = self._places(indexing_maps(self.contraction.op)[0].num_dims)
        nodes = _around(loops, (tree.Loop(TILE, (*row, column), (Compute(self.name, at),)),))
        if form is not None:
            finish = Compute(self.finish, self._places_of_epilogue(at), self.chunks)
            inside, around = (row, []) if form is EpilogueForm.REGISTERS else ([], row)
            tile = tree.Loop(TILE, (*inside, column), (finish,))
            nodes = (*nodes, *_around([tree.Loop(FOR, (range,), ()) for range in around], (tile,)))
        return _around(self.path, nodes)

    # Ranges

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


def _around(path: Sequence[tree.Node], body: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Loops in each other, and what stands in front of those behind it, around `body`."""
    for node in reversed(path):
        body = (changed(node, body=body),) if isinstance(node, tree.Loop) else (node, *body)
    return body
