"""The functions of the C interface around a program, as LLVM IR: contexts, checks of buffers, runs, errors.

They do for a library what `runtime/executable.py`, `runtime/context.py` and `runtime/safepoints.py` do for this
process, with nothing but the C library. docs/ahead_of_time.md says what each function promises, `layout.py` where fields
lie. The code is for the plainest CPU of its triple: it is what finds out whether the rest can run.
"""

from __future__ import annotations

from string import Template

from ...decisions.safepoints import FIRST_WORK
from ...lowering.to_llvm import context_layout as slots
from . import layout
from .ir_text import load, store
from .layout import Status
from .model_tables import ModelTables

_MESSAGE = f"call i32 (ptr, i64, ptr, ...) @snprintf(ptr @$n.message, i64 {layout.MESSAGE_BYTES}, "


def _tell(text: str, arguments: str = "") -> str:
    """Write the message of an error: `text` is a name in `TEXTS`."""
    return f"  {_MESSAGE}ptr @$n.text.{text}{arguments})"


TEXTS = {
    "count": "%s: expected a table of %lld, got one of %lld",
    "table": "%s: no table",
    "size": "%s %lld ('%s'): expected %lld bytes, got %lld",
    "null": "%s %lld ('%s'): a null pointer",
    "alignment": "%s %lld ('%s'): no multiple of 16 is its address %p",
    "overlap": "output %lld shares memory with %s %lld",
    "donated": "output %lld takes the memory of input %lld: both must be the same buffer",
    "context": "no context: a null pointer, or one that has been destroyed",
    "result": "no place for the context: a null pointer",
    "version": "a structure of %lld bytes, but this library takes one of %lld: its header is of another version",
    "threads": "%lld threads, but the library was compiled for 1 to %lld",
    "arena": "an arena of %lld bytes, but a run takes %lld",
    "arena_alignment": "the arena begins at %p, no multiple of 64",
    "memory": "not enough memory",
    "busy": "the context has one arena, in which another run is going on",
    "stopped": "the run was stopped",
    "functions": "no table of functions",
    "function": "the model calls the function '%s', which is neither registered nor linked",
    "processor": "the library was compiled for a CPU with %s, which this one has not",
    "no_constants": "the constants of the model are in a file, and have not been given",
    "constants": "these are not the %lld bytes of the file with the constants of this model",
    "constants_alignment": "the constants begin at %p, no multiple of 64",
    "failed": "custom call target @%s failed: %.*s",
    "input": "input",
    "output": "output",
}

_FIND = """\
define internal ptr @$n.find(ptr %options, ptr %name, ptr %default) nounwind {
entry:
$load_table
$load_count
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %entry.of, label %absent
entry.of:
  %at = getelementptr inbounds [2 x ptr], ptr %table, i64 %i
  %other = load ptr, ptr %at, align 8
  %is.null = icmp eq ptr %other, null
  br i1 %is.null, label %step, label %compare
compare:
  %order = call i32 @strcmp(ptr %other, ptr %name)
  %same = icmp eq i32 %order, 0
  br i1 %same, label %found, label %step
step:
  %next = add i64 %i, 1
  br label %look
found:
$load_address
  ret ptr %address
absent:
  ret ptr %default
}
"""

