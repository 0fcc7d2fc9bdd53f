"""A client of language servers: JSON-RPC over the pipes of a process, as editors talk."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from typing import Any

SECONDS = 60
"""How long an answer is waited for."""


class Client:
    """An editor with one file open."""

    uri = "file:///tmp/a%20file.mlir"

    def __init__(self, *encodings: str) -> None:
        command = [sys.executable, "-m", "xdsl_xla.tools.xla_lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.notes: Queue[dict[str, Any]] = Queue()
        self.answers: Queue[dict[str, Any]] = Queue()
        self.count = self.version = 0
        threading.Thread(target=self._read, daemon=True).start()
        general = {"positionEncodings": [*encodings]} if encodings else {}
        self.server = self.request(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {"general": general}}
        )
        self.note("initialized", {})

    def _read(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            length = int(line.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            message = json.loads(self.process.stdout.read(length))
            (self.answers if "id" in message and "method" not in message else self.notes).put(message)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def note(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """The result; an error of the server fails the test."""
        self.count += 1
        self._send({"id": self.count, "method": method, "params": params})
        answer = self.answers.get(timeout=SECONDS)
        assert answer["id"] == self.count and "error" not in answer, answer
        return answer["result"]

    def open(self, text: str, uri: str | None = None) -> list[dict[str, Any]]:
        """The diagnostics of a file that is opened."""
        self.uri = uri or self.uri
        self.version = 1
        item = {"uri": self.uri, "languageId": "mlir", "version": 1, "text": text}
        self.note("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics()

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> list[dict[str, Any]]:
        """The diagnostics after a part of the file is replaced."""
        self.type(start, end, text)
        return self.diagnostics()

    def type(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Replace a part of the file, and go on."""
        self.version += 1
        change = {"range": {"start": position(start), "end": position(end)}, "text": text}
        document = {"uri": self.uri, "version": self.version}
        self.note("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def diagnostics(self) -> list[dict[str, Any]]:
        """Those of the present version."""
        while True:
            message = self.notes.get(timeout=SECONDS)
            if message["method"] == "textDocument/publishDiagnostics" and message["params"]["version"] == self.version:
                return message["params"]["diagnostics"]

    def message(self) -> str:
        """What the server shows."""
        while (message := self.notes.get(timeout=SECONDS))["method"] != "window/showMessage":
            pass
        return message["params"]["message"]

    def is_silent(self, seconds: float) -> bool:
        """Whether no diagnostics come for a while."""
        try:
            self.notes.get(timeout=seconds)
        except Empty:
            return True
        return False

    def at(self, request: str, line: int, column: int, **more: Any) -> Any:
        """The answer to a request about a place."""
        params = {"textDocument": {"uri": self.uri}, "position": position((line, column)), **more}
        return self.request(f"textDocument/{request}", params)

    def of_file(self, request: str, **more: Any) -> Any:
        """The answer to a request about the file."""
        return self.request(f"textDocument/{request}", {"textDocument": {"uri": self.uri}, **more})


def position(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}


def range_of(found: dict[str, Any]) -> tuple[int, int, int, int]:
    """Line and column of the start and of the end."""
    start, end = found["range"]["start"], found["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


@contextmanager
def running(*encodings: str) -> Iterator[Client]:
    """A client, whose server ends as the protocol says."""
    client = Client(*encodings)
    try:
        yield client
        client.request("shutdown", None)
        client.note("exit", None)
        assert client.process.wait(SECONDS) == 0
    finally:
        client.process.kill()
        assert client.process.stdin is not None
        client.process.stdin.close()
        client.process.wait()
        for stream in (client.process.stdout, client.process.stderr):
            assert stream is not None
            stream.close()
