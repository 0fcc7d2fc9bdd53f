"""`xla-lsp`: the language server of MLIR, HLO text and files of schedules, on standard input and output.

    xla-lsp             what an editor starts
    xla-lsp --tcp 2087  for an editor that connects

`lsp/server.py` is the server; it needs the extra `lsp`.
"""

from __future__ import annotations

if __name__ == "__main__":  # of `python -m`: as the installed command, before anything heavy is imported
    from .commands import xla_lsp

    raise SystemExit(xla_lsp())

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from .. import __version__
from .reporting import SUCCESS, UsageError, guarded

PORTS = range(1, 1 << 16)


def argument_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="xla-lsp", description="The language server of MLIR, HLO text and files of schedules; editors start it."
    )
    parser.add_argument("--stdio", action="store_true", help="talk on standard input and output, which is the default")
    parser.add_argument("--tcp", type=int, metavar="PORT", help="talk on a port of this machine")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write what happens to a file")
    parser.add_argument("--debug", action="store_true", help="show tracebacks (also XDSL_XLA_DEBUG=1)")
    parser.add_argument("--version", action="version", version=f"xla-lsp {__version__}")
    return parser


def serve(args: argparse.Namespace) -> int:
    """Answer until the client has gone."""
    if args.stdio and args.tcp is not None:
        raise UsageError("--stdio and --tcp exclude each other")
    if args.tcp is not None and args.tcp not in PORTS:
        raise UsageError(f"--tcp {args.tcp}: expected a port from {PORTS[0]} to {PORTS[-1]}")
    try:
        from .lsp.server import new_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("xla-lsp needs pygls: pip install 'xdsl-xla[lsp]'") from None
    logging.basicConfig(filename=args.log, level=logging.INFO if args.log else logging.ERROR)
    server = new_server()
    if args.tcp is None:
        with os.fdopen(os.dup(0), "rb") as requests, os.fdopen(os.dup(1), "wb") as answers:
            with redirect_stdout(sys.stderr):  # what anything prints is no answer
                server.start_io(requests, answers)
    else:
        server.start_tcp("127.0.0.1", args.tcp)
    return SUCCESS


def main(argv: Sequence[str] | None = None) -> int:
    """Run `xla-lsp` with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    return guarded(lambda: serve(args), debug=args.debug)
