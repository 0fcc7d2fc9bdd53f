"""IR before and after passes, as mlir-opt's `--mlir-print-ir-*` print it: to stderr, or into a tree of files."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...errors import InternalError, XlaError
from ...runtime.output_files import written
from ...runtime.pass_manager import Instrument
from ...runtime.verifying import verification_errors
from .names import display_name
from .printing import Form


@dataclass
class IRPrinting(Instrument):
    """Prints around the passes that `before` and `after` name (None: all)."""

    form: Form
    before: Collection[str] | None = ()
    after: Collection[str] | None = ()
    only_changes: bool = False
    only_failures: bool = False
    whole: bool = False
    tree: Path | None = None
    assume_verified: bool = False
    _texts: list[str] = field(default_factory=list[str])
    _counts: Counter[Operation] = field(default_factory=Counter[Operation])

    @staticmethod
    def of(args: argparse.Namespace, form: Form) -> IRPrinting | None:
        """That of a command line; None if it asks for none."""
        before = None if args.mlir_print_ir_before_all else _names(args.mlir_print_ir_before)
        every = args.mlir_print_ir_after_all or args.mlir_print_ir_after_failure
        after = (
            None
            if every or (args.mlir_print_ir_after_change and not args.mlir_print_ir_after)
            else (_names(args.mlir_print_ir_after))
        )
        if before == [] and after == []:
            return None
        return IRPrinting(
            form,
            before,
            after,
            args.mlir_print_ir_after_change,
            args.mlir_print_ir_after_failure,
            args.mlir_print_ir_module_scope,
            Path(args.mlir_print_ir_tree_dir) if args.mlir_print_ir_tree_dir else None,
            args.mlir_print_assume_verified,
        )

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        if self.only_changes:
            self._texts.append(self._fingerprint(op))
        if self.before is None or module_pass.name in self.before:
            self._print(f"Before {display_name(module_pass)} ({module_pass.name})", module_pass, op, self.form)

    def after_pass(self, module_pass: ModulePass, op: Operation, seconds: float) -> None:
        is_same = self.only_changes and self._texts.pop() == self._fingerprint(op)
        if self.only_failures or is_same:
            return
        if self.after is None or module_pass.name in self.after:
            self._print(f"After {display_name(module_pass)} ({module_pass.name})", module_pass, op, self.form)

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: XlaError | InternalError) -> None:
        if self.only_changes:
            self._texts.pop()
        if self.after is not None and module_pass.name not in self.after:
            return
        form = self.form
        if not self.assume_verified and _is_invalid(_top(op)):
            form = replace(form, generic=True)  # a custom form may rely on what does not hold
        self._print(f"After {display_name(module_pass)} Failed ({module_pass.name})", module_pass, op, form)

    def _fingerprint(self, op: Operation) -> str:
        return replace(self.form, locations=True, generic=True).text(op)

    def _print(self, title: str, module_pass: ModulePass, op: Operation, form: Form) -> None:
        shown = _top(op) if self.whole else op
        if self.whole:
            name = _symbol(op)
            title += f" ('{op.name}' operation{'' if name is None else f': @{name}'})"
        text = f"// -----// IR Dump {title} //----- //\n{form.text(shown)}\n\n"
        if shown.parent is None:  # which MLIR ends with a line
            text += "\n"
        if self.tree is None:
            sys.stderr.write(text)
            return
        path = self._path(self.tree, module_pass, op)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with written(path) as file:
                file.write(text.encode())
        except OSError as error:
            raise XlaError(f"{path}: {error.strerror}") from error

    def _path(self, root: Path, module_pass: ModulePass, op: Operation) -> Path:
        """`builtin_module_outer/func_func_f/0_1_cse.mlir`: the ops around, and how many dumps each of them has had."""
        if op in self._counts:
            self._counts[op] += 1
        else:
            self._counts[op] = 0
        folders: list[str] = []
        numbers: list[str] = []
        around: Operation | None = op
        while around is not None:
            numbers.insert(0, str(self._counts[around]))
            symbol = _symbol(around)
            folders.insert(0, f"{around.name.replace('.', '_')}_{symbol or 'no-symbol-name'}")
            around = around.parent_op()
        safe = [re.sub(rf"[{re.escape(os.sep)}\0]", "_", folder) for folder in folders]
        return root.joinpath(*safe, f"{'_'.join(numbers)}_{module_pass.name}.mlir")


def _is_invalid(top: Operation) -> bool:
    return not isinstance(top, ModuleOp) or bool(verification_errors(top))


def printed_passes(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The passes around which IR is to be printed, as far as they are named, and the flags that name them."""
    yield from (("--mlir-print-ir-before", name) for name in _names(args.mlir_print_ir_before))
    yield from (("--mlir-print-ir-after", name) for name in _names(args.mlir_print_ir_after))


def _names(lists: Collection[str]) -> list[str]:
    return [name.strip() for names in lists for name in names.split(",") if name.strip()]


def _top(op: Operation) -> Operation:
    while (around := op.parent_op()) is not None:
        op = around
    return op


def _symbol(op: Operation) -> str | None:
    match op.properties.get("sym_name") or op.attributes.get("sym_name"):
        case StringAttr(data=name):
            return name
        case _:
            return None
