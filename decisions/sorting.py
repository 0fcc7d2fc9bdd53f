"""How a row is sorted, or its first elements selected: by digits, by merging, from a list or a heap."""

from __future__ import annotations

from dataclasses import dataclass
from math import log


@dataclass(frozen=True)
class Sorting:
    """Numbers of sorts and selections."""

    digit_elements: int = 16
    """Elements of a row for every digit of a key from which on the row is sorted by digits: about two nanoseconds
    per element and digit, and some hundred per digit for clearing and adding up 256 counts. A merge takes six per
    element and doubling of the runs. Measured: rows of 64 and 1000 f32 (four digits) in 0.8 and 0.2 of a merge
    sort's time, of 128 and 1000 f64 (eight) in 1.0 and 0.4."""

    digit_bits: int = 8
    """Of a key, sorted by digits: the counts of all values of a digit stay in the first-level cache."""

    sorted_list: int = 256
    """Most elements of a selection that are held in a sorted list, into which one is put by whole vectors: up to
    here that takes 0.6 to 0.9 of the time of a heap, 1.1 with 512 elements, 1.9 with 1000."""

    selection_block: int = 64
    """Elements of a row that are compared with the last one selected before any of them is looked at by itself: some
    vectors, one branch."""

    contiguous_sort_bytes: int = 128 * 1024
    """Size of an operand from which on it is transposed to be sorted along another dimension than its last: below,
    strided elements still come from the second-level cache. Measured along the first dimension of 1000x1000 f32: a
    third of the time."""

    runs: int = 2
    """The runs of a row that are merged at the same time, a power of two: so many chains of comparisons are under way,
    each of which waits for the one before it."""

    most_runs: int = 8
    """More have no registers."""

    most_digit_bits: int = 16
    """The counts of all values of longer digits take more memory than what is sorted."""

    network_elements: int = 16
    """Most elements of a line that is sorted by a network, whose code is as long as the square of that: compiled in
    0.1 s."""

    most_network_elements: int = 32
    """Longer networks take seconds to compile."""

    digit_bits_tried: tuple[int, ...] = (4, 6, 8, 11)
    """Digits that a search tries."""

    blocks_tried: tuple[int, ...] = (16, 32, 64, 128, 256)
    """Blocks of a selection that a search tries."""

    def digits(self, bits: int) -> int:
        """How many digits a key of so many bits has."""
        return -(-bits // self.digit_bits)

    def worth_a_network(self, size: int, count: int) -> bool:
        """Whether the first `count` elements of lines of `size` with a key are sorted by a network. Measured: 2048 rows
        of 4 to 16 f32 in 0.02 to 0.06 of a merge sort's time; the first 3 of 16 in 0.14 of a list's, the first in 2.9.
        """
        return size <= self.network_elements and count > 1

    def worth_sorting_by_digits(self, size: int, digits: int) -> bool:
        """Whether rows of `size` elements with keys of `digits` digits are sorted by these instead of merged."""
        return size >= self.digit_elements * digits

    def worth_a_sorted_list(self, count: int) -> bool:
        """Whether a selection holds its `count` elements in a sorted list instead of a heap."""
        return count <= self.sorted_list

    def worth_contiguous_rows(self, elements: int, element_bytes: int) -> bool:
        """Whether an operand of a sort along another dimension than its last is transposed."""
        return elements * element_bytes >= self.contiguous_sort_bytes

    def worth_selecting(self, count: int, size: int, digits: int) -> bool:
        """Whether the first `count` of `size` elements are selected instead of sorted.

        In nanoseconds, of elements in random order: passing one over takes 1, a level of a heap 5, and a sort as
        said at `self.digit_elements`.
        """
        if not 0 < count < size:
            return False
        entering = count * (2 + log(size / count))
        selection = size + 5 * entering * count.bit_length()
        return selection < self.nanoseconds(size, digits)

    def nanoseconds(self, size: int, digits: int | None) -> int:
        """What sorting a row of `size` elements takes, with keys of `digits` digits or, if that is None, with none."""
        if digits is not None and self.worth_sorting_by_digits(size, digits):
            return size * (2 + 2 * digits)
        return size * 6 * size.bit_length()
