"""Chromium and Firefox without a window, driven over their own protocols: nothing but the browser is needed.

Chromium speaks the DevTools protocol, Firefox WebDriver BiDi, both over a web socket (RFC 6455).
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import time
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FIREFOX = ("firefox-esr", "firefox")
SECONDS = 60.0


def installed(names: tuple[str, ...]) -> str | None:
    """The first of these commands that there is."""
    return next((path for name in names if (path := shutil.which(name))), None)


class _WebSocket:
    def __init__(self, url: str) -> None:
        match = re.match(r"ws://([\w.\[\]:]+?):(\d+)(/.*)", url)
        assert match is not None, url
        self.socket = socket.create_connection((match[1], int(match[2])), SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {match[3]} HTTP/1.1\r\nHost: {match[1]}:{match[2]}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.file = self.socket.makefile("rb")
        assert b" 101 " in self.file.readline()
        while self.file.readline() != b"\r\n":
            pass

    def send(self, text: str) -> None:
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81])
        head += (
            bytes([0x80 | size])
            if size < 126
            else struct.pack(*((">BH", 254, size) if size < 65536 else (">BQ", 255, size)))
        )
        masked = (int.from_bytes(data, "big") ^ int.from_bytes((mask * (size // 4 + 1))[:size], "big")).to_bytes(
            size, "big"
        )
        self.socket.sendall(head + mask + masked)

    def receive(self) -> str:
        parts: list[bytes] = []
        while True:
            first, size = self.file.read(2)
            if size & 127 == 126:
                (size,) = struct.unpack(">H", self.file.read(2))
            elif size & 127 == 127:
                (size,) = struct.unpack(">Q", self.file.read(8))
            data = self.file.read(size)
            if first & 15 in (0, 1):
                parts.append(data)
                if first & 128:
                    return b"".join(parts).decode()

    def close(self) -> None:
        self.file.close()
        self.socket.close()


class Browser(ABC):
    """A browser with one page."""

    def __init__(self, command: list[str], profile: Path, pattern: str) -> None:
        self.log = open(profile / "browser.log", "w+b")
        self.process = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, env={**os.environ, "HOME": str(profile)}
        )
        self.address = self._announced(pattern)
        self.number = 0

    def _announced(self, pattern: str) -> str:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            text = Path(self.log.name).read_text(errors="replace")
            if match := re.search(pattern, text):
                return match[1]
            time.sleep(0.05)
        raise AssertionError(f"the browser does not start: {Path(self.log.name).read_text(errors='replace')[-2000:]}")

    def ask(self, method: str, **parameters: Any) -> Any:
        """The answer to a command of the protocol."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    socket: _WebSocket

    @abstractmethod
    def open(self, path: Path | str) -> None:
        """Loads a file, or an address."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """The value of an expression, of JSON; a promise is waited for."""

    @abstractmethod
    def press(self, key: str) -> None:
        """A key, as `KeyboardEvent.key` names it."""

    @abstractmethod
    def picture(self) -> bytes:
        """What is seen, as PNG."""

    @abstractmethod
    def prefer(self, scheme: str) -> None:
        """Makes the system's colours `dark` or `light`."""

    def wait(self, condition: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + SECONDS
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} does not come true"
            time.sleep(0.02)

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def _url(path: Path | str) -> str:
    return path.as_uri() if isinstance(path, Path) else path


_CODES = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "Tab": 9}


class Chromium(Browser):
    def __init__(self, profile: Path) -> None:
        path = installed(CHROMIUM)
        assert path is not None
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
        offline = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-background-networking"]
        command = [
            path,
            *flags,
            *offline,
            "--window-size=1500,950",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
        ]
        super().__init__([*command, "about:blank"], profile, r"listening on ws://([^/]+)/")
        with urllib.request.urlopen(f"http://{self.address}/json", timeout=SECONDS) as answer:
            pages = json.loads(answer.read())
        self.socket = _WebSocket(next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page"))
        self.ask("Page.enable")

    def open(self, path: Path | str) -> None:
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=_url(path))

    def run(self, script: str) -> Any:
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, str(answer)[:2000]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        code = _CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        named = {"key": key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **named)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **named)

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def prefer(self, scheme: str) -> None:
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


_KEYS = {"ArrowDown": "\ue015", "ArrowUp": "\ue013", "ArrowLeft": "\ue012", "ArrowRight": "\ue014"}
_KEYS |= {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}


class Firefox(Browser):
    def __init__(self, profile: Path, scheme: str = "light") -> None:
        path = installed(FIREFOX)
        assert path is not None
        preferences = {
            "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "network.dns.disabled": True,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
        (profile / "user.js").write_text("".join(lines))
        flags = [
            "--headless",
            "--no-remote",
            "--profile",
            str(profile),
            "--remote-debugging-port",
            "0",
            "--width",
            "1500",
        ]
        super().__init__([path, *flags, "--height", "950", "about:blank"], profile, r"BiDi listening on (ws://\S+)")
        self.socket = _WebSocket(f"{self.address}/session")
        self.ask("session.new", capabilities={})
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, path: Path | str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url="about:blank", wait="complete")
        self.ask("browsingContext.navigate", context=self.context, url=_url(path), wait="complete")

    def run(self, script: str) -> Any:
        answer = self.ask(
            "script.evaluate",
            expression=f"Promise.resolve(eval({json.dumps(script)})).then((value) => JSON.stringify(value ?? null))",
            awaitPromise=True,
            target={"context": self.context},
        )
        assert answer["type"] == "success", str(answer)[:2000]
        return json.loads(answer["result"]["value"])

    def press(self, key: str) -> None:
        value = _KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.ask(
            "input.performActions", context=self.context, actions=[{"type": "key", "id": "keys", "actions": actions}]
        )

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self.context)["data"])

    def prefer(self, scheme: str) -> None:
        raise NotImplementedError("a preference of the profile")
