"""Programs that grow in one direction each: a number of layers, of outputs, of loops in each other and so on.

`PROGRAMS` maps the name of a direction to a function from a count to the text of a program of that many parts. Within
a direction every part is another one: other constants, other sizes, other operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Program = Callable[[int], str]

ROW = "tensor<16xf32>"
MATRIX = "tensor<16x16xf32>"
ADD = "applies stablehlo.add across dimensions"


def function(name: str, arguments: Iterable[str], results: Iterable[str], lines: Iterable[str], visible: str) -> str:
    """A function; `results` are types, `arguments` and what `lines` return are written out."""
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func {visible} @{name}({', '.join(arguments)}) -> ({', '.join(results)}) {{\n{body}\n}}\n"


def main(arguments: Iterable[str], results: Iterable[str], lines: Iterable[str]) -> str:
    """The public function."""
    return function("main", arguments, results, lines, "public")


def chain(type: str, count: int, part: Callable[[int], Iterable[str]], *more: str) -> str:
    """A program whose parts each compute `%x{n + 1}` from `%x{n}`, all of one type; `more` are further arguments."""
    lines = [line for n in range(count) for line in part(n)]
    return main([f"%x0: {type}", *more], [type], [*lines, f"return %x{count} : {type}"])


def number(n: int) -> str:
    """Another float for each `n`, not 0 or 1."""
    return f"{1.5 + n / 1024:.6f}"


def layers(count: int) -> str:
    """`tanh(x @ w) + x * c` with another `c` in each layer."""
    return chain(MATRIX, count, _layer, f"%w: {MATRIX}")


def _layer(n: int) -> list[str]:
    return [
        f"%p{n} = stablehlo.dot_general %x{n}, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}",
        f"%t{n} = stablehlo.tanh %p{n} : {MATRIX}",
        f"%c{n} = stablehlo.constant dense<{number(n)}> : {MATRIX}",
        f"%m{n} = stablehlo.multiply %x{n}, %c{n} : {MATRIX}",
        f"%x{n + 1} = stablehlo.add %t{n}, %m{n} : {MATRIX}",
    ]


def attention_layers(count: int) -> str:
    """Softmax of products, with a residual."""
    return chain(MATRIX, count, _attention, f"%w: {MATRIX}")


def _attention(n: int) -> list[str]:
    return [
        f"%low{n} = stablehlo.constant dense<0xFF800000> : tensor<f32>",
        f"%zero{n} = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%p{n} = stablehlo.dot_general %x{n}, %w, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}",
        f"%m{n} = stablehlo.reduce(%p{n} init: %low{n}) applies stablehlo.maximum across dimensions = [1]"
        f" : ({MATRIX}, tensor<f32>) -> {ROW}",
        f"%b{n} = stablehlo.broadcast_in_dim %m{n}, dims = [0] : ({ROW}) -> {MATRIX}",
        f"%d{n} = stablehlo.subtract %p{n}, %b{n} : {MATRIX}",
        f"%e{n} = stablehlo.exponential %d{n} : {MATRIX}",
        f"%s{n} = stablehlo.reduce(%e{n} init: %zero{n}) {ADD} = [1] : ({MATRIX}, tensor<f32>) -> {ROW}",
        f"%v{n} = stablehlo.broadcast_in_dim %s{n}, dims = [0] : ({ROW}) -> {MATRIX}",
        f"%a{n} = stablehlo.divide %e{n}, %v{n} : {MATRIX}",
        f"%q{n} = stablehlo.dot_general %a{n}, %x{n}, contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}",
        f"%x{n + 1} = stablehlo.add %q{n}, %x{n} : {MATRIX}",
    ]


def elementwise_chain(count: int) -> str:
    """One long chain of additions and products of the argument and what there is."""
    names = ("add", "multiply", "subtract", "maximum")
    return chain(ROW, count, lambda n: [f"%x{n + 1} = stablehlo.{names[n % 4]} %x{n}, %x0 : {ROW}"])


def additions(count: int) -> str:
    """One long chain of one op."""
    return chain(ROW, count, lambda n: [f"%x{n + 1} = stablehlo.add %x{n}, %x0 : {ROW}"])


def elementwise_constants(count: int) -> str:
    """A chain of sines, each of the last one times another constant."""
    return chain(ROW, count, _scaled_sine)


def _scaled_sine(n: int) -> list[str]:
    return [
        f"%c{n} = stablehlo.constant dense<{number(n)}> : {ROW}",
        f"%m{n} = stablehlo.multiply %x{n}, %c{n} : {ROW}",
        f"%x{n + 1} = stablehlo.sine %m{n} : {ROW}",
    ]


def outputs(count: int) -> str:
    """Results of the same argument."""
    lines = [f"%y{n} = stablehlo.{('sine', 'cosine', 'exponential')[n % 3]} %x{n % 2} : {ROW}" for n in range(count)]
    values = ", ".join(f"%y{n}" for n in range(count))
    return main(
        [f"%x{n}: {ROW}" for n in range(2)],
        [ROW] * count,
        [*lines, f"return {values} : {', '.join([ROW] * count)}"],
    )


def running_outputs(count: int) -> str:
    """Results that each follow from the one before."""
    lines = [f"%y{n} = stablehlo.sine %y{n - 1} : {ROW}" for n in range(1, count + 1)]
    values = ", ".join(f"%y{n}" for n in range(1, count + 1))
    return main([f"%y0: {ROW}"], [ROW] * count, [*lines, f"return {values} : {', '.join([ROW] * count)}"])


def arguments(count: int) -> str:
    """Arguments, concatenated."""
    names = [f"%a{n}" for n in range(count)]
    result = f"tensor<{16 * count}xf32>"
    return main(
        [f"{name}: {ROW}" for name in names],
        [result],
        [
            f"%r = stablehlo.concatenate {', '.join(names)}, dim = 0 : ({', '.join([ROW] * count)}) -> {result}",
            f"return %r : {result}",
        ],
    )


def summed_arguments(count: int) -> str:
    """Arguments, summed, each of which is also a parameter that gets a step (as an optimiser takes)."""
    lines = [f"%s0 = stablehlo.negate %a0 : {ROW}"]
    lines += [f"%s{n} = stablehlo.add %s{n - 1}, %a{n} : {ROW}" for n in range(1, count)]
    lines += [f"%y{n} = stablehlo.subtract %a{n}, %s{count - 1} : {ROW}" for n in range(count)]
    values = ", ".join(f"%y{n}" for n in range(count))
    return main(
        [f"%a{n}: {ROW}" for n in range(count)],
        [ROW] * count,
        [*lines, f"return {values} : {', '.join([ROW] * count)}"],
    )


def reshapes(count: int) -> str:
    """Nothing but reshapes."""
    types = ("tensor<6x4xf32>", "tensor<4x6xf32>")
    lines = [f"%x{n + 1} = stablehlo.reshape %x{n} : ({types[n % 2]}) -> {types[1 - n % 2]}" for n in range(count)]
    return main([f"%x0: {types[0]}"], [types[count % 2]], [*lines, f"return %x{count} : {types[count % 2]}"])


def transposes_and_reshapes(count: int) -> str:
    """Reshapes that don't cancel each other."""
    return chain("tensor<6x4xf32>", count, _transpose_and_reshape)


