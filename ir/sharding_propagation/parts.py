"""Parts of axes of a mesh, and lists of them, major to minor, as they split a dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ...dialects.sdy.shardings import AxisRef, Mesh


class Part(NamedTuple):
    """A part of an axis: of one of size 8, `("x", 2, 4)` is the inner 4 of 2 times 4, and `("x", 1, 8)` all of it."""

    name: str
    pre_size: int
    size: int

    def contains(self, other: Part) -> bool:
        """Whether `other` is a part of this one."""
        return self.overlaps(other) and self.pre_size <= other.pre_size and self.end >= other.end

    def overlaps(self, other: Part) -> bool:
        """Whether both split the same bits of a device's coordinate."""
        return self.name == other.name and self.pre_size < other.end and other.pre_size < self.end

    def begins(self, other: Part) -> bool:
        """Whether it is `other` or a major part of it."""
        return self.name == other.name and self.pre_size == other.pre_size and other.size % self.size == 0

    @property
    def end(self) -> int:
        """The number of parts that it and all that is major to it in the axis make."""
        return self.pre_size * self.size


Parts = tuple[Part, ...]


def part_of(axis: AxisRef, mesh: Mesh) -> Part:
    """The axis with the numbers written out."""
    if axis.size is None or axis.pre_size is None:
        return Part(axis.name, 1, mesh.axis_size(axis))
    return Part(axis.name, axis.pre_size, axis.size)


def axis_of(part: Part, mesh: Mesh) -> AxisRef:
    """The axis as a program writes it."""
    if part.pre_size == 1 and part.size == mesh.axis_size(AxisRef(part.name)):
        return AxisRef(part.name)
    return AxisRef(*part)


def _are_of_one_split(first: Part, second: Part) -> bool:
    """Whether an axis can be taken apart so that both are parts: not the outer 2 and the inner 2 of 6."""
    outer, inner = sorted((first, second), key=lambda part: part.pre_size)
    return inner.pre_size % outer.end == 0


def without_overlap(part: Part | None, others: Iterable[Part]) -> Part | None:
    """The longest major part of `part` that overlaps none of the others, and can be beside them; or None."""
    for other in others:
        if part is None:
            return None
        if not part.overlaps(other):
            if part.name == other.name and not _are_of_one_split(part, other):
                return None
            continue
        if other.pre_size <= part.pre_size or other.pre_size % part.pre_size:
            return None
        part = Part(part.name, part.pre_size, other.pre_size // part.pre_size)
    return part


def appended(parts: Sequence[Part], more: Sequence[Part]) -> list[Part]:
    """Both lists as one; the parts of an axis that meet there become one."""
    joined = list(parts)
    for index, part in enumerate(more):
        last = joined[-1] if joined else None
        if index == 0 and last is not None and last.name == part.name and last.end == part.pre_size:
            joined[-1] = Part(part.name, last.pre_size, last.size * part.size)
        else:
            joined.append(part)
    return joined


def begins_list(first: Sequence[Part], second: Sequence[Part]) -> bool:
    """Whether `first` is `second` or splits less, in the same order: its last part may be a major part."""
    if not first:
        return True
    last = len(first) - 1
    return last < len(second) and first[:last] == second[:last] and first[last].begins(second[last])


def extends(new: Sequence[Part], old: Sequence[Part]) -> bool:
    """Whether `new` splits more than `old`, and as `old` does."""
    return new != old and begins_list(old, new)


def truncated(parts: Sequence[Part], kept: Callable[[Part, int], Part | None]) -> list[Part]:
    """The list up to the first part of which `kept` leaves less than the whole; it is given a part, and into how many
    those in front of it split.
    """
    result: list[Part] = []
    size = 1
    for part in parts:
        left = kept(part, size)
        if left is not None:
            result.append(left)
        if left != part:
            break
        size *= part.size
    return result


def agreed(old: Sequence[Part], new: Sequence[Part], may_extend: bool) -> tuple[list[Part], bool]:
    """What two lists say together: their common beginning, and all of the longer one if they do not contradict each
    other; `new` can make it longer if it `may_extend`. And whether a further list may.
    """
    result: list[Part] = []
    for index, (mine, other) in enumerate(zip(old, new, strict=False)):
        if mine == other:
            result.append(mine)
            continue
        if other.begins(mine):
            if index < len(new) - 1:
                return [*result, other], False
            result.append(mine)
        elif mine.begins(other):
            if not may_extend or index < len(old) - 1:
                return [*result, mine], False
            result.append(other)
        else:
            return result, False
    result += old[len(new) :]
    if may_extend:
        result += new[len(old) :]
    return result, may_extend