_CHECK = """\
define internal i32 @$n.check(ptr %buffers, i64 %given, ptr %tensors, i64 %count, ptr %role) nounwind {
entry:
  %is.count = icmp eq i64 %given, %count
  br i1 %is.count, label %table, label %bad.count
bad.count:
$tell_count
  ret i32 $ARGUMENT
table:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %good, label %some
some:
  %is.null = icmp eq ptr %buffers, null
  br i1 %is.null, label %bad.table, label %look
bad.table:
$tell_table
  ret i32 $ARGUMENT
look:
  %i = phi i64 [ 0, %some ], [ %next, %step ]
  %buffer = getelementptr inbounds [2 x ptr], ptr %buffers, i64 %i
  %data = load ptr, ptr %buffer, align 8
$load_size
  %place = mul i64 %i, $TENSOR_BYTES
  %tensor = getelementptr inbounds i8, ptr %tensors, i64 %place
  %name = load ptr, ptr %tensor, align 8
$load_expected
  %is.size = icmp eq i64 %size, %expected
  br i1 %is.size, label %sized, label %bad.size
bad.size:
$tell_size
  ret i32 $SIZE
sized:
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %step, label %full
full:
  %address = ptrtoint ptr %data to i64
  %is.missing = icmp eq ptr %data, null
  br i1 %is.missing, label %bad.null, label %there
bad.null:
$tell_null
  ret i32 $ARGUMENT
there:
  %low = and i64 %address, 15
  %is.aligned = icmp eq i64 %low, 0
  br i1 %is.aligned, label %step, label %bad.alignment
bad.alignment:
$tell_alignment
  ret i32 $ALIGNMENT
step:
  %next = add i64 %i, 1
  %is.last = icmp eq i64 %next, %count
  br i1 %is.last, label %good, label %look
good:
  ret i32 0
}
"""

_OVERLAP = """\
define internal i32 @$n.overlap(ptr %outputs, ptr %others, i64 %count, ptr %role, i64 %are.outputs) nounwind {
entry:
  br label %output
output:
  %o = phi i64 [ 0, %entry ], [ %o.next, %output.done ]
  %o.more = icmp ult i64 %o, $NUM_OUTPUTS
  br i1 %o.more, label %prepare, label %good
prepare:
  %o.at = getelementptr inbounds [2 x i64], ptr %outputs, i64 %o
  %o.start = load i64, ptr %o.at, align 8
$load_o_size
  %o.end = add i64 %o.start, %o.size
  %place = mul i64 %o, $TENSOR_BYTES
  %tensor = getelementptr inbounds i8, ptr @$n.outputs, i64 %place
$load_donated
  %are = icmp ne i64 %are.outputs, 0
  %limit = select i1 %are, i64 %o, i64 %count
  br label %other
other:
  %i = phi i64 [ 0, %prepare ], [ %i.next, %step ]
  %i.more = icmp ult i64 %i, %limit
  br i1 %i.more, label %compare, label %output.done
compare:
  %i.at = getelementptr inbounds [2 x i64], ptr %others, i64 %i
  %start = load i64, ptr %i.at, align 8
$load_i_size
  %end = add i64 %start, %i.size
  %is.donated = icmp eq i64 %donated, %i
  %are.inputs = icmp eq i64 %are.outputs, 0
  %shared = and i1 %is.donated, %are.inputs
  br i1 %shared, label %same, label %apart
same:
  %is.same = icmp eq i64 %start, %o.start
  br i1 %is.same, label %step, label %bad.donated
bad.donated:
$tell_donated
  ret i32 $ARGUMENT
apart:
  %before = icmp ult i64 %o.start, %end
  %behind = icmp ult i64 %start, %o.end
  %both = and i1 %before, %behind
  br i1 %both, label %bad.overlap, label %step
bad.overlap:
$tell_overlap
  ret i32 $OVERLAP
step:
  %i.next = add i64 %i, 1
  br label %other
output.done:
  %o.next = add i64 %o, 1
  br label %output
good:
  ret i32 0
}
"""

