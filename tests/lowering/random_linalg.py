"""Random functions of linalg ops on f32 memrefs. Values stay small integers and halves, so that sums in any order are
exact and results can be compared bit by bit.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import prod

EXTENTS = (1, 2, 3, 4, 5, 8, 16)
LONG_EXTENTS = (20, 33, 64, 70, 100)
MOST_POINTS = 6_000


@dataclass(frozen=True)
class Buffer:
    """A memref and the indexing expressions an op uses for it."""

    name: str
    shape: tuple[int, ...]
    exprs: tuple[str, ...]

    @property
    def type(self) -> str:
        return f"memref<{''.join(f'{size}x' for size in self.shape)}f32>"


@dataclass(frozen=True)
class Program:
    """A function `f` as text, and the shapes of its input and output arguments, in this order."""

    text: str
    inputs: list[tuple[int, ...]]
    outputs: list[tuple[int, ...]]


def generic(
    dims: int, reduction: list[bool], inputs: list[Buffer], outputs: list[Buffer], body: list[str], yielded: list[str]
) -> str:
    """The text of a linalg.generic; its block arguments are `%a0`, `%a1`, ..."""
    buffers = [*inputs, *outputs]
    names = ", ".join(f"d{d}" for d in range(dims))
    maps = ", ".join(f"affine_map<({names}) -> ({', '.join(b.exprs)})>" for b in buffers)
    iterators = ", ".join('"reduction"' if reduced else '"parallel"' for reduced in reduction)
    arguments = ", ".join(f"%a{i}: f32" for i in range(len(buffers)))
    lines = "\n".join(f"    {line}" for line in body)
    return f"""
  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      {_operands("ins", inputs)} {_operands("outs", outputs)} {{
  ^bb0({arguments}):
{lines}
    linalg.yield {", ".join(yielded)} : {", ".join("f32" for _ in yielded)}
  }}"""


def _operands(keyword: str, buffers: list[Buffer]) -> str:
    if not buffers:
        return ""
    names = ", ".join(b.name for b in buffers)
    return f"{keyword}({names} : {', '.join(b.type for b in buffers)})"


def function(arguments: list[Buffer], lines: list[str], rows: int = 0) -> str:
    """The text of function `f`."""
    signature = ", ".join(f"{b.name}: {b.type}" for b in arguments)
    attributes = f" attributes {{xrt.row_dims = {rows} : i64}}" if rows else ""
    body = "\n".join(lines)
    return f"func.func @f({signature}){attributes} {{\n{body}\n  return\n}}\n"


def random_generic(rnd: random.Random) -> Program:
    """One op: any affine input maps, one or two outputs, any mix of iterators."""
    dims = rnd.randint(0, 4)
    extents = [rnd.choice(EXTENTS) for _ in range(dims)]
    if dims and rnd.random() < 0.4:
        extents[rnd.randrange(dims)] = rnd.choice(LONG_EXTENTS)
    while prod(extents) > MOST_POINTS:
        extents[extents.index(max(extents))] //= 4
    if dims and rnd.random() < 0.05:
        extents[rnd.randrange(dims)] = 0
    reduction = [rnd.random() < 0.4 for _ in range(dims)]
    inputs = [_random_input(rnd, f"%i{i}", extents) for i in range(rnd.randint(0, 3))]
    outputs: list[Buffer] = []
    output_dims: list[list[int]] = []
    for index in range(rnd.randint(1, 2)):
        used = [d for d in range(dims) if not reduction[d] or rnd.random() < 0.2]
        if rnd.random() < 0.4:
            rnd.shuffle(used)
        output_dims.append(used)
        outputs.append(plain(f"%o{index}", extents, used))
    named = {expr for buffer in (*inputs, *outputs) for expr in buffer.exprs}
    missing = [d for d in range(dims) if f"d{d}" not in named]
    if missing:
        inputs.append(plain(f"%i{len(inputs)}", extents, missing))
    lines: list[str] = []
    body = ["%v0 = arith.constant 1.5 : f32"]
    for index in range(len(inputs)):
        body.append(f"%v{index + 1} = arith.addf %v{index}, %a{index} : f32")
    value = f"%v{len(inputs)}"
    for index, used in enumerate(output_dims):
        accumulates = any(reduction[d] and d not in used for d in range(dims))
        if accumulates or rnd.random() < 0.2:
            op = rnd.choice(("arith.addf", "arith.maximumf"))
            flags = " fastmath<reassoc>" if op == "arith.addf" and rnd.random() < 0.8 else ""
            body.append(f"%y{index} = {op} %a{len(inputs) + index}, {value}{flags} : f32")
            if rnd.random() < 0.6:
                lines += fill(f"%f{index}", outputs[index], rnd)
        else:
            body.append(f"%y{index} = arith.mulf {value}, {value} : f32")
    lines.append(generic(dims, reduction, inputs, outputs, body, [f"%y{i}" for i in range(len(outputs))]))
    text = function([*inputs, *outputs], lines)
    return Program(text, [b.shape for b in inputs], [b.shape for b in outputs])


def plain(name: str, extents: list[int], dims: list[int]) -> Buffer:
    """A buffer indexed by `dims` themselves."""
    return Buffer(name, tuple(extents[d] for d in dims), tuple(f"d{d}" for d in dims))


def fill(scalar: str, buffer: Buffer, rnd: random.Random) -> list[str]:
    """A fill of `buffer`."""
    return [
        f"  {scalar} = arith.constant {rnd.choice(('0.0', '2.0', '-1.0'))} : f32",
        f"  linalg.fill ins({scalar} : f32) outs({buffer.name} : {buffer.type})",
    ]


def _random_input(rnd: random.Random, name: str, extents: list[int]) -> Buffer:
    dims = [d for d in range(len(extents)) if rnd.random() < 0.8]
    if rnd.random() < 0.5:
        rnd.shuffle(dims)
    exprs: list[str] = []
    shape: list[int] = []
    for d in dims:
        extent = max(extents[d], 1)
        other = rnd.randrange(len(extents))
        width = max(extents[other], 1)
        divisor = rnd.choice((2, 4, 5))
        kind = rnd.choices(range(7), (55, 10, 7, 8, 8, 5, 7))[0] if extents[d] else 0
        choices: list[list[tuple[str, int]]] = [
            [(f"d{d}", extents[d])],
            [(f"d{d} + 1", extent + 1)],
            [(f"d{d} * 2 + 1", 2 * extent + 1)],
            [(f"{extent - 1} - d{d}", extent)],
            [(f"d{d} floordiv {divisor}", (extent - 1) // divisor + 1), (f"d{d} mod {divisor}", divisor)],
            [(f"d{d} + d{other}", extent + width)],
            [(f"(d{d} * {width} + d{other}) floordiv {width * rnd.choice((1, 2))}", extent + 1)],
        ]
        for expr, size in choices[kind]:
            exprs.append(expr)
            shape.append(size)
    if rnd.random() < 0.1:
        exprs.append("0")
        shape.append(rnd.choice((1, 2)))
    return Buffer(name, tuple(shape), tuple(exprs))


def random_rows(rnd: random.Random) -> Program:
    """Several ops that share their first dimensions, with temporaries, reductions and second results."""
    rows = rnd.randint(1, 2)
    extents = [rnd.choice((1, 2, 3, 5, 8)) for _ in range(rows)]
    extents += [rnd.choice((1, 2, 4, 7, 16, 30)) for _ in range(rnd.randint(0, 2))]
    if rnd.random() < 0.2:  # groups of rows, the last of which is smaller
        rows, extents = 1, [rnd.choice((37, 65)), rnd.choice((2, 3, 4))]
    dims = len(extents)
    available = [
        plain("%x0", extents, list(range(dims))),
        plain("%x1", extents, list(range(rows, dims))),
        plain("%x2", extents, [d for d in range(dims) if rnd.random() < 0.6]),
    ]
    inputs = list(available)
    results: list[Buffer] = []
    lines: list[str] = []
    count = rnd.randint(2, 6)
    for number in range(count):
        read = [rnd.choice(available) for _ in range(rnd.randint(1, 3))]
        if rnd.random() < 0.7:
            read[0] = available[-1]
        reduction = [d >= rows and rnd.random() < 0.4 for d in range(dims)]
        written = [plain(f"%b{number}", extents, [d for d in range(dims) if not reduction[d]])]
        if any(reduction) and rnd.random() < 0.3:
            written.append(plain(f"%c{number}", extents, list(range(dims))))
        for buffer in written:
            if number == count - 1 or rnd.random() < 0.4:
                results.append(buffer)
            else:
                lines.append(f"  {buffer.name} = memref.alloc() : {buffer.type}")
        if {expr for buffer in (*read, *written) for expr in buffer.exprs} != {f"d{d}" for d in range(dims)}:
            read.append(inputs[0])
        body = ["%half = arith.constant 0.5 : f32", "%v0 = arith.addf %a0, %half : f32"]
        for index in range(1, len(read)):
            op = rnd.choice(("arith.addf", "arith.subf", "arith.maximumf"))
            body.append(f"%v{index} = {op} %v{index - 1}, %a{index} : f32")
        value = f"%v{len(read) - 1}"
        yielded = [value]
        if any(reduction):
            lines += fill(f"%f{number}", written[0], rnd)
            op = rnd.choice(("arith.addf", "arith.maximumf"))
            flags = " fastmath<reassoc>" if op == "arith.addf" and rnd.random() < 0.8 else ""
            body.append(f"%sum = {op} %a{len(read)}, {value}{flags} : f32")
            yielded = ["%sum", value]
        lines.append(generic(dims, reduction, read, written, body, yielded[: len(written)]))
        available += written
    text = function([*inputs, *results], lines, rows)
    return Program(text, [b.shape for b in inputs], [b.shape for b in results])
