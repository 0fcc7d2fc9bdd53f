"""The values of attributes as HLO text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute

from ....dialects.stablehlo.conv_dimensions import ConvDimensions


def braces(name: str, values: Iterable[int]) -> str:
    """`name={0,1}`"""
    return f"{name}={{{','.join(map(str, values))}}}"


def rows(name: str, values: Iterable[Sequence[int]]) -> str:
    """`name={{0,1},{2,3}}`"""
    return f"{name}={{{','.join('{' + ','.join(map(str, row)) + '}' for row in values)}}}"


def dims_of(attribute: Attribute | None) -> tuple[int, ...]:
    """The values of an `array<i64: ...>`."""
    assert isinstance(attribute, DenseArrayBase)
    return tuple(attribute.get_values())  # pyright: ignore[reportUnknownArgumentType]


def flag(name: str, attribute: Attribute | None) -> list[str]:
    """`name=true`, or nothing."""
    is_set = isinstance(attribute, IntegerAttr) and bool(attribute.value.data)
    return [f"{name}=true"] if is_set else []


def window(
    size: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[Sequence[int]],
    lhs_dilate: Sequence[int],
    rhs_dilate: Sequence[int],
    reversal: Sequence[bool] = (),
) -> list[str]:
    """`window={size=3x3 pad=1_1x1_1}`; entries that say nothing are left out."""
    if not size:
        return []
    entries = [f"size={_by(size)}"]
    entries += [
        f"{name}={_by(values)}"
        for name, values in (("stride", stride), ("lhs_dilate", lhs_dilate), ("rhs_dilate", rhs_dilate))
        if any(value != 1 for value in values)
    ]
    if any(low or high for low, high in pad):
        entries.append("pad=" + "x".join(f"{low}_{high}" for low, high in pad))
    if any(reversal):
        entries.append(f"rhs_reversal={_by(int(value) for value in reversal)}")
    return [f"window={{{' '.join(entries)}}}"]


def _by(values: Iterable[int]) -> str:
    return "x".join(map(str, values))


def dim_labels(dims: ConvDimensions) -> str:
    """`dim_labels=b01f_01io->b01f`"""
    labels: list[str] = []
    for letters, (first, second, spatial) in zip(("bf", "io", "bf"), (dims[:3], dims[3:6], dims[6:]), strict=True):
        assert isinstance(first, int) and isinstance(second, int) and isinstance(spatial, tuple)
        places = {first: letters[0], second: letters[1]} | {dim: str(index) for index, dim in enumerate(spatial)}
        labels.append("".join(places[dim] for dim in range(len(places))))
    return f"dim_labels={labels[0]}_{labels[1]}->{labels[2]}"