_CREATE = """\
define i32 @${n}_create(ptr %given, ptr %result) nounwind {
entry:
  %no.result = icmp eq ptr %result, null
  br i1 %no.result, label %bad.result, label %clear
bad.result:
$tell_result
  ret i32 $ARGUMENT
clear:
  store ptr null, ptr %result, align 8
  %no.options = icmp eq ptr %given, null
  %options = select i1 %no.options, ptr @$n.defaults, ptr %given
  %version = load i64, ptr %options, align 8
  %is.version = icmp eq i64 %version, $OPTIONS_BYTES
  br i1 %is.version, label %processor, label %bad.version
bad.version:
$tell_version
  ret i32 $VERSION
processor:
  %missing = call ptr @$n.missing_feature()
  %can.run = icmp eq ptr %missing, null
  br i1 %can.run, label %threads, label %bad.processor
bad.processor:
$tell_processor
  ret i32 $PROCESSOR
threads:
$load_asked
  %is.default = icmp eq i64 %asked, 0
  %count = select i1 %is.default, i64 $THREADS, i64 %asked
  %few = icmp slt i64 %count, 1
  %many = icmp sgt i64 %count, $THREADS
  %out.of.range = or i1 %few, %many
  br i1 %out.of.range, label %bad.threads, label %functions
bad.threads:
$tell_threads
  ret i32 $ARGUMENT
functions:
$load_table
$load_registered
  %no.table = icmp eq ptr %table, null
  %is.some = icmp ne i64 %registered, 0
  %no.functions = and i1 %no.table, %is.some
  br i1 %no.functions, label %bad.functions, label %arena
bad.functions:
$tell_functions
  ret i32 $ARGUMENT
arena:
$load_lent
$load_lent_size
  %is.lent = icmp ne ptr %lent, null
  br i1 %is.lent, label %lent.size.of, label %constants
lent.size.of:
  %is.large = icmp uge i64 %lent.size, $ARENA
  br i1 %is.large, label %lent.place, label %bad.arena
bad.arena:
$tell_arena
  ret i32 $SIZE
lent.place:
  %lent.address = ptrtoint ptr %lent to i64
  %lent.low = and i64 %lent.address, 63
  %lent.aligned = icmp eq i64 %lent.low, 0
  br i1 %lent.aligned, label %constants, label %bad.arena.alignment
bad.arena.alignment:
$tell_arena_alignment
  ret i32 $ALIGNMENT
constants:
$check_constants
allocate:
  %context = call ptr @aligned_alloc(i64 64, i64 $CONTEXT_BYTES)
  %no.context = icmp eq ptr %context, null
  br i1 %no.context, label %bad.memory, label %zero
bad.memory:
$tell_memory
  ret i32 $MEMORY
zero:
  call void @llvm.memset.p0.i64(ptr %context, i8 0, i64 $CONTEXT_BYTES, i1 false)
  %lent.number = zext i1 %is.lent to i64
$load_seed
$store_magic
$store_threads
$store_seed
$store_lent
  %targets = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_TABLES
$store_targets
  %behind = getelementptr inbounds i8, ptr %targets, i64 $TARGET_BYTES
$store_behind
$fill_constants
$fill_process
$fill_targets
  br i1 %is.lent, label %borrow, label %own
borrow:
  br label %done
own:
  %is.none = icmp eq i64 $ARENA_BYTES, 0
  br i1 %is.none, label %done, label %take
take:
  %taken = call ptr @aligned_alloc(i64 64, i64 $ARENA_BYTES)
  %not.taken = icmp eq ptr %taken, null
  br i1 %not.taken, label %give.back, label %done
give.back:
  call void @free(ptr %context)
  br label %bad.memory
done:
  %memory = phi ptr [ %lent, %borrow ], [ null, %own ], [ %taken, %take ]
$store_memory
  store ptr %context, ptr %result, align 8
  ret i32 0
$missing_functions
}
"""

