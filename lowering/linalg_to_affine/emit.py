"""Nests to affine loops.

Every load and every scalar op goes to the outermost loop whose induction variables it needs: LLVM cannot move loads
over stores, and an op that is built once runs once. Constants go to the top of the function. Accumulators of
reductions whose loops are innermost are loop-carried scalars, others live in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects import affine, arith, complex
from xdsl.dialects.builtin import AffineMapAttr, FileLineColLoc, IntAttr, StringAttr, UnitAttr
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.rewriter import Rewriter

from ...dialects import locating
from ...dialects.editing import append, new_block, new_op, replace_uses, walk
from ...dialects.shared_attributes import INDEX, i64_attribute, index_attribute
from ...dialects.xrt import PrefetchOp
from ...dialects.xrt_names import LANES
from ...ir.affine_builder import AffineBuilder, for_loop, parallel_loop
from .addresses import Environment, MapBuilder, address_of, emit_index
from .function_state import FunctionState
from .fused_products import FUSED, FUSED_IN_ORDER, fused_in, is_fused_product
from .nest import Access, Nest, fill_nest
from .scalar_body import copy_op
from .transposed_copy import emit_transposed_block, with_loops_over_blocks

Element: TypeAlias = tuple[int, ...]
"""An output, and which element of it in the unrolled dimensions it has."""


class _Sum(NamedTuple):
    """Of so many `terms` of `level`: those of level 0 are what copies add, others sums."""

    level: int
    terms: int
    value: SSAValue


def emit_nest(state: FunctionState, nest: Nest, env: Environment, cursor: AffineBuilder) -> None:
    """Inserts the loops of `nest` at `cursor`; `env` has the values of its row dimensions."""
    emitter = _Emitter(state, with_loops_over_blocks(nest) if nest.transposed else nest, env, cursor)
    if locating.is_on:
        with locating.inside_any(nest.body.ops):
            emitter.emit()
    else:
        emitter.emit()


class _Emitter:
    """The emission of one nest. Level `l` is the inside of loops `0 .. l - 1`; `base` is the outside of all, `marked`
    the inside of the parallel ones, `inner` that of all.
    """

    def __init__(self, state: FunctionState, nest: Nest, env: Environment, cursor: AffineBuilder):
        self.state = state
        self.nest = nest
        self.base, self.marked = nest.rows, nest.rows + nest.parallel
        self.inner = inner = len(nest.extents) - nest.unrolled
        self.env: Environment = [*env[: nest.rows], *([0] * (len(nest.extents) - nest.rows))]
        self.places = {self.base: cursor}
        self.written = {access.root for access in nest.outputs}
        self.behind = nest.dims_behind(self.written, (1 << len(nest.extents)) - 1)
        self.fused = fused_in(nest)
        self.shared: dict[SSAValue, SSAValue] = {}
        self.points = [] if nest.transposed else list(product(*map(range, nest.extents[inner:])))
        self.elements: dict[Element, tuple[int, ...]] = {}
        """The elements of outputs that the copies of the body have, each with a point of the unrolled dimensions."""
        for point in self.points:
            for element in self._elements_at(point):
                self.elements.setdefault(element, point)

    def _elements_at(self, point: tuple[int, ...]) -> list[Element]:
        inner, outputs = self.inner, self.nest.outputs
        return [
            (index, *(at for d, at in enumerate(point, inner) if d in output.dims))
            for index, output in enumerate(outputs)
        ]

    def add(self, level: int, op: Operation) -> None:
        """Appends `op` at `level`."""
        self.places[level].insert(op)

    def level_of(self, dims: int) -> int:
        """The outermost level where all of `dims`, given as bits, have values."""
        level = dims.bit_length()
        return self.base if level <= self.base else min(max(level, self.marked), self.inner)

    def emit(self) -> None:
        nest, base, marked, inner, state = self.nest, self.base, self.marked, self.inner, self.state
        starts = [self._first_carried_level(index) for index in range(len(nest.outputs))]
        self._forget_written()
        for output in nest.outputs:
            buffer = output.memref.owner
            if isinstance(buffer, Operation) and buffer.parent is None and output.root not in state.virtual:
                if buffer not in nest.scratch:
                    state.scratch.insert(buffer)
        outside = state.scratch
        if nest.parallel:
            self.env[base:marked] = self._open(marked, [INDEX] * nest.parallel)
            state.scratch = self.places[marked]
        for op in nest.scratch:
            state.scratch.insert(op)
        carried: dict[int, list[Element]] = {}
        for dim in range(marked, inner):
            carried[dim] = [element for element in self.elements if starts[element[0]] <= dim]
            types = [nest.outputs[element[0]].type.element_type for element in carried[dim]]
            self.env[dim] = self._open(dim + 1, [INDEX, *types])[0]

        # What flows into the loops, from the outside in.
        running: dict[Element, SSAValue] = {}
        initial: dict[int, list[SSAValue]] = {}
        for level in (base, *range(max(marked, base + 1), inner + 1)):
            self._emit_before(level)
            filled = [index for index in range(len(starts)) if self._is_filled_at(level, index, starts)]
            self._store_initials(filled, level)
            for element, point in self.elements.items():
                index = element[0]
                self.env[inner:] = point
                if starts[index] == level < inner:
                    running[element] = self._initial(index, level)
            if marked <= level < inner:
                initial[level] = [running[element] for element in carried[level]]
                running.update(zip(carried[level], self._body(level + 1).args[1:], strict=True))
        for access in nest.fetched:
            self._fetch(access)
        if nest.transposed:
            emit_transposed_block(state, nest, self.env, self.places[inner])
        else:
            self._emit_copies(running, starts)

        # What flows out, from the inside out.
        for dim in reversed(range(marked, inner)):
            body = self._body(dim + 1)
            append(body, new_op(affine.YieldOp, [running[element] for element in carried[dim]]))
            loop = self._loop(dim, body, initial[dim])
            self.add(dim, loop)
            for element, result in zip(carried[dim], loop.results, strict=True):
                running[element] = result
                if starts[element[0]] == dim:
                    self.env[inner:] = self.elements[element]
                    self._store(element[0], result, dim)
        if nest.parallel:
            body = self._body(marked)
            append(body, new_op(affine.YieldOp))
            self.add(base, parallel_loop(nest.extents[base:marked], body))
        state.scratch = outside

    def _emit_before(self, level: int) -> None:
        """The nests that share the loops up to `level`. What they know of their row holds inside that row only."""
        parts = [part for part in self.nest.before if part.rows == level]
        if level != self.base:
            # Another trip of the loops may have changed what was known ahead of them.
            for output in (output for part in parts for each in part.walk() for output in each.outputs):
                self.state.forget(output.root)
        for part in parts:
            emit_nest(self.state, part, self.env, self.places[level])
        if level != self.base or not self.nest.outputs:
            for access in (access for part in parts for each in part.walk() for access in each.accesses):
                self.state.forget(access.root)

    def _open(self, level: int, types: Sequence[Attribute]) -> Sequence[SSAValue]:
        """Opens a loop whose inside is `level`; returns the arguments of its body."""
        block = new_block(types)
        self.places[level] = AffineBuilder(block)
        return block.args

    def _body(self, level: int) -> Block:
        return self.places[level].block

    def _loop(self, dim: int, body: Block, inits: Sequence[SSAValue]) -> Operation:
        for block in self.nest.blocks:
            if block.dim == dim:
                counter, size = cast(SSAValue, self.env[block.counter]), self.nest.extents[dim]
                least = AffineMap(1, 0, (AffineConstantExpr(size), AffineDimExpr(0) * -size + block.end))
                return for_loop(least, body, inits, [counter])
        loop = for_loop(self.nest.extents[dim], body, inits)
        if self.nest.lanes and dim == self.inner - 1:
            loop.attributes[LANES] = i64_attribute(self.nest.lanes)
            if (place := self.nest.place) is not None:
                loop.location = FileLineColLoc(StringAttr(place.file), IntAttr(place.line), IntAttr(place.column))
        return loop

    def _fetch(self, access: Access) -> None:
        """Asks in the innermost loop for what a later point reads, one element a trip."""
        place = self.places[self.inner]
        address = address_of(self.state, access, self.env, place.insert)
        indices = address.operands
        if (map := address.map) is not None:
            one = [AffineMap(map.data.num_dims, map.data.num_symbols, (expr,)) for expr in map.data.results]
            indices = [
                place.add(new_op(affine.ApplyOp, address.operands, [INDEX], {"map": AffineMapAttr(each)}))
                for each in one
            ]
        place.insert(new_op(PrefetchOp, [address.memref, *indices], (), {"element": UnitAttr()}))

    # Outputs

    def _first_carried_level(self, index: int) -> int:
        """The level from which on all loops accumulate output `index`, so that it is a loop-carried scalar."""
        dims = self.nest.accumulation[index]
        level = self.inner
        while level > self.base and level - 1 in dims:
            level -= 1
        return level

    def _first_accumulation_level(self, index: int) -> int:
        """The level of the outermost loop over which output `index` accumulates."""
        dims = self.nest.accumulation[index]
        return min((d for d in dims if d < self.inner), default=self.inner)

    def _initial(self, index: int, level: int) -> SSAValue:
        """The value the accumulation of output `index` starts from at `level`."""
        init = self.nest.inits[index]
        if init is not None and self._first_accumulation_level(index) >= level:
            return self._scalar(init, index)
        return self._load(self.nest.outputs[index], level)

    def _scalar(self, init: SSAValue | Attribute, index: int) -> SSAValue:
        if isinstance(init, SSAValue):
            return init
        return self.state.constant(init, self.nest.outputs[index].type.element_type)

    def _is_filled_at(self, level: int, index: int, starts: Sequence[int]) -> bool:
        """Whether output `index` accumulates in memory, and the loops that do so begin at `level`."""
        return self.nest.inits[index] is not None and level == self._first_accumulation_level(index) < starts[index]

    def _store_initials(self, indices: Sequence[int], level: int) -> None:
        """Fills, ahead of the loops at `level`, the part of these outputs that they accumulate into; those over the
        same dimensions together.
        """
        fills: dict[frozenset[int], list[tuple[Access, SSAValue]]] = {}
        for index in indices:
            init, output = self.nest.inits[index], self.nest.outputs[index]
            assert init is not None
            fills.setdefault(frozenset(output.dims), []).append((output, self._scalar(init, index)))
        for together in fills.values():
            emit_nest(self.state, fill_nest(self.nest, together, level), self.env, self.places[level])
        if level != self.base:
            for index in indices:
                self.state.forget(self.nest.outputs[index].root)

    def _is_row_scalar(self, access: Access, level: int) -> bool:
        """Whether `access` at `level` is one element for the whole nest."""
        return level == self.base and all(d < self.base for d in access.dims)

    def _store(self, index: int, value: SSAValue, level: int) -> None:
        output = self.nest.outputs[index]
        if self._is_row_scalar(output, level):
            self.state.known[(output.root, output.flat)] = value
            if output.root in self.state.virtual:
                return
        else:
            self.state.forget(output.root)
        place = self.places[level]
        place.insert(address_of(self.state, output, self.env, place.insert).store(value))

    def _load(self, access: Access, level: int) -> SSAValue:
        key = (access.root, access.flat)
        scalar = self._is_row_scalar(access, level)
        if scalar or access.root in self.state.virtual:
            value = self.state.known.get(key)
            if value is not None:
                return value
            if access.root in self.state.virtual:
                return self.state.zero(access.type.element_type)
        place = self.places[level]
        value = place.add(address_of(self.state, access, self.env, place.insert).load(access.type.element_type))
        if scalar:
            self.state.known[key] = value
        return value

    def _forget_written(self) -> None:
        """Drops what is known of the elements this nest may overwrite, except scalars it accumulates into."""
        for output in self.nest.outputs:
            scalar = self._is_row_scalar(output, self.base)
            for key in [key for key in self.state.known if key[0] is output.root]:
                if not scalar or key[1] != output.flat:
                    del self.state.known[key]

    # Body

    def _emit_copies(self, running: dict[Element, SSAValue], starts: Sequence[int]) -> None:
        """Copies the body, once per point of the unrolled dimensions. `running` has the values of the elements that
        loops carry, and receives those of all that accumulate.
        """
        nest, inner = self.nest, self.inner
        sums = self._sums_of_copies()
        terms: dict[Element, list[_Sum]] = {}
        begun: set[Element] = set()
        loaded: dict[tuple[int, ...], dict[SSAValue, SSAValue]] = {}
        if any(len(element) > 1 for element in running):
            # Rows side by side: loaded one behind the work on the other, they take LLVM a third more instructions.
            for point in self.points:
                self.env[inner:] = point
                loaded[point] = self._load_inputs()
        for point in self.points:
            self.env[inner:] = point
            elements = self._elements_at(point)
            old = [running.get(element) for element in elements]
            for index, value in enumerate(old):
                if value is None and nest.body.reads_output[index]:
                    old[index] = self._initial(index, inner)
            new = self._copy_body(loaded.get(point) or self._load_inputs(), old, sums)
            for index, (element, before, value) in enumerate(zip(elements, old, new, strict=True)):
                if index in sums:
                    total = cast(SSAValue, before)
                    if element not in terms and starts[index] == inner and is_fused_product(value):
                        # Nothing waits for the sum so far: the first chain goes on from it.
                        terms[element] = [_Sum(0, 1, total)]
                        begun.add(element)
                    self._add_term(terms.setdefault(element, []), value)
                    running.setdefault(element, total)
                elif nest.accumulation[index]:
                    running[element] = value
                else:
                    self._store(index, value, inner)
        for element, values in terms.items():
            total = None if element in begun else running[element]
            running[element] = self._sum_of_copies(sums[element[0]], total, values)
        for element, value in running.items():
            if starts[element[0]] == inner:
                self.env[inner:] = self.elements[element]
                self._store(element[0], value, inner)

    def _sums_of_copies(self) -> dict[int, arith.AddfOp]:
        """The outputs to which several copies add something, each with its addition: what they add is added up first,
        in chains of chains, which is closer to the exact sum than one after the other (Higham, "The accuracy of
        floating point summation", 1993).
        """
        nest = self.nest
        unrolled = set(range(self.inner, len(nest.extents)))
        return {
            index: combiner
            for index, combiner in enumerate(nest.body.combiners)
            if isinstance(combiner, arith.AddfOp)
            and prod(nest.extents[d] for d in nest.accumulation[index] & unrolled) > 2
            and combiner.result.has_one_use()
        }

    def _add_term(self, sums: list[_Sum], term: SSAValue) -> None:
        """Adds what a copy adds: sums of some terms, sums of as many of these, and so on, as a counter counts. Few are
        held at once, and none may be reordered.
        """
        level = 0
        while sums and sums[-1].level == level:
            _, count, value = sums.pop()
            term = self._added(value, term)
            if count + 1 < self.state.model.sums.chain_of_copies:
                sums.append(_Sum(level, count + 1, term))
                return
            level += 1
        sums.append(_Sum(level, 1, term))

    def _sum_of_copies(self, combiner: arith.AddfOp, total: SSAValue | None, sums: list[_Sum]) -> SSAValue:
        """`total` and what the copies add to it, which may be in it already: the last addition may be reordered."""
        *others, (_, _, term) = sums
        for other in reversed(others):
            term = self._added(other.value, term)
        if total is None:
            return term
        return self._new_sum(total, term, {"fastmath": combiner.fastmath})

    def _added(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self._new_sum(lhs, rhs, {"fastmath": FUSED_IN_ORDER} if is_fused_product(rhs) else {})

    def _new_sum(self, lhs: SSAValue, rhs: SSAValue, properties: Mapping[str, Attribute]) -> SSAValue:
        op = new_op(arith.AddfOp, [lhs, rhs], [lhs.type], properties)
        self.add(self.inner, op)
        return op.results[0]

    def _load_inputs(self) -> dict[SSAValue, SSAValue]:
        """What the copies before have in common with one more, and what that one reads."""
        values = dict(self.shared)
        for arg, access in zip(self.nest.body.args, self.nest.inputs, strict=False):
            if arg not in values and arg.first_use is not None:
                is_access = isinstance(access, Access)
                values[arg] = self._load(access, self.level_of(self.behind[arg])) if is_access else access
        self._share(values)
        return values

    def _share(self, values: Mapping[SSAValue, SSAValue]) -> None:
        """Keeps those of `values` that do not differ between copies."""
        if len(self.points) > 1:
            self.shared.update((old, new) for old, new in values.items() if not self.behind.get(old, -1) >> self.inner)

    def _copy_body(
        self, loaded: Mapping[SSAValue, SSAValue], old: Sequence[SSAValue | None], sums: Mapping[int, arith.AddfOp]
    ) -> list[SSAValue]:
        """One copy of the body on `loaded` inputs and `old` outputs, without the additions `sums`, of which it gives
        what is added; values that do not differ between copies are shared with those before.
        """
        body, inputs = self.nest.body, len(self.nest.inputs)
        values = {**loaded, **self.shared}
        for arg, value in zip(body.args[inputs:], old, strict=True):
            if value is not None:
                values[arg] = value
        left_out = set(sums.values())
        for op in body.ops:
            if op not in left_out and not (op.results and op.results[0] in values):
                self._copy_op(op, values)
        self._share(values)
        yielded = list(body.yielded)
        for index, op in sums.items():
            term = op.lhs if op.rhs is body.args[inputs + index] else op.rhs
            yielded[index] = body.same.get(term, term)
        return [values.get(value, value) for value in yielded]

    def _copy_op(self, op: Operation, values: dict[SSAValue, SSAValue]) -> None:
        """A copy of one body op at its level, results recorded in `values`."""
        if type(op) is arith.ConstantOp or type(op) is complex.ConstantOp:
            (result,) = op.results
            values[result] = self.state.constant(op.value, result.type)
            return
        level = self.level_of(self.behind[op.results[0]]) if op.results else self.inner
        if type(op) is IndexOp:
            values[op.result] = self._emit_index(op, self.places[level])
            return
        copy = copy_op(op, values, self.nest.body.same)
        if op in self.fused:
            copy.properties["fastmath"] = FUSED
        self.add(level, copy)
        for inner in list(walk(copy)) if op.regions else ():
            if isinstance(inner, IndexOp):
                replace_uses(inner.result, self._emit_index(inner, AffineBuilder(self._body(level), copy)))
                Rewriter.erase_op(inner)

    def _emit_index(self, op: IndexOp, place: AffineBuilder) -> SSAValue:
        """The value of `linalg.index`, computed at `place`."""
        value = self.nest.index[op.dim.value.data]
        if not value.divisions() and all(isinstance(self.env[d], int) for d in value.dims()):
            constant = cast(AffineConstantExpr, MapBuilder(self.env).expr(value)).value
            return self.state.constant(index_attribute(constant), INDEX)
        return emit_index(value, self.env, place.insert)
