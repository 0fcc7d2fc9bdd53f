"""`@MODEL.missing_feature`, as LLVM IR: the first feature that a library was compiled with and this CPU lacks, or null.

Of x86-64 the CPU says what it has (`cpuid`, Intel's manual, volume 2A) and the operating system which registers it
saves (`xgetbv`); of AArch64 the kernel does (`getauxval(AT_HWCAP)`, https://docs.kernel.org/arch/arm64/elf_hwcaps.html).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..target_machines import Processor, host_processor

X86 = {
    "leaf1.ecx": {
        "sse3": 0, "ssse3": 9, "fma": 12, "sse4.1": 19, "sse4.2": 20, "movbe": 22, "popcnt": 23, "avx": 28, "f16c": 29,
    },
    "leaf7.ebx": {
        "bmi": 3, "avx2": 5, "bmi2": 8, "avx512f": 16, "avx512dq": 17, "avx512ifma": 21, "avx512cd": 28,
        "avx512bw": 30, "avx512vl": 31,
    },
    "leaf7.ecx": {
        "avx512vbmi": 1, "avx512vbmi2": 6, "gfni": 8, "vaes": 9, "vpclmulqdq": 10, "avx512vnni": 11,
        "avx512bitalg": 12, "avx512vpopcntdq": 14,
    },
    "leaf7.edx": {"avx512fp16": 23},
    "leaf7.1.eax": {"avxvnni": 4, "avx512bf16": 5, "avxifma": 23},
    "extended.ecx": {"lzcnt": 5},
}  # fmt: skip
"""LLVM's names of features and their bits."""

_OF_AVX = frozenset({"avx", "avx2", "fma", "f16c", "vaes", "vpclmulqdq", "avxvnni", "avxifma"})

LEVELS = {
    "x86-64-v2": "sse3,ssse3,sse4.1,sse4.2,popcnt",
    "x86-64-v3": "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe",
    "x86-64-v4": "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,"
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
}
"""What the levels of the x86-64 ABI have."""

AARCH64 = {
    "aes": 3, "sha2": 6, "crc": 7, "lse": 8, "fullfp16": 10, "rdm": 12, "jsconv": 13, "complxnum": 14, "rcpc": 15,
    "dotprod": 20, "fp16fml": 23, "sve": 22,
}  # fmt: skip
"""LLVM's names of features and their bits in `AT_HWCAP`."""

_AT_HWCAP = 16


def needed_features(processor: Processor) -> list[str]:
    """The features that code for `processor` may use, as far as they are said: those of a CPU by name are LLVM's."""
    named = {feature[1:]: feature[0] == "+" for feature in processor.features.split(",") if feature}
    wanted = dict.fromkeys(filter(None, LEVELS.get(processor.cpu, "").split(",")), True) | named
    return [feature for feature, is_on in wanted.items() if is_on]


def feature_check(model: str, processor: Processor) -> str:
    """The function. It finds nothing missing where this machine cannot assemble the question."""
    needed = set(needed_features(processor))
    name = f"{model}.missing_feature"
    is_x86 = processor.triple.startswith(("x86_64", "amd64"))
    if not is_x86:
        return _aarch64(name, {feature: bit for feature, bit in AARCH64.items() if feature in needed})
    if not host_processor().triple.startswith(("x86_64", "amd64")):
        return f"define internal ptr @{name}() nounwind {{\n  ret ptr null\n}}\n"
    return _x86(name, needed)


def _strings(name: str, features: Iterable[str]) -> str:
    return "".join(
        f'@{name}.{feature} = internal constant [{len(feature) + 1} x i8] c"{feature}\\00"\n' for feature in features
    )


def _chain(name: str, conditions: Mapping[str, str]) -> str:
    """`%result`: the first feature whose condition does not hold. Conditions are names of values."""
    lines: list[str] = []
    result = "null"
    for number, (feature, condition) in enumerate(reversed(list(conditions.items()))):
        lines.append(f"  %result.{number} = select i1 {condition}, ptr {result}, ptr @{name}.{feature}")
        result = f"%result.{number}"
    return "\n".join([*lines, f"  ret ptr {result}"])


