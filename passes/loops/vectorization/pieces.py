"""How the iterations of a loop become vectors: a loop over long vectors, and a vector for what is left."""

from __future__ import annotations

from typing import NamedTuple

from ....decisions.model import CostModel


class Piece(NamedTuple):
    """`trips` vectors of `lanes` iterations from iteration `start` on.

    `counted` are the lanes whose iterations no other piece does; if `is_masked` only these exist.
    """

    start: int
    trips: int
    lanes: int
    counted: tuple[int, int]
    is_masked: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all lanes count."""
        return self.counted == (0, self.lanes)


def divide(extent: int, register: int, fewest: int, longest: int, model: CostModel, *, may_repeat: bool) -> list[Piece]:
    """The pieces of a loop over `extent` iterations, whose vectors have `register` lanes in one register, `fewest` at
    least and `longest` at most, all powers of two. `may_repeat`: whether iterations can be done twice.
    """
    best: tuple[float, list[Piece]] | None = None
    lanes = longest
    while lanes >= fewest:
        if lanes <= extent or (lanes == fewest and best is None):
            pieces = pieces_of(extent, lanes, fewest, may_repeat)
            cost = sum(piece.trips * max(piece.lanes / register, 1) for piece in pieces)
            cost += model.vectors.looped_body_cost * any(piece.trips > 1 for piece in pieces)
            if best is None or cost < best[0]:
                best = cost, pieces
        lanes //= 2
    assert best is not None
    return best[1]


def pieces_of(extent: int, lanes: int, fewest: int, may_repeat: bool) -> list[Piece]:
    """Those with vectors of `lanes`, and one of at least `fewest` for what is left."""
    trips = extent // lanes
    pieces = [Piece(0, trips, lanes, (0, lanes))] if trips else []
    rest = extent - trips * lanes
    if rest:
        last = max(1 << (rest - 1).bit_length(), fewest)
        if last == rest:
            pieces.append(Piece(extent - rest, 1, rest, (0, rest)))
        elif may_repeat and last <= extent:
            pieces.append(Piece(extent - last, 1, last, (last - rest, last)))
        else:
            pieces.append(Piece(extent - rest, 1, last, (0, rest), is_masked=True))
    return pieces
