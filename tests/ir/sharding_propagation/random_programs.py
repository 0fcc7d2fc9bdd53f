"""Programs of a few ops on random shapes, some of whose tensors have a random sharding."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import prod
from random import Random

AXES = {"x": 4, "y": 2, "z": 3}
SIZES = (1, 2, 3, 4, 6, 8, 12)
Shape = tuple[int, ...]


class RandomProgram:
    """The text of `@main`, one op after the other on values that there are."""

    def __init__(self, seed: int, ops: int = 8):
        self.random = Random(seed)
        self.values: list[tuple[str, Shape]] = []
        self.lines: list[str] = []
        arguments = [self._argument(index) for index in range(3)]
        for _ in range(ops):
            self.random.choice(self._makers())()
        read = {name for line in self.lines for name in re.findall(r"%\w+(?:#0)?", line.partition(" = ")[2])}
        returned = [(name, shape) for name, shape in self.values if name not in read]
        types = [f"tensor{self._text(shape)}" for _, shape in returned]
        results = ", ".join(f"tensor{self._text(shape)}{self._attribute(shape)}" for _, shape in returned)
        axes = ", ".join(f'"{axis}"={size}' for axis, size in AXES.items())
        end = f"return {', '.join(name for name, _ in returned)} : {', '.join(types)}"
        body = "\n  ".join([*self.lines, end])
        self.text = (
            f"sdy.mesh @mesh = <[{axes}]>\nfunc.func @main({', '.join(arguments)}) -> ({results}) {{\n  {body}\n}}\n"
        )

    def _makers(self) -> list[Callable[[], None]]:
        return [
            self._elementwise,
            self._elementwise,
            self._transpose,
            self._reshape,
            self._dot,
            self._reduce,
            self._broadcast,
            self._concatenate,
            self._slice,
            self._constraint,
            self._while,
            self._barrier,
        ]

    def _argument(self, index: int) -> str:
        shape = tuple(self.random.choice(SIZES) for _ in range(self.random.randint(1, 3)))
        self.values.append((f"%a{index}", shape))
        return f"%a{index}: tensor{self._text(shape)}{self._attribute(shape)}"

    def _attribute(self, shape: Shape) -> str:
        return f" {{sdy.sharding = #sdy.sharding{self._sharding(shape)}}}" if self.random.random() < 0.5 else ""

    def _sharding(self, shape: Shape) -> str:
        axes = list(AXES)
        self.random.shuffle(axes)
        dims: list[str] = []
        for _ in shape:
            taken = [f'"{axes.pop()}"' for _ in range(self.random.choice((0, 0, 1, 1, 2))) if axes]
            is_open = self.random.random() < 0.4
            words = [*taken, *(["?"] if is_open else [])]
            priority = self.random.choice(("", "", "p1", "p2")) if taken else ""
            dims.append(f"{{{', '.join(words)}}}{priority}")
        rest = f', replicated={{"{axes[0]}"}}' if axes and self.random.random() < 0.2 else ""
        return f"<@mesh, [{', '.join(dims)}]{rest}>"

    @staticmethod
    def _text(shape: Shape) -> str:
        return f"<{''.join(f'{size}x' for size in shape)}f32>"

    def _any(self) -> tuple[str, Shape]:
        return self.random.choice(self.values)

    def _emit(self, op: str, shape: Shape) -> None:
        name = f"%v{len(self.values)}"
        self.lines.append(f"{name} = {op}")
        self.values.append((name, shape))

    def _elementwise(self) -> None:
        name, shape = self._any()
        other = self.random.choice([value for value, its_shape in self.values if its_shape == shape])
        self._emit(f"stablehlo.add {name}, {other} : tensor{self._text(shape)}", shape)

    def _transpose(self) -> None:
        name, shape = self._any()
        dims = self.random.sample(range(len(shape)), len(shape))
        result = tuple(shape[dim] for dim in dims)
        types = f"(tensor{self._text(shape)}) -> tensor{self._text(result)}"
        self._emit(f"stablehlo.transpose {name}, dims = {dims} : {types}", result)

    def _reshape(self) -> None:
        name, shape = self._any()
        rest = prod(shape)
        result: list[int] = []
        while rest > 1:
            size = self.random.choice([size for size in range(2, rest + 1) if rest % size == 0])
            result.append(size)
            rest //= size
        if len(result) > 4:
            result = [prod(result)]
        to = tuple(result)
        self._emit(f"stablehlo.reshape {name} : (tensor{self._text(shape)}) -> tensor{self._text(to)}", to)

    def _dot(self) -> None:
        (left, left_shape), (right, right_shape) = self._any(), self._any()
        pairs = [(i, j) for i, m in enumerate(left_shape) for j, n in enumerate(right_shape) if m == n]
        if not pairs or len(left_shape) + len(right_shape) > 6:
            return
        i, j = self.random.choice(pairs)
        result = (*left_shape[:i], *left_shape[i + 1 :], *right_shape[:j], *right_shape[j + 1 :])
        types = f"(tensor{self._text(left_shape)}, tensor{self._text(right_shape)}) -> tensor{self._text(result)}"
        self._emit(f"stablehlo.dot_general {left}, {right}, contracting_dims = [{i}] x [{j}] : {types}", result)

    def _reduce(self) -> None:
        name, shape = self._any()
        if not shape:
            return
        dim = self.random.randrange(len(shape))
        result = shape[:dim] + shape[dim + 1 :]
        init = f"%i{len(self.lines)}"
        self.lines.append(f"{init} = stablehlo.constant dense<0.0> : tensor<f32>")
        types = f"(tensor{self._text(shape)}, tensor<f32>) -> tensor{self._text(result)}"
        op = f"stablehlo.reduce({name} init: {init}) applies stablehlo.add across dimensions = [{dim}] : {types}"
        self._emit(op, result)

    def _broadcast(self) -> None:
        name, shape = self._any()
        if len(shape) > 3:
            return
        place = self.random.randint(0, len(shape))
        result = (*shape[:place], self.random.choice(SIZES), *shape[place:])
        dims = [dim for dim in range(len(result)) if dim != place]
        types = f"(tensor{self._text(shape)}) -> tensor{self._text(result)}"
        self._emit(f"stablehlo.broadcast_in_dim {name}, dims = {dims} : {types}", result)

    def _concatenate(self) -> None:
        name, shape = self._any()
        if not shape:
            return
        dim = self.random.randrange(len(shape))
        result = (*shape[:dim], 2 * shape[dim], *shape[dim + 1 :])
        text = self._text(shape)
        types = f"(tensor{text}, tensor{text}) -> tensor{self._text(result)}"
        self._emit(f"stablehlo.concatenate {name}, {name}, dim = {dim} : {types}", result)

    def _slice(self) -> None:
        name, shape = self._any()
        result = tuple(self.random.choice((size, max(1, size // 2))) for size in shape)
        ranges = ", ".join(f"0:{size}" for size in result)
        types = f"(tensor{self._text(shape)}) -> tensor{self._text(result)}"
        self._emit(f"stablehlo.slice {name} [{ranges}] : {types}", result)

    def _constraint(self) -> None:
        name, shape = self._any()
        self._emit(f"sdy.sharding_constraint {name} {self._sharding(shape)} : tensor{self._text(shape)}", shape)

    def _barrier(self) -> None:
        name, shape = self._any()
        direction = self.random.choice(("FORWARD", "BACKWARD", "NONE"))
        op = f"sdy.propagation_barrier {name} allowed_direction={direction} : tensor{self._text(shape)}"
        self._emit(op, shape)

    def _while(self) -> None:
        name, shape = self._any()
        type, number = f"tensor{self._text(shape)}", len(self.lines)
        self.lines.append(f"%p{number} = stablehlo.constant dense<true> : tensor<i1>")
        region = (
            f'"stablehlo.while"({name}, %p{number}) ({{\n  ^bb0(%s: {type}, %q: tensor<i1>):\n'
            f"    stablehlo.return %q : tensor<i1>\n  }}, {{\n  ^bb0(%s: {type}, %q: tensor<i1>):\n"
            f"    %t = stablehlo.add %s, %s : {type}\n    stablehlo.return %t, %q : {type}, tensor<i1>\n  }})"
            f" : ({type}, tensor<i1>) -> ({type}, tensor<i1>)"
        )
        result = f"%v{len(self.values)}"
        self.lines.append(f"{result}:2 = {region}")
        self.values.append((f"{result}#0", shape))