_RUN = """\
define internal void @$n.frame(ptr %frame, ptr %context) nounwind {
$load_threads
  store i64 %threads, ptr %frame, align 8
  %process = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_PROCESS
$store_process
$load_constants
$store_constants
$load_targets
$store_targets
  %failed = getelementptr inbounds i8, ptr %frame, i64 $FRAME_FAILED
$store_failed
$store_owner
$load_generation
$store_generation
$store_none
$store_status
  ret void
}

define internal void @$n.addresses(ptr %table, ptr %buffers, i64 %count) nounwind {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %step, label %end
step:
  %at = getelementptr inbounds [2 x ptr], ptr %buffers, i64 %i
  %data = load ptr, ptr %at, align 8
  %to = getelementptr inbounds ptr, ptr %table, i64 %i
  store ptr %data, ptr %to, align 8
  %next = add i64 %i, 1
  br label %look
end:
  ret void
}

define i32 @${n}_run(ptr %context, ptr %inputs, i64 %num.inputs, ptr %outputs, i64 %num.outputs) nounwind {
entry:
  %table = alloca [$NUM_BUFFERS x ptr], align 16
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %bad.context, label %look
look:
  %magic = load i64, ptr %context, align 8
  %is.context = icmp eq i64 %magic, $MAGIC
  br i1 %is.context, label %check.inputs, label %bad.context
bad.context:
$tell_context
  ret i32 $ARGUMENT
check.inputs:
  %s.0 = call i32 @$n.check(ptr %inputs, i64 %num.inputs, ptr @$n.inputs, i64 $NUM_INPUTS, ptr @$n.text.input)
  %g.0 = icmp eq i32 %s.0, 0
  br i1 %g.0, label %check.outputs, label %bad
check.outputs:
  %s.1 = call i32 @$n.check(ptr %outputs, i64 %num.outputs, ptr @$n.outputs, i64 $NUM_OUTPUTS, ptr @$n.text.output)
  %g.1 = icmp eq i32 %s.1, 0
  br i1 %g.1, label %check.overlap, label %bad
check.overlap:
  %s.2 = call i32 @$n.overlap(ptr %outputs, ptr %inputs, i64 $NUM_INPUTS, ptr @$n.text.input, i64 0)
  %g.2 = icmp eq i32 %s.2, 0
  br i1 %g.2, label %check.apart, label %bad
check.apart:
  %s.3 = call i32 @$n.overlap(ptr %outputs, ptr %outputs, i64 $NUM_OUTPUTS, ptr @$n.text.output, i64 1)
  %g.3 = icmp eq i32 %s.3, 0
  br i1 %g.3, label %enter, label %bad
bad:
  %status.bad = phi i32 [ %s.0, %check.inputs ], [ %s.1, %check.outputs ], [ %s.2, %check.overlap ], [ %s.3, %check.apart ]
  ret i32 %status.bad
enter:
  %busy = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_BUSY
  %exchange = cmpxchg ptr %busy, i64 0, i64 1 acquire monotonic
  %is.first = extractvalue { i64, i1 } %exchange, 1
  br i1 %is.first, label %first, label %another
first:
  %frame.first = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_FRAME
$load_arena
  br label %go
another:
$load_lent
  %is.lent = icmp ne i64 %lent, 0
  br i1 %is.lent, label %bad.busy, label %more
bad.busy:
$tell_busy
  ret i32 $BUSY
more:
  %frame.more = call ptr @aligned_alloc(i64 64, i64 $MORE_BYTES)
  %no.more = icmp eq ptr %frame.more, null
  br i1 %no.more, label %bad.memory, label %more.there
bad.memory:
$tell_memory
  ret i32 $MEMORY
more.there:
  %arena.more = getelementptr inbounds i8, ptr %frame.more, i64 $FRAME_BYTES
  br label %go
go:
  %frame = phi ptr [ %frame.first, %first ], [ %frame.more, %more.there ]
  %memory = phi ptr [ %arena, %first ], [ %arena.more, %more.there ]
  call void @$n.frame(ptr %frame, ptr %context)
  call void @$n.addresses(ptr %table, ptr %inputs, i64 $NUM_INPUTS)
  %results = getelementptr inbounds ptr, ptr %table, i64 $NUM_INPUTS
  call void @$n.addresses(ptr %results, ptr %outputs, i64 $NUM_OUTPUTS)
  %outer = load ptr, ptr @$n.current, align 8
  store ptr %frame, ptr @$n.current, align 8
  call void @$entry(ptr %table, ptr %results, ptr %memory, ptr %frame)
  store ptr %outer, ptr @$n.current, align 8
$load_status
  br i1 %is.first, label %leave, label %drop
leave:
  store atomic i64 0, ptr %busy release, align 8
  br label %end
drop:
  call void @free(ptr %frame)
  br label %end
end:
  %is.stopped = icmp eq i64 %status, $STOPPED
  br i1 %is.stopped, label %tell, label %return
tell:
$tell_stopped
  br label %return
return:
  %result = trunc i64 %status to i32
  ret i32 %result
}

define void @${n}_stop(ptr %context) nounwind {
entry:
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %end, label %stop
stop:
  %generation = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_GENERATION
  %before = atomicrmw add ptr %generation, i64 1 monotonic
  br label %end
end:
  ret void
}

define void @${n}_destroy(ptr %context) nounwind {
entry:
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %end, label %look
look:
  %magic = load i64, ptr %context, align 8
  %is.context = icmp eq i64 %magic, $MAGIC
  br i1 %is.context, label %destroy, label %end
destroy:
  store volatile i64 0, ptr %context, align 8
$load_lent
  %is.lent = icmp ne i64 %lent, 0
  br i1 %is.lent, label %last, label %arena.of
arena.of:
$load_arena
  call void @free(ptr %arena)
  br label %last
last:
  call void @free(ptr %context)
  br label %end
end:
  ret void
}

define internal i64 @$n.safepoint(ptr %frame) nounwind {
entry:
$load_owner
$load_started
  %now.at = getelementptr inbounds i8, ptr %owner, i64 $CONTEXT_GENERATION
  %now = load atomic i64, ptr %now.at monotonic, align 8
  %goes.on = icmp eq i64 %now, %started
  br i1 %goes.on, label %more, label %stop
stop:
  %failed.to = getelementptr inbounds i8, ptr %frame, i64 $FRAME_FAILED
  store atomic i64 1, ptr %failed.to monotonic, align 8
  %status.to = getelementptr inbounds i8, ptr %frame, i64 $FRAME_STATUS
  store atomic i64 $STOPPED, ptr %status.to monotonic, align 8
  ret i64 -1
more:
  ret i64 $FIRST_WORK
}

define internal void @$n.wait(ptr %frame, ptr %done, i64 %count) nounwind {
  ret void
}
"""

