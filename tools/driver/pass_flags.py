"""Which flags of a command line are passes: ours, xDSL's, and those that files and installed packages define."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...properties import cached_property
from ...runtime.extensions.definitions import Definitions, definitions_of_files
from ...runtime.extensions.installed import installed


class PassFlags(Collection[str]):
    """The names of passes and pipelines. Others than `known` are looked for when a flag is none of these: in the files
    that `--load-pass` names in `arguments`, and in installed packages.
    """

    def __init__(self, known: Collection[str], arguments: Sequence[str]) -> None:
        self._known = frozenset(known)
        self._arguments = arguments

    @cached_property
    def _of_files(self) -> Definitions:
        files: list[str] = []
        for place, argument in enumerate(self._arguments):
            flag, equals, value = argument.partition("=")
            if flag.lstrip("-") == "load-pass" and flag.startswith("-"):
                files += [value] if equals else list(self._arguments[place + 1 : place + 2])
        return definitions_of_files(files)

    def __contains__(self, name: object) -> bool:
        if name in self._known:
            return True
        others = (self._of_files, installed().definitions)
        return any(name in each.passes or name in each.pipelines for each in others)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
