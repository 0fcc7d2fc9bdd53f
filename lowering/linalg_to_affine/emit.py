"""Nests to affine loops.

Every load and every scalar op goes to the outermost loop whose induction variables it needs: LLVM cannot move loads
over stores, and an op that is built once runs once. Constants go to the top of the function. Accumulators of
reductions whose loops are innermost are loop-carried scalars, others live in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import cast

from xdsl.dialects import affine, arith, complex, memref
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineConstantExpr,
)
from xdsl.rewriter import Rewriter

from ...dialects.editing import append, new_block, new_op, replace_uses, walk
from ...dialects.shared_attributes import index_attribute
from ...ir.views import buffer_of
from .addresses import Environment, MapBuilder, address_of, emit_index
from .loop_builder import INDEX, Cursor, FunctionState, for_loop, parallel_loop
from .nest import Access, Nest, fill_nest
from .scalar_body import ScalarBody, copy_op
from .transposed_copy import emit_transposed_copy


def emit_nest(state: FunctionState, nest: Nest, env: Environment, cursor: Cursor) -> None:
    """Inserts the loops of `nest` at `cursor`; `env` has the values of its row dimensions."""
    _Emitter(state, nest, env, cursor).emit()


class _Emitter:
    """The emission of one nest. Level `l` is the inside of loops `0 .. l - 1`; `base` is the outside of all."""

    def __init__(self, state: FunctionState, nest: Nest, env: Environment, cursor: Cursor):
        self.state = state
        self.nest = nest
        self.cursor = cursor
        self.base = nest.rows
        self.inner = len(nest.extents) - nest.unrolled
        self.env: Environment = [*env[: nest.rows], *([0] * (len(nest.extents) - nest.rows))]
        self.blocks: dict[int, Block] = {}
        self.written = {access.root for access in nest.outputs}
        self.shared: dict[SSAValue, SSAValue] = {}
        self.levels: dict[SSAValue, int] = {}
        self.varying: set[SSAValue] = set()

    def add(self, level: int, op: Operation) -> None:
        """Appends `op` at `level`."""
        if level == self.base:
            self.cursor.add(op)
        else:
            append(self.blocks[level], op)

    def adder(self, level: int) -> Callable[[Operation], None]:
        return self.cursor.add if level == self.base else self.blocks[level].add_op

    def level_of_dims(self, dims: set[int]) -> int:
        """The outermost level where all of `dims` have values."""
        level = max((d + 1 for d in dims if d >= self.base), default=self.base)
        if level == self.base:
            return level
        return min(max(level, self.base + self.nest.parallel), self.inner)

    def emit(self) -> None:
        nest, base, inner = self.nest, self.base, self.inner
        starts = [self._first_carried_level(index) for index in range(len(nest.outputs))]
        self._forget_written()
        marked = base + nest.parallel
        block: Block | None = None
        if nest.parallel:
            block = self.blocks[marked] = new_block([INDEX] * nest.parallel)
            self.env[base:marked] = block.args
        for op in nest.shared:
            if op.parent is None:
                self.state.scratch.add(op)
        for op in nest.scratch:
            (Cursor(block) if block else self.state.scratch).add(op)
        carried: dict[int, list[int]] = {}
        for dim in range(marked, inner):
            outputs = [index for index, start in enumerate(starts) if start <= dim]
            carried[dim] = outputs
            types = [nest.outputs[index].type.element_type for index in outputs]
            block = self.blocks[dim + 1] = new_block([INDEX, *types])
            self.env[dim] = block.args[0]

        # What flows into the loops, from the outside in.
        entering: list[SSAValue | None] = [None] * len(nest.outputs)
        initial: dict[int, list[SSAValue]] = {}
        for level in range(base, inner + 1):
            if base < level < marked:
                continue
            self._emit_before(level)
            for index, start in enumerate(starts):
                if level == self._first_accumulation_level(index) < start:
                    self._store_initial(index, level)
                if start == level < inner:
                    entering[index] = self._initial(index, level)
            if marked <= level < inner:
                outputs = carried[level]
                initial[level] = [cast(SSAValue, entering[index]) for index in outputs]
                for position, index in enumerate(outputs):
                    entering[index] = self.blocks[level + 1].args[position + 1]
        results = self._instantiate_body(entering, starts)

        # What flows out, from the inside out.
        for dim in reversed(range(marked, inner)):
            outputs = carried[dim]
            body = self.blocks[dim + 1]
            append(body, new_op(affine.YieldOp, operands=[results[index] for index in outputs]))
            loop = for_loop(nest.extents[dim], body, initial[dim])
            self.add(dim, loop)
            for index, result in zip(outputs, loop.results, strict=True):
                results[index] = result
                if starts[index] == dim:
                    self._store(index, result, dim)
        if nest.parallel:
            body = self.blocks[marked]
            append(body, new_op(affine.YieldOp))
            self.add(base, parallel_loop(nest.extents[base:marked], body))

    def _emit_before(self, level: int) -> None:
        """The nests that share the loops up to `level`."""
        for nest in self.nest.before:
            if nest.rows == level:
                self._emit_inner(nest, level)

    def _emit_inner(self, nest: Nest, level: int) -> None:
        """Another nest at `level`, sharing the loops around it."""
        cursor = self.cursor if level == self.base else Cursor(self.blocks[level])
        emit_nest(self.state, nest, self.env, cursor)
        if level != self.base:
            # What it knows of its row holds inside that row only.
            for access in nest.accesses:
                self.state.forget(access.root)

    # Outputs

    def _first_carried_level(self, index: int) -> int:
        """The level from which on all loops accumulate output `index`, so that it is a loop-carried scalar."""
        if any(d >= self.inner for d in self.nest.outputs[index].dims):
            return self.inner
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
        return self._load(self.nest.outputs[index], level, self.env)

    def _scalar(self, init: SSAValue | Attribute, index: int) -> SSAValue:
        if isinstance(init, SSAValue):
            return init
        return self.state.constant(init, self.nest.outputs[index].type.element_type)

    def _store_initial(self, index: int, level: int) -> None:
        """Fills, ahead of the loops at `level`, the part of output `index` they accumulate into."""
        if self.nest.inits[index] is None:
            return
        init = self._scalar(cast(SSAValue | Attribute, self.nest.inits[index]), index)
        fill = fill_nest(self.nest.outputs[index], init, self.nest.extents, level)
        self._emit_inner(fill, level)

    def _is_row_scalar(self, access: Access, level: int) -> bool:
        """Whether `access` at `level` is one element for the whole nest."""
        return level == self.base and all(d < self.base for d in access.dims)

    def _store(self, index: int, value: SSAValue, level: int) -> None:
        output = self.nest.outputs[index]
        if self._is_row_scalar(output, level):
            self.state.known[(output.root, output.flat)] = value
            if output.root in self.state.virtual:
                return
        add = self.adder(level)
        add(address_of(self.state, output, self.env, add).store(value))

    def _load(self, access: Access, level: int, env: Environment) -> SSAValue:
        key = (access.root, access.flat)
        scalar = self._is_row_scalar(access, level)
        if scalar or access.root in self.state.virtual:
            value = self.state.known.get(key)
            if value is not None:
                return value
            if access.root in self.state.virtual:
                return self.state.zero(access.type.element_type)
        add = self.adder(level)
        op = address_of(self.state, access, env, add).load(access.type.element_type)
        add(op)
        value = op.results[0]
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

    def _instantiate_body(self, entering: list[SSAValue | None], starts: Sequence[int]) -> list[SSAValue]:
        """Copies the body, once per point of the unrolled dimensions; returns the new values of the outputs."""
        nest, inner = self.nest, self.inner
        if nest.transposed:
            emit_transposed_copy(
                self.state, nest, self.env, Cursor(self.blocks[inner]) if inner in self.blocks else self.cursor
            )
            return [cast(SSAValue, value) for value in entering]
        self._place(nest.body)
        outputs = range(len(nest.outputs))
        unrolled = [[d for d in nest.outputs[i].dims if d >= inner] for i in outputs]
        accumulates = [bool(nest.accumulation[index]) for index in outputs]
        sums = self._sums_of_copies()
        terms: dict[tuple[int, ...], list[SSAValue]] = {}
        # The running value of every output element the copies have met, and a point to store it at.
        running: dict[tuple[int, ...], tuple[SSAValue, tuple[int, ...]]] = {}
        for point in product(*map(range, nest.extents[inner:])):
            self.env[inner:] = point
            elements = [(index, *(point[d - inner] for d in unrolled[index])) for index in outputs]
            old: list[SSAValue | None] = []
            for index, element in enumerate(elements):
                value = running[element][0] if element in running else entering[index]
                if value is None and nest.body.reads_output[index]:
                    value = self._initial(index, inner)
                old.append(value)
            new = self._copy_body(old, sums)
            for index, (element, value) in enumerate(zip(elements, new, strict=True)):
                if index in sums:
                    terms.setdefault(element, []).append(value)
                    running.setdefault(element, (cast(SSAValue, old[index]), point))
                elif accumulates[index]:
                    running[element] = (value, point)
                else:
                    self._store(index, value, inner)
        for element, values in terms.items():
            total, point = running[element]
            running[element] = self._sum_of_copies(sums[element[0]], total, values), point
        results: list[SSAValue] = [cast(SSAValue, value) for value in entering]
        for (index, *_), (value, point) in running.items():
            results[index] = value
            if starts[index] == inner:
                self.env[inner:] = point
                self._store(index, value, inner)
        return results

    def _sums_of_copies(self) -> dict[int, arith.AddfOp]:
        """The outputs to which several copies add something, each with its addition: what they add is added up by pairs
        first, which is closer to the exact sum than one after the other (Higham, "The accuracy of floating point
        summation", 1993).
        """
        nest = self.nest
        unrolled = set(range(self.inner, len(nest.extents)))
        return {
            index: combiner
            for index, combiner in enumerate(nest.body.combiners)
            if isinstance(combiner, arith.AddfOp)
            and prod(nest.extents[d] for d in nest.accumulation[index] & unrolled) > 2
            and len(list(combiner.result.uses)) == 1
        }

    def _sum_of_copies(self, combiner: arith.AddfOp, total: SSAValue, terms: list[SSAValue]) -> SSAValue:
        """`total` and what the copies add to it. Sums of pairs must stay: only the last addition may be reordered."""
        while len(terms) > 1:
            pairs = [arith.AddfOp(*pair) for pair in zip(terms[::2], terms[1::2], strict=False)]
            for op in pairs:
                self.add(self.inner, op)
            terms = [*(op.result for op in pairs), *terms[len(pairs) * 2 :]]
        op = arith.AddfOp(total, terms[0], flags=combiner.fastmath)
        self.add(self.inner, op)
        return op.result

    def _place(self, body: ScalarBody) -> None:
        """Computes for every value of the body its level and whether it differs between unrolled copies."""
        nest, inner = self.nest, self.inner
        unrolled = set(range(inner, len(nest.extents)))
        inputs = body.block.args[: len(nest.inputs)]
        for arg, access in zip(inputs, nest.inputs, strict=True):
            if isinstance(access, Access):
                aliased = access.root in self.written
                self.levels[arg] = inner if aliased else self.level_of_dims(access.dims)
                if aliased or access.dims & unrolled:
                    self.varying.add(arg)
            else:
                self.levels[arg] = self.base
        for arg in body.block.args[len(nest.inputs) :]:
            self.levels[arg] = inner
            self.varying.add(arg)
        for op in body.ops:
            level = self.base
            varies = False
            for nested in walk(op) if op.regions else (op,):
                if isinstance(nested, IndexOp):
                    dims = nest.index[nested.dim.value.data].dims()
                    level = max(level, self.level_of_dims(dims))
                    varies |= bool(dims & unrolled)
                elif isinstance(nested, memref.LoadOp) and buffer_of(nested.memref) in self.written:
                    level, varies = inner, True
                for operand in nested.operands:
                    level = max(level, self.levels.get(operand, self.base))
                    varies |= operand in self.varying
            for result in op.results:
                self.levels[result] = level
                if varies:
                    self.varying.add(result)

    def _copy_body(self, old: Sequence[SSAValue | None], sums: Mapping[int, arith.AddfOp]) -> list[SSAValue]:
        """One copy of the body on `old` outputs, without the additions `sums`, of which it gives what is added; values
        that do not vary are shared with the copies before.
        """
        nest, body, shared = self.nest, self.nest.body, self.shared
        values = dict(shared)
        args = body.block.args
        for arg, access in zip(args, nest.inputs, strict=False):
            if arg in values or not arg.uses:
                continue
            if isinstance(access, Access):
                value = self._load(access, self.levels[arg], self.env)
            else:
                value = access
            values[arg] = value
            if arg not in self.varying:
                shared[arg] = value
        for index, arg in enumerate(args[len(nest.inputs) :]):
            if not arg.uses:
                continue
            values[arg] = cast(SSAValue, old[index])
        left_out = set(sums.values())
        for op in body.ops:
            results = op.results
            if op in left_out or (results and results[0] in values):
                continue
            self._copy_op(op, values)
            if results and results[0] not in self.varying:
                for result in results:
                    shared[result] = values[result]
        added = {index: self._term(index, op) for index, op in sums.items()}
        yielded = [added.get(index, value) for index, value in enumerate(body.yielded)]
        return [values.get(value, value) for value in yielded]

    def _term(self, index: int, addition: arith.AddfOp) -> SSAValue:
        """What `addition` adds to output `index`."""
        accumulator = self.nest.body.block.args[len(self.nest.inputs) + index]
        return addition.lhs if addition.rhs is accumulator else addition.rhs

    def _copy_op(self, op: Operation, values: dict[SSAValue, SSAValue]) -> None:
        """A copy of one body op at its level, results recorded in `values`."""
        if isinstance(op, arith.ConstantOp | complex.ConstantOp):
            (result,) = op.results
            values[result] = self.state.constant(op.value, result.type)
            return
        level = self.levels[op.results[0]] if op.results else self.inner
        if isinstance(op, IndexOp):
            values[op.result] = self._emit_index(op.dim.value.data, level)
            return
        copy = copy_op(op, values)
        self.add(level, copy)
        for nested in list(walk(copy)) if op.regions else ():
            if isinstance(nested, IndexOp):
                value = self._emit_index(nested.dim.value.data, level, copy)
                replace_uses(nested.result, value)
                Rewriter.erase_op(nested)

    def _emit_index(self, dim: int, level: int, before: Operation | None = None) -> SSAValue:
        """The value of `linalg.index dim`, computed at `level` (ahead of `before` if given)."""
        value = self.nest.index[dim]
        known = all(isinstance(self.env[d], int) for d in value.dims())
        if known and not value.divisions():
            builder = MapBuilder(self.env)
            constant = cast(AffineConstantExpr, builder.expr(value)).value
            return self.state.constant(index_attribute(constant), INDEX)
        if before is not None:
            return emit_index(value, self.env, Cursor(cast(Block, before.parent), before).add)
        return emit_index(value, self.env, self.adder(level))
