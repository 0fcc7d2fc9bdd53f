"""HLO text, XLA's own form of a program, to StableHLO and back.

    module = parse_hlo(Path("module_0001.jit_f.before_optimizations.hlo").read_text(), "f.hlo")

`docs/hlo_text.md` says what is read, what is printed and what is dropped.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...errors import InvalidProgramError
from ...nesting import with_deep_stack


def parse_hlo(text: str | bytes, filename: str = "<text>", *, fill_elided: bool = False) -> ModuleOp:
    """The StableHLO module of an HLO text, not verified: `@main` is the entry computation, private functions are what
    it calls. Tuples are taken apart, in signatures too. With `fill_elided`, constants that the text leaves out, as
    `{...}`, get values of no meaning, the same each time.

    Raises `InvalidProgramError` for text that is no HLO, `UnsupportedError` for instructions StableHLO has no
    counterpart for, both with `filename:line:col`.
    """
    from .reading.importer import import_module
    from .syntax import parse_module

    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidProgramError(f"{filename}: not UTF-8 text: {error}") from None
    source = text
    return with_deep_stack(lambda: import_module(parse_module(source, filename), filename, fill_elided))


def print_hlo(module: ModuleOp, entry: str | None = None) -> str:
    """A StableHLO module as HLO text that XLA's parser takes. `entry` names the function that becomes the entry
    computation, by default `main` or the only public one; the module stays as it is.

    Raises `UnsupportedError` for ops and types that HLO has no form for.
    """
    from .printing.exporter import export_module

    return with_deep_stack(lambda: export_module(module, entry))