_REST = """\
define i32 @${n}_get_info(ptr %info) nounwind {
entry:
  %is.null = icmp eq ptr %info, null
  br i1 %is.null, label %bad.result, label %look
bad.result:
$tell_result
  ret i32 $ARGUMENT
look:
  %version = load i64, ptr %info, align 8
  %is.version = icmp eq i64 %version, $INFO_BYTES
  br i1 %is.version, label %copy, label %bad.version
bad.version:
$tell_version
  ret i32 $VERSION
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %info, ptr @$n.info, i64 $INFO_BYTES, i1 false)
  ret i32 0
}

define ptr @${n}_status_message(i32 %status) nounwind {
entry:
  %is.known = icmp ult i32 %status, $NUM_STATUSES
  %index = select i1 %is.known, i32 %status, i32 $NUM_STATUSES
  %wide = zext i32 %index to i64
  %at = getelementptr inbounds ptr, ptr @$n.meanings, i64 %wide
  %text = load ptr, ptr %at, align 8
  ret ptr %text
}

define ptr @${n}_error_message() nounwind {
  ret ptr @$n.message
}

define internal void @$n.set_failure(ptr %status, ptr %text, i64 %length) nounwind {
$store_failure
$load_name
  %is.null = icmp eq ptr %text, null
  %string = select i1 %is.null, ptr @$n.text.nothing, ptr %text
  %is.long = icmp ugt i64 %length, $MESSAGE_BYTES
  %shown.64 = select i1 %is.long, i64 $MESSAGE_BYTES, i64 %length
  %shown = trunc i64 %shown.64 to i32
$tell_failed
  ret void
}

define internal void @$n.set_success(ptr %status) nounwind {
$store_failure_none
  ret void
}

declare i32 @snprintf(ptr, i64, ptr, ...) nounwind
declare i32 @strcmp(ptr, ptr) nounwind
declare ptr @aligned_alloc(i64, i64) nounwind
declare void @free(ptr) nounwind
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare hidden void @$entry(ptr, ptr, ptr, ptr)
"""


