"""What is particular to one model in its C interface: tables of tensors, constants and functions, as LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...lowering.to_llvm import context_layout as slots
from ..element_types import dtype_name
from ..signature import TensorSpec
from ..target_machines import Processor
from . import layout
from .elf import offsets
from .feature_checks import feature_check
from .ir_text import hex_text, string_constant
from .targets import LinkedTarget

OPENMP = {
    slots.GOMP_PARALLEL: ("GOMP_parallel", "void", "ptr, ptr, i32, i32"),
    slots.OMP_GET_THREAD_NUM: ("omp_get_thread_num", "i32", ""),
    slots.OMP_GET_NUM_THREADS: ("omp_get_num_threads", "i32", ""),
}
"""The functions that parallel loops call, by their place in the table of the process."""

DECLARED = frozenset({"aligned_alloc", "free", "memcmp", "snprintf", "strcmp"})


@dataclass(frozen=True)
class ModelTables:
    """One model."""

    name: str
    entry: str
    """What the linker calls the function of the program."""
    processor: Processor
    inputs: Sequence[TensorSpec]
    """As native code takes them: sizes of bounded dimensions are tensors of their own."""
    outputs: Sequence[TensorSpec]
    donated: Mapping[int, int]
    """Outputs and the inputs whose memory they take."""
    targets: Sequence[LinkedTarget]
    constants: Sequence[bytes]
    constants_header: bytes | None
    """How the file with the constants begins, if they are in a file."""
    arena_bytes: int
    thread_scratch_bytes: int
    threads: int

    @property
    def constants_in_file(self) -> int:
        """How many constants are in a file."""
        return 0 if self.constants_header is None else len(self.constants)

    @property
    def constants_symbol(self) -> str:
        """What the linker calls the constants."""
        return f"{self.name}.constants"

    @property
    def functions(self) -> list[str]:
        """The names of the functions that the model calls."""
        return list(dict.fromkeys(target.name for target in self.targets if target.name))

    def text(self, texts: Mapping[str, str]) -> str:
        """The globals and declarations; `texts` are messages."""
        lines = [
            f"@{self.name}.message = internal thread_local global [{layout.MESSAGE_BYTES} x i8] zeroinitializer",
            f"@{self.name}.current = internal thread_local global ptr null",
            f"@{self.name}.defaults = internal constant [{layout.OPTIONS_BYTES // 8} x i64]"
            f" [i64 {layout.OPTIONS_BYTES}{', i64 0' * (layout.OPTIONS_BYTES // 8 - 1)}]",
            *(self._string(f"text.{key}", value) for key, value in {**texts, "nothing": ""}.items()),
            *self._meanings(),
            *self._side("inputs", self.inputs, {}),
            *self._side("outputs", self.outputs, self.donated),
            *self._info(),
            *self._constant_table(),
            *self._functions(),
            feature_check(self.name, self.processor),
            *(target.code for target in self.targets if target.code),
        ]
        return "\n".join(lines)

    def _string(self, name: str, text: str) -> str:
        return string_constant(f"{self.name}.{name}", text)

    def _array(self, name: str, type: str, values: Sequence[str]) -> str:
        elements = ", ".join(f"{type} {value}" for value in values)
        return f"@{self.name}.{name} = internal constant [{len(values)} x {type}] [{elements}]"

    def _meanings(self) -> Iterator[str]:
        texts = [*(layout.MEANINGS[status] for status in layout.Status), "an unknown status"]
        for number, text in enumerate(texts):
            yield self._string(f"meaning.{number}", text)
        yield self._array("meanings", "ptr", [f"@{self.name}.meaning.{number}" for number in range(len(texts))])

    def _side(self, side: str, specs: Sequence[TensorSpec], donated: Mapping[int, int]) -> Iterator[str]:
        """The table of `xla_tensor`s of arguments or results."""
        fields: list[str] = []
        for index, spec in enumerate(specs):
            place = f"{side}.{index}"
            yield self._string(f"{place}.name", spec.name)
            yield self._string(f"{place}.element", dtype_name(spec.dtype))
            yield self._array(f"{place}.shape", "i64", [str(size) for size in spec.shape] or ["0"])
            pointers = ", ".join(f"ptr @{self.name}.{place}.{part}" for part in ("name", "element", "shape"))
            numbers = f"i64 {len(spec.shape)}, i64 {spec.byte_size}, i64 {donated.get(index, -1)}"
            fields.append(f"{{ptr, ptr, ptr, i64, i64, i64}} {{{pointers}, {numbers}}}")
        type = f"[{len(fields)} x {{ptr, ptr, ptr, i64, i64, i64}}]"
        yield f"@{self.name}.{side} = internal constant {type} [{', '.join(fields)}]"

    def _info(self) -> Iterator[str]:
        n = self.name
        for key, text in zip(("name", "triple", "cpu", "features"), (n, *self.processor), strict=True):
            yield self._string(f"info.{key}", text)
        for number, name in enumerate(self.functions):
            yield self._string(f"function.{number}", name)
        functions = [f"@{n}.function.{number}" for number in range(len(self.functions))]
        yield self._array("functions", "ptr", functions or ["null"])
        fields = [
            f"i64 {layout.INFO_BYTES}",
            f"i64 {layout.ABI_VERSION}",
            *(f"ptr @{n}.info.{key}" for key in ("name", "triple", "cpu", "features")),
            f"i64 {len(self.inputs)}",
            f"i64 {len(self.outputs)}",
            *(f"ptr @{n}.{side}" for side in ("inputs", "outputs")),
            f"i64 {self.arena_bytes}",
            f"i64 {self.thread_scratch_bytes}",
            f"i64 {sum(map(len, self.constants))}",
            f"i64 {self.threads}",
            f"i64 {len(self.functions)}",
            f"ptr @{n}.functions",
        ]
        types = ", ".join(field.split(" ", 1)[0] for field in fields)
        yield f"@{n}.info = internal constant {{{types}}} {{{', '.join(fields)}}}"

    def _constant_table(self) -> Iterator[str]:
        n = self.name
        if self.constants_header is not None:
            data = hex_text(self.constants_header)
            yield f'@{n}.constants.header = internal constant [{len(self.constants_header)} x i8] c"{data}"'
            yield "declare i32 @memcmp(ptr, ptr, i64) nounwind"
            return
        if self.constants:
            yield f"@{self.constants_symbol} = external hidden constant i8, align {layout.ALIGNMENT}"
        places = offsets(self.constants)[: len(self.constants)]
        base = f"@{self.constants_symbol}"
        pointers = [f"getelementptr (i8, ptr {base}, i64 {place})" for place in places]
        yield self._array("constant_table", "ptr", pointers or ["null"])

    def _functions(self) -> Iterator[str]:
        """The functions that the model calls: weak, so that a library links without them."""
        for symbol in sorted({target.symbol for target in self.targets if target.symbol} - DECLARED):
            yield f"declare extern_weak void @{symbol}()"
        for number, target in enumerate(self.targets):
            if target.name:
                yield self._string(f"called_name.{number}", target.name)
        if self.threads > 1:
            for number, (name, result, arguments) in OPENMP.items():
                yield f"declare extern_weak {result} @{name}({arguments})"
                yield self._string(f"openmp.{number}", name)

    def create_pieces(self) -> dict[str, str]:
        """The pieces of the function that creates contexts."""
        return {
            "check_constants": self._check_constants(),
            "fill_constants": self._fill_constants(),
            "fill_process": self._fill_process(),
            "fill_targets": "\n".join(self._fill_target(*item) for item in enumerate(self.targets)),
            "missing_functions": "\n".join(self._missing(i) for i, each in enumerate(self.targets) if each.name),
        }

    def _check_constants(self) -> str:
        if self.constants_header is None:
            return "  br label %allocate"
        header = len(self.constants_header)
        return f"""\
  %file = field ptr %options[OPTION_CONSTANTS]
  %file.size = field i64 %options[OPTION_CONSTANTS_SIZE]
  %no.file = icmp eq ptr %file, null
  br i1 %no.file, label %bad.no.file, label %file.size.of
