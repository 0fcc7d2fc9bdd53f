"""Every dot product becomes the instruction of its name, on CPUs that this machine need not be."""

from __future__ import annotations

from typing import Any, cast

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
import pytest
from xdsl_xla.decisions.dot_products import DOT_PRODUCTS, dot_products_of
from xdsl_xla.decisions.target import from_features
from xdsl_xla.lowering.to_llvm.dots import intrinsic_of

llvm = cast("Any", llvmlite.binding)

TYPES = {"bf16": "bfloat", "f16": "half", "f32": "float", "i8": "i8", "ui8": "i8", "i16": "i16", "i32": "i32"}

CASES = [
    ("vdpbf16ps", 512, "x86_64-linux-gnu", "+avx512bf16,+avx512vl"),
    ("vdpbf16ps", 256, "x86_64-linux-gnu", "+avx512bf16,+avx512vl"),
    ("vdpphps", 512, "x86_64-linux-gnu", "+avx10.2"),
    ("vpdpbusd", 512, "x86_64-linux-gnu", "+avx512vnni,+avx512vl"),
    ("vpdpbusd", 256, "x86_64-linux-gnu", "+avxvnni"),
    ("vpdpbusd", 128, "x86_64-linux-gnu", "+avxvnni"),
    ("vpdpwssd", 512, "x86_64-linux-gnu", "+avx512vnni,+avx512vl"),
    ("vpdpwssd", 256, "x86_64-linux-gnu", "+avxvnni"),
    ("vpdpbssd", 512, "x86_64-linux-gnu", "+avx10.2"),
    ("vpdpbssd", 256, "x86_64-linux-gnu", "+avxvnniint8"),
    ("sdot", 128, "aarch64-linux-gnu", "+dotprod"),
    ("udot", 128, "aarch64-linux-gnu", "+dotprod"),
    ("usdot", 128, "aarch64-linux-gnu", "+i8mm"),
    ("bfdot", 128, "aarch64-linux-gnu", "+bf16"),
]


@pytest.mark.parametrize(("name", "bits", "triple", "features"), CASES)
def test_instruction(name: str, bits: int, triple: str, features: str) -> None:
    dot = DOT_PRODUCTS[name]
    sums = f"<{bits // 32} x {TYPES[dot.sums]}>"
    factors = f"<{dot.group * bits // 32} x {TYPES[dot.factors[0]]}>"
    intrinsic = intrinsic_of(name, bits)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(f"""
declare {sums} @{intrinsic}({sums}, {factors}, {factors})
define {sums} @f({sums} %s, ptr %a, ptr %b) {{
  %x = load {factors}, ptr %a, align 1
  %y = load {factors}, ptr %b, align 1
  %r = call {sums} @{intrinsic}({sums} %s, {factors} %x, {factors} %y)
  ret {sums} %r
}}""")
    module.verify()
    machine = llvm.Target.from_triple(triple).create_target_machine(features=features)
    assert name in machine.emit_assembly(module)


CHOICES: list[tuple[set[str], str, set[str]]] = [
    ({"avx512f", "avx512bf16", "avx512vnni", "avxvnni"}, "x86_64", {"vdpbf16ps", "vpdpbusd", "vpdpwssd"}),
    ({"avx512f", "avxvnni"}, "x86_64", set()),
    ({"avx", "fma", "avxvnni"}, "x86_64", {"vpdpbusd", "vpdpwssd"}),
    ({"avx", "fma", "avxvnni", "avxvnniint8"}, "x86_64", {"vpdpbssd", "vpdpbusd", "vpdpwssd"}),
    ({"avx", "fma"}, "x86_64", set()),
    ({"neon", "dotprod", "i8mm", "bf16"}, "aarch64", {"sdot", "udot", "usdot", "bfdot"}),
    ({"neon", "dotprod"}, "aarch64", {"sdot", "udot"}),
]


@pytest.mark.parametrize(("features", "triple", "expected"), CHOICES)
def test_chosen_from_features(features: set[str], triple: str, expected: set[str]) -> None:
    found = dict.fromkeys(features, True)
    target = from_features(found, f"{triple}-linux-gnu")
    assert set(target.dot_products) == set(dot_products_of(found, target.vector_bits)) == expected
