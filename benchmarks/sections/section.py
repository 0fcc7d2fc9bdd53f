"""What all sections share: the settings they are run with, and what they return."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..table import Table


@dataclass(frozen=True)
class Settings:
    """How to measure. `programs` are names of benchmark programs, by default (empty) all of the section. `against`: the
    revision or checkout that the section `versions` compares with.
    """

    threads: int = 1
    blocks: int = 8
    quick: bool = False
    programs: tuple[str, ...] = ()
    against: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Settings:
        return Settings(
            data["threads"], data["blocks"], data["quick"], tuple(data["programs"]), data.get("against", "")
        )

    def count(self) -> str:
        """How many threads, in words."""
        return f"{self.threads} thread" + "s" * (self.threads != 1)

    def chosen(self, all_names: list[str], quick_names: tuple[str, ...] = ()) -> list[str]:
        """Of `all_names`, the programs to take: those that were asked for, or a few if it has to be quick."""
        if self.programs:
            return [name for name in all_names if name in self.programs]
        return [name for name in all_names if name in quick_names] if self.quick and quick_names else all_names


@dataclass
class Result:
    """What a section found. `failures` are programs that did not compile, or results that disagree."""

    tables: list[Table] = field(default_factory=list[Table])
    failures: list[str] = field(default_factory=list[str])
    settings: Settings = Settings()

    def add(self, other: Result) -> None:
        """What another process found of the same section."""
        self.tables += other.tables
        self.failures += other.failures

    def as_dict(self) -> dict[str, Any]:
        return {
            "settings": self.settings.as_dict(),
            "tables": [table.as_dict() for table in self.tables],
            "failures": self.failures,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Result:
        tables = [Table.from_dict(table) for table in data["tables"]]
        return Result(tables, list(data["failures"]), Settings.from_dict(data["settings"]))


@dataclass(frozen=True)
class Section:
    """A part of the benchmarks, run in a process of its own.

    `one_thread`: always on one CPU. `takes_programs`: can be limited to programs. `takes_names`: and to what its
    function `names` lists. `is_of_all`: whether it is measured where no section is named. `also_one_thread`: on one
    CPU, then on all; tables of its own for either.
    """

    name: str
    summary: str
    one_thread: bool = False
    takes_programs: bool = False
    takes_names: bool = False
    is_of_all: bool = True
    also_one_thread: bool = False

    def choices(self) -> list[str]:
        """What it can be limited to beside programs."""
        return self._module().names() if self.takes_names else []

    def measure(self, settings: Settings) -> Result:
        """Runs it in this process."""
        return self._module().measure(settings)

    def _module(self) -> Any:
        return importlib.import_module(f"{__package__}.{self.name}")
