"""What `xla-opt` checks of a program beside its passes: all that is wrong with it, and a round trip."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

from xdsl.dialects.builtin import ModuleOp, NameLoc

from ...errors import InvalidProgramError, XlaError
from ...runtime.mlir_text import parse_module
from ...runtime.program_context import ProgramContext
from ...runtime.verifying import verification_errors
from .printing import Form


class ProgramErrors(InvalidProgramError):
    """Several errors of one program; as an error, the first of them."""

    def __init__(self, errors: Sequence[XlaError]) -> None:
        first = errors[0]
        super().__init__(first.message, location=first.location, notes=first.notes)
        self.errors = tuple(errors)


def errors_in(error: Exception) -> Sequence[Exception]:
    """The errors that an exception stands for."""
    return error.errors if isinstance(error, ProgramErrors) else [error]


def is_implicit(module: ModuleOp) -> bool:
    """Whether the text has the ops of the module without the module itself."""
    return isinstance(module.location, NameLoc)


def verify_all(module: ModuleOp) -> None:
    """Raises `ProgramErrors` with one error for each op that is invalid by itself."""
    errors = verification_errors(module)
    if errors:
        raise ProgramErrors(errors)


def verify_roundtrip(module: ModuleOp, context: ProgramContext) -> None:
    """Print and read the module, in both forms; raises `InvalidProgramError` where another one comes back."""
    reference = Form(generic=True).program(module, context.loaded_dialects)
    for name, form in (("custom", Form()), ("generic", Form(generic=True))):
        text = form.program(module, context.loaded_dialects)
        try:
            again = parse_module(text, f"<{name} form>", context, allow_empty=True)
        except XlaError as error:
            raise InvalidProgramError(
                f"failed to parse the {name} form back, cannot verify round-trip: {error}", module
            ) from error
        result = Form(generic=True).program(again, context.loaded_dialects)
        if result != reference:
            lines = list(unified_diff(reference.splitlines(), result.splitlines(), "program", name, lineterm="", n=0))
            raise InvalidProgramError(
                f"round-trip through the {name} form gives another program:\n" + "\n".join(lines[:20]), module
            )
