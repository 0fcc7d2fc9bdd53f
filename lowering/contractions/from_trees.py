"""The plan of a contraction, from its schedule, whether `tiling.py` has written that or somebody else.

Sums are formed in a tile of registers, in loops of which those next to it are of the reduction. What the others walk is
told by how they move the operands. The innermost ones over rows and columns number the tiles: what is held or packed in
rows is what these have.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute

from ...decisions.dot_products import DOT_PRODUCTS
from ...decisions.model import CostModel
from ...decisions.register_tiles import EpilogueForm, RegisterTile
from ...dialects.records import changed
from ...dialects.schedule import tree
from ...dialects.schedule.tree import CHAIN, DOT, FOR, PARALLEL, TILE, Compute, Keep, Node, Range, Start, Tree
from ...ir.schedule_errors import refuse
from ...properties import cached_property
from .analysis import LHS, OUT, RHS, Contraction, LoopDim, in_words, steps_of
from .fetching import Fetch, next_rows_of, plan_fetch, plan_next_panel
from .nest import Axis, Hold, Loop, Loops, NextRows, Parts, Sums, Tile, View
from .packing import Block, Pack, Panels
from .paths import Path, Step, steps_on
from .plan import Node as PlanNode
from .plan import Plan
from .word_packing import copied_in_words
from .words import words_of


def plan_of(schedule: Tree, name: str, contraction: Contraction, model: CostModel) -> Plan:
    """The plan that `schedule` describes for the op called `name`. Raises `ScheduleError`."""
    return _Reader(Path.to(schedule, name), name, contraction, model).plan()


class _Reader:
    """Goes along the path to the tile of a contraction."""

    def __init__(self, path: Path, name: str, contraction: Contraction, model: CostModel) -> None:
        self.path, self.name, self.contraction, self.model = path, name, contraction, model
        self.filled = any(isinstance(node, Start) and node.op == name for node in path.nodes)
        every = steps_on(path, name, contraction)
        *rows, self.column = [step for step in every if step.node is path.tile]
        steps = [step for step in every if step.node is not path.tile]
        word = steps.pop() if steps and steps[-1].node.kind == DOT else None
        place = next((n for n, step in reversed(list(enumerate(steps, 1))) if not step.reduces), 0)
        self.inner = [step for step in steps[place:] if step.trips > 1 or step.node.kind == CHAIN]
        if not self.inner:
            refuse(self.path.tile, "the loop around it is of the reduction")
        self.macro = [step for step in steps[:place] if not step.reduces and step.trips > 1]
        self.outer = [step for step in steps[:place] if step.reduces and step.trips > 1]
        if word is not None:
            self.contraction = self._in_words(word)
        for node in path.nodes[self.inner[0].place :]:
            if isinstance(node, tree.Pack | tree.Fetch | tree.Hold | Keep):
                refuse(node, "it stands in front of all loops of the reduction that are next to the tile")
        # A tile of one row has it from the innermost loop over rows.
        walking = [step for step in self.macro if step.strides[LHS] and not step.strides[RHS]]
        self.row = rows[0] if rows else walking[-1] if walking else None
        self.height = rows[0].trips if rows else 1
        self.loops = {step: self._loop(step) for step in self.macro} | {
            step: Loop(step.dim, Parts.of(step.trips)) for step in self.outer
        }
        self.shape = self._shape(rows)
        self.row_step, self.column_step = self._numbering()

    def _in_words(self, word: Step) -> Contraction:
        """The contraction whose words the loop `word` goes through."""
        node, target, contraction, around = word.node, self.model.target, self.contraction, self.inner[-1]
        if node.instruction not in target.dot_products:
            known = ", ".join(target.dot_products) or "none"
            refuse(
                node,
                f"the CPU has no instruction '{node.instruction}' that adds products of neighbours; it has {known}",
            )
        words = words_of(contraction, DOT_PRODUCTS[node.instruction])
        if words is None:
            refuse(node, f"'{node.instruction}' does not add products of the inputs of '{self.name}'")
        if word.trips != words.dot.group or word.strides != words.strides:
            refuse(node, f"'{node.instruction}' does {words.dot.group} steps of the innermost loop of the reduction")
        if around.strides != words.strides or around.range.step != words.dot.group:
            refuse(around.node, f"it is the one over the words of '{node.instruction}', {words.dot.group} steps each")
        others = [step for step in (*self.outer, *self.inner[:-1]) if step.strides == words.strides]
        if words.rest and (others != self.inner[-1 - len(others) : -1]):
            refuse(
                others[0].node,
                f"the last word of '{node.instruction}' has {words.rest} factors: its loops are next to it",
            )
        return in_words(contraction, words)

    def _loop(self, step: Step) -> Loop:
        """The loop of a plan that `step` is, which is not of the reduction: in parts for rows and columns, and for what
        overlaps, otherwise in single steps."""
        row = () if self.row is None else self.row.strides
        axis = {row: Axis.ROWS, self.column.strides: Axis.COLUMNS}.get(step.strides, Axis.STEPS)
        if axis is Axis.STEPS and not step.range.overlapping:
            return Loop(step.dim, Parts.of(step.trips))
        size = step.range.end
        return Loop(LoopDim(size, step.strides), Parts(step.trips, step.range.step, size), axis)

    def _numbering(self) -> tuple[Step | None, Step | None]:
        """The innermost loops, of rows and of columns, if there is no other one inside them: they number the tiles of
        what is held or packed in rows outside of them."""
        places = [place for place, node in enumerate(self.path.nodes) if _is_of_a_block(node)]
        found: dict[tuple[int, ...], Step] = {}
        known = [self.column.strides, *([] if self.row is None else [self.row.strides])]
        for step in reversed(self.macro):
            if step.strides not in known or step.strides in found or step.place < max(places, default=-1):
                break
            found[step.strides] = step
        return None if self.row is None else found.get(self.row.strides), found.get(self.column.strides)

    @cached_property
    def rows(self) -> Loop:
        """The loop that numbers tiles along their rows; one of one trip if there is none."""
        if self.row_step is not None:
            return self.loops[self.row_step]
        strides = (0,) * len(self.column.strides) if self.row is None else self.row.strides
        return Loop(LoopDim(self.height, strides), Parts(1, self.height, self.height), Axis.ROWS)

    @cached_property
    def columns(self) -> Loop:
        """The same along their columns."""
        if self.column_step is not None:
            return self.loops[self.column_step]
        span = self.shape.columns
        return Loop(LoopDim(span, self.column.strides), Parts(1, span, span), Axis.COLUMNS)

    # The tile

    def _shape(self, rows: list[Step]) -> RegisterTile:
        node, target, column = self.path.tile, self.model.target, self.column
        columns, lanes = column.range.end, column.range.step
        if len(rows) > 1:
            refuse(node, "a tile has rows and columns")
        if column.strides[OUT] != 1 or column.strides[LHS]:
            refuse(node, f"columns of a tile are neighbours in the output, and do not move {self.input_name(LHS)}")
        if rows and (rows[0].strides[RHS] or rows[0].reduces or rows[0].range.step != 1):
            refuse(node, f"rows of a tile follow each other, and do not move {self.input_name(RHS)}")
        if lanes < 2 or lanes & (lanes - 1) or lanes > columns:
            refuse(node, "vectors have a power of two of columns, two at least")
        vectors = -(-columns // lanes)
        needed = (self.height + 1) * vectors * -(-lanes * self.contraction.element_bits // target.vector_bits) + 1
        if needed > target.vector_registers:
            refuse(node, f"it takes {needed} vector registers of {target.vector_registers}")
        in_words = self.contraction.words is not None
        if in_words and not self.model.tiles.fewest_lanes_of_words <= lanes <= target.lanes(
            self.contraction.element_bits
        ):
            refuse(
                node, "vectors of sums of words are as long as a register, or a half or a quarter of it, four at least"
            )
        return RegisterTile(0, self.height, vectors, lanes, columns, in_words)

    def input_name(self, side: int) -> str:
        return f"'{self.name}.in{self.contraction.inputs[side]}'"

    def _chains(self) -> tuple[tuple[int, ...], Attribute]:
        """The levels of partial sums, and the type of factors."""
        levels = tuple(number for number, step in enumerate(self.inner) if step.node.kind == CHAIN)
        elements = {step.node.element for step in self.inner} - {""}
        if self.contraction.words is not None and not elements:
            return levels, self.contraction.word_type
        if not elements:
            return levels, self.contraction.element_type
        bits, start = self.contraction.product_bits, levels[0]
        first = self.inner[start].node
        if elements != {str(f32)} or bits is None or len(levels) > 1 or self.contraction.words is not None:
            refuse(first, "sums of 32 bits of products of bytes may be in f32, in one chain")
        most, length = self.model.sums.chain_limit((), bits), steps_of(step.dim for step in self.inner[start:])
        if length > most:
            refuse(first, f"f32 is exact for sums of {most} products, not of {length}")
        return levels, f32

    def _sums(self, holds: list[tree.Hold]) -> Sums:
        """Where the sums of a tile are while loops of the reduction run around it."""
        overlapping = next((step.node for step in self.macro if step.range.overlapping), None)
        if not self.outer:
            if holds:
                refuse(holds[0], f"no loop of the reduction is around the tiles of '{self.name}'")
            if overlapping is not None and not self.filled:
                refuse(overlapping, f"'{self.name}' would add twice to what is there, where steps overlap")
            return Sums.WHOLE
        outermost = self.outer[0].node
        if any(hold.sums for hold in holds):
            if len(self.outer) > 1 or not self.filled:
                refuse(holds[0], "what is held starts from a fill, and one loop of the reduction is around the tiles")
            return Sums.SCRATCH
        if self.filled:
            refuse(outermost, f"sums are in the output between its trips: the fill is computed, or '{self.name}' held")
        if overlapping is not None:
            refuse(overlapping, "steps overlap, and sums are in the output between trips of another loop")
        if self.contraction.epilogue is not None:
            refuse(outermost, "what is applied to a tile needs its finished sums")
        return Sums.OUTPUT

    def _form(self) -> EpilogueForm | None:
        """How the op behind the reduction is applied to the tile."""
        first = self.inner[0]
        if not self.path.behind:
            return None
        behind, *others = self.path.behind
        if self.path.before_behind is not first.node or others:
            refuse(behind, f"one op, on a tile as that of '{self.name}', may stand behind its sums")
        last = max((step.place for step in self.macro), default=-1)
        if not self.outer and not any(isinstance(node, Keep) for node in self.path.nodes[last + 1 : first.place]):
            refuse(behind, f"'keep {self.name}' is missing in front of the sums of the tile")
        loop, form = behind, EpilogueForm.REGISTERS
        ranges: tuple[Range, ...] = ()
        while isinstance(loop, tree.Loop) and len(loop.body) == 1:
            ranges = (*ranges, *loop.ranges)
            form = form if loop.kind == TILE else EpilogueForm.ROWS
            if loop.kind != TILE and (loop.kind != FOR or len(loop.ranges) > 1):
                break
            loop = loop.body[0]
        mine = [changed(each, name="") for each in self.path.tile.ranges if each.trips != 1]
        theirs = [changed(each, name="") for each in ranges if each.trips != 1]
        if isinstance(loop, Compute) and [loop.after] != ([step.range.name for step in self.outer] or [""]):
            refuse(loop, "it is computed after the loop of the reduction that is around the tile")
        if not isinstance(loop, Compute) or mine != theirs:
            refuse(behind, f"it has other rows and columns than the tile of '{self.name}'")
        return form

    def _fetched(self, packed: Mapping[int, str]) -> tuple[NextRows | None, int]:
        """What tiles fetch of the next rows, and how many bytes ahead of the right operand."""
        rows, ahead = None, 0
        inner = [step.dim for step in self.inner]
        for node in self.path.nodes:
            if not isinstance(node, tree.Fetch) or not (node.rows or node.bytes):
                continue
            side = self.contraction.inputs.index(node.input)
            if self.contraction.words is not None:
                refuse(node, "no words are fetched")
            if node.bytes:
                if side != RHS or RHS in packed:
                    refuse(node, f"bytes ahead are fetched of {self.input_name(RHS)}, where it is not packed")
                ahead = node.bytes
            elif side != LHS or packed.get(LHS) == tree.ROWS:
                refuse(node, f"rows of the next tile are those of {self.input_name(LHS)}, in place or in panels")
            elif LHS in packed:
                outside = [step.dim for step in self.outer]
                rows = plan_next_panel(self.height, node.rows, (*outside, *inner), len(outside))
            else:
                rows = next_rows_of(self.rows.dim, self.height, node.rows, inner)
                if rows is None:
                    refuse(node, "the reduction does not go through its rows from end to end")
        return rows, ahead

    def plan(self) -> Plan:
        """The plan that the path says."""
        packs = [node for node in self.path.nodes if isinstance(node, tree.Pack)]
        packed = {self.contraction.inputs.index(node.input): node.form for node in packs}
        if len(packed) < len(packs):
            refuse(packs[-1], "it is packed already")
        operand = self.contraction.rhs
        if RHS not in packed and (self.column.strides[RHS] != 1 or operand.extension not in (None, arith.ExtFOp)):
            refuse(self.path.tile, f"{self.input_name(RHS)} has to be packed in panels: its columns are no vectors")
        words = self.contraction.words
        if words is not None and (RHS not in packed or (LHS not in packed and not words.left_is_there)):
            side = LHS if RHS in packed else RHS
            refuse(self.path.tile, f"{self.input_name(side)} has to be packed: its words are not there")
        chains, factor_type = self._chains()
        next_rows, ahead = self._fetched(packed)
        inner, form = tuple(step.dim for step in self.inner), self._form()
        sums = self._sums([node for node in self.path.nodes if isinstance(node, tree.Hold)])
        shape, rows, columns = self.shape, self.rows, self.columns
        tile = Tile(shape, rows, columns, inner, chains, factor_type, next_rows, sums, self.filled, ahead, form)
        nodes = _Around(self, tile, packed).nodes()
        if words is not None:
            nodes = [copied_in_words(node) for node in nodes]
        return Plan(self.contraction, self.model, (*nodes, tile))


class _Around:
    """The nodes around a tile."""

    def __init__(self, reader: _Reader, tile: Tile, packed: Mapping[int, str]) -> None:
        self.reader, self.tile, self.packed = reader, tile, packed
        self.path, self.contraction, self.model = reader.path, reader.contraction, reader.model
        self.macro, self.outer, self.inner, self.loops = reader.macro, reader.outer, reader.inner, reader.loops
        others = range(OUT, len(self.contraction.operands))
        self.views = [View((*others,) if LHS in packed else (LHS, *others))]
        """Those to enter: in each thread, in front of the first loop otherwise."""
        self.last_views = [] if RHS in packed else [View((RHS,))]
        """Those in front of the loops over tiles."""
        self.found: list[PlanNode] = []
        self.group: list[Loop] = []
        """Loops that have nothing between them."""

    def nodes(self) -> list[PlanNode]:
        """All, from the outside in."""
        alone = not any(loop.kind == PARALLEL for loop in self.path.loops)
        for place, node in enumerate(self.path.nodes[: self.inner[0].place]):
            if isinstance(node, tree.Loop):
                steps = [step for step in self.loops if step.place == place]
                if node.kind == PARALLEL:
                    self._put(Loops(tuple(self.loops[step] for step in steps), True))
                if node.kind == PARALLEL or (alone and steps):
                    self._put(*self.views)
                    self.views.clear()
                for step in steps if node.kind != PARALLEL else ():
                    self._enter(step)
            elif isinstance(node, tree.Pack):
                self._put(self._pack(node, place))
            elif isinstance(node, tree.Hold):
                self._enter_tiles()
                self._put(self._hold(node, place))
            elif isinstance(node, tree.Fetch) and not node.rows and not node.bytes:
                self._put(self._fetch(node, place))
        self._put(*self.views, *self.last_views)
        return self.found

    def _put(self, *added: PlanNode) -> None:
        if self.group:
            self.found.append(Loops(tuple(self.group)))
            self.group.clear()
        self.found.extend(added)

    def _enter_tiles(self) -> None:
        self._put(*self.last_views)
        self.last_views.clear()

    def _enter(self, step: Step) -> None:
        """A loop that is not parallel."""
        loop = self.loops[step]
        if step.reduces or step in (self.reader.row_step, self.reader.column_step):
            self._enter_tiles()
        elif self.group and self.group[-1].dim.strides[RHS] and not loop.dim.strides[RHS]:
            self._put()
        if step.reduces and self.tile.sums is Sums.OUTPUT and not any(isinstance(node, Hold) for node in self.found):
            self._put(self._hold(tree.Hold(self.reader.name, sums=False), step.place))
        self.group.append(loop)
        if step.reduces:
            self._put()

    def _pack(self, node: tree.Pack, place: int) -> Pack:
        reader, numbers, contraction = self.reader, self.model.contractions, self.contraction
        side = contraction.inputs.index(node.input)
        inside = [step for step in self.macro if step.place > place and step.strides[side]]
        around = [step for step in self.outer if step.place > place]
        if node.form == tree.ROWS:
            if side != LHS or node.parts or node.hoisted:
                refuse(node, f"{reader.input_name(LHS)} alone is packed in rows, by each thread")
            if around or any(step is not reader.row_step for step in inside):
                refuse(node, "the one loop inside that moves it is that over the rows of tiles")
            return Block(side, contraction, self.tile, (), node.ahead, numbers)
        own, last = (reader.column_step, reader.columns) if side == RHS else (reader.row_step, reader.rows)
        if own is not None and own not in inside:
            # What a tile reads.
            span = last.parts.span
            last = Loop(LoopDim(span, last.dim.strides), Parts(1, span, span), last.axis)
        steps = around[0].trips if around else self.inner[0].trips
        if steps % max(node.parts, 1):
            refuse(node, f"the outermost loop of the reduction has {steps} steps")
        words = contraction.words
        if node.parts > 1 and words is not None and (words.rest or words.offset):
            refuse(
                node, f"panels of '{words.dot.name}' are copied in one part here: what is at their end is of all steps"
            )
        if node.parts and any(isinstance(n, tree.Loop) and n.kind == PARALLEL for n in self.path.nodes[:place]):
            refuse(node, "a parallel loop is around it")
        if node.hoisted and (side != RHS or any(step.place < place for step in self.loops)):
            refuse(node, f"{reader.input_name(RHS)} alone is hoisted, from outside of all loops")
        return Panels(
            side, contraction, self.tile, tuple(self.loops[step] for step in around), node.ahead, numbers,
            (*(self.loops[step] for step in inside if step is not own), last),
            node.parts > 0, max(node.parts, 1), node.hoisted,
        )  # fmt: skip

    def _hold(self, node: tree.Hold, place: int) -> Hold:
        """What is held in loops behind this place of the path."""
        reader = self.reader
        if node.sums or node.errors:
            inside = {step for step in self.macro if step.place > place}
            if inside != {step for step in (reader.row_step, reader.column_step) if step is not None}:
                refuse(node, "the loops inside are one of the reduction and those over rows and columns of tiles")
            if node.errors and not self.contraction.is_float:
                refuse(node, "sums of integers have no errors")
            if any(step.place < place for step in self.outer):
                refuse(node, "the loop of the reduction is inside")
        chunks = self.loops[self.outer[0]] if node.sums else None
        down, along = (reader.columns.count, 1) if RHS in self.packed else (1, reader.rows.count)
        return Hold(self.tile, chunks, down, along, node.sums, node.errors, node.ahead)

    def _fetch(self, node: tree.Fetch, place: int) -> Fetch:
        """What is fetched of what is packed next."""
        right, name = self.contraction.inputs[RHS], self.reader.input_name(RHS)
        packs = [n for n, each in enumerate(self.path.nodes) if isinstance(each, tree.Pack) and each.input == right]
        if node.input != right or not packs or packs[0] > place:
            refuse(node, f"without rows or bytes it is what is packed next of {name}, in front of it")
        (at, *_), column = packs, self.reader.column.strides
        outside = [step for step in self.macro if step.place < at]
        blocks = [self.loops[step] for step in outside if step.strides == column]
        chunks = [self.loops[step] for step in self.outer if step.place < at]
        size = self.reader.columns.parts.size
        block = blocks[-1] if blocks else Loop(LoopDim(size, column), Parts(1, size, size), Axis.COLUMNS)
        shares = tuple(self.loops[step] for step in self.macro if at < step.place < place)
        chunk = chunks[-1] if chunks else None
        last = chunk is None or all(step.strides[RHS] for step in outside)
        reduction = [step.dim for step in self.inner]
        fetch = plan_fetch(self.contraction.rhs.memref, block, reduction, shares, chunk, last, self.model)
        if fetch is None:
            refuse(node, "what is packed next has no rows, or no loop shares it")
        return fetch


def _is_of_a_block(node: Node) -> bool:
    return isinstance(node, tree.Hold) or (isinstance(node, tree.Pack) and node.form == tree.ROWS)
