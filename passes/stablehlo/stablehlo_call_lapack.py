"""`stablehlo-call-lapack`: factorisations and triangular systems become calls of a routine of LAPACK or BLAS.

`lapack_<type><routine>_ffi`, as JAX writes calls, says what is wanted; the routine wants its matrices by columns, space
to work in and every parameter by its address. `xrt.lapack.<routine>` is called with just that, by generated code
(`dialects/xrt.py` has the attributes): operands and results are transposed by ops that fuse with their surroundings, or
vanish where nobody reads the result; the space is one more result, as large as the routine asks for now. Eigenvectors
of real matrices, of which a pair of conjugates is two real vectors, become complex ones. `Qr` and
`ProductOfElementaryHouseholderReflectors`, as XLA's own library writes them, are `geqrf` and `orgqr` or `ungqr`.
`cholesky` and `triangular_solve`, and `potrf` and `trsm` of JAX, are called without any transpose
(`triangular_routines.py`). Small floats are factored in f32.

Needs: static shapes. Leaves: calls of other functions, those without elements, and where there is no library
(`reference/lapack_library.py`) all calls, which do what the reference does, but `potrf` and `trsm`: these become ops.
Of the ops, `decisions/factorizations.py` says which are left to generated code.

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
from typing import ClassVar, NamedTuple, cast

from xdsl.dialects.builtin import IntegerAttr, TensorType, i32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection
from ...dialects.stablehlo.lapack_calls import (
    COMPLEX_NAMES,
    ELEMENT_TYPES,
    SHAPE_OPERANDS,
    options_of,
    verify_factorization,
)
from ...dialects.stablehlo.shapes import is_complex, real_type, shape_of
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from .triangular_routines import FORMS as FORMS_OF_SYSTEMS
from .triangular_routines import Array, System, call_routine, factor, factored, letter_of


class Form(NamedTuple):
    """How a routine is called. Arrays have names: those of `operands` begin as the operands of the custom call, those
    of `results` are its results, where `=below` is the operand as it was, and `info` is a status.

    Other parameters are options that are letters, with their defaults: `uplo=L`; a letter: `'N`; space to work in, of
    which the routine says how much it wants unless a size follows: `work`, `rwork` for complex numbers only, `iwork`;
    and numbers (`_Call.number`).
    """

    operands: str
    parameters: str
    results: str


FORMS = {
    "getrf": Form("a", "m n a m pivots info", "a pivots info"),
    "geqrf": Form("a", "m n a m tau work info", "a tau"),
    "geqp3": Form("a order", "m n a m order tau work rwork:2n info", "a order tau"),
    "orgqr": Form("a tau", "m n r a m tau work info", "a"),
    "ormqr": Form("a tau c", "side form m n r a lda tau c m work info", "c"),
    "gesdd": Form("a", "mode=A m n a m s u m vt ldvt work rwork:svd iwork:8k info", "a s u vt info"),
    "gesvd": Form("a", "mode=A mode=A m n a m s u m vt ldvt work rwork:5k info", "a s u vt info"),
    "geev of reals": Form("a", "compute_left=V compute_right=V n a n w wi vl n vr n work info", "w wi vl vr info"),
    "geev": Form("a", "compute_left=V compute_right=V n a n w vl n vr n work rwork:2n info", "w vl vr info"),
    "gees of reals": Form("a", "mode=V 'N 0 n a n count w wi vs n work iwork:n info", "a vs w wi count info"),
    "gees": Form("a", "mode=V 'N 0 n a n count w vs n work rwork:n iwork:n info", "a vs w count info"),
    "gehrd": Form("a", "n low high a n tau work info", "a tau info"),
    "syevd": Form("a", "mode=V uplo=L n a n w work rwork iwork info", "a w info"),
    "sytrd": Form("a", "uplo=L n a n d e tau work info", "a d e tau info"),
    "gtsv": Form("below d above b", "m n below d above b m info", "=below d =above b info"),
}
"""By the routine's name for real numbers. `gees` sorts nothing: in place of the function that selects it gets 0."""

ASKED_BY = {"u": "mode=A", "vt": "mode=A", "vl": "compute_left=V", "vr": "compute_right=V", "vs": "mode=V"}
"""The option that is N where vectors are not asked for."""

OF_XLA = {"Qr": "geqrf", "ProductOfElementaryHouseholderReflectors": "orgqr"}

OF_COMPLEX = {real: complex for complex, real in COMPLEX_NAMES.items()}


