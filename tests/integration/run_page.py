"""Runs a page of the documentation: `python run_page.py PAGE FOLDER`, in a process of its own.

In order, from the folder: what stands in a block with a file name in its first line is written to that file, blocks of
Python are executed in one namespace, those of MLIR are parsed, and lines that begin with a command are run. A block of
another language is text that is shown. A comment of Markdown in front of a block says what else is so:

    <!-- not run: REASON -->            it is no command, or one that needs what a test does not have
    <!-- run with: A => B, C => D -->   texts are replaced: smaller numbers, other places
    <!-- file NAME: PATH -->            a file of the repository that the page takes for granted, anywhere in the page

Behind a command, `# prints: TEXT` says what its output has in it, and `# fails: TEXT` that it fails, and how.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("xla-opt", "xla-run", "xla-compile", "xla-lsp")
COMMANDS = "|".join([*TOOLS, "python", "pip", "pytest", "lit", "ruff", "pyright", "mkdocs", "git", "cd"])
COMMAND = re.compile(rf"(\$ )?(([A-Z_]+=\S+ )*({COMMANDS}) \S|\./\w)")
DIRECTIVE = re.compile(r"<!-- (not run|run with|file (?P<name>\S+)): (?P<text>.*?) -->")
NAMED = re.compile(r"(?:#|//) (\S+\.\w+)\n")
PIP = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", "site"]


class Block(NamedTuple):
    """A block of a page: its first line, counted from 1, its language ("" for indented ones), text and directive."""

    line: int
    language: str
    text: str
    directive: str
    argument: str

    @property
    def is_commands(self) -> bool:
        return self.language in ("", "console") and COMMAND.match(self.text) is not None

    @property
    def is_executed(self) -> bool:
        """Whether it is of a kind that is executed, as it has to be unless a comment says why not."""
        return self.is_commands or self.language in ("python", "mlir")


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page. An indented one is one if it begins with a command; what else is indented may be a list."""
    lines = [*text.splitlines(), ""]
    directive = argument = ""
    number = 0
    while number < len(lines):
        start, line = number, lines[number]
        number += 1
        if found := DIRECTIVE.fullmatch(line):
            directive, argument = found[1].partition(" ")[0], found["text"]
            continue
        if line.startswith("```"):
            while lines[number] != "```":
                number += 1
            language, body = line[3:].split()[0] if line[3:] else "", lines[start + 1 : number]
            number += 1
        elif line.startswith("    ") and COMMAND.match(line[4:]) and not lines[start - 1].strip():
            while lines[number].startswith("    "):
                number += 1
            language, body = "", [each[4:] for each in lines[start:number]]
        else:
            if line:
                directive = argument = ""
            continue
        yield Block(start + 1, language, "".join(f"{each}\n" for each in body), directive, argument)
        directive = argument = ""


def replaced(block: Block) -> str:
    text = block.text
    for change in block.argument.split(", ") if block.directive == "run" else ():
        before, _, after = change.partition(" => ")
        assert before in text, f"no {before!r} to replace"
        text = text.replace(before, after)
    return text


def run_tool(words: list[str]) -> tuple[int, str]:
    """A command of ours in this process: its exit status, and all that it prints."""
    name = words[0].replace("-", "_")
    module = importlib.import_module(f"xdsl_xla.tools.{name}")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            status = module.main(words[1:])
        except SystemExit as exit:
            status = exit.code if isinstance(exit.code, int) else 1 if exit.code else 0
    return status or 0, output.getvalue()


def run_command(line: str) -> tuple[int, str]:
    """A line of a shell: tools of ours in this process, packages into a folder, the rest in the shell."""
    words = shlex.split(line)
    if words[0] in TOOLS and not re.search(r" [|&] |[*;<>]", line):
        return run_tool(words)
    if words[:2] == ["pip", "install"]:
        done = subprocess.run([*PIP, *words[2:]], capture_output=True, text=True, check=False)
        sys.path.insert(0, str(Path("site").resolve()))
        importlib.invalidate_caches()
        return done.returncode, done.stdout + done.stderr
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path("site").resolve()), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def run_commands(text: str) -> None:
    for line in text.splitlines():
        if COMMAND.match(line) is None:
            continue  # what the command in front of it prints
        command, expected = (*re.split(r"\s+# ", line.removeprefix("$ "), maxsplit=1), "")[:2]
        status, output = run_command(command.strip())
        kind, _, words = expected.strip().partition(": ")
        fails = kind == "fails"
        assert (status != 0) == fails, f"{command}: exit status {status}\n{output}"
        assert kind not in ("fails", "prints") or words in output, f"{command}: no {words!r} in\n{output}"


def run_python(text: str, namespace: dict[str, Any]) -> None:
    if not text.startswith(">>>"):
        exec(compile(text, "<block>", "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(text, namespace, "block", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, clear_globs=False)
    namespace.update(test.globs)
    assert runner.failures == 0


def run_block(block: Block, namespace: dict[str, Any]) -> None:
    text = replaced(block)
    if named := NAMED.match(text):
        path = Path(named[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text[named.end() :])
    elif block.is_commands:
        run_commands(text)
    elif block.language == "python":
        run_python(text, namespace)
    elif block.language == "mlir":
        from xdsl_xla.runtime.mlir_text import parse_module
        from xdsl_xla.runtime.program_context import new_context

        parse_module(text, "block", new_context()).verify()


def run_page(page: Path, folder: Path) -> int:
    """The number of blocks that were run."""
    text = page.read_text("utf-8")
    os.chdir(folder)
    for found in DIRECTIVE.finditer(text):
        if found["name"]:
            Path(found["name"]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / found["text"], found["name"])
    namespace: dict[str, Any] = {}
    count = 0
    for block in blocks(text):
        if block.directive != "not":
            try:
                run_block(block, namespace)
            except BaseException as error:
                error.add_note(f"{page}:{block.line}: this block")
                raise
            count += block.is_executed
    return count


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.argv[2]).resolve())
    print(run_page(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
