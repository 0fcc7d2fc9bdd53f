"""Contexts of xDSL that know the dialects of programs, each imported when a text uses it."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from ..decisions.model import CostModel
from .extensions.definitions import NOTHING, Definitions, dialect_of
from .extensions.installed import installed

if TYPE_CHECKING:
    from ..ir.schedule_files import Schedules


def _stablehlo() -> Dialect:
    _chlo()  # custom calls that stand for its ops have their form
    from ..dialects.stablehlo import StableHLO

    return StableHLO


def _chlo() -> Dialect:
    from ..dialects.chlo import CHLO

    return CHLO


def _arith() -> Dialect:
    from ..dialects.vector_arith import ARITH

    return ARITH


def _llvm() -> Dialect:
    from ..dialects.llvm_extras import LLVM

    return LLVM


def _xrt() -> Dialect:
    from ..dialects.xrt import XRT

    return XRT


def _check() -> Dialect:
    from ..dialects.check import CHECK

    return CHECK


def _interpreter() -> Dialect:
    from ..dialects.interpreter import INTERPRETER

    return INTERPRETER


def _fourier() -> Dialect:
    from ..dialects.fourier import FOURIER

    return FOURIER


def _linalg_ext() -> Dialect:
    from ..dialects.linalg_ext import LINALG_EXT

    return LINALG_EXT


def _schedule() -> Dialect:
    from ..dialects.schedule import Schedule

    return Schedule


def _quant() -> Dialect:
    from ..dialects.quant import QUANT

    return QUANT


def _sdy() -> Dialect:
    from ..dialects.sdy import SDY

    return SDY


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "stablehlo": _stablehlo,
    "chlo": _chlo,
    "arith": _arith,
    "llvm": _llvm,
    "xrt": _xrt,
    "check": _check,
    "interpreter": _interpreter,
    "fourier": _fourier,
    "linalg_ext": _linalg_ext,
    "schedule": _schedule,
    "quant": _quant,
    "sdy": _sdy,
}
"""The dialects of this package; they take precedence over dialects of the same name from
elsewhere.
"""


MHLO = {"mhlo": ("stablehlo", "chlo")}
"""The dialect that StableHLO came out of, as TensorFlow and older versions of JAX print it, and the dialects that have
its ops, attributes and types now, in the same syntax.
"""


def present_names(name: str) -> list[str]:
    """Which names an op, an attribute or a type may have now, if it is of a dialect of former times."""
    dialect, _, rest = name.partition(".")
    return [f"{present}.{rest}" for present in MHLO.get(dialect, ())]


class ProgramContext(Context):
    """A context that takes attributes of unknown dialects as they are.

    Frontends annotate programs with attributes that no pass here needs to understand, such as those of `mhlo`. A
    dialect of `_all_dialects` is looked through once for all contexts.
    Passes that run in it decide by its `cost_model`; None is the host's (`cost_model_of`). `schedules` are those that
    stand in files (`schedules_of`).
    """

    cost_model: CostModel | None = None
    schedules: Schedules | None = None

    def use(self, definitions: Definitions) -> None:
        """Know the dialects of others, in place of those of the same name."""
        for name, definition in definitions.dialects.items():
            self._registered_dialects[name] = lambda name=name, definition=definition: dialect_of(name, definition)

    def _finds_installed(self, name: str) -> bool:
        """Whether the dialect of an op, an attribute or a type that is not known is that of an installed package, which
        is known from here on.
        """
        dialect = name.partition(".")[0]
        if dialect == name or dialect in self._registered_dialects or dialect in MHLO:
            return False
        definition = installed().definitions.dialects.get(dialect)
        if definition is None:
            return False
        self.register_dialect(dialect, lambda: dialect_of(dialect, definition))
        return True

    def load_registered_dialect(self, name: str) -> None:
        factory = self._registered_dialects.get(name)
        if factory is None or factory is not _all_dialects().get(name):
            super().load_registered_dialect(name)
            return
        alone = _loaded_alone(name)
        for own, loaded in (
            (self._loaded_ops, alone._loaded_ops),
            (self._loaded_attrs, alone._loaded_attrs),
            (self._loaded_types, alone._loaded_types),
        ):
            if not own.keys().isdisjoint(loaded):
                super().load_registered_dialect(name)  # says what there is twice
            own.update(loaded)  # pyright: ignore[reportCallIssue, reportArgumentType]
        self._loaded_dialects.update(alone._loaded_dialects)

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        op_type = self._loaded_ops.get(name)
        if op_type is None:
            self._finds_installed(name)
            op_type = super().get_optional_op(name, dialect_stack=dialect_stack)
        if op_type is None:
            for present in present_names(name):
                op_type = op_type or super().get_optional_op(present)
        return op_type

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        if name not in self._loaded_types:
            self._finds_installed(name)
        attribute = super().get_optional_type(name)
        for present in present_names(name):
            attribute = attribute or super().get_optional_type(present)
        return attribute

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        if name not in self._loaded_attrs:
            self._finds_installed(name)
        attribute = super().get_optional_attr(name)
        for present in present_names(name):
            attribute = attribute or super().get_optional_attr(present)
        dialect = Dialect.split_name(name)[0]
        if attribute is None and dialect not in self._registered_dialects:
            attribute = UnregisteredAttr.with_name_and_type(name, False)
            self._loaded_attrs[name] = attribute
        return attribute


@cache
def _all_dialects() -> dict[str, Callable[[], Dialect]]:
    return {**get_all_dialects(), **DIALECTS}


@cache
def _loaded_alone(name: str) -> Context:
    """A context that has loaded one dialect."""
    context = Context()
    context.register_dialect(name, _all_dialects()[name])
    context.load_registered_dialect(name)
    return context


def new_context(*, allow_unregistered: bool = False, definitions: Definitions = NOTHING) -> ProgramContext:
    """A context that knows xDSL's dialects, those of this package, of `definitions` and of installed packages; each is
    imported when a text uses it.
    """
    context = ProgramContext(allow_unregistered, _registered_dialects=dict(_all_dialects()))
    context.use(definitions)
    return context