class _Call:
    """A custom call that is to become one of a routine."""

    def __init__(self, op: stablehlo.CustomCallOp, builder: TensorBuilder) -> None:
        self.builder = builder
        self.operands = [operand.widened() for operand in builder.wrap(*op.inputs)]
        self.types = cast("list[TensorType[Attribute]]", list(op.result.types))
        rank = max(operand.rank for operand in self.operands)
        *_, matrix = (operand for operand in self.operands if operand.rank == rank)
        self.type = matrix.element_type
        self.is_complex = is_complex(self.type)
        self.batch, (self.m, self.n) = matrix.shape[:-2], matrix.shape[-2:]
        self._options = options_of(op)

    def option(self, name: str, default: int) -> int:
        value = self._options.get(name)
        return value.value.data if isinstance(value, IntegerAttr) and value.value.data else default

    def letter(self, word: str) -> str:
        """A parameter that is a letter."""
        match word:
            case "side":
                return "L" if self.option("left", 0) else "R"
            case "form":
                return "N" if not self.option("transpose", 0) else "C" if self.is_complex else "T"
            case _:
                name, _, default = word.partition("=")
                return chr(self.option(name, ord(default)))

    def number(self, word: str) -> int:
        """A parameter or size that is a number."""
        m, n, k = self.m, self.n, min(self.m, self.n)
        match word:
            case "r":
                return self.operands[1].shape[-1]
            case "lda":
                return self.operands[0].shape[-2]
            case "ldvt":
                return {"A": n, "S": k, "N": 1}[self.letter("mode=A")]
            case "low" | "high":
                return self.option(word, 1 if word == "low" else n)
            case "svd":  # the greatest of what LAPACK's versions ask for
                return 7 * k if self.letter("mode=A") == "N" else k * max(5 * k + 7, 2 * max(m, n) + 2 * k + 1)
            case "0":
                return 0
            case _:
                return int(word[:-1] or 1) * {"m": m, "n": n, "k": k}[word[-1]]

    def is_asked(self, array: str) -> bool:
        return array not in ASKED_BY or self.letter(ASKED_BY[array]) != "N"

    def begin(self, array: str, operand: Tensor) -> Tensor:
        """What an array is before the routine runs: matrices by columns, of diagonals beside the main one n - 1."""
        dim, size = operand.rank - 1, operand.shape[-1]
        if array in ("below", "above"):
            first = size - (self.m - 1) if array == "below" else 0
            return operand.slice({dim: (first, first + self.m - 1)})
        return operand.swapped() if dim > len(self.batch) else operand

    def type_of(self, array: str, result: TensorType[Attribute] | None) -> TensorType[Attribute]:
        """The type of an array without a beginning, which becomes `result`."""
        if result is None:
            return TensorType(i32, self.batch)
        sizes = result.get_shape()[len(self.batch) :] if self.is_asked(array) else (1, 1)
        is_float = result.element_type != i32
        is_real = self.is_complex and not is_complex(result.element_type)
        element_type = (real_type(self.type) if is_real else self.type) if is_float else i32
        return TensorType(element_type, (*self.batch, *reversed(sizes)))

    def run(self, routine: str) -> list[Tensor]:
        """The results, by a call of the routine whose name for real numbers is given."""
        form = FORMS.get(routine if self.is_complex else f"{routine} of reals") or FORMS[routine]
        words = form.parameters.split()
        given = dict(zip(form.operands.split(), self.operands, strict=True))
        types = dict(zip(form.results.split(), self.types, strict=True))
        names = list(dict.fromkeys((*given, *(word for word in words if word in types or word == "info"))))
        begins = [self.begin(name, operand) for name, operand in given.items()]
        arrays = [begin.type for begin in begins]
        arrays += [self.type_of(name, types.get(name)) for name in names[len(begins) :]]
        found = dict(zip(names, self.emit(routine, words, names, begins, arrays), strict=False))
        return [self.result(name, given, found, type) for name, type in types.items()]

    def result(
        self, name: str, given: dict[str, Tensor], found: dict[str, Tensor], type: TensorType[Attribute]
    ) -> Tensor:
        """The result that is an array, as the custom call gives it."""
        if name[0] == "=":
            return given[name[1:]]
        if not self.is_asked(name):
            return self.builder.splat(type.element_type, type.get_shape(), 0)
        array = found[name]
        if is_complex(type.element_type) and not self.is_complex:
            array = _of_pairs(array, found["wi"])
        return (array.swapped() if array.rank > len(self.batch) + 1 else array).convert(type.element_type)

    def emit(
        self,
        routine: str,
        words: list[str],
        names: list[str],
        begins: list[Tensor],
        arrays: list[TensorType[Attribute]],
    ) -> list[Tensor]:
        """What the routine leaves in its arrays and in its space."""
        from ...reference import lapack_library as library
        from ...reference.arrays import dtype_of

        spaces = {"work": self.type, "rwork": real_type(self.type), "iwork": i32}
        parameters: list[library.Parameter] = []
        types: list[Attribute] = []
        for word in words:
            name, _, size = word.partition(":")
            if word in names:
                parameters.append(library.Matrix(names.index(word)))
            elif name in spaces:
                if name != "rwork" or self.is_complex:
                    parameters.append(library.Space(dtype_of(spaces[name]), self.number(size) if size else None))
                    types.append(spaces[name])
            elif word[0] == "'":
                parameters.append(word[1:])
            else:
                is_letter = "=" in word or word in ("side", "form")
                parameters.append(self.letter(word) if is_letter else self.number(word))
        name = letter_of(self.type) + (OF_COMPLEX.get(routine, routine) if self.is_complex else routine)
        sizes = library.sizes_of_spaces(name, tuple(parameters))
        passed: list[str | int | Array] = []
        number = 0
        for parameter in parameters:
            if isinstance(parameter, library.Space):
                passed += [Array(len(names) + number), *([sizes[number]] if parameter.size is None else [])]
                number += 1
            else:
                passed.append(Array(parameter.result) if isinstance(parameter, library.Matrix) else parameter)
        works = [TensorType(type, (max(1, size),)) for type, size in zip(types, sizes, strict=True)]
        return call_routine(self.builder, name, passed, begins, arrays, self.batch, works)


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


