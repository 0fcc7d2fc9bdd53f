"""Results at 1 to 4 threads: those of one thread against expected ones, the others against these and those of one.

Expected is what XLA:CPU computes or, where it rounds at other places, the reference interpreter (which takes its time).
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from .. import suite
from ..agreement import Array, agree, difference
from ..peers import Native, XlaCpu
from ..suite import Program
from ..table import Column, Table, TablePrinter, Value
from .section import Result, Settings

THREADS = (1, 2, 3, 4)
QUICK = ("softmax", "matmul256", "matvec", "bmm", "reduce_rows", "reduce_cols", "embed", "cholesky")

COLUMNS = (
    Column("program", "program"),
    Column("expected", "1 thread", ".0e"),
    *(Column(f"threads_{count}", f"{count} threads", ".0e") for count in THREADS[1:]),
    Column("agrees", "agrees"),
)


def measure(settings: Settings) -> Result:
    """A check, not timed: the largest difference of every program at every thread count, and whether all agree."""
    table = Table("threads", "Largest difference at 1 to 4 threads", COLUMNS)
    printer, failures = TablePrinter(table), list[str]()
    xla = XlaCpu()
    for program in _programs(settings):
        try:
            row = _row(program, xla)
        except Exception as error:
            failures.append(f"{program.name}: {error}")
            printer.note(program.name, f"failed: {error}")
            continue
        printer.add(row)
        if row["agrees"] != "yes":
            failures.append(f"{program.name}: results disagree")
    return Result([printer.finish({})], failures)


def _programs(settings: Settings) -> Iterator[Program]:
    for name in settings.chosen(suite.names(), QUICK):
        yield suite.load(name)
    if settings.quick and not settings.programs:
        return
    from .. import more_programs

    for name in settings.chosen(more_programs.names()):
        yield more_programs.load(name)


def _row(program: Program, xla: XlaCpu) -> dict[str, Value]:
    one, expected = _of_threads(program, 1), xla.outputs(xla.compile(program).run())
    agrees = agree(one, expected)
    if not agrees:
        expected = _of_reference(program)
        agrees = agree(one, expected)
    row: dict[str, Value] = {"program": program.name, "expected": difference(one, expected)}
    for count in THREADS[1:]:
        several = _of_threads(program, count)
        row[f"threads_{count}"] = difference(several, one)
        agrees = agrees and agree(several, one) and agree(several, expected)
    return row | {"agrees": "yes" if agrees else "no"}


def _of_reference(program: Program) -> list[Array]:
    from ...reference import interpreter
    from ...runtime.mlir_text import parse_module

    module: ModuleOp = parse_module(program.text, program.name)
    return list(interpreter.run(module, "main", list(program.inputs)))


def _of_threads(program: Program, threads: int) -> list[Array]:
    native = Native(threads)
    return native.outputs(native.compile(program).run())
