"""Reads and writes of words of structures (`layout.py`), as text of LLVM IR."""

from __future__ import annotations


def get(type: str, name: str, base: str, index: int) -> str:
    """`name = ((type *)base)[index]`, for types of eight bytes."""
    return f"{at(name, base, index)}\n  {name} = load {type}, ptr {name}.at"


def get_32(name: str, base: str, index: int) -> str:
    return f"{at(name, base, index)}\n  {name} = load i32, ptr {name}.at"


def at(name: str, base: str, index: int) -> str:
    return f"{name}.at = getelementptr inbounds i64, ptr {base}, i64 {int(index)}"


def put(value: str, name: str, base: str, index: int) -> str:
    return f"{at(name, base, index)}\n  store {value}, ptr {name}.at"
