"""Where new ops come from: locations on the way down the levels.

Ops that become others, and copies, keep their location. An op that is made anew (`editing.new_op`) gets the location of
what is being rewritten, if somebody wants to know: within `locating()`, what rewrites says `at(op)` for each op that it
comes to, and `new_op` gives its location to what is made from then on. Outside of it new ops have no location, and none
of this takes time: passes ask `is_on` first where they do so for every op.

    with locating():
        run_passes(context, module, passes)

A location says where an op stands in the text that was read, and where in the user's program it comes from if the text
says so (`locations.py`): `in_text` puts both into one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from threading import RLock, get_ident

from xdsl.dialects.builtin import UNKNOWN_LOC, FileLineColLoc, FusedLoc, LocationAttr, StringAttr, UnknownLoc
from xdsl.ir import Operation

from .editing import defaults_of_new_ops, walk

is_on = False
"""Whether new ops get locations."""

_lock = RLock()
"""`new_op` is that of all threads: one program at a time is compiled with locations."""

_thread = 0
"""The thread whose ops they are."""

IN_TEXT = StringAttr("in text")
"""The metadata of a fused location that ends with the place in the text."""


@contextmanager
def locating(wanted: bool = True) -> Generator[None]:
    """While it lasts, new ops get the location of the op that was last given to `at`; nothing unless it is `wanted`."""
    global is_on
    if not wanted:
        yield
        return
    with _lock:
        outer = is_on, _thread, defaults_of_new_ops["location"]
        is_on = True
        adopt()
        try:
            yield
        finally:
            _restore(*outer)


def _restore(on: bool, thread: int, location: LocationAttr) -> None:
    global is_on, _thread
    is_on, _thread, defaults_of_new_ops["location"] = on, thread, location


def adopt() -> None:
    """Locations are those of what the calling thread rewrites: it works for the one that has begun."""
    global _thread
    _thread = get_ident()


def at(op: Operation) -> None:
    """New ops come from `op` from now on, if it says where it is from."""
    if is_on and op.location.__class__ is not UnknownLoc and get_ident() == _thread:
        defaults_of_new_ops["location"] = op.location


def at_any(ops: Iterable[Operation]) -> None:
    """New ops come from the first of `ops` that says where it is from."""
    if is_on:
        for op in ops:
            if op.location.__class__ is not UnknownLoc:
                at(op)
                return


def mark(op: Operation) -> None:
    """`op`, which `new_op` has not made, is from where new ops are from unless it says otherwise."""
    if is_on and op.location.__class__ is UnknownLoc and get_ident() == _thread:
        op.location = here()


def come_to(op: Operation) -> None:
    """`mark(op)` and `at(op)`."""
    if get_ident() == _thread:
        if op.location.__class__ is UnknownLoc:
            op.location = here()
        else:
            defaults_of_new_ops["location"] = op.location


@contextmanager
def inside_any(ops: Iterable[Operation]) -> Generator[None]:
    """`at_any(ops)`, for a while."""
    outer = here()
    at_any(ops)
    try:
        yield
    finally:
        back(outer)


def here() -> LocationAttr:
    """The location that new ops get."""
    return defaults_of_new_ops["location"]


def back(location: LocationAttr) -> None:
    """New ops get `location`, which `here` has given, again."""
    if is_on and get_ident() == _thread:
        defaults_of_new_ops["location"] = location


def in_text(location: LocationAttr, place: FileLineColLoc) -> LocationAttr:
    """`location`, which the text gives an op, and the place of the op in the text."""
    if location.__class__ is UnknownLoc:
        return place
    if isinstance(location, FusedLoc) and location.metadata == IN_TEXT:
        return location  # printed on a level below
    return FusedLoc((location, place), IN_TEXT)


def fill(root: Operation) -> None:
    """Gives ops in `root` that do not say where they are from the location of what is in front of or around them."""
    known = root.location
    for op in walk(root):
        if op.location.__class__ is not UnknownLoc:
            known = op.location
        elif known.__class__ is not UnknownLoc:
            op.location = known


def forget() -> None:
    """New ops come from nowhere until `at` is called again."""
    back(UNKNOWN_LOC)
