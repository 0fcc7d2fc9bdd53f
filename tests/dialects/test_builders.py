"""Operations built from Python: result types are inferred, verified here and accepted by upstream."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from upstream import printed, upstream
from xdsl.dialects.builtin import (
    ComplexType,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    TensorType,
    TupleType,
    bf16,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl_xla.dialects import chlo
from xdsl_xla.dialects import stablehlo as hlo

Values = Sequence[SSAValue]
Build = Callable[[Values], Operation]


def tensor(*shape: int, of: Attribute = f32) -> TensorType[Attribute]:
    return TensorType(of, shape)


def region(types: Sequence[Attribute], body: Callable[[Values], Operation]) -> Region:
    """A region whose block returns the results of the operation that `body` makes of its arguments."""
    block = Block(arg_types=types)
    op = body(block.args)
    block.add_ops([op, hlo.ReturnOp(*op.results)])
    return Region(block)


def add(element: Attribute = f32) -> Region:
    return region([tensor(of=element)] * 2, lambda v: hlo.AddOp(*v))


def less(element: Attribute = f32) -> Region:
    return region([tensor(of=element)] * 2, lambda v: hlo.CompareOp(*v, hlo.ComparisonDirection.LT))


WINDOW = hlo.Window((2, 2), (2, 1), (1, 2), (1, 1), ((0, 1), (1, 0)))
POOL = hlo.Window((2, 2), (2, 2), (1, 1), (1, 1), ((0, 0), (0, 0)))
DOT = hlo.DotDimensionNumbersAttr.of(
    lhs_batching_dimensions=[0],
    rhs_batching_dimensions=[2],
    lhs_contracting_dimensions=[2],
    rhs_contracting_dimensions=[0],
)
CONV = hlo.ConvDimensionNumbersAttr(hlo.ConvDimensions(0, 3, (1, 2), 2, 3, (0, 1), 0, 3, (1, 2)))
GATHER = hlo.GatherDimensionNumbersAttr.of(
    offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1
)
SCATTER = hlo.ScatterDimensionNumbersAttr.of(
    update_window_dims=[1], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0], index_vector_dim=1
)
X = tensor(4, 6)
PAIR = TupleType((X, tensor()))
CASES: list[tuple[list[Attribute], Build, list[Attribute]]] = [
    ([X, X], lambda v: hlo.AddOp(*v), [X]),
    ([tensor(of=ComplexType(f32))], lambda v: hlo.AbsOp(*v), [tensor()]),
    ([X], lambda v: hlo.ConvertOp(*v, bf16), [tensor(4, 6, of=bf16)]),
    ([X], lambda v: hlo.IsFiniteOp(*v), [tensor(4, 6, of=i1)]),
    ([X, X], lambda v: hlo.ComplexOp(*v), [tensor(4, 6, of=ComplexType(f32))]),
    ([X, X], lambda v: hlo.CompareOp(*v, hlo.ComparisonDirection.GE), [tensor(4, 6, of=i1)]),
    ([tensor(), X, tensor()], lambda v: hlo.ClampOp(*v), [X]),
    ([tensor(of=i1), X, X], lambda v: hlo.SelectOp(*v), [X]),
    ([X], lambda v: hlo.ReducePrecisionOp(*v, 5, 10), [X]),
    ([], lambda v: hlo.IotaOp(1, tensor(4, 6, of=i32)), [tensor(4, 6, of=i32)]),
    ([], lambda v: hlo.ConstantOp(DenseIntOrFPElementsAttr.from_list(tensor(2), [1.0, 2.0])), [tensor(2)]),
    ([X], lambda v: hlo.BroadcastOp(*v, [2, 0]), [tensor(2, 0, 4, 6)]),
    ([X], lambda v: hlo.BroadcastInDimOp(*v, [1, 2], tensor(3, 4, 6)), [tensor(3, 4, 6)]),
    ([X], lambda v: hlo.ReshapeOp(*v, [3, 8]), [tensor(3, 8)]),
    ([tensor(2, 3, 4)], lambda v: hlo.TransposeOp(*v, [2, 0, 1]), [tensor(4, 2, 3)]),
    ([X], lambda v: hlo.ReverseOp(*v, [1]), [X]),
    ([X, tensor(1, 6)], lambda v: hlo.ConcatenateOp(v, 0), [tensor(5, 6)]),
    ([X], lambda v: hlo.SliceOp(*v, [0, 1], [4, 6], [3, 2]), [tensor(2, 3)]),
    ([X], lambda v: hlo.SliceOp(*v, [2, 1], [2, 6]), [tensor(0, 5)]),
    ([X, tensor()], lambda v: hlo.PadOp(*v, [1, -2], [0, 1], [2, 0]), [tensor(11, 5)]),
    ([tensor(0, 6), tensor()], lambda v: hlo.PadOp(*v, [1, 0], [0, 0], [2, 0]), [tensor(1, 6)]),
    ([tensor(3, 2, 5), tensor(5, 7, 3)], lambda v: hlo.DotGeneralOp(*v, DOT), [tensor(3, 2, 7)]),
    ([X, tensor(6)], lambda v: hlo.DotOp(*v), [tensor(4)]),
    (
        [tensor(2, 8, 8, 4), tensor(3, 3, 4, 6)],
        lambda v: hlo.ConvolutionOp(*v, CONV, window_strides=[2, 1], padding=[[1, 0], [0, 0]]),
        [tensor(2, 4, 6, 6)],
    ),
    ([X, tensor()], lambda v: hlo.ReduceOp([v[0]], [v[1]], [0], add()), [tensor(6)]),
    ([X, tensor()], lambda v: hlo.ReduceWindowOp([v[0]], [v[1]], WINDOW, add()), [tensor(2, 11)]),
    (
        [X, tensor(2, 3), tensor()],
        lambda v: hlo.SelectAndScatterOp(*v, POOL, less(), add()),
        [X],
    ),
    ([X, X], lambda v: hlo.MapOp(v, add()), [X]),
    ([X, tensor(6)], lambda v: chlo.BroadcastAddOp(*v), [X]),
    ([X, tensor(4)], lambda v: chlo.BroadcastAddOp(*v, broadcast_dimensions=[0]), [X]),
    ([X, tensor(6)], lambda v: chlo.BroadcastComplexOp(*v), [tensor(4, 6, of=ComplexType(f32))]),
    ([tensor(of=i1), X, tensor(6)], lambda v: chlo.BroadcastSelectOp(*v), [X]),
    ([X], lambda v: hlo.SortOp(v, less(), dimension=1, is_stable=True), [X]),
    ([X, tensor(5, 1, of=i32)], lambda v: hlo.GatherOp(*v, GATHER, [1, 6]), [tensor(5, 6)]),
    (
        [X, tensor(5, 1, of=i64), tensor(5, 6)],
        lambda v: hlo.ScatterOp([v[0]], v[1], [v[2]], SCATTER, add(), unique_indices=True),
        [X],
    ),
    ([X, tensor(of=i32)], lambda v: hlo.DynamicSliceOp(v[0], [v[1], v[1]], [2, 3]), [tensor(2, 3)]),
    (
        [X, tensor(2, 3), tensor(of=i32)],
        lambda v: hlo.DynamicUpdateSliceOp(v[0], v[1], [v[2], v[2]]),
        [X],
    ),
    (
        [X],
        lambda v: hlo.WhileOp(
            v,
            region([X], lambda a: hlo.ConstantOp(DenseIntOrFPElementsAttr.from_list(tensor(of=i1), [1]))),
            region([X], lambda a: hlo.TanhOp(*a)),
        ),
        [X],
    ),
    (
        [tensor(of=i1), X],
        lambda v: hlo.IfOp(v[0], *[region([], lambda _: hlo.TanhOp(v[1])) for _ in range(2)]),
        [X],
    ),
    (
        [tensor(of=i32), X],
        lambda v: hlo.CaseOp(v[0], [region([], lambda _: hlo.TanhOp(v[1])) for _ in range(3)]),
        [X],
    ),
    ([X, tensor()], lambda v: hlo.OptimizationBarrierOp(*v), [X, tensor()]),
    ([X, tensor()], lambda v: hlo.TupleOp(*v), [PAIR]),
    ([PAIR], lambda v: hlo.GetTupleElementOp(*v, 1), [tensor()]),
    ([tensor(3, 3)], lambda v: hlo.CholeskyOp(*v, lower=True), [tensor(3, 3)]),
    (
        [tensor(3, 3), tensor(3, 2)],
        lambda v: hlo.TriangularSolveOp(*v, True, False, False, hlo.Transpose.TRANSPOSE),
        [tensor(3, 2)],
    ),
    ([tensor(2, 8)], lambda v: hlo.FftOp(*v, hlo.FftType.RFFT, [8]), [tensor(2, 5, of=ComplexType(f32))]),
    (
        [tensor(2, 5, of=ComplexType(f32))],
        lambda v: hlo.FftOp(*v, hlo.FftType.IRFFT, [9]),
        [tensor(2, 9)],
    ),
    ([X], lambda v: hlo.CustomCallOp("target", v, [X], has_side_effect=True), [X]),
    ([X], lambda v: hlo.AllGatherOp(v, 0, [[0, 1]], [tensor(8, 6)]), [tensor(8, 6)]),
    ([X], lambda v: hlo.AllReduceOp(v, [[0, 1]], add()), [X]),
    ([X], lambda v: hlo.AllToAllOp(v, 1, 0, 2, [[0, 1]]), [tensor(8, 3)]),
    ([X], lambda v: hlo.CollectivePermuteOp(*v, [[0, 1]]), [X]),
    ([X], lambda v: hlo.ReduceScatterOp(*v, 1, [[0, 1]], add(), tensor(4, 3)), [tensor(4, 3)]),
    ([], lambda v: hlo.ReplicaIdOp(), [hlo.ReplicaIdOp().result.type]),
    ([hlo.TokenType()], lambda v: hlo.AfterAllOp(*v), [hlo.TokenType()]),
    ([hlo.TokenType()], lambda v: hlo.InfeedOp(*v, [X]), [X, hlo.TokenType()]),
    (
        [X, tensor(6), tensor(6)],
        lambda v: hlo.BatchNormTrainingOp(*v, 1.0e-3, 1),
        [X, tensor(6), tensor(6)],
    ),
    ([X], lambda v: hlo.GetDimensionSizeOp(*v, 1), [tensor(of=i32)]),
    ([X], lambda v: chlo.ErfOp(*v), [X]),
    ([X], lambda v: chlo.IsInfOp(*v), [tensor(4, 6, of=i1)]),
    ([X], lambda v: chlo.TopKOp(*v, 2), [tensor(4, 2), tensor(4, 2, of=i32)]),
]


@pytest.mark.parametrize("types, build, expected", CASES, ids=lambda case: None)
def test_inferred_types(types: list[Attribute], build: Build, expected: list[Attribute]) -> None:
    function = FuncOp("f", (types, ()))
    op = build(function.args)
    function.body.block.add_ops([op, ReturnOp()])
    assert list(op.result_types) == expected
    module = ModuleOp([function])
    module.verify()
    for generic in (False, True):
        upstream(printed(module, generic=generic))


def test_structured_attributes_are_python_values() -> None:
    assert GATHER.offset_dims == (1,) and GATHER.index_vector_dim == 1 and GATHER.operand_batching_dims == ()
    assert DOT.rhs_batching_dimensions == (2,)
    assert CONV.kernel_output_feature_dimension == 3 and CONV.output_spatial_dimensions == (1, 2)
    with pytest.raises(TypeError, match="no field offset"):
        hlo.GatherDimensionNumbersAttr.of(offset=[1])