def custom_call(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> Sequence[Tensor] | None:
    name = op.call_target_name.data
    is_of_lapack = name.startswith("lapack_") and name.endswith("_ffi")
    routine = OF_XLA.get(name, name[8:-4] if is_of_lapack else "")
    routine = COMPLEX_NAMES.get(routine, routine)
    if routine not in FORMS and f"{routine} of reals" not in FORMS and routine not in TRIANGULAR:
        return None
    check_form(op)
    call = _Call(op, builder)
    if routine in TRIANGULAR:
        return TRIANGULAR[routine](call)
    if any(size <= 0 for operand in op.inputs for size in shape_of(operand)) or not _is_of_library(name):
        return None
    if call.type not in ELEMENT_TYPES.values():
        raise UnsupportedError(f"call of @{name}: there is no factorisation of {op.inputs[0].type}", op)
    return call.run(routine)


def _potrf(call: _Call) -> Sequence[Tensor]:
    (a,) = call.operands
    return factored(a, call.letter("uplo=L") != "U")


def _trsm(call: _Call) -> Sequence[Tensor]:
    a, b = call.operands
    side, triangle, diagonal, form = (call.letter(word) for word in ("side=L", "uplo=L", "diag=N", "trans_x=N"))
    return [System(FORMS_OF_SYSTEMS[form], side == "L", triangle == "L", diagonal == "U").solve(a, b)]


TRIANGULAR: dict[str, Callable[[_Call], Sequence[Tensor]]] = {"potrf": _potrf, "trsm": _trsm}
"""Routines that are called without transposes, and ops that say the same."""


def _cholesky(op: stablehlo.CholeskyOp, builder: TensorBuilder) -> Tensor:
    (a,) = builder.wrap(op.a)
    return a if 0 in a.shape else factor(a.widened(), bool(op.lower.value.data)).convert(a.element_type)


def _triangular_solve(op: stablehlo.TriangularSolveOp, builder: TensorBuilder) -> Tensor:
    a, b = builder.wrap(op.a, op.b)
    flags = (bool(flag.value.data) for flag in (op.left_side, op.lower, op.unit_diagonal))
    system = System(op.transpose_a.data, *flags)
    return b if 0 in b.shape else system.solve(a.widened(), b.widened()).convert(b.element_type)


def _is_of_library(name: str) -> bool:
    """Whether there is a library, and the name still stands for its routine."""
    from ...reference import lapack, xla_factorizations
    from ...reference.custom_calls import TARGETS
    from ...reference.lapack_addresses import is_there

    del xla_factorizations  # only registers targets
    return is_there() and name in TARGETS and TARGETS[name].__module__ == lapack.__name__


def check_form(op: stablehlo.CustomCallOp) -> None:
    """Raises an error if `op`, whose shapes may have been dynamic when it was verified, has another form."""
    if SHAPE_OPERANDS in op.attributes:
        raise UnsupportedError(f"{op.name}: operands are shapes still; run stablehlo-refine-shapes first", op)
    try:
        verify_factorization(op)
    except VerifyException as error:
        raise InvalidProgramError(str(error), op) from error


class StablehloCallLapackPass(ExpansionPass):
    """Replace calls of LAPACK by calls of its routines. See the module's documentation."""

    name = "stablehlo-call-lapack"

    EXPANDED: ClassVar = {
        stablehlo.CholeskyOp: _cholesky,
        stablehlo.CustomCallOp: custom_call,
        stablehlo.TriangularSolveOp: _triangular_solve,
    }
