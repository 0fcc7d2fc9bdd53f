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
from .ir_text import string_constant


class LinkedTarget(NamedTuple):
    """One entry of the table of call targets of a library."""

    name: str = ""
    """Under which a caller may register the function; nothing is looked up without one."""
    symbol: str = ""
    """What the linker may know it by otherwise."""
    code: str = ""
    """A function `@$n.target.NUMBER(ptr %out, ptr %in)` to be called in its place, in the notation of `ir_text.py`."""


def linked_targets(model: str, targets: Sequence[CallTarget]) -> list[LinkedTarget]:
    """Raises `UnsupportedError` that names the op for a target that no library can have."""
    return [_linked(model, number, target) for number, target in enumerate(targets)]


_PROCESS_NUMBERS = {stablehlo.PartitionIdOp.name, stablehlo.ReplicaIdOp.name}
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def _linked(model: str, number: int, target: CallTarget) -> LinkedTarget:
    name, options = target.name, target.options.data
    if name.startswith(ROUTINE):
        routine = name.removeprefix(ROUTINE)
        return LinkedTarget(routine, f"{routine}_")
    if name in _PROCESS_NUMBERS:
        return LinkedTarget(code=f"{_define(number)}\n  store i32 0, ptr %out, align 4\n  ret void\n}}\n")
    if name in (RANDOM_STATE, "rng_get_and_update_state"):
        steps = options.get("steps") if name == RANDOM_STATE else _config(options).get("steps")
        return LinkedTarget(code=_random_state(number, cast("IntegerAttr[Any]", steps).value.data))
    if name == "shape_violation":
        return LinkedTarget(code=_violation(number, _config(options)))
    function = TARGETS.get(name)
    if not isinstance(function, NativeTarget):
        kind = "op" if name.startswith("stablehlo.") else "custom call target"
        raise _refusal(target, f"{kind} {'' if kind == 'op' else '@'}{name} is carried out by Python")
    if not _SYMBOL.fullmatch(name) or name.startswith(f"{model}_"):
        raise _refusal(target, f"custom call target @{name}: no name that a C function can have here")
    if DIRECT in options:
        return LinkedTarget(name, name)
    return LinkedTarget(name, name, _with_status(number, target))


def _refusal(target: CallTarget, message: str) -> UnsupportedError:
    place = target.options.data.get("location")
    location = place.data if isinstance(place, StringAttr) else None
    return UnsupportedError(f"{message}, which a library runs without", location=location)


def _config(options: dict[str, Attribute] | Any) -> dict[str, Attribute]:
    for key in ("mhlo.backend_config", "backend_config"):
        if isinstance(config := options.get(key), DictionaryAttr):
            return dict(config.data)
    return {}


def _define(number: int) -> str:
    return f"define internal void @$n.target.{number}(ptr %out, ptr %in) nounwind {{"


_CURRENT = """\
  %frame = load ptr, ptr @$n.current, align 8
  %context = field ptr %frame[FRAME_OWNER]"""
"""Those of the run on this thread."""

_FAIL = """\
  field i64 %frame[FRAME_FAILED] = 1
  field i64 %frame[FRAME_STATUS] = $PROGRAM"""


def _random_state(number: int, steps: int) -> str:
    """What `random_state` of `reference/environment.py` does for a process by itself."""
    return f"""{_define(number)}
{_CURRENT}
  %seed = field i64 %context[CONTEXT_SEED]
  %steps = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_STEPS
  %start = atomicrmw add ptr %steps, i64 {steps} monotonic
  store i64 %seed, ptr %out, align 8
  field i64 %out[8] = %start
  field i64 %out[16] = 0
  ret void
}}
"""


_STAND_IN = 0x5AFE_0000_0000_0000
"""Where a message has numbers that only a run knows."""


def _violation(number: int, options: dict[str, Attribute]) -> str:
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
        lines.append(f"  %vector.{position} = field ptr %in[{8 * vector}]")
        lines.append(f"  %size.{position} = field i64 %vector.{position}[{8 * index}]")
        values.append(f"i64 %size.{position}")
    arguments = ", ".join(values[position] for position in shown)
    newline = "\n"
    return f"""{string_constant(f"$n.text.violation.{number}", text)}
{_define(number)}
{_CURRENT}
  %before = field i64 %frame[FRAME_FAILED]
  %is.first = icmp eq i64 %before, 0
  br i1 %is.first, label %tell, label %end
tell:
{newline.join(lines)}
  tell violation.{number}({arguments})
{_FAIL}
  br label %end
end:
  ret void
}}
"""


def _with_status(number: int, target: CallTarget) -> str:
    """A call of a C function that takes a status, and perhaps a string (`runtime/custom_call_status.h`)."""
    options = target.options.data
    version = cast("IntegerAttr[Any]", options["api_version"]).value.data if "api_version" in options else ORIGINAL
    types = (*target.signature.inputs, *target.signature.outputs)
    inputs, outputs = (len(list(flat(side))) for side in (target.signature.inputs.data, target.signature.outputs.data))
    orders = (
        *physical_orders(options.get("operand_layouts"), inputs),
        *physical_orders(options.get("result_layouts"), outputs),
    )
    if "output_operand_aliases" in options or has_tokens(types) or any(orders):
        raise _refusal(target, f"custom call target @{target.name}: aliases, tokens and layouts are seen to by Python")
    assert version in (STATUS_RETURNING, STATUS_RETURNING_UNIFIED)
    config = options.get("backend_config")
    string = config.data if isinstance(config, StringAttr) else ""
    length = len(string.encode())
    opaque = f"ptr @$n.opaque.{number}, i64 {length}, " if version == STATUS_RETURNING_UNIFIED else ""
    return f"""{string_constant(f"$n.opaque.{number}", string)}
{_define(number)}
{_CURRENT}
  %functions = field ptr %context[CONTEXT_FUNCTIONS]
  %function = field ptr %functions[{8 * number}]
  %before = field i64 %frame[FRAME_FAILED]
  %is.first = icmp eq i64 %before, 0
  br i1 %is.first, label %call, label %end
call:
  %status = alloca [4 x ptr], align 8
  field ptr %status[0] = @$n.set_failure
  field ptr %status[8] = @$n.set_success
  field i64 %status[16] = 0
  field ptr %status[24] = @$n.called_name.{number}
  call void %function(ptr %out, ptr %in, {opaque}ptr %status)
  %failure = field i64 %status[16]
  %is.failure = icmp ne i64 %failure, 0
  br i1 %is.failure, label %fail, label %end
fail:
{_FAIL}
  br label %end
end:
  ret void
}}
"""
