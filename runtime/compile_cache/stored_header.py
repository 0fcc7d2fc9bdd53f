"""The header of a stored program, read without trust: what is not of the form that it is written in is damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from ..element_types import dtype_named
from ..marks import Marks
from ..signature import TOKEN_TYPE, Signature, Structure, TensorSpec

Item = TypeVar("Item")

MOST = 2**62
"""Of a number in a header: more is no size of anything."""


class DamagedError(Exception):
    """Bytes that are not a stored program, or that of another key."""


class Header:
    """The fields of a JSON object by their types. All reading raises `DamagedError`."""

    def __init__(self, value: object) -> None:
        self._fields = _object(value)

    def _field(self, name: str) -> object:
        if name not in self._fields:
            raise DamagedError
        return self._fields[name]

    def text(self, name: str) -> str:
        return text(self._field(name))

    def symbol(self, name: str) -> str:
        """The name of something in the machine code."""
        symbol = self.text(name)
        if not symbol or "\0" in symbol:
            raise DamagedError
        return symbol

    def texts(self, name: str) -> tuple[str, ...]:
        return items(self._field(name), text)

    def texts_by_name(self, name: str) -> dict[str, str]:
        return {key: text(value) for key, value in _object(self._field(name)).items()}

    def flag(self, name: str) -> bool:
        return of_type(self._field(name), bool)

    def number(self, name: str) -> int:
        """From 0 on."""
        return number(self._field(name))

    def numbers(self, name: str) -> tuple[int, ...]:
        return items(self._field(name), number)

    def donated(self, signature: Signature) -> tuple[tuple[int, int], ...]:
        """Pairs of an argument and a result that there are, of equal size."""
        pairs = items(self._field("donated"), lambda pair: items(pair, number))
        inputs, outputs = signature.inputs, signature.outputs
        for pair in pairs:
            if len(pair) != 2 or pair[0] >= len(inputs) or pair[1] >= len(outputs):
                raise DamagedError
            if inputs[pair[0]].byte_size != outputs[pair[1]].byte_size:
                raise DamagedError
        return cast("tuple[tuple[int, int], ...]", pairs)

    def marks(self, signature: Signature) -> Marks:
        """Marks of arguments and results that there are."""
        fields = items(self._field("marks"), lambda field: field)
        if len(fields) != len(Marks._fields):
            raise DamagedError
        pairs = items(fields[0], lambda pair: items(pair, number))
        donors = items(fields[1], number)
        memories = [items(field, text) for field in fields[2:]]
        arguments = len(signature.inputs if signature.argument_types is None else signature.argument_types)
        results = len(signature.outputs if signature.result_types is None else signature.result_types)
        if any(len(pair) != 2 or pair[0] >= arguments or pair[1] >= results for pair in pairs):
            raise DamagedError
        if any(donor >= arguments for donor in donors) or not all(map(_is_side, memories, (arguments, results))):
            raise DamagedError
        return Marks(cast("tuple[tuple[int, int], ...]", pairs), donors, *memories)

    def optional(self, name: str) -> Header | None:
        """The header in this one, None where there is none."""
        value = self._field(name)
        return None if value is None else Header(value)

    def field(self, name: str) -> object:
        """Anything."""
        return self._field(name)

    def signature(self) -> Signature:
        inputs, outputs = (items(self._field(side), _spec) for side in ("inputs", "outputs"))
        argument_types, result_types = (
            None if self._field(side) is None else items(self._field(side), _structure)
            for side in ("argument_types", "result_types")
        )
        for types, tensors in ((argument_types, inputs), (result_types, outputs)):
            if types is not None and _tensors_in(types) != len(tensors):
                raise DamagedError
        return Signature(self.text("entry"), inputs, outputs, argument_types, result_types)


def _is_side(memories: Sequence[str], count: int) -> bool:
    return len(memories) in (0, count)


def of_type(value: object, type: type[Item]) -> Item:
    if value.__class__ is not type:
        raise DamagedError
    return cast(Item, value)


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", of_type(value, dict))


def text(value: object) -> str:
    return of_type(value, str)


def number(value: object) -> int:
    number = of_type(value, int)
    if not 0 <= number < MOST:
        raise DamagedError
    return number


def items(value: object, item: Callable[[object], Item]) -> tuple[Item, ...]:
    return tuple(map(item, cast("Sequence[object]", of_type(value, list))))


def _spec(value: object) -> TensorSpec:
    fields = cast("list[object]", of_type(value, list))
    if len(fields) != 4:
        raise DamagedError
    name, shape, element, bounded = fields
    dtype = dtype_named(text(element))
    if dtype is None:
        raise DamagedError
    spec = TensorSpec(text(name), items(shape, number), dtype, items(bounded, number))
    if any(dim >= len(spec.shape) for dim in spec.bounded):
        raise DamagedError
    return spec


def _tensors_in(type: Structure) -> int:
    return sum(map(_tensors_in, type)) if isinstance(type, tuple) else type != TOKEN_TYPE


def _structure(value: object) -> Structure:
    return value if isinstance(value, str) else items(value, _structure)
