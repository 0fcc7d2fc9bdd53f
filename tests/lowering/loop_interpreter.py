"""Runs functions of linalg, affine, scf, memref, arith and math ops on NumPy arrays, one scalar at a
time: the meaning of a program before and after a lowering, for small shapes.

Memrefs are NumPy arrays, views share memory. Iterations of `affine.parallel` run last to first, so
that a dependence between them shows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects import affine, arith, func, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.ops import IndexOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.parser import Parser
from xdsl.universe import XDSL_UNIVERSE

DIALECTS = ("builtin", "func", "linalg", "affine", "scf", "memref", "arith", "math")


def parse(text: str) -> ModuleOp:
    """The module in `text`."""
    context = Context()
    for name in DIALECTS:
        context.register_dialect(name, XDSL_UNIVERSE.all_dialects[name])
    return Parser(context, text).parse_module()


def dtype(type: Attribute) -> np.dtype[Any]:
    """The NumPy type of an element type."""
    if isinstance(type, Float32Type):
        return np.dtype(np.float32)
    if isinstance(type, Float64Type):
        return np.dtype(np.float64)
    if isinstance(type, IndexType):
        return np.dtype(np.int64)
    width = cast(IntegerType, type).bitwidth
    return np.dtype(np.bool_ if width == 1 else f"int{width}")


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": lambda a, b: a / b,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.addi": lambda a, b: a + b,
    "arith.muli": lambda a, b: a * b,
    "arith.maxsi": max,
    "arith.minsi": min,
}

COMPARE_FLOATS: dict[int, Callable[[Any, Any], Any]] = {
    1: lambda a, b: a == b,
    2: lambda a, b: a > b,
    3: lambda a, b: a >= b,
    4: lambda a, b: a < b,
    6: lambda a, b: a < b or a > b,
}


class LoopInterpreter:
    """Runs the functions of one module."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.executed: dict[str, int] = {}

    def call(self, name: str, *arrays: np.ndarray[Any, Any]) -> None:
        """Runs function `name`; it writes into its arguments."""
        for op in self.module.body.block.ops:
            if isinstance(op, func.FuncOp) and op.sym_name.data == name:
                self.run_block(op.body.block, arrays, {})
                return
        raise KeyError(name)

    def run_block(self, block: Block, arguments: Sequence[Any], outer: dict[SSAValue, Any]) -> list[Any]:
        """The operands of the terminator."""
        env = dict(outer)
        env.update(zip(block.args, arguments, strict=True))
        for op in block.ops:
            self.executed[op.name] = self.executed.get(op.name, 0) + 1
            operands = [env[operand] for operand in op.operands]
            if op is block.last_op:
                return operands
            results = self.run_op(op, operands, env)
            env.update(zip(op.results, results, strict=True))
        return []

    def run_op(self, op: Operation, operands: list[Any], env: dict[SSAValue, Any]) -> list[Any]:
        match op:
            case affine.ForOp():
                low, high = len(op.lowerBoundOperands), len(op.upperBoundOperands)
                start = max(op.lowerBoundMap.data.eval(operands[:low], []))
                stop = min(op.upperBoundMap.data.eval(operands[low : low + high], []))
                operands = operands[low + high :]
                for iteration in range(start, stop, op.step.value.data):
                    operands = self.run_block(op.body.block, [iteration, *operands], env)
                return operands
            case affine.ParallelOp():
                extents = op.upperBoundsMap.data.eval([], [])
                for point in reversed(list(itertools.product(*map(range, extents)))):
                    self.run_block(op.body.block, point, env)
                return []
            case scf.ForOp():
                for iteration in range(*operands[:3]):
                    yielded = self.run_block(op.body.block, [iteration, *operands[3:]], env)
                    operands[3:] = yielded
                return operands[3:]
            case scf.IfOp():
                region = op.true_region if operands[0] else op.false_region
                return self.run_block(region.block, [], env) if region.blocks else []
            case LinalgStructuredOperation():
                self.run_linalg(op, operands, env)
                return []
            case _:
                return _without_regions(op, operands)

    def run_linalg(
        self,
        op: LinalgStructuredOperation,
        operands: list[Any],
        env: dict[SSAValue, Any],
    ) -> None:
        maps = [attribute.data for attribute in op.get_indexing_maps()]
        extents: dict[int, int] = {}
        for indexing_map, operand in list(zip(maps, operands, strict=True))[::-1]:
            for expr, size in zip(indexing_map.results, np.shape(operand), strict=True):
                if isinstance(expr, AffineDimExpr):
                    extents.setdefault(expr.position, size)
        first_output = len(op.inputs)
        for point in itertools.product(*(range(extents[d]) for d in range(len(extents)))):
            indices = [indexing_map.eval(point, []) for indexing_map in maps]
            values = [
                operand[_in_bounds(index, operand)] if isinstance(operand, np.ndarray) else operand
                for operand, index in zip(operands, indices, strict=True)
            ]
            inner = dict(env)
            for nested in op.body.walk():
                if isinstance(nested, IndexOp):
                    inner[nested.result] = np.int64(point[nested.dim.value.data])
            yielded = self.run_body(op.body.block, values, inner)
            for operand, index, value in zip(operands[first_output:], indices[first_output:], yielded, strict=True):
                operand[index] = value

    def run_body(self, block: Block, values: Sequence[Any], env: dict[SSAValue, Any]) -> list[Any]:
        env.update(zip(block.args, values, strict=True))
        for op in block.ops:
            if isinstance(op, IndexOp):
                continue
            operands = [env[operand] for operand in op.operands]
            if op is block.last_op:
                return operands
            env.update(zip(op.results, self.run_op(op, operands, env), strict=True))
        return []


