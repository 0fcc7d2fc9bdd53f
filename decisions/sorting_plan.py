"""How a row is sorted, or its first elements selected: by digits, by merging, from a list or a heap. No IR here."""

from __future__ import annotations

from math import log

DIGIT_ELEMENTS = 16
"""Elements of a row for every digit of a key from which on the row is sorted by digits: about two nanoseconds per
element and digit, and some hundred per digit for clearing and adding up 256 counts. A merge takes six per element and
doubling of the runs. Measured: rows of 64 and 1000 f32 (four digits) in 0.8 and 0.2 of a merge sort's time, of 128 and
1000 f64 (eight) in 1.0 and 0.4."""


def worth_sorting_by_digits(size: int, digits: int) -> bool:
    """Whether rows of `size` elements with keys of `digits` digits are sorted by these instead of merged."""
    return size >= DIGIT_ELEMENTS * digits


SORTED_LIST = 256
"""Most elements of a selection that are held in a sorted list, into which one is put by whole vectors: up to here that
takes 0.6 to 0.9 of the time of a heap, 1.1 with 512 elements, 1.9 with 1000."""


def worth_a_sorted_list(count: int) -> bool:
    """Whether a selection holds its `count` elements in a sorted list instead of a heap."""
    return count <= SORTED_LIST


SELECTION_BLOCK = 64
"""Elements of a row that are compared with the last one selected before any of them is looked at by itself: some
vectors, one branch."""

CONTIGUOUS_SORT_BYTES = 128 * 1024
"""Size of an operand from which on it is transposed to be sorted along another dimension than its last: below, strided
elements still come from the second-level cache. Measured along the first dimension of 1000x1000 f32: a third of the
time."""


def worth_contiguous_rows(elements: int, element_bytes: int) -> bool:
    """Whether an operand of a sort along another dimension than its last is transposed."""
    return elements * element_bytes >= CONTIGUOUS_SORT_BYTES


def worth_selecting(count: int, size: int, digits: int) -> bool:
    """Whether the first `count` of `size` elements are selected instead of sorted.

    In nanoseconds, of elements in random order: passing one over takes 1, a level of a heap 5, and a sort as said at
    `DIGIT_ELEMENTS`.
    """
    if not 0 < count < size:
        return False
    entering = count * (2 + log(size / count))
    selection = size + 5 * entering * count.bit_length()
    sort = size * (2 + 2 * digits if worth_sorting_by_digits(size, digits) else 6 * size.bit_length())
    return selection < sort
