"""Calls of LAPACK's routines, `lapack_<type><routine>_ffi`, as JAX writes them for CPUs, and those that XLA itself
expands, such as `Qr`: which operands, results and options they have.

A routine works on the last two dimensions, and all operands and results have the others, the batch, in front. What is
written below as `T[m,n] -> T[m,n] T[k]` takes matrices and gives matrices and vectors of the same element type. `R` is
the type of its real part, `C` the complex type of its parts, `I` is `i32`; `k` is the smaller of `m` and `n`, and `...`
stands for a tensor that is not computed. The form of some calls depends on an option; options of letters hold their
codes. The results may be the elements of a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, NoReturn, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    TensorType,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from .custom_call import CustomCallOp
from .tuples import flat

FORMS = {
    "potrf": "T[n,n] -> T[n,n] I[]",
    "trsm L": "T[m,m] T[m,n] -> T[m,n]",
    "trsm R": "T[n,n] T[m,n] -> T[m,n]",
    "getrf": "T[m,n] -> T[m,n] I[k] I[]",
    "geqrf": "T[m,n] -> T[m,n] T[k]",
    "geqp3": "T[m,n] I[n] -> T[m,n] I[n] T[k]",
    "orgqr": "T[m,n] T[r] -> T[m,n]",
    "ormqr L": "T[m,s] T[r] T[m,n] -> T[m,n]",
    "ormqr R": "T[n,s] T[r] T[m,n] -> T[m,n]",
    "syevd": "T[n,n] -> T[n,n] R[n] I[]",
    "gesdd A": "T[m,n] -> T[m,n] R[k] T[m,m] T[n,n] I[]",
    "gesdd S": "T[m,n] -> T[m,n] R[k] T[m,k] T[k,n] I[]",
    "gesdd N": "T[m,n] -> T[m,n] R[k] ... ... I[]",
    "geev of reals": "T[n,n] -> T[n] T[n] C[n,n] C[n,n] I[]",
    "geev": "T[n,n] -> T[n] T[n,n] T[n,n] I[]",
    "gees of reals": "T[n,n] -> T[n,n] T[n,n] T[n] T[n] I[] I[]",
    "gees": "T[n,n] -> T[n,n] T[n,n] T[n] I[] I[]",
    "gehrd": "T[n,n] -> T[n,n] T[n-1] I[]",
    "sytrd": "T[n,n] -> T[n,n] R[n] R[n-1] T[n-1] I[]",
    "gtsv": "T[m] T[m] T[m] T[m,n] -> T[m] T[m] T[m] T[m,n] I[]",
    "Qr": "T[m,n] -> T[m,n] T[k]",
    "ProductOfElementaryHouseholderReflectors": "T[m,n] T[r] -> T[m,n]",
    "Eigh": "T[n,n] -> T[n,n] R[n]",
    "LuDecomposition": "T[m,n] -> T[m,n] I[k] I[m]",
    "tridiagonal_solve_perturbed_ffi": "T[m] T[m] T[m] T[m,n] -> T[m,n]",
}
"""By routine, and option or kind of numbers where there are several. Routines for complex matrices whose names begin
with `un` or `he` are those for real ones beginning with `or` or `sy`."""

LETTERS = {
    "potrf": {"uplo": "LU"},
    "trsm": {"side": "LR", "uplo": "LU", "diag": "NU", "trans_x": "NTC"},
    "syevd": {"mode": "NV", "uplo": "LU"},
    "gesdd": {"mode": "ASN"},
    "geev": {"compute_left": "NV", "compute_right": "NV"},
    "gees": {"mode": "NV", "sort": "N"},
    "sytrd": {"uplo": "LU"},
}
"""The options that are letters, and which letters. Those of `trsm` have no default."""

SHAPE_OPERANDS = "indices_of_shape_operands"
"""The attribute that says which operands of a custom call are the shapes of its results, as JAX writes it. The pass
`stablehlo-refine-shapes` removes it, with these operands."""

_CALL = re.compile(r"lapack_([sdcz])([a-z0-9]+)_ffi")
ELEMENT_TYPES: dict[str, Attribute] = {"s": f32, "d": f64, "c": ComplexType(f32), "z": ComplexType(f64)}
COMPLEX_NAMES = {"ungqr": "orgqr", "unmqr": "ormqr", "heevd": "syevd", "hetrd": "sytrd"}
_SAME_FORM = {"gesvd": "gesdd"}
_OF_ANY_TYPE = {name for name in FORMS if name[0].isupper() or name.endswith("_ffi")}


def options_of(op: CustomCallOp) -> Mapping[str, Attribute]:
    """The options of a call by name; none if it has no dictionary of them."""
    config = op.attributes.get("mhlo.backend_config") or op.backend_config
    return config.data if isinstance(config, DictionaryAttr) else {}


class _Tensor(NamedTuple):
    """A tensor of a form: the letter of its element type and its sizes for one matrix; nothing, if it may be any."""

    element: str
    sizes: tuple[str, ...]


@cache
def _form(key: str) -> tuple[list[_Tensor | None], list[_Tensor | None]]:
    operands, results = (side.split() for side in FORMS[key].split(" -> "))
    return [_tensor(text) for text in operands], [_tensor(text) for text in results]


def _tensor(text: str) -> _Tensor | None:
    if text == "...":
        return None
    return _Tensor(text[0], tuple(size for size in text[2:-1].split(",") if size))


def verify_factorization(op: CustomCallOp) -> None:
    """Raises `VerifyException` if `op` calls such a routine in another form than there is. Looks at static shapes only.

    What is compiled relies on it: a routine knows the memory that it is given by sizes alone.
    """
    name = op.call_target_name.data
    match = _CALL.fullmatch(name)
    if match is not None:
        _Verifier(op, match[2], ELEMENT_TYPES[match[1]]).verify()
    elif name in _OF_ANY_TYPE:
        given = op.inputs[0].type if op.inputs else None
        element_type = cast("TensorType[Attribute]", given).element_type if isinstance(given, TensorType) else f32
        _Verifier(op, name, element_type).verify()


class _Verifier:
    """Of one call, of matrices of `element_type`."""

    def __init__(self, op: CustomCallOp, routine: str, element_type: Attribute) -> None:
        self.op = op
        self.is_complex = isinstance(element_type, ComplexType)
        real: Attribute = cast("ComplexType[Any]", element_type).element_type if self.is_complex else element_type
        self.types = {"T": element_type, "R": real, "C": ComplexType(cast(Any, real)), "I": i32}
        simple = COMPLEX_NAMES.get(routine, routine)
        is_of_other_numbers = simple in COMPLEX_NAMES.values() and (routine == simple) == self.is_complex
        self.routine = "" if is_of_other_numbers else _SAME_FORM.get(simple, simple)
        self.options = options_of(op)
        self.sizes: dict[str, int] = {}

    def fail(self, place: str, message: str) -> NoReturn:
        raise VerifyException(f"call of @{self.op.call_target_name.data}, {place}: {message}")

    def verify(self) -> None:
        keys = [key for key in FORMS if key.partition(" ")[0] == self.routine]
        if not keys:
            return
        for option, letters in LETTERS.get(self.routine, {}).items():
            self.letter(option, letters)
        operands, results = _form(self.key(keys))
        shapes = self.shape_operands()
        inputs = [type for number, type in enumerate(self.op.inputs.types) if number not in shapes]
        outputs = flat(self.op.result.types)
        for group, types, wanted in (("operand", inputs, operands), ("result", outputs, results)):
            if len(types) != len(wanted):
                self.fail(f"{group}s", f"expected {len(wanted)}, got {len(types)}")
        all_types: tuple[Attribute, ...] = (*inputs, *outputs)
        if any(map(_is_dynamic, all_types)):
            return
        batch = self.batch(cast(_Tensor, operands[0]), all_types[0])
        for index, (type, tensor) in enumerate(zip(all_types, (*operands, *results), strict=True)):
            place = f"operand {index}" if index < len(operands) else f"result {index - len(operands)}"
            if tensor is not None:
                self.check(place, type, tensor, batch)
        self.check_numbers()

    def shape_operands(self) -> set[int]:
        """The numbers of operands that are shapes of results."""
        indices = self.op.attributes.get(SHAPE_OPERANDS)
        if indices is None:
            return set()
        if not isinstance(indices, DenseIntOrFPElementsAttr):
            self.fail(f"attribute {SHAPE_OPERANDS}", f"expected numbers of operands, got {indices}")
        return {int(number) for number in cast("DenseIntOrFPElementsAttr[Any]", indices).get_values()}

    def key(self, keys: list[str]) -> str:
        """Which of the forms of a routine `op` has."""
        if len(keys) == 1:
            return keys[0]
        if self.routine in ("geev", "gees"):
            return self.routine + ("" if self.is_complex else " of reals")
        if self.routine == "ormqr":
            return "ormqr " + ("L" if self.number("left") else "R")
        return f"{self.routine} {self.letter('side' if self.routine == 'trsm' else 'mode', '')}"

    def letter(self, option: str, letters: str) -> str:
        """An option, which is one of `letters` if there are any."""
        value = self.options.get(option)
        if value is None and self.routine != "trsm":
            return "A"
        letter = chr(self.number(option) % 128)
        if letters and letter not in letters:
            got = "nothing" if value is None else str(value)
            self.fail(f"option {option}", f"expected the code of one of {', '.join(letters)}, got {got}")
        return letter

    def number(self, option: str) -> int:
        value = self.options.get(option, IntegerAttr(0, i32))
        if not isinstance(value, IntegerAttr):
            self.fail(f"option {option}", f"expected an integer, got {value}")
        return cast("IntegerAttr[Any]", value).value.data

    def batch(self, first: _Tensor, type: Attribute) -> tuple[int, ...]:
        shape = _shape(type)
        if len(shape) < len(first.sizes):
            self.fail("operand 0", f"expected a tensor of at least {len(first.sizes)} dimensions, got {type}")
        return shape[: len(shape) - len(first.sizes)]

    def check(self, place: str, type: Attribute, tensor: _Tensor, batch: tuple[int, ...]) -> None:
        """Whether `type` is that of `tensor`, whose sizes are those of the tensors before or new."""
        shape = _shape(type)
        if len(shape) == len(batch) + len(tensor.sizes):
            for size, value in zip(tensor.sizes, shape[len(batch) :], strict=True):
                if size not in ("k", "n-1"):
                    self.sizes.setdefault(size, value)
        expected = TensorType(self.types[tensor.element], (*batch, *(self.size(size) for size in tensor.sizes)))
        if type != expected:
            self.fail(place, f"expected {expected}, got {type}")

    def size(self, size: str) -> int:
        match size:
            case "k":
                return min(self.sizes["m"], self.sizes["n"])
            case "n-1":
                return max(0, self.sizes["n"] - 1)
            case _:
                return self.sizes.get(size, DYNAMIC_INDEX)

    def check_numbers(self) -> None:
        """How many reflections there may be, and which rows `gehrd` may work on."""
        if "r" in self.sizes:
            most = min(_shape(self.op.inputs.types[0])[-2:])
            if self.sizes["r"] > most:
                self.fail("operand 1", f"expected the factors of at most {most} reflections, got {self.sizes['r']}")
        if self.routine == "gehrd" and self.sizes["n"]:
            size = self.sizes["n"]
            low, high = self.number("low") or 1, self.number("high") or size
            if not 1 <= low <= high <= size:
                self.fail("options low and high", f"expected rows from 1 to {size}, got {low} to {high}")


def _is_dynamic(type: Attribute) -> bool:
    return DYNAMIC_INDEX in _shape(type)


def _shape(type: Attribute) -> tuple[int, ...]:
    """Nothing, if it is no tensor."""
    return cast("TensorType[Attribute]", type).get_shape() if isinstance(type, TensorType) else ()