def _without_regions(op: Operation, operands: list[Any]) -> list[Any]:
    """The results of an op that computes, looks at memory or changes it."""
    if op.name in BINARY:
        with np.errstate(all="ignore"):
            return [dtype(op.results[0].type).type(BINARY[op.name](*operands))]
    match op:
        case arith.ConstantOp():
            value = op.value
            assert isinstance(value, IntegerAttr | FloatAttr)
            return [dtype(op.result.type).type(value.value.data)]
        case arith.SelectOp():
            return [operands[1] if operands[0] else operands[2]]
        case arith.CmpfOp():
            return [np.bool_(COMPARE_FLOATS[op.predicate.value.data](*operands))]
        case arith.IndexCastOp():
            return [dtype(op.result.type).type(operands[0])]
        case memref.AllocOp() | memref.AllocaOp():
            type = op.memref.type
            # What nobody wrote must not look like a result.
            fill = np.nan if dtype(type.element_type).kind == "f" else 77
            return [np.full(type.get_shape(), fill, dtype(type.element_type))]
        case memref.CollapseShapeOp() | memref.ExpandShapeOp():
            assert isinstance(op.result.type, MemRefType)
            return [operands[0].reshape(op.result.type.get_shape())]
        case memref.SubviewOp():
            return [_subview(op, operands)]
        case memref.LoadOp():
            return [operands[0][tuple(operands[1:])]]
        case memref.StoreOp():
            operands[1][tuple(operands[2:])] = operands[0]
            return []
        case affine.ApplyOp():
            return [np.int64(op.map.data.eval(operands, [])[0])]
        case affine.LoadOp():
            return [operands[0][_in_bounds(op.map.data.eval(operands[1:], []), operands[0])]]
        case affine.StoreOp():
            index = _in_bounds(op.map.data.eval(operands[2:], []), operands[1])
            operands[1][index] = operands[0]
            return []
        case affine.VectorLoadOp():
            return [_vector(operands[0], op.map.data.eval(operands[1:], []), op.results[0].type).copy()]
        case affine.VectorStoreOp():
            _vector(operands[1], op.map.data.eval(operands[2:], []), op.operands[0].type)[:] = operands[0]
            return []
        case vector.ShuffleOp():
            return [np.concatenate(operands)[list(op.mask.get_values())]]
        case _ if op.name.startswith("math."):
            function = getattr(math, op.name.removeprefix("math."))
            return [dtype(op.results[0].type).type(function(operands[0]))]
        case _:
            raise NotImplementedError(op.name)


def _vector(array: np.ndarray[Any, Any], index: Sequence[int], type: Attribute) -> np.ndarray[Any, Any]:
    """The neighbours in memory, from `index` on, that a vector of `type` covers."""
    assert array.flags.c_contiguous
    (size,) = cast("VectorType[Attribute]", type).get_shape()
    start = int(np.ravel_multi_index(_in_bounds(index, array), array.shape))
    assert start + size <= array.size
    return array.reshape(-1)[start : start + size]


def _in_bounds(index: Sequence[int], array: np.ndarray[Any, Any]) -> tuple[int, ...]:
    assert all(0 <= i < size for i, size in zip(index, array.shape, strict=True)), f"{tuple(index)} in {array.shape}"
    return tuple(index)


def _subview(op: memref.SubviewOp, operands: list[Any]) -> np.ndarray[Any, Any]:
    dynamic = iter(operands[1:])

    def values(attribute: DenseArrayBase[Any]) -> list[int]:
        return [next(dynamic) if v == DYNAMIC_INDEX else v for v in attribute.get_values()]

    offsets, sizes, strides = map(values, (op.static_offsets, op.static_sizes, op.static_strides))
    view = operands[0][
        tuple(
            slice(offset, offset + size * stride, stride)
            for offset, size, stride in zip(offsets, sizes, strides, strict=True)
        )
    ]
    assert isinstance(op.result.type, MemRefType)
    shape = op.result.type.get_shape()
    kept = list(view.shape)
    for axis in reversed(range(len(kept))):
        if len(kept) > len(shape) and kept[axis] == 1:
            view = view.squeeze(axis)
            del kept[axis]
    return view
