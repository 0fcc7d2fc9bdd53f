"""The header of a model: the types that all models share, the functions of this one, a typed call, a class for C++."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from ..element_types import dtype_name
from ..signature import TensorSpec
from . import layout
from .cpp_header import class_text
from .layout import Status
from .model_tables import ModelTables

C_TYPES = {
    "f32": "float",
    "f64": "double",
    "i1": "bool",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "ui8": "uint8_t",
    "ui16": "uint16_t",
    "ui32": "uint32_t",
    "ui64": "uint64_t",
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "complex<f32>": "xla_complex64",
    "complex<f64>": "xla_complex128",
    "index": "int64_t",
    "i2": "int8_t",
    "i4": "int8_t",
    "ui2": "uint8_t",
    "ui4": "uint8_t",
}
"""Of elements, by MLIR's names; those of all other types are bytes."""

_SHARED = """\
#ifndef XLA_ABI_VERSION
#define XLA_ABI_VERSION $version
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <complex>
typedef std::complex<float> xla_complex64;
typedef std::complex<double> xla_complex128;
extern "C" {
#else
typedef float _Complex xla_complex64;
typedef double _Complex xla_complex128;
#endif

/* In front of an array that is a buffer: XLA_ALIGNED float x[4]. What malloc and new return is aligned. */
#if defined(__cplusplus)
#define XLA_ALIGNED alignas(16)
#elif __STDC_VERSION__ >= 201112L
#define XLA_ALIGNED _Alignas(16)
#else
#define XLA_ALIGNED __attribute__((aligned(16)))
#endif

/* What a function returns. NAME_status_message says it in words, NAME_error_message says what exactly was wrong. */
typedef enum xla_status {
$statuses
} xla_status;

/* An argument or a result: dense, row-major, at a multiple of 16 bytes, of exactly the size that the model takes. */
typedef struct xla_buffer {
  void *data;
  size_t size; /* in bytes */
} xla_buffer;

typedef struct xla_tensor {
  const char *name;     /* in the program */
  const char *element;  /* "f32", "i64", "bf16", "complex<f32>", ... as MLIR writes it */
  const int64_t *shape;
  int64_t rank;
  size_t size;          /* in bytes */
  int64_t donated;      /* of an output: the number of the input whose memory it takes, or -1 */
} xla_tensor;

/* A function that the model calls, or one of GOMP_parallel, omp_get_thread_num and omp_get_num_threads, which run its
   parallel loops. */
typedef struct xla_function {
  const char *name;
  void (*address)(void);
} xla_function;

/* How a context is made. Begin with XLA_OPTIONS: zero means the default. */
typedef struct xla_options {
  size_t struct_size;
  int64_t threads;              /* at most those the model was compiled for, which is the default */
  void *arena;                  /* scratch memory at a multiple of 64 bytes, for one run at a time */
  size_t arena_size;
  const void *constants;        /* the contents of the file with the constants, at a multiple of 64 bytes */
  size_t constants_size;
  const xla_function *functions; /* looked at before what is linked; needed only while the context is created */
  size_t num_functions;
  uint64_t seed;                /* of random numbers */
} xla_options;

typedef struct xla_info {
  size_t struct_size;
  uint64_t abi_version;
  const char *name;
  const char *triple, *cpu, *features; /* what the library was compiled for */
  size_t num_inputs, num_outputs;
  const xla_tensor *inputs, *outputs;
  size_t arena_size;            /* bytes of scratch that a run needs */
  size_t thread_scratch_size;   /* how many of them belong to each thread */
  size_t constants_size;        /* bytes of constants outside of the code */
  int64_t threads;              /* the most a context may have */
  size_t num_functions;
  const char *const *functions; /* what the model calls: to be linked, or given in xla_options */
} xla_info;

#ifdef __cplusplus
#define XLA_OPTIONS (xla_options{sizeof(xla_options), 0, nullptr, 0, nullptr, 0, nullptr, 0, 0})
#define XLA_INFO \\
  (xla_info{sizeof(xla_info), 0, nullptr, nullptr, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, 0, 0, 0, 0, nullptr})
}
#else
#define XLA_OPTIONS ((xla_options){.struct_size = sizeof(xla_options)})
#define XLA_INFO ((xla_info){.struct_size = sizeof(xla_info)})
#endif
#elif XLA_ABI_VERSION != $version
#error "headers of models of different versions of the interface"
#endif
"""

