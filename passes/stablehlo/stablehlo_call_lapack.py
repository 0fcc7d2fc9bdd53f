"""`stablehlo-call-lapack`: custom calls of LAPACK become calls of the library's routine itself.

`lapack_<type><routine>_ffi` says what is wanted; the routine wants its matrices by columns, space to work in and every
parameter by its address. `xrt.lapack.<routine>` is called with just that, by generated code (`dialects/xrt.py` has the
attributes): operands and results are transposed by ops that fuse with their surroundings, or vanish where nobody reads
the result; the space is one more result, as large as the routine asks for now. Eigenvectors of real matrices, of which
a pair of conjugates is two real vectors, become complex ones.

Needs: static shapes, a library (`reference/lapack_library.py`); does nothing without one. Leaves: calls of other
functions, those without elements, and factorisations of matrices so small that generated code is faster
(`library_is_faster` of `decisions/lapack.py`), which `stablehlo-expand-lapack` makes loops of.

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
from ...dialects.stablehlo.lapack_calls import COMPLEX_NAMES, options_of
from ...dialects.stablehlo.shapes import is_complex, real_type, shape_of
from ...dialects.xrt_names import BATCH, PARAMETERS, ROUTINE, SPACES
from .expansion import ExpansionPass
from .stablehlo_expand_lapack import check_form
from .tensor_builder import Tensor, TensorBuilder, swap_last


class _Array:
    """An array of the routine: what it begins as, or the type that it has, and whether it is read by columns."""

    def __init__(self, begin: Tensor | None, type: Attribute, by_columns: bool = False) -> None:
        self.begin, self.type, self.by_columns = begin, type, by_columns


class _Space:
    """An array to work in, of so many elements; where that is None, of as many as the routine asks for."""

    def __init__(self, type: Attribute, size: int | None = None) -> None:
        self.type, self.size = type, size


Parameter: TypeAlias = "str | int | _Array | _Space"
"""A letter or number, or an array."""


class _Call:
    """A custom call that is to become a call of a routine."""

    def __init__(self, op: stablehlo.CustomCallOp, builder: TensorBuilder) -> None:
        self.builder = builder
        self.operands = builder.wrap(*op.inputs)
        self._name = op.call_target_name.data.removeprefix("lapack_").removesuffix("_ffi")
        self._results = [cast("TensorType[Attribute]", type) for type in op.result_types]
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

    def given(self, operand: Tensor, is_read: bool = True) -> _Array:
        """An operand, a matrix by columns, and whether what becomes of it is read."""
        is_matrix = operand.rank == len(self.batch) + 2
        begin = swap_last(operand) if is_matrix else operand
        return _Array(begin, begin.type, is_matrix and is_read)

    def matrix(self) -> _Array:
        """The first operand."""
        return self.given(self.operands[0])

    def result(self, index: int) -> _Array:
        """What becomes a result of the call."""
        shape, type = self._results[index].get_shape(), self._results[index].element_type
        if len(shape) < len(self.batch) + 2:
            return _Array(None, self._results[index])
        return _Array(None, TensorType(type, (*shape[:-2], shape[-1], shape[-2])), by_columns=True)

    def array(self, *shape: int) -> _Array:
        """A new array of the type of the matrix, of this shape for each."""
        return _Array(None, TensorType(self.type, (*self.batch, *shape)))

    def spaces(self, real: int | None = None, *others: _Space) -> Sequence[_Space]:
        """As many as are best of the type of the matrix, `real` numbers where that is complex, and others."""
        return (_Space(self.type), *((_Space(self.real, real),) if self.is_complex else ()), *others)

    def nothing(self, index: int) -> Tensor:
        """A result that is not asked for."""
        return self.builder.splat(self._results[index].element_type, self._results[index].get_shape(), 0)

    def emit(self, *parameters: Parameter) -> list[Tensor]:
        """What the routine leaves in its arrays, in the order of the parameters, the last of which is `info`."""
        from ...reference import lapack_library as library
        from ...reference.arrays import dtype_of

        parameters = (*parameters, _Array(None, TensorType(i32, self.batch)))
        given = [p for p in parameters if isinstance(p, _Array) and p.begin is not None]
        arrays = [*given, *(p for p in parameters if isinstance(p, _Array) and p.begin is None)]
        spaces = [p for p in parameters if isinstance(p, _Space)]
        asked: dict[Parameter, library.Parameter] = {p: library.Matrix(i) for i, p in enumerate(arrays)}
        asked |= {p: library.Space(dtype_of(p.type), p.size) for p in spaces}
        known = tuple(p if isinstance(p, str | int) else asked[p] for p in parameters)
        sizes = dict(zip(spaces, library.sizes_of_spaces(self._name, known), strict=True))
        encoded: list[Attribute] = []
        for p in parameters:
            if isinstance(p, str | int):
                encoded.append(StringAttr(p) if isinstance(p, str) else IntegerAttr(p, i32))
                continue
            encoded.append(IntegerAttr([*arrays, *spaces].index(p), IndexType()))
            if isinstance(p, _Space) and p.size is None:
                encoded.append(IntegerAttr(sizes[p], i32))
        results = self.builder.emit(
            stablehlo.CustomCallOp,
            [p.begin for p in given if p.begin is not None],
            [*(p.type for p in arrays), *(TensorType(p.type, (max(1, sizes[p]),)) for p in spaces)],
            {
                "call_target_name": StringAttr(ROUTINE + self._name),
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
        return [swap_last(of[p]) if p.by_columns else of[p] for p in parameters if isinstance(p, _Array)]


def potrf(call: _Call) -> list[Tensor]:
    return call.emit(call.letter("uplo", "L"), call.n, call.matrix(), call.n)


def getrf(call: _Call) -> list[Tensor]:
    return call.emit(call.m, call.n, call.matrix(), call.m, call.result(1))


def geqrf(call: _Call) -> list[Tensor]:
    return call.emit(call.m, call.n, call.matrix(), call.m, call.result(1), _Space(call.type))[:2]


def geqp3(call: _Call) -> list[Tensor]:
    order, m = call.given(call.operands[1]), call.m
    return call.emit(m, call.n, call.matrix(), m, order, call.result(2), *call.spaces(2 * call.n))[:3]


def orgqr(call: _Call) -> list[Tensor]:
    tau, m = call.operands[1], call.m
    return call.emit(m, call.n, tau.shape[-1], call.matrix(), m, call.given(tau), _Space(call.type))[:1]


def ormqr(call: _Call) -> list[Tensor]:
    a, tau, c = call.operands
    m, n = c.shape[-2:]
    side = "L" if call.number("left", 0) else "R"
    form = "N" if not call.number("transpose", 0) else "C" if call.is_complex else "T"
    arrays = call.given(a, is_read=False), a.shape[-2], call.given(tau), call.given(c), m
    return call.emit(side, form, m, n, tau.shape[-1], *arrays, _Space(call.type))[2:3]


def syevd(call: _Call) -> list[Tensor]:
    mode, triangle = call.letter("mode", "V"), call.letter("uplo", "L")
    return call.emit(mode, triangle, call.n, call.matrix(), call.n, call.result(1), *call.spaces(None, _Space(i32)))


def gesdd(call: _Call) -> list[Tensor]:
    least, most = min(call.m, call.n), max(call.m, call.n)
    mode = call.letter("mode", "A")
    # The greatest of what LAPACK's versions ask for.
    reals = 7 * least if mode == "N" else least * max(5 * least + 7, 2 * most + 2 * least + 1)
    return _singular(call, (mode,), call.spaces(reals, _Space(i32, 8 * least)))


def gesvd(call: _Call) -> list[Tensor]:
    mode = call.letter("mode", "A")
    return _singular(call, (mode, mode), call.spaces(5 * min(call.m, call.n)))


def _singular(call: _Call, modes: Sequence[str], spaces: Sequence[Parameter]) -> list[Tensor]:
    m, n, mode = call.m, call.n, modes[0]
    right = {"A": n, "S": min(m, n), "N": 1}[mode]
    u, vt = (call.array(1, 1), call.array(1, 1)) if mode == "N" else (call.result(2), call.result(3))
    found = call.emit(*modes, m, n, call.matrix(), m, call.result(1), u, m, vt, right, *spaces)
    if mode == "N":
        found[2:4] = call.nothing(2), call.nothing(3)
    return found


def geev(call: _Call) -> list[Tensor]:
    n, modes = call.n, [call.letter(name, "V") for name in ("compute_left", "compute_right")]
    values = [call.array(n) for _ in range(1 if call.is_complex else 2)]
    sides = [call.array(n, n) if mode == "V" else call.array(1, 1) for mode in modes]
    a = call.given(call.operands[0], is_read=False)
    _, *results = call.emit(*modes, n, a, n, *values, sides[0], n, sides[1], n, *call.spaces(2 * n))
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
    values = [call.array(n) for _ in range(1 if call.is_complex else 2)]
    vectors = call.result(1) if mode == "V" else call.array(1, 1)
    spaces, count = call.spaces(n, _Space(i32, n)), _Array(None, TensorType(i32, call.batch))
    # Nothing is sorted: the function that selects is not looked at.
    found = call.emit(mode, "N", 0, n, call.matrix(), n, count, *values, vectors, n, *spaces)
    form, sorted_count, *others, basis, info = found
    return [form, basis if mode == "V" else call.nothing(1), *others, sorted_count, info]


def gehrd(call: _Call) -> list[Tensor]:
    low, high = call.number("low", 1), call.number("high", call.n)
    return call.emit(call.n, low, high, call.matrix(), call.n, call.result(1), _Space(call.type))


def sytrd(call: _Call) -> list[Tensor]:
    results = map(call.result, (1, 2, 3))
    return call.emit(call.letter("uplo", "L"), call.n, call.matrix(), call.n, *results, _Space(call.type))


def gtsv(call: _Call) -> list[Tensor]:
    below, diagonal, above, b = call.operands
    dim, size = diagonal.rank - 1, call.m - 1
    parts = [below.slice({dim: (below.shape[-1] - size, below.shape[-1])}), diagonal, above.slice({dim: (0, size)}), b]
    _, left, _, x, info = call.emit(call.m, call.n, *map(call.given, parts), call.m)
    return [below, left, above, x, info]


ROUTINES: dict[str, Callable[[_Call], list[Tensor]]] = {
    routine.__name__: routine
    for routine in (potrf, getrf, geqrf, geqp3, orgqr, ormqr, syevd, gesdd, gesvd, geev, gees, gehrd, sytrd, gtsv)
}
"""By the name of the routine for real numbers."""


def custom_call(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor] | None:
    name = op.call_target_name.data
    if not (name.startswith("lapack_") and name.endswith("_ffi")):
        return None
    letter, routine = name[7], name[8:-4]
    expand = ROUTINES.get(COMPLEX_NAMES.get(routine, routine))
    if expand is None:
        return None
    check_form(op)
    shapes = [shape_of(operand) for operand in op.inputs]
    if any(0 in shape for shape in shapes) or not _is_of_library(name):
        return None
    call = _Call(op, builder)
    return expand(call) if builder.model.lapack.library_is_faster(routine, letter, call.m, call.n) else None


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