def _bit(feature: str, word: str, bit: int, type: str) -> str:
    return (
        f"  %masked.{feature} = and {type} %{word}, {1 << bit if type == 'i64' else _signed(1 << bit)}\n"
        f"  %has.{feature} = icmp ne {type} %masked.{feature}, 0"
    )


def _signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number


def _aarch64(name: str, bits: Mapping[str, int]) -> str:
    tests = "\n".join(_bit(feature, "hwcap", bit, "i64") for feature, bit in bits.items())
    return f"""{_strings(name, bits)}declare i64 @getauxval(i64) nounwind
define internal ptr @{name}() nounwind {{
  %hwcap = call i64 @getauxval(i64 {_AT_HWCAP})
{tests}
{_chain(name, {feature: f"%has.{feature}" for feature in bits})}
}}
"""


def _cpuid(name: str, leaf: int, subleaf: int) -> str:
    call = (
        "call { i32, i32, i32, i32 } asm sideeffect"
        f' "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(i32 {_signed(leaf)}, i32 {subleaf})'
    )
    registers = "\n".join(
        f"  %{name}.{register} = extractvalue {{ i32, i32, i32, i32 }} %{name}, {index}"
        for index, register in enumerate(("eax", "ebx", "ecx", "edx"))
    )
    return f"  %{name} = {call}\n{registers}"


def _x86(name: str, needed: set[str]) -> str:
    bits = {feature: (word, bit) for word, table in X86.items() for feature, bit in table.items() if feature in needed}
    tests: list[str] = []
    conditions: dict[str, str] = {}
    for feature, (word, bit) in bits.items():
        tests.append(_bit(feature, word, bit, "i32"))
        conditions[feature] = f"%has.{feature}"
        saved = "%saves.zmm" if feature.startswith("avx512") else "%saves.ymm" if feature in _OF_AVX else None
        if saved is not None:
            tests.append(f"  %can.{feature} = and i1 %has.{feature}, {saved}")
            conditions[feature] = f"%can.{feature}"
    return f"""{_strings(name, bits)}define internal ptr @{name}() nounwind {{
entry:
{_cpuid("leaf0", 0, 0)}
{_cpuid("leaf1", 1, 0)}
  %is.old = icmp ult i32 %leaf0.eax, 7
{_cpuid("leaf7.raw", 7, 0)}
{_cpuid("leaf7.1.raw", 7, 1)}
{_cpuid("extended", 0x8000_0001, 0)}
  %leaf7.ebx = select i1 %is.old, i32 0, i32 %leaf7.raw.ebx
  %leaf7.ecx = select i1 %is.old, i32 0, i32 %leaf7.raw.ecx
  %leaf7.edx = select i1 %is.old, i32 0, i32 %leaf7.raw.edx
  %has.more = icmp ugt i32 %leaf7.raw.eax, 0
  %has.leaf7.1 = select i1 %is.old, i1 false, i1 %has.more
  %leaf7.1.eax = select i1 %has.leaf7.1, i32 %leaf7.1.raw.eax, i32 0
  %osxsave = and i32 %leaf1.ecx, {1 << 27}
  %has.xgetbv = icmp ne i32 %osxsave, 0
  br i1 %has.xgetbv, label %ask, label %decide
ask:
  %xgetbv = call {{ i32, i32 }} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %asked = extractvalue {{ i32, i32 }} %xgetbv, 0
  br label %decide
decide:
  %xcr0 = phi i32 [ 0, %entry ], [ %asked, %ask ]
  %ymm = and i32 %xcr0, 6
  %saves.ymm = icmp eq i32 %ymm, 6
  %zmm = and i32 %xcr0, 230
  %saves.zmm = icmp eq i32 %zmm, 230
{chr(10).join(tests)}
{_chain(name, conditions)}
}}
"""
