"""`stablehlo-call-lapack`: custom calls of LAPACK become calls of the library's routine itself.

`lapack_<type><routine>_ffi` says what is wanted; the routine wants its matrices by columns, space to work in and every
parameter by its address. `xrt.lapack.<routine>` is called with just that, by generated code (`dialects/xrt.py` has the
attributes): operands and results are transposed by ops that fuse with their surroundings, or vanish where nobody reads
the result; the space is one more result, as large as the routine asks for now. Eigenvectors of real matrices, of which
a pair of conjugates is two real vectors, become complex ones.

Needs: static shapes, a library (`reference/lapack_library.py`); does nothing without one. Leaves: calls of other
functions, those without elements, and factorisations of matrices so small that generated code is faster
(`library_is_faster` of `decisions/factorizations.py`), which `stablehlo-expand-lapack` makes loops of.

    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}}  // singular values
        : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<8x8xf32>, tensor<4x4xf32>, tensor<i32>)

becomes

    %columns = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %0:7 = stablehlo.custom_call @xrt.lapack.sgesdd(%columns) {xrt.batch = 1, xrt.spaces = 2,
        xrt.parameters = ["N", 8 : i32, 4 : i32, 0 : index, 8 : i32, 1 : index, ..., 4 : index]}
        : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<i32>,
                                tensor<156xf32>, tensor<32xi32>)

The options are those of jaxlib's `lapack_kernels`: characters, as LAPACK takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection
from ...dialects.stablehlo.lapack_calls import options_of
from ...dialects.stablehlo.shapes import is_complex, real_type, shape_of
from ...dialects.xrt_names import BATCH, PARAMETERS, ROUTINE, SPACES
from .expansion import ExpansionPass
from .stablehlo_expand_lapack import check_form
from .tensor_builder import Tensor, TensorBuilder, swap_last


class _Out:
    """An array of the routine: what it begins as, or its shape for one matrix and its element type."""

    def __init__(self, begin: Tensor | None = None, shape: Sequence[int] = (), type: Attribute = i32) -> None:
        self.begin, self.shape, self.type = begin, shape, type


class _Space:
    """An array to work in, of so many elements; where that is None, of as many as the routine asks for."""

    def __init__(self, type: Attribute, size: int | None = None) -> None:
        self.type, self.size = type, size


Parameter: TypeAlias = "str | int | _Out | _Space"
"""A letter or number, or an array."""


class _Call:
    """A custom call that is to become a call of a routine."""

    def __init__(self, op: stablehlo.CustomCallOp, builder: TensorBuilder) -> None:
        self.builder = builder
        self.operands = builder.wrap(*op.inputs)
        self._results = list(op.results.types)
        a = max(self.operands, key=lambda operand: operand.rank)
        self.type = a.element_type
        self.real: Attribute = real_type(self.type)
        self.is_complex = is_complex(self.type)
        self.batch = a.shape[:-2]
        self.m, self.n = a.shape[-2:]
        self._options = options_of(op)

    def letter(self, name: str, default: str) -> str:
        value = self._options.get(name)
        return chr(value.value.data) if isinstance(value, IntegerAttr) else default

    def number(self, name: str, default: int) -> int:
        value = self._options.get(name)
        return value.value.data if isinstance(value, IntegerAttr) and value.value.data else default

    def matrix(self) -> _Out:
        """The operand, by columns."""
        return _Out(swap_last(self.operands[0]))

    def of_complex(self, *parameters: Parameter) -> tuple[Parameter, ...]:
        """Parameters that only routines for complex numbers have."""
        return parameters if self.is_complex else ()

    def nothing(self, index: int) -> Tensor:
        """A result that is not asked for."""
        type = cast("TensorType[Attribute]", self._results[index])
        return self.builder.splat(type.element_type, type.get_shape(), 0)

    def emit(self, routine: str, *parameters: Parameter) -> list[Tensor]:
        """What the routine leaves in its arrays, in the order of the parameters."""
        from ...reference import lapack_library as library
        from ...reference.arrays import dtype_of

        name = {"f32": "s", "f64": "d"}[str(self.real)]
        name = ({"s": "c", "d": "z"}[name] if self.is_complex else name) + routine
        given = [p for p in parameters if isinstance(p, _Out) and p.begin is not None]
        arrays = [*given, *(p for p in parameters if isinstance(p, _Out) and p.begin is None)]
        spaces = [p for p in parameters if isinstance(p, _Space)]
        numbers = {p: library.Matrix(i) for i, p in enumerate(arrays)}
        asked: dict[_Space, library.Space] = {p: library.Space(dtype_of(p.type), p.size) for p in spaces}
        known = tuple(
            numbers[p] if isinstance(p, _Out) else asked[p] if isinstance(p, _Space) else p for p in parameters
        )
        sizes = dict(zip(spaces, library.sizes_of_spaces(name, known), strict=True))
        encoded: list[Attribute] = []
        for p in parameters:
            if isinstance(p, _Out | _Space):
                number = arrays.index(p) if isinstance(p, _Out) else len(arrays) + spaces.index(p)
                encoded.append(IntegerAttr(number, IndexType()))
                if isinstance(p, _Space) and p.size is None:
                    encoded.append(IntegerAttr(sizes[p], i32))
            else:
                encoded.append(StringAttr(p) if isinstance(p, str) else IntegerAttr(p, i32))
        types: list[Attribute] = [
            *(TensorType(p.type, (*self.batch, *p.shape)) if p.begin is None else p.begin.type for p in arrays),
            *(TensorType(p.type, (max(1, sizes[p]),)) for p in spaces),
        ]
        results = self.builder.emit(
            stablehlo.CustomCallOp,
            [p.begin for p in given if p.begin is not None],
            types,
            {
                "call_target_name": StringAttr(ROUTINE + name),
                "has_side_effect": IntegerAttr(0, 1),
                "api_version": IntegerAttr(1, i32),
            },
            attributes={
                PARAMETERS: ArrayAttr(encoded),
                BATCH: IntegerAttr(prod(self.batch), i64),
                SPACES: IntegerAttr(len(spaces), i64),
            },
        )
        of = dict(zip(arrays, results, strict=False))
        return [of[p] for p in parameters if isinstance(p, _Out)]


def potrf(call: _Call) -> list[Tensor]:
    factor, info = call.emit("potrf", call.letter("uplo", "L"), call.n, call.matrix(), call.n, _Out())
    return [swap_last(factor), info]


def getrf(call: _Call) -> list[Tensor]:
    m, pivots = call.m, _Out(shape=(min(call.m, call.n),))
    factors, *others = call.emit("getrf", m, call.n, call.matrix(), m, pivots, _Out())
    return [swap_last(factors), *others]


def geqrf(call: _Call) -> list[Tensor]:
    m, tau = call.m, _Out(shape=(min(call.m, call.n),), type=call.type)
    factors, taus, _ = call.emit("geqrf", m, call.n, call.matrix(), m, tau, _Space(call.type), _Out())
    return [swap_last(factors), taus]


def orgqr(call: _Call) -> list[Tensor]:
    tau, routine = call.operands[1], "ungqr" if call.is_complex else "orgqr"
    m, steps = call.m, tau.shape[-1]
    product, *_ = call.emit(routine, m, call.n, steps, call.matrix(), m, _Out(tau), _Space(call.type), _Out())
    return [swap_last(product)]


def syevd(call: _Call) -> list[Tensor]:
    n, info, values = call.n, _Out(), _Out(shape=(call.n,), type=call.real)
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real)), _Space(i32))
    mode, triangle = call.letter("mode", "V"), call.letter("uplo", "L")
    routine = "heevd" if call.is_complex else "syevd"
    vectors, *others = call.emit(routine, mode, triangle, n, call.matrix(), n, values, *spaces, info)
    return [swap_last(vectors), *others]


def gesdd(call: _Call) -> list[Tensor]:
    least, most = min(call.m, call.n), max(call.m, call.n)
    mode = call.letter("mode", "A")
    # The greatest of what LAPACK's versions ask for.
    reals = 7 * least if mode == "N" else least * max(5 * least + 7, 2 * most + 2 * least + 1)
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real, reals)), _Space(i32, 8 * least))
    return _singular(call, "gesdd", (mode,), mode, spaces)


def gesvd(call: _Call) -> list[Tensor]:
    mode = call.letter("mode", "A")
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real, 5 * min(call.m, call.n))))
    return _singular(call, "gesvd", (mode, mode), mode, spaces)


def _singular(call: _Call, routine: str, modes: Sequence[str], mode: str, spaces: Sequence[Parameter]) -> list[Tensor]:
    m, n, least = call.m, call.n, min(call.m, call.n)
    left, right = {"A": (m, n), "S": (least, least), "N": (1, 1)}[mode]
    values = _Out(shape=(least,), type=call.real)
    u = _Out(shape=(left, m if mode != "N" else 1), type=call.type)
    vt = _Out(shape=(n if mode != "N" else 1, right), type=call.type)
    rows, *others, info = call.emit(routine, *modes, m, n, call.matrix(), m, values, u, m, vt, right, *spaces, _Out())
    singular, *vectors = others
    if mode == "N":
        return [swap_last(rows), singular, call.nothing(2), call.nothing(3), info]
    return [swap_last(rows), singular, *map(swap_last, vectors), info]


def geev(call: _Call) -> list[Tensor]:
    n, modes = call.n, [call.letter(name, "V") for name in ("compute_left", "compute_right")]
    values = [_Out(shape=(n,), type=call.type) for _ in range(1 if call.is_complex else 2)]
    sides = [_Out(shape=(n, n) if mode == "V" else (1, 1), type=call.type) for mode in modes]
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real, 2 * n)))
    _, *results = call.emit("geev", *modes, n, call.matrix(), n, *values, sides[0], n, sides[1], n, *spaces, _Out())
    *found, left, right, info = results
    vectors: list[Tensor] = []
    for number, (mode, rows) in enumerate(zip(modes, (left, right), strict=True), len(found)):
        if mode != "V":
            vectors.append(call.nothing(number))
        else:
            vectors.append(swap_last(rows if call.is_complex else _of_pairs(rows, found[1])))
    return [*found, *vectors, info]


def _of_pairs(rows: Tensor, imaginary: Tensor) -> Tensor:
    """Complex eigenvectors: a pair has the real part in its first row and the imaginary part in its second."""
    dim, n = rows.rank - 2, rows.shape[-1]
    dims = [*range(dim), dim]
    zero = rows.slice({dim: (0, 1)}).number(0)
    below = rows.slice({dim: (1, n)}).concatenate(zero, dim)
    above = zero.concatenate(rows.slice({dim: (0, n - 1)}), dim)
    is_first, is_second = (
        imaginary.compare(direction, 0.0).broadcast(rows.shape, dims)
        for direction in (ComparisonDirection.GT, ComparisonDirection.LT)
    )
    real = is_second.select(above, rows)
    return real.with_imaginary(is_first.select(below, is_second.select(-rows, 0.0)))


def gees(call: _Call) -> list[Tensor]:
    n, mode = call.n, call.letter("mode", "V")
    values = [_Out(shape=(n,), type=call.type) for _ in range(1 if call.is_complex else 2)]
    columns = _Out(shape=(n, n) if mode == "V" else (1, 1), type=call.type)
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real, n)), _Space(i32, n))
    # Nothing is sorted: the function that selects is not looked at.
    form, count, *found, vectors, info = call.emit(
        "gees", mode, "N", 0, n, call.matrix(), n, _Out(), *values, columns, n, *spaces, _Out()
    )
    vectors = swap_last(vectors) if mode == "V" else call.nothing(1)
    return [swap_last(form), vectors, *found, count, info]


def gehrd(call: _Call) -> list[Tensor]:
    n, low = call.n, call.number("low", 1)
    tau = _Out(shape=(n - 1,), type=call.type)
    form, *others = call.emit("gehrd", n, low, call.number("high", n), call.matrix(), n, tau, _Space(call.type), _Out())
    return [swap_last(form), *others]


def sytrd(call: _Call) -> list[Tensor]:
    n, routine = call.n, "hetrd" if call.is_complex else "sytrd"
    diagonal, beside = (_Out(shape=(size,), type=call.real) for size in (n, n - 1))
    tau = _Out(shape=(n - 1,), type=call.type)
    packed, *others = call.emit(
        routine, call.letter("uplo", "L"), n, call.matrix(), n, diagonal, beside, tau, _Space(call.type), _Out()
    )
    return [swap_last(packed), *others]


def gtsv(call: _Call) -> list[Tensor]:
    below, diagonal, above, b = call.operands
    dim, size = diagonal.rank - 1, call.m - 1
    parts = [_Out(below.slice({dim: (below.shape[-1] - size, below.shape[-1])})), _Out(diagonal)]
    parts.append(_Out(above.slice({dim: (0, size)})))
    _, left, _, x, info = call.emit("gtsv", call.m, call.n, *parts, _Out(swap_last(b)), call.m, _Out())
    return [below, left, above, swap_last(x), info]


def geqp3(call: _Call) -> list[Tensor]:
    order, m, n = _Out(call.operands[1]), call.m, call.n
    tau = _Out(shape=(min(m, n),), type=call.type)
    spaces = (_Space(call.type), *call.of_complex(_Space(call.real, 2 * n)))
    factors, columns, taus, _ = call.emit("geqp3", m, n, call.matrix(), m, order, tau, *spaces, _Out())
    return [swap_last(factors), columns, taus]


def ormqr(call: _Call) -> list[Tensor]:
    a, tau, c = call.operands
    m, n = c.shape[-2:]
    side = "L" if call.number("left", 0) else "R"
    form = "N" if not call.number("transpose", 0) else "C" if call.is_complex else "T"
    reflectors, factors, product = call.matrix(), _Out(tau), _Out(swap_last(c))
    parameters = (side, form, m, n, tau.shape[-1], reflectors, a.shape[-2], factors, product, m)
    *_, result, _ = call.emit("unmqr" if call.is_complex else "ormqr", *parameters, _Space(call.type), _Out())
    return [swap_last(result)]


ROUTINES: dict[str, Callable[[_Call], list[Tensor]]] = {
    "potrf": potrf,
    "getrf": getrf,
    "geqrf": geqrf,
    "orgqr": orgqr,
    "ungqr": orgqr,
    "gesdd": gesdd,
    "gesvd": gesvd,
    "geev": geev,
    "gees": gees,
    "gehrd": gehrd,
    "geqp3": geqp3,
    "ormqr": ormqr,
    "unmqr": ormqr,
    "syevd": syevd,
    "heevd": syevd,
    "sytrd": sytrd,
    "hetrd": sytrd,
    "gtsv": gtsv,
}


def custom_call(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor] | None:
    name = op.call_target_name.data
    if not (name.startswith("lapack_") and name.endswith("_ffi")):
        return None
    letter, routine = name[7], name[8:-4]
    expand = ROUTINES.get(routine)
    if expand is None:
        return None
    check_form(op)
    shapes = [shape_of(operand) for operand in op.inputs]
    if any(0 in shape for shape in shapes) or not _is_of_library(name):
        return None
    call = _Call(op, builder)
    return expand(call) if builder.model.factorizations.library_is_faster(routine, letter, call.m, call.n) else None


def _is_of_library(name: str) -> bool:
    """Whether there is a library, and the name still stands for its routine."""
    from ...reference import lapack
    from ...reference.custom_calls import TARGETS
    from ...reference.lapack_addresses import is_there

    return is_there() and name in TARGETS and TARGETS[name].__module__ == lapack.__name__


class StablehloCallLapackPass(ExpansionPass):
    """Replace calls of LAPACK by calls of its routines. See the module's documentation."""

    name = "stablehlo-call-lapack"

    EXPANDED: ClassVar = {stablehlo.CustomCallOp: custom_call}
