"""Memory of arrays: aligned, and that of large ones kept for others of the same size.

    void *allocate(int64_t bytes)          // null: there is none
    void release(void *piece, int64_t bytes)

What is kept is in a table of addresses, each of which is taken and put there by one atomic exchange; a piece that
nobody uses begins with its size.
"""

from __future__ import annotations

import sys

from ....decisions.dispatch import Dispatch
from ....runtime.buffers import ALIGNMENT
from .function import NULL, Function, Value, i32, i64, texts

_NUMBERS = Dispatch()
_PIECES = _NUMBERS.kept_pieces
_ON_WINDOWS = sys.platform == "win32"
_MADV_HUGEPAGE, _PAGE = 14, 4096

MEMORY_GLOBALS = f"""
@kept = internal global [{_PIECES} x ptr] zeroinitializer
@kept_bytes = internal global [{_PIECES} x i64] zeroinitializer
@kept_total = internal global i64 0
@kept_limit = global i64 0
@kept_turn = internal global i64 0
define ptr @kept_limit_address() {{ ret ptr @kept_limit }}
declare ptr @{"_aligned_malloc" if _ON_WINDOWS else "aligned_alloc"}(i64, i64)
declare void @{"_aligned_free" if _ON_WINDOWS else "free"}(ptr)
{"declare i32 @madvise(ptr, i64, i32)" if sys.platform == "linux" else ""}
"""

_KEPT, _KEPT_BYTES = Value("ptr", "@kept"), Value("ptr", "@kept_bytes")
_KEPT_TOTAL, _KEPT_LIMIT = Value("ptr", "@kept_total"), Value("ptr", "@kept_limit")
_KEPT_TURN = Value("ptr", "@kept_turn")


def round_up(f: Function, size: Value) -> Value:
    """To a multiple of the alignment."""
    return f.compute("and", f.compute("add", size, i64(ALIGNMENT - 1)), i64(-ALIGNMENT))


def _new_piece() -> Function:
    f = Function("new_piece", "i64 bytes")
    size = round_up(f, f["bytes"])
    if _ON_WINDOWS:
        piece = f.call("ptr", "_aligned_malloc", size, i64(ALIGNMENT))
    else:
        piece = f.call("ptr", "aligned_alloc", i64(ALIGNMENT), size)
    if sys.platform == "linux":
        is_large = f.compare("sge", f["bytes"], i64(_NUMBERS.huge_page_bytes))
        with f.when(f.compute("and", is_large, f.is_set(piece))):
            start = f.convert("ptrtoint", piece, "i64")
            page = f.compute("and", f.compute("add", start, i64(_PAGE - 1)), i64(-_PAGE))
            rest = f.compute("sub", size, f.compute("sub", page, start))
            f.call("i32", "madvise", f.convert("inttoptr", page, "ptr"), rest, i32(_MADV_HUGEPAGE))
    f.give(piece)
    return f


def _free_piece() -> Function:
    f = Function("free_piece", "ptr piece", "void", exported=True)
    f.call("void", "_aligned_free" if _ON_WINDOWS else "free", f["piece"])
    f.give()
    return f


def _allocate() -> Function:
    f = Function("allocate", "i64 bytes")
    with f.when(f.compare("sge", f["bytes"], i64(_NUMBERS.recycled_bytes))), f.times(i64(_PIECES)) as number:
        size = f.load_shared(f.item(_KEPT_BYTES, number))
        with f.when(f.compare("eq", size, f["bytes"])):
            piece = f.exchange(f.item(_KEPT, number), NULL)
            with f.when(f.is_set(piece)):
                found = f.load("i64", piece)
                f.change("sub", _KEPT_TOTAL, found)
                with f.when(f.compare("eq", found, f["bytes"])):
                    f.give(piece)
                f.call("void", "free_piece", piece)
    f.give(f.call("ptr", "new_piece", f["bytes"]))
    return f


def _release() -> Function:
    f = Function("release", "ptr piece, i64 bytes", "void")
    with f.when(f.compare("slt", f["bytes"], i64(_NUMBERS.recycled_bytes))):
        f.call("void", "free_piece", f["piece"])
        f.give()
    before = f.change("add", _KEPT_TOTAL, f["bytes"])
    with f.when(f.compare("sgt", f.compute("add", before, f["bytes"]), f.load("i64", _KEPT_LIMIT))):
        f.change("sub", _KEPT_TOTAL, f["bytes"])
        f.call("void", "free_piece", f["piece"])
        f.give()
    f.store(f["bytes"], f["piece"])
    with f.times(i64(_PIECES)) as number:
        place = f.item(_KEPT, number)
        with f.when(f.is_null(f.load_shared(place, "ptr"))):
            f.store_shared(f["bytes"], f.item(_KEPT_BYTES, number))
            with f.when(f.replace(place, NULL, f["piece"])):
                f.give()
    turn = f.value("i64", f"urem {f.change('add', _KEPT_TURN, i64(1))}, {_PIECES}")
    f.store_shared(f["bytes"], f.item(_KEPT_BYTES, turn))
    old = f.exchange(f.item(_KEPT, turn), f["piece"])
    with f.when(f.is_set(old)):
        f.change("sub", _KEPT_TOTAL, f.load("i64", old))
        f.call("void", "free_piece", old)
    f.give()
    return f


def memory_text() -> str:
    """LLVM IR of these functions."""
    return MEMORY_GLOBALS + texts([_new_piece(), _free_piece(), _allocate(), _release()])
