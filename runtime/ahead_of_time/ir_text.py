"""Small pieces of LLVM IR as text: fields at offsets in bytes, and strings."""

from __future__ import annotations


def load(name: str, base: str, offset: int, type: str = "ptr") -> str:
    """`%name`, the field of eight bytes at `offset` of `%base`."""
    return (
        f"  %{name}.at = getelementptr inbounds i8, ptr %{base}, i64 {offset}\n"
        f"  %{name} = load {type}, ptr %{name}.at, align 8"
    )


def store(value: str, base: str, offset: int, name: str, type: str = "i64") -> str:
    """`value` into the field of eight bytes at `offset` of `%base`; `name` is for the address."""
    return (
        f"  %{name}.to = getelementptr inbounds i8, ptr %{base}, i64 {offset}\n"
        f"  store {type} {value}, ptr %{name}.to, align 8"
    )


def byte_text(text: str) -> tuple[int, str]:
    """How many bytes a C string has, and the string as LLVM writes it between quotes."""
    data = text.encode("utf-8", "replace").replace(b"\0", b"?") + b"\0"
    plain = frozenset(range(0x20, 0x7F)) - {ord('"'), ord("\\")}
    return len(data), "".join(chr(byte) if byte in plain else f"\\{byte:02X}" for byte in data)


def hex_text(data: bytes) -> str:
    """Bytes as LLVM writes them between quotes."""
    return "".join(f"\\{byte:02X}" for byte in data)
