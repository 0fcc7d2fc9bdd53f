"""How many bytes an element takes in memory."""

from __future__ import annotations


def element_bytes(element_type: object) -> int:
    """The size of one stored element in bytes; sub-byte types take one."""
    bits = getattr(element_type, "bitwidth", None)
    if bits is None:
        width = getattr(element_type, "width", None)
        if width is None:
            inner = getattr(element_type, "element_type", None)
            return 8 if inner is None else 2 * element_bytes(inner)
        bits = width.data
    return max(1, bits // 8)