def interface_code(tables: ModelTables) -> str:
    """The functions, tables and texts for one model."""
    numbers = {
        **{name: value for name, value in vars(layout).items() if isinstance(value, int) and name.isupper()},
        **{status.name: int(status) for status in Status},
        "NUM_STATUSES": len(Status),
        "NUM_INPUTS": len(tables.inputs),
        "NUM_OUTPUTS": len(tables.outputs),
        "NUM_BUFFERS": max(1, len(tables.inputs) + len(tables.outputs)),
        "FIRST_WORK": FIRST_WORK,
        "ARENA": tables.arena_bytes,
        "ARENA_BYTES": _aligned(tables.arena_bytes),
        "MORE_BYTES": layout.FRAME_BYTES + _aligned(tables.arena_bytes),
        "CONTEXT_BYTES": _aligned(layout.CONTEXT_TABLES + 8 * (2 * len(tables.targets) + tables.constants_in_file)),
        "TARGET_BYTES": 8 * len(tables.targets),
        "THREADS": tables.threads,
    }
    functions = (
        (_FIND, _FIND_PIECES),
        (_CHECK, _CHECK_PIECES),
        (_OVERLAP, _OVERLAP_PIECES),
        (_CREATE, {**_CREATE_PIECES, **tables.create_pieces()}),
        (_RUN, _RUN_PIECES),
        (_REST, _REST_PIECES),
    )
    names = {"n": tables.name, "entry": tables.entry, **{name: str(value) for name, value in numbers.items()}}
    code: list[str] = [tables.text(TEXTS)]
    for text, pieces in functions:
        code.append(Template(Template(text).safe_substitute(pieces)).substitute(names))
    return "\n".join(code)


def _aligned(size: int) -> int:
    return size + -size % layout.ALIGNMENT


_FIND_PIECES = {
    "load_table": load("table", "options", layout.OPTION_FUNCTIONS),
    "load_count": load("count", "options", layout.OPTION_NUM_FUNCTIONS, "i64"),
    "load_address": load("address", "at", 8),
}

_PLACE = ", ptr %role, i64 %i, ptr %name"

_CHECK_PIECES = {
    "load_size": load("size", "buffer", 8, "i64"),
    "load_expected": load("expected", "tensor", layout.TENSOR_SIZE, "i64"),
    "tell_count": _tell("count", ", ptr %role, i64 %count, i64 %given"),
    "tell_table": _tell("table", ", ptr %role"),
    "tell_size": _tell("size", f"{_PLACE}, i64 %expected, i64 %size"),
    "tell_null": _tell("null", _PLACE),
    "tell_alignment": _tell("alignment", f"{_PLACE}, ptr %data"),
}

_OVERLAP_PIECES = {
    "load_o_size": load("o.size", "o.at", 8, "i64"),
    "load_i_size": load("i.size", "i.at", 8, "i64"),
    "load_donated": load("donated", "tensor", layout.TENSOR_DONATED, "i64"),
    "tell_donated": _tell("donated", ", i64 %o, i64 %i"),
    "tell_overlap": _tell("overlap", ", i64 %o, ptr %role, i64 %i"),
}