bad.no.file:
  tell no_constants()
  ret i32 $ARGUMENT
file.size.of:
  %is.file.size = icmp eq i64 %file.size, {header + offsets(self.constants)[-1]}
  br i1 %is.file.size, label %file.place, label %bad.file
bad.file:
  tell constants(i64 {header + offsets(self.constants)[-1]})
  ret i32 $SIZE
file.place:
  %file.address = ptrtoint ptr %file to i64
  %file.low = and i64 %file.address, 63
  %file.aligned = icmp eq i64 %file.low, 0
  br i1 %file.aligned, label %file.header, label %bad.file.alignment
bad.file.alignment:
  tell constants_alignment(ptr %file)
  ret i32 $ALIGNMENT
file.header:
  %order = call i32 @memcmp(ptr %file, ptr @$n.constants.header, i64 {header})
  %is.file = icmp eq i32 %order, 0
  br i1 %is.file, label %allocate, label %bad.file"""

    def _fill_constants(self) -> str:
        if self.constants_header is None:
            return "  field ptr %context[CONTEXT_CONSTANTS] = @$n.constant_table"
        start = layout.CONTEXT_TABLES + 16 * len(self.targets)
        lines = [
            f"  %constant.table = getelementptr inbounds i8, ptr %context, i64 {start}",
            "  field ptr %context[CONTEXT_CONSTANTS] = %constant.table",
        ]
        for number, place in enumerate(offsets(self.constants)[:-1]):
            offset = len(self.constants_header) + place
            lines += (
                f"  %constant.{number} = getelementptr inbounds i8, ptr %file, i64 {offset}",
                f"  field ptr %constant.table[{8 * number}] = %constant.{number}",
            )
        return "\n".join(lines)

    def _fill_process(self) -> str:
        """The table of the process, with OpenMP's functions if all of them are there."""
        lines = [
            f"  field ptr %context[{self._process_field(slot)}] = @$n.{name}"
            for name, slot in (("safepoint", slots.SAFEPOINT), ("wait", slots.WAIT))
        ]
        if self.threads == 1:
            return "\n".join(lines)
        for number, (name, *_) in OPENMP.items():
            lines += (
                f"  %omp.{number} = call ptr @$n.find(ptr %options, ptr @$n.openmp.{number}, ptr @{name})",
                f"  %has.omp.{number} = icmp ne ptr %omp.{number}, null",
            )
        first, second, third = (f"%has.omp.{number}" for number in OPENMP)
        lines += (f"  %some.omp = and i1 {first}, {second}", f"  %all.omp = and i1 %some.omp, {third}")
        for number in OPENMP:
            lines += (
                f"  %omp.or.null.{number} = select i1 %all.omp, ptr %omp.{number}, ptr null",
                f"  field ptr %context[{self._process_field(number)}] = %omp.or.null.{number}",
            )
        return "\n".join(lines)

    @staticmethod
    def _process_field(slot: int) -> int:
        return layout.CONTEXT_PROCESS + slots.SLOT_BYTES * slot

    def _fill_target(self, number: int, target: LinkedTarget) -> str:
        lines: list[str] = []
        if target.name:
            default = f"@{target.symbol}" if target.symbol else "null"
            lines = [
                f"  %f.{number} = call ptr @$n.find(ptr %options, ptr @$n.called_name.{number}, ptr {default})",
                f"  %no.f.{number} = icmp eq ptr %f.{number}, null",
                f"  br i1 %no.f.{number}, label %bad.f.{number}, label %have.f.{number}",
                f"have.f.{number}:",
                f"  field ptr %behind[{8 * number}] = %f.{number}",
            ]
        called = f"@$n.target.{number}" if target.code else f"%f.{number}"
        return "\n".join([*lines, f"  field ptr %targets[{8 * number}] = {called}"])

    def _missing(self, number: int) -> str:
        return f"""\
bad.f.{number}:
  tell function(ptr @$n.called_name.{number})
  call void @free(ptr %context)
  ret i32 $FUNCTION"""
