"""`python -m xdsl_xla.tools.mutate`: damaged programs for the four readers.

    python -m xdsl_xla.tools.mutate --seed 0 --count 10000 --state /tmp/campaign
    python -m xdsl_xla.tools.mutate --check tests/mutated/*

Mutant number `seed + i` is made of a file of the tests (or of `--seeds`) by a few changes of tokens, groups, numbers,
lines, bytes or sections. It is read and verified; a share of those accepted is compiled, run and compared with the
reference. Found are crashes, hangs, too much memory, exceptions outside the family of `errors.py`, errors without a
location, and engines that differ. One of each signature is minimised and printed; with `--state` it is stored, and the
campaign goes on where it stood. The exit code is 1 if anything was found. `--check` tells how given files end.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ..reporting import FAILURE, SUCCESS, USAGE
from . import seeds as seed_files
from .campaign import Campaign, Finding
from .mutants import Mutant, Mutants
from .readers import READERS, reader_of_file
from .worker import Limits, try_one

SHOWN_BYTES = 600


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.tools.mutate", description="Give damaged programs to the readers and to both engines."
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the number of the first mutant")
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="how many mutants")
    parser.add_argument("--reader", action="append", choices=list(READERS), help="only for this reader; repeatable")
    parser.add_argument("--seeds", action="append", type=Path, metavar="PATH", help="files or folders to damage")
    parser.add_argument("--state", type=Path, metavar="DIR", help="keep seeds, place and findings here, and go on")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="T", help="of computing for a mutant")
    parser.add_argument("--memory", type=int, default=2048, metavar="MIB", help="for a mutant, beyond the process")
    parser.add_argument("--run-share", type=float, default=0.05, metavar="P", help="of accepted mutants that are run")
    parser.add_argument("--no-minimise", action="store_true", help="report mutants as they are")
    parser.add_argument("--check", nargs="+", type=Path, metavar="FILE", help="say how these files end")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    os.environ["XDSL_XLA_CACHE"] = "0"
    limits = Limits(args.seconds, args.memory)
    if args.check:
        return check(args.check, limits)
    try:
        campaign = _campaign(args, limits)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    with contextlib.suppress(KeyboardInterrupt):
        campaign.run(args.seed, args.count, show)
    print(*campaign.lines(), sep="\n")
    return FAILURE if campaign.seen else SUCCESS


def _campaign(args: argparse.Namespace, limits: Limits) -> Campaign:
    """The campaign of the arguments. Raises ValueError if there is nothing to damage."""
    kept: Path | None = args.state / "seeds" if args.state else None
    if kept is not None and kept.exists():
        seeds = seed_files.load(kept)
    else:
        seeds = seed_files.collect(args.seeds or seed_files.FOLDERS)
        if kept is not None:
            seed_files.store(seeds, kept)
            seeds = seed_files.load(kept)
    mutants = Mutants(seeds, args.reader or tuple(READERS))
    if not mutants.seeds:
        raise ValueError(
            "--seeds: no programs there; expected files " + ", ".join(r.extension for r in READERS.values())
        )
    digest = seed_files.digest(seeds)
    campaign = Campaign(mutants, limits, args.run_share, digest, args.state, not args.no_minimise)
    campaign.load()
    return campaign


def show(finding: Finding) -> None:
    """Print a finding and the program that shows it."""
    data = finding.mutant.data
    text = data.decode("utf-8", "backslashreplace") if finding.mutant.reader.is_text else repr(data)
    print(f"mutant {finding.first} ({finding.mutant.seed}): {finding.outcome.signature}")
    print(finding.outcome.detail.rstrip())
    print(text if len(text) <= SHOWN_BYTES else f"{text[:SHOWN_BYTES]} ... ({len(data)} bytes)", flush=True)


def check(files: Sequence[Path], limits: Limits) -> int:
    """Print a line on how each file ends, run if it is accepted; 1 if one shows a defect."""
    found = False
    for number, file in enumerate(files):
        reader = reader_of_file(file)
        if reader is None:
            print(f"error: {file}: expected {', '.join(r.extension for r in READERS.values())}", file=sys.stderr)
            return USAGE
        outcome = try_one(Mutant(number, reader, file.name, file.read_bytes()), True, limits)
        found |= outcome.is_defect
        print(f"{file}: {outcome.signature or outcome.kind.name}", flush=True)
        if outcome.detail:
            print(outcome.detail.rstrip(), file=sys.stderr, flush=True)
    return FAILURE if found else SUCCESS


if __name__ == "__main__":
    sys.exit(main())
