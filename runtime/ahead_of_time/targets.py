"""What a program calls by name, in a library: C functions and routines of LAPACK, found when a context is created, and
what is written out here. What only Python has is refused when the library is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo import shape_rules
from ...dialects.stablehlo.tuples import flat, has_tokens
from ...dialects.xrt import DIRECT
from ...dialects.xrt_names import RANDOM_STATE, ROUTINE
from ...errors import UnsupportedError
from ...lowering.to_llvm.module_tables import CallTarget
from ...reference.c_targets import (
    ORIGINAL,
    STATUS_RETURNING,
    STATUS_RETURNING_UNIFIED,
    NativeTarget,
    physical_orders,
)
from ...reference.custom_calls import TARGETS
from . import layout
from .ir_text import byte_text, load, store


class LinkedTarget(NamedTuple):
    """One entry of the table of call targets of a library."""

    name: str = ""
    """Under which a caller may register the function; nothing is looked up without one."""
    symbol: str = ""
    """What the linker may know it by otherwise."""
    code: str = ""
    """LLVM IR of a function `@MODEL.target.NUMBER(ptr %out, ptr %in)` to be called in its place."""


def linked_targets(model: str, targets: Sequence[CallTarget]) -> list[LinkedTarget]:
    """Raises `UnsupportedError` that names the op for a target that no library can have."""
    return [_linked(model, number, target) for number, target in enumerate(targets)]


_PROCESS_NUMBERS = {stablehlo.PartitionIdOp.name, stablehlo.ReplicaIdOp.name}
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _linked(model: str, number: int, target: CallTarget) -> LinkedTarget:
    name, options = target.name, target.options.data
    define = f"define internal void @{model}.target.{number}(ptr %out, ptr %in) nounwind {{"
    if name.startswith(ROUTINE):
        routine = name.removeprefix(ROUTINE)
        return LinkedTarget(routine, f"{routine}_")
    if name in _PROCESS_NUMBERS:
        return LinkedTarget(code=f"{define}\n  store i32 0, ptr %out, align 4\n  ret void\n}}\n")
    if name in (RANDOM_STATE, "rng_get_and_update_state"):
        steps = options.get("steps") if name == RANDOM_STATE else _config(options).get("steps")
        return LinkedTarget(code=_random_state(define, model, cast("IntegerAttr[Any]", steps).value.data))
    if name == "shape_violation":
        return LinkedTarget(code=_violation(define, model, _config(options)))
    function = TARGETS.get(name)
    if not isinstance(function, NativeTarget):
        kind = "op" if name.startswith("stablehlo.") else "custom call target"
        raise _refusal(target, f"{kind} {'' if kind == 'op' else '@'}{name} is carried out by Python")
    if not _SYMBOL.fullmatch(name) or name.startswith(f"{model}_"):
        raise _refusal(target, f"custom call target @{name}: no name that a C function can have here")
    if DIRECT in options:
        return LinkedTarget(name, name)
    return LinkedTarget(name, name, _with_status(define, model, number, target))


def _refusal(target: CallTarget, message: str) -> UnsupportedError:
    place = target.options.data.get("location")
    location = place.data if isinstance(place, StringAttr) else None
    return UnsupportedError(f"{message}, which a library runs without", location=location)


def _config(options: dict[str, Attribute] | Any) -> dict[str, Attribute]:
    for key in ("mhlo.backend_config", "backend_config"):
        if isinstance(config := options.get(key), DictionaryAttr):
            return dict(config.data)
    return {}


def _current(model: str) -> str:
    """`%frame` and `%context`: those of the run on this thread."""
    return f"  %frame = load ptr, ptr @{model}.current, align 8\n{load('context', 'frame', layout.FRAME_OWNER)}"


def _fail(status: layout.Status) -> str:
    """The run of `%frame` ends with `status`."""
    return "\n".join(
        (
            store("1", "frame", layout.FRAME_FAILED, "failed"),
            store(str(int(status)), "frame", layout.FRAME_STATUS, "status"),
        )
    )


def _random_state(define: str, model: str, steps: int) -> str:
    """What `random_state` of `reference/environment.py` does for a process by itself."""
    return f"""{define}
{_current(model)}
{load("seed", "context", layout.CONTEXT_SEED, "i64")}
  %steps = getelementptr inbounds i8, ptr %context, i64 {layout.CONTEXT_STEPS}
  %start = atomicrmw add ptr %steps, i64 {steps} monotonic
  store i64 %seed, ptr %out, align 8
{store("%start", "out", 8, "start")}
{store("0", "out", 16, "process")}
  ret void
}}
"""


_STAND_IN = 0x5AFE_0000_0000_0000
"""Where a message has numbers that only a run knows."""


def _violation(define: str, model: str, options: dict[str, Attribute]) -> str:
    """A message with the sizes that broke the rule, which are the operands."""
    op, rule, lengths = (cast(StringAttr, options[name]).data for name in ("op", "rule", "lengths"))
    counts = [int(length) for length in lengths.split(",")]
    stand_ins = iter(range(_STAND_IN, _STAND_IN + sum(counts)))
    message = shape_rules.broken(op, rule, *([next(stand_ins) for _ in range(count)] for count in counts))
    place = options.get("location")
    if isinstance(place, StringAttr):
        message = f"{place.data}: {message}"
    shown = [int(number) - _STAND_IN for number in re.findall(rf"{_STAND_IN // 10**12}\d{{12}}", message)]
    text = re.sub(rf"{_STAND_IN // 10**12}\d{{12}}", "%lld", message.replace("%", "%%"))
    lines, values = list[str](), list[str]()
    vectors = [(vector, index) for vector, count in enumerate(c for c in counts if c) for index in range(count)]
    for position, (vector, index) in enumerate(vectors):
        lines += load(f"vector.{position}", "in", 8 * vector), load(f"size.{position}", f"vector.{position}", 8 * index, "i64")
        values.append(f"i64 %size.{position}")
    arguments = "".join(f", {values[position]}" for position in shown)
    size, string = byte_text(text)
    number = define.split("(")[0].rpartition(".")[2]
    return f"""@{model}.violation.{number} = internal constant [{size} x i8] c"{string}"
{define}
{_current(model)}
{load("before", "frame", layout.FRAME_FAILED, "i64")}
  %is.first = icmp eq i64 %before, 0
  br i1 %is.first, label %tell, label %end
