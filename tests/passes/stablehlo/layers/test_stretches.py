"""Periods in sequences of numbers."""

from __future__ import annotations

import random

from xdsl_xla.passes.stablehlo.layers.stretches import Stretch, stretches


def numbers(count: int, seed: int) -> list[int]:
    generator = random.Random(seed)
    return [generator.randrange(20) for _ in range(count)]


def test_two_kinds_of_layers_in_a_program() -> None:
    first, second = numbers(40, 1), numbers(30, 2)
    sequence = [100, 101, *first * 6, 102, *second * 3, 103]
    assert stretches(sequence, 8) == [Stretch(2, 242, 40), Stretch(243, 333, 30)]


def test_a_layer_that_repeats_itself_inside() -> None:
    """The longer period has fewer repetitions, but goes on."""
    inner = numbers(20, 3)
    layer = [*inner, *inner, *numbers(25, 4)]
    assert stretches(layer * 8, 8) == [Stretch(0, 8 * 65, 65)]


def test_no_stretch_is_in_another() -> None:
    for seed in range(200):
        generator = random.Random(seed)
        parts = [numbers(generator.randrange(8, 30), generator.randrange(4)) for _ in range(3)]
        sequence = [number for _ in range(12) for number in generator.choice(parts)]
        end = 0
        for stretch in stretches(sequence, 8):
            assert stretch.start >= end and stretch.end - stretch.start >= 2 * stretch.period
            end = stretch.end
            places = range(stretch.start + stretch.period, end)
            assert all(sequence[place] == sequence[place - stretch.period] for place in places)


def test_nothing_is_repeated() -> None:
    assert stretches([], 8) == stretches([1] * 8, 8) == stretches(list(range(1000)), 8) == []