_MODEL = """\
#ifdef __cplusplus
extern "C" {
#endif

/* Scratch memory and settings. Any number of contexts may exist; any number of threads may use one at once, but for one
   with an arena of the caller's, which serves one run at a time. */
typedef struct ${n}_context ${n}_context;

/* A context in *context, which is null after a failure. `options` may be null. */
xla_status ${n}_create(const xla_options *options, ${n}_context **context);

/* Frees a context in which nothing runs. Null is ignored. */
void ${n}_destroy(${n}_context *context);

/* Runs the model. Buffers are only used during the call; outputs share no memory with each other nor with inputs. */
xla_status ${n}_run(${n}_context *context, const xla_buffer *inputs, size_t num_inputs, const xla_buffer *outputs,
$indent size_t num_outputs);

/* Ends the runs going on in a context, soon: they return XLA_STOPPED. From any thread or a handler of signals. */
void ${n}_stop(${n}_context *context);

/* What the model is. `info` begins as XLA_INFO. */
xla_status ${n}_get_info(xla_info *info);

/* The meaning of a status, and the message of the last failure of this model on this thread. */
const char *${n}_status_message(xla_status status);
const char *${n}_error_message(void);

enum {
  ${n}_num_inputs = $num_inputs,
  ${n}_num_outputs = $num_outputs,
  ${n}_threads = $threads
};
#define ${N}_ARENA_SIZE ((size_t)$arena)
$sizes
/* Runs the model on arrays of the right types and sizes:
$described
*/
static inline xla_status ${n}_call($parameters) {
$body
}

#ifdef __cplusplus
}
$class
#endif
"""


def c_type(spec: TensorSpec) -> str:
    """The type of an element."""
    return C_TYPES.get(dtype_name(spec.dtype), "uint8_t")


def header_text(tables: ModelTables) -> str:
    """The header of a model."""
    guard = f"{tables.name.upper()}_MODEL_H"
    statuses = ",\n".join(f"  XLA_{status.name} = {int(status)}" for status in Status)
    statuses = "\n".join(
        f"{line:<24} /* {layout.MEANINGS[status]} */"
        for line, status in zip(statuses.splitlines(), Status, strict=True)
    )
    shared = Template(_SHARED).substitute(version=layout.ABI_VERSION, statuses=statuses)
    inputs, outputs = tables.inputs, tables.outputs
    names = {
        "n": tables.name,
        "N": tables.name.upper(),
        "indent": " " * len(f"xla_status {tables.name}_run"),
        "num_inputs": len(inputs),
        "num_outputs": len(outputs),
        "threads": tables.threads,
        "arena": tables.arena_bytes,
        "sizes": _sizes(tables),
        "described": _described(inputs, "in") + _described(outputs, "out"),
        "parameters": _parameters(tables),
        "body": _body(tables),
        "class": class_text(tables, c_type),
    }
    model = Template(_MODEL).substitute({key: str(value).rstrip("\n") for key, value in names.items()})
    comment = (
        f"/* The model {tables.name}, for {tables.processor.triple} ({tables.processor.cpu}). Made by xla-compile. */"
    )
    return f"{comment}\n#ifndef {guard}\n#define {guard}\n\n{shared}\n{model}\n#endif\n"


def _described(specs: Sequence[TensorSpec], prefix: str) -> str:
    return "".join(f"     {prefix}{index}: {_comment(spec)}\n" for index, spec in enumerate(specs))


def _comment(spec: TensorSpec) -> str:
    """Its type and its name in the program, which ends no comment."""
    return f"{spec} ({spec.name})".replace("*/", "* /")


def _sizes(tables: ModelTables) -> str:
    """The numbers of elements, for declarations of arrays."""
    lines = [
        f"#define {tables.name.upper()}_{side}{index}_COUNT ((size_t){spec.byte_size // spec.dtype.itemsize})"
        for side, specs in (("IN", tables.inputs), ("OUT", tables.outputs))
        for index, spec in enumerate(specs)
    ]
    return "".join(f"{line}\n" for line in lines)


def _parameters(tables: ModelTables) -> str:
    donated = set(tables.donated.values())
    return ", ".join(
        (
            f"{tables.name}_context *context",
            *(
                f"{'' if index in donated else 'const '}{c_type(spec)} *in{index}"
                for index, spec in enumerate(tables.inputs)
            ),
            *(f"{c_type(spec)} *out{index}" for index, spec in enumerate(tables.outputs)),
        )
    )


def _body(tables: ModelTables) -> str:
    lines: list[str] = []
    for side, specs in (("in", tables.inputs), ("out", tables.outputs)):
        if specs:
            lines.append(f"  xla_buffer {side}puts[{len(specs)}];")
    for side, specs in (("in", tables.inputs), ("out", tables.outputs)):
        for index, spec in enumerate(specs):
            lines.append(f"  {side}puts[{index}].data = (void *){side}{index};")
            lines.append(f"  {side}puts[{index}].size = {spec.byte_size};")
    tables_of = [f"{side}puts" if specs else "NULL" for side, specs in (("in", tables.inputs), ("out", tables.outputs))]
    lines.append(
        f"  return {tables.name}_run(context, {tables_of[0]}, {len(tables.inputs)}, {tables_of[1]},"
        f" {len(tables.outputs)});"
    )
    return "\n".join(lines)
