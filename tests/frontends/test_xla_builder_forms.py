"""Every calling form of the documents: by position as their signatures say, by name as their tables do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla
from xla_calls import ADD, NEG, Kwargs, Values, calls_of
from xla_programs import add_of, run, run_on_replicas, scalars

HERE = Path(__file__).parent
BINARY = "Add Sub Mul Div Rem Max Min LogicalAnd LogicalOr Eq Ne Ge Gt Le Lt".split()
"""What `Op` stands for."""
CONTRADICTED = {
    "ReducePrecision(operand, mantissa_bits, exponent_bits)": "by name only",
    "Clamp(computation, args...)": "max: expected",
}
"""Signatures that a newer page or C++ contradicts, and the error of a call by position."""


class Signature(NamedTuple):
    year: str
    name: str
    text: str
    arguments: list[str] | None
    table: list[str] | None


def read_signatures() -> list[Signature]:
    found: list[Signature] = []
    year = ""
    for line in (HERE / "operation_signatures.md").read_text().splitlines():
        if line.startswith("## "):
            year = line[3:]
        elif line.startswith("- "):
            name, _, rest = line[2:].partition("(")
            names = [part.strip(" .") for part in rest.rstrip(")").split(",") if part.strip()]
            found.append(Signature(year, name, line[2:], names if "(" in line else None, None))
        elif line.startswith("    - "):
            found[-1] = found[-1]._replace(table=line[6:].split(", "))
    return found


SIGNATURES = [
    signature._replace(name=name)
    for signature in read_signatures()
    for name in (BINARY if signature.name == "Op" else [signature.name])
]


def function_of(name: str) -> str:
    """The operation of that name in C++."""
    (found,) = [operator.name for operator in xla.OPERATORS.values() if operator.cpp_name == name]
    return found


def arguments_of(name: str, v: Values, wanted: list[str]) -> dict[str, Any]:
    """Values for the arguments, by the names the documents give them."""
    operator = xla.OPERATORS[name]
    names = {"args": "operands", **operator.door.names}
    for make in calls_of(name):
        values = make(v)
        extra: Kwargs = {"indices_are_sorted": False, "unique_indices": False, "dimensions": [0, 1]}
        values = {**extra, **values}
        if all(argument in values or names.get(argument) in values for argument in wanted):
            return {argument: values[argument if argument in values else names[argument]] for argument in wanted}
    raise AssertionError(f"no call of {name} has {wanted}")


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: f"{s.year}-{s.name}-{len(s.arguments or ())}")
def test_signatures(signature: Signature) -> None:
    name = function_of(signature.name)
    v = Values()
    if signature.text in CONTRADICTED:
        with pytest.raises(xdsl_xla.ArgumentError, match=CONTRADICTED[signature.text]):
            getattr(v.builder, name)(v.f, *range(1, len(signature.arguments or ())))
    elif signature.arguments is not None:
        values = arguments_of(name, v, signature.arguments)
        getattr(v.builder, name)(*values.values())
        if "args" not in values:
            getattr(v.builder, name)(**values)
    if signature.table is not None:
        values = arguments_of(name, v, signature.table)
        if name == "call":
            getattr(v.builder, name)(values["computation"], *values["args"])
        else:
            getattr(v.builder, name)(**values)


def test_every_row_of_the_operations_has_a_call() -> None:
    """The names of the first column of OPERATIONS.md."""
    names = {operator.cpp_name for operator in xla.OPERATORS.values()}
    rows = [line.split("|")[1] for line in (HERE / "OPERATIONS.md").read_text().splitlines() if line.startswith("| ")]
    text = " ".join(rows[1:]).replace("BatchNormTraining / Inference / Grad", "BatchNormInference BatchNormGrad")
    found = set(re.findall(r"\b[A-Z][A-Za-z]+\d?[a-z]?\b", text))
    prose = {"SAME", "VALID", "TotalOrder"}
    assert not (found - names - prose), sorted(found - names - prose)


# The values of the forms


F = np.float32([[3, 1, 2], [9, 7, 8]])


def equal(got: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(got, wanted)
    assert got.shape == np.shape(wanted)


def test_logical_operations() -> None:
    p, q = np.array([True, True, False]), np.array([True, False, False])
    equal(run(lambda b, p, q: xla.logical_and(p, q), p, q), p & q)
    equal(run(lambda b, p, q: xla.logical_or(p, q), p, q), p | q)
    equal(run(lambda b, p: xla.logical_not(p), p), ~p)
    with pytest.raises(xdsl_xla.ArgumentError, match="operand: expected elements pred"):
        run(lambda b, x: xla.logical_not(x), np.int32([1]))


def test_concatenate_finds_its_builder() -> None:
    equal(run(lambda b, x: xla.concatenate([x, x], 0), F), np.concatenate([F, F]))
    equal(run(lambda b, x: xla.concatenate(operands=[x, x], dimension=1), F), np.concatenate([F, F], 1))
    equal(run(lambda b, x: b.concatenate([x], 0), F), F)
    equal(run(lambda b, x: xla.tuple([x, x])[1], F), F)


def test_dimension_numbers_are_built_up() -> None:
    numbers = xla.DotDimensionNumbers()
    numbers.add_lhs_contracting_dimensions(2)
    numbers.add_rhs_contracting_dimensions(1)
    numbers.add_lhs_batch_dimensions(0)
    numbers.add_rhs_batch_dimensions(0)
    assert numbers == xla.DotDimensionNumbers([2], [1], [0], [0])
    batch = np.float32([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    equal(run(lambda b, x, y: xla.dot_general(x, y, numbers), batch, batch), batch @ batch)
    gather = xla.GatherDimensionNumbers()
    gather.add_offset_dims(1)
    gather.add_collapsed_slice_dims(0)
    gather.add_start_index_map(0)
    gather.set_index_vector_dim(1)
    equal(run(lambda b, x, i: xla.gather(x, i, gather, [1, 3]), F, np.int32([[1], [0]])), F[[1, 0]])
    scatter = xla.ScatterDimensionNumbers()
    scatter.add_update_window_dims(1)
    scatter.add_inserted_window_dims(0)
    scatter.add_scatter_dims_to_operand_dims(0)
    scatter.set_index_vector_dim(1)
    assert scatter == xla.ScatterDimensionNumbers([1], [0], [0], 1)
    convolution = xla.ConvolutionDimensionNumbers()
    for prefix, batch_name, feature in (("input", "batch", "feature"), ("output", "batch", "feature")):
        getattr(convolution, f"set_{prefix}_{batch_name}_dimension")(0)
        getattr(convolution, f"set_{prefix}_{feature}_dimension")(1)
        getattr(convolution, f"add_{prefix}_spatial_dimensions")(2)
    convolution.set_kernel_output_feature_dimension(0)
    convolution.set_kernel_input_feature_dimension(1)
    convolution.add_kernel_spatial_dimensions(2)
    assert convolution == xla.default_convolution_dimension_numbers(1)
    padding = xla.PaddingConfig()
    for low in (1, 0):
        dimension = padding.add_dimensions()
        dimension.set_edge_padding_low(low)
        dimension.set_interior_padding(0)
    equal(run(lambda b, x: xla.pad(x, 0.0, padding), F), np.pad(F, ((1, 0), (0, 0))))
    group = xla.ReplicaGroup()
    group.add_replica_ids(3)
    assert group.replica_ids == [3]


def test_wrong_fields_of_dimension_numbers() -> None:
    numbers = xla.GatherDimensionNumbers()
    for wrong, message in (
        (lambda: numbers.add_offset_dims("x"), "add_offset_dims: offset_dims: element 0: expected an integer"),
        (lambda: numbers.set_index_vector_dim(None), "set_index_vector_dim: index_vector_dim: expected an integer"),
        (lambda: numbers.set_offset_dims(1), "no field or method 'set_offset_dims'"),
        (lambda: numbers.add_offset_dim(1), "no field or method 'add_offset_dim'"),
    ):
        with pytest.raises(xdsl_xla.ArgumentError, match=message):
            wrong()
    assert numbers == xla.GatherDimensionNumbers()
    assert not hasattr(numbers, "no_such_field")
    numbers.offset_dims = None  # pyright: ignore
    v = Values()
    with pytest.raises(xdsl_xla.ArgumentError, match="gather: dimension_numbers: offset_dims: expected a list"):
        xla.gather(v.f, v.places, numbers, [1, 3])


def test_cross_replica_sum_by_the_numbers_of_groups() -> None:
    """{0, 1, 0, 1} are the groups {0, 2} and {1, 3}."""
    operands = [np.float32([n]) for n in (1, 2, 4, 8)]
    for form in (
        lambda b, x: xla.cross_replica_sum(x, [0, 1, 0, 1]),
        lambda b, x: xla.cross_replica_sum(x, replica_group_ids=[0, 1, 0, 1]),
        lambda b, x: xla.cross_replica_sum(x, [[0, 2], [1, 3]]),
    ):
        assert [float(result[0]) for result in run_on_replicas(form, *operands)] == [5, 10, 5, 10]
    with pytest.raises(xdsl_xla.ArgumentError, match="replica_group_ids: expected groups of one size"):
        run(lambda b, x: xla.cross_replica_sum(x, [0, 1, 2, 0]), operands[0])


def test_sorts() -> None:
    equal(run(lambda b, x: xla.sort(x, 0), F), np.sort(F, 0))
    equal(run(lambda b, x: xla.sort(operand=x, dimension=1), F), np.sort(F, 1))
    keys, values = np.int32([3, 1]), np.int32([42, 50])
    for form in (
        lambda b, k, v: xla.sort(keys=k, values=v),
        lambda b, k, v: xla.sort(k, v),
        lambda b, k, v: xla.sort(k, v, 0),
        lambda b, k, v: xla.sort(key=k, value=v, dimension=0),
        lambda b, k, v: xla.sort(k, [v], 0),
    ):
        got_keys, got_values = run(form, keys, values)
        equal(got_keys, [1, 3])
        equal(got_values, [50, 42])


def test_map_with_static_operands() -> None:
    weighted = scalars(lambda x, y, w: x + y * w, xla.F32, xla.F32, xla.F32)
    for form in (
        lambda b, x, y: xla.map([x, y], weighted, [0, 1], [b.constant(10.0)]),
        lambda b, x, y: xla.map(operands=[x, y], computation=weighted, static_operands=[b.constant(10.0)]),
        lambda b, x, y: xla.map(x, y, weighted, b.constant(10.0)),
        lambda b, x, y: b.map([x, y], weighted, static_operands=[10.0]),
    ):
        equal(run(form, F, F), F + F * 10)


def test_calls() -> None:
    for form in (
        lambda b, x: xla.call(ADD, x, x),
        lambda b, x: xla.call(b, ADD, [x, x]),
        lambda b, x: xla.call(b, ADD, x, 4.0),
        lambda b, x: b.call(ADD, x, x),
        lambda b, x: xla.call(computation=ADD, operands=[x, 4]),
    ):
        assert run(form, np.float32(4)) == 8


def test_integer_channels() -> None:
    def transfers(send: Any, receive: Any) -> xla.XlaComputation:
        builder = xla.XlaBuilder("transfers")
        x = builder.parameter(0, xla.Shape.array(xla.F32, [3]))
        send(x)
        return builder.build(receive(builder) + x)

    shape = xla.Shape.array(xla.F32, [3])
    text = [
        re.sub(r"transfers\.\d+", "", str(transfers(*pair).module))
        for pair in (
            (lambda x: xla.send(x, 7), lambda b: xla.recv(b, shape, 8)),
            (lambda x: xla.send(x, channel_id=7), lambda b: b.recv(shape, channel_id=8)),
            (
                lambda x: xla.send(x, channel_handle=xla.ChannelHandle(7)),
                lambda b: b.recv(shape, channel_handle=xla.ChannelHandle(8)),
            ),
        )
    ]
    assert text[0] == text[1] == text[2] and "handle = 7" in text[0]


def test_convolution_with_dilations() -> None:
    image = np.arange(18, dtype=np.float32).reshape(1, 2, 3, 3)
    kernel = np.ones((1, 2, 2, 2), np.float32)
    spread = np.zeros((1, 2, 5, 5), np.float32)
    spread[:, :, ::2, ::2] = image
    got = run(
        lambda b, x, k: xla.conv_with_general_padding(x, k, [1, 1], [(0, 0), (0, 0)], lhs_dilation=[2, 2]),
        *(image, kernel),
    )
    equal(got, run(lambda b, x, k: xla.conv_with_general_padding(x, k, [1, 1], [(0, 0), (0, 0)]), spread, kernel))
    got = run(
        lambda b, x, k: xla.conv_with_general_padding(x, k, [1, 1], [(0, 0), (0, 0)], rhs_dilation=[2, 2]),
        *(image, kernel),
    )
    equal(got, (image[:, :, ::2, ::2].sum((1, 2, 3))[:, None, None, None]))


def test_gather_and_scatter_by_their_fields() -> None:
    places = np.int32([[1], [0]])
    for form in (
        lambda b, x, i: xla.gather(x, i, [1], [0], [1, 3], [0]),
        lambda b, x, i: xla.gather(
            operand=x,
            start_indices=i,
            index_vector_dim=1,
            offset_dims=[1],
            slice_sizes=[1, 3],
            collapsed_slice_dims=[0],
            start_index_map=[0],
        ),
    ):
        equal(run(form, F, places), F[[1, 0]])
    updates = np.float32([[1, 1, 1], [2, 2, 2]])
    for form in (
        lambda b, x, i, u: xla.scatter(x, i, u, add_of(), 1, [1], [0], [0]),
        lambda b, x, i, u: xla.scatter(
            operand=x,
            scatter_indices=i,
            updates=u,
            update_computation=add_of(),
            index_vector_dim=1,
            update_window_dims=[1],
            inserted_window_dims=[0],
            scatter_dims_to_operand_dims=[0],
        ),
    ):
        equal(run(form, F, places, updates), F + updates[::-1])


def test_arguments_by_the_names_of_the_tables() -> None:
    equal(run(lambda b, x: xla.reshape(operand=x, dimensions=[1, 0], new_sizes=[6]), F), F.T.reshape(6))
    equal(run(lambda b, x: xla.reduce(operands=x, init_values=0.0, computation=ADD, dimensions=[0]), F), F.sum(0))
    equal(run(lambda b, x: xla.reduce(x, 0.0, ADD, dimensions_to_reduce=[0]), F), F.sum(0))
    got = run(
        lambda b, p, x: xla.conditional(
            pred=p, true_operand=x, true_computation=NEG, false_operand=x, false_computation=NEG
        ),
        *(np.array(True), np.float32(2)),
    )
    assert got == -2
    for result in run_on_replicas(lambda b, x: xla.all_gather(x, all_gather_dim=0, shard_count=2), F[0], F[1]):
        equal(result, F.reshape(6))
    groups = [[0, 1]]
    parts = run_on_replicas(
        lambda b, x: xla.reduce_scatter(x, ADD, scatter_dim=0, shard_count=2, replica_group_ids=groups),
        F[:, :2],
        F[:, 1:],
    )
    equal(parts[0], (F[:, :2] + F[:, 1:])[:1])
    low = np.float32(1.0009765625)
    equal(run(lambda b, x: xla.reduce_precision(x, mantissa_bits=2, exponent_bits=5), low), np.float32(1))


def test_constants_of_cpp() -> None:
    equal(run(lambda b: b.constant_r0(2.5)), np.float32(2.5))
    equal(run(lambda b: xla.constant_r1(b, [1, 2])), np.int32([1, 2]))
    equal(run(lambda b: b.constant_r1((1, 2), xla.F64)), np.float64([1, 2]))
    equal(run(lambda b: xla.constant_r2(b, [[1.0], [2.0]])), np.float32([[1], [2]]))
    equal(run(lambda b: xla.constant_r3(b, np.ones((1, 2, 3), np.int8))), np.ones((1, 2, 3), np.int8))
    equal(run(lambda b: xla.constant_r4(b, np.ones((1, 2, 1, 3), np.int8))), np.ones((1, 2, 1, 3), np.int8))
    equal(run(lambda b: xla.zeros(b, xla.Shape.array(xla.S16, [2]))), np.zeros(2, np.int16))
    equal(run(lambda b: xla.zero(b, xla.F32) + xla.one(b, xla.F32)), np.float32(1))
    equal(run(lambda b, x: xla.zeros_like(x), F), 0 * F)
    equal(run(lambda b, x: xla.ones_like(x) + xla.full_like(x, 3), F), 0 * F + 4)
    equal(run(lambda b, x: x * xla.scalar_like(x, 3), F), F * 3)
    with pytest.raises(xdsl_xla.ArgumentError, match="values: expected numbers of rank 2, got an array of rank 1"):
        run(lambda b: xla.constant_r2(b, [1, 2]))
    builder = xla.XlaBuilder("shape")
    assert str(builder.get_shape(builder.constant([1, 2]))) == "s32[2]"


@pytest.mark.parametrize("element_type", [t for t in xla.PrimitiveType if t.value not in ("tuple", "token")])
def test_least_and_greatest(element_type: xla.PrimitiveType) -> None:
    builder = xla.XlaBuilder("extremes")
    if element_type.is_complex:
        with pytest.raises(xdsl_xla.ArgumentError, match="type: expected a type with an order"):
            xla.max_value(builder, element_type)
        return
    least, greatest = (float(run(lambda b, f=f: f(b, element_type))) for f in (xla.min_value, xla.max_value))
    assert least < greatest and (least < 0) == (element_type.value[0] not in "pu" and element_type is not xla.F8E8M0FNU)
    if element_type.is_signed_integer or element_type.is_unsigned_integer:
        with pytest.raises(xdsl_xla.ArgumentError, match="out of range"):
            builder.constant(int(greatest) * 2 + 2, element_type)