tell:
{chr(10).join(lines)}
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @{model}.message, i64 {layout.MESSAGE_BYTES}, ptr @{model}.violation.{number}{arguments})
{_fail(layout.Status.PROGRAM)}
  br label %end
end:
  ret void
}}
"""


def _with_status(define: str, model: str, number: int, target: CallTarget) -> str:
    """A call of a C function that takes a status, and perhaps a string (`runtime/custom_call_status.h`)."""
    options = target.options.data
    version = cast("IntegerAttr[Any]", options["api_version"]).value.data if "api_version" in options else ORIGINAL
    types = (*target.signature.inputs, *target.signature.outputs)
    inputs, outputs = (len(list(flat(side))) for side in (target.signature.inputs.data, target.signature.outputs.data))
    orders = (*physical_orders(options.get("operand_layouts"), inputs), *physical_orders(options.get("result_layouts"), outputs))
    if "output_operand_aliases" in options or has_tokens(types) or any(orders):
        raise _refusal(target, f"custom call target @{target.name}: aliases, tokens and layouts are seen to by Python")
    assert version in (STATUS_RETURNING, STATUS_RETURNING_UNIFIED)
    config = options.get("backend_config")
    size, string = byte_text(config.data if isinstance(config, StringAttr) else "")
    opaque = f"ptr @{model}.opaque.{number}, i64 {size - 1}, " if version == STATUS_RETURNING_UNIFIED else ""
    name_size, name = byte_text(target.name)
    return f"""@{model}.opaque.{number} = internal constant [{size} x i8] c"{string}"
@{model}.called.{number} = internal constant [{name_size} x i8] c"{name}"
{define}
{_current(model)}
{load("functions", "context", layout.CONTEXT_FUNCTIONS)}
{load("function", "functions", 8 * number)}
{load("before", "frame", layout.FRAME_FAILED, "i64")}
  %is.first = icmp eq i64 %before, 0
  br i1 %is.first, label %call, label %end
call:
  %status = alloca [4 x ptr], align 8
  store ptr @{model}.set_failure, ptr %status, align 8
{store(f"@{model}.set_success", "status", 8, "success", "ptr")}
{store("0", "status", 16, "none")}
{store(f"@{model}.called.{number}", "status", 24, "name", "ptr")}
  call void %function(ptr %out, ptr %in, {opaque}ptr %status)
{load("failure", "status", 16, "i64")}
  %is.failure = icmp ne i64 %failure, 0
  br i1 %is.failure, label %fail, label %end
fail:
{_fail(layout.Status.PROGRAM)}
  br label %end
end:
  ret void
}}
"""