def _transpose_and_reshape(n: int) -> list[str]:
    return [
        f"%t{n} = stablehlo.transpose %x{n}, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>",
        f"%x{n + 1} = stablehlo.reshape %t{n} : (tensor<4x6xf32>) -> tensor<6x4xf32>",
    ]


def updates(count: int) -> str:
    """Rows written into one tensor, one after the other."""
    return chain(MATRIX, count, _update, "%u: tensor<1x16xf32>", "%j: tensor<i32>")


def _update(n: int) -> list[str]:
    return [
        f"%i{n} = stablehlo.constant dense<{n % 16}> : tensor<i32>",
        f"%x{n + 1} = stablehlo.dynamic_update_slice %x{n}, %u, %{'ij'[n % 2]}{n if n % 2 == 0 else ''}, %j"
        f" : ({MATRIX}, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> {MATRIX}",
    ]


def scatters(count: int) -> str:
    """Scattered additions to one tensor, one after the other."""
    return chain(ROW, count, _scatter, "%i: tensor<4x1xi32>", "%u: tensor<4xf32>")


def _scatter(n: int) -> list[str]:
    return [
        f'%x{n + 1} = "stablehlo.scatter"(%x{n}, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<'
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({",
        f"^bb0(%l{n}: tensor<f32>, %r{n}: tensor<f32>):",
        f"  %s{n} = stablehlo.add %l{n}, %r{n} : tensor<f32>",
        f"  stablehlo.return %s{n} : tensor<f32>",
        f"}}) : ({ROW}, tensor<4x1xi32>, tensor<4xf32>) -> {ROW}",
    ]


def scans(count: int) -> str:
    """Loops, one after the other."""
    return chain(ROW, count, lambda n: looped(n, [f"%y{n} = stablehlo.sine %v{n} : {ROW}"], f"%x{n}"))


def carried_values(count: int) -> str:
    """One loop of values that ops read behind it that do nothing."""
    scalar, rows = "tensor<i32>", [ROW] * count
    carried = ", ".join(["%i = %zero", *(f"%v{n} = %x{n}" for n in range(count))])
    types = ", ".join([scalar, *rows])
    values = ", ".join(f"%y{n}" for n in range(count))
    return main(
        [f"%x{n}: {ROW}" for n in range(count)],
        rows,
        [
            "%zero = stablehlo.constant dense<0> : tensor<i32>",
            "%one = stablehlo.constant dense<1> : tensor<i32>",
            "%bound = stablehlo.constant dense<40> : tensor<i32>",
            f"%r:{count + 1} = stablehlo.while({carried}) : {types}",
            "cond {",
            f"  %go = stablehlo.compare LT, %i, %bound : ({scalar}, {scalar}) -> tensor<i1>",
            "  stablehlo.return %go : tensor<i1>",
            "} do {",
            f"  %next = stablehlo.add %i, %one : {scalar}",
            *(f"  %y{n} = stablehlo.{('sine', 'cosine')[n % 2]} %v{n} : {ROW}" for n in range(count)),
            f"  stablehlo.return %next, {values} : {types}",
            "}",
            *(f"%t{n} = stablehlo.transpose %r#{n + 1}, dims = [0] : ({ROW}) -> {ROW}" for n in range(count)),
            f"return {', '.join(f'%t{n}' for n in range(count))} : {', '.join(rows)}",
        ],
    )


def looped(n: int, body: Iterable[str], init: str) -> list[str]:
    """`%x{n + 1}` after some rounds of `body`, which computes `%y{n}` from `%v{n}`."""
    scalar = "tensor<i32>"
    return [
        f"%zero{n} = stablehlo.constant dense<0> : {scalar}",
        f"%one{n} = stablehlo.constant dense<1> : {scalar}",
        f"%bound{n} = stablehlo.constant dense<{40 + n}> : {scalar}",
        f"%k{n}, %x{n + 1} = stablehlo.while(%i{n} = %zero{n}, %v{n} = {init}) : {scalar}, {ROW}",
        "cond {",
        f"  %go{n} = stablehlo.compare LT, %i{n}, %bound{n} : ({scalar}, {scalar}) -> tensor<i1>",
        f"  stablehlo.return %go{n} : tensor<i1>",
        "} do {",
        f"  %next{n} = stablehlo.add %i{n}, %one{n} : {scalar}",
        *body,
        f"  stablehlo.return %next{n}, %y{n} : {scalar}, {ROW}",
        "}",
    ]


def nested_loops(count: int) -> str:
    """Loops, each in the one before."""
    lines: list[str] = [f"%y{count - 1} = stablehlo.sine %v{count - 1} : {ROW}"]
    for n in reversed(range(count)):
        lines = looped(n, lines, f"%v{n - 1}" if n else "%x0")
        if n:
            lines += [f"%y{n - 1} = stablehlo.cosine %x{n + 1} : {ROW}"]
    return main([f"%x0: {ROW}"], [ROW], [*lines, f"return %x1 : {ROW}"])


def gathers(count: int) -> str:
    """Rows of a table in places that follow from the rows before."""
    return chain("tensor<4xi32>", count, _gather, "%table: tensor<16xi32>")


def _gather(n: int) -> list[str]:
    return [
        f"%r{n} = stablehlo.reshape %x{n} : (tensor<4xi32>) -> tensor<4x1xi32>",
        f'%x{n + 1} = "stablehlo.gather"(%table, %r{n}) <{{dimension_numbers = #stablehlo.gather<'
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,"
        " slice_sizes = array<i64: 1>}> : (tensor<16xi32>, tensor<4x1xi32>) -> tensor<4xi32>",
    ]


def gathered_rows(count: int) -> str:
    """Slices in computed places of one tensor, summed."""
    return chain(ROW, count, _gathered_row, f"%table: {MATRIX}", "%j: tensor<i32>")


def _gathered_row(n: int) -> list[str]:
    return [
        f"%i{n} = stablehlo.constant dense<{n}> : tensor<i32>",
        f"%k{n} = stablehlo.add %i{n}, %j : tensor<i32>",
        f"%s{n} = stablehlo.dynamic_slice %table, %k{n}, %j, sizes = [1, 16]"
        f" : ({MATRIX}, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>",
        f"%r{n} = stablehlo.reshape %s{n} : (tensor<1x16xf32>) -> {ROW}",
        f"%x{n + 1} = stablehlo.add %x{n}, %r{n} : {ROW}",
    ]


def calls(count: int) -> str:
    """Functions, each called once."""
    callees = [
        function(
            f"f{n}",
            [f"%x0: {ROW}"],
            [ROW],
            [*_scaled_sine(0), f"%y = stablehlo.add %x1, %x0 : {ROW}", f"return %y : {ROW}"],
            "private",
        )
        for n in range(count)
    ]
    program = chain(ROW, count, lambda n: [f"%x{n + 1} = func.call @f{n}(%x{n}) : ({ROW}) -> {ROW}"])
    return program + "".join(callees)


def calls_in_calls(count: int) -> str:
    """Functions that call the next one."""
    callees: list[str] = []
    for n in range(count):
        inner = (
            f"%y = func.call @f{n + 1}(%s) : ({ROW}) -> {ROW}" if n + 1 < count else f"%y = stablehlo.cosine %s : {ROW}"
        )
        callees.append(
            function(
                f"f{n}",
                [f"%x: {ROW}"],
                [ROW],
                [f"%s = stablehlo.sine %x : {ROW}", inner, f"return %y : {ROW}"],
                "private",
            )
        )
    return chain(ROW, 1, lambda n: [f"%x1 = func.call @f0(%x0) : ({ROW}) -> {ROW}"]) + "".join(callees)


def reductions(count: int) -> str:
    """Sums by rows and by columns, each subtracted."""
    return chain(MATRIX, count, _reduction)


def _reduction(n: int) -> list[str]:
    return [
        f"%z{n} = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%s{n} = stablehlo.reduce(%x{n} init: %z{n}) {ADD} = [{n % 2}] : ({MATRIX}, tensor<f32>) -> {ROW}",
        f"%b{n} = stablehlo.broadcast_in_dim %s{n}, dims = [{1 - n % 2}] : ({ROW}) -> {MATRIX}",
        f"%x{n + 1} = stablehlo.subtract %x{n}, %b{n} : {MATRIX}",
    ]


def reductions_of_one(count: int) -> str:
    """Reductions of one tensor, all of them results."""
    scalar = "tensor<f32>"
    lines = ["%z = stablehlo.constant dense<0.0> : tensor<f32>"]
    for n in range(count):
        lines += [
            f"%c{n} = stablehlo.constant dense<{number(n)}> : {ROW}",
            f"%m{n} = stablehlo.power %x, %c{n} : {ROW}",
            f"%s{n} = stablehlo.reduce(%m{n} init: %z) {ADD} = [0] : ({ROW}, {scalar}) -> {scalar}",
        ]
    values = ", ".join(f"%s{n}" for n in range(count))
    return main([f"%x: {ROW}"], [scalar] * count, [*lines, f"return {values} : {', '.join([scalar] * count)}"])


def convolutions(count: int) -> str:
    """Convolutions of an image, each followed by a bias and a maximum with zero."""
    return chain(IMAGE, count, _convolution, "%w: tensor<3x3x4x4xf32>")


IMAGE = "tensor<1x8x8x4xf32>"


def _convolution(n: int) -> list[str]:
    return [
        f"%c{n} = stablehlo.convolution(%x{n}, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],"
        " window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
        f" : ({IMAGE}, tensor<3x3x4x4xf32>) -> {IMAGE}",
        f"%b{n} = stablehlo.constant dense<{number(n)}> : {IMAGE}",
        f"%a{n} = stablehlo.add %c{n}, %b{n} : {IMAGE}",
        f"%z{n} = stablehlo.constant dense<0.0> : {IMAGE}",
        f"%x{n + 1} = stablehlo.maximum %a{n}, %z{n} : {IMAGE}",
    ]


def conditionals(count: int) -> str:
    """Branches, one after the other."""
    return chain(ROW, count, _conditional, "%p: tensor<i1>")


def _conditional(n: int) -> list[str]:
    return [
        f'%x{n + 1} = "stablehlo.if"(%p) ({{',
        f"  %a{n} = stablehlo.sine %x{n} : {ROW}",
        f"  stablehlo.return %a{n} : {ROW}",
        "}, {",
        *(f"  {line}" for line in _scaled_sine(n)[:2]),
        f"  stablehlo.return %m{n} : {ROW}",
        f"}}) : (tensor<i1>) -> {ROW}",
    ]


def branches(count: int) -> str:
    """One choice between many."""
    lines = ['%x1 = "stablehlo.case"(%p) (']
    for n in range(count):
        lines += ["}, {" if n else "{"]
        lines += [f"  %c{n} = stablehlo.constant dense<{number(n)}> : {ROW}"]
        lines += [f"  %m{n} = stablehlo.multiply %x0, %c{n} : {ROW}", f"  stablehlo.return %m{n} : {ROW}"]
    lines += [f"}}) : (tensor<i32>) -> {ROW}", f"return %x1 : {ROW}"]
    return main([f"%x0: {ROW}", "%p: tensor<i32>"], [ROW], lines)


def constants(count: int) -> str:
    """Tables, each of other numbers."""
    return chain(ROW, count, _table)


def _table(n: int) -> list[str]:
    table = ", ".join(number(n * 16 + k) for k in range(16))
    return [
        f"%c{n} = stablehlo.constant dense<[{table}]> : {ROW}",
        f"%m{n} = stablehlo.multiply %x{n}, %c{n} : {ROW}",
        f"%x{n + 1} = stablehlo.sine %m{n} : {ROW}",
    ]


def large_constants(count: int) -> str:
    """Constants that are parts of the signature of a kernel, not of its text."""
    return chain("tensor<64xf32>", count, _large_table)


def _large_table(n: int) -> list[str]:
    table = ", ".join(number(n * 64 + k) for k in range(64))
    return [
        f"%c{n} = stablehlo.constant dense<[{table}]> : tensor<64xf32>",
        f"%x{n + 1} = stablehlo.add %x{n}, %c{n} : tensor<64xf32>",
    ]


PROGRAMS: dict[str, tuple[Program, ...]] = {
    "layers": (layers, attention_layers),
    "elementwise chains": (elementwise_chain, additions, elementwise_constants),
    "outputs": (outputs, running_outputs),
    "arguments": (arguments, summed_arguments),
    "reshapes": (reshapes, transposes_and_reshapes),
    "updates": (updates, scatters),
    "scans": (scans, carried_values),
    "nested loops": (nested_loops,),
    "gathers": (gathers, gathered_rows),
    "calls": (calls, calls_in_calls),
    "reductions": (reductions, reductions_of_one),
    "convolutions": (convolutions,),
    "conditionals": (conditionals, branches),
    "constants": (constants, large_constants),
}
"""Fourteen directions."""


def named(name: str) -> Program:
    """The program of that name.

    >>> named("layers") is layers
    True
    """
    return next(program for programs in PROGRAMS.values() for program in programs if program.__name__ == name)
