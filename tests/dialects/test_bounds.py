"""Bounds of results: by the rules that infer shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i32
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.exceptions import VerifyException
from xdsl_xla.dialects import chlo, stablehlo
from xdsl_xla.dialects.stablehlo.attributes import (
    DotDimensionNumbersAttr,
    FftType,
    GatherDimensionNumbersAttr,
    TypeExtensionsAttr,
)
from xdsl_xla.dialects.stablehlo.bounds import reshape_groups, reshaped_dims, reshaped_type


def bounded(text: str, element: Any = f32) -> TensorType[Attribute]:
    """`<5,4` is `tensor<?x4xf32, #stablehlo.bounds<5, ?>>`."""
    parts = [part for part in text.split(",") if part]
    shape = [DYNAMIC_INDEX if part[0] in "<?" else int(part) for part in parts]
    bounds = tuple(int(part[1:]) if part[0] == "<" else DYNAMIC_INDEX for part in parts)
    return (
        TensorType(element, shape, TypeExtensionsAttr(bounds))
        if any(b >= 0 for b in bounds)
        else TensorType(element, shape)
    )


X, Y, I = bounded("<5,4"), bounded("4,<5"), bounded("<3,1", i32)
S, N = bounded(""), bounded("", i32)
ROWS = GatherDimensionNumbersAttr(((1,), (0,), (), (), (0,), 1))
COLUMNS = GatherDimensionNumbersAttr(((0,), (1,), (), (), (1,), 1))
MATRICES = DotDimensionNumbersAttr(((), (), (1,), (0,)))

CASES: dict[str, tuple[list[Any], Callable[..., Operation], list[Any]]] = {
    "slice": ([X], lambda x: stablehlo.SliceOp(x, [1, 0], [5, 4], [2, 2]), [bounded("<2,2")]),
    "pad": ([X, S], lambda x, v: stablehlo.PadOp(x, v, [1, 0], [0, 2], [1, 0]), [bounded("<10,6")]),
    "transpose": ([X], lambda x: stablehlo.TransposeOp(x, [1, 0]), [Y]),
    "broadcast": ([X], lambda x: stablehlo.BroadcastOp(x, [3]), [bounded("3,<5,4")]),
    "broadcast_in_dim": ([X], lambda x: stablehlo.BroadcastInDimOp(x, [2, 0], [4, 2, 5]), [bounded("4,2,<5")]),
    "concatenate": ([X, X], lambda x, y: stablehlo.ConcatenateOp([x, y], 0), [bounded("<10,4")]),
    "concatenate beside": ([X, X], lambda x, y: stablehlo.ConcatenateOp([x, y], 1), [bounded("<5,8")]),
    "reshape": ([X], lambda x: stablehlo.ReshapeOp(x, [20]), [bounded("<20")]),
    "dot_general": ([X, Y], lambda x, y: stablehlo.DotGeneralOp(x, y, MATRICES), [bounded("<5,<5")]),
    "dot": ([Y, X], lambda x, y: stablehlo.DotOp(x, y), [bounded("4,4")]),
    "einsum": ([X, Y], lambda x, y: stablehlo.EinsumOp(x, y, "ab,bc->ca"), [bounded("<5,<5")]),
    "gather rows": ([Y, I], lambda x, i: stablehlo.GatherOp(x, i, ROWS, [1, 5]), [bounded("<3,<5")]),
    "gather columns": ([X, I], lambda x, i: stablehlo.GatherOp(x, i, COLUMNS, [5, 1]), [bounded("<5,<3")]),
    "gather part": ([X, I], lambda x, i: stablehlo.GatherOp(x, i, COLUMNS, [2, 1]), [bounded("2,<3")]),
    "dynamic_slice": ([X, N, N], lambda x, i, j: stablehlo.DynamicSliceOp(x, [i, j], [5, 2]), [bounded("<5,2")]),
    "dynamic_slice part": ([X, N, N], lambda x, i, j: stablehlo.DynamicSliceOp(x, [i, j], [1, 4]), [bounded("1,4")]),
    "index select": ([X, I], lambda x, i: stablehlo.TorchIndexSelectOp(x, i, 0), [bounded("<3,1,4")]),
    "fft": ([X], lambda x: stablehlo.FftOp(x, FftType.RFFT, [4]), [bounded("<5,3")]),
    "batch norm": (
        [X, bounded("4"), bounded("4")],
        lambda x, s, o: stablehlo.BatchNormTrainingOp(x, s, o, 0.0, 1),
        [X, bounded("4"), bounded("4")],
    ),
    "batch norm of features": (
        [X, bounded("<5"), bounded("<5")],
        lambda x, s, o: stablehlo.BatchNormTrainingOp(x, s, o, 0.0, 0),
        [X, bounded("<5"), bounded("<5")],
    ),
    "broadcast_add": ([X, bounded("1,4")], lambda x, y: chlo.BroadcastAddOp(x, y), [X]),
    "top_k": ([X], lambda x: chlo.TopKOp(x, 2), [bounded("<5,2"), bounded("<5,2", i32)]),
    "without a bound": ([bounded("?,4")], lambda x: stablehlo.TransposeOp(x, [1, 0]), [bounded("4,?")]),
}


@pytest.mark.parametrize("name", CASES)
def test_constructors_infer_bounds(name: str) -> None:
    types, make, expected = CASES[name]
    op = make(*Block(arg_types=types).args)
    got = [(str(type.shape), type.encoding) for type in op.result_types if isinstance(type, TensorType)]
    assert got == [(str(type.shape), type.encoding) for type in expected]
    op.verify()


@pytest.mark.parametrize(
    ("source", "target", "groups"),
    [
        ((5, 4), (20,), [((0, 1), (0,))]),
        ((2, 3, 4, 5), (6, 20), [((0, 1), (0,)), ((2, 3), (1,))]),
        ((5,), (1, 5), [((0,), (0, 1))]),
        ((1, 5), (5,), [((0,), ()), ((1,), (0,))]),
        ((3, 1, 2), (3, 2), [((0, 1), (0,)), ((2,), (1,))]),
        ((4, 3), (2, 6), [((0, 1), (0, 1))]),
        ((), (1, 1), [((), (0, 1))]),
        ((), (), []),
    ],
)
def test_groups_of_a_reshape(source: Any, target: Any, groups: Any) -> None:
    assert [(tuple(a), tuple(b)) for a, b in reshape_groups(source, target)] == groups


def test_where_bounded_dimensions_go_in_a_reshape() -> None:
    assert reshaped_dims((5, 4), [0], (20,)) == {0: [0]}
    assert reshaped_dims((2, 3, 4, 5), [0, 1, 2], (6, 20)) == {0: [0, 1], 1: [2]}
    assert reshaped_dims((5, 4), [0], (1, 5, 2, 2)) == {1: [0]}
    assert reshaped_dims((1, 4), [0], (4,)) == {0: [0]}
    assert reshaped_dims((1,), [0], ()) == {}
    assert reshaped_dims((0, 4), [0], (2, 0)) == {}
    for source, dim, target in (((6,), 0, (2, 3)), ((4, 3), 0, (2, 6)), ((3, 1, 2), 1, (3, 2))):
        with pytest.raises(VerifyException, match=f"dimension {dim}, of bounded size"):
            reshaped_dims(source, [dim], target)
    (x,) = Block(arg_types=[X]).args
    with pytest.raises(VerifyException, match="has up to 20 elements"):
        reshaped_type(x, [21])
