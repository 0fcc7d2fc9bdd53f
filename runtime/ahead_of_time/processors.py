"""The CPU that a library is for: by default this one, otherwise a target triple, a CPU and features, as LLVM has them.

What decisions need to know of it (`decisions/target.py`), LLVM is asked: the code of a small function shows which
vector registers the CPU has, whether it multiplies and adds at once, and which dot products it has.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

from ...decisions.model import CostModel, host_model
from ...decisions.target import ARCHITECTURES, architecture_of, from_features
from ...errors import ArgumentError, UnsupportedError, similar_names
from ..engine import parse
from ..target_machines import Processor, host_processor, initialize_others, target_machine

llvm: Any = llvmlite.binding  # has no type annotations

_FEATURES = re.compile(r"[+-][A-Za-z0-9.-]+(,[+-][A-Za-z0-9.-]+)*")

_PROBE = """
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
define void @add(ptr %p) {
  %x = load <16 x float>, ptr %p
  %y = fadd <16 x float> %x, %x
  store <16 x float> %y, ptr %p
  ret void
}
define void @multiply_and_add(ptr %p) {
  %x = load <16 x float>, ptr %p
  %y = call <16 x float> @llvm.fma.v16f32(<16 x float> %x, <16 x float> %x, <16 x float> %x)
  store <16 x float> %y, ptr %p
  ret void
}
define <16 x bfloat> @round(<16 x float> %x) {
  %y = fptrunc <16 x float> %x to <16 x bfloat>
  ret <16 x bfloat> %y
}
define <4 x i32> @pairs(<4 x i32> %s, <8 x i16> %a, <8 x i16> %b) {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %m = mul <8 x i32> %x, %y
  %e = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %o = shufflevector <8 x i32> %m, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %t = add <4 x i32> %e, %o
  %r = add <4 x i32> %s, %t
  ret <4 x i32> %r
}
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v16i32(<4 x i32>, <16 x i32>)
"""

_SUMS_OF_BYTES = "".join(
    f"""
define <4 x i32> @{left}_{right}(<4 x i32> %s, <16 x i8> %a, <16 x i8> %b) {{
  %x = {left} <16 x i8> %a to <16 x i32>
  %y = {right} <16 x i8> %b to <16 x i32>
  %m = mul <16 x i32> %x, %y
  %r = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v16i32(<4 x i32> %s, <16 x i32> %m)
  ret <4 x i32> %r
}}
"""
    for left, right in (("sext", "sext"), ("zext", "sext"))
)

_FEATURE_SIGNS = {
    "avx512f": r"\bzmm",
    "avx": r"\b[yz]mm",
    "fma": r"\bvfmadd",
    "avx512bf16": r"\bvcvtneps2bf16\b.*\bzmm",
    "avx512vnni": r"\bvpdpwssd\b",
    "dotprod": r"\bsdot\b",
    "i8mm": r"\busdot\b",
    "bf16": r"\bbfcvtn\b",
}
"""What shows in the code for the probe that a CPU has a feature."""


def architecture(triple: str) -> str:
    """That of `triple`, as `ARCHITECTURES` calls it. Raises `UnsupportedError` for others."""
    if name := architecture_of(triple):
        return name
    raise UnsupportedError(f"no libraries for '{triple}': they can be made for {' and '.join(ARCHITECTURES)}")


def processor(triple: str | None = None, cpu: str | None = None, features: str | None = None) -> Processor:
    """The CPU of a library: this one where nothing is said.

    Of another triple, CPU or both, features are those of `cpu`, by default one that all machines of the triple have.
    `features` alone changes those of this CPU. Raises `ArgumentError` for a CPU or features that LLVM does not know,
    and `UnsupportedError` for a triple that no libraries can be made for.
    """
    host = host_processor()
    if features and not _FEATURES.fullmatch(features):
        raise ArgumentError(f"features: expected '+NAME,-NAME,...', got '{features}'")
    is_native = cpu == "native" or (cpu is None and triple is None)
    triple = triple or host.triple
    own = architecture(triple)
    if "linux" not in triple:
        raise UnsupportedError(f"no libraries for '{triple}': they can be made for Linux")
    initialize_others()
    if is_native and own != architecture(host.triple):
        raise ArgumentError(f"CPU 'native' is {host.cpu}, which does not run code for '{triple}'")
    if is_native:
        found = Processor(triple, host.cpu, ",".join(filter(None, (host.features, features))))
    else:
        found = Processor(triple, cpu or ("x86-64" if own == "x86_64" else "generic"), features or "")
    if found != host:
        _check(found)
    return found


_COMPLAINT = re.compile(r"'[+-]?(.*?)' is not a recognized (processor|feature)")

_ASK = """
import sys
import llvmlite.binding as llvm
llvm.initialize_all_targets()
triple, cpu, features = sys.argv[1:]
llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features)
"""


def _check(processor: Processor) -> None:
    """Raises `ArgumentError` for what LLVM does not know: it says so on stderr only, and goes on."""
    complaint = _COMPLAINT.search(_answer(processor))
    if complaint is not None:
        name, kind = complaint.groups()
        known = re.findall(r"^  (\S+) +- ", _answer(processor._replace(cpu="help", features="")), re.MULTILINE)
        raise ArgumentError(f"LLVM knows no {kind} '{name}' of '{processor.triple}'{similar_names(name, known)}")


def _answer(processor: Processor) -> str:
    """What LLVM has to say about a CPU."""
    command = [sys.executable, "-c", _ASK, *processor]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def known(triple: str | None = None) -> str:
    """The CPUs and features of a triple, by default this machine's, as LLVM lists them."""
    triple = triple or host_processor().triple
    architecture(triple)
    return _answer(Processor(triple, "help", ""))


def cost_model(processor: Processor, threads: int) -> CostModel | None:
    """The compiler's own decisions for a CPU with usual caches; None for this one."""
    if processor == host_processor():
        return None
    module = parse(_PROBE + _SUMS_OF_BYTES, llvm.create_context(), processor)
    with target_machine(2, processor) as machine:
        text: str = machine.emit_assembly(module)
    features = {feature: re.search(sign, text) is not None for feature, sign in _FEATURE_SIGNS.items()}
    target = replace(from_features(features, processor.triple), cores=threads)
    return replace(host_model(), target=target)