_CREATE_PIECES = {
    "tell_result": _tell("result"),
    "tell_version": _tell("version", f", i64 %version, i64 {layout.OPTIONS_BYTES}"),
    "tell_processor": _tell("processor", ", ptr %missing"),
    "load_asked": load("asked", "options", layout.OPTION_THREADS, "i64"),
    "tell_threads": _tell("threads", ", i64 %asked, i64 $THREADS"),
    "load_table": load("table", "options", layout.OPTION_FUNCTIONS),
    "load_registered": load("registered", "options", layout.OPTION_NUM_FUNCTIONS, "i64"),
    "tell_functions": _tell("functions"),
    "load_lent": load("lent", "options", layout.OPTION_ARENA),
    "load_lent_size": load("lent.size", "options", layout.OPTION_ARENA_SIZE, "i64"),
    "tell_arena": _tell("arena", ", i64 %lent.size, i64 $ARENA"),
    "tell_arena_alignment": _tell("arena_alignment", ", ptr %lent"),
    "tell_memory": _tell("memory"),
    "load_seed": load("seed", "options", layout.OPTION_SEED, "i64"),
    "store_magic": store("$MAGIC", "context", layout.CONTEXT_MAGIC, "magic"),
    "store_threads": store("%count", "context", layout.CONTEXT_THREADS, "count"),
    "store_seed": store("%seed", "context", layout.CONTEXT_SEED, "seed"),
    "store_lent": store("%lent.number", "context", layout.CONTEXT_LENT, "lent"),
    "store_targets": store("%targets", "context", layout.CONTEXT_TARGETS, "targets", "ptr"),
    "store_behind": store("%behind", "context", layout.CONTEXT_FUNCTIONS, "behind", "ptr"),
    "store_memory": store("%memory", "context", layout.CONTEXT_ARENA, "memory", "ptr"),
}

_SLOT = slots.SLOT_BYTES

_RUN_PIECES = {
    "load_threads": load("threads", "context", layout.CONTEXT_THREADS, "i64"),
    "store_process": store("%process", "frame", slots.PROCESS * _SLOT, "process", "ptr"),
    "load_constants": load("constants", "context", layout.CONTEXT_CONSTANTS),
    "store_constants": store("%constants", "frame", slots.CONSTANTS * _SLOT, "constants", "ptr"),
    "load_targets": load("targets", "context", layout.CONTEXT_TARGETS),
    "store_targets": store("%targets", "frame", slots.CALL_TARGETS * _SLOT, "targets", "ptr"),
    "store_failed": store("%failed", "frame", slots.FAILED * _SLOT, "failed", "ptr"),
    "store_owner": store("%context", "frame", layout.FRAME_OWNER, "owner", "ptr"),
    "load_generation": load("generation", "context", layout.CONTEXT_GENERATION, "i64").replace(
        "load i64", "load atomic i64"
    ).replace(", align", " monotonic, align"),
    "store_generation": store("%generation", "frame", layout.FRAME_GENERATION, "generation"),
    "store_none": store("0", "frame", layout.FRAME_FAILED, "none"),
    "store_status": store("0", "frame", layout.FRAME_STATUS, "status"),
    "tell_context": _tell("context"),
    "load_arena": load("arena", "context", layout.CONTEXT_ARENA),
    "load_lent": load("lent", "context", layout.CONTEXT_LENT, "i64"),
    "tell_busy": _tell("busy"),
    "tell_memory": _tell("memory"),
    "load_status": load("status", "frame", layout.FRAME_STATUS, "i64"),
    "tell_stopped": _tell("stopped"),
    "load_owner": load("owner", "frame", layout.FRAME_OWNER),
    "load_started": load("started", "frame", layout.FRAME_GENERATION, "i64"),
}

_REST_PIECES = {
    "tell_result": _tell("result"),
    "tell_version": _tell("version", f", i64 %version, i64 {layout.INFO_BYTES}"),
    "store_failure": store("1", "status", 16, "failure"),
    "store_failure_none": store("0", "status", 16, "failure"),
    "load_name": load("name", "status", 24),
    "tell_failed": _tell("failed", ", ptr %name, i32 %shown, ptr %string"),
}
