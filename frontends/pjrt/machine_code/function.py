"""Functions in LLVM IR, written as in C: variables, and `with` for what runs on a condition or again and again."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple


class Value(NamedTuple):
    """A constant or a register with its type."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


NULL = Value("ptr", "null")


def i64(number: int) -> Value:
    """A constant of eight bytes."""
    return Value("i64", str(number))


def i32(number: int) -> Value:
    """A constant of four bytes."""
    return Value("i32", str(number))


class Variable(NamedTuple):
    """A place on the stack."""

    type: str
    place: Value


class Function:
    """The text of a function as it grows. `parameters`, separated by commas, are as in LLVM IR: `ptr arguments`."""

    def __init__(self, name: str, parameters: str, result: str = "ptr", *, exported: bool = False) -> None:
        self._parameters = {
            part.split()[1]: Value(part.split()[0], f"%{part.split()[1]}") for part in parameters.split(", ") if part
        }
        listed = ", ".join(map(str, self._parameters.values()))
        self._head = f"define {'' if exported else 'internal '}{result} @{name}({listed}) {{\nentry:"
        self._variables: list[str] = []
        self._lines: list[str] = []
        self._number = 0
        self._has_ended = False

    def __getitem__(self, parameter: str) -> Value:
        return self._parameters[parameter]

    def text(self) -> str:
        """The whole function."""
        return "\n".join([self._head, *self._variables, *self._lines, "}"])

    def _next(self) -> int:
        self._number += 1
        return self._number

    def line(self, text: str) -> None:
        """An instruction."""
        self._lines.append(f"  {text}")

    def value(self, type: str, instruction: str) -> Value:
        """What an instruction gives."""
        result = Value(type, f"%v{self._next()}")
        self.line(f"{result.name} = {instruction}")
        return result

    def _block(self, label: str) -> None:
        self._lines.append(f"{label}:")
        self._has_ended = False

    def _jump(self, label: str) -> None:
        if not self._has_ended:
            self.line(f"br label %{label}")
        self._has_ended = True

    # Memory

    def variable(self, first: Value) -> Variable:
        """A variable with its first value."""
        place = Value("ptr", f"%v{self._next()}")
        self._variables.append(f"  {place.name} = alloca {first.type}")
        made = Variable(first.type, place)
        self.set(made, first)
        return made

    def get(self, variable: Variable) -> Value:
        """The value of a variable."""
        return self.value(variable.type, f"load {variable.type}, {variable.place}")

    def set(self, variable: Variable, value: Value) -> None:
        """Another value for a variable."""
        self.line(f"store {value}, {variable.place}")

    def at(self, base: Value, offset: Value | int) -> Value:
        """An address so many bytes behind another."""
        shown = i64(offset) if isinstance(offset, int) else offset
        return self.value("ptr", f"getelementptr i8, {base}, {shown}")

    def item(self, base: Value, index: Value | int) -> Value:
        """The address of a word of a table."""
        shown = i64(index) if isinstance(index, int) else index
        return self.value("ptr", f"getelementptr i64, {base}, {shown}")

    def load(self, type: str, place: Value) -> Value:
        """What is at an address."""
        return self.value(type, f"load {type}, {place}")

    def store(self, value: Value, place: Value) -> None:
        """Write to an address."""
        self.line(f"store {value}, {place}")

    def read(self, type: str, base: Value, field: Any) -> Value:
        """A field of a struct of ctypes."""
        return self.load(type, self.at(base, field.offset))

    def write(self, value: Value, base: Value, field: Any) -> None:
        """Write a field of a struct of ctypes."""
        self.store(value, self.at(base, field.offset))

    # Memory that other threads see

    def load_shared(self, place: Value, type: str = "i64") -> Value:
        """What is there, and all that was written before it."""
        return self.value(type, f"load atomic {type}, {place} acquire, align 8")

    def store_shared(self, value: Value, place: Value) -> None:
        """Write after all that was written before."""
        self.line(f"store atomic {value}, {place} release, align 8")

    def exchange(self, place: Value, value: Value) -> Value:
        """Write, and give what was there."""
        return self.value(value.type, f"atomicrmw xchg {place}, {value} acq_rel, align 8")

    def change(self, operation: str, place: Value, value: Value) -> Value:
        """`add`, `sub`, `or` or `and` a value to what is there, and give that."""
        return self.value(value.type, f"atomicrmw {operation} {place}, {value} acq_rel, align 8")

    def replace(self, place: Value, old: Value, new: Value) -> Value:
        """Write if `old` is there; whether it was."""
        pair = self.value("", f"cmpxchg {place}, {old}, {new} acq_rel acquire, align 8")
        return self.value("i1", f"extractvalue {{ {old.type}, i1 }} {pair.name}, 1")

    # Arithmetic

    def compute(self, operation: str, left: Value, right: Value) -> Value:
        """`add`, `sub`, `mul`, `and`, `or`, ... of two values of a type."""
        return self.value(left.type, f"{operation} {left}, {right.name}")

    def compare(self, predicate: str, left: Value, right: Value) -> Value:
        """`eq`, `ne`, `slt`, `ult`, ... of two values of a type."""
        return self.value("i1", f"icmp {predicate} {left}, {right.name}")

    def is_null(self, value: Value) -> Value:
        """Whether it is zero."""
        return self.compare("eq", value, Value(value.type, "null" if value.type == "ptr" else "0"))

    def is_set(self, value: Value) -> Value:
        """Whether it is not zero."""
        return self.compare("ne", value, Value(value.type, "null" if value.type == "ptr" else "0"))

    def any(self, first: Value, *others: Value) -> Value:
        """Whether one of some conditions holds."""
        for other in others:
            first = self.compute("or", first, other)
        return first

    def choose(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """One value or the other."""
        return self.value(then.type, f"select {condition}, {then}, {otherwise}")

    def convert(self, operation: str, value: Value, type: str) -> Value:
        """`zext`, `trunc`, `ptrtoint`, `inttoptr` to a type."""
        return self.value(type, f"{operation} {value} to {type}")

    # Control

    def call(self, type: str, function: str | Value, *arguments: Value) -> Value:
        """What a function gives, which is a value or the name of one."""
        callee = function.name if isinstance(function, Value) else f"@{function}"
        listed = ", ".join(map(str, arguments))
        if type == "void":
            self.line(f"call void {callee}({listed})")
            return Value("void", "")
        return self.value(type, f"call {type} {callee}({listed})")

    def give(self, value: Value | None = None) -> None:
        """Return."""
        self.line("ret void" if value is None else f"ret {value}")
        self._has_ended = True

    @contextmanager
    def when(self, condition: Value) -> Generator[None]:
        """What is done only if a condition holds."""
        number = self._next()
        self.line(f"br {condition}, label %then{number}, label %after{number}")
        self._block(f"then{number}")
        yield
        self._jump(f"after{number}")
        self._block(f"after{number}")

    @contextmanager
    def repeat(self) -> Generator[Loop]:
        """What is done again and again."""
        number = self._next()
        self._jump(f"again{number}")
        self._block(f"again{number}")
        yield Loop(self, f"left{number}")
        self._jump(f"again{number}")
        self._block(f"left{number}")

    @contextmanager
    def times(self, count: Value) -> Generator[Value]:
        """What is done so many times, with the number of the time."""
        index = self.variable(i64(0))
        with self.repeat() as loop:
            number = self.get(index)
            loop.leave(self.compare("sge", number, count))
            yield number
            self.set(index, self.compute("add", number, i64(1)))

    def branch(self, condition: Value, label: str) -> None:
        """Go to a block if a condition holds."""
        number = self._next()
        self.line(f"br {condition}, label %{label}, label %stay{number}")
        self._block(f"stay{number}")


class Loop(NamedTuple):
    """A loop that is being written."""

    function: Function
    end: str

    def leave(self, condition: Value) -> None:
        """Go on behind the loop if a condition holds."""
        self.function.branch(condition, self.end)


def texts(functions: Sequence[Function]) -> str:
    """The functions as one text."""
    return "\n\n".join(function.text() for function in functions)
