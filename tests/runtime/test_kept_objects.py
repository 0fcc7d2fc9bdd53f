"""Machine code that is the same in every program."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl_xla.dialects.llvm_parts import Part, Tier
from xdsl_xla.runtime.compile_cache import folder
from xdsl_xla.runtime.kept_objects import kept_object
from xdsl_xla.runtime.llvm_pipeline import Options

PART = Part("define hidden void @only_in_this_test() {\n  ret void\n}\n", Tier.TILES, shared=True)


class Generator:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, part: Part, options: Options) -> bytes:
        self.calls += 1
        return f"{part.tier.value} {options.opt_level}".encode()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(folder.SWITCH, "1")
    monkeypatch.setenv(folder.FOLDER, str(tmp_path))
    return tmp_path


def test_what_another_process_has_generated_is_found(cache: Path) -> None:
    generator = Generator()
    assert [kept_object(PART, Options(), generator) for _ in range(2)] == [b"tiles 2"] * 2
    assert generator.calls == 1 and len(list(cache.iterdir())) == 1


def test_options_and_tiers_are_told_apart(cache: Path) -> None:
    generator = Generator()
    asked = [(PART, Options()), (PART, Options(1)), (PART._replace(tier=Tier.LOOPS), Options())]
    assert [kept_object(*each, generator) for each in asked] == [b"tiles 2", b"tiles 1", b"loops 2"]
    assert generator.calls == 3


def test_without_a_cache_nothing_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folder.SWITCH, "0")
    generator = Generator()
    assert [kept_object(PART, Options(), generator) for _ in range(2)] == [b"tiles 2"] * 2
    assert generator.calls == 2 and not list(cache.iterdir())


def test_damaged_files_are_generated_again(cache: Path) -> None:
    generator = Generator()
    kept_object(PART, Options(), generator)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert kept_object(PART, Options(), generator) == b"tiles 2"
    assert generator.calls == 2
